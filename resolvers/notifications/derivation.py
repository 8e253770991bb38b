"""Notifies people of events: reads on from where it has stopped, organization by organization.

A portion of events, the notifications of them and the new position are one transaction, so each
event is dealt with once, whatever is killed when and however many processes do it
(docs/decisions/0112-notifications-from-the-outbox.md).
"""

import datetime as dt
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import (
    BigInteger,
    Integer,
    String,
    and_,
    bindparam,
    func,
    or_,
    select,
    type_coerce,
    update,
)

from db.audit_enums import AuditObjectType
from db.event_enums import EventType
from db.ids import new_id
from db.inserts import ROWS_PER_INSERT, insert_of, parts
from db.models.events import Event, EventCounter
from db.models.notifications import Notification, NotificationCursor, NotificationSettings
from db.models.organizations import Organization
from db.notification_enums import DigestFrequency, NotificationKind as Kind, NotificationLevel
from db.prepared import KEY, among
from resolvers.access.policy import must_be_operator
from resolvers.core.audit_notes import note_fact
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.errors import Conflict
from resolvers.core.event_drafts import Draft
from resolvers.core.statements import Viewer, Written, statement
from resolvers.notifications.digest_times import due_at
from resolvers.notifications.facts import facts_of
from resolvers.notifications.recipients import Recipients, recipients_of
from resolvers.notifications.wishes import ENDS_REQUEST, TYPES, Facts, Wish, wishes_of

# Events that one transaction deals with, and organizations that are looked for at once.
PORTION = 200
MOST_ORGANIZATIONS = 100
_TYPES = sorted(type.value for type in TYPES)
Key = tuple[str, Kind, str]


@statement
def _behind(viewer: Viewer) -> Written:
    position = func.coalesce(NotificationCursor.position, 0)
    return (
        select(Organization.id)
        .join(EventCounter, EventCounter.stream_id == Organization.id)
        .outerjoin(NotificationCursor, NotificationCursor.organization_id == Organization.id)
        .where(EventCounter.last > position, Organization.id > bindparam("after", type_=KEY))
        .order_by(Organization.id)
        .limit(bindparam("most", type_=Integer()))
    )


async def organizations_behind(ctx: Context, after: str = "") -> list[str]:
    """The next organizations with events that nobody was notified of, by their ids."""
    must_be_operator(ctx)
    return [row.id for row in await _behind.rows(ctx, after=after, most=MOST_ORGANIZATIONS)]


@statement
def _behind_of(viewer: Viewer) -> Written:
    position = func.coalesce(NotificationCursor.position, 0)
    cursor = NotificationCursor.organization_id == EventCounter.stream_id
    return (
        select(EventCounter.stream_id)
        .join(Organization, Organization.id == EventCounter.stream_id)
        .outerjoin(NotificationCursor, cursor)
        .where(EventCounter.last > position, among(EventCounter.stream_id, "streams"))
    )


async def streams_behind(ctx: Context, streams: Collection[str]) -> list[str]:
    """Those of these streams of organizations that have events nobody was notified of."""
    must_be_operator(ctx)
    return [row.stream_id for row in await _behind_of.rows(ctx, streams=streams)]


@statement
def _positions(viewer: Viewer) -> Written:
    cursor = NotificationCursor
    return (
        select(EventCounter.last, func.coalesce(cursor.position, 0).label("position"))
        .outerjoin(cursor, cursor.organization_id == EventCounter.stream_id)
        .where(EventCounter.stream_id == bindparam("stream", type_=KEY))
    )


@statement
def _events(viewer: Viewer) -> Written:
    number = BigInteger()
    return (
        select(Event)
        .where(
            Event.stream_id == bindparam("stream", type_=KEY),
            Event.position > bindparam("position", type_=number),
            Event.position <= bindparam("last", type_=number),
            among(type_coerce(Event.type, String), "types"),
        )
        .order_by(Event.position)
        .limit(bindparam("most", type_=Integer()))
    )


_COLUMNS = frozenset(
    {
        "position", "type", "at", "actor_id", "action", "space_id", "change_request_id",
        "comment_id", "user_id", "changed",
    }
)  # fmt: skip


@operation(audited=False)
async def notify_of_events(ctx: Context, organization_id: str) -> int:
    """Notify the people of an organization of the next portion of its events; how many events.

    Conflict where another process has done so meanwhile.
    """
    must_be_operator(ctx)
    rows = await _positions.rows(ctx, stream=organization_id)
    if not rows or rows[0].last <= rows[0].position:
        return 0
    last, position = rows[0].last, rows[0].position
    events = await _events.rows(
        ctx, columns=_COLUMNS, stream=organization_id, position=position, last=last, types=_TYPES,
        most=PORTION,
    )  # fmt: skip
    if len(events) == PORTION:
        last = events[-1].position
    await _move(ctx, organization_id, position, last)
    if events:
        await _notify(ctx, events)
    return len(events)


async def _move(ctx: Context, organization_id: str, position: int, last: int) -> None:
    """Move the position on from where it was read; first, so that others stop at once."""
    statement = insert_of(ctx.session, NotificationCursor).values(
        organization_id=organization_id, position=last
    )
    moved = statement.on_conflict_do_update(
        index_elements=["organization_id"],
        set_={"position": last},
        where=NotificationCursor.position == position,
    ).returning(NotificationCursor.position)
    if (await ctx.session.execute(moved)).first() is None:
        raise Conflict("another process has notified of these events")


@dataclass(slots=True)
class _Pending:
    """A notification as a portion of events makes it, or makes it grow."""

    event: Event
    wish: Wish
    count: int = 1


@dataclass(slots=True)
class _Portion:
    """What a portion of events comes to."""

    pending: dict[Key, _Pending] = field(default_factory=dict)
    # Requests for reviews that have ended: person and change request, and when.
    ended: dict[tuple[str, str], dt.datetime] = field(default_factory=dict)

    def add(self, event: Event, chosen: Mapping[str, Wish]) -> None:
        for user_id, wish in chosen.items():
            key = user_id, wish.kind, wish.subject_id
            earlier = self.pending.pop(key, None)
            # The last one comes last, whatever was before.
            count = 1 if earlier is None else earlier.count + 1
            self.pending[key] = _Pending(event, wish, count)

    def end_request(self, event: Event) -> None:
        if event.user_id is not None and event.change_request_id is not None:
            self.pending.pop((event.user_id, Kind.REVIEW_REQUESTED, event.change_request_id), None)
            self.ended[event.user_id, event.change_request_id] = event.at


async def _notify(ctx: Context, events: Sequence[Event]) -> None:
    facts = await facts_of(ctx, events)
    wishes = [wishes_of(facts, event) for event in events]
    recipients = await recipients_of(ctx, events, wishes)
    portion = _Portion()
    for event, reasons in zip(events, wishes, strict=True):
        if event.type in ENDS_REQUEST:
            portion.end_request(event)
        if event.space_id is not None:
            portion.add(event, recipients.of(event.space_id, event.actor_id, reasons))
    await _end_requests(ctx, portion.ended)
    rows = [_row(key, pending, facts) for key, pending in portion.pending.items()]
    for some in parts(rows, ROWS_PER_INSERT):
        await _store(ctx, some)
    await _make_due(ctx, {row["user_id"] for row in rows}, recipients)


def _row(key: Key, pending: _Pending, facts: Facts) -> dict[str, Any]:
    user_id, kind, subject_id = key
    event = pending.event
    comment = facts.comments.get(event.comment_id or "")
    return {
        "id": new_id(),
        "user_id": user_id,
        "kind": kind,
        "subject_id": subject_id,
        "space_id": event.space_id,
        "change_request_id": event.change_request_id,
        "comment_id": None if comment is None else comment.thread_id,
        "reply_id": None if comment is None or comment.parent_id is None else comment.id,
        "actor_id": event.actor_id,
        "count": pending.count,
        "created_at": event.at,
        "updated_at": event.at,
    }


async def _end_requests(ctx: Context, ended: Mapping[tuple[str, str], dt.datetime]) -> None:
    """What was asked for is given, or not wanted any more: its notification counts as read."""
    for some in parts(list(ended), ROWS_PER_INSERT):
        theirs = or_(
            *(
                and_(Notification.user_id == user_id, Notification.subject_id == request_id)
                for user_id, request_id in some
            )
        )
        await ctx.session.execute(
            update(Notification)
            .where(
                Notification.kind == Kind.REVIEW_REQUESTED, Notification.read_at.is_(None), theirs
            )
            .values(read_at=max(ended[key] for key in some))
            .execution_options(synchronize_session=False)
        )


_LAST = ("change_request_id", "comment_id", "reply_id", "actor_id", "updated_at")


async def _store(ctx: Context, rows: Sequence[dict[str, Any]]) -> None:
    """Add notifications; one that is unread still counts up, and is to be sent by mail again."""
    statement = insert_of(ctx.session, Notification).values(list(rows))
    stored = statement.on_conflict_do_update(
        index_elements=["user_id", "kind", "subject_id"],
        index_where=Notification.read_at.is_(None),
        set_={
            **{name: statement.excluded[name] for name in _LAST},
            "count": Notification.count + statement.excluded.count,
            "mailed_at": None,
        },
    ).returning(Notification.id, Notification.user_id)
    for id, user_id in (await ctx.session.execute(stored)).all():
        note_fact(ctx.session, _changed(user_id, id))


def _changed(user_id: str, id: str) -> Draft:
    return Draft(
        type=EventType.NOTIFICATION_CREATED,
        object_type=AuditObjectType.NOTIFICATION,
        object_id=id,
        account_id=user_id,
        user_id=user_id,
    )


async def _make_due(ctx: Context, people: Collection[str], recipients: Recipients) -> None:
    """Let the next mail be written to those who get some, where none is due yet."""
    if not ctx.settings.sends_mail:
        return
    rows = list(_digest_rows(ctx.now(), sorted(people), recipients))
    for some in parts(rows, ROWS_PER_INSERT):
        statement = insert_of(ctx.session, NotificationSettings).values(list(some))
        await ctx.session.execute(
            statement.on_conflict_do_update(
                index_elements=["user_id"],
                set_={"digest_due_at": statement.excluded.digest_due_at},
                where=and_(
                    NotificationSettings.digest_due_at.is_(None),
                    NotificationSettings.digest != DigestFrequency.OFF,
                ),
            )
        )


def _digest_rows(
    now: dt.datetime, people: Iterable[str], recipients: Recipients
) -> Iterable[dict[str, Any]]:
    for user_id in people:
        digest = recipients.digests.get(user_id, DigestFrequency.DAILY)
        due = due_at(now, digest)
        if due is not None:
            yield {
                "user_id": user_id,
                "level": NotificationLevel.PARTICIPATING,
                "digest": digest,
                "digest_due_at": due,
            }
