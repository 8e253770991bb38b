"""Conflicts of change requests: how they are kept, and whether all are resolved."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import select

from content.merge.conflict import Conflict, conflict_json
from db.models.conflicts import MergeConflict
from db.models.discussions import ChangeRequest
from db.review_enums import ConflictKind
from resolvers.context import Context


async def record_conflicts(ctx: Context, row: ChangeRequest, conflicts: Sequence[Conflict]) -> None:
    """Store what a merge could not decide; what is stored already stays as it is."""
    if not conflicts:
        return
    statement = select(MergeConflict.key).where(MergeConflict.change_request_id == row.id)
    known = set((await ctx.session.execute(statement)).scalars())
    for conflict in conflicts:
        if conflict.id not in known:
            known.add(conflict.id)
            ctx.session.add(_stored(ctx, row, conflict))
    await ctx.session.flush()


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
