"""Reading pages of a revision: one with what is below it, by id or by path, or the whole tree.

One page costs a few nodes of the maps: its entry, its ancestors' (for the path) and its
children's. The whole tree is read once and kept, because a revision never changes.
"""

from collections import OrderedDict
from collections.abc import Iterable, Sequence

from content.errors import SlugError
from content.merkle.read import lookup, scan
from content.slugs import normalize_path
from db.enums import PageType
from db.models.content import Revision
from resolvers.content_store import walk_all, walk_one
from resolvers.context import Context
from resolvers.errors import NotFound, invalid
from resolvers.page_rows import Page, child_key, page_of

DEPTH_LIMIT = 200


class TreeCache:
    """Whole page trees by space and map root, bounded by their number of pages."""

    def __init__(self, limit_pages: int) -> None:
        self._limit = limit_pages
        self._size = 0
        self._trees: OrderedDict[tuple[str, str], list[Page]] = OrderedDict()

    def get(self, key: tuple[str, str]) -> list[Page] | None:
        found = self._trees.get(key)
        if found is not None:
            self._trees.move_to_end(key)
        return found

    def put(self, key: tuple[str, str], pages: list[Page]) -> None:
        if key in self._trees or len(pages) > self._limit:
            return
        self._trees[key] = pages
        self._size += len(pages)
        while self._size > self._limit:
            _, dropped = self._trees.popitem(last=False)
            self._size -= len(dropped)


TREES = TreeCache(100_000)


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
        parent = pages[page.parent_id] if page.parent_id is not None else None
        page.path = join_path(parent.path if parent is not None else "", page.slug)
        page.children = _sorted(children.get(page.id, []))
        result.append(page)
        stack.extend(reversed(page.children))
    return result


def join_path(parent: str, slug: str | None) -> str:
    """The path of a page below `parent`; pages without a slug share their parent's."""
    if slug is None:
        return parent
    return f"{parent}/{slug}" if parent else slug


async def all_pages(ctx: Context, revisions: Sequence[Revision]) -> list[list[Page]]:
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
        results[index] = _link(pages)
        TREES.put((revision.id, revision.pages_root or ""), results[index])
    return [results[index] for index in range(len(revisions))]


async def find_page(ctx: Context, revision: Revision, page_id: str) -> Page:
    """One page with its path and everything below it; NotFound when the revision has none."""
    chain = await _ancestry(ctx, revision, page_id)
    page = chain[0]
    for above, below in zip(reversed(chain), reversed(chain[:-1]), strict=False):
        below.path = join_path(above.path, below.slug)
    await _descend(ctx, revision, page)
    return page


async def _ancestry(ctx: Context, revision: Revision, page_id: str) -> list[Page]:
    """The page and its ancestors, from below to the top level."""
    chain: list[Page] = []
    wanted: str | None = page_id
    while wanted is not None and len(chain) < DEPTH_LIMIT:
        found = await walk_one(ctx, revision.space_id, lookup(revision.pages_root, [wanted]))
        if wanted not in found:
            raise NotFound(f"page {page_id!r} does not exist in this content")
        page = page_of(revision.space_id, revision.id, wanted, found[wanted])
        chain.append(page)
        wanted = page.parent_id
    chain[-1].path = chain[-1].slug or ""
    return chain


async def _descend(ctx: Context, revision: Revision, page: Page) -> None:
    """Read everything below a page, a level of the tree at a time."""
    level = [page]
    while level:
        scans = [
            (revision.space_id, scan(revision.slugs_root, prefix=f"{one.id}/")) for one in level
        ]
        listed = await walk_all(ctx, scans)
        ids = [value["id"] for entries in listed for _, value in entries]
        if not ids:
            return
        found = await walk_one(ctx, revision.space_id, lookup(revision.pages_root, ids))
        below: list[Page] = []
        for one, entries in zip(level, listed, strict=True):
            one.children = _sorted(
                page_of(revision.space_id, revision.id, value["id"], found[value["id"]])
                for _, value in entries
            )
            for child in one.children:
                child.path = join_path(one.path, child.slug)
            below.extend(one.children)
        level = below


async def find_page_by_path(ctx: Context, revision: Revision, path: str) -> Page:
    """The document or group at a path; the landing page for the empty one."""
    try:
        normal = normalize_path(path)
    except SlugError as error:
        raise invalid("path", str(error)) from error
    if not normal:
        for page in (await all_pages(ctx, [revision]))[0]:
            if page.type is PageType.DOCUMENT:
                return page
        raise NotFound("this content has no page")
    page_id: str | None = None
    for segment in normal.split("/"):
        key = child_key(page_id, segment, "")
        found = await walk_one(ctx, revision.space_id, lookup(revision.slugs_root, [key]))
        if key not in found:
            raise NotFound(f"there is no page at {path!r} in this content")
        page_id = found[key]["id"]
    assert page_id is not None
    return await find_page(ctx, revision, page_id)
