"""Asking people for reviews of a change request, and taking that back (docs/change-requests.md)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import strawberry
from sqlalchemy import select
from strawberry import Maybe, Some

from db.content_enums import ChangeRequestStatus
from db.enums import Role
from db.ids import new_id
from db.models.change_requests import ChangeRequest
from db.models.reviews import RequestedReviewer
from db.models.spaces import Space
from resolvers.access.policy import ranks
from resolvers.change_requests.operations import (
    SUBJECT_LIMIT,
    UpdateChangeRequestInput,
    change,
    must_be_active,
    must_change,
    writable_change_request,
)
from resolvers.change_requests.reviews import supersede
from resolvers.core import inputs
from resolvers.core.arguments import ChangeRequestId, SpaceId, UserId
from resolvers.core.context import Actor, Context
from resolvers.core.deletions import Deletion, finding_what_to_delete
from resolvers.core.errors import NotFound, NothingToDelete, invalid
from resolvers.core.json_schemas import DOCUMENT_SCHEMA
from resolvers.core.scalars import JsonObject

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
    """Who is asked now, in the order of the input, and the change request."""

    change_request: ChangeRequest
    users: list[RequestedReviewer]


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
    asked = await _asked(ctx, row, users)
    for user in users:
        if user in asked:
            continue
        await supersede(ctx, row, user)
        asked[user] = RequestedReviewer(
            id=new_id(),
            space_id=row.space_id,
            change_request_id=row.id,
            user_id=user,
            requested_by_id=ctx.user_id,
            revision_id=row.revision_id,
            created_at=ctx.now(),
        )
        ctx.session.add(asked[user])
        row.updated_at = ctx.now()
    await ctx.session.flush()
    return ReviewRequests(row, [asked[user] for user in users])


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
    statement = select(RequestedReviewer).where(
        RequestedReviewer.change_request_id == row.id, RequestedReviewer.user_id.in_(users)
    )
    found = (await ctx.session.execute(statement)).scalars()
    return {one.user_id: one for one in found}


async def withdraw_review_request(
    ctx: Context, space_id: SpaceId, change_request_id: ChangeRequestId, user_id: UserId
) -> Deletion:
    """Take back that somebody was asked for a review.

    For the author and for the role `edit`.
    """
    with finding_what_to_delete():
        row = await writable_change_request(ctx, space_id, change_request_id)
    await must_change(ctx, row)
    found = (await _asked(ctx, row, [user_id])).get(user_id)
    if found is None:
        raise NothingToDelete(f"user {user_id!r} is not asked for a review")
    await ctx.session.delete(found)
    row.updated_at = ctx.now()
    return Deletion(deleted_id=user_id, change_request_id=row.id)
