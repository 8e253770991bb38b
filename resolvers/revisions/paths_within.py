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
    normalized = normalize_path(path)
    if not revisions or not normalized or normalized.count("/") >= DEPTH:
        return [None] * len(revisions)
    active = await active_revisions(ctx, {revision.space_id for revision in revisions})
    published = await find_at_paths(ctx, [(revision, [normalized]) for revision in active.values()])
    now = {space: there.get(normalized) for space, there in zip(active, published, strict=True)}
    old = await old_paths_of_spaces(ctx, dict.fromkeys(active, (normalized,)))
    own = await walk_all(
        ctx,
        [
            (revision.space_id, lookup(revision.redirects_root, {normalized}))
            for revision in revisions
        ],
    )
    moved = [
        {above: old[revision.space_id, above] for above in paths_above(normalized)
         if (revision.space_id, above) in old}
        for revision in revisions
    ]  # fmt: skip
    candidates = [
        [now.get(revision.space_id), *rows.values(), *(set_[key]["page"] for key in set_)]
        for revision, rows, set_ in zip(revisions, moved, own, strict=True)
    ]
    pages = await find_pages(
        ctx,
        [
            (revision, {id for id in ids if id})
            for revision, ids in zip(revisions, candidates, strict=True)
        ],
    )
    below = await _below(ctx, revisions, normalized, moved, pages)
    led_to: list[Page | None] = []
    for revision, rows, set_, there, deeper in zip(
        revisions, moved, own, pages, below, strict=True
    ):
        first = there.get(now.get(revision.space_id) or "") or there.get(rows.get(normalized, ""))
        set_page = next((there.get(row["page"]) for row in set_.values()), None)
        led_to.append(first or deeper or set_page)
    return led_to


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
    pages_at = await find_at_paths(ctx, list(zip(revisions, places, strict=True)))
    ids = [
        next((there[place] for place in some if place in there), None)
        for some, there in zip(places, pages_at, strict=True)
    ]
    read = await find_pages(
        ctx, [(revision, [id] if id else []) for revision, id in zip(revisions, ids, strict=True)]
    )
    return [there.get(id or "") for there, id in zip(read, ids, strict=True)]
