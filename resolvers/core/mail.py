"""Mail that the server sends: written in the transaction of the write that it tells of.

Whoever writes a message does not wait for it: a task of the server process sends it
(jobs/mail.py). Without a mail server nothing is written, and the caller shows what the message
would have said.
"""

import datetime as dt
import re
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Select, select

from db.models.mail import OutgoingMail
from resolvers.core.context import Context
from resolvers.core.email_addresses import can_be_sent_to
from resolvers.core.errors import Unavailable, invalid

# Messages that may wait at the same time: what writes more is asked to come back later.
MOST_WAITING = 20_000
SUBJECT_LENGTH, TEXT_LENGTH = 255, 20_000
# How long sending is tried when the message says no shorter time.
LIFETIME = dt.timedelta(days=3)
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


@dataclass(frozen=True, slots=True)
class Message:
    """A message to one person, as plain text and perhaps as HTML, too.

    Control characters of the subject become blanks, and what is too long is cut: names of
    organizations and people stand there.
    """

    to: str
    subject: str
    text: str
    # Nobody needs it after that, and it is not sent any more.
    expires_at: dt.datetime | None = None
    # The same for programs that show HTML.
    html: str | None = None
    # Where the person stops to get such mail, with one click (RFC 8058).
    unsubscribe_url: str | None = None


def on_one_line(text: str) -> str:
    """Text of somebody, such as a title, for a subject or a line of a message."""
    return _CONTROL.sub(" ", text).strip()


async def send_mail(ctx: Context, *messages: Message) -> bool:
    """Write messages, which are sent when the transaction has been committed.

    False, and nothing is written, where the server has no mail server. Invalid for what is no
    address; Unavailable while very many messages wait.
    """
    if not ctx.settings.sends_mail:
        return False
    for message in messages:
        if not can_be_sent_to(message.to):
            raise invalid("email", f"{message.to[:100]!r} is not an e-mail address")
    room = MOST_WAITING - len(messages)
    if room < 0 or (await ctx.session.execute(waiting_behind(room))).first() is not None:
        raise Unavailable("too many messages wait to be sent; try again later")
    now = ctx.now()
    ctx.session.add_all(_row(message, now) for message in messages)
    await ctx.session.flush()
    return True


def waiting_behind(number: int) -> Select[Any]:
    """A message that waits behind so many others: none is looked at outside of the index."""
    return select(OutgoingMail.due_at).order_by(OutgoingMail.due_at).offset(number).limit(1)


def _row(message: Message, now: dt.datetime) -> OutgoingMail:
    return OutgoingMail(
        recipient=message.to,
        subject=on_one_line(message.subject)[:SUBJECT_LENGTH],
        text=message.text[:TEXT_LENGTH],
        html=message.html,
        unsubscribe_url=message.unsubscribe_url,
        created_at=now,
        due_at=now,
        expires_at=message.expires_at or now + LIFETIME,
    )
