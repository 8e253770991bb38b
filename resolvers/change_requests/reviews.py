"""Submitting and finding reviews of change requests (docs/change-requests.md)."""

from typing import Annotated

import strawberry
from sqlalchemy import and_, bindparam, select, update

from db.content_enums import ContributionAction, ReviewStatus
from db.enums import Role
from db.ids import new_id
from db.models.change_requests import ChangeRequest
from db.models.comments import Comment
from db.models.reviews import RequestedReviewer, Review
from db.prepared import KEY
from resolvers.access.policy import must
from resolvers.change_requests.bodies import Body, CommentBodyInput, read_body
from resolvers.change_requests.contributors import record_contribution
from resolvers.change_requests.operations import (
    addressing,
    must_be_active,
    naming_of,
    rank_on,
    writable_change_request,
)
from resolvers.core import inputs
from resolvers.core.arguments import ChangeRequestId, SpaceId
from resolvers.core.context import Context, one_statement
from resolvers.core.errors import Forbidden
from resolvers.core.statements import Columns

ReviewId = Annotated[strawberry.ID, strawberry.argument(description="Id of the review.")]


@strawberry.input(description="A review of a change request as it is now.")
class SubmitReviewInput:
    status: ReviewStatus = inputs.field("What you think of it.", required=True)
    comment: CommentBodyInput | None = inputs.field(
        "Why; it is posted as a comment on the change request."
    )


@one_statement
async def get_review(
    ctx: Context,
    space_id: SpaceId,
    change_request_id: ChangeRequestId,
    id: ReviewId,
    *,
    columns: Columns = None,
) -> Review:
    """A review of a change request."""
    naming, named = naming_of(change_request_id)
    found = select(ChangeRequest.id).where(addressing(naming)).scalar_subquery()
    where = and_(
        Review.space_id == bindparam("space_id", type_=KEY), Review.change_request_id == found
    )
    return await must(ctx, Review, id, where=where, columns=columns, space_id=space_id, named=named)


async def submit_review(
    ctx: Context, space_id: SpaceId, change_request_id: ChangeRequestId, input: SubmitReviewInput
) -> Review:
    """Approve a change request as it is now, or request changes.

    For those who were asked and may comment, and for the role `review`; not for its author. It
    replaces the caller's earlier review and answers the request for one.
    """
    row = await writable_change_request(ctx, space_id, change_request_id)
    request = await _request_to(ctx, row)
    rank = await rank_on(ctx, row)
    if row.created_by_id == ctx.actor.user_id:
        raise Forbidden("nobody reviews their own change request")
    if rank < (Role.REVIEW if request is None else Role.COMMENT).rank:
        raise Forbidden("only those who were asked and the role 'review' may submit a review")
    must_be_active(row)
    body = None if input.comment is None else await read_body(input.comment)
    await supersede(ctx, row, ctx.user_id)
    now = ctx.now()
    review = Review(
        id=new_id(),
        space_id=row.space_id,
        change_request_id=row.id,
        reviewer_id=ctx.user_id,
        requested_by_id=None if request is None else request.requested_by_id,
        status=input.status,
        revision_id=row.revision_id,
        superseded=False,
        created_at=now,
        updated_at=now,
    )
    ctx.session.add(review)
    if request is not None:
        await ctx.session.delete(request)
    if body is not None:
        await _comment(ctx, row, review, body)
    row.updated_at = now
    await ctx.session.flush()
    return review


async def _request_to(ctx: Context, row: ChangeRequest) -> RequestedReviewer | None:
    """The request for the caller's review, if there is one."""
    statement = select(RequestedReviewer).where(
        RequestedReviewer.change_request_id == row.id, RequestedReviewer.user_id == ctx.user_id
    )
    found: RequestedReviewer | None = (await ctx.session.execute(statement)).scalars().first()
    return found


async def _comment(ctx: Context, row: ChangeRequest, review: Review, body: Body) -> None:
    """Post what the review says as a comment on the change request."""
    comment = Comment(
        id=new_id(),
        space_id=row.space_id,
        change_request_id=row.id,
        posted_by_id=ctx.user_id,
        posted_at=ctx.now(),
        markdown=body.markdown,
        document=body.document,
        revision_id=row.revision_id,
        review_id=review.id,
    )
    ctx.session.add(comment)
    review.comment_id = comment.id
    await record_contribution(ctx, row, ContributionAction.COMMENT)


async def supersede(ctx: Context, row: ChangeRequest, reviewer_id: str) -> None:
    """Mark a person's reviews of a locked change request as replaced."""
    await ctx.session.execute(
        update(Review)
        .where(
            Review.change_request_id == row.id,
            Review.reviewer_id == reviewer_id,
            Review.superseded.is_(False),
        )
        .values(superseded=True, updated_at=ctx.now())
        .execution_options(synchronize_session=False)
    )
