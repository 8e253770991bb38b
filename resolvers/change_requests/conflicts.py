"""Conflicts of change requests: how they are stored, and whether all are resolved."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import select

from content.merge.conflict import Conflict, conflict_json
from db.content_enums import ConflictKind
from db.models.change_requests import ChangeRequest
from db.models.merging import MergeConflict
from resolvers.core.context import Context


async def record_conflicts(ctx: Context, row: ChangeRequest, conflicts: Sequence[Conflict]) -> None:
    """Store what a merge could not decide; a conflict that was met before is open again."""
    if not conflicts:
        return
    statement = select(MergeConflict.key).where(MergeConflict.change_request_id == row.id)
    stored_ids = set((await ctx.session.execute(statement)).scalars())
    again = {conflict.id: conflict for conflict in conflicts if conflict.id in stored_ids}
    for conflict in conflicts:
        if conflict.id not in stored_ids:
            stored_ids.add(conflict.id)
            ctx.session.add(_stored(ctx, row, conflict))
    if again:
        # Both have made the same of it once more, and an earlier decision was about that time.
        await _reopen(ctx, row, again)
    await ctx.session.flush()


async def _reopen(ctx: Context, row: ChangeRequest, again: Mapping[str, Conflict]) -> None:
    statement = select(MergeConflict).where(MergeConflict.change_request_id == row.id)
    for stored in (await ctx.session.execute(statement)).scalars():
        if stored.key in again:
            stored.data = conflict_json(again[stored.key])
            stored.resolution = stored.resolved_at = stored.resolved_by_id = None


def _stored(ctx: Context, row: ChangeRequest, conflict: Conflict) -> MergeConflict:
    data: dict[str, Any] = conflict_json(conflict)
    return MergeConflict(
        space_id=row.space_id,
        change_request_id=row.id,
        key=conflict.id,
        kind=ConflictKind(conflict.kind.value),
        page_id=conflict.page,
        file_id=conflict.file,
        content_id=conflict.content,
        block=conflict.block,
        field=conflict.field,
        data=data,
        created_at=ctx.now(),
    )


async def unresolved(ctx: Context, row: ChangeRequest) -> list[MergeConflict]:
    """Conflicts of a change request that nobody has resolved, oldest first."""
    statement = select(MergeConflict).where(
        MergeConflict.change_request_id == row.id, MergeConflict.resolution.is_(None)
    )
    return list((await ctx.session.execute(statement.order_by(MergeConflict.id))).scalars())
