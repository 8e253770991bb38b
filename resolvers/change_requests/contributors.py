"""Who edited or commented in a change request (docs/change-requests.md).

A person who did both is listed twice, once for each: `count` is of that action.
"""

from sqlalchemy import select

from db.content_enums import ContributionAction
from db.models.change_requests import ChangeRequest, Contributor
from resolvers.core.context import Context
from resolvers.core.pagination import Order, SortColumn
from resolvers.lists.listings import Listing


async def record_contribution(
    ctx: Context,
    change_request: ChangeRequest,
    action: ContributionAction = ContributionAction.EDIT,
) -> None:
    """Count an edit or a comment of the caller, and note that the request changed.

    The row of the change request must be locked: that makes counting safe.
    """
    change_request.updated_at = ctx.now()
    statement = select(Contributor).where(
        Contributor.change_request_id == change_request.id,
        Contributor.user_id == ctx.user_id,
        Contributor.action == action,
    )
    contribution = (await ctx.session.execute(statement)).scalars().first()
    if contribution is None:
        ctx.session.add(
            Contributor(
                space_id=change_request.space_id,
                change_request_id=change_request.id,
                user_id=ctx.user_id,
                action=action,
                updated_at=ctx.now(),
            )
        )
    else:
        contribution.count += 1
        contribution.updated_at = ctx.now()


contributors_of_change_requests = Listing(
    "contributors_of_change_requests",
    Contributor,
    Contributor.change_request_id,
    Order(
        (
            SortColumn(Contributor.updated_at, lambda row: row.updated_at, descending=True),
            SortColumn(Contributor.id, lambda row: row.id),
        )
    ),
    about="People who edited or commented in a change request, the most recent first.",
    follows=ChangeRequest,
)
