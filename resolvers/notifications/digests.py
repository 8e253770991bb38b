"""Mail about what is unread: one message to a person in the time that they have chosen.

Whom a message is due to, what it says and that it was written are one transaction, so nobody gets
two however many processes write them. It says what the person may read at that time.
"""

import datetime as dt
import hmac
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Integer, bindparam, select, update

from content.html.markup import element, escape, joined
from db.base import Timestamp
from db.models.change_requests import ChangeRequest
from db.models.notifications import Notification, NotificationSettings
from db.models.organizations import User
from db.models.spaces import Space
from db.notification_enums import DigestFrequency
from resolvers.access.policy import must_be_operator, visible
from resolvers.core.actors import Actor
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.email_addresses import can_be_sent_to
from resolvers.core.errors import NotFound
from resolvers.core.mail import Message, on_one_line, send_mail
from resolvers.core.policy_asked import policy_was_asked
from resolvers.core.signed_addresses import signature
from resolvers.core.statements import Viewer, Written, statement
from resolvers.core.urls import app_path
from resolvers.notifications.operations import change_digest
from resolvers.notifications.texts import sentence

# People to whom one transaction writes, and notifications that a message lists.
PORTION = 20
MOST_LISTED = 30
UNSUBSCRIBE = "/notifications/unsubscribe/"
_SEPARATOR = "."


@statement
def _due(viewer: Viewer) -> Written:
    now = bindparam("now", type_=Timestamp())
    return (
        select(NotificationSettings.user_id)
        .where(NotificationSettings.digest_due_at <= now)
        .limit(1)
    )


async def is_digest_due(ctx: Context, now: dt.datetime) -> bool:
    """Whether a message is to be written to somebody; it locks nothing."""
    must_be_operator(ctx)
    return bool(await _due.rows(ctx, now=now))


@operation(audited=False)
async def write_digests(ctx: Context, now: dt.datetime) -> int:
    """Write the next messages that are due; to how many people they were."""
    must_be_operator(ctx)
    due = (
        select(NotificationSettings.user_id, User.email, User.email_verified_at)
        .join(User, User.id == NotificationSettings.user_id)
        .where(NotificationSettings.digest_due_at <= now)
        .order_by(NotificationSettings.digest_due_at, NotificationSettings.user_id)
        .limit(PORTION)
        .with_for_update(of=NotificationSettings, skip_locked=True)
    )
    people = (await ctx.session.execute(due)).all()
    if not people:
        return 0
    ids = [row.user_id for row in people]
    messages = []
    for row in people:
        if row.email_verified_at is None or not can_be_sent_to(row.email):
            continue
        if lines := await _lines_of(ctx, row.user_id):
            messages.append(_message(ctx, row.user_id, row.email, lines))
    # What they may not read is not sent later, either.
    sent = update(Notification).where(
        Notification.user_id.in_(ids),
        Notification.read_at.is_(None),
        Notification.mailed_at.is_(None),
    )
    await ctx.session.change(sent.values(mailed_at=now))
    done = update(NotificationSettings).where(NotificationSettings.user_id.in_(ids))
    await ctx.session.change(done.values(digest_due_at=None))
    await send_mail(ctx, *messages)
    return len(ids)


@dataclass(frozen=True, slots=True)
class _Reader:
    """Somebody as whom a message is written."""

    actor: Actor


@dataclass(frozen=True, slots=True)
class _Line:
    """A notification in a message."""

    space: str
    title: str
    url: str


async def _lines_of(ctx: Context, user_id: str) -> list[_Line]:
    """What is unread and was not sent to a person, of what they may read; one more than is
    listed tells that there are more."""
    chosen = (
        visible(_Reader(Actor(user_id)), Notification)
        .outerjoin(ChangeRequest, ChangeRequest.id == Notification.change_request_id)
        .outerjoin(User, User.id == Notification.actor_id)
        .with_only_columns(
            Notification.kind, Notification.count, Notification.space_id, Space.title,
            ChangeRequest.number, ChangeRequest.subject, User.display_name,
        )
        .where(Notification.read_at.is_(None), Notification.mailed_at.is_(None))
        .order_by(Notification.updated_at.desc(), Notification.id.desc())
        .limit(bindparam("most", MOST_LISTED + 1, Integer()))
    )  # fmt: skip
    rows = (await ctx.session.execute(chosen)).all()
    return [_line(ctx.settings.public_url, row) for row in rows]


def _line(base: str, row: Any) -> _Line:
    request = None if row.number is None else (row.number, row.subject)
    title = sentence(row.kind, row.count, row.display_name, row.title, request)
    url = base + app_path(row.space_id, row.number)
    return _Line(on_one_line(row.title), on_one_line(title), url)


# ------------------------------------------------------------------ messages


def _message(ctx: Context, user_id: str, email: str, lines: Sequence[_Line]) -> Message:
    base = ctx.settings.public_url
    leave, settings = base + unsubscribe_path(ctx, user_id), f"{base}/account/notifications"
    listed, more = lines[:MOST_LISTED], len(lines) > MOST_LISTED
    subject = listed[0].title
    if len(lines) > 1:
        number = f"More than {MOST_LISTED}" if more else str(len(lines))
        subject = f"{number} unread notifications"
    return Message(
        email,
        subject,
        _text(listed, more, settings, leave),
        html=_html(subject, listed, more, settings, leave),
        unsubscribe_url=leave,
    )


def _by_space(lines: Sequence[_Line]) -> dict[str, list[_Line]]:
    spaces: dict[str, list[_Line]] = {}
    for line in lines:
        spaces.setdefault(line.space, []).append(line)
    return spaces


_MORE = "There are more than these: your notifications have them all."


def _text(lines: Sequence[_Line], more: bool, settings: str, leave: str) -> str:
    parts = []
    for space, of_space in _by_space(lines).items():
        items = "\n".join(f"- {line.title}\n  {line.url}" for line in of_space)
        parts.append(f"{space}\n\n{items}")
    if more:
        parts.append(_MORE)
    parts.append(f"What you are notified of:\n{settings}\n\nNo more mail like this:\n{leave}")
    return "\n\n".join(parts) + "\n"


def _html(subject: str, lines: Sequence[_Line], more: bool, settings: str, leave: str) -> str:
    body = [element("h1", escape(subject), style="font-size:1.25rem")]
    for space, of_space in _by_space(lines).items():
        items = joined(
            element("li", element("a", escape(line.title), href=line.url), dir="auto")
            for line in of_space
        )
        body += [
            element("h2", escape(space), style="font-size:1rem", dir="auto"),
            element("ul", items),
        ]
    if more:
        body.append(element("p", escape(_MORE)))
    links = [
        element("a", escape("What you are notified of"), href=settings),
        escape(" \N{MIDDLE DOT} "),
        element("a", escape("No more mail like this"), href=leave),
    ]
    body.append(element("p", joined(links), style="font-size:0.875rem"))
    whole = [
        element("head", element("meta", charset="utf-8")),
        element("body", joined(body), style="font-family:sans-serif;line-height:1.5"),
    ]
    return f"<!doctype html>{element('html', joined(whole), lang='en')}"


# ------------------------------------------------------------------ unsubscribing


def unsubscribe_path(ctx: Context, user_id: str) -> str:
    """The path by which whoever has a message of a person ends such messages, and nothing else."""
    return f"{UNSUBSCRIBE}{user_id}{_SEPARATOR}{_signature(ctx, user_id)}"


def _signature(ctx: Context, user_id: str) -> str:
    return signature(ctx.file_access.key, "unsubscribe", user_id)


def person_of(ctx: Context, token: str) -> str:
    """The id of the person in the end of such a path; NotFound for one that is not ours."""
    user_id, _, signed = token.partition(_SEPARATOR)
    if not hmac.compare_digest(_signature(ctx, user_id).encode(), signed.encode()):
        raise NotFound("this address is not valid; copy it as a whole from the message")
    # Whoever has the address may do what it is for.
    policy_was_asked()
    return user_id


@operation(open_to_all=True, action="unsubscribe")
async def unsubscribe(ctx: Context, token: str) -> None:
    """Send a person no more mail about notifications, by the end of the path in a message."""
    user_id = person_of(ctx, token)
    settings = await ctx.session.execute(
        select(NotificationSettings)
        .where(NotificationSettings.user_id == user_id)
        .with_for_update()
    )
    row = settings.scalar_one_or_none()
    if row is None:
        raise NotFound("there is no such account any more")
    if row.digest is not DigestFrequency.OFF:
        await change_digest(ctx, row, DigestFrequency.OFF)
