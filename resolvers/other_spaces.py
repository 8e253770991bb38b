"""What addresses of this application lead to in other spaces, for those who may read these.

A place in a space that may not be read leads nowhere, just as one in no space: nobody learns which
spaces there are.
"""

from collections.abc import Collection, Iterable, Mapping

from content.json_types import JsonObject
from content.link_meaning import page_reference
from content.merkle.read import lookup
from db.models.content import Revision
from db.models.spaces import Space
from db.prepared import among
from resolvers.app_addresses import AppPlace, space_reference
from resolvers.content_limits import DEPTH
from resolvers.content_store import walk_all
from resolvers.context import Context
from resolvers.found_pages import active_revisions, find_at_paths, find_pages
from resolvers.policy import visible
from resolvers.redirects import follow_moves, moved_from, old_paths_of_spaces, path_below
from resolvers.statements import Asks, Written, statement

# Places that are looked up together, and those that one text has at most.
AT_ONCE = 500
PLACES = 5000
# (space, path as it is compared)
Path = tuple[str, str]
Revisions = Mapping[str, Revision]


@statement
def _readable(asks: Asks) -> Written:
    return visible(asks, Space).with_only_columns(Space.id).where(among(Space.id, "spaces"))


async def _revisions(ctx: Context, spaces: Iterable[str]) -> Revisions:
    """What the spaces hold that the actor may read, by space."""
    wanted = set(spaces)
    if not wanted:
        return {}
    rows = await _readable.rows(ctx, spaces=wanted)
    return await active_revisions(ctx, {row.id for row in rows}, columns=None)


async def led_to(ctx: Context, places: Iterable[AppPlace]) -> dict[AppPlace, JsonObject]:
    """Content references to places of other spaces; without places that lead nowhere.

    A page at the path counts first, then one that was there before it moved, then a redirect of
    the content. 500 are looked up together; of more than 5,000 the first count.
    """
    found: dict[AppPlace, JsonObject] = {}
    wanted = list(dict.fromkeys(places))[:PLACES]
    for start in range(0, len(wanted), AT_ONCE):
        found |= await _led_to(ctx, wanted[start : start + AT_ONCE])
    return found


async def _led_to(ctx: Context, places: Iterable[AppPlace]) -> dict[AppPlace, JsonObject]:
    revisions = await _revisions(ctx, (one.space_id for one in places))
    there = [one for one in places if one.space_id in revisions]
    paths = {(one.space_id, one.path) for one in there if one.path}
    pages: dict[Path, tuple[str, str | None]] = {
        path: (id, None) for path, id in (await _live(ctx, revisions, paths)).items()
    }
    old = {path for path in paths - pages.keys() if path[1].count("/") < DEPTH}
    pages |= {path: (id, None) for path, id in (await _moved(ctx, revisions, old)).items()}
    pages |= await _redirected(ctx, revisions, old - pages.keys())
    found: dict[AppPlace, JsonObject] = {}
    for place in there:
        page = pages.get((place.space_id, place.path))
        reference = None if place.path else space_reference(place)
        if page is not None:
            reference = page_reference(page[0], place.anchor or page[1])
        if reference is not None:
            found[place] = {**reference, "space": place.space_id}
    return found


async def pages_gone(ctx: Context, pages: Iterable[Path]) -> set[Path]:
    """Of (space, id of a page) those that are not there any more, in spaces that may be read.

    Of more than 5,000 the first are asked for.
    """
    wanted = list(dict.fromkeys(pages))[:PLACES]
    return await _gone(ctx, await _revisions(ctx, (space for space, _ in wanted)), wanted)


async def _gone(ctx: Context, revisions: Revisions, pages: Iterable[Path]) -> set[Path]:
    by_space = _by_space(one for one in pages if one[0] in revisions)
    asked = [(revisions[space], ids) for space, ids in by_space.items()]
    walks = [(one.space_id, lookup(one.pages_root, ids)) for one, ids in asked]
    found = await walk_all(ctx, walks)
    return {
        (revision.space_id, id)
        for (revision, ids), there in zip(asked, found, strict=True)
        for id in ids - there.keys()
    }


def _by_space(paths: Iterable[Path]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for space, path in paths:
        found.setdefault(space, set()).add(path)
    return found


async def _live(ctx: Context, revisions: Revisions, paths: Iterable[Path]) -> dict[Path, str]:
    """Ids of the pages that are at paths."""
    asked = [(revisions[space], some) for space, some in _by_space(paths).items()]
    found = await find_at_paths(ctx, asked)
    return {
        (revision.space_id, path): id
        for (revision, _), pages in zip(asked, found, strict=True)
        for path, id in pages.items()
    }


async def _moved(ctx: Context, revisions: Revisions, paths: Iterable[Path]) -> dict[Path, str]:
    """Ids of pages that moved from paths, or that something above the path has moved with."""

    async def moved(current: Collection[Path]) -> dict[Path, tuple[str, Path | None]]:
        rows: dict[str, dict[str, str]] = {}
        for (space, path), id in (await old_paths_of_spaces(ctx, _by_space(current))).items():
            rows.setdefault(space, {})[path] = id
        asked = [(revisions[space], ids.values()) for space, ids in rows.items()]
        pages = dict(zip(rows, await find_pages(ctx, asked), strict=True))
        found: dict[Path, tuple[str, Path | None]] = {}
        for space, path in current:
            for page, rest in moved_from(path, rows.get(space, {}), pages.get(space, {})):
                below = path_below(page.path, rest, path) if rest else None
                if below is not None or not rest:
                    found[space, path] = page.id, None if below is None else (space, below)
                    break
        return found

    async def live(after: Collection[Path]) -> dict[Path, str]:
        return await _live(ctx, revisions, after)

    return await follow_moves(paths, moved, live)


async def _redirected(
    ctx: Context, revisions: Revisions, paths: Iterable[Path]
) -> dict[Path, tuple[str, str | None]]:
    """(id of the page, anchor) by path, of redirects that the content has."""
    asked = [(revisions[space], some) for space, some in _by_space(paths).items()]
    walks = [(one.space_id, lookup(one.redirects_root, some)) for one, some in asked]
    entries = {
        (revision.space_id, path): (str(one["page"]), one.get("anchor"))
        for (revision, _), found in zip(asked, await walk_all(ctx, walks), strict=True)
        for path, one in found.items()
    }
    gone = await _gone(ctx, revisions, ((path[0], one[0]) for path, one in entries.items()))
    return {path: one for path, one in entries.items() if (path[0], one[0]) not in gone}
