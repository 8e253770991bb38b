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
        found = await walk_one(ctx, revision.space_id, lookup(revision.slugs_root, [key]))
        if key not in found:
            raise NotFound(f"there is no page at {path!r} in this content")
        page_id = found[key]["id"]
    assert page_id is not None
    pages = await find_pages(ctx, revision, [page_id])
    if page_id not in pages:
        raise NotFound(f"there is no page at {path!r} in this content")
    return pages[page_id]


async def find_landing_page(ctx: Context, revision: Revision) -> Page:
    """The landing page of one revision; NotFound without one."""
    (found,) = await find_landing_pages(ctx, [revision])
    if found is None:
        raise NotFound("this content has no page")
    return found


async def find_landing_pages(ctx: Context, revisions: Sequence[Revision]) -> list[Page | None]:
    """The first document of each tree; only groups, which stand at the top, are looked into."""
    keys = [(one.space_id, f"{one.pages_root} {one.slugs_root}") for one in revisions]
    # Those of who sees all pages.
    known = [LANDINGS.get(key) for key in keys]
    unread = [index for index, one in enumerate(known) if one is None]
    found: list[Page | None] = [None] * len(revisions)
    first = await _first_documents(ctx, [revisions[index] for index in unread], all_children_of)
    for index, landing in zip(unread, first, strict=True):
        if landing is not None:
            known[index] = [landing]
            LANDINGS.put(keys[index], [landing])
            found[index] = landing if ctx.actor.visitor is None else None
    ids = {index: one[0].id for index, one in enumerate(known) if one and found[index] is None}
    shown = await find_with_those_above(
        ctx, [(revisions[index], {id}) for index, id in ids.items()]
    )
    for (index, id), pages in zip(ids.items(), shown, strict=True):
        found[index] = pages.get(id)
    hidden = [index for index in ids if found[index] is None]
    others = await _first_documents(ctx, [revisions[index] for index in hidden], children_of)
    for index, page in zip(hidden, others, strict=True):
        found[index] = page
    return found


class _Below(Protocol):
    async def __call__(self, ctx: Context, pages: Sequence[Page]) -> list[list[Page]]: ...


async def _first_documents(
    ctx: Context, revisions: Sequence[Revision], below: _Below
) -> list[Page | None]:
    tops = [
        Page(
            space_id=one.space_id, revision_id=one.id, id="", type=PageType.GROUP, title="",
            parent_id=None, order="", pages_root=one.pages_root, slugs_root=one.slugs_root,
        )
        for one in revisions
    ]  # fmt: skip
    found: list[Page | None] = [None] * len(revisions)
    left = {index: iter(level) for index, level in enumerate(await below(ctx, tops))}
    while left:
        groups: dict[int, Page] = {}
        for index, level in list(left.items()):
            page = next(
                (one for one in level if one.type in (PageType.DOCUMENT, PageType.GROUP)), None
            )
            if page is not None and page.type is PageType.GROUP:
                groups[index] = page
            else:
                found[index] = page
                del left[index]
        for index, inner in zip(groups, await below(ctx, list(groups.values())), strict=True):
            document = next((one for one in inner if one.type is PageType.DOCUMENT), None)
            if document is not None:
                found[index] = document
                del left[index]
    return found
