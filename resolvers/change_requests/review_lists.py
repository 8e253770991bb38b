"""Lists of reviews and requested reviewers, and what is worked out for each of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import strawberry
from sqlalchemy import Integer, bindparam, case, or_, select

from db.models.change_requests import ChangeRequest
from db.models.reviews import RequestedReviewer, Review
from db.prepared import among
from resolvers.core.context import Context
from resolvers.core.filters import Filter
from resolvers.core.pagination import PageArguments, by_id
from resolvers.core.statements import Asks, Written, statement
from resolvers.lists.batches import reads
from resolvers.lists.listings import Listing


@dataclass(frozen=True)
class ReviewArguments(PageArguments):
    """Filters of a list of reviews."""

    outdated: Annotated[
        bool | None,
        strawberry.argument(description="Only those that are outdated, or only those that count."),
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


@statement
def _revisions(asks: Asks) -> Written:
    return select(ChangeRequest.id, ChangeRequest.revision_id).where(among(ChangeRequest.id, "ids"))


@reads("superseded", "revision_id", "change_request_id")
async def reviews_outdated(ctx: Context, rows: Sequence[Review], arguments: Any) -> list[bool]:
    """Whether each was replaced, or its change request has other content now."""
    requests = {row.change_request_id for row in rows if not row.superseded}
    present = dict(await _revisions.rows(ctx, ids=requests)) if requests else {}
    return [row.superseded or row.revision_id != present[row.change_request_id] for row in rows]
