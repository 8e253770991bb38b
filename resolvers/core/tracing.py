"""Who may see what a request has cost, and the counting of its statements."""

from sqlalchemy import false, literal_column, not_, select, true

from db.enums import Role
from db.metering import Spent
from db.models.organizations import Member
from resolvers.core.context import Context
from resolvers.core.statements import Viewer, Written, one_of, statement


@statement
def _administers(viewer: Viewer) -> Written:
    actor = viewer.actor
    return (
        select(literal_column("1").label("found"))
        .select_from(Member)
        .where(
            Member.user_id == actor.user_id,
            not_(one_of(Member.organization_id, actor.closed)) if actor.closed else true(),
            Member.role == Role.ADMIN,
            Member.disabled == false(),
        )
        .limit(1)
    )


async def administers(ctx: Context) -> bool:
    """Whether the person who asks is an administrator of an organization of this instance."""
    if ctx.actor.user_id is None:
        return ctx.actor.operator
    return bool(await _administers.rows(ctx))


def count_statements(ctx: Context) -> Spent:
    """Count the statements of the rest of this request."""
    spent = ctx.spent = Spent()
    return spent
