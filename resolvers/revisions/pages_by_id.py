"""Pages of several revisions by their ids, with their paths: a level of ancestors at a time."""

from collections.abc import Iterable, Sequence

from sqlalchemy import select

from content.merkle.read import lookup
from content.merkle.walk import Walk
from content.pages.keys import has_slugs
from db.models.content import Revision
from db.models.spaces import Space
from db.prepared import among
from resolvers.core.context import Context
from resolvers.core.statements import Columns, Viewer, Written, statement
from resolvers.revisions.read_targets import ROOTS
from resolvers.revisions.rows import Page
from resolvers.revisions.store import walk_all
from resolvers.revisions.tree import find_with_those_above, hidden_from


@statement
def _active(viewer: Viewer) -> Written:
    return (
        select(Revision)
        .join(Space, Space.revision_id == Revision.id)
        .where(among(Space.id, "spaces"))
    )


async def active_revisions(
    ctx: Context, spaces: Iterable[str], columns: Columns = ROOTS
) -> dict[str, Revision]:
    """The active revisions of spaces that the caller may read, by space."""
    space_ids = set(spaces)
    if not space_ids:
        return {}
    return {
        revision.space_id: revision
        for revision in await _active.rows(ctx, columns=columns, spaces=space_ids)
    }


async def hidden_in(ctx: Context, spaces: Iterable[str]) -> dict[str, frozenset[str]]:
    """Ids of primary pages that are hidden from the viewer, by space; no spaces that hide none.

    For people of the organization there are none, and nothing is read.
    """
    if ctx.actor.visitor is None:
        return {}
    revisions = await active_revisions(ctx, spaces)
    hidden = await hidden_from(ctx, revisions.values())
    return {
        revision.space_id: hidden[revision.id]
        for revision in revisions.values()
        if revision.id in hidden
    }


async def find_pages(
    ctx: Context, targets: Sequence[tuple[Revision, Iterable[str]]]
) -> list[dict[str, Page]]:
    """Pages with their paths by id, for each revision; without those that it does not have.

    Nor those that are not there for the viewer.
    """
    lookups = [(revision, set(ids)) for revision, ids in targets]
    found_pages = await find_with_those_above(ctx, lookups)
    return [
        {id: pages[id] for id in ids & pages.keys()}
        for (_, ids), pages in zip(lookups, found_pages, strict=True)
    ]


async def find_at_paths(
    ctx: Context, lookups: Sequence[tuple[Revision, Iterable[str]]]
) -> list[dict[str, str]]:
    """Ids of the pages at paths of slugs, as they are compared, by path, for each revision.

    All are looked up at once, a level at a time; without paths that lead nowhere, or to pages
    that are not there for the viewer.
    """
    walks = [
        (revision.space_id, _at_paths(revision.slugs_root, paths)) for revision, paths in lookups
    ]
    pages_at = await walk_all(ctx, walks)
    hidden = await hidden_from(ctx, [revision for revision, _ in lookups])
    return [
        {path: id for path, id in pages.items() if id not in hidden.get(revision.id, frozenset())}
        for (revision, _), pages in zip(lookups, pages_at, strict=True)
    ]


def _at_paths(slugs_root: str | None, paths: Iterable[str]) -> Walk[dict[str, str]]:
    page_ids: dict[str, str] = {}
    left = [("", path, path) for path in set(paths) if has_slugs(path)]
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
                page_ids[path] = str(entry["id"])
        left = below
    return page_ids
