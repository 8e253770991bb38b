"""The thread of reads on SQLite: single statements go before whole reads that have not begun."""

import asyncio
import sqlite3
import threading
import time
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import pytest

from db.session import Database
from db.sqlite_reading import SqliteReads, Worker

ROUNDS = 30


class Begun:
    """Reads that have begun, each of which takes its time."""

    def __init__(self) -> None:
        self.all: list[int] = []
        self.first = threading.Event()

    def page(self, number: int, seconds: float = 0.01) -> int:
        self.all.append(number)
        self.first.set()
        time.sleep(seconds)
        return number


@pytest.fixture
async def reads(tmp_path: Path) -> AsyncIterator[SqliteReads]:
    database = Database(f"sqlite:///{tmp_path}/reads.sqlite3")
    assert isinstance(database.reads, SqliteReads)
    yield database.reads
    await database.close()


async def test_statements_do_not_wait_for_reads_that_have_not_begun(reads: SqliteReads) -> None:
    begun, worker = Begun(), reads._choose()

    async def page(number: int) -> int:
        return begun.page(number)

    pages = [asyncio.create_task(worker.run(partial(page, number))) for number in range(ROUNDS)]
    await asyncio.to_thread(begun.first.wait)
    at_first = len(begun.all)
    # That which runs, and those that begin before the statement reaches the thread. It counts
    # itself: until this thread is awake again, others may have begun.
    assert await worker.call(lambda: len(begun.all)) - at_first < ROUNDS // 2
    assert await asyncio.gather(*pages) == list(range(ROUNDS))
    assert begun.all == list(range(ROUNDS))


async def test_a_read_that_is_cancelled_before_it_begins_never_does(reads: SqliteReads) -> None:
    begun, worker = Begun(), reads._choose()

    async def page(number: int) -> int:
        return begun.page(number, 0.05)

    pages = [asyncio.create_task(worker.run(partial(page, number))) for number in range(3)]
    await asyncio.to_thread(begun.first.wait)
    pages[1].cancel()
    results = await asyncio.gather(*pages, return_exceptions=True)
    assert isinstance(results[1], asyncio.CancelledError)
    assert results[::2] == begun.all == [0, 2]


async def test_a_read_that_fails_lets_the_next_one_begin(reads: SqliteReads) -> None:
    worker = reads._choose()

    async def fails() -> None:
        raise ValueError("no")

    async def works() -> int:
        await asyncio.sleep(0)
        return 1

    results = await asyncio.gather(worker.run(fails), worker.run(works), return_exceptions=True)
    assert isinstance(results[0], ValueError)
    assert results[1] == 1


async def test_what_stands_in_line_is_read_before_the_thread_ends(reads: SqliteReads) -> None:
    begun, worker = Begun(), reads._choose()

    async def page(number: int) -> int:
        return begun.page(number)

    pages = [asyncio.create_task(worker.run(partial(page, number))) for number in range(5)]
    await asyncio.to_thread(begun.first.wait)
    await worker.close()
    async with asyncio.timeout(60):
        # The thread starts again.
        assert await worker.run(lambda: page(5)) == 5
        assert await asyncio.gather(*pages) == list(range(5))


def _taken(worker: Worker, number: int) -> set[sqlite3.Connection]:
    """So many connections, taken at once and given back; in the thread."""
    taken = [worker.take() for _ in range(number)]
    for connection in taken:
        worker.give_back(connection)
    return set(taken)


async def test_connections_that_nobody_uses_any_more_are_closed(reads: SqliteReads) -> None:
    worker = reads._choose()

    def after_a_look() -> int:
        worker._close_unused()
        return len(worker._idle)

    peak = await worker.call(lambda: _taken(worker, 5))
    # They were in use since the last look; two of them are until the next.
    assert await worker.call(after_a_look) == 5
    used = await worker.call(lambda: _taken(worker, 2))
    assert await worker.call(after_a_look) == 2
    assert set(worker._idle) == used < peak
    for connection in peak - used:
        with pytest.raises(sqlite3.ProgrammingError, match="closed"):
            connection.execute("SELECT 1")
    # One stays for the next read.
    assert [await worker.call(after_a_look) for _ in range(3)] == [1, 1, 1]
    assert await worker.call(lambda: _taken(worker, 1)) < used


async def test_a_peak_is_followed_by_looks_until_one_connection_is_left(tmp_path: Path) -> None:
    def connect() -> sqlite3.Connection:
        return sqlite3.connect(tmp_path / "reads.sqlite3", check_same_thread=False)

    reads = SqliteReads(connect, 10, unused_seconds=0.02)
    worker = reads._choose()
    for _ in range(2):
        # Again with another thread.
        assert len(await worker.call(lambda: _taken(worker, 6))) == 6
        for _ in range(3_000):
            await asyncio.sleep(0.02)
            if len(worker._idle) == 1:
                break
        assert len(worker._idle) == 1
        await reads.close()
        assert not worker._idle
