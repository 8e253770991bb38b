"""Conflicts of change requests: how they are stored, and whether all are resolved."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import defer

from content.merge.conflict import Conflict, conflict_json
from db.content_enums import ConflictKind
from db.event_enums import EventType
from db.ids import new_id
from db.inserts import ROWS_PER_INSERT, insert_of, parts
from db.models.change_requests import ChangeRequest
from db.models.merging import MergeConflict
from resolvers.core.audit_notes import note_fact
from resolvers.core.context import Context
from resolvers.core.event_drafts import Draft

KEYS_AT_ONCE = 5000


async def record_conflicts(ctx: Context, row: ChangeRequest, conflicts: Sequence[Conflict]) -> None:
    """Store what a merge could not decide; a conflict that was met before is open again.

    There may be thousands, and others wait: new ones are inserted many at once, without objects.
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
    new: dict[str, dict[str, Any]] = {}
    for conflict in conflicts:
        earlier = stored.get(conflict.id)
        if earlier is None:
            new.setdefault(conflict.id, _stored(ctx, row, conflict))
        else:
            # Both have made the same of it once more, and the decision was about that time.
            earlier.data = conflict_json(conflict)
            earlier.resolution = earlier.resolved_at = earlier.resolved_by_id = None
    for some in parts([*new.values()], ROWS_PER_INSERT):
        await ctx.session.execute(insert_of(ctx.session, MergeConflict), some)
    await ctx.session.flush()
    conflicted = Draft(
        type=EventType.CHANGE_REQUEST_CONFLICTED,
        object_id=row.id,
        space_id=row.space_id,
        change_request_id=row.id,
        data={"conflicts": len(conflicts)},
    )
    note_fact(ctx.session, conflicted)


def _stored(ctx: Context, row: ChangeRequest, conflict: Conflict) -> dict[str, Any]:
    return {
        "id": new_id(),
        "space_id": row.space_id,
        "change_request_id": row.id,
        "key": conflict.id,
        "kind": ConflictKind(conflict.kind.value),
        "page_id": conflict.page,
        "file_id": conflict.file,
        "content_id": conflict.content,
        "block": conflict.block,
        "field": conflict.field,
        "data": conflict_json(conflict),
        "created_at": ctx.now(),
    }


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
