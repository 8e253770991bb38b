"""Mail goes out: a real mail server on loopback takes it."""

import asyncio
import datetime as dt
import logging
from collections.abc import AsyncIterator

import pytest
from sqlalchemy import select, text, update

from db.base import utc_now
from db.models.mail import OutgoingMail
from db.session import Database, Session
from docstead.server import Server
from docstead.settings import SettingError, Settings, load_settings
from fetching.smtp import Encryption, MailServer
from jobs.mail import keep_sending, send_due
from resolvers.access import outbox
from resolvers.core import mail
from resolvers.core.actors import OPERATOR, Actor
from resolvers.core.context import Context
from resolvers.core.errors import Forbidden, Invalid, Unavailable
from resolvers.core.installation import Settings as ResolverSettings
from resolvers.core.mail import Message, send_mail
from resolvers.core.runners import run
from tests.mail_server import CERTIFICATE, PASSWORD, USER, Mailbox, mail_server

# The server of the tests warns of its own options.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Requiring AUTH"),
    pytest.mark.filterwarnings("ignore:Session.login_data"),
]
SENDER = "Docs of Äcme <docs@example.com>"
SENDS = ResolverSettings(sends_mail=True)


@pytest.fixture
async def box() -> AsyncIterator[Mailbox]:
    async with mail_server() as opened:
        yield opened


async def write(session: Session, *messages: Message, settings: ResolverSettings = SENDS) -> bool:
    """As a write would: the session's transaction ends with it."""
    await session.begin_write()
    try:
        return await send_mail(Context(OPERATOR, session, settings), *messages)
    finally:
        await session.commit()


async def send(database: Database, server: MailServer) -> int:
    live = Server(Settings(public_url="http://docs.test"), database)
    return await send_due(lambda: live.context_of(OPERATOR), server)


async def waiting(session: Session) -> list[OutgoingMail]:
    await session.commit()
    session.expunge_all()
    rows = list((await session.execute(select(OutgoingMail).order_by(OutgoingMail.id))).scalars())
    await session.commit()
    session.expunge_all()
    return rows


async def make_due(session: Session) -> None:
    await session.begin_write()
    await session.execute(update(OutgoingMail).values(due_at=utc_now()))
    await session.commit()


async def test_a_message_is_sent_once_and_deleted(
    session: Session, database: Database, box: Mailbox
) -> None:
    text = "Grüße,\n.\nFrom here\n" + "x" * 2000
    message = Message("ada@example.com", "Äpfel & more \N{HEAVY BLACK HEART} " * 4, text)
    assert await write(session, message)
    assert await send(database, MailServer.read(box.url, SENDER)) == 1
    (arrived,) = box.messages
    assert (arrived["to"], arrived["from"]) == ("ada@example.com", SENDER)
    assert arrived["subject"] == message.subject.strip()
    assert arrived.get_content().replace("\r\n", "\n") == text + "\n"
    assert arrived["auto-submitted"] == "auto-generated"
    assert arrived["message-id"].endswith("@example.com>")
    assert box.recipients == ["ada@example.com"]
    assert await waiting(session) == []
    assert await send(database, MailServer.read(box.url, SENDER)) == 0


async def test_without_a_mail_server_nothing_is_written(session: Session) -> None:
    message = Message("ada@example.com", "Hello", "Text")
    assert not await write(session, message, settings=ResolverSettings())
    assert await waiting(session) == []


async def test_headers_cannot_be_added(session: Session, database: Database, box: Mailbox) -> None:
    subject = "Join\r\nBcc: eve@example.com\n\nX: y\u2028\x85\x00z"
    await write(session, Message("ada@example.com", subject, "Text\r\n.\r\nMAIL FROM:<eve@a.b>"))
    for address in (
        "jürgen@example.com", "ada",
        "ada@example.com\r\nBcc: eve@example.com", "ada@example.com,eve@example.com",
        "Ada <ada@example.com>", "a@b@c", "@example.com", "ada@", "a b@example.com", "a@-b.c",
        '"a"@example.com', "a\x00@example.com", f"{'a' * 65}@example.com", f"a@{'b' * 64}.c",
        f"a@{'b.' * 160}c", "a@example.com\n", "a@exa_mple..com",
    ):  # fmt: skip
        with pytest.raises(Invalid, match="is not an e-mail address"):
            await write(session, Message(address, "Hello", "Text"))
    assert len(await waiting(session)) == 1
    await send(database, MailServer.read(box.url, SENDER))
    (arrived,) = box.messages
    assert arrived["subject"] == "Join Bcc: eve@example.com X: y z"
    assert arrived["bcc"] is None
    assert box.recipients == ["ada@example.com"]


async def test_hosts_of_other_scripts_are_written_in_ascii(
    session: Session, database: Database, box: Mailbox
) -> None:
    await write(session, Message("ada@bücher.example", "Hello", "Text"))
    await send(database, MailServer.read(box.url, SENDER))
    assert box.recipients == ["ada@xn--bcher-kva.example"]
    assert await waiting(session) == []


async def test_what_is_put_off_is_tried_again_and_what_is_refused_is_not(
    session: Session, database: Database, box: Mailbox, caplog: pytest.LogCaptureFixture
) -> None:
    server = MailServer.read(box.url, SENDER)
    box.to_recipients = ["451 4.7.1 Greylisted,\tcome back", "550 5.1.1 no such person"]
    for name in ("ada", "bo", "cy"):
        await write(session, Message(f"{name}@example.com", "Hello", "Secret text"))
    with caplog.at_level(logging.WARNING):
        assert await send(database, server) == 3
    assert box.recipients == ["cy@example.com"]
    (row,) = await waiting(session)
    assert (row.recipient, row.attempts) == ("ada@example.com", 1)
    assert row.due_at > utc_now()
    log = caplog.text
    assert all(text in log for text in ("451", "550", "not tried again"))
    assert not any(text in log for text in ("ada@", "bo@", "Secret"))
    # Not before it is due; later each time.
    assert await send(database, server) == 0
    pauses = []
    for _ in range(9):
        await make_due(session)
        box.to_data = ["421 4.3.0 try again later"]
        await send(database, server)
        (row,) = await waiting(session)
        pauses.append(round((row.due_at - utc_now()) / dt.timedelta(minutes=1)))
    assert pauses[:6] == [1, 2, 4, 8, 16, 32]
    assert set(pauses[6:]) == {60}
    await make_due(session)
    await send(database, server)
    assert box.recipients == ["cy@example.com", "ada@example.com"]
    # The same message each time, so whoever gets it twice can tell.
    assert await waiting(session) == []


async def test_without_the_server_all_wait_and_expired_ones_go(
    session: Session, database: Database, box: Mailbox
) -> None:
    gone = MailServer.read("smtp://127.0.0.1:9?tls=none", SENDER)
    past = utc_now() - dt.timedelta(seconds=1)
    await write(
        session,
        Message("ada@example.com", "Hello", "Text"),
        Message("bo@example.com", "Hello", "Text", expires_at=past),
    )
    assert await send(database, gone) == 1
    (row,) = await waiting(session)
    assert (row.recipient, row.attempts) == ("ada@example.com", 1)
    await make_due(session)
    await send(database, MailServer.read(box.url, SENDER))
    assert box.recipients == ["ada@example.com"]


async def test_several_processes_share_what_waits(
    session: Session, database: Database, box: Mailbox
) -> None:
    people = [f"p{number:02}@example.com" for number in range(50)]
    await write(session, *(Message(person, "Hello", "Text") for person in people))
    server = MailServer.read(box.url, SENDER)
    counts = await asyncio.gather(*(send(database, server) for _ in range(4)))
    assert max(counts) <= outbox.PORTION
    while await send(database, server):
        pass
    assert sorted(box.recipients) == people
    assert await waiting(session) == []


async def test_a_process_that_dies_leaves_its_messages(
    session: Session, database: Database, box: Mailbox
) -> None:
    await write(session, Message("ada@example.com", "Hello", "Text"))
    now = utc_now()
    operator = Context(OPERATOR, session)
    assert len(await run(operator, outbox.take_mail, now)) == 1
    assert await run(operator, outbox.take_mail, now + outbox.LEASE / 2) == []
    assert len(await run(operator, outbox.take_mail, now + outbox.LEASE)) == 1


async def test_only_the_server_itself_reads_what_waits(session: Session) -> None:
    await write(session, Message("ada@example.com", "Hello", "Text"))
    with pytest.raises(Forbidden):
        await run(Context(Actor("somebody"), session), outbox.take_mail, utc_now())
    assert len(await waiting(session)) == 1


async def test_no_more_than_so_many_wait(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mail, "MOST_WAITING", 2)
    message = Message("ada@example.com", "Hello", "Text")
    await write(session, message, message)
    with pytest.raises(Unavailable):
        await write(session, message)
    assert len(await waiting(session)) == 2
    # They are counted in the index alone.
    dialect = session.get_bind().dialect
    if dialect.name == "sqlite":
        behind = mail.waiting_behind(2).compile(
            dialect=dialect, compile_kwargs={"literal_binds": True}
        )
        plan = await session.execute(text(f"EXPLAIN QUERY PLAN {behind}"))
        assert ["COVERING INDEX" in row.detail for row in plan] == [True]


@pytest.mark.parametrize("encryption", ["smtps", "smtp"])
async def test_tls_and_passwords(
    session: Session, database: Database, monkeypatch: pytest.MonkeyPatch, encryption: str
) -> None:
    """Over TLS with a known certificate only, and with the right password."""
    implicit = encryption == "smtps"
    await write(session, Message("ada@example.com", "Hello", "Text"))
    async with mail_server(tls=implicit, start_tls=not implicit, login=True) as box:
        right = f"{encryption}://{USER}:p%3Ass%20w%40rd@localhost:{box.port}"
        # Nobody has signed its certificate.
        await send(database, MailServer.read(right, SENDER))
        assert (box.recipients, box.logins) == ([], [])
        monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
        for password in ("wrong", ""):
            await make_due(session)
            url = f"{encryption}://{USER}:{password}@localhost:{box.port}"
            await send(database, MailServer.read(url, SENDER))
        assert (box.recipients, set(box.logins)) == ([], {False})
        await make_due(session)
        await send(database, MailServer.read(right, SENDER))
        assert box.recipients == ["ada@example.com"]
    assert await waiting(session) == []


async def test_a_server_without_tls_gets_nothing_unless_it_is_told_to(
    session: Session, database: Database, box: Mailbox
) -> None:
    await write(session, Message("ada@example.com", "Hello", "Text"))
    await send(database, MailServer.read(f"smtp://127.0.0.1:{box.port}", SENDER))
    assert (box.recipients, box.attempts) == ([], 0)
    assert len(await waiting(session)) == 1


async def test_the_task_of_the_server_sends(
    session: Session, database: Database, box: Mailbox
) -> None:
    live = Server(Settings(public_url="http://docs.test", smtp_url=box.url), database)
    assert live.resolver_settings.sends_mail
    server = live.settings.mail_server
    assert server is not None
    task = asyncio.create_task(keep_sending(lambda: live.context_of(OPERATOR), server, 0.5))
    await write(session, Message("ada@example.com", "Hello", "Text"))
    async with asyncio.timeout(30):
        await box.arrived.wait()
    # It is deleted a moment later, and then nothing is under way.
    for _ in range(1_200):
        if not await waiting(session):
            break
        await asyncio.sleep(0.05)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert box.messages[0]["from"] == "Docstead <docstead@docs.test>"


def test_settings() -> None:
    def settings(**values: str) -> Settings:
        return load_settings({f"DOCSTEAD_{name.upper()}": value for name, value in values.items()})

    assert settings().mail_server is None
    server = settings(smtp_url="smtp://me:p%40ss@mail.example.com", mail_from=SENDER).mail_server
    assert server is not None
    assert (server.host, server.port, server.user) == ("mail.example.com", 587, "me")
    assert (server.password, server.encryption) == ("p@ss", Encryption.STARTTLS)
    assert "p@ss" not in repr(server)
    server = settings(smtp_url="smtps://[::1]").mail_server
    assert server is not None
    assert (server.host, server.port, server.encryption) == ("::1", 465, Encryption.TLS)
    assert server.sender.addr_spec == "docstead@127.0.0.1"
    for url in (
        "http://a.b", "smtp://", "smtp://a.b/path", "smtp://a.b?tls=maybe", "smtps://a.b?tls=none",
        "smtp://a.b:99999", "smtp://me:secret@a.b?tls=none", "a.b:25",
    ):  # fmt: skip
        with pytest.raises(SettingError) as error:
            settings(smtp_url=url)
        assert "DOCSTEAD_SMTP_URL" in str(error.value)
        assert "secret" not in str(error.value)
    for sender in ("Docs", "a@b\r\nBcc: c@d", "a@b, c@d"):
        with pytest.raises(SettingError, match="DOCSTEAD_MAIL_FROM"):
            settings(mail_from=sender)
    assert PASSWORD == "p:ss w@rd"
