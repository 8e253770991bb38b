"""Who wrote comments or replies in a place: its members, by their most recent activity."""

from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import Select, func, select

from db.models.comments import Comment
from db.models.organizations import Member
from db.models.spaces import Space
from db.prepared import among
from resolvers.access.policy import visible
from resolvers.core.context import Context
from resolvers.core.pagination import PageArguments, Slice, by_id
from resolvers.core.statements import Asks, Columns, Written, statement
from resolvers.lists.batches import narrows, reads
from resolvers.lists.listing_statements import PARENTS
from resolvers.lists.listings import Listing


def _rows(parent: Any) -> Callable[[Asks], Select[Any]]:
    """The latest comment of each person under each parent, as pages over members need them."""

    def rows(asks: Asks) -> Select[Any]:
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
            visible(asks, Member)
            .with_only_columns(Member.user_id)
            .where(
                Member.organization_id == Space.organization_id,
                Member.user_id == Comment.posted_by_id,
            )
            .correlate(Space, Comment)
        )
        return visible(asks, Comment).where(Comment.id.in_(latest), members.exists())

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


@reads("id")
@narrows
async def commenters_of_spaces(
    ctx: Context, rows: Sequence[Any], arguments: PageArguments, columns: Columns = None
) -> list[Slice[Member]]:
    """Members who commented on a space itself, most recent first; guests see themselves only."""
    return await _commenters(ctx, _ON_SPACES, rows, arguments, columns)


@reads("id")
@narrows
async def commenters_of_change_requests(
    ctx: Context, rows: Sequence[Any], arguments: PageArguments, columns: Columns = None
) -> list[Slice[Member]]:
    """Members who commented on a change request, most recent first."""
    return await _commenters(ctx, _ON_CHANGE_REQUESTS, rows, arguments, columns)


async def _commenters(
    ctx: Context,
    listing: Listing,
    rows: Sequence[Any],
    arguments: PageArguments,
    columns: Columns,
) -> list[Slice[Member]]:
    """Pages over the latest comment of each person, shown as that person's membership."""
    slices = await listing(ctx, rows, arguments, frozenset({"space_id", "posted_by_id"}))
    found = await _members(ctx, [row for part in slices for row in part.rows], columns)
    return [_of_members(part, found) for part in slices]


@statement
def _members_of(asks: Asks) -> Written:
    return (
        visible(asks, Member)
        .join(Space, Space.organization_id == Member.organization_id)
        .where(among(Space.id, "spaces"), among(Member.user_id, "people"))
        .add_columns(Space.id.label("in_space"))
    )


async def _members(
    ctx: Context, comments: Sequence[Comment], columns: Columns
) -> dict[tuple[str, str], Member]:
    """The membership behind each comment, by space and person, in the space's organization."""
    if not comments:
        return {}
    wanted = None if columns is None else columns | {"user_id"}
    found = await _members_of.rows(
        ctx,
        columns=wanted,
        spaces={comment.space_id for comment in comments},
        people={comment.posted_by_id for comment in comments},
    )
    return {(member.in_space, member.user_id): member for member in found}


def _of_members(part: Slice[Comment], found: dict[tuple[str, str], Member]) -> Slice[Member]:
    comments = {comment.posted_by_id: comment for comment in part.rows}

    def cursor_of(member: Member) -> str:
        return part.cursor_of(comments[member.user_id])

    return Slice(
        rows=[found[comment.space_id, comment.posted_by_id] for comment in part.rows],
        has_next=part.has_next,
        has_previous=part.has_previous,
        cursor_of=cursor_of,
        counter=part.counter,
        parent=part.parent,
    )
