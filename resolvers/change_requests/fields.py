"""Lists of change requests, and what is worked out for each of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Annotated, Any

import strawberry
from sqlalchemy import ColumnElement, bindparam, select

from db.content_enums import ChangeRequestStatus
from db.enums import Role
from db.models.change_requests import ChangeRequest, Contributor
from db.models.reviews import RequestedReviewer
from db.models.spaces import Space
from db.order_enums import ChangeRequestOrderField
from db.prepared import KEY, among
from resolvers.access.policy import ranked, visible
from resolvers.change_requests.operations import naming_of, newest_revisions
from resolvers.core import inputs
from resolvers.core.batch_functions import ALL, Projection
from resolvers.core.context import Context
from resolvers.core.filters import Filter, equal_to
from resolvers.core.orders import ChangeRequestOrder, Orders, by
from resolvers.core.pagination import Order, PageArguments, SortColumn, by_id
from resolvers.core.statements import Viewer, Written, statement
from resolvers.core.urls import Urls, app_path
from resolvers.lists.batches import computed_from, reads
from resolvers.lists.listings import Listing


@dataclass(frozen=True)
class ChangeRequestArguments(PageArguments):
    """Order and filters of a list of change requests; all filters must hold."""

    order_by: Annotated[
        ChangeRequestOrder | None, inputs.argument("Order; newest first when absent.")
    ] = None
    status: Annotated[
        list[ChangeRequestStatus] | None, inputs.argument("Only with one of these statuses.")
    ] = None
    creator: Annotated[strawberry.ID | None, inputs.argument("Only those that this user made.")] = (
        None
    )
    contributor: Annotated[
        strawberry.ID | None, inputs.argument("Only those in which this user edited or commented.")
    ] = None
    requested_reviewer: Annotated[
        strawberry.ID | None,
        inputs.argument("Only those that wait for a review of this user, who was asked for it."),
    ] = None


@dataclass(frozen=True, slots=True)
class ChangeRequestKey:
    """One change request of a space."""

    id: Annotated[
        strawberry.ID, inputs.argument("Id of the change request, or its number in the space.")
    ]


# The number orders those that began in the same millisecond, too.
BY_NUMBER = Order((SortColumn(ChangeRequest.number, attrgetter("number"), descending=True),))
ORDERS = Orders(
    by(ChangeRequest.id),
    {
        ChangeRequestOrderField.CREATED_AT: by(ChangeRequest.created_at),
        ChangeRequestOrderField.UPDATED_AT: by(ChangeRequest.updated_at),
        ChangeRequestOrderField.NUMBER: by(ChangeRequest.number),
        ChangeRequestOrderField.SUBJECT: by(ChangeRequest.subject_key),
    },
)
FILTERS = (
    Filter(
        "status",
        lambda arguments: (
            tuple(sorted(set(arguments.status or ()), key=lambda status: status.value)) or None
        ),
        among(ChangeRequest.status, "status"),
    ),
    equal_to("creator", ChangeRequest.created_by_id),
    Filter(
        "contributor",
        lambda arguments: arguments.contributor,
        ChangeRequest.id.in_(
            select(Contributor.change_request_id).where(
                Contributor.user_id == bindparam("contributor", type_=KEY)
            )
        ),
    ),
    Filter(
        "requested_reviewer",
        lambda arguments: arguments.requested_reviewer,
        ChangeRequest.id.in_(
            select(RequestedReviewer.change_request_id).where(
                RequestedReviewer.user_id == bindparam("requested_reviewer", type_=KEY)
            )
        ),
    ),
)

change_requests_of_spaces = Listing(
    "change_requests_of_spaces",
    ChangeRequest,
    ChangeRequest.space_id,
    ORDERS.or_else(BY_NUMBER),
    about="Change requests of a space, newest first.",
    filters=FILTERS,
    follows=Space,
)
change_requests_of_organizations = Listing(
    "change_requests_of_organizations",
    ChangeRequest,
    # The rule for change requests has joined the space.
    Space.organization_id,
    ORDERS.or_else(by_id(ChangeRequest, descending=True)),
    Space.deleted_at.is_(None),
    about="Change requests of the spaces of an organization that you may read, newest first.",
    filters=FILTERS,
)


@statement
def _named(viewer: Viewer, naming: ColumnElement[bool]) -> Written:
    return visible(viewer, ChangeRequest).where(among(ChangeRequest.space_id, "spaces"), naming)


@reads("id")
async def change_request_of_spaces(
    ctx: Context, rows: Sequence[Any], arguments: ChangeRequestKey, projection: Projection = ALL
) -> list[ChangeRequest | None]:
    """The change request with an id or number in each space; None where there is none."""
    naming, named = naming_of(arguments.id)
    selected = projection.columns_with("space_id")
    spaces = {row.id for row in rows}
    found_rows = await _named.rows(ctx, naming, columns=selected, spaces=spaces, named=named)
    rows_by_space = {row.space_id: row for row in found_rows}
    return [rows_by_space.get(row.id) for row in rows]


@reads("space_id", "outdated_when_closed", "revision_merged_ancestor_id", "revision_initial_id")
async def change_requests_outdated(
    ctx: Context, rows: Sequence[ChangeRequest], arguments: Any
) -> list[bool]:
    """Whether each request lacks changes of the space's content; of closed ones, as it was then."""
    spaces = {row.space_id for row in rows if row.outdated_when_closed is None}
    active = await newest_revisions(ctx, Space, spaces)
    return [
        active[row.space_id] != (row.revision_merged_ancestor_id or row.revision_initial_id)
        if row.outdated_when_closed is None
        else row.outdated_when_closed
        for row in rows
    ]


@computed_from("id", "space_id", "number")
async def change_request_urls(
    ctx: Context, rows: Sequence[ChangeRequest], arguments: Any
) -> list[Urls]:
    """Where a change request is found."""
    base = ctx.settings.public_url
    return [
        Urls(
            location=f"{base}/v1/spaces/{row.space_id}/change-requests/{row.id}",
            app=base + app_path(row.space_id, row.number),
        )
        for row in rows
    ]


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


def rights_of(rank: int, *, author: bool, review_requested: bool) -> ChangeRequestRights:
    """By the rank in the space, authorship, and whether a review of the caller is asked for."""
    changes = author or rank >= Role.EDIT.rank
    reviewer = rank >= Role.REVIEW.rank
    return ChangeRequestRights(
        comment=rank >= Role.COMMENT.rank,
        edit=changes,
        archive=author or reviewer,
        request_reviewers=changes,
        review=not author and (reviewer or (review_requested and rank >= Role.COMMENT.rank)),
        merge=reviewer,
    )


@statement
def _ranks(viewer: Viewer) -> Written:
    statement, rank = ranked(viewer, ChangeRequest)
    review_requested = (
        select(RequestedReviewer.id)
        .where(
            RequestedReviewer.change_request_id == ChangeRequest.id,
            RequestedReviewer.user_id == bindparam("caller", type_=KEY),
        )
        .exists()
    )
    # What is in the bin is not written to.
    statement = statement.where(among(ChangeRequest.id, "ids"), Space.deleted_at.is_(None))
    return statement.with_only_columns(
        ChangeRequest.id, rank.label("rank"), review_requested.label("review_requested")
    )


@reads("id", "created_by_id")
async def change_request_permissions(
    ctx: Context, rows: Sequence[ChangeRequest], arguments: Any
) -> list[ChangeRequestRights]:
    """What the caller may do with each change request, in one statement."""
    caller = ctx.actor.user_id
    if ctx.actor.visitor is not None:
        return [VIEWS_ONLY] * len(rows)
    ranks = await _ranks.rows(ctx, ids={row.id for row in rows}, caller=caller)
    ranks_by_id = {row.id: row for row in ranks}
    return [
        VIEWS_ONLY
        if (row_rank := ranks_by_id.get(row.id)) is None
        else rights_of(
            row_rank.rank,
            author=row.created_by_id == caller,
            review_requested=bool(row_rank.review_requested),
        )
        for row in rows
    ]
