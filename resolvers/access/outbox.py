"""Mail that waits, as the task that sends it takes and settles it (jobs/mail.py).

Several processes share it: each takes messages for a while, and whoever has sent one deletes it.
Where a process dies in between, a message is sent again: at least once, and rarely twice.
"""

import datetime as dt
from collections.abc import Collection
from dataclasses import dataclass, fields

from sqlalchemy import bindparam, delete, select, update

from db.models.mail import OutgoingMail
from resolvers.access.policy import must_be_operator
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.statements import Viewer, Written, statement

PORTION = 20
# How long the messages of one portion belong to whoever took them; sending them takes less.
LEASE = dt.timedelta(minutes=20)
# Between two attempts: twice as long each time, from and to these.
SHORTEST, LONGEST = dt.timedelta(seconds=30), dt.timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class WaitingMail:
    """A message that this process has taken."""

    id: str
    recipient: str
    subject: str
    text: str
    html: str | None
    unsubscribe_url: str | None
    created_at: dt.datetime
    # This attempt included.
    attempts: int


def _taken(row: OutgoingMail) -> WaitingMail:
    return WaitingMail(**{part.name: getattr(row, part.name) for part in fields(WaitingMail)})


@statement
def _due(viewer: Viewer) -> Written:
    now = bindparam("now", type_=OutgoingMail.due_at.type)
    return select(OutgoingMail.id).where(OutgoingMail.due_at <= now).limit(1)


async def is_mail_due(ctx: Context, now: dt.datetime) -> bool:
    """Whether a message can be sent or thrown away; asked for often, it locks nothing."""
    must_be_operator(ctx)
    return bool(await _due.rows(ctx, now=now))


@operation(audited=False)
async def take_mail(ctx: Context, now: dt.datetime) -> list[WaitingMail]:
    """The next messages that are due, which nobody else takes for a while; oldest first."""
    must_be_operator(ctx)
    due = (
        select(OutgoingMail)
        .where(OutgoingMail.due_at <= now)
        .order_by(OutgoingMail.due_at, OutgoingMail.id)
        .limit(PORTION)
        .with_for_update(skip_locked=True)
    )
    rows = (await ctx.session.execute(due)).scalars().all()
    taken = []
    for row in rows:
        if row.expires_at <= now:
            await ctx.session.delete(row)
            continue
        row.due_at, row.attempts = now + LEASE, row.attempts + 1
        taken.append(_taken(row))
    return taken


@operation(audited=False)
async def forget_mail(ctx: Context, ids: Collection[str]) -> None:
    """Delete messages that were sent, or that nobody will take."""
    must_be_operator(ctx)
    await ctx.session.execute(delete(OutgoingMail).where(OutgoingMail.id.in_(ids)))


@operation(audited=False)
async def postpone_mail(ctx: Context, mail: WaitingMail, now: dt.datetime) -> None:
    """Try a message again later."""
    must_be_operator(ctx)
    pause = min(LONGEST, SHORTEST * 2 ** min(mail.attempts - 1, 10))
    later = update(OutgoingMail).where(OutgoingMail.id == mail.id).values(due_at=now + pause)
    await ctx.session.execute(later)
