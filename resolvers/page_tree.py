"""Reading pages of a revision: one by id or by path, those directly below, or the whole tree.

One page costs a few nodes of the maps: its entry and its ancestors' (for the path). What is below
pages is read when it is asked for, a level of the tree at a time. The whole tree is read once and
kept, because a revision never changes.
"""

import threading
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from content.errors import SlugError
from content.merkle.read import lookup, scan
from content.page_keys import child_key
from content.slugs import normalize_path
from db.content_enums import PageType
from db.models.content import Revision
from resolvers.content_store import walk_all, walk_one
from resolvers.context import Context
from resolvers.errors import NotFound, invalid
from resolvers.page_rows import Page, page_of

DEPTH_LIMIT = 200


class TreeCache:
    """Whole page trees by space and map root, bounded by their number of pages."""

    def __init__(self, limit_pages: int) -> None:
        self._limit = limit_pages
        self._size = 0
        self._trees: OrderedDict[tuple[str, str], list[Page]] = OrderedDict()
        # Reads may run in a thread beside writes.
        self._lock = threading.Lock()

    def get(self, key: tuple[str, str]) -> list[Page] | None:
        with self._lock:
            found = self._trees.get(key)
            if found is not None:
                self._trees.move_to_end(key)
            return found

    def put(self, key: tuple[str, str], pages: list[Page]) -> None:
        with self._lock:
            if key in self._trees or len(pages) > self._limit:
                return
            self._trees[key] = pages
            self._size += len(pages)
            while self._size > self._limit:
                _, dropped = self._trees.popitem(last=False)
                self._size -= len(dropped)


TREES = TreeCache(100_000)
# The landing page of a revision as a tree of one page: finding it reads all of the top level.
LANDINGS = TreeCache(10_000)


def _sorted(pages: Iterable[Page]) -> list[Page]:
    return sorted(pages, key=lambda page: (page.order, page.id))


def _link(pages: dict[str, Page]) -> list[Page]:
    """Give each page its children and path; returns all pages, depth first."""
    children: dict[str | None, list[Page]] = {}
    for page in pages.values():
        children.setdefault(page.parent_id, []).append(page)
    result: list[Page] = []
    stack = list(reversed(_sorted(children.get(None, []))))
    while stack:
        page = stack.pop()
        _stand_below(page, pages[page.parent_id] if page.parent_id is not None else None)
        page.children = _sorted(children.get(page.id, []))
        result.append(page)
        stack.extend(reversed(page.children))
    return result


def join_path(parent: str, slug: str | None) -> str:
    """The path of a page below `parent`; pages without a slug share their parent's."""
    if slug is None:
        return parent
    return f"{parent}/{slug}" if parent else slug


def _stand_below(page: Page, parent: Page | None) -> None:
    """Give a page what follows from its place in the tree: path and inherited flags."""
    if parent is None:
        page.path = page.slug or ""
        return
    page.path = join_path(parent.path, page.slug)
    page.above_no_index = parent.out_of_search
    page.above_no_robots_index = parent.closed_to_crawlers


@dataclass(frozen=True, slots=True)
class PagesOf:
    """The pages of a revision: what is needed of it to read them."""

    id: str
    space_id: str
    pages_root: str | None


async def all_pages(ctx: Context, revisions: Sequence[Revision | PagesOf]) -> list[list[Page]]:
    """Every page of each revision, depth first; top-level pages have no parent."""
    results: dict[int, list[Page]] = {}
    missing = []
    for index, revision in enumerate(revisions):
        if revision.pages_root is None:
            results[index] = []
            continue
        cached = TREES.get((revision.id, revision.pages_root))
        if cached is not None:
            results[index] = cached
        else:
            missing.append(index)
    walks = [(revisions[index].space_id, scan(revisions[index].pages_root)) for index in missing]
    for index, entries in zip(missing, await walk_all(ctx, walks), strict=True):
        revision = revisions[index]
        pages = {id: page_of(revision.space_id, revision.id, id, entry) for id, entry in entries}
        for page in pages.values():
            page.pages_root = revision.pages_root
        results[index] = _link(pages)
        TREES.put((revision.id, revision.pages_root or ""), results[index])
    return [results[index] for index in range(len(revisions))]


async def find_page(ctx: Context, revision: Revision, page_id: str) -> Page:
    """One page with its path; NotFound when the revision has none."""
    found = await find_pages(ctx, revision, [page_id])
    if page_id not in found:
        raise NotFound(f"page {page_id!r} does not exist in this content")
    return found[page_id]


async def find_pages(ctx: Context, revision: Revision, page_ids: Iterable[str]) -> dict[str, Page]:
    """Pages with their paths by id, and the pages above them; those that do not exist are absent.

    It takes one read for each level of the tree, whatever the number of pages.
    """
    known: dict[str, Page] = {}
    wanted = set(page_ids)
    for _ in range(DEPTH_LIMIT):
        if not wanted:
            break
        found = await walk_one(ctx, revision.space_id, lookup(revision.pages_root, wanted))
        for id, entry in found.items():
            page = page_of(revision.space_id, revision.id, id, entry)
            page.pages_root, page.slugs_root = revision.pages_root, revision.slugs_root
            known[id] = page
        above = {page.parent_id for page in known.values() if page.parent_id is not None}
        wanted = above - known.keys() - wanted
    placed: dict[str, Page] = {}
    for page in known.values():
        _place(page, known, placed)
    return placed


def _place(page: Page, known: dict[str, Page], placed: dict[str, Page]) -> None:
    """Put a page and those above it into `placed`, with their paths; unless one is missing."""
    chain: list[Page] = []
    at: Page | None = page
    while at is not None and at.id not in placed:
        chain.append(at)
        if at.parent_id is None:
            break
        at = known.get(at.parent_id)
        if at is None or len(chain) > DEPTH_LIMIT:
            return
    for one in reversed(chain):
        _stand_below(one, placed[one.parent_id] if one.parent_id is not None else None)
        placed[one.id] = one


async def children_of(ctx: Context, pages: Sequence[Page]) -> list[list[Page]]:
    """Pages directly below each page, in display order; two reads for all that are not known."""
    unread = [page for page in pages if page.children is None]
    scans = [(page.space_id, scan(page.slugs_root, prefix=f"{page.id}/")) for page in unread]
    ids = [[value["id"] for _, value in entries] for entries in await walk_all(ctx, scans)]
    lookups = [
        (page.space_id, lookup(page.pages_root, below))
        for page, below in zip(unread, ids, strict=True)
    ]
    for page, found in zip(unread, await walk_all(ctx, lookups), strict=True):
        page.children = _sorted(
            page_of(page.space_id, page.revision_id, id, entry) for id, entry in found.items()
        )
        for child in page.children:
            _stand_below(child, page)
            child.pages_root, child.slugs_root = page.pages_root, page.slugs_root
    return [page.children or [] for page in pages]


async def find_page_by_path(ctx: Context, revision: Revision, path: str) -> Page:
    """The document or group at a path; the landing page for the empty one."""
    try:
        normal = normalize_path(path)
    except SlugError as error:
        raise invalid("path", str(error)) from error
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
    return await find_page(ctx, revision, page_id)


async def find_landing_page(ctx: Context, revision: Revision) -> Page:
    """The first document of the tree; only groups, which stand at the top, are looked into."""
    key = (revision.space_id, f"{revision.pages_root} {revision.slugs_root}")
    known = LANDINGS.get(key)
    if known is not None:
        return await find_page(ctx, revision, known[0].id)
    top = Page(
        space_id=revision.space_id, revision_id=revision.id, id="", type=PageType.GROUP, title="",
        parent_id=None, order="", pages_root=revision.pages_root, slugs_root=revision.slugs_root,
    )  # fmt: skip
    level = (await children_of(ctx, [top]))[0]
    for page in level:
        below = (await children_of(ctx, [page]))[0] if page.type is PageType.GROUP else [page]
        for candidate in below:
            if candidate.type is PageType.DOCUMENT:
                LANDINGS.put(key, [candidate])
                return candidate
    raise NotFound("this content has no page")
