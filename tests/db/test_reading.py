"""Readers: one snapshot each, bounded, and clean again after whatever was broken off."""

import asyncio
import shutil
import sqlite3
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Select, bindparam, func, literal_column, select, text, update
from sqlalchemy.exc import TimeoutError

from db.models.organizations import Organization
from db.prepared import KEY, Prepared
from db.reading import Reader, UnfitValueError
from db.session import Database, Session
from db.sqlite_reading import SqliteReads
from resolvers.core.database_errors import expected
from resolvers.core.errors import BadRequest, Unavailable
from tests.conftest import World, settle

ENDLESS = (
    "(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000000000) "
    "SELECT count(*) FROM n)"
)

COUNT_TO_20000 = ENDLESS.replace("2000000000", "20000").removeprefix("(").removesuffix(")")


def titles(reader: Reader) -> Prepared:
    statement = select(Organization.title).where(Organization.id == bindparam("id", type_=KEY))
    return Prepared(statement, reader.dialect, Organization)


def slow(reader: Reader) -> Prepared:
    """A statement that runs until it is broken off."""
    sleep = ENDLESS if reader.dialect == "sqlite" else "(SELECT 1 FROM pg_sleep(60))"
    statement: Select[Any] = select(literal_column(sleep).label("never"))
    return Prepared(statement, reader.dialect)


def altered(reader: Reader, words: str) -> Prepared:
    """A statement in the driver's own language, with one column and no parameters."""
    prepared = Prepared(select(literal_column("1").label("one")), reader.dialect)
    prepared.text = words
    return prepared


async def rename(database: Database, id: str, title: str) -> None:
    async with database.session() as session:
        await session.begin_write()
        await session.execute(update(Organization).where(Organization.id == id).values(title=title))
        await session.commit()


async def test_a_reader_sees_one_snapshot(
    database: Database, session: Session, world: World
) -> None:
    await settle(session)
    id = world.organization.id
    async with database.reader() as reader:
        wanted = titles(reader)
        # This one sees its own moment only.
        assert (await reader.fetch(wanted, {"id": id}, alone=True))[0].title == "Acme"
        await rename(database, id, "Second")
        assert (await reader.fetch(wanted, {"id": id}))[0].title == "Second"
        await rename(database, id, "Third")
        assert (await reader.fetch(wanted, {"id": id}))[0].title == "Second"
    async with database.reader() as reader:
        assert (await reader.fetch(wanted, {"id": id}))[0].title == "Third"


async def test_statements_of_a_reader_take_turns(
    database: Database, session: Session, world: World
) -> None:
    await settle(session)
    async with database.reader() as reader:
        wanted = titles(reader)
        found = await asyncio.gather(
            *(reader.fetch(wanted, {"id": world.organization.id}) for _ in range(10))
        )
    assert [rows[0].title for rows in found] == ["Acme"] * 10


async def test_a_closed_reader_stays_closed(database: Database) -> None:
    async with database.reader() as reader:
        await reader.fetch(titles(reader), {"id": "x"})
    with pytest.raises(RuntimeError, match="closed"):
        await reader.fetch(titles(reader), {"id": "x"})
    await reader.close()


async def test_nothing_is_written_through_a_reader(database: Database) -> None:
    async with database.reader() as reader:
        wanted = altered(reader, "DELETE FROM api_token")
        with pytest.raises(Exception, match=r"read-?only"):
            await reader.fetch(wanted, {})


async def test_a_failed_statement_leaves_a_clean_connection(database: Database) -> None:
    async with database.reader() as reader:
        with pytest.raises(Exception, match="nonsense"):
            await reader.fetch(altered(reader, "SELECT nonsense"), {})
    async with database.reader() as reader:
        assert await reader.fetch(titles(reader), {"id": "x"}) == []


async def test_values_that_do_not_fit_are_named(database: Database) -> None:
    number = func.coalesce(bindparam("number", type_=Organization.title.type))
    if database.is_sqlite:
        number = func.abs(bindparam("number"))
    statement = select(number.label("number"))
    async with database.reader() as reader:
        wanted = Prepared(statement, reader.dialect)
        with pytest.raises(UnfitValueError) as caught:
            await reader.fetch(wanted, {"number": 2**70 if database.is_sqlite else "\x00"})
    assert isinstance(expected(caught.value), BadRequest)


async def test_a_cancelled_read_ends_at_once(
    database: Database, session: Session, world: World
) -> None:
    await settle(session)
    for _ in range(3):
        async with database.reader() as reader:
            async with asyncio.timeout(60):
                with pytest.raises(asyncio.TimeoutError):
                    await asyncio.wait_for(reader.fetch(slow(reader), {}), 0.1)
    async with asyncio.timeout(60), database.reader() as reader:
        wanted = titles(reader)
        assert (await reader.fetch(wanted, {"id": world.organization.id}))[0].title == "Acme"


async def test_an_empty_pool_is_unavailable(
    postgres_url: str, session: Session, world: World
) -> None:
    database = Database(postgres_url, pool_size=1, pool_seconds=0.1)
    async with database.reader() as first:
        await first.fetch(titles(first), {"id": "x"})
        async with database.reader() as second:
            with pytest.raises(TimeoutError) as caught:
                await second.fetch(titles(second), {"id": "x"})
    assert isinstance(expected(caught.value), Unavailable)
    async with database.reader() as third:
        assert await third.fetch(titles(third), {"id": "x"}) == []
    await database.close()


async def test_a_lost_connection_is_replaced(postgres_url: str) -> None:
    database = Database(postgres_url, pool_size=1)
    async with database.reader() as reader:
        await reader.fetch(titles(reader), {"id": "x"})
        async with database.connection() as other:
            await other.execute(
                text(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                    "WHERE state = 'idle in transaction' AND pid <> pg_backend_pid()"
                )
            )
        with pytest.raises(Exception) as caught:  # noqa: PT011 (which one depends on the moment)
            await reader.fetch(titles(reader), {"id": "x"})
        assert isinstance(expected(caught.value), Unavailable)
    async with database.reader() as reader:
        assert await reader.fetch(titles(reader), {"id": "x"}) == []
    await database.close()


@pytest.fixture
async def in_thread(sqlite_template: Path, tmp_path: Path) -> AsyncIterator[Database]:
    """A database on SQLite, whose reads may run in their thread as a whole."""
    path = tmp_path / "own.sqlite3"
    shutil.copy(sqlite_template, path)
    database = Database(f"sqlite:///{path}", durable=False)
    yield database
    await database.close()


def reads_of(database: Database) -> SqliteReads:
    assert isinstance(database.reads, SqliteReads)
    return database.reads


async def test_a_whole_read_runs_in_the_thread(in_thread: Database) -> None:
    async def count() -> tuple[str, list[Any]]:
        async with in_thread.reader() as reader:
            rows = [await reader.fetch(titles(reader), {"id": "x"}) for _ in range(3)]
        return threading.current_thread().name, rows

    found = await asyncio.gather(*(reads_of(in_thread).run(count) for _ in range(5)))
    assert found == [("docstead-reads", [[], [], []])] * 5
    assert threading.current_thread().name != "docstead-reads"


async def test_its_errors_come_back(in_thread: Database) -> None:
    async def fail() -> None:
        async with in_thread.reader() as reader:
            await reader.fetch(altered(reader, "SELECT nonsense"), {})

    with pytest.raises(sqlite3.OperationalError, match="nonsense"):
        await reads_of(in_thread).run(fail)


@pytest.mark.parametrize("waits", [False, True])
async def test_cancelling_reaches_it(in_thread: Database, waits: bool) -> None:
    begun, ended = threading.Event(), threading.Event()

    async def long() -> None:
        try:
            async with in_thread.reader() as reader:
                begun.set()
                if waits:
                    await asyncio.sleep(60)
                await reader.fetch(slow(reader), {})
        finally:
            ended.set()

    async with asyncio.timeout(60):
        task = asyncio.create_task(reads_of(in_thread).run(long))
        # What has not begun when it is cancelled never begins.
        await asyncio.to_thread(begun.wait)
        await asyncio.sleep(0.1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        # Its end is waited for.
        assert ended.is_set()
        async with in_thread.reader() as reader:
            assert await reader.fetch(titles(reader), {"id": "x"}) == []


@pytest.mark.parametrize("whole", [False, True])
async def test_cancelling_reaches_what_is_about_to_begin(in_thread: Database, whole: bool) -> None:
    """Its statement does not run yet, so there is nothing to interrupt."""
    opening, goes_on = threading.Event(), threading.Event()
    worker = reads_of(in_thread)._choose()
    connect = worker._connect

    def slowly() -> sqlite3.Connection:
        opening.set()
        goes_on.wait()
        return connect()

    async def long() -> None:
        async with in_thread.reader() as reader:
            await reader.fetch(slow(reader), {})

    worker._connect = slowly
    async with asyncio.timeout(60):
        task = asyncio.create_task(reads_of(in_thread).run(long) if whole else long())
        await asyncio.to_thread(opening.wait)
        task.cancel()
        # One who waits for a whole read waits for its end, too.
        await asyncio.wait([task], timeout=0.1)
        assert task.done() is not whole
        goes_on.set()
        with pytest.raises(asyncio.CancelledError):
            await task
        async with in_thread.reader() as reader:
            assert await reader.fetch(titles(reader), {"id": "x"}) == []


async def test_cancelling_leaves_the_next_read_alone(in_thread: Database) -> None:
    """Many reads wait for the thread; some of them give up meanwhile."""

    async def read() -> int:
        async with in_thread.reader() as reader:
            numbers = (
                "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)"
            )
            rows = await reader.fetch(altered(reader, f"{numbers} SELECT count(*) FROM n"), {})
        return int(rows[0][0])

    async def in_steps() -> int:
        return await read()

    tasks = [
        asyncio.create_task(reads_of(in_thread).run(read) if number % 3 else in_steps())
        for number in range(60)
    ]
    await asyncio.sleep(0.01)
    for task in tasks[::2]:
        task.cancel()
    results = await asyncio.gather(*tasks, return_exceptions=True)
    assert [result for result in results[1::2]] == [20000] * 30


async def test_the_thread_starts_again(in_thread: Database) -> None:
    # That of the database of other tests is there as well.
    others = set(threading.enumerate())
    for _ in range(2):
        async with in_thread.reader() as reader:
            assert await reader.fetch(titles(reader), {"id": "x"}) == []
        await in_thread.close()
        own = set(threading.enumerate()) - others
        assert "docstead-reads" not in [thread.name for thread in own]
