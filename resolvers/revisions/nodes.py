"""Pages, files and reusable contents by their ids in GraphQL, wherever they are."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import literal, select, union_all

from content.merkle.read import lookup
from db.models.change_requests import ChangeRequest
from db.models.content import ContentOwner, Revision
from db.models.spaces import Space
from db.prepared import among
from resolvers.access.policy import visible
from resolvers.core.context import Context
from resolvers.core.statements import Viewer, Written, statement
from resolvers.revisions.ids import FILE, PAGE, Row, asked_for, content_ids, placed_id
from resolvers.revisions.pages_by_id import find_pages
from resolvers.revisions.read_targets import revisions_by_id
from resolvers.revisions.rows import content_of, file_of
from resolvers.revisions.store import walk_all


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What an id means: an object of a revision, and the place that it was asked for in."""

    id: str
    kind: str
    stable_id: str
    revision_id: str
    # None for primary content.
    place: str | None


@statement
def _owned(viewer: Viewer) -> Written:
    return (
        select(ContentOwner.id, ContentOwner.kind, Space.revision_id)
        .join(Space, Space.id == ContentOwner.space_id)
        .where(among(ContentOwner.id, "ids"))
    )


@statement
def _places(viewer: Viewer) -> Written:
    """The newest revision of spaces and of change requests that the caller sees, and revisions
    themselves."""
    found = union_all(
        *(
            rows.where(among(model.id, "places")).with_only_columns(
                model.id.label("place"),
                revision.label("revision_id"),
                literal(primary).label("primary"),
            )
            for rows, model, revision, primary in (
                (select(Space), Space, Space.revision_id, 1),
                # One that was not edited has a revision which visitors read; of it they know not.
                (visible(viewer, ChangeRequest), ChangeRequest, ChangeRequest.revision_id, 0),
                (select(Revision), Revision, Revision.id, 0),
            )
        )
    ).subquery()
    return select(found.c.place, found.c.revision_id, found.c.primary)


async def find_content(ctx: Context, ids: Iterable[str]) -> dict[str, Row]:
    """Objects of content by their ids in GraphQL; without those not there for who asks.

    The number of statements does not depend on how many there are.
    """
    wanted = await _wanted(ctx, ids)
    if not wanted:
        return {}
    revisions = await revisions_by_id(ctx, (one.revision_id for one in wanted))
    there = [one for one in wanted if one.revision_id in revisions]
    objects = await _pages(ctx, revisions, [one for one in there if one.kind == PAGE])
    objects |= await _entries(ctx, revisions, [one for one in there if one.kind != PAGE])
    found: dict[str, Row] = {}
    for one in there:
        row = objects.get((one.kind, one.revision_id, one.stable_id))
        if row is not None:
            found[one.id] = asked_for(row, None, one.place)
    # Other spellings of an id are none.
    named = await content_ids(ctx, list(found.values()), None)
    return {id: row for (id, row), own in zip(found.items(), named, strict=True) if id == own}


async def _wanted(ctx: Context, ids: Iterable[str]) -> list[_Wanted]:
    """What ids mean; without those that mean nothing."""
    known = {id: placed_id(id) for id in ids}
    stable = [id for id, placed in known.items() if placed is None]
    places = {placed.place for placed in known.values() if placed is not None}
    wanted = [
        _Wanted(row.id, row.kind, row.id, row.revision_id, None)
        for row in (await _owned.rows(ctx, ids=stable) if stable else ())
    ]
    revisions = {row.place: row for row in await _places.rows(ctx, places=places)} if places else {}
    for id, placed in known.items():
        if placed is not None and placed.place in revisions:
            row = revisions[placed.place]
            place = None if row.primary else placed.place
            wanted.append(_Wanted(id, placed.kind, placed.id, row.revision_id, place))
    return wanted


Objects = dict[tuple[str, str, str], Any]


async def _pages(
    ctx: Context, revisions: Mapping[str, Revision], wanted: Sequence[_Wanted]
) -> Objects:
    """Pages by kind, revision and stable id."""
    asked: dict[str, set[str]] = {}
    for one in wanted:
        asked.setdefault(one.revision_id, set()).add(one.stable_id)
    found = await find_pages(ctx, [(revisions[id], pages) for id, pages in asked.items()])
    return {
        (PAGE, revision, id): page
        for revision, pages in zip(asked, found, strict=True)
        for id, page in pages.items()
    }


async def _entries(
    ctx: Context, revisions: Mapping[str, Revision], wanted: Sequence[_Wanted]
) -> Objects:
    """Files and reusable contents by kind, revision and stable id."""
    asked: dict[tuple[str, str], set[str]] = {}
    for one in wanted:
        asked.setdefault((one.kind, one.revision_id), set()).add(one.stable_id)
    walks = []
    for (kind, id), keys in asked.items():
        revision = revisions[id]
        root = revision.files_root if kind == FILE else revision.contents_root
        walks.append((revision.space_id, lookup(root, keys)))
    found: Objects = {}
    for (kind, revision_id), entries in zip(asked, await walk_all(ctx, walks), strict=True):
        make = file_of if kind == FILE else content_of
        for id, entry in entries.items():
            row = make(revisions[revision_id].space_id, revision_id, id, entry)
            found[kind, revision_id, id] = row
    return found
