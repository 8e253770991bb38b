"""Lists of comments and replies, and what is worked out for each of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import strawberry
from sqlalchemy import bindparam

from db.content_enums import CommentStatus, CommentStatusFilter
from db.enums import SortOrder
from db.models.change_requests import LAST_WRITTEN, ChangeRequest
from db.models.comments import Comment
from db.models.spaces import Space
from db.order_enums import CommentOrderField
from db.prepared import KEY, among
from resolvers.core.context import Context
from resolvers.core.filters import Filter
from resolvers.core.orders import CommentOrder, Orders, by
from resolvers.core.pagination import Order, PageArguments, SortColumn, by_id
from resolvers.core.urls import Urls
from resolvers.lists.batches import Count, reads
from resolvers.lists.listings import Listing
from resolvers.revisions.ids import PAGE, stable_part


@dataclass(frozen=True)
class CommentArguments(PageArguments):
    """Filters and order of a list of comments; all filters must hold."""

    order: Annotated[
        SortOrder | None,
        strawberry.argument(
            description="By time of posting; newest first (`DESC`) when absent. Not with `orderBy`."
        ),
    ] = None
    order_by: Annotated[
        CommentOrder | None,
        strawberry.argument(description="Order; newest first when absent. Not with `order`."),
    ] = None
    status: Annotated[
        CommentStatusFilter | None,
        strawberry.argument(description="Only open or only resolved ones; all when absent."),
    ] = None
    target_page: Annotated[
        strawberry.ID | None, strawberry.argument(description="Only those about this page.")
    ] = None
    authors: Annotated[
        list[strawberry.ID] | None, strawberry.argument(description="Only by one of these users.")
    ] = None


NEWEST, OLDEST = by_id(Comment, descending=True), by_id(Comment)
ORDERS = Orders(
    by(Comment.id),
    {
        CommentOrderField.POSTED_AT: by(Comment.posted_at),
        CommentOrderField.EDITED_AT: SortColumn(
            LAST_WRITTEN,
            lambda row: row.edited_at or row.posted_at,
            reads=("edited_at", "posted_at"),
        ),
    },
)
FILTERS = (
    Filter(
        "status",
        lambda arguments: _status(arguments.status),
        Comment.status == bindparam("status", type_=Comment.status.type),
    ),
    Filter(
        "page",
        lambda arguments: _page(arguments.target_page),
        Comment.page_id == bindparam("page", type_=KEY),
    ),
    Filter(
        "authors",
        lambda arguments: tuple(sorted(set(arguments.authors or ()))) or None,
        among(Comment.posted_by_id, "authors"),
    ),
)


def _page(id: str | None) -> str | None:
    return None if id is None else stable_part(PAGE, id)


def _status(wanted: CommentStatusFilter | None) -> CommentStatus | None:
    return None if wanted in (None, CommentStatusFilter.ALL) else CommentStatus(wanted.value)


def _by_posting(arguments: CommentArguments) -> Order:
    return OLDEST if arguments.order is SortOrder.ASC else NEWEST


_order = ORDERS.or_else(_by_posting, "order")


comments_of_spaces = Listing(
    "comments_of_spaces",
    Comment,
    Comment.space_id,
    _order,
    Comment.change_request_id.is_(None),
    Comment.parent_id.is_(None),
    about="Comments on a space itself, newest first.",
    filters=FILTERS,
    follows=Space,
)
comments_of_change_requests = Listing(
    "comments_of_change_requests",
    Comment,
    Comment.change_request_id,
    _order,
    Comment.change_request_id.is_not(None),
    Comment.parent_id.is_(None),
    about="Comments on a change request, newest first.",
    filters=FILTERS,
    follows=ChangeRequest,
)
replies_of_comments = Listing(
    "replies_of_comments",
    Comment,
    Comment.parent_id,
    OLDEST,
    about="Replies to a comment, oldest first.",
    follows=Comment,
)
reply_counts = Count("How many replies each comment has.", Comment.parent_id)
open_comments_on_change_requests = Count(
    "Open comments, without replies, on each change request.",
    Comment.change_request_id,
    Comment.parent_id.is_(None),
    Comment.change_request_id.is_not(None),
    Comment.status == CommentStatus.OPEN,
)


@reads("id", "space_id", "change_request_id", "parent_id")
async def comment_urls(ctx: Context, rows: Sequence[Comment], arguments: Any) -> list[Urls]:
    """Where a comment or reply is found."""
    return [Urls(location=ctx.settings.public_url + _path(row)) for row in rows]


def _path(row: Comment) -> str:
    path = f"/v1/spaces/{row.space_id}"
    if row.change_request_id is not None:
        path += f"/change-requests/{row.change_request_id}"
    if row.parent_id is None:
        return f"{path}/comments/{row.id}"
    return f"{path}/comments/{row.parent_id}/replies/{row.id}"
