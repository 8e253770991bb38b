"""Who wrote comments or replies in a place: its members, by their most recent activity."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, func, or_, select

from db.models.discussions import Comment
from db.models.people import Member
from db.models.spaces import Space
from resolvers.context import Context
from resolvers.pagination import Listing, PageArguments, Slice, by_id, pages
from resolvers.policy import visible


async def commenters_of_spaces(
    ctx: Context, rows: Sequence[Any], arguments: PageArguments
) -> list[Slice[Member]]:
    """Members who commented on a space itself, most recent first; guests see themselves only."""
    on_space = Comment.change_request_id.is_(None)
    return await _commenters(ctx, Comment.space_id, on_space, rows, arguments)


async def commenters_of_change_requests(
    ctx: Context, rows: Sequence[Any], arguments: PageArguments
) -> list[Slice[Member]]:
    """Members who commented on a change request, most recent first."""
    on_request = Comment.change_request_id.is_not(None)
    return await _commenters(ctx, Comment.change_request_id, on_request, rows, arguments)


async def _commenters(
    ctx: Context,
    parent: Any,
    family: ColumnElement[bool],
    rows: Sequence[Any],
    arguments: PageArguments,
) -> list[Slice[Member]]:
    """Pages over the latest comment of each person, shown as that person's membership."""
    ids = [row.id for row in rows]
    latest = (
        select(func.max(Comment.id))
        .where(parent.in_(ids), family)
        .group_by(parent, Comment.posted_by_id)
    )
    # People who left are skipped; guests see no other people.
    members = (
        visible(ctx, Member)
        .with_only_columns(Member.user_id)
        .where(
            Member.organization_id == Space.organization_id,
            Member.user_id == Comment.posted_by_id,
        )
        .correlate(Space, Comment)
    )
    statement = visible(ctx, Comment).where(Comment.id.in_(latest), members.exists())
    listing = Listing(Comment, parent, by_id(Comment, descending=True), ("commenters", str(parent)))
    slices = await pages(ctx, listing, statement, ids, arguments)
    found = await _members(ctx, [row for part in slices for row in part.rows])
    return [_of_members(part, found) for part in slices]


async def _members(ctx: Context, comments: Sequence[Comment]) -> dict[tuple[str, str], Member]:
    """The membership behind each comment, by space and person, in the space's organization."""
    wanted: dict[str, set[str]] = {}
    for comment in comments:
        wanted.setdefault(comment.space_id, set()).add(comment.posted_by_id)
    if not wanted:
        return {}
    matches = [
        (Space.id == space_id) & Member.user_id.in_(people) for space_id, people in wanted.items()
    ]
    statement = (
        visible(ctx, Member)
        .join(Space, Space.organization_id == Member.organization_id)
        .where(or_(*matches))
        .add_columns(Space.id)
    )
    return {
        (space_id, member.user_id): member
        for member, space_id in await ctx.session.execute(statement)
    }


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
