"""Pages of several revisions by their ids, with their paths: a level of ancestors at a time."""

from collections.abc import Iterable, Mapping, Sequence

from sqlalchemy import select

from content.merkle.node import Value
from content.merkle.read import lookup
from content.merkle.walk import Walk
from db.models.content import Revision
from db.models.spaces import Space
from db.prepared import among
from resolvers.content_revisions import ROOTS
from resolvers.content_store import walk_all
from resolvers.context import Context
from resolvers.page_rows import Page, page_of
from resolvers.page_tree import DEPTH_LIMIT, hidden_from, join_path
from resolvers.statements import Asks, Columns, Written, statement


@statement
def _active(asks: Asks) -> Written:
    return (
        select(Revision)
        .join(Space, Space.revision_id == Revision.id)
        .where(among(Space.id, "spaces"))
    )


async def active_revisions(
    ctx: Context, spaces: Iterable[str], columns: Columns = ROOTS
) -> dict[str, Revision]:
    """The active revisions of spaces that the caller may read, by space."""
    wanted = set(spaces)
    if not wanted:
        return {}
    return {one.space_id: one for one in await _active.rows(ctx, columns=columns, spaces=wanted)}


async def hidden_in(ctx: Context, spaces: Iterable[str]) -> dict[str, frozenset[str]]:
    """Pages of the primary content of spaces that are not there for who asks; where there are some.

    For people of the organization there are none, and nothing is read.
    """
    if ctx.actor.visitor is None:
        return {}
    revisions = await active_revisions(ctx, spaces)
    hidden = await hidden_from(ctx, revisions.values())
    return {one.space_id: hidden[one.id] for one in revisions.values() if one.id in hidden}


async def find_pages(
    ctx: Context, wanted: Sequence[tuple[Revision, Iterable[str]]]
) -> list[dict[str, Page]]:
    """Pages with their paths by id, for each revision; without those that it does not have.

    Nor those that are not there for who asks.
    """
    entries: list[dict[str, Value]] = [{} for _ in wanted]
    asked = [set(ids) for _, ids in wanted]
    missing = [set(ids) for ids in asked]
    for _ in range(DEPTH_LIMIT):
        if not any(missing):
            break
        walks = [
            (revision.space_id, lookup(revision.pages_root, ids))
            for (revision, _), ids in zip(wanted, missing, strict=True)
        ]
        for index, found in enumerate(await walk_all(ctx, walks)):
            entries[index] |= found
            above = {one["parent"] for one in found.values() if "parent" in one}
            missing[index] = above - entries[index].keys()
    hidden = await hidden_from(ctx, [revision for revision, _ in wanted])
    pages: list[dict[str, Page]] = []
    for (revision, _), known, ids in zip(wanted, entries, asked, strict=True):
        there = (ids & known.keys()) - hidden.get(revision.id, frozenset())
        pages.append({id: _page(revision, known, id) for id in there})
    return pages


async def find_at_paths(
    ctx: Context, wanted: Sequence[tuple[Revision, Iterable[str]]]
) -> list[dict[str, str]]:
    """Ids of the pages at paths of slugs, as they are compared, by path, for each revision.

    All are looked up together, a level at a time; without paths that lead nowhere, or to pages
    that are not there for who asks.
    """
    walks = [(one.space_id, _at_paths(one.slugs_root, paths)) for one, paths in wanted]
    found = await walk_all(ctx, walks)
    hidden = await hidden_from(ctx, [revision for revision, _ in wanted])
    return [
        {path: id for path, id in pages.items() if id not in hidden.get(one.id, frozenset())}
        for (one, _), pages in zip(wanted, found, strict=True)
    ]


def _at_paths(slugs_root: str | None, paths: Iterable[str]) -> Walk[dict[str, str]]:
    found: dict[str, str] = {}
    # What has no slug has ":" in front of its id in the map.
    left = [("", path, path) for path in set(paths) if path and "/:" not in f"/{path}"]
    while left:
        keys = {f"{above}/{rest.partition('/')[0]}" for above, rest, _ in left}
        there = yield from lookup(slugs_root, keys)
        below = []
        for above, rest, path in left:
            slug, _, rest = rest.partition("/")
            entry = there.get(f"{above}/{slug}")
            if entry is not None and rest:
                below.append((str(entry["id"]), rest, path))
            elif entry is not None:
                found[path] = str(entry["id"])
        left = below
    return found


def _page(revision: Revision, known: Mapping[str, Value], id: str) -> Page:
    page = page_of(revision.space_id, revision.id, id, known[id])
    page.pages_root, page.slugs_root = revision.pages_root, revision.slugs_root
    slugs = [page.slug]
    parent = page.parent_id
    for _ in range(DEPTH_LIMIT):
        entry = known.get(parent or "")
        if entry is None:
            break
        slugs.append(entry.get("slug"))
        page.above_no_index |= entry.get("no_index", False)
        page.above_no_robots_index |= entry.get("no_robots_index", False)
        parent = entry.get("parent")
    for slug in reversed(slugs):
        page.path = join_path(page.path, slug)
    return page
