"""What `permissions` says is what the operations then allow: nobody is refused, nobody let in."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import pytest
import strawberry
from strawberry import Some

from db.content_enums import ChangeRequestStatus, ReviewStatus
from db.enums import Role
from db.models.change_requests import ChangeRequest
from db.models.organizations import User
from db.models.site_settings import CustomHostname
from db.models.sites import Site
from db.session import Session
from resolvers.change_requests import operations as change_requests, reviews
from resolvers.change_requests.bodies import CommentBodyInput
from resolvers.change_requests.fields import change_request_permissions
from resolvers.change_requests.operations import UpdateChangeRequestInput
from resolvers.change_requests.reviews import (
    RequestReviewersInput,
    SubmitReviewInput,
    request_reviewers,
)
from resolvers.comments.operations import PostCommentInput, post_comment
from resolvers.core.actors import Actor, Visitor
from resolvers.core.context import Context
from resolvers.core.errors import Forbidden, NotFound
from resolvers.core.pagination import PageArguments
from resolvers.core.runners import read, run
from resolvers.insights import aggregates as insights_aggregates
from resolvers.insights.questions import InsightsQueryInput
from resolvers.merging import operations as merging
from resolvers.published import conditions as site_conditions, previews as site_previews
from resolvers.revisions.write_targets import open_target
from resolvers.sites import (
    custom_hostnames,
    operations as sites,
    publishing as site_publishing,
    publishing_auth,
    share_links,
)
from resolvers.sites.fields import site_permissions
from rest_compat.values import kind_of
from tests import factories
from tests.conftest import Api, Queries, Stored, World, context, settle

PEOPLE = (
    "outsider", "guest", "reader", "commenter", "editor", "reviewer", "creator", "admin",
)  # fmt: skip

Write = Callable[..., Awaitable[Any]]


class Undone(Exception):
    """Takes back a write that was let through."""


async def may(
    ctx: Context, operation: Callable[..., Awaitable[Any]], *args: Any, **more: Any
) -> bool:
    """Whether a write is let through; nothing of it stays."""

    async def undone(ctx: Context) -> None:
        await operation(ctx, *args)
        raise Undone

    try:
        await run(ctx, undone)
    except Undone:
        return True
    except (Forbidden, NotFound):
        return False
    raise AssertionError("unreachable: what is let through is undone")


@dataclass
class Undo:
    """Takes back what a write has committed in steps of its own."""

    stored: Stored
    saved: Any

    async def may(self, ctx: Context, operation: Callable[..., Awaitable[Any]], *args: Any) -> bool:
        """Whether a write is let through; nothing of it stays."""
        try:
            await run(ctx, operation, *args)
        except (Forbidden, NotFound):
            return False
        await ctx.session.rollback()
        ctx.session.expunge_all()
        await self.stored.restore(self.saved)
        return True


async def sees(
    ctx: Context, operation: Callable[..., Awaitable[Any]], *args: Any, **more: Any
) -> bool:
    try:
        await read(ctx, operation, *args)
    except (Forbidden, NotFound):
        return False
    return True


def question() -> Any:
    return kind_of(InsightsQueryInput).parse({"range": "last30Days"}, "", [])


# ------------------------------------------------------------------ change requests


async def rights_on(session: Session, row: ChangeRequest, person: User) -> dict[str, bool] | None:
    """What is shown, None for whoever does not see the change request."""
    ctx = context(session, person)
    try:
        found = await read(ctx, change_requests.get_change_request, row.space_id, row.id)
    except NotFound:
        return None
    (shown,) = await change_request_permissions(ctx, [found], None)
    await session.commit()
    return {name: getattr(shown, name) for name in shown.__dataclass_fields__}


async def allowed_on(
    session: Session, undo: Undo, row: ChangeRequest, person: User, other: User
) -> Any:
    """What the operations let the person do."""

    def ctx() -> Context:
        return context(session, person)

    here = (row.space_id, row.id)
    if not await sees(ctx(), change_requests.get_change_request, *here):
        return None
    says = CommentBodyInput(markdown="Yes")
    archived = UpdateChangeRequestInput(status=Some(ChangeRequestStatus.ARCHIVED))
    review = SubmitReviewInput(status=ReviewStatus.APPROVED)
    edits = {
        await may(
            ctx(), change_requests.update_change_request, *here,
            UpdateChangeRequestInput(subject=Some("Another")),
        ),
        await may(ctx(), open_target, *here),
        await undo.may(ctx(), merging.pull_change_request, *here),
    }  # fmt: skip
    assert len(edits) == 1
    asked = RequestReviewersInput(users=[strawberry.ID(other.id)])
    return {
        "view": True,
        "comment": await may(
            ctx(), post_comment, row.space_id, PostCommentInput(body=says), row.id
        ),
        "edit": edits.pop(),
        "archive": await may(ctx(), change_requests.update_change_request, *here, archived),
        "request_reviewers": await may(ctx(), request_reviewers, *here, asked),
        "review": await may(ctx(), reviews.submit_review, *here, review),
        "merge": await undo.may(ctx(), merging.merge_change_request, *here),
    }


@pytest.mark.parametrize("author", ["reader", "editor", "reviewer"])
@pytest.mark.parametrize("deleted", [False, True])
async def test_rights_on_change_requests(
    session: Session, stored: Stored, world: World, author: str, deleted: bool
) -> None:
    people = world.people()
    space = await factories.make_space(session, world.organization)
    row = await factories.make_change_request(session, space, people[author])
    await factories.make_requested_reviewer(session, row, world.commenter, world.editor)
    await factories.make_grant(session, space, world.guest, Role.COMMENT)
    if deleted:
        space.deleted_at = row.created_at
    await settle(session)
    undo = Undo(stored, await stored.save())
    for name in PEOPLE:
        shown = await rights_on(session, row, people[name])
        allowed = await allowed_on(session, undo, row, people[name], world.admin)
        assert shown == allowed, name
        if deleted and shown is not None:
            assert [right for right, given in shown.items() if given] == ["view"]


# ------------------------------------------------------------------ sites


async def allowed_at(session: Session, site: Site, person: User) -> Any:
    def ctx() -> Context:
        found = context(session, person)
        found.token_key = b"k" * 32
        return found

    if not await sees(ctx(), sites.get_site, site.id):
        return None
    (links,) = await share_links.share_links_of_sites(ctx(), [site], PageArguments())
    await session.commit()
    edits = {
        await may(ctx(), sites.update_site, site.id, sites.UpdateSiteInput(title=Some("Other"))),
        await sees(ctx(), publishing_auth.get_site_publishing_auth, site.id),
    }
    previews = {
        await sees(ctx(), site_previews.get_site_preview, site.id),
        await sees(ctx(), site_conditions.get_site_conditions, site.id),
    }
    names = await sees(ctx(), custom_hostnames.get_custom_hostname, "docs.acme.example")
    assert (len(edits), len(previews)) == (1, 1)
    await session.commit()
    return {
        "view": True,
        "view_settings": len(links.rows) > 0,
        "preview": previews.pop(),
        "view_insights": await sees(
            ctx(), insights_aggregates.get_site_insights, site.id, question()
        ),
        "edit": edits.pop(),
        "publish": await may(ctx(), site_publishing.publish_site, site.id),
        "delete": await may(ctx(), sites.delete_site, site.id),
        "manage_hostname": names,
    }


async def test_rights_on_sites(session: Session, world: World) -> None:
    space = await factories.make_space(session, world.organization)
    site = await factories.make_site(session, world.organization, space, published=True)
    await factories.make_share_link(session, site)
    session.add(CustomHostname(hostname="docs.acme.example", site_id=site.id))
    await factories.make_grant(session, space, world.guest, Role.ADMIN)
    await settle(session)
    for name, person in world.people().items():
        ctx = context(session, person)
        allowed = await allowed_at(session, site, person)
        if allowed is None:
            assert name == "outsider"
            continue
        found = await read(ctx, sites.get_site, site.id)
        (shown,) = await site_permissions(ctx, [found], None)
        await session.commit()
        assert {one: getattr(shown, one) for one in shown.__dataclass_fields__} == allowed, name


async def test_visitors_only_see(session: Session, world: World) -> None:
    space = await factories.make_space(session, world.organization)
    site = await factories.make_site(session, world.organization, space, published=True)
    row = await factories.make_change_request(session, space, world.editor)
    await settle(session)
    visitor = Visitor(site.id, world.organization.id, space_ids=frozenset({space.id}))
    ctx = Context(Actor(visitor=visitor), session)
    (of_site,) = await site_permissions(ctx, [site], None)
    (of_request,) = await change_request_permissions(ctx, [row], None)
    for shown in (of_site, of_request):
        names = shown.__dataclass_fields__
        assert [name for name in names if getattr(shown, name)] == ["view"]


QUERY = """query($organization: ID!) { organization(id: $organization) {
  sites(first: 50) { nodes { permissions { view edit manageHostname } } }
  changeRequests(first: 50) { nodes { permissions { view edit review merge } } }
} }"""


@pytest.mark.parametrize("number", [1, 7])
async def test_rights_of_many_take_two_statements(
    session: Session, world: World, api: Api, queries: Queries, number: int
) -> None:
    space = await factories.make_space(session, world.organization)
    for _ in range(number):
        await factories.make_site(session, world.organization, space)
        await factories.make_change_request(session, space, world.commenter)
    await settle(session)
    await api.token_of(world.editor)
    await api.data("{ viewer { id } }", world.editor)  # what a process reads once
    # The token, the organization, both lists, the ranks of change requests.
    with queries(5):
        data = await api.data(QUERY, world.editor, organization=world.organization.id)
    found = data["organization"]
    assert [one["permissions"] for one in found["sites"]["nodes"]] == [
        {"view": True, "edit": False, "manageHostname": False}
    ] * number
    assert [one["permissions"] for one in found["changeRequests"]["nodes"]] == [
        {"view": True, "edit": True, "review": False, "merge": False}
    ] * number
