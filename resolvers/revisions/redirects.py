"""Redirects of content: where old paths lead on, and the rows that primary content has of them.

There are two kinds. A page that moved or was renamed leaves one row for itself, and what is below
it is found by way of it. Other old paths are set: a revision has a map of them, and the primary
content has rows, too (decision 0031).

One matcher knows the rules, for every content that has old paths: primary content, a change request
or a revision, a draft. A live page comes before everything, so the caller has found none. Then come
pages that moved, or with which something above them moved, the nearest first; such a way may lead
to another old path. Then come redirects that are set. Paths are as they are compared.
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
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import orjson
from sqlalchemy import delete, select

from content.hashing import content_id
from content.merkle.read import diff, lookup
from content.slugs import MAX_PATH_LENGTH, normalize_path, slug_key
from db.inserts import ROWS_PER_INSERT, insert_of, parts
from db.models.content import ContentRedirect, PageRedirect, Revision
from db.prepared import among
from resolvers.core.context import Context
from resolvers.core.errors import NotFound
from resolvers.core.statements import Viewer, Written, statement
from resolvers.revisions.limits import DEPTH
from resolvers.revisions.objects import active_revisions, find_at_paths, find_pages
from resolvers.revisions.rows import Page
from resolvers.revisions.store import walk_all, walk_one
from resolvers.revisions.tree import join_path, with_those_above
from resolvers.revisions.write_targets import Target

KEYS_AT_ONCE = 5000
DELETED_AT_ONCE = 500
P = TypeVar("P", bound=Hashable)
# Where pages that were at a path or above it lead: the id of the page, and the path below it to
# look on at; None where the page was at the path itself.
Ways = Sequence[tuple[str, P | None]]
# Other paths that are looked at for one: an old path may lead to a second one below a page that
# moved.
TRIES = 16
# What has the path (the space of primary content, or a revision), and the path.
Place = tuple[str, str]
# What has the page, and its id.
PageKey = tuple[str, str]
# Primary content that the caller may read, by space.
Revisions = Mapping[str, Revision]


@dataclass(frozen=True, slots=True)
class OldPath:
    """Where an old path leads: a page, and a place on it."""

    page: Page
    anchor: str | None = None


class Content(Protocol):
    """Content that has old paths; all is asked for many places at once."""

    async def moved_ids(self, places: Collection[Place]) -> Mapping[Place, Sequence[str]]:
        """Ids of pages that moved from places, and from what these are below."""
        ...

    async def set_at(self, places: Collection[Place]) -> Mapping[Place, tuple[str, str | None]]:
        """The redirects that are set for places: id of a page, and anchor."""
        ...

    async def live_at(self, places: Collection[Place]) -> Mapping[Place, str]:
        """Ids of the pages that are at places."""
        ...

    async def pages(self, keys: Iterable[PageKey]) -> Mapping[PageKey, Page]:
        """Pages with their paths; without those that are not there for the viewer."""
        ...


# One of the three below.
Matching = Callable[[Content, Collection[Place]], Awaitable[dict[Place, OldPath]]]

# ------------------------------------------------------------------ the matcher


async def match(content: Content, places: Collection[Place]) -> dict[Place, OldPath]:
    """Where old paths lead; without those that lead nowhere for the viewer."""
    moved = await match_moved(content, places)
    return moved | await match_set(content, [place for place in places if place not in moved])


async def match_moved(content: Content, places: Collection[Place]) -> dict[Place, OldPath]:
    """Pages that moved from places, or that something above the place has moved with."""

    async def moved(current: Collection[Place]) -> dict[Place, Ways[Place]]:
        ids = await content.moved_ids(current)
        keys = {(of, id) for (of, _), some in ids.items() for id in some}
        pages = await content.pages(keys)
        return {place: list(_ways(place, ids, pages)) for place in current}

    page_ids = await follow_moves([place for place in places if place[1]], moved, content.live_at)
    pages = await content.pages({(of, id) for (of, _), id in page_ids.items()})
    return {
        place: OldPath(pages[place[0], id])
        for place, id in page_ids.items()
        if (place[0], id) in pages
    }


async def match_set(content: Content, places: Collection[Place]) -> dict[Place, OldPath]:
    """Where the redirects lead that are set for places; without those whose page is gone."""
    targets = await content.set_at([place for place in places if place[1]])
    pages = await content.pages({(of, id) for (of, _), (id, _) in targets.items()})
    return {
        place: OldPath(pages[place[0], id], anchor)
        for place, (id, anchor) in targets.items()
        if (place[0], id) in pages
    }


def _ways(
    place: Place, ids: Mapping[Place, Sequence[str]], pages: Mapping[PageKey, Page]
) -> Iterator[tuple[str, Place | None]]:
    """Where pages that were at a path or above it lead, the nearest first.

    A way ends nowhere, and is left out, where the path would be too long, or is the same again.
    """
    of, path = place
    for above in paths_above(path):
        rest = path[len(above) + 1 :]
        for page in (pages.get((of, id)) for id in ids.get((of, above), ())):
            if page is None:
                continue
            below = slug_key(join_path(page.path, rest))
            if not rest:
                yield page.id, None
            elif len(below) <= MAX_PATH_LENGTH and below != path:
                yield page.id, (of, below)


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


# ------------------------------------------------------------------ content of revisions


class _Stored:
    """Revisions that the caller may read, by what has their paths."""

    def __init__(self, ctx: Context, revisions: Revisions) -> None:
        self._ctx, self._revisions = ctx, revisions

    async def live_at(self, places: Collection[Place]) -> dict[Place, str]:
        paths = by_first(places)
        pages_at = await find_at_paths(
            self._ctx, [(self._revisions[of], some) for of, some in paths.items()]
        )
        return {
            (of, path): id
            for of, pages in zip(paths, pages_at, strict=True)
            for path, id in pages.items()
        }

    async def pages(self, keys: Iterable[PageKey]) -> dict[PageKey, Page]:
        ids = by_first(keys)
        if not ids:
            return {}
        listed = await find_pages(
            self._ctx, [(self._revisions[of], some) for of, some in ids.items()]
        )
        return {
            (of, id): page
            for of, pages in zip(ids, listed, strict=True)
            for id, page in pages.items()
        }


class PrimaryContent(_Stored):
    """The primary content of spaces, by space."""

    async def moved_ids(self, places: Collection[Place]) -> dict[Place, list[str]]:
        ids = await old_paths_of_spaces(self._ctx, by_first(places))
        return {place: [id] for place, id in ids.items()}

    async def set_at(self, places: Collection[Place]) -> dict[Place, tuple[str, str | None]]:
        by_key = {(space, path_id(path)): (space, path) for space, path in places}
        if not by_key:
            return {}
        rows = await _set_at.rows(
            self._ctx, spaces={space for space, _ in by_key}, keys={key for _, key in by_key}
        )
        return {
            by_key[row.space_id, row.key]: (row.page_id, row.anchor)
            for row in rows
            if (row.space_id, row.key) in by_key
        }


class OtherContent(_Stored):
    """The content of change requests and older revisions, by revision.

    A draft moves pages that readers, links and redirects still name by their published paths, and
    an older revision has pages at paths of its time. So a path means first the page that the
    primary content has there, or had before it moved.
    """

    async def moved_ids(self, places: Collection[Place]) -> dict[Place, list[str]]:
        spaces = by_first((self._revisions[of].space_id, path) for of, path in places)
        active = await active_revisions(self._ctx, spaces)
        now = await PrimaryContent(self._ctx, active).live_at(
            [(space, path) for space in active for path in spaces[space]]
        )
        old = await old_paths_of_spaces(self._ctx, spaces)
        ids: dict[Place, list[str]] = {}
        for of, path in places:
            live = now.get((self._revisions[of].space_id, path))
            if live is not None:
                ids[of, path] = [live]
        for of, above in {(of, above) for of, path in places for above in paths_above(path)}:
            moved = old.get((self._revisions[of].space_id, above))
            if moved is not None:
                ids.setdefault((of, above), []).append(moved)
        return ids

    async def set_at(self, places: Collection[Place]) -> dict[Place, tuple[str, str | None]]:
        paths = by_first(places)
        walks = [
            (self._revisions[of].space_id, lookup(self._revisions[of].redirects_root, some))
            for of, some in paths.items()
        ]
        return {
            (of, path): (entry["page"], entry.get("anchor"))
            for of, entries in zip(paths, await walk_all(self._ctx, walks), strict=True)
            for path, entry in entries.items()
        }


async def find_redirect(
    ctx: Context,
    revision: Revision,
    path: str,
    matching: Matching = match,
) -> OldPath:
    """Where an old path of primary content leads; NotFound when it leads nowhere."""
    place = revision.space_id, normalize_path(path)
    content = PrimaryContent(ctx, {revision.space_id: revision})
    redirect = (await matching(content, [place])).get(place)
    if redirect is None:
        raise NotFound(f"there is no page at {path!r} in this content")
    return redirect


async def pages_led_to(ctx: Context, revisions: Sequence[Revision], path: str) -> list[Page | None]:
    """The page that a path leads to in each change request or revision; None where in none."""
    normalized = normalize_path(path)
    if not revisions or normalized.count("/") >= DEPTH:
        return [None] * len(revisions)
    content = OtherContent(ctx, {revision.id: revision for revision in revisions})
    led_to = await match(content, {(revision.id, normalized) for revision in revisions})
    ends = [led_to.get((revision.id, normalized)) for revision in revisions]
    return [None if end is None else end.page for end in ends]


def by_first(pairs: Iterable[tuple[str, str]]) -> dict[str, set[str]]:
    """What comes second in pairs, by what comes first."""
    seconds: dict[str, set[str]] = {}
    for first, second in pairs:
        seconds.setdefault(first, set()).add(second)
    return seconds


@statement
def _set_at(viewer: Viewer) -> Written:
    # Of several spaces this may find a path that only another one was asked for.
    return select(
        ContentRedirect.space_id,
        ContentRedirect.key,
        ContentRedirect.page_id,
        ContentRedirect.anchor,
    ).where(among(ContentRedirect.space_id, "spaces"), among(ContentRedirect.key, "keys"))


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
    for some in parts(sorted(keys), KEYS_AT_ONCE):
        rows = await _at_several.rows(ctx, spaces=set(paths_by_space), keys=set(some))
        page_ids |= {(row.space_id, row.path): row.page_id for row in rows}
    return page_ids


def path_id(path: str) -> str:
    """The key of a path in rows: a digest, because paths are too long for an index."""
    return content_id(orjson.dumps(path))


def paths_above(path: str) -> list[str]:
    """A path and all that it is below, the path itself first; not the root."""
    segments = path.split("/") if path else []
    return ["/".join(segments[:end]) for end in range(len(segments), 0, -1)]


def redirect_keys(path: str) -> list[str]:
    """Keys of the redirects that may lead on from a path, which is normalized."""
    return [path_id(above) for above in paths_above(path)]


# ------------------------------------------------------------------ rows of primary content


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
    (pages,) = await with_those_above(ctx, [(before, still)])
    paths = {id: slug_key(pages[id].path) for id in still if id in pages}
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
    for some in parts(rows, ROWS_PER_INSERT):
        await ctx.session.execute(upsert, some)


async def follow_redirects(
    ctx: Context, target: Target, before: Revision | None, after: Revision
) -> None:
    """Bring the rows of a space's redirects to its new revision."""
    if target.space is None:
        return
    root = None if before is None else before.redirects_root
    changes = await walk_one(ctx, after.space_id, diff(root, after.redirects_root))
    gone = [path_id(change.key) for change in changes if change.after is None]
    for some in parts(gone, DELETED_AT_ONCE):
        await ctx.session.execute(
            delete(ContentRedirect).where(
                ContentRedirect.space_id == after.space_id, ContentRedirect.key.in_(some)
            )
        )
    rows = [
        {
            "space_id": after.space_id,
            "key": path_id(change.key),
            "page_id": change.after["page"],
            "anchor": change.after.get("anchor"),
        }
        for change in changes
        if change.after is not None
    ]
    await put_redirects(ctx, ContentRedirect, rows, ("page_id", "anchor"))
