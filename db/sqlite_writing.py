"""The driver of SQLite for writes: a statement is one call in the thread of its connection.

aiosqlite gives each connection a thread, and SQLAlchemy asks it to open a cursor, execute, fetch
and close: four ways to the thread and back for one statement, which cost more than most statements.
Here the first rows come with the statement, and a cursor without more is closed with it.
"""

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, TypeVar

import aiosqlite

T = TypeVar("T")
AT_ONCE = 1_000


class EagerCursor:
    """A cursor that reads the first rows when it executes."""

    def __init__(self, connection: "WriteConnection") -> None:
        self._connection = connection
        self._rows: list[Any] = []
        # The driver's, while it has more rows.
        self._open: sqlite3.Cursor | None = None
        self.description: Any = None
        self.rowcount = -1
        self.lastrowid: int | None = None
        self.arraysize = 1

    async def __aenter__(self) -> "EagerCursor":
        return self

    async def execute(self, sql: str, parameters: Iterable[Any] = ()) -> "EagerCursor":
        """Run one statement."""
        await self._connection.call(partial(self._run, sqlite3.Cursor.execute, sql, parameters))
        return self

    async def executemany(self, sql: str, parameters: Iterable[Iterable[Any]]) -> "EagerCursor":
        """Run one statement with each of these parameters."""
        run = partial(self._run, sqlite3.Cursor.executemany, sql, parameters)
        await self._connection.call(run)
        return self

    def _run(self, method: Callable[..., Any], sql: str, parameters: Any) -> None:
        # In the thread of the connection, as everything that has the driver's cursor.
        cursor = self._connection.driver().cursor()
        self._open = cursor
        try:
            method(cursor, sql, parameters)
            self.description = cursor.description
            self._rows = self._fetch(AT_ONCE) if self.description else []
            self.lastrowid = cursor.lastrowid
        except BaseException:
            self._end()
            raise
        if len(self._rows) < AT_ONCE:
            self._end()

    def _fetch(self, size: int | None) -> list[Any]:
        cursor = self._open
        if cursor is None:
            return []
        rows = cursor.fetchall() if size is None else cursor.fetchmany(size)
        if size is None or len(rows) < size:
            self._end()
        return rows

    def _end(self) -> None:
        cursor, self._open = self._open, None
        if cursor is not None:
            # Of a statement with RETURNING the number is complete when its rows are read.
            self.rowcount = cursor.rowcount
            cursor.close()

    async def fetchall(self) -> Sequence[Any]:
        """The rows that were not fetched yet."""
        rows, self._rows = self._rows, []
        if self._open is not None:
            rows += await self._connection.call(partial(self._fetch, None))
        return rows

    async def fetchmany(self, size: int | None = None) -> Sequence[Any]:
        """So many of the rows that were not fetched yet, fewer at the end."""
        size = size or self.arraysize
        if self._open is not None and len(self._rows) < size:
            more = max(size - len(self._rows), AT_ONCE)
            self._rows += await self._connection.call(partial(self._fetch, more))
        rows, self._rows = self._rows[:size], self._rows[size:]
        return rows

    async def fetchone(self) -> Any:
        """The next row; None behind the last."""
        return next(iter(await self.fetchmany(1)), None)

    async def close(self) -> None:
        """Forget the rows that were not fetched."""
        self._rows = []
        if self._open is not None:
            await self._connection.call(self._end)


class WriteConnection(aiosqlite.Connection):
    """A connection whose cursors are eager."""

    def cursor(self) -> EagerCursor:  # type: ignore[override]
        """A new cursor."""
        return EagerCursor(self)

    async def call(self, work: Callable[[], T]) -> T:
        """Run a function in the thread of the connection."""
        result: T = await self._execute(work)  # type: ignore[no-untyped-call]
        return result

    def driver(self) -> sqlite3.Connection:
        """The driver's own connection, for its thread."""
        return self._conn


def connect(database: str, **options: Any) -> WriteConnection:
    """A connection that opens when it is awaited; its thread ends with the process."""
    connection = WriteConnection(partial(sqlite3.connect, database, **options), AT_ONCE)
    connection._thread.daemon = True
    return connection
