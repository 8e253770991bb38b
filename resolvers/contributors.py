"""Who edited or commented in a change request (workflow.md section 4)."""

from sqlalchemy import select

from db.models.discussions import ChangeRequest, Contributor
from resolvers.context import Context


async def record_contribution(ctx: Context, change_request: ChangeRequest) -> None:
    """Count an edit or a comment of the caller, and note that the request changed.

    The row of the change request must be locked: that makes counting safe.
    """
    change_request.updated_at = ctx.now()
    statement = select(Contributor).where(
        Contributor.change_request_id == change_request.id, Contributor.user_id == ctx.user_id
    )
    known = (await ctx.session.execute(statement)).scalars().first()
    if known is None:
        ctx.session.add(
            Contributor(
                change_request_id=change_request.id, user_id=ctx.user_id, updated_at=ctx.now()
            )
        )
    else:
        known.count += 1
        known.updated_at = ctx.now()
