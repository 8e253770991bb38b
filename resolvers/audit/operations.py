"""What the operator of the server does with the audit log: removing what is too old."""

import datetime as dt

from sqlalchemy import delete, func, select

from db.audit_enums import AuditObjectType
from db.models.audit import AuditEntry, AuditRetention
from resolvers.access.policy import must_be_operator
from resolvers.core.audit import record
from resolvers.core.audit_objects import AuditObject
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.errors import invalid
from resolvers.core.scalars import write_time

# Entries that one transaction removes.
PORTION = 2_000


async def allow_pruning(ctx: Context, before: dt.datetime) -> int:
    """Let entries from before a time be removed; how many there are. For the operator only.

    Their removal is in the log of each organization. Invalid for a time that is still to come.
    """
    must_be_operator(ctx)
    if before > ctx.now():
        raise invalid("before", f"{write_time(before)} is still to come; give a time that is past")
    counted = (
        select(AuditEntry.organization_id, func.count())
        .where(AuditEntry.at < before)
        .group_by(AuditEntry.organization_id)
    )
    counts = (await ctx.session.execute(counted)).all()
    if counts:
        # One row: whoever prunes at the same time waits for it.
        await ctx.session.merge(AuditRetention(id=1, before=before))
    for organization_id, count in counts:
        name = f"{count} entries before {write_time(before)}"
        pruned = AuditObject(
            type=AuditObjectType.AUDIT_LOG, id=None, name=name, organization_id=organization_id
        )
        await record(ctx, "prune_audit_log", pruned)
    return sum(count for _, count in counts)


@operation(audited=False)
async def prune_audit_log(ctx: Context, before: dt.datetime) -> int:
    """Remove a portion of the entries from before a time that is allowed; how many."""
    must_be_operator(ctx)
    oldest = (
        select(AuditEntry.id)
        .where(AuditEntry.at < before)
        .order_by(AuditEntry.at, AuditEntry.id)
        .limit(PORTION)
    )
    statement = delete(AuditEntry).where(AuditEntry.id.in_(oldest))
    result = await ctx.session.execute(statement.execution_options(synchronize_session=False))
    return int(result.rowcount)
