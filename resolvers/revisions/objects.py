"""Pages, files and reusable contents of revisions: by their ids, and pages by their paths.

Whatever the number of revisions and of objects, all are read at once: pages a level of the tree at
a time, because their paths follow from those above them.
"""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from sqlalchemy import select

from content.errors import SlugError
from content.merkle.node import Value
from content.merkle.read import lookup, scan
from content.merkle.walk import Walk
from content.pages.stored import has_slugs
from content.recent_cache import RecentCache
from content.slugs import normalize_path
from db.content_enums import PageType
from db.models.content import Revision
from db.models.spaces import Space
from db.prepared import among
from resolvers.access.policy import visible
from resolvers.core.batch_functions import Columns
from resolvers.core.context import Context
from resolvers.core.errors import NotFound, invalid_at
from resolvers.core.statements import Statement, Viewer, Written, statement
from resolvers.revisions.ids import FILE, REUSABLE_CONTENT, asked_for, stable_id
from resolvers.revisions.read_targets import ROOTS, find_revision
from resolvers.revisions.rows import File, Page, ReusableContent, content_of, file_of
from resolvers.revisions.store import walk_all
from resolvers.revisions.tree import (
    all_children_of,
    children_of,
    find_with_those_above,
    hidden_from,
)

Row = TypeVar("Row", File, ReusableContent)
Object = TypeVar("Object")
# Ids of objects by the revision that they are looked for in.
Lookups = Sequence[tuple[Revision, Iterable[str]]]
# A revision and an id, neither of which need be there.
Pairs = Iterable[tuple[Revision | None, str | None]]
# The landing page of a revision as a tree of one page: finding it reads all of the top level.
LANDINGS: RecentCache[tuple[str, str], list[Page]] = RecentCache(10_000, len)

# ------------------------------------------------------------------ revisions


@statement
def _active(viewer: Viewer) -> Written:
    return (
        select(Revision)
        .join(Space, Space.revision_id == Revision.id)
        .where(among(Space.id, "spaces"))
    )


@statement
def _readable(viewer: Viewer) -> Written:
    active = select(Space.revision_id).where(among(Space.id, "spaces"))
    return visible(viewer, Revision).where(Revision.id.in_(active))


async def active_revisions(
    ctx: Context, spaces: Iterable[str], columns: Columns = ROOTS
) -> dict[str, Revision]:
    """The active revisions of spaces that the caller may read, by space."""
    return await _by_space(ctx, _active, spaces, columns)


async def readable_revisions(ctx: Context, spaces: Iterable[str]) -> dict[str, Revision]:
    """The active revisions of those spaces that the caller may read, by space."""
    return await _by_space(ctx, _readable, spaces, ROOTS)


async def _by_space(
    ctx: Context, revisions: Statement, spaces: Iterable[str], columns: Columns
) -> dict[str, Revision]:
    space_ids = set(spaces)
    if not space_ids:
        return {}
    rows = await revisions.rows(ctx, columns=columns, spaces=space_ids)
    return {revision.space_id: revision for revision in rows}


# ------------------------------------------------------------------ by id


async def hidden_in(ctx: Context, spaces: Iterable[str]) -> dict[str, frozenset[str]]:
    """Ids of primary pages that are hidden from the viewer, by space; no spaces that hide none.

    For people of the organization there are none, and nothing is read.
    """
    if ctx.actor.visitor is None:
        return {}
    revisions = await active_revisions(ctx, spaces)
    hidden = await hidden_from(ctx, revisions.values())
    return {
        revision.space_id: hidden[revision.id]
        for revision in revisions.values()
        if revision.id in hidden
    }


async def find_pages(ctx: Context, targets: Lookups) -> list[dict[str, Page]]:
    """Pages with their paths by id, for each revision; without those that it does not have.

    Nor those that are not there for the viewer.
    """
    lookups = [(revision, set(ids)) for revision, ids in targets]
    found_pages = await find_with_those_above(ctx, lookups)
    return [
        {id: pages[id] for id in ids & pages.keys()}
        for (_, ids), pages in zip(lookups, found_pages, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class Kind(Generic[Row]):
    """Files, or reusable contents: what ids call them, and the map of a revision that has them."""

    name: str
    root: str
    row_of: Callable[[str, str, str, Value], Row]

    @property
    def called(self) -> str:
        """What people call one."""
        return self.name.replace("-", " ")

    async def find(self, ctx: Context, targets: Lookups) -> list[dict[str, Row]]:
        """Those with some ids, by id, for each revision; without those that it does not have."""
        walks = [
            (revision.space_id, lookup(getattr(revision, self.root), ids))
            for revision, ids in targets
        ]
        return [
            {id: self._row(revision, id, entry) for id, entry in entries.items()}
            for (revision, _), entries in zip(targets, await walk_all(ctx, walks), strict=True)
        ]

    async def get(self, ctx: Context, revision: Revision, id: str) -> Row | None:
        """The one with an id; None when the revision has none."""
        (rows,) = await self.find(ctx, [(revision, [id])])
        return rows.get(id)

    async def all(self, ctx: Context, revisions: Sequence[Revision]) -> list[list[Row]]:
        """Every one of each revision, by id."""
        walks = [(revision.space_id, scan(getattr(revision, self.root))) for revision in revisions]
        return [
            [self._row(revision, id, entry) for id, entry in entries]
            for revision, entries in zip(revisions, await walk_all(ctx, walks), strict=True)
        ]

    def _row(self, revision: Revision, id: str, entry: Value) -> Row:
        return self.row_of(revision.space_id, revision.id, id, entry)


FILES = Kind(FILE, "files_root", file_of)
CONTENTS = Kind(REUSABLE_CONTENT, "contents_root", content_of)


async def get_object(
    ctx: Context,
    kind: Kind[Row],
    space_id: str,
    id: str,
    change_request_id: str | None,
    revision_id: str | None,
) -> Row:
    """A file or reusable content, by its id, of the content that a read is about."""
    revision = await find_revision(ctx, space_id, change_request_id, revision_id)
    row = await kind.get(ctx, revision, await stable_id(ctx, space_id, kind.name, id))
    if row is None:
        raise NotFound(f"{kind.called} {id!r} does not exist in this content")
    return asked_for(row, change_request_id, revision_id)


async def each_object(
    ctx: Context,
    find: Callable[[Context, Lookups], Awaitable[list[dict[str, Object]]]],
    pairs: Pairs,
) -> list[Object | None]:
    """The object of each revision and id by `find_pages`, or by `find` of a kind; None without."""
    listed = list(pairs)
    lookups: dict[str, tuple[Revision, set[str]]] = {}
    for revision, id in listed:
        if revision is not None and id is not None:
            lookups.setdefault(revision.id, (revision, set()))[1].add(id)
    if not lookups:
        return [None] * len(listed)
    objects = dict(zip(lookups, await find(ctx, list(lookups.values())), strict=True))
    return [
        None if revision is None or id is None else objects[revision.id].get(id)
        for revision, id in listed
    ]


# ------------------------------------------------------------------ by path


def read_path(path: str) -> str:
    """A path as it is compared; Invalid names what is wrong with it."""
    with invalid_at("path", SlugError, without="path: "):
        return normalize_path(path)


async def find_page_by_path(ctx: Context, revision: Revision, path: str) -> Page:
    """The document or group at a path; the landing page for the empty one."""
    if not read_path(path):
        return await find_landing_page(ctx, revision)
    (page,) = await pages_at_path(ctx, [revision], path)
    if page is None:
        raise NotFound(f"there is no page at {path!r} in this content")
    return page


async def pages_at_path(
    ctx: Context, revisions: Sequence[Revision | None], path: str
) -> list[Page | None]:
    """The document or group at a path in each revision; the landing page for the empty path."""
    normal = read_path(path)
    there = [revision for revision in revisions if revision is not None]
    if not normal:
        landing = iter(await find_landing_pages(ctx, there))
        return [None if revision is None else next(landing) for revision in revisions]
    pages_at = iter(await find_at_paths(ctx, [(revision, [normal]) for revision in there]))
    ids = [None if revision is None else next(pages_at).get(normal) for revision in revisions]
    return await each_object(ctx, find_pages, zip(revisions, ids, strict=True))


async def find_at_paths(ctx: Context, lookups: Lookups) -> list[dict[str, str]]:
    """Ids of the pages at paths of slugs, as they are compared, by path, for each revision.

    All are looked up at once, a level at a time; without paths that lead nowhere, or to pages
    that are not there for the viewer.
    """
    walks = [
        (revision.space_id, _at_paths(revision.slugs_root, paths)) for revision, paths in lookups
    ]
    pages_at = await walk_all(ctx, walks)
    hidden = await hidden_from(ctx, [revision for revision, _ in lookups])
    return [
        {path: id for path, id in pages.items() if id not in hidden.get(revision.id, frozenset())}
        for (revision, _), pages in zip(lookups, pages_at, strict=True)
    ]


def _at_paths(slugs_root: str | None, paths: Iterable[str]) -> Walk[dict[str, str]]:
    page_ids: dict[str, str] = {}
    left = [("", path, path) for path in set(paths) if has_slugs(path)]
    while left:
        keys = {f"{above}/{rest.partition('/')[0]}" for above, rest, _ in left}
        there = yield from lookup(slugs_root, keys)
        below = []
        for above, rest, path in left:
            slug, _, rest = rest.partition("/")
            entry = there.get(f"{above}/{slug}")
            if entry is not None and rest:
                below.append((str(entry["id"]), rest, path))
            elif entry is not None:
                page_ids[path] = str(entry["id"])
        left = below
    return page_ids


async def find_landing_page(ctx: Context, revision: Revision) -> Page:
    """The landing page of one revision; NotFound without one."""
    (page,) = await find_landing_pages(ctx, [revision])
    if page is None:
        raise NotFound("this content has no page")
    return page


async def find_landing_pages(ctx: Context, revisions: Sequence[Revision]) -> list[Page | None]:
    """The first document of each tree; only groups, which stand at the top, are looked into."""
    keys = [
        (revision.space_id, f"{revision.pages_root} {revision.slugs_root}")
        for revision in revisions
    ]
    # Those of who sees all pages.
    cached = [LANDINGS.get(key) for key in keys]
    unread = [index for index, landing in enumerate(cached) if landing is None]
    landings: list[Page | None] = [None] * len(revisions)
    first = await _first_documents(ctx, [revisions[index] for index in unread], all_children_of)
    for index, landing in zip(unread, first, strict=True):
        if landing is not None:
            cached[index] = [landing]
            LANDINGS.put(keys[index], [landing])
            landings[index] = landing if ctx.actor.visitor is None else None
    ids = {
        index: landing[0].id
        for index, landing in enumerate(cached)
        if landing and landings[index] is None
    }
    shown = await find_with_those_above(
        ctx, [(revisions[index], {id}) for index, id in ids.items()]
    )
    for (index, id), pages in zip(ids.items(), shown, strict=True):
        landings[index] = pages.get(id)
    hidden = [index for index in ids if landings[index] is None]
    others = await _first_documents(ctx, [revisions[index] for index in hidden], children_of)
    for index, page in zip(hidden, others, strict=True):
        landings[index] = page
    return landings


class _Below(Protocol):
    async def __call__(self, ctx: Context, pages: Sequence[Page]) -> list[list[Page]]: ...


async def _first_documents(
    ctx: Context, revisions: Sequence[Revision], below: _Below
) -> list[Page | None]:
    tops = [
        Page(
            space_id=revision.space_id,
            revision_id=revision.id,
            id="",
            type=PageType.GROUP,
            title="",
            parent_id=None,
            order="",
            pages_root=revision.pages_root,
            slugs_root=revision.slugs_root,
        )
        for revision in revisions
    ]  # fmt: skip
    documents: list[Page | None] = [None] * len(revisions)
    left = {index: iter(level) for index, level in enumerate(await below(ctx, tops))}
    while left:
        groups: dict[int, Page] = {}
        for index, level in list(left.items()):
            page = next(
                (page for page in level if page.type in (PageType.DOCUMENT, PageType.GROUP)), None
            )
            if page is not None and page.type is PageType.GROUP:
                groups[index] = page
            else:
                documents[index] = page
                del left[index]
        for index, inner in zip(groups, await below(ctx, list(groups.values())), strict=True):
            document = next((page for page in inner if page.type is PageType.DOCUMENT), None)
            if document is not None:
                documents[index] = document
                del left[index]
    return documents
