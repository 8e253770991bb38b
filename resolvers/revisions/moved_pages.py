"""Where old paths of primary content lead: the one search, for one path and for thousands.

Pages that moved, or with which something above them moved, come before redirects that are set. A
live page comes before both: the caller has found none at the path. Paths are as they are compared.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from sqlalchemy import select

from db.models.content import ContentRedirect, Revision
from db.prepared import among
from resolvers.core.context import Context
from resolvers.core.statements import Viewer, Written, statement
from resolvers.revisions.automatic_redirects import (
    Ways,
    follow_moves,
    moved_from,
    old_paths_of_spaces,
    path_id,
    ways_of,
)
from resolvers.revisions.pages_by_id import find_at_paths, find_pages
from resolvers.revisions.rows import Page

# (space, path)
Place = tuple[str, str]
# The primary content of spaces that the caller may read, by space.
Revisions = Mapping[str, Revision]


@dataclass(frozen=True, slots=True)
class OldPath:
    """Where an old path of a space leads: a page, and a place on it."""

    page: Page
    anchor: str | None = None


async def find_old_paths(
    ctx: Context, revisions: Revisions, places: Collection[Place]
) -> dict[Place, OldPath]:
    """Where old paths lead; without those that lead nowhere for the viewer."""
    moved = await find_moved(ctx, revisions, places)
    return moved | await find_set(ctx, revisions, [place for place in places if place not in moved])


async def find_moved(
    ctx: Context, revisions: Revisions, places: Iterable[Place]
) -> dict[Place, OldPath]:
    """Pages that moved from places, or that something above the place has moved with."""

    async def moved(current: Collection[Place]) -> dict[Place, Ways[Place]]:
        rows: dict[str, dict[str, str]] = {}
        for (space, path), id in (await old_paths_of_spaces(ctx, by_space(current))).items():
            rows.setdefault(space, {})[path] = id
        pages = await _pages(ctx, revisions, {place: ids.values() for place, ids in rows.items()})
        return {
            (space, path): [
                (id, None if below is None else (space, below))
                for id, below in ways_of(
                    path, moved_from(path, rows.get(space, {}), pages.get(space, {}))
                )
            ]
            for space, path in current
        }

    async def live(after: Collection[Place]) -> dict[Place, str]:
        return await live_at(ctx, revisions, after)

    page_ids = await follow_moves([place for place in places if place[1]], moved, live)
    pages = await _pages_of(ctx, revisions, page_ids)
    return {place: OldPath(pages[place]) for place in page_ids if place in pages}


async def live_at(ctx: Context, revisions: Revisions, places: Iterable[Place]) -> dict[Place, str]:
    """Ids of the pages that are at places."""
    lookups = [(revisions[space], some) for space, some in by_space(places).items()]
    pages_at = await find_at_paths(ctx, lookups)
    return {
        (revision.space_id, path): id
        for (revision, _), pages in zip(lookups, pages_at, strict=True)
        for path, id in pages.items()
    }


@statement
def _set_at(viewer: Viewer) -> Written:
    # Of several spaces this may find a path that only another one was asked for.
    return select(
        ContentRedirect.space_id,
        ContentRedirect.key,
        ContentRedirect.page_id,
        ContentRedirect.anchor,
    ).where(among(ContentRedirect.space_id, "spaces"), among(ContentRedirect.key, "keys"))


async def find_set(
    ctx: Context, revisions: Revisions, places: Collection[Place]
) -> dict[Place, OldPath]:
    """Where the redirects lead that are set for places; without those whose page is gone."""
    places_by_key = {(space, path_id(path)): (space, path) for space, path in places if path}
    if not places_by_key:
        return {}
    rows = await _set_at.rows(
        ctx, spaces={space for space, _ in places_by_key}, keys={key for _, key in places_by_key}
    )
    there = {
        places_by_key[row.space_id, row.key]: row
        for row in rows
        if (row.space_id, row.key) in places_by_key
    }
    pages = await _pages_of(ctx, revisions, {place: row.page_id for place, row in there.items()})
    return {place: OldPath(pages[place], there[place].anchor) for place in pages}


async def _pages_of(
    ctx: Context, revisions: Revisions, ids: Mapping[Place, str]
) -> dict[Place, Page]:
    """The page with the id of each place; without those that are not there for the viewer."""
    ids_by_space: dict[str, set[str]] = {}
    for (space, _), id in ids.items():
        ids_by_space.setdefault(space, set()).add(id)
    pages = await _pages(ctx, revisions, ids_by_space)
    return {place: pages[place[0]][id] for place, id in ids.items() if id in pages[place[0]]}


async def _pages(
    ctx: Context, revisions: Revisions, ids: Mapping[str, Iterable[str]]
) -> dict[str, dict[str, Page]]:
    """Pages by id, for each space."""
    if not ids:
        return {}
    pages = await find_pages(ctx, [(revisions[space], some) for space, some in ids.items()])
    return dict(zip(ids, pages, strict=True))


def by_space(places: Iterable[Place]) -> dict[str, set[str]]:
    """Paths by space."""
    paths: dict[str, set[str]] = {}
    for space, path in places:
        paths.setdefault(space, set()).add(path)
    return paths
