"""Lists of comments and replies, and what is worked out for each of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import strawberry
from sqlalchemy import ColumnElement, Select, select

from db.enums import CommentStatus, CommentStatusFilter, SortOrder
from db.models.discussions import Comment
from resolvers.batches import counts
from resolvers.context import Context
from resolvers.pagination import Listing, PageArguments, Slice, by_id, pages
from resolvers.policy import visible
from resolvers.urls import Urls


@dataclass(frozen=True)
class CommentArguments(PageArguments):
    """Filters and order of a list of comments; all filters must hold."""

    order: Annotated[
        SortOrder | None,
        strawberry.argument(description="By time of posting; newest first (`DESC`) when absent."),
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


async def comments_of_spaces(
    ctx: Context, rows: Sequence[Any], arguments: CommentArguments
) -> list[Slice[Comment]]:
    """Comments on a space itself, newest first."""
    on_space = Comment.change_request_id.is_(None)
    return await _comments(ctx, Comment.space_id, on_space, rows, arguments)


async def comments_of_change_requests(
    ctx: Context, rows: Sequence[Any], arguments: CommentArguments
) -> list[Slice[Comment]]:
    """Comments on a change request, newest first."""
    on_request = Comment.change_request_id.is_not(None)
    return await _comments(ctx, Comment.change_request_id, on_request, rows, arguments)


async def _comments(
    ctx: Context,
    parent: Any,
    family: ColumnElement[bool],
    rows: Sequence[Any],
    arguments: CommentArguments,
) -> list[Slice[Comment]]:
    descending = arguments.order is not SortOrder.ASC
    authors = tuple(sorted(set(arguments.authors))) if arguments.authors else ()
    identity = ("comments", str(parent), arguments.status, arguments.target_page, authors)
    listing = Listing(Comment, parent, by_id(Comment, descending=descending), identity)
    statement = _filtered(visible(ctx, Comment).where(family), arguments)
    return await pages(ctx, listing, statement, [row.id for row in rows], arguments)


def _filtered(statement: Select[Any], arguments: CommentArguments) -> Select[Any]:
    statement = statement.where(Comment.parent_id.is_(None))
    if arguments.status not in (None, CommentStatusFilter.ALL):
        wanted = CommentStatus(arguments.status.value)
        statement = statement.where(Comment.status == wanted)
    if arguments.target_page is not None:
        statement = statement.where(Comment.page_id == arguments.target_page)
    if arguments.authors:
        statement = statement.where(Comment.posted_by_id.in_(set(arguments.authors)))
    return statement


async def replies_of_comments(
    ctx: Context, rows: Sequence[Any], arguments: PageArguments
) -> list[Slice[Comment]]:
    """Replies to a comment, oldest first."""
    listing = Listing(Comment, Comment.parent_id, by_id(Comment), ("replies",))
    return await pages(ctx, listing, visible(ctx, Comment), [row.id for row in rows], arguments)


async def reply_counts(ctx: Context, rows: Sequence[Comment], arguments: Any) -> list[int]:
    """How many replies each comment has."""
    return await counts(ctx, Comment.parent_id, select(Comment), [row.id for row in rows])


async def open_comments_on_change_requests(
    ctx: Context, rows: Sequence[Any], arguments: Any
) -> list[int]:
    """Open comments, without replies, on each change request."""
    statement = select(Comment).where(
        Comment.parent_id.is_(None),
        Comment.change_request_id.is_not(None),
        Comment.status == CommentStatus.OPEN,
    )
    return await counts(ctx, Comment.change_request_id, statement, [row.id for row in rows])


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
