"""Transactions: writers never lose each other's work, failures leave nothing, and nothing leaks."""

import asyncio
import builtins
import contextlib
import shutil
from pathlib import Path
from typing import Any

import aiosqlite
import asyncpg
import pytest
from sqlalchemy import QueuePool, event, func, select, text, update
from sqlalchemy.exc import InvalidRequestError, TimeoutError
from sqlalchemy.ext.asyncio import AsyncConnection

import db.session
from db.models.organizations import Organization, User
from db.session import Database, Session
from resolvers.access.policy import must
from resolvers.core.actors import OPERATOR
from resolvers.core.context import Context
from resolvers.core.errors import Conflict, NotFound, Unavailable
from resolvers.core.runners import run
from tests import factories
from tests.conftest import World

SLOW = {
    "sqlite": "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000000) "
    "SELECT count(*) FROM n",
    "postgresql": "SELECT pg_sleep(0.7)",
}


@pytest.fixture
def sqlite_url(sqlite_template: Path, tmp_path: Path) -> str:
    path = tmp_path / "own.sqlite3"
    shutil.copy(sqlite_template, path)
    return f"sqlite:///{path}"


async def append(ctx: Context, id: str, mark: str) -> None:
    """Read, wait, write: loses updates unless writers take turns."""
    organization = await must(ctx, Organization, id, lock=True)
    await asyncio.sleep(0)
    organization.title += mark


async def test_concurrent_writers_lose_nothing(
    database: Database, session: Session, world: World
) -> None:
    await session.commit()

    async def write(number: int) -> None:
        async with database.session() as own:
            await run(Context(OPERATOR, own), append, world.organization.id, "x")

    await asyncio.gather(*(write(number) for number in range(20)))
    async with database.session() as own:
        title = (
            await own.execute(
                select(Organization.title).where(Organization.id == world.organization.id)
            )
        ).scalar_one()
    assert title == "Acme" + "x" * 20


async def test_second_writer_of_sqlite_waits_before_it_reads(sqlite_url: str) -> None:
    database = Database(sqlite_url)
    async with database.session() as first, database.session() as second:
        await first.begin_write()
        waiting = asyncio.create_task(second.begin_write())
        await asyncio.sleep(0.2)
        assert not waiting.done()
        first.add(User(email="a@example.com", display_name="A"))
        await first.commit()
        await waiting
        assert (await second.execute(select(func.count(User.id)))).scalar_one() == 1
    await database.close()


async def test_writer_gives_up_on_a_locked_database(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(db.session, "BUSY_MILLISECONDS", 20)
    database = Database(sqlite_url)

    async def nothing(ctx: Context) -> None:
        await must(ctx, Organization, "none")

    async with database.session() as first, database.session() as second:
        await first.begin_write()
        with pytest.raises(Unavailable) as caught:
            await run(Context(OPERATOR, second), nothing)
        assert caught.value.retry_after == 1
        await first.rollback()
        with pytest.raises(NotFound):
            await run(Context(OPERATOR, second), nothing)
    await database.close()


async def test_deadlock_is_repeated(database: Database, session: Session, world: World) -> None:
    other = await factories.make_organization(session)
    await session.commit()
    ids = [world.organization.id, other.id]
    # On SQLite the second writer comes when the first is done, so nobody waits for ever.
    both = asyncio.Event()
    arrived = 0

    async def cross(ctx: Context, order: list[str]) -> None:
        nonlocal arrived
        await append(ctx, order[0], "x")
        await ctx.session.flush()
        arrived += 1
        if arrived == 2:
            both.set()
        with contextlib.suppress(builtins.TimeoutError):
            await asyncio.wait_for(both.wait(), 0.3)
        await append(ctx, order[1], "x")

    async def write(order: list[str]) -> None:
        async with database.session() as own:
            await run(Context(OPERATOR, own), cross, order)

    await asyncio.gather(write(ids), write(ids[::-1]))
    async with database.session() as own:
        titles = (
            await own.execute(select(Organization.title).where(Organization.id.in_(ids)))
        ).scalars()
        assert all(title.endswith("xx") and not title.endswith("xxx") for title in titles)


async def test_failed_write_leaves_nothing(
    database: Database, session: Session, world: World
) -> None:
    await session.commit()
    before = (await session.execute(select(func.count(User.id)))).scalar_one()

    async def fail(ctx: Context, error: Exception | None) -> None:
        await must(ctx, Organization, world.organization.id)
        ctx.session.add(User(email="new@example.com", display_name="New"))
        await ctx.session.flush()
        if error is not None:
            raise error
        ctx.session.add(User(email="NEW@example.com", display_name="The same address"))

    for given, expected in (
        (Conflict("no"), Conflict),
        (ValueError("fault"), ValueError),
        (None, Conflict),
    ):
        with pytest.raises(expected):
            await run(Context(OPERATOR, session), fail, given)
        assert not session.in_transaction()
        assert (await session.execute(select(func.count(User.id)))).scalar_one() == before


async def test_cancelled_statements_give_their_connections_back(database: Database) -> None:
    small = Database(
        database.url.render_as_string(hide_password=False), pool_size=2, pool_seconds=60
    )
    slow = SLOW["sqlite" if database.is_sqlite else "postgresql"]

    async def work(write: bool) -> None:
        async with small.session() as own:
            if write:
                await own.begin_write()
            await own.execute(text(slow))

    for _ in range(3):
        for write in (False, True):
            with pytest.raises(builtins.TimeoutError):
                await asyncio.wait_for(work(write), 0.05)
    async with small.session() as one, small.session() as two:
        for own in (one, two):
            assert (await own.execute(text("SELECT 1"))).scalar_one() == 1
    assert small.engine.pool.checkedout() == 0  # type: ignore[attr-defined]
    await small.close()


async def test_loader_that_outlives_its_request_takes_no_connection(database: Database) -> None:
    slow = SLOW["sqlite" if database.is_sqlite else "postgresql"]
    begun: list[str] = []
    engine = database.engine.sync_engine

    def note(connection: Any, cursor: Any, statement: str, *rest: Any) -> None:
        begun.append(statement)

    event.listen(engine, "before_cursor_execute", note)
    async with database.session() as own:
        running = asyncio.create_task(own.execute(text(slow)))
        while slow not in begun:  # noqa: ASYNC110 (the driver says nothing)
            await asyncio.sleep(0.001)
    event.remove(engine, "before_cursor_execute", note)
    # Leaving the session waited for the statement.
    await running
    with pytest.raises(InvalidRequestError):
        await own.execute(text("SELECT 1"))
    assert database.engine.pool.checkedout() == 0  # type: ignore[attr-defined]


@pytest.mark.parametrize(("how", "rollbacks"), [("commit", 0), ("rollback", 1), ("close", 1)])
async def test_a_connection_is_given_back_without_another_rollback(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch, how: str, rollbacks: int
) -> None:
    """It takes its thread; who is cancelled meanwhile would lose the connection, and the log would
    say so."""
    database, real = Database(sqlite_url), aiosqlite.Connection.rollback
    began: list[bool] = []

    async def rollback(connection: aiosqlite.Connection) -> None:
        began.append(connection.in_transaction)
        await real(connection)

    monkeypatch.setattr(aiosqlite.Connection, "rollback", rollback)
    session = database.new_session()
    await session.begin_write()
    # The first connection of all is looked at.
    began.clear()
    session.add(User(email="a@example.com", display_name="A"))
    await session.flush()
    if how == "commit":
        await session.commit()
    elif how == "rollback":
        await session.rollback()
    await session.close()
    assert began == [True] * rollbacks
    async with database.session() as other:
        await other.begin_write()
        number = (await other.execute(select(func.count(User.id)))).scalar_one()
    assert number == 1 - rollbacks
    await database.close()


async def test_empty_pool_does_not_hang(database: Database) -> None:
    small = Database(
        database.url.render_as_string(hide_password=False), pool_size=1, pool_seconds=0.05
    )
    async with small.session() as one, small.session() as two:
        await one.execute(text("SELECT 1"))
        with pytest.raises(TimeoutError):
            await two.execute(text("SELECT 1"))
    await small.close()


async def test_sqlite_is_durable_and_checks_references(sqlite_url: str) -> None:
    async def pragma(connection: AsyncConnection, name: str) -> object:
        return (await connection.exec_driver_sql(f"PRAGMA {name}")).scalar_one()

    database = Database(sqlite_url)
    async with database.connection() as connection:
        assert await pragma(connection, "synchronous") == 2  # FULL
        assert await pragma(connection, "journal_mode") == "wal"
        assert await pragma(connection, "foreign_keys") == 1
    await database.close()


async def test_error_messages_hold_no_values(database: Database, session: Session) -> None:
    secret = "secret@example.com"
    session.add(User(email=secret, display_name="A"))
    await session.flush()
    session.add(User(email=secret, display_name="B"))
    with pytest.raises(Exception, match=r"UNIQUE|unique") as caught:
        await session.flush()
    assert "parameters hidden" in str(caught.value)
    await session.rollback()


async def test_a_reader_sees_one_state_to_its_end(
    database: Database, session: Session, world: World
) -> None:
    await session.commit()
    async with database.session() as reader, database.session() as writer:
        titles = select(Organization.title).where(Organization.id == world.organization.id)
        before = (await reader.execute(titles)).scalar_one()
        await writer.begin_write()
        await writer.execute(
            update(Organization).where(Organization.id == world.organization.id).values(title="New")
        )
        await writer.commit()
        assert (await reader.execute(titles)).scalar_one() == before
        # A write begins with what is there now.
        await reader.begin_write()
        assert (await reader.execute(titles)).scalar_one() == "New"


async def test_to_close_a_session_whose_connection_is_gone_is_no_failure(
    database: Database, postgres_url: str
) -> None:
    """It has nothing to say about what was committed before."""
    if database.is_sqlite:
        return
    operator = await asyncpg.connect(postgres_url.replace("+asyncpg", ""))
    pool = database.engine.pool
    assert isinstance(pool, QueuePool)
    for begins_write in (False, True):
        session = database.new_session()
        if begins_write:
            await session.begin_write()
        pid = (await session.execute(text("SELECT pg_backend_pid()"))).scalar_one()
        await operator.execute("SELECT pg_terminate_backend($1)", pid)
        # Nobody tells that it has ended.
        while await operator.fetchval(  # noqa: ASYNC110
            "SELECT count(*) FROM pg_stat_activity WHERE pid = $1", pid
        ):
            await asyncio.sleep(0.01)
        await session.close()
        assert pool.checkedout() == 0
        async with database.session() as other:
            assert (await other.execute(text("SELECT 1"))).scalar_one() == 1
    await operator.close()
