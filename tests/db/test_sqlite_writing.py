"""The driver of SQLite for writes: rows, counts and errors as SQLAlchemy expects them."""

import asyncio
import sqlite3
from asyncio import CancelledError
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import exc, text

from db.session import Database
from db.sqlite_writing import AT_ONCE, WriteConnection

NUMBERS = (
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {count}) "
    "SELECT i FROM n"
)


@pytest.fixture
async def own(tmp_path: Path) -> AsyncIterator[Database]:
    database = Database(f"sqlite:///{tmp_path}/rows.sqlite3")
    async with database.connection() as connection:
        await connection.execute(text("CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT UNIQUE)"))
        await connection.commit()
    yield database
    await database.close()


@pytest.mark.parametrize("count", [1, AT_ONCE - 1, AT_ONCE, AT_ONCE + 1, 3 * AT_ONCE])
async def test_all_rows_come(own: Database, count: int) -> None:
    async with own.session() as session:
        rows = await session.fetch_text(NUMBERS.format(count=count), ())
    assert [row[0] for row in rows] == list(range(1, count + 1))


@pytest.mark.parametrize("size", [1, 7, 500, AT_ONCE, AT_ONCE + 500])
async def test_rows_are_streamed_in_parts(own: Database, size: int) -> None:
    count = 2 * AT_ONCE + 3
    async with own.connection() as connection:
        result = await connection.stream(text(NUMBERS.format(count=count)))
        parts = [[row[0] for row in part] async for part in result.partitions(size)]
    assert [row for part in parts for row in part] == list(range(1, count + 1))
    assert {len(part) for part in parts[:-1]} <= {size}


async def test_a_stream_may_end_early(own: Database) -> None:
    async with own.connection() as connection:
        result = await connection.stream(text(NUMBERS.format(count=10 * AT_ONCE)))
        first = await anext(aiter(result.partitions(10)))
        await result.close()
        assert len(first) == 10
        assert (await connection.execute(text("SELECT count(*) FROM t"))).scalar_one() == 0


async def test_numbers_of_changed_rows(own: Database) -> None:
    async with own.session() as session:
        await session.begin_write()
        values = [{"id": number, "v": f"v{number}"} for number in range(2 * AT_ONCE)]
        inserted = await session.execute(text("INSERT INTO t VALUES (:id, :v)"), values)
        assert inserted.rowcount == len(values)
        changed = await session.execute(text("UPDATE t SET v = v || 'x' WHERE id < 7"))
        assert changed.rowcount == 7
        deleted = await session.execute(text("DELETE FROM t RETURNING id"))
        assert len(deleted.all()) == len(values)
        await session.rollback()


async def test_an_error_leaves_a_usable_connection(own: Database) -> None:
    async with own.session() as session:
        await session.begin_write()
        await session.execute(text("INSERT INTO t VALUES (1, 'a')"))
        async with session.begin_nested():
            with pytest.raises(exc.IntegrityError):
                await session.execute(text("INSERT INTO t VALUES (2, 'a')"))
        await session.execute(text("INSERT INTO t VALUES (3, 'b')"))
        await session.commit()
        assert (await session.execute(text("SELECT count(*) FROM t"))).scalar_one() == 2


async def test_a_statement_is_one_call_in_the_thread(
    own: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = 0
    call = WriteConnection.call

    async def counted(self: WriteConnection, work: object) -> object:
        nonlocal calls
        calls += 1
        return await call(self, work)  # type: ignore[arg-type]

    async with own.session() as session:
        await session.begin_write()
        monkeypatch.setattr(WriteConnection, "call", counted)
        for id in range(5):
            await session.execute(text("INSERT INTO t VALUES (:id, 'v' || :id)"), {"id": id})
            await session.execute(text("SELECT * FROM t"))
        assert calls == 10


async def test_writers_come_in_the_order_of_their_asking(own: Database) -> None:
    order: list[int] = []

    async def write(number: int) -> None:
        async with own.session() as session:
            await session.begin_write()
            await session.execute(text("INSERT INTO t VALUES (:id, :id)"), {"id": number})
            order.append(number)
            await session.commit()

    first = own.new_session()
    await first.begin_write()
    writers = []
    # More than there are connections: who stands in line has none.
    for number in range(3 * own.pool_size):
        writers.append(asyncio.create_task(write(number)))
        await asyncio.sleep(0)
    assert own.write_connections() == 1
    await first.close()
    await asyncio.gather(*writers)
    assert order == list(range(3 * own.pool_size))


@pytest.mark.parametrize("end", ["commit", "rollback", "close", "cancel", "error"])
async def test_however_a_writer_ends_the_next_one_comes(own: Database, end: str) -> None:
    first = own.new_session()
    match end:
        case "cancel":
            blocker = own.new_session()
            await blocker.begin_write()
            waiting = asyncio.create_task(first.begin_write())
            await asyncio.sleep(0)
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
            await blocker.commit()
        case "error":
            await first.begin_write()
            with pytest.raises(exc.OperationalError):
                await first.execute(text("INSERT INTO nowhere VALUES (1)"))
            await first.close()
        case _:
            await first.begin_write()
            await getattr(first, end)()
    async with own.session() as second:
        async with asyncio.timeout(60):
            await second.begin_write()
        await second.rollback()
    await first.close()


@pytest.mark.parametrize("error", [sqlite3.OperationalError("disk I/O error"), CancelledError()])
async def test_a_writer_whose_rollback_fails_holds_back_nobody(
    own: Database, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    rollback = WriteConnection.rollback

    async def failing(self: WriteConnection) -> None:
        # It is done in the thread of the connection, whoever waits for it.
        await rollback(self)
        raise error

    first = own.new_session()
    await first.begin_write()
    with monkeypatch.context() as broken:
        broken.setattr(WriteConnection, "rollback", failing)
        with pytest.raises((exc.OperationalError, CancelledError)):
            await first.close()
    async with own.session() as second:
        async with asyncio.timeout(60):
            await second.begin_write()
        await second.rollback()
