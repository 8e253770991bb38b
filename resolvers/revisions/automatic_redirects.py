"""Automatic redirects: pages that moved or were renamed are still found at their old paths.

Only primary content has them. A page that moves leaves one row for itself; what is below it is
found by way of it. A live page always comes before a redirect.
"""

from collections.abc import (
    Awaitable,
    Callable,
    Collection,
    Hashable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from typing import Any, TypeVar

import orjson
from sqlalchemy import select

from content.hashing import content_id
from content.merkle.read import diff, lookup
from content.slugs import MAX_PATH_LENGTH, slug_key
from db.inserts import ROWS_PER_INSERT, insert_of
from db.models.content import ContentRedirect, PageRedirect, Revision
from db.prepared import among
from resolvers.core.context import Context
from resolvers.core.statements import Viewer, Written, statement
from resolvers.revisions.rows import Page
from resolvers.revisions.store import walk_one
from resolvers.revisions.tree import DEPTH_LIMIT, join_path
from resolvers.revisions.write_targets import Target

KEYS_AT_ONCE = 5000
P = TypeVar("P", bound=Hashable)
# Where pages that were at a path or above it lead: the id of the page, and the path below it to
# look on at; None where the page was at the path itself.
Ways = Sequence[tuple[str, P | None]]
# Other paths that are looked at for one: an old path may lead to a second one below a page that
# moved.
TRIES = 16


def path_id(path: str) -> str:
    """The key of a path in rows: a digest, because paths are too long for an index."""
    return content_id(orjson.dumps(path))


async def record_redirects(
    ctx: Context, target: Target, before: Revision | None, after: Revision
) -> None:
    """Note the old path of each page that has another place or slug in `after`."""
    if target.space is None or before is None:
        return
    changes = await walk_one(ctx, after.space_id, diff(before.slugs_root, after.slugs_root))
    # A page without a slug (":id" in the map) has no path of its own.
    left = {
        change.before["id"]
        for change in changes
        if change.before is not None
        and "/:" not in change.key
        and (change.after is None or change.after["id"] != change.before["id"])
    }
    still = await walk_one(ctx, after.space_id, lookup(after.pages_root, left))
    paths = await _paths(ctx, before, still)
    rows = [
        {
            "space_id": after.space_id,
            "key": path_id(path),
            "path": path,
            "page_id": page_id,
            "created_at": ctx.now(),
        }
        for page_id, path in paths.items()
        if path
    ]
    await put_redirects(ctx, PageRedirect, rows, ("page_id", "created_at"))


async def put_redirects(
    ctx: Context,
    model: type[PageRedirect] | type[ContentRedirect],
    rows: Sequence[dict[str, Any]],
    changing: Iterable[str],
) -> None:
    """Write redirects; those that are there get the attributes `changing`."""
    upsert = insert_of(ctx.session, model)
    upsert = upsert.on_conflict_do_update(
        index_elements=["space_id", "key"],
        set_={name: upsert.excluded[name] for name in changing},
    )
    for start in range(0, len(rows), ROWS_PER_INSERT):
        await ctx.session.execute(upsert, rows[start : start + ROWS_PER_INSERT])


async def _paths(ctx: Context, revision: Revision, page_ids: Iterable[str]) -> dict[str, str]:
    """The paths that pages have in a revision, as they are matched; a level at a time."""
    slugs: dict[str, tuple[str | None, str | None]] = {}
    page_ids = list(page_ids)
    ids = set(page_ids)
    for _ in range(DEPTH_LIMIT):
        if not ids:
            break
        entries = await walk_one(ctx, revision.space_id, lookup(revision.pages_root, ids))
        slugs.update(
            (id, (entry.get("slug"), entry.get("parent"))) for id, entry in entries.items()
        )
        ids = {parent for _, parent in slugs.values() if parent is not None} - slugs.keys()
    return {id: _path(slugs, id) for id in page_ids if id in slugs}


def _path(slugs: dict[str, tuple[str | None, str | None]], page_id: str) -> str:
    path, at = "", 0
    current: str | None = page_id
    while current is not None and current in slugs and at < DEPTH_LIMIT:
        slug, current = slugs[current]
        if slug is not None:
            path = f"{slug_key(slug)}/{path}" if path else slug_key(slug)
        at += 1
    return path


@statement
def _at_several(viewer: Viewer) -> Written:
    # Of several spaces this may find a path that only another one was asked for: that does no harm.
    return select(PageRedirect.space_id, PageRedirect.path, PageRedirect.page_id).where(
        among(PageRedirect.space_id, "spaces"), among(PageRedirect.key, "keys")
    )


async def old_paths_of_spaces(
    ctx: Context, paths_by_space: Mapping[str, Iterable[str]]
) -> dict[tuple[str, str], str]:
    """Ids of pages that moved, by space and old path: those of some paths of each space, and of
    what they are below. The caller may read the spaces."""
    keys = {path_id(above) for paths in paths_by_space.values() for path in paths
            for above in paths_above(path)}  # fmt: skip
    page_ids: dict[tuple[str, str], str] = {}
    ordered = sorted(keys)
    for start in range(0, len(ordered), KEYS_AT_ONCE):
        some = set(ordered[start : start + KEYS_AT_ONCE])
        rows = await _at_several.rows(ctx, spaces=set(paths_by_space), keys=some)
        page_ids |= {(row.space_id, row.path): row.page_id for row in rows}
    return page_ids


def moved_from(
    path: str, rows: Mapping[str, str], pages: Mapping[str, Page]
) -> Iterator[tuple[Page, str]]:
    """Pages that were at a path or above it, by `rows` of old paths, with the rest of the path
    below them; the nearest first."""
    for above in paths_above(path):
        page = pages.get(rows.get(above, ""))
        if page is not None:
            yield page, path[len(above) + 1 :]


def ways_of(path: str, moved: Iterable[tuple[Page, str]]) -> Ways[str]:
    """Where pages that were at a path or above it lead, by what `moved_from` gives of them.

    A way ends nowhere, and is left out, where the path would be too long, or is the same again.
    """
    ways: list[tuple[str, str | None]] = []
    for page, rest in moved:
        below = slug_key(join_path(page.path, rest)) if rest else None
        if below is None or (len(below) <= MAX_PATH_LENGTH and below != path):
            ways.append((page.id, below))
    return ways


async def follow_moves(
    paths: Iterable[P],
    moved: Callable[[Collection[P]], Awaitable[Mapping[P, Ways[P]]]],
    live: Callable[[Collection[P]], Awaitable[Mapping[P, str]]],
) -> dict[P, str]:
    """Ids of pages that moved from paths, or that something above the path has moved with.

    `moved` gives the ways on from each path, the nearest first; `live` the pages that are at paths
    now. Both are called for all paths at once. At most 16 other paths are looked at for each.
    """
    page_ids: dict[P, str] = {}
    # What is looked at next for each path, in order, and what was looked at for it.
    waiting = {path: [path] for path in paths}
    tried = {path: {path} for path in waiting}
    while waiting:
        ways = await moved({path for some in waiting.values() for path in some})
        after: dict[P, list[tuple[str, P | None]]] = {}
        for path, some in waiting.items():
            after[path] = []
            for page_id, below in (way for path in some for way in ways.get(path, ())):
                if below is not None and (below in tried[path] or len(tried[path]) > TRIES):
                    continue
                if below is not None:
                    tried[path].add(below)
                after[path].append((page_id, below))
        there = await live({below for some in after.values() for _, below in some if below})
        waiting = {}
        for path, ends_of in after.items():
            ends = (id if below is None else there.get(below) for id, below in ends_of)
            end = next((id for id in ends if id is not None), None)
            following = [below for _, below in ends_of if below is not None]
            if end is not None:
                page_ids[path] = end
            elif following:
                waiting[path] = following
    return page_ids


def paths_above(path: str) -> list[str]:
    """A path and all that it is below, the path itself first; not the root."""
    segments = path.split("/") if path else []
    return ["/".join(segments[:end]) for end in range(len(segments), 0, -1)]


def redirect_keys(path: str) -> list[str]:
    """Keys of the redirects that may lead on from a path, which is normalized."""
    return [path_id(above) for above in paths_above(path)]
