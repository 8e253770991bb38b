"""Targets of this application's URLs in other spaces, for those who may read these.

A place in a space that may not be read leads nowhere, just as one in no space: nobody learns which
spaces there are.
"""

from collections.abc import Iterable

from content.json_types import JsonObject
from content.links.meaning import page_reference
from content.merkle.read import lookup
from db.inserts import parts
from resolvers.addresses.app import AppPlace, space_reference
from resolvers.core.context import Context
from resolvers.revisions.limits import DEPTH
from resolvers.revisions.objects import readable_revisions
from resolvers.revisions.redirects import Place, PrimaryContent, Revisions, by_first, match
from resolvers.revisions.store import walk_all

# Places that are looked up at once, and those that one text has at most.
AT_ONCE = 500
PLACES = 5000


async def led_to(ctx: Context, places: Iterable[AppPlace]) -> dict[AppPlace, JsonObject]:
    """Content references to places of other spaces; without places that lead nowhere.

    A page at the path counts first, then one that was there before it moved, then a redirect of
    the content. 500 are looked up at once; of more than 5,000 the first count.
    """
    references: dict[AppPlace, JsonObject] = {}
    unique = list(dict.fromkeys(places))[:PLACES]
    for some in parts(unique, AT_ONCE):
        references |= await _led_to(ctx, some)
    return references


async def _led_to(ctx: Context, places: Iterable[AppPlace]) -> dict[AppPlace, JsonObject]:
    revisions = await readable_revisions(ctx, (place.space_id for place in places))
    content = PrimaryContent(ctx, revisions)
    there = [place for place in places if place.space_id in revisions]
    paths = {(place.space_id, place.path) for place in there if place.path}
    pages: dict[Place, tuple[str, str | None]] = {
        path: (id, None) for path, id in (await content.live_at(paths)).items()
    }
    old = [path for path in paths - pages.keys() if path[1].count("/") < DEPTH]
    for path, target in (await match(content, old)).items():
        pages[path] = target.page.id, target.anchor
    references: dict[AppPlace, JsonObject] = {}
    for place in there:
        page = pages.get((place.space_id, place.path))
        reference = None if place.path else space_reference(place)
        if page is not None:
            reference = page_reference(page[0], place.anchor or page[1])
        if reference is not None:
            references[place] = {**reference, "space": place.space_id}
    return references


async def pages_gone(ctx: Context, pages: Iterable[Place]) -> set[Place]:
    """Of (space, id of a page) those that are not there any more, in spaces that may be read.

    Of more than 5,000 the first are asked for.
    """
    unique = list(dict.fromkeys(pages))[:PLACES]
    return await _gone(ctx, await readable_revisions(ctx, (space for space, _ in unique)), unique)


async def _gone(ctx: Context, revisions: Revisions, pages: Iterable[Place]) -> set[Place]:
    asked_of = by_first(page for page in pages if page[0] in revisions)
    lookups = [(revisions[space], ids) for space, ids in asked_of.items()]
    walks = [(revision.space_id, lookup(revision.pages_root, ids)) for revision, ids in lookups]
    entries = await walk_all(ctx, walks)
    return {
        (revision.space_id, id)
        for (revision, ids), there in zip(lookups, entries, strict=True)
        for id in ids - there.keys()
    }
