"""Pages at the paths of a revision, and its landing page, which is at the empty one."""

from collections.abc import Sequence
from typing import Protocol

from content.errors import SlugError
from content.merkle.read import lookup
from content.page_keys import child_key
from content.recent_cache import RecentCache
from content.slugs import normalize_path
from db.content_enums import PageType
from db.models.content import Revision
from resolvers.content_store import walk_one
from resolvers.context import Context
from resolvers.errors import NotFound, invalid
from resolvers.found_pages import find_pages
from resolvers.page_rows import Page
from resolvers.page_tree import all_children_of, children_of

# Ids of landing pages for those who see all pages, by the space and the roots of its maps: to find
# one reads all of the top level.
LANDINGS: RecentCache[tuple[str, str], str] = RecentCache(10_000, lambda id: 1)


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
    (pages,) = await find_pages(ctx, [(revision, [page_id])])
    if page_id not in pages:
        raise NotFound(f"there is no page at {path!r} in this content")
    return pages[page_id]


async def find_landing_page(ctx: Context, revision: Revision) -> Page:
    """The first document of the tree; NotFound when there is none."""
    (landing,) = await find_landing_pages(ctx, [revision])
    if landing is None:
        raise NotFound("this content has no page")
    return landing


async def find_landing_pages(ctx: Context, revisions: Sequence[Revision]) -> list[Page | None]:
    """The first document of each tree; only groups, which stand at the top, are looked into.

    The number of reads does not depend on the number of revisions.
    """
    keys = [(one.space_id, f"{one.pages_root} {one.slugs_root}") for one in revisions]
    known = [LANDINGS.get(key) for key in keys]
    unknown = [index for index, id in enumerate(known) if id is None]
    found = await _first_documents(ctx, [revisions[index] for index in unknown], all_children_of)
    shown: dict[int, Page | None] = dict(zip(unknown, found, strict=True))
    for index, landing in shown.items():
        if landing is not None:
            LANDINGS.put(keys[index], landing.id)
    # It may be hidden from a visitor.
    ids = {index: id for index, id in enumerate(known) if id is not None}
    if ctx.actor.visitor is not None:
        ids |= {index: landing.id for index, landing in shown.items() if landing is not None}
    pages = await find_pages(ctx, [(revisions[index], [ids[index]]) for index in ids])
    shown |= {index: one.get(ids[index]) for index, one in zip(ids, pages, strict=True)}
    hidden = [index for index in ids if shown[index] is None]
    others = await _first_documents(ctx, [revisions[index] for index in hidden], children_of)
    shown.update(zip(hidden, others, strict=True))
    return [shown[index] for index in range(len(revisions))]


class _Below(Protocol):
    async def __call__(self, ctx: Context, pages: Sequence[Page]) -> list[list[Page]]: ...


async def _first_documents(
    ctx: Context, revisions: Sequence[Revision], below: _Below
) -> list[Page | None]:
    """The first document of each revision among the pages that `below` gives."""
    tops = [
        Page(
            space_id=one.space_id, revision_id=one.id, id="", type=PageType.GROUP, title="",
            parent_id=None, order="", pages_root=one.pages_root, slugs_root=one.slugs_root,
        )
        for one in revisions
    ]  # fmt: skip
    found: list[Page | None] = [None] * len(tops)
    # By revision: the pages that are left to look at, the next one last.
    left = {index: pages[::-1] for index, pages in enumerate(await below(ctx, tops))}
    while left:
        groups: dict[int, Page] = {}
        for index, pages in left.items():
            while pages and found[index] is None and index not in groups:
                page = pages.pop()
                if page.type is PageType.DOCUMENT:
                    found[index] = page
                elif page.type is PageType.GROUP:
                    groups[index] = page
        inner = await below(ctx, list(groups.values())) if groups else []
        for index, pages in zip(groups, inner, strict=True):
            found[index] = next((one for one in pages if one.type is PageType.DOCUMENT), None)
        left = {index: left[index] for index in groups if found[index] is None}
    return found
