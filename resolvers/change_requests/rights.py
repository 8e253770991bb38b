"""What the caller may do with a change request."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import bindparam, select

from db.enums import Role
from db.models.change_requests import ChangeRequest
from db.models.reviews import RequestedReviewer
from db.models.spaces import Space
from db.prepared import KEY, among
from resolvers.access.policy import ranked
from resolvers.core.context import Context
from resolvers.core.statements import Asks, Written, statement
from resolvers.lists.batches import reads


@dataclass(frozen=True, slots=True)
class ChangeRequestRights:
    """What the caller may do with one change request, whatever its status."""

    view: bool = True
    comment: bool = False
    edit: bool = False
    archive: bool = False
    request_reviewers: bool = False
    review: bool = False
    merge: bool = False


VIEWS_ONLY = ChangeRequestRights()


def rights_of(rank: int, *, author: bool, asked: bool) -> ChangeRequestRights:
    """By the rank in the space, authorship, and whether a review of the caller is asked for."""
    changes = author or rank >= Role.EDIT.rank
    reviewer = rank >= Role.REVIEW.rank
    return ChangeRequestRights(
        comment=rank >= Role.COMMENT.rank,
        edit=changes,
        archive=author or reviewer,
        request_reviewers=changes,
        review=not author and (reviewer or (asked and rank >= Role.COMMENT.rank)),
        merge=reviewer,
    )


@statement
def _ranks(asks: Asks) -> Written:
    found, rank = ranked(asks, ChangeRequest)
    asked = (
        select(RequestedReviewer.id)
        .where(
            RequestedReviewer.change_request_id == ChangeRequest.id,
            RequestedReviewer.user_id == bindparam("caller", type_=KEY),
        )
        .exists()
    )
    # What is in the bin is not written to.
    found = found.where(among(ChangeRequest.id, "ids"), Space.deleted_at.is_(None))
    return found.with_only_columns(ChangeRequest.id, rank.label("rank"), asked.label("asked"))


@reads("id", "created_by_id")
async def change_request_permissions(
    ctx: Context, rows: Sequence[ChangeRequest], arguments: Any
) -> list[ChangeRequestRights]:
    """What the caller may do with each change request, in one statement."""
    caller = ctx.actor.user_id
    if ctx.actor.visitor is not None:
        return [VIEWS_ONLY] * len(rows)
    ranks = await _ranks.rows(ctx, ids={row.id for row in rows}, caller=caller)
    found = {one.id: one for one in ranks}
    return [
        VIEWS_ONLY
        if (one := found.get(row.id)) is None
        else rights_of(one.rank, author=row.created_by_id == caller, asked=bool(one.asked))
        for row in rows
    ]
