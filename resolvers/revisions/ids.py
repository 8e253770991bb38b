"""The ids that pages, files and reusable contents have in GraphQL (decision 0049).

In primary content that is their stable id, which /v1 shows everywhere, so that the caches of
clients follow a merge. In a change request and in a revision they have an id of their own, for
there they are other objects: the same page with another title. It is made of three parts,

    KIND~PLACE~STABLE-ID

where the kind is that of a content reference and the place a change request, a revision, or (where
something else has the stable id already) a space. Stable ids have no `~`.

What was asked for by a change request or a revision has the id of that place. What was come by
otherwise has an id by what its revision is: the active one of its space, the newest of a change
request, or neither.
"""

from collections.abc import Iterable, Iterator, Sequence, Set
from copy import copy
from dataclasses import dataclass
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, and_, select, union_all

from db.models.change_requests import ChangeRequest
from db.models.content import ContentHomonym, Revision
from db.models.content_index import index_state
from db.models.spaces import Space
from db.prepared import among
from resolvers.change_requests.operations import addressing, naming_of
from resolvers.core.context import Context
from resolvers.core.errors import invalid
from resolvers.core.nodes import SEPARATOR
from resolvers.core.statements import Viewer, Written, statement
from resolvers.revisions.rows import File, Page, ReusableContent

Row = Page | File | ReusableContent
Found = TypeVar("Found", Page, File, ReusableContent)
PAGE, FILE, REUSABLE_CONTENT = "page", "file", "reusable-content"
KINDS: dict[type[Any], str] = {Page: PAGE, File: FILE, ReusableContent: REUSABLE_CONTENT}
# The maps of a revision that have them.
MAPS = {PAGE: "pages_root", FILE: "files_root", REUSABLE_CONTENT: "contents_root"}
# The fields with the stable ids.
STABLE = {PAGE: "pageId", FILE: "fileId", REUSABLE_CONTENT: "reusableContentId"}
# The longest of them: stable ids and those of places have at most 64 characters.
LONGEST = len(REUSABLE_CONTENT) + 1 + 64 + 1 + 64
# The place of what a source of computed content makes, which is stored nowhere.
COMPUTED = "computed"


@dataclass(frozen=True, slots=True)
class PlacedId:
    """An id with the place that its object is in."""

    kind: str
    place: str
    id: str

    def __str__(self) -> str:
        return SEPARATOR.join((self.kind, self.place, self.id))


def placed_id(id: str) -> PlacedId | None:
    """The parts of an id that names a place; None for all others."""
    parts = id.split(SEPARATOR)
    return PlacedId(*parts) if len(parts) == 3 and parts[0] in KINDS.values() else None


# ------------------------------------------------------------------ what was asked for


def asked_for(row: Found, change_request_id: str | None, revision_id: str | None) -> Found:
    """The row as it was asked for: in a change request, in a revision, or in neither."""
    return _asked(row, revision_id if revision_id is not None else change_request_id)


def asked_like(row: Found, other: Row) -> Found:
    """The row as another row of the same revision was asked for."""
    return _asked(row, other.asked_in)


def _asked(row: Found, place: str | None) -> Found:
    if place is None:
        return row
    # The row may be one of the process, which everybody reads.
    own = copy(row)
    own.asked_in = place
    if isinstance(own, Page):
        own.children = None
    return own


# ------------------------------------------------------------------ from rows to ids


@dataclass(frozen=True, slots=True)
class _Standing:
    """The place of a revision: the active one of its space, or the newest of a change request."""

    active: bool
    change_request_id: str | None
    # Whether something else has the stable ids of some objects of its space.
    homonyms: bool


@statement
def _standings(viewer: Viewer) -> Written:
    # A change request that was not edited yet has a revision that is not its own.
    own = and_(
        ChangeRequest.revision_id == Revision.id,
        ChangeRequest.revision_id != ChangeRequest.revision_initial_id,
    )
    homonyms = select(ContentHomonym.id).where(ContentHomonym.space_id == Revision.space_id)
    return (
        select(
            Revision.id,
            Revision.space_id,
            Revision.id.in_((Space.revision_id, Space.written_id)).label("active"),
            select(ChangeRequest.id).where(own).limit(1).scalar_subquery().label("owner"),
            homonyms.exists().label("homonyms"),
            index_state().label("index"),
        )
        .join(Space, Space.id == Revision.space_id)
        .where(among(Revision.id, "revisions"))
    )


@statement
def _homonyms(viewer: Viewer) -> Written:
    return select(ContentHomonym.space_id, ContentHomonym.kind, ContentHomonym.id).where(
        among(ContentHomonym.space_id, "spaces"), among(ContentHomonym.id, "ids")
    )


@statement
def _named(viewer: Viewer, naming: ColumnElement[bool]) -> Written:
    return select(ChangeRequest.id).where(addressing(naming))


async def content_ids(ctx: Context, rows: Sequence[Row], arguments: Any) -> list[str]:
    """The id of each page, file or reusable content in GraphQL."""
    places = await _places(ctx, rows)
    shared = await _shared(ctx, rows, places)
    ids = []
    for row, place in zip(rows, places, strict=True):
        kind = KINDS[type(row)]
        if place is None and (row.space_id, kind, row.id) in shared:
            place = row.space_id
        ids.append(row.id if place is None else str(PlacedId(kind, place, row.id)))
    return ids


async def stable_ids(ctx: Context, rows: Sequence[Row], arguments: Any) -> list[str]:
    """The id of each row that it has in all places, and in /v1."""
    return [row.id for row in rows]


async def primary_ids(ctx: Context, objects: Sequence[PlacedId]) -> list[str]:
    """The ids that objects have, or had, in the primary content of the spaces that they name."""
    homonyms = await _homonyms.rows(
        ctx, spaces={placed.place for placed in objects}, ids={placed.id for placed in objects}
    )
    shared = {PlacedId(row.kind, row.space_id, row.id) for row in homonyms}
    return [str(placed) if placed in shared else placed.id for placed in objects]


async def asked_places(ctx: Context, rows: Sequence[Row]) -> list[str | None]:
    """The change request or revision, by its id, that each row was asked for in; else None."""
    named = {(row.space_id, row.asked_in) for row in rows if row.asked_in is not None}
    ids: dict[tuple[str, str | None], str] = {
        (space_id, place): await _change_request(ctx, space_id, place)
        if place.isdecimal()
        else place
        for space_id, place in named
    }
    return [ids.get((row.space_id, row.asked_in)) for row in rows]


async def _places(ctx: Context, rows: Sequence[Row]) -> list[str | None]:
    """The place that each row is in; None for primary content."""
    asked_in = await asked_places(ctx, rows)
    standings = await _standing(ctx, {row.revision_id for row in rows if row.asked_in is None})
    places: list[str | None] = []
    for row, place in zip(rows, asked_in, strict=True):
        if place is not None:
            places.append(place)
        elif not row.revision_id:
            places.append(COMPUTED)
        else:
            # A revision that is not there is one of a dry run.
            standing = standings.get(row.revision_id, _Standing(False, None, False))
            other = standing.change_request_id or row.revision_id
            places.append(None if standing.active else other)
    return places


async def _change_request(ctx: Context, space_id: str, number: str) -> str:
    naming, named = naming_of(number)
    rows = await _named.rows(ctx, naming, space_id=space_id, named=named)
    return rows[0].id if rows else number


def _noted(ctx: Context) -> bool:
    """Whether `_standing` notes what ids follow from: people find that by asking for the space."""
    return ctx.actor.visitor is None


async def _standing(ctx: Context, revisions: Set[str]) -> dict[str, _Standing]:
    """The places of revisions, each read once in a request."""
    standings: dict[str, _Standing] = {}
    for id in revisions - {""}:
        cached = ctx.cache.get((_standings, id))
        if cached is not None:
            standings[id] = cached
    missing = revisions - {""} - standings.keys()
    if missing:
        for row in await _standings.rows(ctx, lasting=_noted(ctx), revisions=missing):
            standings[row.id] = _Standing(bool(row.active), row.owner, bool(row.homonyms))
            if not row.active:
                ctx.depend_on_more()
            elif ctx.dependencies is not None:
                ctx.dependencies.add_named(row.space_id, bool(row.homonyms), row.index)
            if not ctx.writing:
                ctx.cache[_standings, row.id] = standings[row.id]
    return standings


async def _shared(
    ctx: Context, rows: Sequence[Row], places: Sequence[str | None]
) -> set[tuple[str, str, str]]:
    """Space, kind and stable id of those rows of primary content whose id something else has."""
    primary = [row for row, place in zip(rows, places, strict=True) if place is None]
    standings = await _standing(ctx, {row.revision_id for row in primary})
    candidates = [row for row in primary if standings[row.revision_id].homonyms]
    if not candidates:
        return set()
    homonyms = await _homonyms.rows(
        ctx,
        lasting=_noted(ctx),
        spaces={row.space_id for row in candidates},
        ids={row.id for row in candidates},
    )
    return {(row.space_id, row.kind, row.id) for row in homonyms}


# ------------------------------------------------------------------ from ids to rows


@statement
def _spaces_of_places(viewer: Viewer) -> Written:
    return (
        union_all(
            *(
                select(column.label("place"), space.label("space_id")).where(
                    among(column, "places")
                )
                for column, space in (
                    (Space.id, Space.id),
                    (ChangeRequest.id, ChangeRequest.space_id),
                    (Revision.id, Revision.space_id),
                )
            )
        )
        .subquery()
        .select()
    )


async def stable_id(ctx: Context, space_id: str, kind: str, id: str, field: str = "id") -> str:
    """The stable id that an argument means: itself, or that of an object of the same space.

    Whatever the place in its id, an object of the space is the same one in all its content.
    Invalid names the `field` with the id of another kind, or of another space.
    """
    placed = placed_id(id)
    if placed is None:
        return id
    if placed.kind != kind:
        raise invalid(field, f"{id!r} is the id of a {placed.kind}, not of a {kind}")
    if not await stable_ids_in(ctx, space_id, [id]):
        raise invalid(
            field, f"{id!r} is of no content of this space; give a `{STABLE[kind]}` of it"
        )
    return placed.id


async def stable_id_by_space(
    ctx: Context, spaces: Iterable[str], kind: str, id: str
) -> dict[str, str]:
    """The stable id that one id means in each of the spaces; without those that it is not about."""
    placed = placed_id(id)
    if placed is None:
        return dict.fromkeys(spaces, id)
    if placed.kind != kind:
        return {}
    rows = await _spaces_of_places.rows(ctx, places={placed.place})
    return {row.space_id: placed.id for row in rows}


async def stable_ids_in(ctx: Context, space_id: str, ids: Iterable[str]) -> dict[str, str]:
    """The stable ids by those ids that name a place in the space; one statement, if any does."""
    stable_ids = await stable_ids_of(ctx, ((space_id, id) for id in ids))
    return {id: stable for (_, id), stable in stable_ids.items()}


async def stable_ids_of(
    ctx: Context, named: Iterable[tuple[str, str]]
) -> dict[tuple[str, str], str]:
    """The stable ids by space and id, of those ids that name a place in that space."""
    placed = {
        pair: placed_pair for pair in named if (placed_pair := placed_id(pair[1])) is not None
    }
    if not placed:
        return {}
    rows = await _spaces_of_places.rows(ctx, places={place.place for place in placed.values()})
    spaces = {row.place: row.space_id for row in rows}
    return {
        (space, id): place.id
        for (space, id), place in placed.items()
        if spaces.get(place.place) == space
    }


def stable_part(kind: str, id: str) -> str:
    """The stable id in an id that names a place; itself in all others, and in those of other kinds.

    For filters of what is in a space anyway: the place is not looked at.
    """
    placed = placed_id(id)
    return id if placed is None or placed.kind != kind else placed.id


# Members of operations on content that name pages, files and reusable contents.
_NAMING = ("page", "parent", "file", "reusable_content", "before", "after")


def ids_in(operations: Iterable[Any]) -> Iterator[str]:
    """The ids that operations of a batch name in their `input`s."""
    for operation in operations:
        for holder in (operation.input, getattr(operation.input, "position", None)):
            for name in _NAMING:
                value = getattr(holder, name, None)
                value = getattr(value, "value", value)
                if isinstance(value, str):
                    yield value
