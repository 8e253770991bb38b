"""Redirects of sites as operations: one by one, many at once, lists, and who may."""

from typing import Any

import pytest
from sqlalchemy import select
from strawberry import Some

from db.enums import EditMode
from db.models.site_settings import SiteRedirect
from db.models.sites import Site, SiteSection, SiteSpace
from db.models.spaces import Space
from db.session import Session
from db.site_enums import SiteRedirectIntent, SiteRedirectKind, SiteRedirectOutcome
from resolvers.core.actors import Actor, Visitor
from resolvers.core.context import Context
from resolvers.core.errors import Conflict, Forbidden, Invalid, NotFound
from resolvers.core.runners import run
from resolvers.revisions.states import write_revision
from resolvers.sites import redirects as site_redirects
from resolvers.sites.redirect_destinations import SiteRedirectDestinationInput
from resolvers.sites.redirects import (
    CreateSiteRedirectInput,
    SiteRedirectArguments,
    SiteRedirectEntryInput,
    SiteRedirectResult,
    UpdateSiteRedirectInput,
    WriteSiteRedirectsInput,
)
from tests.conftest import Queries, World, context, settle
from tests.deleting import removes
from tests.factories import make_site, make_site_redirect, make_space
from tests.seeds import sample_changes

Input = SiteRedirectDestinationInput
DELETED, ERROR = SiteRedirectOutcome.DELETED, SiteRedirectOutcome.ERROR
CREATED, UPDATED = SiteRedirectOutcome.CREATED, SiteRedirectOutcome.UPDATED
PUBLISHED = SiteRedirectOutcome.PUBLISHED


def to_url(url: str = "https://a.example/b") -> Input:
    return Input(kind=SiteRedirectKind.URL, url=url)  # type: ignore[arg-type]


def to_page(site_space: str, page: str) -> Input:
    return Input(kind=SiteRedirectKind.SITE_PAGE, site_space_id=site_space, page_id=page)  # type: ignore[arg-type]


class Made:
    """A site with a space that holds the sample pages."""

    def __init__(self, session: Session, site: Site, placed: SiteSpace, ctx: Context) -> None:
        self.session, self.site, self.placed, self.ctx = session, site, placed, ctx

    async def create(self, source: str, to: Input | None = None, **more: Any) -> SiteRedirect:
        wanted = CreateSiteRedirectInput(
            source=source, destination=to or to_url(),
            **{name: Some(value) for name, value in more.items()},
        )  # fmt: skip
        return await run(self.ctx, site_redirects.create_site_redirect, self.site.id, wanted)

    async def update(self, id: str, **changes: Any) -> SiteRedirect:
        wanted = UpdateSiteRedirectInput(**{name: Some(one) for name, one in changes.items()})
        return await run(self.ctx, site_redirects.update_site_redirect, id, wanted, self.site.id)

    async def write(self, *entries: SiteRedirectEntryInput) -> list[SiteRedirectResult]:
        wanted = WriteSiteRedirectsInput(redirects=list(entries))
        written = await run(self.ctx, site_redirects.write_site_redirects, self.site.id, wanted)
        return written.results

    async def stored(self) -> dict[str, SiteRedirect]:
        statement = select(SiteRedirect).execution_options(populate_existing=True)
        rows = (await self.session.execute(statement)).scalars()
        return {row.source: row for row in rows}

    async def listed(self, ctx: Context | None = None, **filters: Any) -> list[str]:
        (part,) = await site_redirects.redirects_of_sites(
            ctx or self.ctx, [self.site], SiteRedirectArguments(**filters)
        )
        return [row.source for row in part.rows]


@pytest.fixture
async def made(session: Session, world: World) -> Made:
    space = await make_space(session, world.organization, edit_mode=EditMode.LIVE)
    revision = await write_revision(context(session), space.id, None, sample_changes(space.id))
    space.revision_id = revision.id
    site = await make_site(session, world.organization, space)
    placed = (await session.execute(select(SiteSpace))).scalar_one()
    await settle(session)
    return Made(session, site, placed, context(session, world.creator))


async def test_life_of_a_redirect(made: Made) -> None:
    row = await made.create("/Old/*", capture_wildcard=True, permanent=True, draft=True)
    assert (row.source, row.source_key, row.wildcard) == ("/Old/*", "old", True)
    assert (row.capture_wildcard, row.permanent, row.draft) == (True, True, True)
    assert row.destination == {"kind": "url", "url": "https://a.example/b"}
    changed = await made.update(row.id, draft=False, destination=to_page(made.placed.id, "home"))
    assert changed.destination == {
        "kind": "site-page", "siteSpaceId": made.placed.id, "pageId": "home",
    }  # fmt: skip
    assert (changed.draft, changed.permanent, changed.source) == (False, True, "/Old/*")
    with pytest.raises(Invalid, match=r"captureWildcard: needs a source that ends with /\*"):
        await made.update(row.id, source="/old")
    moved = await made.update(row.id, source="/old", capture_wildcard=False)
    assert (moved.source_key, moved.wildcard) == ("old", False)
    assert moved.updated_at >= moved.created_at
    deleted = await removes(made.ctx, site_redirects.delete_site_redirect, row.id, made.site.id)
    assert deleted is True
    assert await removes(made.ctx, site_redirects.delete_site_redirect, row.id) is False
    assert await made.stored() == {}


async def test_a_source_has_one_redirect(made: Made) -> None:
    first = await made.create("/caf%C3%A9/Menu")
    for same in ("/caf%C3%A9/Menu", "/CAF%c3%89/menu", "/cafe%CC%81%2FMENU"):
        with pytest.raises(Conflict, match="has a redirect already"):
            await made.create(same)
    await made.create("/caf%C3%A9/Menu/*")
    other = await made.create("/other")
    with pytest.raises(Conflict, match="source: '/CAF"):
        await made.update(other.id, source="/CAF%C3%89/menu")
    await made.update(first.id, source="/CAF%C3%89/menu")
    assert sorted(await made.stored()) == ["/CAF%C3%89/menu", "/caf%C3%A9/Menu/*", "/other"]


async def test_another_site_may_have_the_source(made: Made, session: Session, world: World) -> None:
    other = await make_site(session, world.organization)
    await make_site_redirect(session, other, "/old", "https://a.example")
    await settle(session)
    await made.create("/old")
    assert await made.listed() == ["/old"]


@pytest.mark.parametrize("source", ["/%00", "/%2F", "/%250a"])
async def test_sources_that_only_look_right(made: Made, source: str) -> None:
    with pytest.raises(Invalid, match=r"^source: "):
        await made.create(source)


@pytest.mark.parametrize(
    ("destination", "problem"),
    [
        (Input(kind=SiteRedirectKind.URL), "destination.url: is required"),
        (Input(kind=SiteRedirectKind.SITE_PAGE, site_space_id="x"), "destination.pageId: is requ"),
        (Input(kind=SiteRedirectKind.SITE_SPACE, site_space_id="x", page_id="y"),
         "destination.pageId: is not allowed with the kind 'site-space'"),
        (Input(kind=SiteRedirectKind.SITE_SECTION, site_section_id="x"),
         "destination.siteSectionId: 'x' does not exist on this site"),
        (Input(kind=SiteRedirectKind.SITE_SPACE, site_space_id="x"),
         "destination.siteSpaceId: 'x' does not exist on this site"),
    ],
)  # fmt: skip
async def test_destinations_are_there_when_they_are_chosen(
    made: Made, destination: Input, problem: str
) -> None:
    with pytest.raises(Invalid, match=problem):
        await made.create("/old", destination)
    assert await made.stored() == {}


async def test_destinations_are_of_this_site_and_visible(
    made: Made, session: Session, world: World
) -> None:
    hidden = await make_space(session, world.organization, default_level=None)
    hidden.default_level = None
    away = await make_site(session, world.organization, hidden)
    section = SiteSection(site_id=away.id, title="Away", path="away", position=0)
    own = SiteSection(site_id=made.site.id, title="Own", path="own", position=0)
    session.add_all([section, own])
    unseen = SiteSpace(site_id=made.site.id, space_id=hidden.id, path="unseen", position=1)
    session.add(unseen)
    await session.flush()
    foreign = (
        await session.execute(select(SiteSpace.id).where(SiteSpace.site_id == away.id))
    ).scalar_one()
    await settle(session)
    for id in (foreign, unseen.id):
        with pytest.raises(Invalid, match=r"destination\.siteSpaceId"):
            await made.create("/old", Input(kind=SiteRedirectKind.SITE_SPACE, site_space_id=id))  # type: ignore[arg-type]
    with pytest.raises(Invalid, match=r"destination\.siteSectionId"):
        await made.create(
            "/old", Input(kind=SiteRedirectKind.SITE_SECTION, site_section_id=section.id)  # type: ignore[arg-type]
        )  # fmt: skip
    with pytest.raises(Invalid, match=r"destination\.pageId: 'gone'"):
        await made.create("/old", to_page(made.placed.id, "gone"))
    kept = await made.create(
        "/old", Input(kind=SiteRedirectKind.SITE_SECTION, site_section_id=own.id)  # type: ignore[arg-type]
    )  # fmt: skip
    assert kept.destination == {"kind": "site-section", "siteSectionId": own.id}


async def test_what_leads_to_nothing_is_broken(
    made: Made, session: Session, queries: Queries
) -> None:
    site, placed = made.site, made.placed.id
    section = SiteSection(site_id=site.id, title="Own", path="own", position=0)
    session.add(section)
    await session.flush()
    rows = [
        await make_site_redirect(session, site, "/a", "https://a.example"),
        await make_site_redirect(session, site, "/b", kind="site-space", siteSpaceId=placed),
        await make_site_redirect(session, site, "/c", kind="site-space", siteSpaceId="gone"),
        await make_site_redirect(
            session, site, "/d", kind="site-page", siteSpaceId=placed, pageId="home"
        ),
        await make_site_redirect(
            session, site, "/e", kind="site-page", siteSpaceId=placed, pageId="gone"
        ),
        await make_site_redirect(
            session, site, "/f", kind="site-section", siteSectionId=section.id
        ),
        await make_site_redirect(session, site, "/g", kind="site-section", siteSectionId="gone"),
    ]
    await settle(session)
    with queries.at_most(4):
        broken = await site_redirects.are_broken(made.ctx, rows, None)
    assert broken == [False, False, True, False, True, False, True]
    # What is broken may be sent back as it is, and its other fields may change.
    again = await made.update(
        rows[4].id, destination=to_page(placed, "gone"), permanent=True, source="/h"
    )
    assert again.permanent
    with pytest.raises(Invalid):
        await made.update(rows[4].id, destination=to_page(placed, "other"))
    space = await session.get_one(Space, made.placed.space_id)
    space.deleted_at = made.ctx.now()
    await session.flush()
    broken = await site_redirects.are_broken(made.ctx, rows, None)
    assert broken == [False, True, True, True, True, False, True]


async def test_lists(made: Made, world: World) -> None:
    for number in range(3):
        await made.create(f"/Old_{number}/page", draft=number == 1)
    await made.create("/new%20x")
    assert await made.listed() == ["/Old_0/page", "/Old_1/page", "/Old_2/page", "/new%20x"]
    assert await made.listed(search="OLD_") == ["/Old_0/page", "/Old_1/page", "/Old_2/page"]
    assert await made.listed(search="%") == ["/new%20x"]
    assert await made.listed(draft=True) == ["/Old_1/page"]
    assert await made.listed(draft=False, search="page") == ["/Old_0/page", "/Old_2/page"]
    assert await made.listed(first=2) == ["/Old_0/page", "/Old_1/page"]
    assert len(await made.listed(context(made.session, world.reader))) == 4
    for person in (world.guest, world.outsider):
        assert await made.listed(context(made.session, person)) == []
    visitor = Actor(visitor=Visitor(made.site.id, world.organization.id))
    assert await made.listed(Context(visitor, made.session)) == []


async def test_writing_needs_create(made: Made, world: World) -> None:
    row = await made.create("/old")
    entry = SiteRedirectEntryInput(source="/old", destination=Some(None))
    for person, error in (
        (world.reviewer, Forbidden), (world.editor, Forbidden), (world.reader, Forbidden),
        (world.guest, NotFound), (world.outsider, NotFound),
    ):  # fmt: skip
        weak = Made(made.session, made.site, made.placed, context(made.session, person))
        with pytest.raises(error):
            await weak.create("/new")
        with pytest.raises(error):
            await weak.update(row.id, permanent=True)
        with pytest.raises(error):
            await weak.write(entry)
        if error is Forbidden:
            with pytest.raises(Forbidden):
                await run(weak.ctx, site_redirects.delete_site_redirect, row.id)
        else:
            assert await removes(weak.ctx, site_redirects.delete_site_redirect, row.id) is False
    stored = await made.stored()
    assert list(stored) == ["/old"]
    assert not stored["/old"].permanent


# ------------------------------------------------------------------ many at once


def entry(source: str, to: Any = ..., **more: Any) -> SiteRedirectEntryInput:
    """An entry; without `to` it has no destination, with None it deletes."""
    intent = more.pop("intent", None)
    options = {name: Some(value) for name, value in more.items()}
    if to is not ...:
        options["destination"] = Some(to)
    return SiteRedirectEntryInput(source=source, intent=intent, **options)  # type: ignore[arg-type]


async def test_many_are_made_changed_published_and_deleted(made: Made) -> None:
    results = await made.write(
        entry("/a", to_url()),
        entry("/b", to_page(made.placed.id, "home"), permanent=True),
        entry("/c/*", to_url(), intent=SiteRedirectIntent.DRAFT, capture_wildcard=True),
        entry("/d", to_url(), intent=SiteRedirectIntent.PUBLISH),
    )
    assert [one.status for one in results] == [CREATED] * 4
    assert [one.redirect.source for one in results if one.redirect] == ["/a", "/b", "/c/*", "/d"]
    stored = await made.stored()
    assert [stored[name].draft for name in ("/a", "/c/*", "/d")] == [False, True, False]
    results = await made.write(
        entry("/A", to_url("https://new.example"), permanent=True),
        entry("/b", None),
        entry("/c/*", intent=SiteRedirectIntent.PUBLISH),
        entry("/d", intent=SiteRedirectIntent.PUBLISH),
        entry("/gone", None),
    )
    assert [one.status for one in results] == [UPDATED, DELETED, PUBLISHED, UPDATED, DELETED]
    assert results[1].redirect is None
    stored = await made.stored()
    assert sorted(stored) == ["/A", "/c/*", "/d"]
    assert stored["/A"].destination["url"] == "https://new.example"
    assert (stored["/A"].permanent, stored["/c/*"].draft) == (True, False)
    assert stored["/c/*"].capture_wildcard
    (result,) = await made.write(entry("/d", intent=SiteRedirectIntent.DRAFT))
    assert (result.status, (await made.stored())["/d"].draft) == (UPDATED, True)


async def test_a_bad_entry_leaves_the_others(made: Made) -> None:
    results = await made.write(
        entry("/good", to_url()),
        entry("no path", to_url()),
        entry("/" + "a" * 600, to_url()),
        entry("/missing"),
        entry("/page", to_page(made.placed.id, "gone")),
        entry("/kind", Input(kind=SiteRedirectKind.URL)),
        entry("/plain", to_url(), capture_wildcard=True),
        entry("/GOOD", to_url("https://second.example")),
        entry("/good", None),
    )
    assert [one.status for one in results] == [CREATED] + [ERROR] * 8
    assert [(one.message or "").split(" ")[0] for one in results[1:]] == [
        "source:", "source:", "destination:", "destination.pageId:", "destination.url:",
        "captureWildcard:", "source:", "source:",
    ]  # fmt: skip
    assert "redirects[0]" in str(results[7].message)
    assert all(one.redirect is None for one in results[1:])
    stored = await made.stored()
    assert {name: row.destination["url"] for name, row in stored.items()} == {
        "/good": "https://a.example/b"
    }
    # A malformed destination is an error of an entry whose source is there, too.
    (result,) = await made.write(entry("/good", Input(kind=SiteRedirectKind.SITE_SPACE)))
    assert result.status is ERROR


async def test_the_first_of_duplicates_counts_even_when_it_is_wrong(made: Made) -> None:
    results = await made.write(entry("/a"), entry("/a", to_url()))
    assert [one.status for one in results] == [ERROR, ERROR]
    assert await made.stored() == {}


async def test_many_cost_as_many_statements_as_few(made: Made, queries: Queries) -> None:
    def batch(number: int) -> list[SiteRedirectEntryInput]:
        return [entry(f"/p{one}", to_page(made.placed.id, "home")) for one in range(number)]

    # The site, what is there, the destinations (with their pages), the insert, the commit.
    with queries.at_most(8):
        await made.write(*batch(500))
    assert len(await made.stored()) == 500
    with queries.at_most(8):
        results = await made.write(*batch(500))
    assert {one.status for one in results} == {UPDATED}
