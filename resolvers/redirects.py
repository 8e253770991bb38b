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
from sqlalchemy import bindparam, select

from content.hashing import content_id
from content.merkle.read import diff, lookup
from content.slugs import MAX_PATH_LENGTH, normalize_path, slug_key
from db.inserts import ROWS_PER_INSERT, insert_of
from db.models.content import ContentRedirect, PageRedirect, Revision
from db.prepared import KEY, among
from resolvers.content_store import walk_one
from resolvers.content_targets import Target
from resolvers.context import Context
from resolvers.errors import NotFound
from resolvers.page_rows import Page
from resolvers.page_tree import DEPTH_LIMIT, find_page, join_path
from resolvers.pages_at_paths import find_page_by_path
from resolvers.statements import Asks, Written, statement

KEYS_AT_ONCE = 5000
# Old paths may lead to old paths, where several pages have moved.
STEPS = 4
P = TypeVar("P", bound=Hashable)
# Paths that one search tries: an old path may lead to a second one below a page that moved.
TRIES = 16


def path_id(path: str) -> str:
    """What rows have in place of a path, which has no bound that fits into an index."""
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
    wanted = set(page_ids)
    for _ in range(DEPTH_LIMIT):
        if not wanted:
            break
        found = await walk_one(ctx, revision.space_id, lookup(revision.pages_root, wanted))
        slugs.update((id, (one.get("slug"), one.get("parent"))) for id, one in found.items())
        wanted = {parent for _, parent in slugs.values() if parent is not None} - slugs.keys()
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
def _at(asks: Asks) -> Written:
    return select(PageRedirect.path, PageRedirect.page_id).where(
        PageRedirect.space_id == bindparam("space_id", type_=KEY),
        among(PageRedirect.key, "keys"),
    )


async def find_moved(ctx: Context, revision: Revision, path: str) -> Page:
    """The page that was at a path of primary content before it moved; NotFound without one.

    The caller has found no live page at this path.
    """
    waiting, seen = [normalize_path(path)], set[str]()
    while waiting and len(seen) < TRIES:
        current = waiting.pop(0)
        if current in seen or not current:
            continue
        seen.add(current)
        for old, page_id in await _leading(ctx, revision.space_id, current):
            try:
                page = await find_page(ctx, revision, page_id)
            except NotFound:
                # It was deleted after it had moved.
                continue
            rest = current[len(old) + 1 :]
            if not rest:
                return page
            below = join_path(page.path, rest)
            if len(below) > MAX_PATH_LENGTH:
                continue
            try:
                return await find_page_by_path(ctx, revision, below)
            except NotFound:
                waiting.append(normalize_path(below))
    raise NotFound(f"there is no page at {path!r} in this content")


async def _leading(ctx: Context, space_id: str, path: str) -> list[tuple[str, str]]:
    """(old path, page id) of the redirects of a path and of what it is below; longest first."""
    found = await find_old_paths(ctx, space_id, [path])
    return [(one, found[one]) for one in paths_above(path) if one in found]


async def find_old_paths(ctx: Context, space_id: str, paths: Iterable[str]) -> dict[str, str]:
    """Ids of pages that moved, by old path: those of some paths, and of what they are below."""
    return {
        path: page_id
        for (_, path), page_id in (await old_paths_of_spaces(ctx, {space_id: paths})).items()
    }


@statement
def _at_several(asks: Asks) -> Written:
    # Of several spaces this may find a path that only another one was asked for: that does no harm.
    return select(PageRedirect.space_id, PageRedirect.path, PageRedirect.page_id).where(
        among(PageRedirect.space_id, "spaces"), among(PageRedirect.key, "keys")
    )


async def old_paths_of_spaces(
    ctx: Context, wanted: Mapping[str, Iterable[str]]
) -> dict[tuple[str, str], str]:
    """Ids of pages that moved, by space and old path: those of some paths of each space, and of
    what they are below. The caller may read the spaces."""
    keys = {path_id(above) for paths in wanted.values() for path in paths
            for above in paths_above(path)}  # fmt: skip
    found: dict[tuple[str, str], str] = {}
    ordered = sorted(keys)
    for start in range(0, len(ordered), KEYS_AT_ONCE):
        some = set(ordered[start : start + KEYS_AT_ONCE])
        rows = await _at_several.rows(ctx, spaces=set(wanted), keys=some)
        found |= {(row.space_id, row.path): row.page_id for row in rows}
    return found


def moved_from(
    path: str, rows: Mapping[str, str], pages: Mapping[str, Page]
) -> Iterator[tuple[Page, str]]:
    """Pages that were at a path or above it, by `rows` of old paths, with the rest of the path
    below them; the nearest first."""
    for above in paths_above(path):
        page = pages.get(rows.get(above, ""))
        if page is not None:
            yield page, path[len(above) + 1 :]


def path_below(path: str, rest: str, before: str) -> str | None:
    """Where to look on for what was below a page that is at `path` now, as it is compared; None
    where that is too long, or where it was looked for `before`."""
    below = slug_key(join_path(path, rest))
    return below if len(below) <= MAX_PATH_LENGTH and below != before else None


async def follow_moves(
    paths: Iterable[P],
    moved: Callable[[Collection[P]], Awaitable[Mapping[P, tuple[str, P | None]]]],
    live: Callable[[Collection[P]], Awaitable[Mapping[P, str]]],
) -> dict[P, str]:
    """Ids of pages that moved from paths, or that something above the path has moved with.

    `moved` tells by path the page that was there, or that it was below, with the place to look on;
    `live` the pages that are at paths now. All are asked for all paths at once.
    """
    found: dict[P, str] = {}
    # What is looked for now -> the paths it stands for.
    current = {path: {path} for path in paths}
    for _ in range(STEPS):
        if not current:
            break
        after: dict[P, set[P]] = {}
        for path, (page_id, below) in (await moved(current)).items():
            if below is None:
                found.update((one, page_id) for one in current[path])
            else:
                after.setdefault(below, set()).update(current[path])
        for path, page_id in (await live(after)).items():
            found.update((one, page_id) for one in after.pop(path))
        current = after
    return found


def paths_above(path: str) -> list[str]:
    """A path and all that it is below, the path itself first; not the root."""
    segments = path.split("/") if path else []
    return ["/".join(segments[:end]) for end in range(len(segments), 0, -1)]


def redirect_keys(path: str) -> list[str]:
    """Keys of the redirects that may lead on from a path, which is normalized."""
    return [path_id(one) for one in paths_above(path)]
