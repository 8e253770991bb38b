"""Reads on PostgreSQL: a pool of the driver's connections, and one snapshot for each request.

The first statement of a request begins a read-only transaction that sees one state throughout.
A request that needs a single statement has no use for it and saves two round trips.
"""

import asyncio
import contextlib
import logging
from collections.abc import Coroutine, Mapping
from time import perf_counter
from typing import Any

import asyncpg
from sqlalchemy import exc
from sqlalchemy.engine import URL

from db.failures import is_lost
from db.prepared import DIALECTS, POSTGRESQL, Prepared
from db.reading import Ended, UnfitValueError, Watch

log = logging.getLogger("docstead.database")
BEGIN = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
# Each connection keeps this many prepared statements, of any length.
STATEMENTS = 1000
# SQLSTATE class of values that do not fit.
DATA_EXCEPTION = "22"
CLOSE_SECONDS = 2.0
# Options of SQLAlchemy's dialect that the driver does not know.
_DIALECT_ONLY = (
    "prepared_statement_cache_size",
    "prepared_statement_name_func",
    "async_creator_fn",
    "async_fallback",
)


def driver_options(url: URL) -> dict[str, Any]:
    """What the driver itself connects to a database with."""
    _, options = DIALECTS[POSTGRESQL].create_connect_args(url)
    return {name: options[name] for name in options if name not in _DIALECT_ONLY}


class PostgresReads:
    """Connections for reads, opened when they are needed, at most `size` at a time."""

    def __init__(self, url: URL, size: int, seconds: float) -> None:
        """`seconds` is how long a request waits for a connection."""
        self._options = driver_options(url)
        self._seconds = seconds
        self._size = size
        self.ended: Ended | None = None
        self._free = asyncio.Semaphore(size)
        # Connections that somebody uses.
        self.in_use = 0
        self._idle: list[Any] = []
        # What is still done with connections that nobody waits for.
        self._tasks: set[asyncio.Task[None]] = set()

    def time_statements(self, ended: Ended) -> None:
        """Call `ended` after each statement."""
        self.ended = ended

    def reader(self, watch: Watch | None = None) -> "PostgresReader":
        """A reader for one request; it takes a connection at its first statement."""
        return PostgresReader(self, watch)

    async def take(self) -> Any:
        """A connection; SQLAlchemy's TimeoutError when all stay in use for too long."""
        if self._free.locked():
            try:
                async with asyncio.timeout(self._seconds):
                    await self._free.acquire()
            except TimeoutError as error:
                raise exc.TimeoutError(
                    f"no connection for a read became free in {self._seconds:g} seconds"
                ) from error
        else:
            await self._free.acquire()
        while self._idle:
            connection = self._idle.pop()
            if not connection.is_closed():
                self.in_use += 1
                return connection
        try:
            connection = await asyncpg.connect(
                **self._options,
                statement_cache_size=STATEMENTS,
                max_cached_statement_lifetime=0,
                max_cacheable_statement_size=0,
            )
        except BaseException:
            self._free.release()
            raise
        self.in_use += 1
        return connection

    def give_back(self, connection: Any, *, clean: bool) -> None:
        """Let somebody else use the connection, or close it when its state is not known."""
        self.in_use -= 1
        self._free.release()
        if clean and not connection.is_closed():
            self._idle.append(connection)
            return
        self._later(_retire(connection))

    def retire_idle(self) -> None:
        """Close the connections that nobody uses."""
        idle, self._idle = self._idle, []
        for connection in idle:
            self._later(_retire(connection))

    def end_snapshot(self, connection: Any) -> None:
        """End the transaction of a request, which need not wait for it, and keep the connection."""
        self._later(self.finish_snapshot(connection))

    async def finish_snapshot(self, connection: Any) -> None:
        """End the transaction of a request, and keep the connection."""
        clean = False
        try:
            # Nobody waits for it, so nobody else would give it up.
            async with asyncio.timeout(CLOSE_SECONDS):
                await connection.execute("COMMIT")
            clean = True
        except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError):
            log.warning("a snapshot could not be ended; its connection is closed", exc_info=True)
        finally:
            self.give_back(connection, clean=clean)

    def _later(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """Close the connections that nobody uses."""
        while self._tasks:
            await asyncio.wait(set(self._tasks))
        idle, self._idle = self._idle, []
        await asyncio.gather(*map(_retire, idle))


async def _retire(connection: Any) -> None:
    """Close a connection; a query that still runs on it is cancelled on the server, too."""
    try:
        await connection.close(timeout=CLOSE_SECONDS)
    except Exception:
        with contextlib.suppress(Exception):
            connection.terminate()


class PostgresReader:
    """The statements of one request, which take turns on one connection."""

    __slots__ = ("_begun", "_clean", "_closed", "_connection", "_pool", "_turn", "_watch")
    dialect = POSTGRESQL

    def __init__(self, pool: PostgresReads, watch: Watch | None) -> None:
        self._pool = pool
        self._watch = watch
        self._turn = asyncio.Lock()
        self._connection: Any = None
        self._begun = False
        self._clean = True
        self._closed = False

    async def fetch(
        self, prepared: Prepared, values: Mapping[str, Any], *, alone: bool = False
    ) -> list[Any]:
        """The rows of a statement; errors are the driver's but for two.

        UnfitValueError for a value that the database cannot hold, ConnectionError for a lost
        connection. `alone` says that it needs no snapshot in common with later statements.
        """
        async with self._turn:
            if self._closed:
                raise RuntimeError("the reader is closed")
            if not self._clean:
                raise ConnectionError("an earlier statement of this request was broken off")
            begun = self._begun
            try:
                return await self._fetch(prepared, values, alone=alone)
            except (asyncpg.PostgresError, OSError) as error:
                # Before the snapshot nothing was read that another connection could contradict.
                if begun or not is_lost(error):
                    raise
            connection, self._connection = self._connection, None
            if connection is not None:
                self._pool.give_back(connection, clean=False)
            # Whoever has ended this one has mostly ended all.
            self._pool.retire_idle()
            self._begun, self._clean = False, True
            return await self._fetch(prepared, values, alone=alone)

    async def _fetch(
        self, prepared: Prepared, values: Mapping[str, Any], *, alone: bool
    ) -> list[Any]:
        try:
            if self._connection is None:
                self._connection = await self._pool.take()
            if not (self._begun or alone):
                await self._connection.execute(BEGIN)
                self._begun = True
            if self._watch is not None:
                self._watch(prepared.text)
            started = perf_counter()
            try:
                rows: list[Any] = await self._connection.fetch(
                    prepared.text,
                    *prepared.parameters(values),
                    record_class=prepared.classes.of_record,
                )
            finally:
                if self._pool.ended is not None:
                    self._pool.ended(prepared.text, perf_counter() - started)
        except asyncpg.PostgresError as error:
            # The transaction has failed, the connection mostly has not.
            self._clean = not is_lost(error)
            if str(error.sqlstate).startswith(DATA_EXCEPTION):
                raise UnfitValueError(str(error)) from error
            raise
        except asyncpg.InterfaceError as error:
            # The driver refuses values with an error that is a ValueError, too.
            if isinstance(error, ValueError):
                raise UnfitValueError(str(error)) from error
            self._clean = False
            raise ConnectionError(str(error)) from error
        except asyncpg.InternalClientError as error:
            # The server has closed the connection while it was not listened to.
            self._clean = False
            raise ConnectionError(str(error)) from error
        except BaseException:
            # Cancelled, perhaps in the middle of an answer.
            self._clean = False
            raise
        return rows

    async def pause(self) -> None:
        """Give the connection back until the next statement, unless a snapshot holds it."""
        async with self._turn:
            if self._connection is not None and not self._begun and self._clean:
                connection, self._connection = self._connection, None
                self._pool.give_back(connection, clean=True)

    async def release(self) -> None:
        """Give the connection back until the next statement, with the snapshot: a later statement
        begins another one."""
        async with self._turn:
            connection, self._connection = self._connection, None
            begun, self._begun = self._begun, False
            if connection is None:
                return
            if begun and self._clean and not connection.is_closed():
                await self._pool.finish_snapshot(connection)
            else:
                self._pool.give_back(connection, clean=self._clean)

    async def close(self) -> None:
        """Give the connection back, which ends the snapshot; further reads are errors."""
        async with self._turn:
            self._closed = True
            connection, self._connection = self._connection, None
            if connection is None:
                return
            if self._clean and self._begun and not connection.is_closed():
                self._pool.end_snapshot(connection)
            else:
                self._pool.give_back(connection, clean=self._clean)
