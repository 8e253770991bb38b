"""Pages, files and reusable contents by their ids in GraphQL, wherever they are."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import literal, select, union_all

from db.models.change_requests import ChangeRequest
from db.models.content import ContentOwner, Revision
from db.models.spaces import Space
from db.prepared import among
from resolvers.access.policy import visible
from resolvers.core.context import Context
from resolvers.core.statements import Viewer, Written, statement
from resolvers.revisions.ids import (
    FILE,
    PAGE,
    REUSABLE_CONTENT,
    Row,
    asked_for,
    content_ids,
    placed_id,
)
from resolvers.revisions.objects import CONTENTS, FILES, each_object, find_pages
from resolvers.revisions.read_targets import revisions_by_id

# How objects of each kind are found, by revision and stable id.
FINDERS: dict[str, Any] = {PAGE: find_pages, FILE: FILES.find, REUSABLE_CONTENT: CONTENTS.find}


@dataclass(frozen=True, slots=True)
class _ParsedId:
    """An id that was taken apart: an object of a revision, and the place that the id names."""

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
    newest = union_all(
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
    return select(newest.c.place, newest.c.revision_id, newest.c.primary)


async def find_content(ctx: Context, ids: Iterable[str]) -> dict[str, Row]:
    """Objects of content by their ids in GraphQL; without those not there for the viewer.

    The number of statements does not depend on how many there are.
    """
    parsed = await _parse_ids(ctx, ids)
    if not parsed:
        return {}
    revisions = await revisions_by_id(ctx, (parsed_id.revision_id for parsed_id in parsed))
    there = [parsed_id for parsed_id in parsed if parsed_id.revision_id in revisions]
    rows: dict[str, Row] = {}
    for kind, find in FINDERS.items():
        some = [parsed_id for parsed_id in there if parsed_id.kind == kind]
        pairs = ((revisions[parsed_id.revision_id], parsed_id.stable_id) for parsed_id in some)
        for parsed_id, row in zip(some, await each_object(ctx, find, pairs), strict=True):
            if row is not None:
                rows[parsed_id.id] = asked_for(row, None, parsed_id.place)
    # Other spellings of an id are none.
    named = await content_ids(ctx, list(rows.values()), None)
    return {id: row for (id, row), own in zip(rows.items(), named, strict=True) if id == own}


async def _parse_ids(ctx: Context, ids: Iterable[str]) -> list[_ParsedId]:
    """Ids of content with their places and revisions; without those that name nothing."""
    placed_ids = {id: placed_id(id) for id in ids}
    stable = [id for id, placed in placed_ids.items() if placed is None]
    places = {placed.place for placed in placed_ids.values() if placed is not None}
    parsed = [
        _ParsedId(row.id, row.kind, row.id, row.revision_id, None)
        for row in (await _owned.rows(ctx, ids=stable) if stable else ())
    ]
    revisions = {row.place: row for row in await _places.rows(ctx, places=places)} if places else {}
    for id, placed in placed_ids.items():
        if placed is not None and placed.place in revisions:
            row = revisions[placed.place]
            place = None if row.primary else placed.place
            parsed.append(_ParsedId(id, placed.kind, placed.id, row.revision_id, place))
    return parsed
