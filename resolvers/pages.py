"""Pages: reading one by id or path, lists, bodies and addresses (content-model.md section 2)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from db.models.content import Revision
from resolvers.arguments import PageId, PagePath, SpaceId
from resolvers.batches import reads
from resolvers.content_redirects import find_redirect
from resolvers.content_revisions import InChangeRequest, InRevision, find_revision
from resolvers.context import Context
from resolvers.errors import NotFound
from resolvers.memory_pages import memory_slices
from resolvers.page_rows import LAYOUT_DEFAULTS, Page
from resolvers.page_tree import all_pages, children_of, find_page, find_page_by_path
from resolvers.pagination import PageArguments, Slice
from resolvers.urls import Urls


async def get_page(
    ctx: Context,
    space_id: SpaceId,
    id: PageId,
    change_request_id: InChangeRequest = None,
    revision_id: InRevision = None,
) -> Page:
    """A page by its id: of a space's primary content, of a change request or of a revision."""
    revision = await find_revision(ctx, space_id, change_request_id, revision_id)
    return await find_page(ctx, revision, id)


async def get_page_by_path(
    ctx: Context,
    space_id: SpaceId,
    path: PagePath,
    change_request_id: InChangeRequest = None,
    revision_id: InRevision = None,
) -> Page:
    """A document or group by its path.

    In primary content a path that a page had before it was moved or renamed leads to it still, and
    after that one for which the configuration of the space sets a redirect.
    """
    revision = await find_revision(ctx, space_id, change_request_id, revision_id)
    try:
        return await find_page_by_path(ctx, revision, path)
    except NotFound:
        if change_request_id is not None or revision_id is not None:
            raise
    return await find_redirect(ctx, revision, path)


@reads("id", "space_id", "pages_root")
async def pages_of_revisions(
    ctx: Context, rows: Sequence[Revision], arguments: PageArguments
) -> list[Slice[Page]]:
    """All pages of a revision, depth first in display order."""
    listed = await all_pages(ctx, rows)
    return memory_slices(ctx, "pages", [row.id for row in rows], listed, arguments)


@reads("id", "space_id", "pages_root")
async def top_pages_of_revisions(
    ctx: Context, rows: Sequence[Revision], arguments: PageArguments
) -> list[Slice[Page]]:
    """Pages at the top level of a revision, in display order."""
    listed = [
        [page for page in pages if page.parent_id is None] for pages in await all_pages(ctx, rows)
    ]
    return memory_slices(ctx, "top-pages", [row.id for row in rows], listed, arguments)


async def children_of_pages(
    ctx: Context, rows: Sequence[Page], arguments: PageArguments
) -> list[Slice[Page]]:
    """Pages directly below a page, in display order."""
    keys = [f"{row.revision_id}/{row.id}" for row in rows]
    return memory_slices(ctx, "child-pages", keys, await children_of(ctx, rows), arguments)


async def page_urls(ctx: Context, rows: Sequence[Page], arguments: Any) -> list[Urls]:
    """Where a page is found."""
    base = ctx.settings.public_url
    return [Urls(app=f"{base}/s/{row.space_id}/{row.path}") for row in rows]


@dataclass(frozen=True, slots=True)
class Layout:
    """Which parts of a page are shown."""

    width: str
    cover: bool
    cover_size: str
    title: bool
    description: bool
    table_of_contents: bool
    outline: bool
    pagination: bool
    metadata: bool


async def page_layouts(ctx: Context, rows: Sequence[Page], arguments: Any) -> list[Layout]:
    """The layout of each page, defaults filled in."""
    return [_layout({**LAYOUT_DEFAULTS, **row.layout}) for row in rows]


def _layout(stored: dict[str, Any]) -> Layout:
    return Layout(
        width=stored["width"],
        cover=stored["cover"],
        cover_size=stored["coverSize"],
        title=stored["title"],
        description=stored["description"],
        table_of_contents=stored["tableOfContents"],
        outline=stored["outline"],
        pagination=stored["pagination"],
        metadata=stored["metadata"],
    )


@dataclass(frozen=True, slots=True)
class GitBlob:
    """Where something stands in the repository it came from."""

    oid: str
    path: str


async def git_blobs(ctx: Context, rows: Sequence[Any], arguments: Any) -> list[GitBlob | None]:
    """Where pages, files and reusable contents stand in Git."""
    return [GitBlob(row.git["oid"], row.git["path"]) if row.git else None for row in rows]


async def link_addresses(ctx: Context, rows: Sequence[Page], arguments: Any) -> list[str | None]:
    """The URL that a link page leads to, where its target is one."""
    return [(row.target or {}).get("url") for row in rows]
