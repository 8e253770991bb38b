"""What addresses of this application lead to in other spaces, for those who may read these.

A place in a space that may not be read leads nowhere, just as one in no space: nobody learns which
spaces there are.
"""

from collections.abc import Iterable

from content.json_types import JsonObject
from content.links.meaning import page_reference
from content.merkle.read import lookup
from db.models.spaces import Space
from db.prepared import among
from resolvers.access.policy import visible
from resolvers.addresses.app import AppPlace, space_reference
from resolvers.core.context import Context
from resolvers.core.statements import Viewer, Written, statement
from resolvers.revisions.limits import DEPTH
from resolvers.revisions.moved_pages import Place, Revisions, by_space, find_old_paths, live_at
from resolvers.revisions.pages_by_id import active_revisions
from resolvers.revisions.store import walk_all

# Places that are looked up together, and those that one text has at most.
AT_ONCE = 500
PLACES = 5000


@statement
def _readable(viewer: Viewer) -> Written:
    return visible(viewer, Space).with_only_columns(Space.id).where(among(Space.id, "spaces"))


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
    pages: dict[Place, tuple[str, str | None]] = {
        path: (id, None) for path, id in (await live_at(ctx, revisions, paths)).items()
    }
    old = [path for path in paths - pages.keys() if path[1].count("/") < DEPTH]
    for path, one in (await find_old_paths(ctx, revisions, old)).items():
        pages[path] = one.page.id, one.anchor
    found: dict[AppPlace, JsonObject] = {}
    for place in there:
        page = pages.get((place.space_id, place.path))
        reference = None if place.path else space_reference(place)
        if page is not None:
            reference = page_reference(page[0], place.anchor or page[1])
        if reference is not None:
            found[place] = {**reference, "space": place.space_id}
    return found


async def pages_gone(ctx: Context, pages: Iterable[Place]) -> set[Place]:
    """Of (space, id of a page) those that are not there any more, in spaces that may be read.

    Of more than 5,000 the first are asked for.
    """
    wanted = list(dict.fromkeys(pages))[:PLACES]
    return await _gone(ctx, await _revisions(ctx, (space for space, _ in wanted)), wanted)


async def _gone(ctx: Context, revisions: Revisions, pages: Iterable[Place]) -> set[Place]:
    asked_of = by_space(one for one in pages if one[0] in revisions)
    asked = [(revisions[space], ids) for space, ids in asked_of.items()]
    walks = [(one.space_id, lookup(one.pages_root, ids)) for one, ids in asked]
    found = await walk_all(ctx, walks)
    return {
        (revision.space_id, id)
        for (revision, ids), there in zip(asked, found, strict=True)
        for id in ids - there.keys()
    }
