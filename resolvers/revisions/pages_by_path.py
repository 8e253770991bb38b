"""Pages by the paths that readers know: at a path of slugs, and the landing page."""

from collections.abc import Sequence
from typing import Protocol

from content.errors import SlugError
from content.merkle.read import lookup
from content.pages.keys import child_key
from content.recent_cache import RecentCache
from content.slugs import normalize_path
from db.content_enums import PageType
from db.models.content import Revision
from resolvers.core.context import Context
from resolvers.core.errors import NotFound, invalid
from resolvers.revisions.rows import Page
from resolvers.revisions.store import walk_one
from resolvers.revisions.tree import (
    TreeCache,
    all_children_of,
    children_of,
    find_pages,
    find_with_those_above,
)

# The landing page of a revision as a tree of one page: finding it reads all of the top level.
LANDINGS: TreeCache = RecentCache(10_000, len)


async def find_page_by_path(ctx: Context, revision: Revision, path: str) -> Page:
    """The document or group at a path; the landing page for the empty one."""
    try:
        normal = normalize_path(path)
    except SlugError as error:
        raise invalid("path", str(error).removeprefix("path: ")) from error
    if not normal:
        return await find_landing_page(ctx, revision)
    page_id: str | None = None
    for segment in normal.split("/"):
        if segment.startswith(":"):
            # So begin the keys of pages without a slug.
            raise NotFound(f"there is no page at {path!r} in this content")
        key = child_key(page_id, segment, "")
        entries = await walk_one(ctx, revision.space_id, lookup(revision.slugs_root, [key]))
        if key not in entries:
            raise NotFound(f"there is no page at {path!r} in this content")
        page_id = entries[key]["id"]
    assert page_id is not None
    pages = await find_pages(ctx, revision, [page_id])
    if page_id not in pages:
        raise NotFound(f"there is no page at {path!r} in this content")
    return pages[page_id]


async def find_landing_page(ctx: Context, revision: Revision) -> Page:
    """The landing page of one revision; NotFound without one."""
    (page,) = await find_landing_pages(ctx, [revision])
    if page is None:
        raise NotFound("this content has no page")
    return page


async def find_landing_pages(ctx: Context, revisions: Sequence[Revision]) -> list[Page | None]:
    """The first document of each tree; only groups, which stand at the top, are looked into."""
    keys = [
        (revision.space_id, f"{revision.pages_root} {revision.slugs_root}")
        for revision in revisions
    ]
    # Those of who sees all pages.
    cached = [LANDINGS.get(key) for key in keys]
    unread = [index for index, landing in enumerate(cached) if landing is None]
    landings: list[Page | None] = [None] * len(revisions)
    first = await _first_documents(ctx, [revisions[index] for index in unread], all_children_of)
    for index, landing in zip(unread, first, strict=True):
        if landing is not None:
            cached[index] = [landing]
            LANDINGS.put(keys[index], [landing])
            landings[index] = landing if ctx.actor.visitor is None else None
    ids = {
        index: landing[0].id
        for index, landing in enumerate(cached)
        if landing and landings[index] is None
    }
    shown = await find_with_those_above(
        ctx, [(revisions[index], {id}) for index, id in ids.items()]
    )
    for (index, id), pages in zip(ids.items(), shown, strict=True):
        landings[index] = pages.get(id)
    hidden = [index for index in ids if landings[index] is None]
    others = await _first_documents(ctx, [revisions[index] for index in hidden], children_of)
    for index, page in zip(hidden, others, strict=True):
        landings[index] = page
    return landings


class _Below(Protocol):
    async def __call__(self, ctx: Context, pages: Sequence[Page]) -> list[list[Page]]: ...


async def _first_documents(
    ctx: Context, revisions: Sequence[Revision], below: _Below
) -> list[Page | None]:
    tops = [
        Page(
            space_id=revision.space_id,
            revision_id=revision.id,
            id="",
            type=PageType.GROUP,
            title="",
            parent_id=None,
            order="",
            pages_root=revision.pages_root,
            slugs_root=revision.slugs_root,
        )
        for revision in revisions
    ]  # fmt: skip
    documents: list[Page | None] = [None] * len(revisions)
    left = {index: iter(level) for index, level in enumerate(await below(ctx, tops))}
    while left:
        groups: dict[int, Page] = {}
        for index, level in list(left.items()):
            page = next(
                (page for page in level if page.type in (PageType.DOCUMENT, PageType.GROUP)), None
            )
            if page is not None and page.type is PageType.GROUP:
                groups[index] = page
            else:
                documents[index] = page
                del left[index]
        for index, inner in zip(groups, await below(ctx, list(groups.values())), strict=True):
            document = next((page for page in inner if page.type is PageType.DOCUMENT), None)
            if document is not None:
                documents[index] = document
                del left[index]
    return documents
