"""Sessions in browsers: what is stored, how long they last, and that they end everywhere."""

import datetime as dt

import pytest
from sqlalchemy import select, update

from db.base import utc_now
from db.enums import Role, SignInMethod, TokenScope
from db.models.sign_in import UserSession
from db.reading import SessionReader
from db.session import Database, Session
from db.sharing import PointReads
from docstead.server import Server
from docstead.settings import Settings
from resolvers.access.tokens import LENGTH, record_use
from resolvers.core.errors import Forbidden
from resolvers.sign_in.sessions import (
    IDLE,
    end_by_secret,
    find_session,
    open_session,
)
from tests import factories
from tests.conftest import World

LINK = SignInMethod.EMAIL_LINK


def points_of(session: Session) -> PointReads:
    reader = SessionReader(session)
    return PointReads(reader.dialect, reader.fetch)


async def test_a_session_is_a_person_with_all_rights(world: World, session: Session) -> None:
    row, secret = await open_session(session, world.reader.id, LINK, user_agent="Fox\n 1.0")
    actor = await find_session(points_of(session), secret, utc_now())
    assert actor is not None
    assert (actor.user_id, actor.session_id) == (world.reader.id, row.id)
    assert actor.scopes == frozenset(TokenScope)
    # The cookie cannot be made of what is stored.
    assert len(secret) == LENGTH
    assert secret not in {row.digest, row.id}
    assert (row.user_agent, row.method) == ("Fox 1.0", LINK)


async def test_what_is_no_secret_is_not_looked_for(world: World, session: Session) -> None:
    _, secret = await open_session(session, world.reader.id, LINK)
    for text in ("", secret[:-1], f"{secret}a", "\0" * LENGTH, "é" * LENGTH, "\udc80" * LENGTH):
        assert await find_session(points_of(session), text, utc_now()) is None
        assert not await end_by_secret(session, text)
    assert await find_session(points_of(session), secret[::-1], utc_now()) is None


async def test_a_session_ends_when_it_is_not_used(world: World, session: Session) -> None:
    now = utc_now()
    row, secret = await open_session(session, world.reader.id, LINK, now=now)
    points = points_of(session)
    before = dt.timedelta(seconds=1)
    assert await find_session(points, secret, now + IDLE - before) is not None
    assert await find_session(points, secret, now + IDLE) is None
    await record_use(session, UserSession, {row.id: now + IDLE - before})
    # What another process has seen earlier does not put it back.
    await record_use(session, UserSession, {row.id: now})
    assert await find_session(points, secret, now + IDLE) is not None


async def test_signing_in_again_ends_the_session_of_the_browser(
    world: World, session: Session
) -> None:
    _, first = await open_session(session, world.reader.id, LINK)
    _, elsewhere = await open_session(session, world.reader.id, LINK)
    _, second = await open_session(session, world.admin.id, LINK, replaces=first)
    points, now = points_of(session), utc_now()
    assert await find_session(points, first, now) is None
    assert await find_session(points, elsewhere, now) is not None
    actor = await find_session(points, second, now)
    assert actor is not None
    assert actor.user_id == world.admin.id
    # A cookie that somebody has put there becomes no session.
    _, third = await open_session(session, world.admin.id, LINK, replaces="a" * LENGTH)
    assert third != "a" * LENGTH
    assert await find_session(points, "a" * LENGTH, now) is None


async def test_it_ends_in_all_processes_and_notes_its_use(
    world: World, session: Session, database: Database
) -> None:
    _, secret = await open_session(session, world.reader.id, LINK)
    long_ago = utc_now() - dt.timedelta(days=3)
    await session.execute(update(UserSession).values(last_used_at=long_ago))
    await session.commit()
    one, other = (Server(Settings(), database) for _ in range(2))
    for server in (one, other):
        assert await server.find_session(secret) is not None
    await one.flush_uses()
    async with database.session() as reading:
        used = (await reading.execute(select(UserSession.last_used_at))).scalar_one()
    assert used > long_ago + dt.timedelta(days=2)
    await session.begin_write()
    assert await end_by_secret(session, secret)
    assert not await end_by_secret(session, secret)
    await session.commit()
    for server in (one, other):
        assert await server.find_session(secret) is None
    # The other has a use to note of a session that is gone.
    await other.flush_uses()


async def test_service_accounts_do_not_sign_in(world: World, session: Session) -> None:
    service = await factories.make_service(session, world.organization, Role.ADMIN)
    for method in SignInMethod:
        with pytest.raises(Forbidden):
            await open_session(session, service.id, method)
    assert (await session.execute(select(UserSession))).first() is None
