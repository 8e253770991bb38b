"""Who is to be notified of an event, and why, before anybody is asked what they may read.

This is the whole table: each type of event that notifies somebody has a line in `WISHES`.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from db.event_enums import EventType as Type
from db.models.events import Event
from db.notification_enums import NotificationKind as Kind

People = frozenset[str]
NOBODY: People = frozenset()


@dataclass(frozen=True, slots=True)
class Wish:
    """A reason to notify people of an event; of several reasons for one person the first holds."""

    kind: Kind
    # By which more of the same is known.
    subject_id: str
    # Whom it concerns: they are notified unless they want to hear nothing of the space.
    people: People = NOBODY
    # Whether those who want to hear everything of the space are notified, too.
    followers: bool = False
    # Only those of `people` who were never notified of it: the event is a change of a text.
    once: bool = False
    # Whether they are mentioned: guests do not mention each other.
    mention: bool = False


@dataclass(frozen=True, slots=True)
class CommentFacts:
    """What is known of a comment or a reply, as it is now."""

    id: str
    parent_id: str | None
    change_request_id: str | None
    by_review: bool
    mentioned: People
    # Whoever wrote the comment that it answers, and earlier answers to that.
    thread: People = NOBODY

    @property
    def thread_id(self) -> str:
        """The comment, or the one that it answers."""
        return self.parent_id or self.id


@dataclass(frozen=True, slots=True)
class RequestFacts:
    """What is known of a change request, as it is now."""

    id: str
    author_id: str
    mentioned: People
    # Whether anybody is asked for a review.
    asked: bool
    # The people of the lowest role that reviews, without the author.
    reviewers: People = NOBODY

    @property
    def author(self) -> People:
        return frozenset({self.author_id})


@dataclass(frozen=True, slots=True)
class Facts:
    """What events are about, by id; what is gone by now is not there."""

    comments: Mapping[str, CommentFacts] = field(default_factory=dict)
    requests: Mapping[str, RequestFacts] = field(default_factory=dict)


Wishes = Iterator[Wish]


def _comment(facts: Facts, event: Event) -> Wishes:
    comment = facts.comments.get(event.comment_id or "")
    if comment is None:
        return
    yield Wish(Kind.MENTIONED, comment.id, comment.mentioned, mention=True)
    if comment.parent_id is not None:
        yield Wish(Kind.REPLIED, comment.parent_id, comment.thread)
    if comment.by_review:
        # The review notifies of itself.
        return
    request = facts.requests.get(comment.change_request_id or "")
    author = NOBODY if request is None else request.author
    subject_id = comment.change_request_id or comment.thread_id
    yield Wish(Kind.COMMENTED, subject_id, author, followers=True)


def _edited_comment(facts: Facts, event: Event) -> Wishes:
    comment = facts.comments.get(event.comment_id or "")
    if comment is not None:
        yield Wish(Kind.MENTIONED, comment.id, comment.mentioned, once=True, mention=True)


def _described(facts: Facts, event: Event) -> Wishes:
    request = facts.requests.get(event.change_request_id or "")
    if request is not None and "description" in event.changed:
        yield Wish(Kind.MENTIONED, request.id, request.mentioned, once=True, mention=True)


def _opened(facts: Facts, event: Event) -> Wishes:
    request = facts.requests.get(event.change_request_id or "")
    if request is not None:
        people = NOBODY if request.asked else request.reviewers
        yield Wish(Kind.OPENED, request.id, people, followers=True)


def _to_author(kind: Kind, *, followers: bool = True) -> Callable[[Facts, Event], Wishes]:
    def wishes(facts: Facts, event: Event) -> Wishes:
        request = facts.requests.get(event.change_request_id or "")
        if request is not None:
            yield Wish(kind, request.id, request.author, followers=followers)

    return wishes


def _asked(facts: Facts, event: Event) -> Wishes:
    request = facts.requests.get(event.change_request_id or "")
    if request is not None and event.user_id is not None:
        yield Wish(Kind.REVIEW_REQUESTED, request.id, frozenset({event.user_id}))


def _content(facts: Facts, event: Event) -> Wishes:
    # A merge is said of the change request.
    if event.space_id is not None and event.action != "mergeChangeRequest":
        yield Wish(Kind.CONTENT_UPDATED, event.space_id, followers=True)


WISHES: Mapping[Type, Callable[[Facts, Event], Wishes]] = {
    Type.REVIEW_REQUESTED: _asked,
    Type.COMMENT_CREATED: _comment,
    Type.COMMENT_REPLY_CREATED: _comment,
    Type.COMMENT_UPDATED: _edited_comment,
    Type.COMMENT_REPLY_UPDATED: _edited_comment,
    Type.CHANGE_REQUEST_UPDATED: _described,
    Type.CHANGE_REQUEST_OPENED: _opened,
    Type.REVIEW_SUBMITTED: _to_author(Kind.REVIEWED),
    Type.CHANGE_REQUEST_MERGED: _to_author(Kind.MERGED),
    Type.CHANGE_REQUEST_ARCHIVED: _to_author(Kind.ARCHIVED),
    Type.CHANGE_REQUEST_CONFLICTED: _to_author(Kind.CONFLICTED, followers=False),
    Type.SPACE_CONTENT_UPDATED: _content,
}
# These end a request for a review: who was asked need not be reminded of it.
ENDS_REQUEST = frozenset({Type.REVIEW_SUBMITTED, Type.REVIEW_REQUEST_WITHDRAWN})
TYPES: frozenset[Type] = frozenset(WISHES) | ENDS_REQUEST


def wishes_of(facts: Facts, event: Any) -> list[Wish]:
    """The reasons to notify people of an event, the most particular one first."""
    write = WISHES.get(event.type)
    return [] if write is None else list(write(facts, event))
