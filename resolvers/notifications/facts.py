"""Reads what events are about, as it is now; the number of statements does not depend on them."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from sqlalchemy import func, or_, select

from db.enums import Role
from db.event_enums import EventType as Type
from db.models.change_requests import ChangeRequest
from db.models.comments import Comment
from db.models.events import Event
from db.models.reviews import RequestedReviewer
from db.prepared import among
from resolvers.addresses.app import AppAddresses
from resolvers.core.context import Context
from resolvers.core.statements import Viewer, Written, statement
from resolvers.notifications.mentions import people_mentioned
from resolvers.notifications.wishes import NOBODY, CommentFacts, Facts, People, RequestFacts
from resolvers.permissions.people import Reader, readers_with_rank

# Whoever may review unasked, the lowest role first.
REVIEWERS = (Role.REVIEW, Role.CREATE, Role.ADMIN)


@statement
def _comments(viewer: Viewer) -> Written:
    return select(
        Comment.id, Comment.parent_id, Comment.space_id, Comment.change_request_id,
        Comment.review_id, Comment.document,
    ).where(among(Comment.id, "ids"))  # fmt: skip


@statement
def _threads(viewer: Viewer) -> Written:
    """Everybody who has written in threads, with their first words there."""
    thread_id = func.coalesce(Comment.parent_id, Comment.id)
    return (
        select(
            thread_id.label("thread_id"), Comment.posted_by_id, func.min(Comment.id).label("first")
        )
        .where(or_(among(Comment.id, "ids"), among(Comment.parent_id, "ids")))
        .group_by(thread_id, Comment.posted_by_id)
    )


@statement
def _requests(viewer: Viewer) -> Written:
    reviewers = select(RequestedReviewer.id).where(
        RequestedReviewer.change_request_id == ChangeRequest.id
    )
    return select(
        ChangeRequest.id, ChangeRequest.space_id, ChangeRequest.created_by_id,
        ChangeRequest.description, reviewers.exists().label("asked"),
    ).where(among(ChangeRequest.id, "ids"))  # fmt: skip


async def facts_of(ctx: Context, events: Sequence[Event]) -> Facts:
    """What is known of the comments and change requests that events are about."""
    addresses = AppAddresses.of(ctx)
    comments = await _comments_of(ctx, addresses, events)
    ids = {event.change_request_id for event in events if event.change_request_id is not None}
    rows = await _requests.rows(ctx, ids=sorted(ids)) if ids else []
    opened = {
        event.change_request_id for event in events if event.type is Type.CHANGE_REQUEST_OPENED
    }
    unasked = {row.space_id for row in rows if row.id in opened and not row.asked}
    by_space = await _reviewers(ctx, unasked)
    requests = {
        row.id: RequestFacts(
            row.id,
            row.created_by_id,
            frozenset(people_mentioned(row.description, addresses, row.space_id)),
            bool(row.asked),
            _lowest(by_space.get(row.space_id, ()), row.created_by_id),
        )
        for row in rows
    }
    return Facts(comments, requests)


async def _comments_of(
    ctx: Context, addresses: AppAddresses, events: Sequence[Event]
) -> Mapping[str, CommentFacts]:
    ids = {event.comment_id for event in events if event.comment_id is not None}
    rows = await _comments.rows(ctx, ids=sorted(ids)) if ids else []
    answered = {row.parent_id for row in rows if row.parent_id is not None}
    writers = await _threads.rows(ctx, ids=sorted(answered)) if answered else []
    threads: dict[str, list[Any]] = {}
    for writer in writers:
        threads.setdefault(writer.thread_id, []).append(writer)
    return {
        row.id: CommentFacts(
            row.id,
            row.parent_id,
            row.change_request_id,
            row.review_id is not None,
            frozenset(people_mentioned(row.document, addresses, row.space_id)),
            # Ids are in the order of time.
            frozenset(
                writer.posted_by_id
                for writer in threads.get(row.parent_id or "", ())
                if writer.first < row.id
            ),
        )
        for row in rows
    }


async def _reviewers(ctx: Context, space_ids: Collection[str]) -> dict[str, list[Reader]]:
    readers: dict[str, list[Reader]] = {}
    if space_ids:
        for reader in await readers_with_rank(ctx, sorted(space_ids), REVIEWERS[0]):
            readers.setdefault(reader.space_id, []).append(reader)
    return readers


def _lowest(readers: Sequence[Reader], author_id: str) -> People:
    """The people of the lowest role among those who review, without the author."""
    others = [reader for reader in readers if reader.user_id != author_id]
    if not others:
        return NOBODY
    lowest = min(reader.rank for reader in others)
    return frozenset(reader.user_id for reader in others if reader.rank == lowest)
