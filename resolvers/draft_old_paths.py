"""Pages that were at a path, or that a redirect leads to from it, for links written in a draft."""

from collections.abc import Iterable
from itertools import islice

from content.merkle.read import lookup
from content.slugs import MAX_PATH_LENGTH, slug_key
from resolvers.content_draft import Draft
from resolvers.content_limits import DEPTH
from resolvers.content_store import walk_one
from resolvers.page_tree import join_path
from resolvers.redirects import find_old_paths, paths_above

# Old paths may lead to old paths, where several pages have moved.
STEPS = 4
# Old paths that one batch looks for, so that no text makes a search of thousands of statements.
PATHS = 500


async def old_paths(draft: Draft, paths: Iterable[str]) -> dict[str, tuple[str, str | None]]:
    """(id of the page, anchor) by old path, as it is compared; without paths that lead nowhere.

    Pages that moved or were renamed come before redirects that the content has, as they do for
    readers; all paths are looked up together. The caller has found no page at them. Of more than
    500 the first count.
    """
    wanted = set(islice((path for path in paths if path and path.count("/") < DEPTH), PATHS))
    found = await _moved(draft, wanted)
    left = wanted - found.keys()
    stored = await walk_one(draft.ctx, draft.space_id, lookup(draft.revision.redirects_root, left))
    targets = {path: (one["page"], one.get("anchor")) for path, one in stored.items()}
    for path in left & draft.written.redirects.keys():
        redirect = draft.written.redirects[path]
        targets.pop(path, None)
        if redirect is not None:
            targets[path] = redirect.page_id, redirect.anchor
    there = await draft.find_pages(page_id for page_id, _ in targets.values())
    return found | {path: one for path, one in targets.items() if one[0] in there}


async def _moved(draft: Draft, paths: set[str]) -> dict[str, tuple[str, str | None]]:
    """Pages that moved from a path, or that something above the path has moved with."""
    found: dict[str, tuple[str, str | None]] = {}
    # What is looked for now -> the paths it stands for.
    current = {path: {path} for path in paths}
    for _ in range(STEPS):
        if not current:
            break
        rows = await find_old_paths(draft.ctx, draft.space_id, current)
        pages = await draft.find_pages(rows.values())
        after: dict[str, set[str]] = {}
        for path, meant in current.items():
            for above in paths_above(path):
                page = pages.get(rows.get(above, ""))
                if page is None:
                    continue
                rest = path[len(above) + 1 :]
                if not rest:
                    found.update((one, (page.id, None)) for one in meant)
                    break
                below = slug_key(join_path(await draft.path_of(page), rest))
                if len(below) <= MAX_PATH_LENGTH and below != path:
                    after.setdefault(below, set()).update(meant)
                    break
        live = await draft.at_paths(after)
        for path, page in live.items():
            found.update((one, (page.id, None)) for one in after.pop(path))
        current = after
    return found
