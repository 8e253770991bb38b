"""Conflicts of change requests: how they are stored, and whether all are resolved."""

import datetime as dt
from collections.abc import Sequence
from typing import Any

import orjson
from sqlalchemy import ColumnElement, Insert, String, bindparam, insert, select
from sqlalchemy.orm import defer

from content.merge.conflict import Conflict, conflict_json
from db.event_enums import EventType
from db.ids import new_id
from db.inserts import json_text, parts
from db.models.change_requests import ChangeRequest
from db.models.merging import MergeConflict
from db.session import Session
from resolvers.core.audit_notes import note_fact
from resolvers.core.context import Context
from resolvers.core.event_drafts import Draft

KEYS_AT_ONCE = 5000
Row = dict[str, Any]


def conflict_rows(
    request_id: str, space_id: str, conflicts: Sequence[Conflict], now: dt.datetime
) -> list[Row]:
    """What `record_conflicts` writes of new conflicts, each once; for a merge it is made before
    the lock is taken."""
    rows: dict[str, Row] = {}
    for conflict in conflicts:
        if conflict.id not in rows:
            rows[conflict.id] = {
                "id": new_id(),
                "space_id": space_id,
                "change_request_id": request_id,
                "key": conflict.id,
                "kind": conflict.kind.value,
                "page_id": conflict.page,
                "file_id": conflict.file,
                "content_id": conflict.content,
                "block": conflict.block,
                "field": conflict.field,
                "json": orjson.dumps(conflict_json(conflict)).decode(),
                "created_at": now,
            }
    return [*rows.values()]


def _insertion(session: Session) -> Insert:
    """Inserts `conflict_rows`, whose values are as the database takes them."""
    table = MergeConflict.__table__
    values: dict[str, ColumnElement[Any]] = {
        name: bindparam(name, type_=table.c[name].type)
        for name in (
            "id", "space_id", "change_request_id", "key", "page_id", "file_id", "content_id",
            "block", "field", "created_at",
        )
    }  # fmt: skip
    values["kind"] = bindparam("kind", type_=String())
    values["data"] = json_text(session, "json")
    return insert(table).values(values)  # type: ignore[arg-type]


async def record_conflicts(
    ctx: Context, row: ChangeRequest, conflicts: Sequence[Conflict], rows: Sequence[Row]
) -> None:
    """Store what a merge could not decide; a conflict that was met before is open again.

    There may be thousands, and others wait: new ones are the `conflict_rows` of the conflicts.
    """
    if not conflicts:
        return
    stored: dict[str, MergeConflict] = {}
    for keys in parts([conflict.id for conflict in conflicts], KEYS_AT_ONCE):
        # Without what each has of the three versions, for it is written anew.
        met = (
            select(MergeConflict)
            .options(defer(MergeConflict.data))
            .where(MergeConflict.change_request_id == row.id, MergeConflict.key.in_(keys))
        )
        stored |= {earlier.key: earlier for earlier in (await ctx.session.execute(met)).scalars()}
    for conflict in conflicts if stored else ():
        if (earlier := stored.get(conflict.id)) is not None:
            # Both have made the same of it once more, and the decision was about that time.
            earlier.data = conflict_json(conflict)
            earlier.resolution = earlier.resolved_at = earlier.resolved_by_id = None
    new = [values for values in rows if values["key"] not in stored]
    await ctx.session.flush()
    if new:
        await ctx.session.execute(_insertion(ctx.session), new)
    conflicted = Draft(
        type=EventType.CHANGE_REQUEST_CONFLICTED,
        object_id=row.id,
        space_id=row.space_id,
        change_request_id=row.id,
        data={"conflicts": len(conflicts)},
    )
    note_fact(ctx.session, conflicted)


async def undecided_objects(ctx: Context, row: ChangeRequest) -> list[str]:
    """The page or reusable content of each conflict that nobody has resolved; empty for others."""
    statement = select(MergeConflict.page_id, MergeConflict.content_id).where(
        MergeConflict.change_request_id == row.id, MergeConflict.resolution.is_(None)
    )
    rows = (await ctx.session.execute(statement)).all()
    return [page_id or content_id or "" for page_id, content_id in rows]


async def unresolved(ctx: Context, row: ChangeRequest) -> list[MergeConflict]:
    """Conflicts of a change request that nobody has resolved, oldest first."""
    statement = select(MergeConflict).where(
        MergeConflict.change_request_id == row.id, MergeConflict.resolution.is_(None)
    )
    return list((await ctx.session.execute(statement.order_by(MergeConflict.id))).scalars())
