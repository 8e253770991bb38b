"""Random trees, people and sites: what each sees and may do, against the slow reference."""

import itertools
import random
from collections.abc import Iterator
from dataclasses import asdict, is_dataclass
from typing import Any

import pytest
from sqlalchemy import inspect, select

from db.base import utc_now
from db.content_enums import ChangeRequestStatus, ConflictKind, LinkRelation, LinkStatus, PageType
from db.enums import EditMode, Role
from db.event_enums import EventAudience as Audience
from db.ids import new_id
from db.integration_enums import IntegrationVisibility
from db.models.change_requests import ChangeRequest
from db.models.comments import Comment
from db.models.content import FileUpload, Revision
from db.models.content_index import ContentLink, ContentLinkUse
from db.models.merging import MergeConflict
from db.models.organizations import Organization, Team, TeamMember, User
from db.models.site_settings import AdaptiveSchema, CustomHostname
from db.models.sites import Site, SiteSection, SiteSpace
from db.models.spaces import Collection, Space
from db.session import Database, Session
from resolvers.access.policy import (
    RULES,
    must,
    ranked,
    ranks,
    refusals,
    spaces_with_bin,
    visible_in_space,
)
from resolvers.access.published_rows import listed_rows
from resolvers.change_requests.fields import change_request_permissions
from resolvers.comments.fields import comment_rights
from resolvers.content.pages import page_permissions
from resolvers.core.actors import NOBODY, OPERATOR, Actor, Visitor
from resolvers.core.context import Context
from resolvers.core.errors import ApiError, Forbidden, NotFound
from resolvers.core.naming import camel
from resolvers.organizations.operations import organization_permissions
from resolvers.organizations.teams import team_permissions
from resolvers.revisions.ids import asked_for
from resolvers.revisions.rows import Page
from resolvers.sites.fields import site_permissions
from resolvers.spaces.collections import collection_permissions
from resolvers.spaces.fields import space_permissions
from tests import factories
from tests.conftest import Api, Fillings, Stored, context, fill_once
from tests.resolvers.access.test_roles_property import ROLES, Scene, all_rows
from tests.rights_reference import (
    DISCUSSIONS,
    FACTS,
    JUDGED,
    NEEDS,
    Everything,
    listed,
    permissions,
    permissions_in_request,
    permissions_in_space,
    rank_on,
    rank_with_bin,
    seen,
)

SEEDS = range(2)
FIELDS: dict[type[Any], Any] = {
    Organization: organization_permissions,
    Team: team_permissions,
    Space: space_permissions,
    Collection: collection_permissions,
    Site: site_permissions,
    ChangeRequest: change_request_permissions,
    Comment: comment_rights,
}


class FurnishedScene(Scene):
    """A random scene with one more person of every kind, and with everything that has a rule."""

    async def build(self) -> None:
        await super().build()
        await self.session.begin_write()
        self.spaces: list[Space] = await all_rows(self.session, Space)
        await self._cast()
        people = await all_rows(self.session, User)
        for space in self.spaces:
            await self._discuss(space, people)
        for organization in self.organizations:
            await factories.make_saml_provider(self.session, organization)
            await self._invite(organization, people[0])
            for _ in range(2):
                await self._site(organization)
            # Nothing on it can be read, so that only the role in the organization counts.
            empty = await factories.make_site(self.session, organization)
            await factories.make_section_group(self.session, empty)
        for space in self.random.sample(self.spaces, 4):
            space.deleted_at = utc_now()
            service = await factories.make_service(self.session, organization, Role.ADMIN)
            await factories.make_token(self.session, service)
        await self._happen(people)
        await self._work(people)
        for person in people[:5]:
            await factories.make_token(self.session, person)
            await factories.make_user_session(self.session, person)
        for row in await all_rows(self.session, TeamMember):
            row.owner = self.random.random() < 0.3
        await self.session.commit()

    async def _happen(self, people: list[User]) -> None:
        """Events of every audience, about what is there, is elsewhere and has never been there."""
        choose, session = self.random, self.session
        sites = await all_rows(session, Site)
        teams = await all_rows(session, Team)
        for organization in self.organizations:
            for audience in Audience:
                for _ in range(4):
                    place: dict[str, Any] = {
                        "space_id": choose.choice([None, new_id(), *[s.id for s in self.spaces]]),
                        "site_id": choose.choice([None, *[site.id for site in sites]]),
                        "team_id": choose.choice([None, *[team.id for team in teams]]),
                        "user_id": choose.choice([None, *[person.id for person in people]]),
                    }
                    collections = [None, *[one.id for one in self.collections]]
                    place["collection_id"] = choose.choice(collections)
                    await factories.make_event(session, organization, audience, **place)
        for person in people[:5]:
            await factories.make_event(session, person, Audience.ACCOUNT, user_id=person.id)

    async def _work(self, people: list[User]) -> None:
        """Jobs of everybody on any space, on none, and those of the installation; endpoints;
        what people are notified of."""
        choose, session = self.random, self.session
        for person in people:
            for _ in range(3):
                space = choose.choice(self.spaces)
                about = choose.choice([space.id, None])
                job = await factories.make_job(
                    session, space, started_by_id=person.id, space_id=about
                )
                await factories.make_git_entries(session, job)
        for organization in self.organizations:
            await factories.make_specification(session, organization.id)
            for place in self._places_of_webhooks(organization):
                webhook = await factories.make_webhook(session, organization.id, **place)
                await factories.make_delivery(session, webhook)
        for organization in self.organizations:
            own = [one for one in self.spaces if one.organization_id == organization.id]
            for source, result in itertools.pairwise(own):
                await factories.make_translation(session, source, result)
            await factories.make_glossary_entry(session, organization.id)
            await factories.make_custom_font(session, organization.id)
        await factories.make_job(session, self.spaces[0])
        await factories.make_job(session, self.spaces[0], organization_id=None, space_id=None)
        for comment in choose.sample(await all_rows(session, Comment), 6):
            person = choose.choice(people)
            space = next(one for one in self.spaces if one.id == comment.space_id)
            await factories.make_notification(session, person, comment)
            await factories.make_notification_level(session, person, space)
            await factories.make_feed_token(session, person, space)
        for organization in self.organizations:
            await self._integrate(organization)

    def _places_of_webhooks(self, organization: Organization) -> list[dict[str, str]]:
        """The organization, and spaces: some have gone elsewhere since."""
        spaces = self.random.sample(self.spaces, 3)
        own = [one for one in self.spaces if one.organization_id == organization.id]
        return [{}, *({"space_id": space.id} for space in (*spaces, *own[:3]))]

    async def _invite(self, organization: Organization, inviter: User) -> None:
        """Invitations to all that there is in it, and what the audit log says of it."""
        await factories.make_invitation(self.session, organization, inviter)
        for target in (*self.spaces, *self.collections):
            if target.organization_id == organization.id:
                name = "space_id" if isinstance(target, Space) else "collection_id"
                await factories.make_invitation(
                    self.session, organization, inviter, **{name: target.id}
                )
        await factories.make_audit_entry(self.session, organization, inviter)
        await factories.make_audit_entry(self.session, None, inviter)

    async def _integrate(self, organization: Organization) -> None:
        """Integrations of an organization, installed in any one, on anything there."""
        choose, session = self.random, self.session
        sites = await all_rows(session, Site)
        for visibility in IntegrationVisibility:
            name = f"{visibility.value}-{organization.id.lower()}"
            integration = await factories.make_integration(
                session, organization.id, name, visibility=visibility
            )
            place = choose.choice(self.organizations)
            installation = await factories.make_installation(session, integration, place.id)
            await factories.make_integration_event(session, installation)
            for rows in (self.spaces, sites):
                own = [row for row in rows if row.organization_id == place.id]
                for row in choose.sample(own, min(3, len(own))):
                    await factories.make_entry(session, installation, row)

    async def _cast(self) -> None:
        """Somebody with each role, guests of all kinds, the disabled, and people of nowhere."""
        choose, session = self.random, self.session
        home = self.organizations[0]
        targets = [
            one for one in (*self.spaces, *self.collections) if one.organization_id == home.id
        ]
        for role in Role:
            await factories.make_member(session, home, role)
        await factories.make_member(session, home, None)  # a guest of nothing
        granted = [
            await factories.make_member(session, home, None),
            await factories.make_member(session, home, Role.EDIT),
            await factories.make_member(session, home, Role.ADMIN, disabled=True),
            await factories.make_member(session, home, None, disabled=True),
            await factories.make_user(session),  # a grant that outlived the membership
        ]
        by_team = await factories.make_member(session, home, None)
        team = await factories.make_team(session, home, by_team, *granted[:2])
        for subject in (*granted, team):
            for target in choose.sample(targets, 4):
                await factories.make_grant(session, target, subject, choose.choice(ROLES))
        await factories.make_user(session)

    async def _discuss(self, space: Space, people: list[User]) -> None:
        choose, session = self.random, self.session
        space.edit_mode = choose.choice(list(EditMode))
        author, other = choose.sample(people, 2)
        status = choose.choice(list(ChangeRequestStatus))
        request = await factories.make_change_request(session, space, author, status=status)
        own = Revision(
            id=new_id(), space_id=space.id, type=(await self._active(space)).type, conditional=False
        )
        session.add(own)
        request.revision_id = own.id
        await factories.make_review(session, request, other)
        await factories.make_requested_reviewer(session, request, other, author)
        await factories.make_contributor(session, request, author)
        await factories.make_comment(session, space, other)
        await factories.make_comment(session, space, author, request)
        link = ContentLink(
            id=new_id(), space_id=space.id, digest=new_id(), relation=next(iter(LinkRelation)),
            status=next(iter(LinkStatus)), kind="url", reference={},
        )  # fmt: skip
        session.add_all([
            MergeConflict(
                space_id=space.id, change_request_id=request.id, key=new_id(),
                kind=next(iter(ConflictKind)), data={},
            ),
            FileUpload(space_id=space.id, user_id=author.id, name="a.png"),
            FileUpload(space_id=space.id, user_id=None, name="b.png"),
            link,
            ContentLinkUse(
                link_id=link.id, source_id="page", node="node", space_id=space.id, reusable=False,
                text="",
            ),
        ])  # fmt: skip
        await session.flush()

    async def _active(self, space: Space) -> Revision:
        row = await self.session.get(Revision, space.revision_id)
        assert row is not None
        return row

    async def _site(self, organization: Organization) -> None:
        """A site with sections in groups of two levels, and every kind of setting."""
        choose, session = self.random, self.session
        own = [one for one in self.spaces if one.organization_id == organization.id]
        chosen = choose.sample(own, 5)
        site = await factories.make_site(
            session, organization, *chosen[:2], published=choose.random() < 0.7
        )
        outer = await factories.make_section_group(session, site)
        inner = await factories.make_section_group(session, site, parent=outer)
        for group, space in zip((None, outer, inner), chosen[2:], strict=True):
            await factories.make_section(session, site, space, group=group)
        await factories.make_share_link(session, site)
        await factories.make_site_redirect(session, site, "/old", "https://example.com/")
        await factories.make_site_mcp_server(session, site)
        session.add(AdaptiveSchema(site_id=site.id, json_schema={}))
        session.add(CustomHostname(site_id=site.id, hostname=f"{site.id[5:]}.example".lower()))
        await session.flush()


async def everything(session: Session) -> Everything:
    return Everything({model: await all_rows(session, model) for model in (*JUDGED, *FACTS)})


def visitors(choose: random.Random, known: Everything) -> Iterator[Visitor]:
    """Visitors of the sites, whose sets hold some of everything: also of what is not theirs."""

    def some(model: type[Any]) -> frozenset[str]:
        return frozenset(row.id for row in known.rows[model] if choose.random() < 0.4)

    for site in known.rows[Site]:
        request = choose.choice(known.rows[ChangeRequest])
        spaces = some(Space)
        yield Visitor(
            site.id, site.organization_id, some(SiteSection), some(SiteSpace),
            spaces | {request.space_id},
            change_request_id=request.id, revision_id=request.revision_id,
            preview_space_ids=frozenset(sorted(spaces)[:1]),
        )  # fmt: skip


def actors(choose: random.Random, known: Everything) -> list[Actor]:
    people = [context(None, person).actor for person in known.rows[User]]  # type: ignore[arg-type]
    return [NOBODY, OPERATOR, *people, *(Actor(visitor=one) for one in visitors(choose, known))]


def key_of(row: Any) -> tuple[Any, ...]:
    return tuple(inspect(row).identity)


def as_dict(shown: Any) -> dict[str, bool]:
    return asdict(shown) if is_dataclass(shown) else shown._asdict()  # type: ignore[arg-type]


@pytest.fixture
async def dice(stored: Stored, fillings: Fillings, seed: int) -> random.Random:
    """What is left to choose by chance in a scene, which the database is filled with."""

    async def fill(session: Session) -> random.Random:
        scene = FurnishedScene(seed, session)
        await scene.build()
        return scene.random

    return await fill_once(stored, fillings, f"scene {seed}", fill)


@pytest.mark.parametrize("seed", SEEDS)
async def test_everybody_sees_what_the_reference_says(
    dice: random.Random, database: Database
) -> None:
    async with database.session() as reading:
        known = await everything(reading)
        assert set(JUDGED) == set(RULES), "every model with a rule is compared"
        assert all(known.rows[model] for model in JUDGED)
        for actor in actors(dice, known):
            ctx = Context(actor, reading)
            for model in JUDGED:
                await compare_ranks(ctx, known, model)
            rows = known.rows[Space]
            with_bin = {row.id: rank_with_bin(known, actor, row) for row in rows}
            answers = await ranks(ctx, Space, with_bin, spaces_with_bin)
            assert answers == {id: own for id, own in with_bin.items() if own is not None}
            await compare_other_ways(ctx, known)


async def compare_ranks(ctx: Context, known: Everything, model: type[Any]) -> None:
    rows = known.rows[model]
    if hasattr(model, "id"):
        expected = seen(known, ctx.actor, rows)
        assert await ranks(ctx, model, [row.id for row in rows]) == expected, model
        return
    by_key = {key_of(row): rank_on(known, ctx.actor, row) for row in rows}
    statement, rank = ranked(ctx, model)
    keys = inspect(model).primary_key
    found = await ctx.session.execute(statement.with_only_columns(*keys, rank))
    shown = {key: own for key, own in by_key.items() if own is not None}
    assert {tuple(key): own for *key, own in found} == shown, model


async def compare_other_ways(ctx: Context, known: Everything) -> None:
    """The ways to the rules that lists have, and those of discussions by a joined space."""
    for model in DISCUSSIONS:
        joined = select(model.id).join(Space, Space.id == model.space_id)
        found = await ctx.session.execute(visible_in_space(ctx, joined))
        expected = {} if ctx.actor.visitor else seen(known, ctx.actor, known.rows[model])
        assert set(found.scalars()) == set(expected), model
    visitor = ctx.actor.visitor
    if visitor is None:
        return
    for listing in (Space, Revision, ChangeRequest):
        rows = known.rows[listing]
        statement = listed_rows(ranked(ctx, listing)[0], listing, visitor)
        found = await ctx.session.execute(statement.with_only_columns(listing.id))
        shown = seen(known, ctx.actor, rows)
        if listing is not Space:
            in_lists = [row for row in rows if listed(visitor, known.by_id[row.space_id], row)]
            shown = {row.id: 1 for row in in_lists if row.id in shown}
        assert set(found.scalars()) == set(shown), listing


@pytest.mark.parametrize("seed", SEEDS)
async def test_everybody_may_what_the_reference_says(
    dice: random.Random, database: Database, api: Api
) -> None:
    async with database.session() as reading:
        known = await everything(reading)
        granted: set[tuple[type[Any], str, bool]] = set()
        for actor in actors(dice, known):
            ctx = Context(actor, reading)
            for model, field in FIELDS.items():
                rows = known.rows[model]
                shown = await field(ctx, rows, None)
                for row, answer in zip(rows, map(as_dict, shown), strict=True):
                    expected = permissions(known, actor, row)
                    if expected is None:
                        # Whoever does not see it learns nothing more by a parent that it sees.
                        assert {name for name, given in answer.items() if given} <= {"view"}
                    else:
                        assert answer == expected, (model, actor)
                        granted |= {(model, name, given) for name, given in answer.items()}
            await compare_pages(ctx, known)
            await compare_refusals(ctx, known, dice)
        possible = {(model, name) for model, needs in NEEDS.items() for name in needs}
        assert {(model, name) for model, name, _ in granted} == possible
    await compare_door(api, known, dice)


def page_of(space_id: str, revision_id: str) -> Page:
    return Page(
        space_id=space_id, revision_id=revision_id, id="page", type=PageType.DOCUMENT,
        title="Page", parent_id=None, order="V",
    )  # fmt: skip


async def compare_pages(ctx: Context, known: Everything) -> None:
    """Pages of primary content and of change requests, of spaces that are not in the bin."""
    pages, expected = [], []
    for request in known.rows[ChangeRequest]:
        space = known.by_id[request.space_id]
        if rank_on(known, ctx.actor, space) is None:
            continue
        primary = page_of(space.id, space.revision_id)
        drafted = page_of(space.id, request.revision_id)
        in_draft = permissions_in_request(known, ctx.actor, request)
        pages += [primary, drafted, asked_for(primary, request.id, None)]
        expected += [permissions_in_space(known, ctx.actor, space), in_draft, in_draft]
    # Also each kind alone: no page of another kind brings its change request along.
    for kind in (slice(None), slice(0, None, 3), slice(1, None, 3), slice(2, None, 3)):
        answers = await page_permissions(ctx, pages[kind], None)
        assert [as_dict(answer) for answer in answers] == expected[kind]


async def compare_refusals(ctx: Context, known: Everything, choose: random.Random) -> None:
    """One row and many, with a role: found, forbidden, or not there."""
    for model in FIELDS:
        role, rows = choose.choice(list(Role)), known.rows[model]
        expected = {row.id: _refused(rank_on(known, ctx.actor, row), role) for row in rows}
        answers = await refusals(ctx, model, rows, role)
        kinds = [None if answer is None else type(answer) for answer in answers]
        assert kinds == list(expected.values()), model
        row = choose.choice(rows)
        for lock in (False, True):
            assert await _outcome(ctx, model, row, role, lock) is expected[row.id], model


async def _outcome(
    ctx: Context, model: type[Any], row: Any, role: Role, lock: bool
) -> type[ApiError] | None:
    try:
        found = await must(ctx, model, row.id, role, lock=lock)
    except ApiError as error:
        return type(error)
    assert found.id == row.id
    return None


def _refused(own: int | None, role: Role) -> type[ApiError] | None:
    if own is None:
        return NotFound
    return None if own >= role.rank else Forbidden


def _asked(model: type[Any]) -> str:
    """All permissions of a type, by their names in Python."""
    names = (f"{name}: {camel(name).replace('OpenApi', 'OpenAPI')}" for name in NEEDS[model])
    return f"... on {model.__name__} {{ of{model.__name__}: permissions {{ {' '.join(names)} }} }}"


QUERY = f"query($ids: [ID!]!) {{ nodes(ids: $ids) {{ {' '.join(map(_asked, NEEDS))} }} }}"


async def compare_door(api: Api, known: Everything, choose: random.Random) -> None:
    """The same through GraphQL, for everybody with a token and for nobody."""
    judged = [row for model in NEEDS for row in known.rows[model]]
    refused = await api.graphql(QUERY, None, ids=[judged[0].id])
    assert "data" not in refused
    for person in known.rows[User]:
        rows = choose.sample(judged, 60)
        answer = await api.data(QUERY, person, ids=[row.id for row in rows])
        actor = Actor(person.id)
        for row, node in zip(rows, answer["nodes"], strict=True):
            expected = permissions(known, actor, row)
            if isinstance(row, Space) and row.deleted_at is not None:
                expected = None  # `nodes` finds nothing in the bin
            if expected is None:
                assert node is None
                continue
            assert node == {f"of{type(row).__name__}": expected}
