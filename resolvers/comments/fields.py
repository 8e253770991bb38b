"""Comments: their lists, texts and computed fields."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import strawberry
from sqlalchemy import Select, bindparam, func, select

from db.content_enums import CommentStatus, CommentStatusFilter
from db.enums import Role, SortOrder, TokenScope
from db.models.change_requests import LAST_WRITTEN, ChangeRequest
from db.models.comments import Comment
from db.models.organizations import Member
from db.models.spaces import Space
from db.order_enums import CommentOrderField
from db.prepared import ACTOR_RANK, KEY, among
from resolvers.access.policy import ranks_of, visible
from resolvers.content.client_markdown import Standpoint, client_documents, client_markdown
from resolvers.core import inputs
from resolvers.core.batch_functions import ALL, Projection, only
from resolvers.core.context import Context
from resolvers.core.errors import Forbidden
from resolvers.core.filters import Filter
from resolvers.core.orders import CommentOrder, Orders, by
from resolvers.core.pagination import Order, PageArguments, Slice, SortColumn, by_id
from resolvers.core.statements import Viewer, Written, statement
from resolvers.core.urls import Urls
from resolvers.lists.batches import Count, computed_from, reads
from resolvers.lists.listing_statements import PARENTS
from resolvers.lists.listings import Listing
from resolvers.revisions.ids import PAGE, stable_part

Json = dict[str, Any]


@dataclass(frozen=True)
class CommentArguments(PageArguments):
    """Filters and order of a list of comments; all filters must hold."""

    order: Annotated[
        SortOrder | None,
        inputs.argument(
            "By time of posting; newest first (`DESC`) when absent. Not with `orderBy`."
        ),
    ] = None
    order_by: Annotated[
        CommentOrder | None, inputs.argument("Order; newest first when absent. Not with `order`.")
    ] = None
    status: Annotated[
        CommentStatusFilter | None,
        inputs.argument("Only open or only resolved ones; all when absent."),
    ] = None
    target_page: Annotated[strawberry.ID | None, inputs.argument("Only those about this page.")] = (
        None
    )
    authors: Annotated[
        list[strawberry.ID] | None, inputs.argument("Only by one of these users.")
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


def _status(status: CommentStatusFilter | None) -> CommentStatus | None:
    return None if status in (None, CommentStatusFilter.ALL) else CommentStatus(status.value)


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


@computed_from("id", "space_id", "change_request_id", "parent_id")
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


@dataclass(frozen=True, slots=True)
class CommentRights:
    """What the caller may do with one comment or reply."""

    view: bool
    reply: bool
    react: bool
    edit: bool
    resolve: bool
    delete: bool


def rights_of(rank: int, is_author: bool) -> CommentRights:
    """The table of rights: by the rank in the space, and for authors who may still comment."""
    writes = rank >= Role.COMMENT.rank
    own = is_author and writes
    manages = rank >= Role.CREATE.rank
    return CommentRights(
        view=rank >= Role.READ.rank,
        reply=writes,
        react=writes,
        edit=own or manages,
        resolve=own or rank >= Role.EDIT.rank,
        delete=own or manages,
    )


@reads("id", "posted_by_id", ACTOR_RANK)
async def comment_rights(
    ctx: Context, rows: Sequence[Comment], arguments: Any
) -> list[CommentRights]:
    """What the caller may do with each comment."""
    ranks = await ranks_of(ctx, Comment, rows)
    return [
        rights_of(rank, row.posted_by_id == ctx.actor.user_id)
        for row, rank in zip(rows, ranks, strict=True)
    ]


async def must_have(ctx: Context, comment: Comment, *rights: str) -> None:
    """Forbidden when the caller lacks one of these rights on the comment."""
    (own,) = await comment_rights(ctx, [comment], None)
    for right in rights:
        if not getattr(own, right):
            raise Forbidden(f"you may not {right} this comment")


def _rows(parent: Any) -> Callable[[Viewer], Select[Any]]:
    """The latest comment of each person under each parent, as pages over members need them."""

    def rows(viewer: Viewer) -> Select[Any]:
        on_request = Comment.change_request_id.is_not(None)
        family = (
            on_request
            if parent is Comment.change_request_id
            else Comment.change_request_id.is_(None)
        )
        latest = (
            select(func.max(Comment.id))
            .where(among(parent, PARENTS), family)
            .group_by(parent, Comment.posted_by_id)
        )
        # People who left are skipped; guests see no other people.
        members = (
            visible(viewer, Member)
            .with_only_columns(Member.user_id)
            .where(
                Member.organization_id == Space.organization_id,
                Member.user_id == Comment.posted_by_id,
            )
            .correlate(Space, Comment)
        )
        return visible(viewer, Comment).where(Comment.id.in_(latest), members.exists())

    return rows


def _listing(name: str, parent: Any) -> Listing:
    return Listing(
        name,
        Comment,
        parent,
        by_id(Comment, descending=True),
        about="The latest comment of each person.",
        rows=_rows(parent),
        by_itself=True,
    )


_ON_SPACES = _listing("commenters_of_spaces", Comment.space_id)


_ON_CHANGE_REQUESTS = _listing("commenters_of_change_requests", Comment.change_request_id)


@reads("id", scope=TokenScope.ORGANIZATION_MEMBERS_READ)
async def commenters_of_spaces(
    ctx: Context, rows: Sequence[Any], arguments: PageArguments, projection: Projection = ALL
) -> list[Slice[Member]]:
    """Members who commented on a space itself, most recent first; guests see themselves only."""
    return await _commenters(ctx, _ON_SPACES, rows, arguments, projection)


@reads("id", scope=TokenScope.ORGANIZATION_MEMBERS_READ)
async def commenters_of_change_requests(
    ctx: Context, rows: Sequence[Any], arguments: PageArguments, projection: Projection = ALL
) -> list[Slice[Member]]:
    """Members who commented on a change request, most recent first."""
    return await _commenters(ctx, _ON_CHANGE_REQUESTS, rows, arguments, projection)


async def _commenters(
    ctx: Context,
    listing: Listing,
    rows: Sequence[Any],
    arguments: PageArguments,
    projection: Projection,
) -> list[Slice[Member]]:
    """Pages over the latest comment of each person, shown as that person's membership."""
    slices = await listing(ctx, rows, arguments, only("space_id", "posted_by_id"))
    members = await _members(ctx, [row for part in slices for row in part.rows], projection)
    return [_of_members(part, members) for part in slices]


@statement
def _members_of(viewer: Viewer) -> Written:
    return (
        visible(viewer, Member)
        .join(Space, Space.organization_id == Member.organization_id)
        .where(among(Space.id, "spaces"), among(Member.user_id, "people"))
        .add_columns(Space.id.label("in_space"))
    )


async def _members(
    ctx: Context, comments: Sequence[Comment], projection: Projection
) -> dict[tuple[str, str], Member]:
    """The membership behind each comment, by space and person, in the space's organization."""
    if not comments:
        return {}
    members = await _members_of.rows(
        ctx,
        columns=projection.columns_with("user_id"),
        spaces={comment.space_id for comment in comments},
        people={comment.posted_by_id for comment in comments},
    )
    return {(member.in_space, member.user_id): member for member in members}


def _of_members(part: Slice[Comment], members: dict[tuple[str, str], Member]) -> Slice[Member]:
    comments = {comment.posted_by_id: comment for comment in part.rows}

    def cursor_of(member: Member) -> str:
        return part.cursor_of(comments[member.user_id])

    return Slice(
        rows=[members[comment.space_id, comment.posted_by_id] for comment in part.rows],
        has_next=part.has_next,
        has_previous=part.has_previous,
        cursor_of=cursor_of,
        counter=part.counter,
        parent=part.parent,
    )


def _of_comment(row: Comment) -> Standpoint:
    return Standpoint(row.revision_id, row.page_id)


@computed_from("markdown", "revision_id", "page_id")
async def comment_markdown(ctx: Context, rows: Sequence[Comment], arguments: Any) -> list[str]:
    """The text of each comment or reply as Markdown."""
    return await client_markdown(
        ctx, [_of_comment(row) for row in rows], [row.markdown for row in rows]
    )


@computed_from("document", "revision_id", "page_id")
async def comment_documents(ctx: Context, rows: Sequence[Comment], arguments: Any) -> list[Json]:
    """The text of each comment or reply as a JSON document."""
    documents = [dict(row.document) for row in rows]
    return await client_documents(ctx, [_of_comment(row) for row in rows], documents)


@computed_from("description", "revision_id")
async def descriptions(
    ctx: Context, rows: Sequence[ChangeRequest], arguments: Any
) -> list[Json | None]:
    """The descriptions of change requests."""
    texts = [None if row.description is None else dict(row.description) for row in rows]
    return await client_documents(ctx, [Standpoint(row.revision_id) for row in rows], texts)
