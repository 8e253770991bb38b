"""Runs the job that notifies people, and reads what it has made."""

from typing import Any

from sqlalchemy import select

from db.models.notifications import Notification
from db.models.organizations import User
from db.session import Database
from jobs.notifications import notify_all, write_mail
from resolvers.change_requests.bodies import CommentBodyInput
from resolvers.core.actors import OPERATOR
from resolvers.core.context import Context
from resolvers.core.installation import Settings
from tests.conftest import Api

SILENT = Settings(public_url="http://docs.test")
SENDING = Settings(public_url="http://docs.test", sends_mail=True)


async def notify(database: Database, settings: Settings = SILENT) -> int:
    """Notify everybody of what nobody was notified of; of how many events."""
    async with database.session() as session:
        return await notify_all(Context(OPERATOR, session, settings))


async def mail_due(api: Api, **changes: Any) -> int:
    """Write the mail that is due, as the server of `api`; to how many people."""
    async with api.server.context_of(OPERATOR) as ctx:
        ctx.settings = SENDING
        for name, value in changes.items():
            setattr(ctx, name, value)
        return await write_mail(ctx)


async def notifications_of(database: Database, person: User) -> list[Notification]:
    """What a person was notified of, read or not, the oldest first."""
    async with database.session() as session:
        statement = select(Notification).where(Notification.user_id == person.id)
        ordered = statement.order_by(Notification.updated_at, Notification.id)
        return list((await session.execute(ordered)).scalars())


async def kinds_of(database: Database, person: User) -> list[str]:
    """The kinds of what a person has not read, in order of their names, with their counts."""
    rows = await notifications_of(database, person)
    unread = [row for row in rows if row.read_at is None]
    return sorted(
        row.kind.value if row.count == 1 else f"{row.kind.value}*{row.count}" for row in unread
    )


def saying(*people: User) -> CommentBodyInput:
    """A comment that mentions people."""
    mentions = " ".join(f'[@{person.display_name}](/v1/users/{person.id} "mention")'
                        for person in people)  # fmt: skip
    return CommentBodyInput(markdown=f"Look: {mentions}")
