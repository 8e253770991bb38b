"""Pages that were at a path, or that a redirect leads to from it, for links written in a draft."""

from collections.abc import Collection, Iterable
from dataclasses import replace
from itertools import islice

from content.merkle.read import lookup
from resolvers.drafts.draft import Draft
from resolvers.revisions.automatic_redirects import (
    Ways,
    follow_moves,
    moved_from,
    old_paths_of_spaces,
    ways_of,
)
from resolvers.revisions.limits import DEPTH
from resolvers.revisions.store import walk_one

# Old paths that one batch looks for, so that no text makes a search of thousands of statements.
PATHS = 500


async def old_paths(draft: Draft, paths: Iterable[str]) -> dict[str, tuple[str, str | None]]:
    """(id of the page, anchor) by old path, as it is compared; without paths that lead nowhere.

    Pages that moved or were renamed come before redirects that the content has, as they do for
    readers; all paths are looked up at once. The caller has found no page at them. Of more than
    500 the first count.
    """
    candidates = set(islice((path for path in paths if path and path.count("/") < DEPTH), PATHS))
    moved_pages = await _moved(draft, candidates)
    left = candidates - moved_pages.keys()
    stored = await walk_one(draft.ctx, draft.space_id, lookup(draft.revision.redirects_root, left))
    targets = {
        path: (redirect["page"], redirect.get("anchor")) for path, redirect in stored.items()
    }
    for path in left & draft.written.redirects.keys():
        redirect = draft.written.redirects[path]
        targets.pop(path, None)
        if redirect is not None:
            targets[path] = redirect.page_id, redirect.anchor
    there = await draft.find_pages(page_id for page_id, _ in targets.values())
    return moved_pages | {path: target for path, target in targets.items() if target[0] in there}


async def _moved(draft: Draft, paths: set[str]) -> dict[str, tuple[str, str | None]]:
    """Pages that moved from a path, or that something above the path has moved with."""

    async def moved(current: Collection[str]) -> dict[str, Ways[str]]:
        moved_ids = await old_paths_of_spaces(draft.ctx, {draft.space_id: current})
        rows = {path: id for (_, path), id in moved_ids.items()}
        pages = await draft.find_pages(rows.values())
        placed = {id: replace(page, path=await draft.path_of(page)) for id, page in pages.items()}
        return {path: ways_of(path, moved_from(path, rows, placed)) for path in current}

    async def live(after: Collection[str]) -> dict[str, str]:
        return {path: page.id for path, page in (await draft.at_paths(after)).items()}

    return {path: (id, None) for path, id in (await follow_moves(paths, moved, live)).items()}
