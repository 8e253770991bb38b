"""Reviews of change requests: requests for them, submitting, finding and listing them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

import strawberry
from sqlalchemy import Integer, and_, bindparam, case, or_, select, update
from strawberry import Maybe, Some

from db.content_enums import ChangeRequestStatus, ContributionAction, ReviewStatus
from db.enums import Role
from db.ids import new_id
from db.models.change_requests import ChangeRequest
from db.models.comments import Comment
from db.models.reviews import RequestedReviewer, Review
from db.models.spaces import Space
from db.prepared import KEY
from resolvers.access.policy import must, ranks
from resolvers.change_requests.bodies import Body, CommentBodyInput, read_body
from resolvers.change_requests.contributors import record_contribution
from resolvers.change_requests.operations import (
    SUBJECT_LIMIT,
    UpdateChangeRequestInput,
    addressing,
    change,
    must_be_active,
    must_change,
    naming_of,
    newest_revisions,
    rank_on,
    writable_change_request,
)
from resolvers.core import inputs
from resolvers.core.actors import Actor
from resolvers.core.arguments import ChangeRequestId, SpaceId, UserId
from resolvers.core.batch_functions import ALL, Projection
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.deletions import Deletion, finding_what_to_delete
from resolvers.core.errors import Forbidden, NotFound, NothingToDelete, invalid
from resolvers.core.filters import Filter
from resolvers.core.json_schemas import DOCUMENT_SCHEMA
from resolvers.core.pagination import PageArguments, by_id
from resolvers.core.scalars import JsonObject
from resolvers.lists.batches import reads
from resolvers.lists.listings import Listing

ReviewId = Annotated[strawberry.ID, inputs.argument("Id of the review.")]


@strawberry.input(description="A review of a change request as it is now.")
class SubmitReviewInput:
    status: ReviewStatus = inputs.field("What you think of it.", required=True)
    comment: CommentBodyInput | None = inputs.field(
        "Why; it is posted as a comment on the change request."
    )


@operation(one_statement=True)
async def get_review(
    ctx: Context,
    space_id: SpaceId,
    change_request_id: ChangeRequestId,
    id: ReviewId,
    *,
    projection: Projection = ALL,
) -> Review:
    """A review of a change request."""
    naming, named = naming_of(change_request_id)
    request_id = select(ChangeRequest.id).where(addressing(naming)).scalar_subquery()
    where = and_(
        Review.space_id == bindparam("space_id", type_=KEY), Review.change_request_id == request_id
    )
    return await must(
        ctx, Review, id, where=where, projection=projection, space_id=space_id, named=named
    )


async def submit_review(
    ctx: Context, space_id: SpaceId, change_request_id: ChangeRequestId, input: SubmitReviewInput
) -> Review:
    """Approve a change request as it is now, or request changes.

    For those who were asked and may comment, and for the role `review`; not for its author. It
    replaces the caller's earlier review and answers the request for one.
    """
    row = await writable_change_request(ctx, space_id, change_request_id)
    request = (await _asked(ctx, row, [ctx.user_id])).get(ctx.user_id)
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
    await ctx.session.change(
        update(Review)
        .where(
            Review.change_request_id == row.id,
            Review.reviewer_id == reviewer_id,
            Review.superseded.is_(False),
        )
        .values(superseded=True, updated_at=ctx.now())
    )


@dataclass(frozen=True)
class ReviewArguments(PageArguments):
    """Filters of a list of reviews."""

    outdated: Annotated[
        bool | None, inputs.argument("Only those that are outdated, or only those that count.")
    ] = None


_present = (
    select(ChangeRequest.revision_id)
    .where(ChangeRequest.id == Review.change_request_id)
    .scalar_subquery()
)


IS_OUTDATED = or_(Review.superseded.is_(True), Review.revision_id != _present)


reviews_of_change_requests = Listing(
    "reviews_of_change_requests",
    Review,
    Review.change_request_id,
    by_id(Review, descending=True),
    about="Reviews of a change request, newest first.",
    filters=(
        Filter(
            "outdated",
            lambda arguments: None if arguments.outdated is None else int(arguments.outdated),
            case((IS_OUTDATED, 1), else_=0) == bindparam("outdated", type_=Integer()),
        ),
    ),
    follows=ChangeRequest,
)


requested_reviewers_of_change_requests = Listing(
    "requested_reviewers_of_change_requests",
    RequestedReviewer,
    RequestedReviewer.change_request_id,
    by_id(RequestedReviewer),
    about="People who were asked for a review and have not submitted it, oldest request first.",
    follows=ChangeRequest,
)


@reads("superseded", "revision_id", "change_request_id")
async def reviews_outdated(ctx: Context, rows: Sequence[Review], arguments: Any) -> list[bool]:
    """Whether each was replaced, or its change request has other content now."""
    requests = {row.change_request_id for row in rows if not row.superseded}
    present = await newest_revisions(ctx, ChangeRequest, requests)
    return [row.superseded or row.revision_id != present[row.change_request_id] for row in rows]


REVIEWERS_LIMIT = 50


@strawberry.input(description="Whom to ask for a review.")
class RequestReviewersInput:
    users: list[strawberry.ID] = inputs.items(
        f"Ids of people who may comment in the space, 1 to {REVIEWERS_LIMIT}.",
        min=1,
        max=REVIEWERS_LIMIT,
        required=True,
    )
    subject: Maybe[str] = inputs.text("What the change request is about.", max=SUBJECT_LIMIT)
    description: Maybe[JsonObject | None] = inputs.field(
        f"A JSON document that describes the change request; null removes it. {DOCUMENT_SCHEMA}"
    )


@dataclass(frozen=True, slots=True)
class ReviewRequests:
    """The reviewers that were requested, in the order of the input, and the change request."""

    change_request: ChangeRequest
    users: list[RequestedReviewer]

    @property
    def audited(self) -> ChangeRequest:
        """What the audit log names."""
        return self.change_request


async def request_reviewers(
    ctx: Context,
    space_id: SpaceId,
    change_request_id: ChangeRequestId,
    input: RequestReviewersInput,
) -> ReviewRequests:
    """Ask people for reviews; a draft becomes open. For the author and for the role `edit`.

    Earlier reviews of the same people become outdated. Who is asked already stays so.
    """
    row = await writable_change_request(ctx, space_id, change_request_id)
    await must_change(ctx, row)
    must_be_active(row)
    users = list(dict.fromkeys(str(user) for user in input.users))
    if row.created_by_id in users:
        place = input.users.index(strawberry.ID(row.created_by_id))
        raise invalid(f"users[{place}]", "is the author; nobody reviews their own change request")
    await _must_be_askable(ctx, row.space_id, users)
    changed = UpdateChangeRequestInput(subject=input.subject, description=input.description)
    if row.status is ChangeRequestStatus.DRAFT:
        changed.status = Some(ChangeRequestStatus.OPEN)
    await change(ctx, row, changed)
    requests = await _asked(ctx, row, users)
    for user in users:
        if user in requests:
            continue
        await supersede(ctx, row, user)
        requests[user] = RequestedReviewer(
            id=new_id(),
            space_id=row.space_id,
            change_request_id=row.id,
            user_id=user,
            requested_by_id=ctx.user_id,
            revision_id=row.revision_id,
            created_at=ctx.now(),
        )
        ctx.session.add(requests[user])
        row.updated_at = ctx.now()
    await ctx.session.flush()
    return ReviewRequests(row, [requests[user] for user in users])


async def _must_be_askable(ctx: Context, space_id: str, users: Sequence[str]) -> None:
    """NotFound for the first who may not comment in the space."""
    for user in users:
        theirs = replace(ctx, actor=Actor(user))
        rank = (await ranks(theirs, Space, [space_id])).get(space_id, 0)
        if rank < Role.COMMENT.rank:
            raise NotFound(f"users: {user!r} is nobody who may comment in this space")


async def _asked(
    ctx: Context, row: ChangeRequest, users: Sequence[str]
) -> dict[str, RequestedReviewer]:
    """The requests for reviews of people, by person."""
    statement = select(RequestedReviewer).where(
        RequestedReviewer.change_request_id == row.id, RequestedReviewer.user_id.in_(users)
    )
    requests = (await ctx.session.execute(statement)).scalars()
    return {request.user_id: request for request in requests}


async def withdraw_review_request(
    ctx: Context, space_id: SpaceId, change_request_id: ChangeRequestId, user_id: UserId
) -> Deletion:
    """Take back that somebody was asked for a review.

    For the author and for the role `edit`.
    """
    with finding_what_to_delete():
        row = await writable_change_request(ctx, space_id, change_request_id)
    await must_change(ctx, row)
    request = (await _asked(ctx, row, [user_id])).get(user_id)
    if request is None:
        raise NothingToDelete(f"user {user_id!r} is not asked for a review")
    await ctx.session.delete(request)
    row.updated_at = ctx.now()
    return Deletion(deleted_id=user_id, change_request_id=row.id)
