"""Who may see what a request has cost, and the counting of its statements."""

from sqlalchemy import false, literal_column, select

from db.enums import Role
from db.metering import Spent
from db.models.organizations import Member
from resolvers.core.context import Context
from resolvers.core.statements import Viewer, Written, statement


@statement
def _administers(viewer: Viewer) -> Written:
    return (
        select(literal_column("1").label("found"))
        .select_from(Member)
        .where(
            Member.user_id == viewer.actor.user_id,
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
