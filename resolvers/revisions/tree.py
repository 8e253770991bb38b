"""Reading pages of a revision: one by id or by path, those directly below, or the whole tree.

One page costs a few nodes of the maps: its entry and its ancestors' (for the path). What is below
pages is read when it is asked for, a level of the tree at a time. The whole tree is read once and
cached, because a revision never changes. The cache is for everybody: pages whose conditions hide
them from a visitor (resolvers/revisions/conditions.py) are left out behind it, by all readers here.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select

from content.merkle.read import lookup, scan
from content.recent_cache import RecentCache
from db.models.content import Revision
from db.models.spaces import Space
from db.prepared import among
from resolvers.core.context import Context
from resolvers.core.dependencies import OF_VISITORS, Standing
from resolvers.core.errors import NotFound
from resolvers.core.statements import Viewer, Written, statement
from resolvers.revisions.conditions import conditional_variables, hidden_once, mask_of, without
from resolvers.revisions.page_trees import PageTree
from resolvers.revisions.rows import Page, page_of
from resolvers.revisions.store import walk_all

DEPTH_LIMIT = 200
# Revision and root of its pages, and which of them are left out.
TreeKey = tuple[str, str] | tuple[str, str, frozenset[str]]
# Whole page trees, by their number of pages.
TreeCache = RecentCache[TreeKey, PageTree]


TREES: TreeCache = RecentCache(100_000, len)


def _sorted(pages: Iterable[Page]) -> list[Page]:
    return sorted(pages, key=lambda page: (page.order, page.id))


def _link(pages: dict[str, Page]) -> PageTree:
    """Give each page its children and path; returns all pages, depth first."""
    children: dict[str | None, list[Page]] = {}
    for page in pages.values():
        children.setdefault(page.parent_id, []).append(page)
    result = PageTree()
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


async def all_pages(ctx: Context, revisions: Sequence[Revision | PagesOf]) -> list[PageTree]:
    """Every page of each revision that is there for the viewer, depth first.

    Top-level pages have no parent.
    """
    trees = await _whole_trees(ctx, revisions)
    hidden = await hidden_from(ctx, revisions)
    return [
        _shown(revision, tree, hidden[revision.id]) if revision.id in hidden else tree
        for revision, tree in zip(revisions, trees, strict=True)
    ]


def _shown(revision: Revision | PagesOf, tree: PageTree, hidden: frozenset[str]) -> PageTree:
    key = (revision.id, revision.pages_root or "", hidden)
    shown = TREES.get(key)
    if shown is None:
        shown = without(tree, hidden)
        TREES.put(key, shown)
    return shown


async def hidden_from(
    ctx: Context, revisions: Iterable[Revision | PagesOf]
) -> dict[str, frozenset[str]]:
    """Ids of the pages that are hidden from the viewer, by revision; without those that hide none.

    People of the organization see all pages; that costs nothing. For a visitor it takes one
    statement, and the whole trees of the revisions that have conditions. In a preview a page is
    hidden, too, that is hidden in the primary content now: a draft or an older revision may have
    it without the condition.
    """
    visitor = ctx.actor.visitor
    if visitor is None:
        return {}
    by_id: dict[str, Revision | PagesOf] = {revision.id: revision for revision in revisions}
    spaces = {revision.space_id for revision in by_id.values()}
    previews = visitor.revision_id is not None or visitor.preview_space_ids
    primary = await _primary(ctx, spaces) if previews and spaces else []
    newest = {revision.id for revision in primary}
    variables = await conditional_variables(ctx, by_id.keys() | newest)
    hidden = await _hidden(
        ctx, [revision for revision in primary if revision.id in variables], variables, {}
    )
    closed = {
        revision.space_id: hidden[revision.id] for revision in primary if hidden.get(revision.id)
    }
    rest = [
        revision
        for revision in by_id.values()
        if revision.id not in newest and (revision.id in variables or revision.space_id in closed)
    ]
    hidden |= await _hidden(ctx, rest, variables, closed)
    return {id: hidden[id] for id in by_id if hidden.get(id)}


@statement
def _active(viewer: Viewer) -> Written:
    return (
        select(Revision.id, Revision.space_id, Revision.pages_root)
        .join(Space, Space.revision_id == Revision.id)
        .where(among(Space.id, "spaces"))
    )


async def _primary(ctx: Context, spaces: set[str]) -> list[PagesOf]:
    """The primary content of spaces that a visitor may read."""
    rows = await _active.once(ctx, list, lasting=True, spaces=sorted(spaces))
    if ctx.dependencies is not None:
        for row in rows:
            ctx.dependencies.add(row.space_id, Standing(row.id, OF_VISITORS))
    return [PagesOf(row.id, row.space_id, row.pages_root) for row in rows]


async def _hidden(
    ctx: Context,
    revisions: Sequence[Revision | PagesOf],
    variables: Mapping[str, Mapping[str, Any]],
    closed: Mapping[str, frozenset[str]],
) -> dict[str, frozenset[str]]:
    """The pages of each revision that are not there for the visitor; those of its space that are
    `closed` in any case.
    """
    nothing: frozenset[str] = frozenset()
    return {
        revision.id: hidden_once(
            ctx,
            revision.id,
            tree,
            variables.get(revision.id) or {},
            closed.get(revision.space_id, nothing),
        )
        for revision, tree in zip(revisions, await _whole_trees(ctx, revisions), strict=True)
    }


async def hidden_mask(ctx: Context, revision: Revision) -> str:
    """The pages of a revision that are not there for the viewer, for addresses."""
    hidden = (await hidden_from(ctx, [revision])).get(revision.id)
    if hidden is None:
        return ""
    (tree,) = await _whole_trees(ctx, [revision])
    return mask_of(tree, hidden)


async def _whole_trees(ctx: Context, revisions: Sequence[Revision | PagesOf]) -> list[PageTree]:
    """Every page of each revision, hidden ones included."""
    results: dict[int, PageTree] = {}
    missing = []
    for index, revision in enumerate(revisions):
        if revision.pages_root is None:
            results[index] = PageTree()
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
    (pages,) = await find_with_those_above(ctx, [(revision, [page_id])])
    if page_id not in pages:
        raise NotFound(f"page {page_id!r} does not exist in this content")
    return pages[page_id]


async def find_with_those_above(
    ctx: Context, lookups: Sequence[tuple[Revision, Iterable[str]]]
) -> list[dict[str, Page]]:
    """Pages of each revision and the pages above them that are there for the viewer, by id."""
    placed = await with_those_above(ctx, lookups)
    hidden = await hidden_from(ctx, [revision for revision, _ in lookups])
    shown = []
    for (revision, _), pages in zip(lookups, placed, strict=True):
        for page in pages.values():
            page.slugs_root = revision.slugs_root
        not_there = hidden.get(revision.id, frozenset())
        shown.append({id: page for id, page in pages.items() if id not in not_there})
    return shown


async def page_paths(
    ctx: Context, lookups: Sequence[tuple[PagesOf, set[str]]]
) -> list[dict[str, str]]:
    """The paths of some pages of each revision, by id, as far as they are there for the viewer.

    Trees that are known are not read again; the others take one read for each level.
    """
    trees = [TREES.get((revision.id, revision.pages_root or "")) for revision, _ in lookups]
    unread = [pair for pair, tree in zip(lookups, trees, strict=True) if tree is None]
    read = iter(await with_those_above(ctx, unread))
    hidden = await hidden_from(ctx, [revision for revision, _ in lookups])
    return [
        {
            page.id: page.path
            for page in (next(read).values() if tree is None else tree)
            if page.id in ids and page.id not in hidden.get(revision.id, ())
        }
        for (revision, ids), tree in zip(lookups, trees, strict=True)
    ]


async def with_those_above(
    ctx: Context, lookups: Sequence[tuple[Revision | PagesOf, Iterable[str]]]
) -> list[dict[str, Page]]:
    """Pages of each revision and the pages above them, with their paths, by id."""
    pages_read: list[dict[str, Page]] = [{} for _ in lookups]
    missing = [set(ids) for _, ids in lookups]
    for _ in range(DEPTH_LIMIT):
        if not any(missing):
            break
        walks = [
            (revision.space_id, lookup(revision.pages_root, ids))
            for (revision, _), ids in zip(lookups, missing, strict=True)
        ]
        for index, entries in enumerate(await walk_all(ctx, walks)):
            revision, pages = lookups[index][0], pages_read[index]
            for id, entry in entries.items():
                pages[id] = page_of(revision.space_id, revision.id, id, entry)
                pages[id].pages_root = revision.pages_root
            above = {page.parent_id for page in pages.values() if page.parent_id is not None}
            missing[index] = above - pages.keys() - missing[index]
    placed: list[dict[str, Page]] = [{} for _ in lookups]
    for found_pages, standing in zip(pages_read, placed, strict=True):
        for page in found_pages.values():
            _place(page, found_pages, standing)
    return placed


def _place(page: Page, pages: dict[str, Page], placed: dict[str, Page]) -> None:
    """Put a page and those above it into `placed`, with their paths; unless one is missing."""
    chain: list[Page] = []
    at: Page | None = page
    while at is not None and at.id not in placed:
        chain.append(at)
        if at.parent_id is None:
            break
        at = pages.get(at.parent_id)
        if at is None or len(chain) > DEPTH_LIMIT:
            return
    for ancestor in reversed(chain):
        _stand_below(
            ancestor, placed[ancestor.parent_id] if ancestor.parent_id is not None else None
        )
        placed[ancestor.id] = ancestor


async def children_of(ctx: Context, pages: Sequence[Page]) -> list[list[Page]]:
    """Pages directly below each page, in display order; two reads for all that are not known."""
    below = await all_children_of(ctx, pages)
    hidden = await hidden_from(
        ctx, [PagesOf(page.revision_id, page.space_id, page.pages_root) for page in pages]
    )
    if not hidden:
        return below
    return [
        [child for child in children if child.id not in hidden.get(page.revision_id, ())]
        for page, children in zip(pages, below, strict=True)
    ]


async def all_children_of(ctx: Context, pages: Sequence[Page]) -> list[list[Page]]:
    unread = [page for page in pages if page.children is None]
    scans = [(page.space_id, scan(page.slugs_root, prefix=f"{page.id}/")) for page in unread]
    ids = [[value["id"] for _, value in entries] for entries in await walk_all(ctx, scans)]
    lookups = [
        (page.space_id, lookup(page.pages_root, below))
        for page, below in zip(unread, ids, strict=True)
    ]
    for page, entries in zip(unread, await walk_all(ctx, lookups), strict=True):
        page.children = _sorted(
            page_of(page.space_id, page.revision_id, id, entry) for id, entry in entries.items()
        )
        for child in page.children:
            _stand_below(child, page)
            child.asked_in = page.asked_in
            child.pages_root, child.slugs_root = page.pages_root, page.slugs_root
    return [page.children or [] for page in pages]
