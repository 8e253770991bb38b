"""A published site whose old paths lead on, for tests of both ways to ask."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select
from strawberry import Some

from db.enums import EditMode
from db.models.site_settings import SitePathRedirect
from db.models.sites import Site, SiteSpace
from db.session import Session
from resolvers.core.context import Context
from resolvers.core.runners import run
from resolvers.drafts.operation_inputs import (
    ApplyContentChangesInput,
    ContentOperationInput,
    ContentTargetInput,
    RenamePageInput,
)
from resolvers.revisions.rows import ContentRedirect
from resolvers.revisions.states import Changes
from resolvers.revisions.write_targets import open_target
from resolvers.writing.commits import commit_revision
from resolvers.writing.operations import apply_content_changes
from tests import factories
from tests.conftest import World, context, settle
from tests.published.test_sites import make_pages

HOST = "http://docs.test"
# Old path -> where it leads below the site, or elsewhere, and the status on a public site. The
# site has the pages start (its landing page), start/deep and new, and at path-1 start and more.
LEADS: dict[str, tuple[str, int]] = {
    # A page, and a site space, that were renamed; what stands behind the latter does not matter.
    "/other": ("/new", 308),
    "/OTHER/": ("/new", 308),
    "/first": ("/path-1", 308),
    "/first/more": ("/path-1/more", 308),
    "/first/nothing": ("/path-1/nothing", 308),
    "/first/~/changes/1": ("/path-1/~/changes/1", 308),
    "/first/llms.txt": ("/path-1/llms.txt", 308),
    # What somebody made.
    "/page": ("/path-1/more", 307),
    "/space": ("/path-1", 307),
    "/permanent": ("/start/deep", 308),
    "/all/more": ("/path-1/more", 307),
    "/away": ("https://a.example/b?c=d", 307),
    "/anchor": ("/start/deep#details", 307),
    # Chains: to a page, to one that was renamed, and elsewhere.
    "/chain": ("/path-1/more", 307),
    "/long": ("/new", 308),
    "/out": ("https://a.example/b?c=d", 307),
    # What the content of a space sets: after pages that moved, before what somebody made.
    "/set": ("/new", 308),
    "/SET/anchored/": ("/start/deep#details", 308),
    "/set/both": ("/new", 308),
    "/path-1/set": ("/path-1/more", 308),
    "/first/set": ("/path-1/more", 308),
    "/v/path-1/set": ("/path-1/set", 307),
    "/chain-to-set": ("/new", 307),
    # The page is gone, or is not there for the visitor: what somebody made is next.
    "/set/gone": ("https://a.example/gone", 307),
    "/set/beta": ("https://a.example/join", 307),
    # Markdown of pages leads to Markdown, whatever led to the page.
    "/other.md": ("/new.md", 308),
    "/set.md": ("/new.md", 308),
    "/set/anchored.md": ("/start/deep.md", 308),
    "/set/landing.md": ("/start.md", 308),
    "/page.md": ("/path-1/more.md", 307),
    "/first/more.md": ("/path-1/more.md", 308),
    "/space.md": ("/path-1/start.md", 307),
    "/first.md": ("/path-1/start.md", 308),
    "/permanent.md": ("/start/deep.md", 308),
    "/all/more.md": ("/path-1/more.md", 307),
    "/chain.md": ("/path-1/more.md", 307),
    # A path with this ending may have a redirect of its own.
    "/set/file.md": ("/start/deep", 308),
    "/made.md": ("https://a.example/made", 307),
    # A section or a site space comes after what somebody made, unless a page is there.
    "/first/made": ("https://a.example/made", 307),
}
# Paths of pages, or of nothing, which redirects do not change.
LIVE = ("/start/deep", "/path-1/more", "/start/deep.md", "/.md", "/robots.txt", "/llms.txt")
NOWHERE = (
    "/loop", "/pool", "/self", "/draft", "/gone", "/nothing", "/set/hidden", "/set/hidden.md",
    "/set/below/it", "/draft.md", "/nothing.md",
)  # fmt: skip
# Of the first space, and of the second.
SET = {
    "set": ("other", None), "set/anchored": ("deep", "details"), "set/both": ("other", None),
    "set/gone": ("gone", None), "set/beta": ("beta", None), "set/hidden": ("beta", None),
    "set/landing": ("start", None), "set/file.md": ("deep", None), "start": ("other", None),
    # The page that was there before it was renamed comes first.
    "other": ("deep", None),
}  # fmt: skip
SET_IN_FIRST = {"set": ("more", None)}


@dataclass
class Redirected:
    """The site, where it is, and its site spaces: `path-0`, the default, and `path-1`."""

    site: Site
    root: str
    site_spaces: dict[str, SiteSpace]


async def set_redirects(
    ctx: Context, space_id: str, paths: Mapping[str, tuple[str, str | None]]
) -> None:
    """Set redirects of a space to pages, and headings of them, as an import does."""
    redirects = {
        path: ContentRedirect(
            space_id=space_id, revision_id="", path=path, page_id=page_id, anchor=anchor
        )
        for path, (page_id, anchor) in paths.items()
    }
    await commit_revision(ctx, await open_target(ctx, space_id), Changes(redirects={**redirects}))


async def make_redirected(session: Session, world: World, **changes: Any) -> Redirected:
    """The site of `LEADS`, `LIVE` and `NOWHERE`."""
    guide = await make_pages(
        session, world, "Guide", start={}, deep={"parent_id": "start"}, other={},
        beta={"condition": "visitor.claims.unsigned.beta"},
    )  # fmt: skip
    guide.edit_mode = EditMode.LIVE
    first = await make_pages(session, world, "First", start={}, more={})
    site = await factories.make_site(
        session, world.organization, guide, first, title="Handbook", published=True, **changes
    )
    root = f"{HOST}/sites/{site.id}"
    rows = await session.execute(select(SiteSpace).where(SiteSpace.site_id == site.id))
    site_spaces = {row.path: row for row in rows.scalars()}
    placed = site_spaces["path-1"]
    session.add(SitePathRedirect(site_id=site.id, key="first", site_space_id=placed.id))
    more = {"kind": "site-page", "siteSpaceId": placed.id, "pageId": "more"}
    space = {"kind": "site-space", "siteSpaceId": placed.id}
    for source, destination in {
        "/page": more,
        "/space": space,
        "/permanent": {"url": f"{root}/start/deep"},
        "/all/*": space,
        "/away": {"url": "https://a.example/b?c=d"},
        "/anchor": {"url": f"{root}/start/deep#details"},
        "/chain": {"url": f"{root}/chain2"},
        "/chain2": {"url": f"{root}/page"},
        "/long": {"url": f"{root}/other"},
        "/out": {"url": f"{root}/away"},
        "/first/made": {"url": "https://a.example/made"},
        "/loop": {"url": f"{root}/pool"},
        "/pool": {"url": f"{root}/loop"},
        "/self": {"url": f"{root}/self"},
        "/draft": {"url": "https://a.example"},
        "/gone": {"kind": "site-page", "siteSpaceId": placed.id, "pageId": "none"},
        "/start/*": {"url": "https://a.example"},
        "/path-1/more": {"url": "https://a.example"},
        "/robots.txt": {"url": "https://a.example"},
        "/llms.txt": {"url": "https://a.example"},
        "/beta": {"url": "https://a.example/join"},
        "/set/both": {"url": "https://a.example"},
        "/set/gone": {"url": "https://a.example/gone"},
        "/set/beta": {"url": "https://a.example/join"},
        "/chain-to-set": {"url": f"{root}/set"},
        "/made.md": {"url": "https://a.example/made"},
    }.items():
        row = await factories.make_site_redirect(session, site, source, **destination)
        row.permanent = source in ("/permanent", "/long")
        row.draft = source == "/draft"
        row.capture_wildcard = source == "/all/*"
    for placed, paths in ((guide, SET), (first, SET_IN_FIRST)):
        await set_redirects(context(session), placed.id, paths)
    await settle(session)
    renamed = RenamePageInput(page="other", slug=Some("new"))  # type: ignore[arg-type]
    await run(
        context(session), apply_content_changes,
        ApplyContentChangesInput(
            target=ContentTargetInput(space=guide.id),  # type: ignore[arg-type]
            operations=[ContentOperationInput(rename_page=renamed)],
        ),
    )  # fmt: skip
    return Redirected(site, root, site_spaces)
