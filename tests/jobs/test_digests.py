"""Mail about unread notifications: one message in its time, through a real mail server."""

import asyncio
import datetime as dt
import re
from collections.abc import AsyncIterator
from html.parser import HTMLParser
from typing import Any

import pytest
from sqlalchemy import select, update
from strawberry import Some

from db.base import utc_now
from db.models.mail import OutgoingMail
from db.models.notifications import NotificationSettings
from db.models.organizations import User
from db.notification_enums import DigestFrequency
from db.session import Database, Session
from fetching.smtp import MailServer
from jobs.mail import send_due
from resolvers.comments.operations import PostCommentInput, post_comment
from resolvers.core.actors import OPERATOR
from resolvers.core.runners import run
from resolvers.notifications.digest_times import PAUSES
from resolvers.notifications.digests import MOST_LISTED
from resolvers.notifications.operations import (
    MarkNotificationsReadInput,
    UpdateNotificationSettingsInput,
    mark_notifications_read,
    update_notification_settings,
)
from tests import factories
from tests.conftest import Api, World, context, settle
from tests.mail_server import Mailbox, mail_server
from tests.notifications import SENDING, mail_due, notify, saying

SENDER = "Docs <docs@example.com>"
DAY = dt.timedelta(days=1)


@pytest.fixture
async def box() -> AsyncIterator[Mailbox]:
    async with mail_server() as opened:
        yield opened


@pytest.fixture(autouse=True)
async def _addresses_are_known(session: Session, world: World) -> None:
    await session.execute(update(User).values(email_verified_at=utc_now()))


async def mention(session: Session, world: World, space: Any, *people: User) -> None:
    said = PostCommentInput(body=saying(*people))
    await run(context(session, world.admin), post_comment, space.id, said)


async def settings_of(database: Database, person: User) -> NotificationSettings:
    async with database.session() as session:
        statement = select(NotificationSettings).where(NotificationSettings.user_id == person.id)
        return (await session.execute(statement)).scalar_one()


async def choose(session: Session, person: User, digest: DigestFrequency) -> None:
    change = UpdateNotificationSettingsInput(digest=Some(digest))
    await run(context(session, person), update_notification_settings, change)


def later(pause: dt.timedelta) -> Any:
    return lambda: utc_now() + pause


async def send(api: Api, box: Mailbox) -> int:
    """Send what waits: it was written at the time of a test's own clock."""
    async with api.server.database.session() as session:
        await session.begin_write()
        await session.execute(update(OutgoingMail).values(due_at=utc_now()))
        await session.commit()
    server = MailServer.read(box.url, SENDER)
    return await send_due(lambda: api.server.context_of(OPERATOR), server)


class Links(HTMLParser):
    """The addresses and the text of a message."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.hrefs: list[str] = []
        self.texts: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.hrefs += [value for name, value in attrs if name == "href" and value]

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


async def test_one_message_of_what_is_unread(
    api: Api, database: Database, session: Session, world: World, box: Mailbox
) -> None:
    guide = await factories.make_space(session, world.organization, title="Guide <1> & \u202e")
    other = await factories.make_space(session, world.organization, title="Other")
    hidden = await factories.make_space(session, world.organization, title="Secret")
    await settle(session)
    for space in (guide, other, hidden):
        await mention(session, world, space, world.reader)
    await notify(database, SENDING)
    assert await mail_due(api) == 0
    # What they may not read by then is not in it, whatever they were notified of.
    await session.begin_write()
    await factories.make_grant(session, hidden, world.reader, None)
    await settle(session)
    assert await mail_due(api, clock=later(DAY)) == 1
    assert await send(api, box) == 1
    (message,) = box.messages
    assert box.recipients == [world.reader.email]
    assert message["subject"] == "2 unread notifications"
    plain, html = message.get_body(("plain",)), message.get_body(("html",))
    assert plain is not None
    assert html is not None
    text, page = plain.get_content(), Links(html.get_content())
    assert "Guide <1> &" in text
    for url in (f"http://docs.test/s/{guide.id}", f"http://docs.test/s/{other.id}"):
        assert url in text
        assert url in page.hrefs
    assert "Secret" not in text + html.get_content()
    assert "<1>" not in html.get_content()
    leave = message["list-unsubscribe"][1:-1]
    assert leave in text
    assert leave in page.hrefs
    assert re.fullmatch(r"http://docs\.test/notifications/unsubscribe/\w+\.[0-9a-f]{64}", leave)
    assert message["list-unsubscribe-post"] == "List-Unsubscribe=One-Click"
    # Nothing is new, so there is no other one, whenever somebody looks.
    assert await mail_due(api, clock=later(30 * DAY)) == 0
    await mention(session, world, guide, world.reader)
    await notify(database, SENDING)
    assert await mail_due(api, clock=later(DAY)) == 1
    assert await send(api, box) == 1
    assert box.messages[1]["subject"] == f"Admin mentioned you in {guide.title}"


@pytest.mark.parametrize("digest", DigestFrequency)
async def test_at_most_one_in_its_time(
    api: Api, database: Database, session: Session, world: World, digest: DigestFrequency
) -> None:
    guide = await factories.make_space(session, world.organization)
    await settle(session)
    await choose(session, world.reader, digest)
    await mention(session, world, guide, world.reader)
    await notify(database, SENDING)
    pause = PAUSES.get(digest)
    if pause is None:
        assert await mail_due(api, clock=later(30 * DAY)) == 0
        return
    second = dt.timedelta(seconds=30)
    assert await mail_due(api, clock=later(pause - second)) == 0
    # Of several processes one writes it.
    clock = later(pause + second)
    counts = await asyncio.gather(*(mail_due(api, clock=clock) for _ in range(3)))
    assert sum(counts) == 1
    async with database.session() as reading:
        assert len(list((await reading.execute(select(OutgoingMail))).scalars())) == 1


async def test_what_is_read_is_not_sent(
    api: Api, database: Database, session: Session, world: World, box: Mailbox
) -> None:
    guide = await factories.make_space(session, world.organization)
    await settle(session)
    people = world.reader, world.creator
    await mention(session, world, guide, *people, world.editor)
    await session.begin_write()
    # An address that nobody has shown to be theirs gets no mail.
    await session.execute(
        update(User).where(User.id == world.creator.id).values(email_verified_at=None)
    )
    await settle(session)
    await notify(database, SENDING)
    everything = MarkNotificationsReadInput(all=True)
    await run(context(session, world.reader), mark_notifications_read, everything)
    assert await mail_due(api, clock=later(DAY)) == 3
    assert await send(api, box) == 1
    assert box.recipients == [world.editor.email]
    assert (await settings_of(database, world.reader)).digest_due_at is None


async def test_other_times_count_at_once(
    api: Api, database: Database, session: Session, world: World
) -> None:
    guide = await factories.make_space(session, world.organization)
    await settle(session)
    await choose(session, world.reader, DigestFrequency.WEEKLY)
    await mention(session, world, guide, world.reader)
    await notify(database, SENDING)
    await choose(session, world.reader, DigestFrequency.IMMEDIATE)
    assert await mail_due(api, clock=later(dt.timedelta(minutes=6))) == 1
    await choose(session, world.reader, DigestFrequency.OFF)
    await mention(session, world, guide, world.reader)
    await notify(database, SENDING)
    await choose(session, world.reader, DigestFrequency.DAILY)
    # What has come while nothing was sent is not sent afterwards.
    assert await mail_due(api, clock=later(8 * DAY)) == 0


async def test_long_lists_are_cut(
    api: Api, database: Database, session: Session, world: World, box: Mailbox
) -> None:
    guide = await factories.make_space(session, world.organization)
    await settle(session)
    for _ in range(MOST_LISTED + 5):
        await mention(session, world, guide, world.reader)
    await notify(database, SENDING)
    await mail_due(api, clock=later(DAY))
    await send(api, box)
    (message,) = box.messages
    assert message["subject"] == f"More than {MOST_LISTED} unread notifications"
    body = message.get_body(("plain",))
    assert body is not None
    text = body.get_content()
    assert text.count("- Admin mentioned you in") == MOST_LISTED
    assert "There are more than these" in text
