"""Where paths of a site lead: live pages, automatic redirects, those that somebody made, chains."""

import asyncio
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from sqlalchemy import delete, update
from strawberry import Some

from content.links.redirect_paths import path_segments
from db.enums import EditMode, SiteVisibility
from db.migrate import migrate
from db.models.site_settings import SitePathRedirect, SiteRedirect
from db.models.sites import Site, SiteSection, SiteSpace
from db.models.spaces import Space
from db.session import Database, Session
from resolvers.core.actors import OPERATOR, Actor, Visitor
from resolvers.core.context import Context
from resolvers.core.errors import Invalid, NotFound
from resolvers.core.runners import read, run
from resolvers.drafts.operation_inputs import (
    ApplyContentChangesInput,
    ContentOperationInput,
    ContentTargetInput,
    DeletePageInput,
    MovePageInput,
    RenamePageInput,
)
from resolvers.published.redirect_lookup import (
    AUTOMATIC,
    OF_CONTENT,
    find_redirect_for_caller,
    get_site_redirect_by_source,
)
from resolvers.published.redirect_search import STEPS, FoundRedirect
from resolvers.revisions.states import write_revision
from resolvers.writing.operations import apply_content_changes
from tests import factories
from tests.conftest import Queries, World, context
from tests.factories import make_share_link, make_site_redirect
from tests.published.redirecting_sites import set_redirects
from tests.seeds import sample_changes

BASE = "http://127.0.0.1:8000/sites"


class Docs:
    """A published site, flat or with sections, whose spaces hold the sample pages.

    Its pages are home (the landing page), home/child, home/child/deep, group and link.
    """

    def __init__(self, session: Session, site: Site, spaces: list[Space]) -> None:
        self.session, self.site, self.spaces = session, site, spaces
        self.ctx = context(session)
        self.root = f"{BASE}/{site.id}"

    async def find(self, path: str, ctx: Context | None = None) -> FoundRedirect | None:
        return await find_redirect_for_caller(ctx or self.ctx, self.site, path_segments(path))

    async def to(self, path: str, ctx: Context | None = None) -> tuple[str, int] | None:
        """Where a path leads, below the site's address, and the status."""
        found = await self.find(path, ctx)
        return found and (found.url.removeprefix(self.root), found.status)

    async def redirect(self, source: str, url: str | None = None, **more: Any) -> SiteRedirect:
        flags = {
            name: more.pop(name)
            for name in ("capture_wildcard", "permanent", "draft")
            if name in more
        }
        if url is not None and url.startswith("/"):
            url = self.root + url
        row = await make_site_redirect(self.session, self.site, source, url, **more)
        for name, value in flags.items():
            setattr(row, name, value)
        await self.session.flush()
        return row

    async def edit(self, space: Space, **operation: Any) -> None:
        """Change the content of a space: its old paths lead on."""
        await self.session.commit()
        await run(
            self.ctx, apply_content_changes,
            ApplyContentChangesInput(
                target=ContentTargetInput(space=space.id),  # type: ignore[arg-type]
                operations=[ContentOperationInput(**operation)],
            ),
        )  # fmt: skip
        await self.session.begin_write()

    async def placed(self, index: int) -> SiteSpace:
        rows = await self.session.execute(
            SiteSpace.__table__.select().where(SiteSpace.space_id == self.spaces[index].id)
        )
        found: Any = rows.one()
        return await self.session.get_one(SiteSpace, found.id)


async def space_with_pages(session: Session, world: World) -> Space:
    space = await factories.make_space(session, world.organization, edit_mode=EditMode.LIVE)
    revision = await write_revision(context(session), space.id, None, sample_changes(space.id))
    space.revision_id = revision.id
    return space


@pytest.fixture
async def flat(session: Session, world: World) -> Docs:
    """Two spaces at the root: the default, and one at path-1."""
    spaces = [await space_with_pages(session, world) for _ in range(2)]
    site = await factories.make_site(session, world.organization, *spaces, published=True)
    await session.commit()
    await session.begin_write()
    return Docs(session, site, spaces)


@pytest.fixture
async def sectioned(session: Session, world: World) -> Docs:
    """Sections Guide (the default) and API, each with a default space and a variant."""
    spaces = [await space_with_pages(session, world) for _ in range(4)]
    site = await factories.make_site(session, world.organization, published=True)
    for number, path in enumerate(("guide", "API")):
        section = SiteSection(site_id=site.id, title=path.title(), path=path, position=number)
        session.add(section)
        await session.flush()
        for place in range(2):
            placed = SiteSpace(
                site_id=site.id, section_id=section.id, space_id=spaces[2 * number + place].id,
                path=f"v{place + 1}", position=place,
            )  # fmt: skip
            session.add(placed)
            await session.flush()
            section.default_site_space_id = section.default_site_space_id or placed.id
        site.default_section_id = site.default_section_id or section.id
    empty = SiteSection(site_id=site.id, title="Empty", path="empty", position=2)
    session.add(empty)
    await session.commit()
    await session.begin_write()
    return Docs(session, site, spaces)


def visitor_of(docs: Docs, *spaces: SiteSpace, sections: frozenset[str] = frozenset()) -> Context:
    seen = Visitor(
        docs.site.id, docs.site.organization_id, sections,
        frozenset(one.id for one in spaces), frozenset(one.space_id for one in spaces),
    )  # fmt: skip
    return Context(Actor(visitor=seen), docs.session)


async def test_a_live_page_always_wins(flat: Docs) -> None:
    for source in ("/home", "/group", "/path-1", "/path-1/home/child"):
        await flat.redirect(source, "https://a.example")
    for path in ("", "/", "home", "/HOME/", "//home//child", "/path-1", "/Path-1/home/child"):
        assert await flat.to(path) is None
    assert await flat.to("/nothing") is None


async def test_sources_are_found_however_they_are_asked_for(flat: Docs) -> None:
    await flat.redirect("/Caf%C3%A9/old", "https://a.example/x")
    for path in ("/Café/old", "caf%c3%a9/OLD/", "/cafe%CC%81//old", "/caf%25C3%25A9/old"):
        assert await flat.to(path) == ("https://a.example/x", 307)
    for path in ("/café", "/café/old/more", "/café/older"):
        assert await flat.to(path) is None


async def test_long_sources_are_told_apart(flat: Docs) -> None:
    start = "/" + "/".join(["part" * 10] * 11)
    await flat.redirect(f"{start}/one", "https://a.example/1")
    await flat.redirect(f"{start}/two/*", "https://a.example/2")
    flat.session.add(
        SitePathRedirect(site_id=flat.site.id, key=f"{'s' * 99}/{'x' * 99}",
                         site_space_id=(await flat.placed(1)).id)
    )  # fmt: skip
    await flat.session.flush()
    assert await flat.to(f"{start}/one") == ("https://a.example/1", 307)
    assert await flat.to(f"{start}/two/x") == ("https://a.example/2", 307)
    assert await flat.to(f"{start}/three") is None
    assert await flat.to(f"/{'S' * 99}/{'x' * 99}/home/child") == ("/path-1/home/child", 308)
    assert await flat.to(f"/{'s' * 99}/{'x' * 98}/home/child") is None


async def test_destinations(sectioned: Docs) -> None:
    default, variant, api, other = [await sectioned.placed(number) for number in range(4)]
    for name, (kind, expected) in {
        "a": ({"kind": "site-space", "siteSpaceId": default.id}, ""),
        "b": ({"kind": "site-space", "siteSpaceId": variant.id}, "/v2"),
        "c": ({"kind": "site-space", "siteSpaceId": api.id}, "/API"),
        "d": ({"kind": "site-space", "siteSpaceId": other.id}, "/API/v2"),
        "e": ({"kind": "site-section", "siteSectionId": str(api.section_id)}, "/API"),
        "f": ({"kind": "site-section", "siteSectionId": str(default.section_id)}, ""),
        "g": ({"kind": "site-page", "siteSpaceId": other.id, "pageId": "home"}, "/API/v2"),
        "h": ({"kind": "site-page", "siteSpaceId": other.id, "pageId": "deep"},
              "/API/v2/home/child/deep"),
        "i": ({"kind": "site-page", "siteSpaceId": default.id, "pageId": "child"}, "/home/child"),
    }.items():  # fmt: skip
        row = await sectioned.redirect(f"/{name}", **kind)
        found = await sectioned.find(name)
        assert found is not None
        assert (found.url, found.status) == (sectioned.root + expected, 307)
        assert found.redirect is not None
        assert found.redirect.id == row.id
        assert found.page is not None


async def test_destinations_that_are_gone_do_not_fire(sectioned: Docs) -> None:
    placed = await sectioned.placed(0)
    empty = SiteSection(site_id=sectioned.site.id, title="Bare", path="bare", position=3)
    sectioned.session.add(empty)
    await sectioned.session.flush()
    await sectioned.redirect("/a", kind="site-section", siteSectionId="gone")
    await sectioned.redirect("/b", kind="site-space")
    await sectioned.redirect("/c", kind="site-page", siteSpaceId=placed.id, pageId="gone")
    await sectioned.redirect("/d", kind="site-page", pageId="home")
    await sectioned.redirect("/e", kind="site-section", siteSectionId=empty.id)
    for path in "abcde":
        assert await sectioned.to(path) is None
    # The next that matches fires in its place.
    await sectioned.redirect("/c/*", "https://a.example")
    assert await sectioned.to("/c") == ("https://a.example", 307)


async def test_wildcards(flat: Docs) -> None:
    await flat.redirect("/old/*", "https://a.example/all")
    await flat.redirect("/old/deep/*", "https://a.example/deep?x=1", capture_wildcard=True)
    await flat.redirect("/old/exact", "https://a.example/exact")
    for path, expected in {
        "/old": "https://a.example/all",
        "/OLD/any/thing": "https://a.example/all",
        "/old/exact": "https://a.example/exact",
        "/old/exact/below": "https://a.example/all",
        "/old/deep": "https://a.example/deep?x=1",
        "/old/Deep/A b/C%20d": "https://a.example/deep/A%20b/C%20d?x=1",
        "/old/deep/../x": "https://a.example/deep/x?x=1",
    }.items():
        assert await flat.to(path) == (expected, 307), path
    assert await flat.to("/older") is None


async def test_what_a_wildcard_captures_goes_behind_places_of_the_site(sectioned: Docs) -> None:
    variant, api = await sectioned.placed(1), await sectioned.placed(2)
    await sectioned.redirect(
        "/old/*", kind="site-space", siteSpaceId=variant.id, capture_wildcard=True
    )
    await sectioned.redirect(
        "/ref/*", kind="site-section", siteSectionId=str(api.section_id), capture_wildcard=True
    )
    await sectioned.redirect(
        "/tree/*", kind="site-page", siteSpaceId=api.id, pageId="child", capture_wildcard=True
    )
    for path, expected in {
        "/old/home/child": "/v2/home/child",
        "/old": "/v2",
        # Nothing is there, and nothing leads on: it is where the redirect leads all the same.
        "/old/Missing": "/v2/Missing",
        "/ref/v2/home/child": "/API/v2/home/child",
        "/tree/deep": "/API/home/child/deep",
    }.items():
        found = await sectioned.to(path)
        assert found == (expected, 307), path


async def test_drafts_do_not_fire(flat: Docs) -> None:
    row = await flat.redirect("/old", "https://a.example", draft=True)
    assert await flat.to("/old") is None
    row.draft = False
    await flat.session.flush()
    assert await flat.to("/old") == ("https://a.example", 307)


@pytest.mark.parametrize(
    ("visibility", "published", "status"),
    [
        (SiteVisibility.PUBLIC, True, 308), (SiteVisibility.UNLISTED, True, 307),
        (SiteVisibility.SHARE_LINK, True, 307), (SiteVisibility.VISITOR_AUTH, True, 307),
        (SiteVisibility.PUBLIC, False, 307),
    ],
)  # fmt: skip
async def test_status(flat: Docs, visibility: SiteVisibility, published: bool, status: int) -> None:
    await flat.edit(flat.spaces[0], rename_page=RenamePageInput(page="group", slug=Some("chapter")))  # type: ignore[arg-type]
    flat.site = await flat.session.get_one(Site, flat.site.id)
    flat.site.visibility, flat.site.published = visibility, published
    await flat.redirect("/temporary", "https://a.example")
    await flat.redirect("/permanent", "https://a.example", permanent=True)
    await flat.redirect("/first", "/temporary", permanent=True)
    await flat.redirect("/second", "/permanent", permanent=True)
    expected = {"/group": status, "/temporary": 307, "/permanent": status, "/first": 307,
                "/second": status}  # fmt: skip
    for path, wanted in expected.items():
        found = await flat.to(path)
        assert found is not None
        assert found[1] == wanted, path


async def test_pages_that_moved_come_before_what_somebody_made(flat: Docs) -> None:
    await flat.redirect("/home/child", "https://a.example")
    await flat.redirect("/path-1/home/*", "https://a.example")
    for space in flat.spaces:
        moved = MovePageInput(page="child", parent=Some("group"))  # type: ignore[arg-type]
        await flat.edit(space, move_page=moved)
    assert await flat.to("/home/child") == ("/group/child", 308)
    assert await flat.to("/HOME/child/deep") == ("/group/child/deep", 308)
    assert await flat.to("/path-1/home/child/deep") == ("/path-1/group/child/deep", 308)
    found = await flat.find("/home/child")
    assert found is not None
    assert (found.redirect, found.page and found.page.id) == (None, "child")
    await flat.edit(flat.spaces[0], delete_page=DeletePageInput(page="child"))  # type: ignore[arg-type]
    assert await flat.to("/home/child") == ("https://a.example", 307)


async def test_sections_and_site_spaces_that_were_renamed(sectioned: Docs) -> None:
    api, other = await sectioned.placed(2), await sectioned.placed(3)

    def renamed(key: str, **target: Any) -> None:
        row = SitePathRedirect(site_id=sectioned.site.id, key=key, **target)
        sectioned.session.add(row)

    renamed("reference", section_id=api.section_id)
    renamed("reference/2.0", site_space_id=other.id)
    renamed("api/two", site_space_id=other.id)
    renamed("gone/x", site_space_id=other.id)
    await sectioned.session.flush()
    for path, expected in {
        "/Reference": "/API",
        "/reference/home/child": "/API/home/child",
        "/reference/v2/home/child": "/API/v2/home/child",
        "/reference/2.0": "/API/v2",
        "/REFERENCE/2.0/Home/Child/deep": "/API/v2/home/child/deep",
        "/API/two/home/child": "/API/v2/home/child",
        # The section has another name now, and the space in it has, too.
        "/reference/two/home/child": "/API/v2/home/child",
    }.items():
        assert await sectioned.to(path) == (expected, 308), path
    # Where no page is, an automatic redirect leads nowhere, and one that somebody made may.
    assert await sectioned.to("/reference/missing") is None
    await sectioned.redirect("/reference/*", "https://a.example", capture_wildcard=True)
    assert await sectioned.to("/reference/missing") == ("https://a.example/missing", 307)
    assert await sectioned.to("/reference/home/child") == ("/API/home/child", 308)
    moved = MovePageInput(page="child", parent=Some("group"))  # type: ignore[arg-type]
    await sectioned.edit(sectioned.spaces[3], move_page=moved)
    assert await sectioned.to("/reference/2.0/home/child") == ("/API/v2/group/child", 308)


async def test_chains_end_at_a_page_or_elsewhere(flat: Docs) -> None:
    placed = await flat.placed(1)
    await flat.redirect("/a", "/b")
    await flat.redirect("/b", "/c")
    await flat.redirect("/c", kind="site-page", siteSpaceId=placed.id, pageId="child")
    assert await flat.to("/a") == ("/path-1/home/child", 307)
    await flat.redirect("/x", "/y")
    await flat.redirect("/y", "https://a.example/z")
    assert await flat.to("/x") == ("https://a.example/z", 307)
    found = await flat.find("/x")
    assert found is not None
    assert found.redirect is not None
    assert found.redirect.source == "/x"
    await flat.edit(flat.spaces[0], rename_page=RenamePageInput(page="group", slug=Some("new")))  # type: ignore[arg-type]
    await flat.redirect("/old-group", "/group", permanent=True)
    assert await flat.to("/old-group") == ("/new", 308)


async def test_loops_lead_nowhere(flat: Docs) -> None:
    await flat.redirect("/self", "/SELF/")
    await flat.redirect("/a", "/b")
    await flat.redirect("/b", "/a")
    await flat.redirect("/grow/*", "/grow/more", capture_wildcard=True)
    for path in ("/self", "/a", "/b", "/grow/x"):
        assert await flat.to(path) is None


async def test_chains_have_ten_steps(flat: Docs) -> None:
    for number in range(STEPS):
        await flat.redirect(f"/s{number}", f"/s{number + 1}")
        await flat.redirect(f"/p{number}", f"/p{number + 1}")
    await flat.redirect(f"/s{STEPS}", "https://a.example")
    assert await flat.to("/s1") == ("https://a.example", 307)
    assert await flat.to("/s0") is None
    # Ten steps that end where nothing is, and ten that end at a page.
    assert await flat.to("/p0") == (f"/p{STEPS}", 307)
    placed = await flat.placed(1)
    await flat.redirect(f"/p{STEPS}", kind="site-page", siteSpaceId=placed.id, pageId="child")
    assert await flat.to("/p1") == ("/path-1/home/child", 307)
    assert await flat.to("/p0") is None


async def test_paths_that_are_none(flat: Docs, world: World) -> None:
    reader = context(flat.session, world.reader)
    for path in ("/a%00", "/" + "a" * 2048):
        with pytest.raises(Invalid, match="source"):
            await read(reader, get_site_redirect_by_source, flat.site.id, path)
    await flat.redirect("/long/*", kind="site-space", siteSpaceId=(await flat.placed(1)).id,
                        capture_wildcard=True)  # fmt: skip
    long = "/".join(["a" * 40] * 49)
    assert len(f"/long/{long}") < 2048
    found = await flat.to(f"/long/{long}")
    assert found is not None
    assert found[0].startswith("/path-1/aaaa")


async def test_visitors_are_led_to_what_is_there_for_them(sectioned: Docs, world: World) -> None:
    guide, _, api, other = [await sectioned.placed(number) for number in range(4)]
    sections = frozenset({str(guide.section_id), str(api.section_id)})
    some = visitor_of(sectioned, guide, other, sections=sections)
    await sectioned.redirect("/one", kind="site-space", siteSpaceId=api.id)
    await sectioned.redirect("/two", kind="site-page", siteSpaceId=other.id, pageId="child")
    sectioned.session.add(
        SitePathRedirect(site_id=sectioned.site.id, key="reference", section_id=api.section_id)
    )
    await sectioned.session.flush()
    assert await sectioned.to("/one") == ("/API", 307)
    assert await sectioned.to("/one", some) is None
    # What is left of the section is served at its root, too; its own address is the one that lasts.
    assert await sectioned.to("/two", some) == ("/API/v2/home/child", 307)
    assert await sectioned.to("/reference/home/child", some) == ("/API/v2/home/child", 308)
    none = visitor_of(sectioned)
    for path in ("/one", "/two", "/reference/home/child", "/home/child"):
        assert await sectioned.to(path, none) is None
    elsewhere = await factories.make_site(sectioned.session, world.organization, published=True)
    with pytest.raises(NotFound):
        await read(some, get_site_redirect_by_source, elsewhere.id, "/two")
    asked = await read(some, get_site_redirect_by_source, sectioned.site.id, "/two")
    assert (asked.target, asked.redirect.source) == (
        f"{sectioned.root}/API/v2/home/child",
        "/two",
    )


async def test_people_are_led_to_what_they_may_read(flat: Docs, world: World) -> None:
    placed = await flat.placed(1)
    await flat.redirect("/old", kind="site-space", siteSpaceId=placed.id)
    await flat.session.execute(
        update(Space).where(Space.id == placed.space_id).values(default_level=None)
    )
    await flat.session.commit()
    assert await flat.to("/old", context(flat.session, world.admin)) == ("/path-1", 307)
    assert await flat.to("/old", context(flat.session, world.reader)) is None


async def test_the_operation(flat: Docs, world: World) -> None:
    ctx = context(flat.session, world.reader)
    row = await flat.redirect("/old", "https://a.example")
    await flat.edit(flat.spaces[0], rename_page=RenamePageInput(page="group", slug=Some("new")))  # type: ignore[arg-type]
    found = await read(ctx, get_site_redirect_by_source, flat.site.id, "/OLD/")
    assert (found.redirect.id, found.target, found.status) == (row.id, "https://a.example", 307)
    found = await read(ctx, get_site_redirect_by_source, flat.site.id, "/Group")
    assert (found.redirect.id, found.redirect.source) == (AUTOMATIC, "/Group")
    assert (found.target, found.status) == (f"{flat.root}/new", 308)
    assert found.redirect.destination == {
        "kind": "site-page", "siteSpaceId": (await flat.placed(0)).id, "pageId": "group",
    }  # fmt: skip
    for path in ("/home", "/nothing", ""):
        with pytest.raises(NotFound):
            await read(ctx, get_site_redirect_by_source, flat.site.id, path)
    for person in (world.guest, world.outsider):
        with pytest.raises(NotFound):
            await read(context(flat.session, person), get_site_redirect_by_source, flat.site.id,
                       "/old")  # fmt: skip
    assert await flat.session.get(SiteRedirect, AUTOMATIC) is None


async def test_what_the_content_sets(flat: Docs, world: World) -> None:
    ctx = context(flat.session, world.reader)
    for space in flat.spaces:
        await set_redirects(
            flat.ctx, space.id,
            {"old/deep": ("deep", "part"), "old": ("home", None), "group": ("child", None)},
        )  # fmt: skip
    await flat.session.commit()
    expected = {"/old": "", "/OLD/deep/": "/home/child/deep#part", "/path-1/old": "/path-1",
                "/path-1/old/deep": "/path-1/home/child/deep#part"}  # fmt: skip
    for path, target in expected.items():
        assert await flat.to(path) == (target, 308)
    for path in ("/old/deep/er", "/group", "/group/old"):
        assert await flat.to(path) is None
    await flat.session.begin_write()
    await flat.redirect("/old", "https://a.example")
    await flat.redirect("/old/*", "https://a.example")
    await flat.redirect("/first", "/old/deep")
    # What is set follows the page, and comes before what somebody made for the site.
    moved = MovePageInput(page="child", parent=Some("group"))  # type: ignore[arg-type]
    await flat.edit(flat.spaces[0], move_page=moved)
    assert await flat.to("/old/deep") == ("/group/child/deep#part", 308)
    assert await flat.to("/old") == ("", 308)
    assert await flat.to("/first") == ("/group/child/deep#part", 307)
    assert await flat.to("/old/more") == ("https://a.example", 307)
    found = await read(ctx, get_site_redirect_by_source, flat.site.id, "/OLD/Deep")
    assert (found.redirect.id, found.redirect.source) == (OF_CONTENT, "/OLD/Deep")
    assert (found.target, found.status) == (f"{flat.root}/group/child/deep#part", 308)
    assert found.redirect.destination == {
        "kind": "site-page", "siteSpaceId": (await flat.placed(0)).id, "pageId": "deep",
    }  # fmt: skip
    # A page that moved comes first.
    renamed = RenamePageInput(page="group", slug=Some("new"))  # type: ignore[arg-type]
    await flat.edit(flat.spaces[0], rename_page=renamed)
    assert await flat.to("/group") == ("/new", 308)
    await flat.edit(flat.spaces[0], delete_page=DeletePageInput(page="home"))  # type: ignore[arg-type]
    assert await flat.to("/old") == ("https://a.example", 307)


async def test_sections_that_were_renamed_come_before_what_the_content_sets(
    sectioned: Docs,
) -> None:
    api = await sectioned.placed(2)
    row = SitePathRedirect(site_id=sectioned.site.id, key="reference", section_id=api.section_id)
    sectioned.session.add(row)
    await sectioned.session.flush()
    # The default space of the site has pages at the root, and sets paths that were a section's.
    await set_redirects(
        sectioned.ctx, sectioned.spaces[0].id,
        {"reference/home/child": ("deep", None), "reference/more": ("deep", None)},
    )  # fmt: skip
    await set_redirects(sectioned.ctx, sectioned.spaces[2].id, {"set": ("child", None)})
    assert await sectioned.to("/reference/home/child") == ("/API/home/child", 308)
    assert await sectioned.to("/reference/set") == ("/API/home/child", 308)
    assert await sectioned.to("/reference/more") == ("/home/child/deep", 308)


async def test_paths_that_are_those_of_site_spaces_and_sections(sectioned: Docs) -> None:
    guide, variant, api, _ = [await sectioned.placed(number) for number in range(4)]
    # Nothing fires where a site space or a section is; below it, all but its pages may.
    for source in ("/API", "/guide", "/guide/v1", "/v2", "/API/v2", "/API/home/child"):
        await sectioned.redirect(source, "https://a.example")
        assert await sectioned.to(source) is None, source
    for source in ("/API/old", "/API/v2/old", "/guide/old", "/guide/v1/old", "/v2/old"):
        await sectioned.redirect(source, "https://a.example")
        assert await sectioned.to(source) == ("https://a.example", 307), source
    # A section without a site space has nothing to show, so its path is free.
    await sectioned.redirect("/empty", "https://a.example")
    assert await sectioned.to("/empty") == ("https://a.example", 307)
    # A page whose path is that of a section, or of a site space, is at its full address.
    renamed = RenamePageInput(page="home", slug=Some("api"))  # type: ignore[arg-type]
    await sectioned.edit(sectioned.spaces[0], rename_page=renamed)
    renamed = RenamePageInput(page="group", slug=Some("V2"))  # type: ignore[arg-type]
    await sectioned.edit(sectioned.spaces[0], rename_page=renamed)
    await sectioned.edit(sectioned.spaces[2], rename_page=renamed)
    await set_redirects(sectioned.ctx, guide.space_id, {"set": ("child", "x")})
    for source, (placed, page, target) in {
        "/to-child": (guide, "child", "/guide/v1/api/child"),
        "/to-group": (guide, "group", "/guide/v1/V2"),
        "/to-api-group": (api, "group", "/API/v1/V2"),
        "/to-variant": (variant, "child", "/v2/home/child"),
        # The landing page is at the root of its space, whatever its path.
        "/to-home": (guide, "home", ""),
    }.items():
        await sectioned.redirect(source, kind="site-page", siteSpaceId=placed.id, pageId=page)
        assert await sectioned.to(source) == (target, 307), source
        assert await sectioned.to(target or "/guide") is None
    assert await sectioned.to("/set") == ("/guide/v1/api/child#x", 308)
    assert await sectioned.to("/home/child") == ("/guide/v1/api/child", 308)
    assert await sectioned.to("/home/child.md") == ("/guide/v1/api/child.md", 308)
    # Its section's address shows the section.
    found = await sectioned.find("/to-child")
    assert found is not None
    assert found.segments == ["guide", "v1", "api", "child"]


async def test_targets_have_the_share_key(flat: Docs, world: World) -> None:
    flat.site = await flat.session.get_one(Site, flat.site.id)
    flat.site.visibility = SiteVisibility.SHARE_LINK
    link = await make_share_link(flat.session, flat.site)
    placed = await flat.placed(1)
    await flat.redirect("/old", kind="site-space", siteSpaceId=placed.id)
    await flat.session.commit()
    reader = context(flat.session, world.reader)
    found = await read(reader, get_site_redirect_by_source, flat.site.id, "/old", None, link.secret)
    assert found.target == f"{flat.root}/{link.secret}/path-1"
    found = await read(
        context(flat.session, world.reader), get_site_redirect_by_source, flat.site.id, "/old"
    )
    assert found.target == f"{flat.root}/path-1"
    # Who may read anyway needs no key, so a wrong one is as good as none.
    other = context(flat.session, world.reader)
    found = await read(other, get_site_redirect_by_source, flat.site.id, "/old", None, "unknown")
    assert found.target == f"{flat.root}/path-1"


async def test_a_lookup_costs_a_constant_number_of_statements(
    flat: Docs, world: World, queries: Queries
) -> None:
    await flat.redirect("/old/*", kind="site-space", siteSpaceId=(await flat.placed(1)).id)
    for number in range(50):
        await flat.redirect(f"/r{number}", "https://a.example")
        flat.session.add(
            SiteSpace(site_id=flat.site.id, path=f"more-{number}", position=number + 2,
                      space_id=(await factories.make_space(flat.session, world.organization)).id)
        )  # fmt: skip
    await flat.session.commit()
    with queries.at_most(11):
        # The address, the map (2), the content of the space (2), moved pages, renamed places, what
        # somebody made; then the content there (3).
        assert await flat.to("/old/a/b/c") == ("/path-1", 307)
    with queries.at_most(7):
        assert await flat.to("/a/b/c") is None


# ------------------------------------------------------------------ any redirects

NAMES = ["a", "b", "c", "d"]
PATHS = st.lists(st.sampled_from(NAMES), min_size=1, max_size=3).map("/".join)


@st.composite
def any_redirects(draw: st.DrawFn) -> dict[str, dict[str, Any]]:
    """Redirects by their source; some lead to paths of the site, some elsewhere."""
    made: dict[str, dict[str, Any]] = {}
    for _ in range(draw(st.integers(0, 8))):
        wildcard = draw(st.booleans())
        source = "/" + draw(PATHS) + ("/*" if wildcard else "")
        made[source] = {
            "to": draw(PATHS.map("/".__add__) | st.sampled_from(["https://x.example/q", "/home"])),
            "capture": wildcard and draw(st.booleans()),
            "draft": draw(st.integers(0, 4)) == 0,
            "permanent": draw(st.booleans()),
        }
    return made


def expected_of(made: Mapping[str, dict[str, Any]], path: str) -> tuple[str, int] | None:
    """What the rules say, one after the other; only `home` and the root are pages."""
    seen: list[str] = []
    permanent = True
    while True:
        if path in ("", "home") and seen:
            return ("", 308 if permanent else 307)
        if path in ("", "home") or path in seen:
            return None
        seen.append(path)
        parts = path.split("/")
        chosen, rest = None, ""
        for end in [None, *range(len(parts), 0, -1)]:
            source = "/" + path if end is None else "/" + "/".join(parts[:end]) + "/*"
            if source in made and not made[source]["draft"]:
                chosen, rest = made[source], "/".join(parts[end:]) if end is not None else ""
                break
        if chosen is None:
            return None if len(seen) == 1 else ("/" + path, 308 if permanent else 307)
        if len(seen) > STEPS:
            return None
        permanent = permanent and chosen["permanent"]
        to = chosen["to"] + (f"/{rest}" if chosen["capture"] and rest else "")
        if to.startswith("https:"):
            return (to, 308 if permanent else 307)
        path = to[1:]


class Machine:
    """A database with one site, which is filled anew for each example."""

    def __init__(self, folder: Path) -> None:
        self.runner = asyncio.Runner()
        self.database = Database(f"sqlite:///{folder / 'docstead.sqlite3'}", durable=False)
        self.runner.run(self.start())

    async def start(self) -> None:
        await migrate(self.database)
        async with self.database.session() as session:
            await session.begin_write()
            organization = await factories.make_organization(session)
            space = await factories.make_space(session, organization)
            revision = await write_revision(
                Context(OPERATOR, session), space.id, None, sample_changes(space.id)
            )
            space.revision_id = revision.id
            site = await factories.make_site(session, organization, space, published=True)
            self.site_id = site.id
            await session.commit()

    async def check(self, made: Mapping[str, dict[str, Any]], paths: list[str]) -> None:
        async with self.database.session() as session:
            await session.begin_write()
            site = await session.get_one(Site, self.site_id)
            await session.execute(delete(SiteRedirect))
            root = f"{BASE}/{site.id}"
            for source, one in made.items():
                url = one["to"] if one["to"].startswith("https:") else root + one["to"]
                row = await make_site_redirect(session, site, source, url)
                row.capture_wildcard, row.draft = one["capture"], one["draft"]
                row.permanent = one["permanent"]
            await session.flush()
            ctx = Context(OPERATOR, session)
            for path in paths:
                found = await find_redirect_for_caller(ctx, site, path_segments(path))
                got = found and (found.url.removeprefix(root), found.status)
                assert got == expected_of(made, path), path
            await session.rollback()


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with ThreadPoolExecutor(1) as pool:
        folder = tmp_path_factory.mktemp("redirects")
        opened = pool.submit(Machine, folder).result()
        yield pool, opened
        pool.submit(opened.runner.run, opened.database.close()).result()
        pool.submit(opened.runner.close).result()


def test_any_redirects_follow_the_rules(machine: Any) -> None:
    pool, opened = machine

    @settings(max_examples=60, deadline=None)
    @given(any_redirects(), st.lists(PATHS | st.just("home"), min_size=1, max_size=4))
    def holds(made: dict[str, dict[str, Any]], paths: list[str]) -> None:
        pool.submit(lambda: opened.runner.run(opened.check(made, paths))).result()

    holds()
