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
    asked = [(revision, set(ids)) for revision, ids in wanted]
    found = await find_with_those_above(ctx, asked)
    return [
        {id: pages[id] for id in ids & pages.keys()}
        for (_, ids), pages in zip(asked, found, strict=True)
    ]


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
                found[path] = str(entry["id"])
        left = below
    return found
