"""Where a path leads in a change request or a revision that has no page at it.

A draft moves pages that readers, links and redirects still name by their published paths, and an
older revision has pages at paths of its time. So such a path means the page that the primary
content has there, or had before it moved, and after that one the redirect that this content sets.
"""

from collections.abc import Sequence

from content.merkle.read import lookup
from content.slugs import normalize_path
from db.models.content import Revision
from resolvers.core.context import Context
from resolvers.revisions.automatic_redirects import (
    moved_from,
    old_paths_of_spaces,
    paths_above,
    ways_of,
)
from resolvers.revisions.limits import DEPTH
from resolvers.revisions.pages_by_id import active_revisions, find_at_paths, find_pages
from resolvers.revisions.rows import Page
from resolvers.revisions.store import walk_all


async def pages_led_to(ctx: Context, revisions: Sequence[Revision], path: str) -> list[Page | None]:
    """The page of each revision that a path leads to; None where it leads nowhere.

    The caller has found no page at it. The number of statements depends on neither.
    """
    wanted = normalize_path(path)
    if not revisions or not wanted or wanted.count("/") >= DEPTH:
        return [None] * len(revisions)
    active = await active_revisions(ctx, {one.space_id for one in revisions})
    published = await find_at_paths(ctx, [(one, [wanted]) for one in active.values()])
    now = {space: there.get(wanted) for space, there in zip(active, published, strict=True)}
    old = await old_paths_of_spaces(ctx, dict.fromkeys(active, (wanted,)))
    own = await walk_all(
        ctx, [(one.space_id, lookup(one.redirects_root, {wanted})) for one in revisions]
    )
    moved = [
        {above: old[one.space_id, above] for above in paths_above(wanted)
         if (one.space_id, above) in old}
        for one in revisions
    ]  # fmt: skip
    candidates = [
        [now.get(one.space_id), *rows.values(), *(set_[key]["page"] for key in set_)]
        for one, rows, set_ in zip(revisions, moved, own, strict=True)
    ]
    pages = await find_pages(
        ctx,
        [(one, {id for id in ids if id}) for one, ids in zip(revisions, candidates, strict=True)],
    )
    below = await _below(ctx, revisions, wanted, moved, pages)
    found: list[Page | None] = []
    for one, rows, set_, there, deeper in zip(revisions, moved, own, pages, below, strict=True):
        first = there.get(now.get(one.space_id) or "") or there.get(rows.get(wanted, ""))
        set_page = next((there.get(row["page"]) for row in set_.values()), None)
        found.append(first or deeper or set_page)
    return found


async def _below(
    ctx: Context,
    revisions: Sequence[Revision],
    path: str,
    moved: Sequence[dict[str, str]],
    pages: Sequence[dict[str, Page]],
) -> list[Page | None]:
    """The pages that are below those that moved from above the path, where the path says it."""
    places: list[list[str]] = []
    for rows, there in zip(moved, pages, strict=True):
        ways = ways_of(path, moved_from(path, rows, there))
        places.append([below for _, below in ways if below is not None])
    if not any(places):
        return [None] * len(revisions)
    found = await find_at_paths(ctx, list(zip(revisions, places, strict=True)))
    ids = [
        next((there[place] for place in some if place in there), None)
        for some, there in zip(places, found, strict=True)
    ]
    read = await find_pages(
        ctx, [(one, [id] if id else []) for one, id in zip(revisions, ids, strict=True)]
    )
    return [there.get(id or "") for there, id in zip(read, ids, strict=True)]
