"""The databases of tests: opened once by each test process, empty when a test begins.

With one engine for all tests a statement is compiled once, and PostgreSQL is connected to once.
"""

import asyncio
import io
import shutil
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from secrets import token_urlsafe
from typing import Any

import asyncpg
from sqlalchemy import QueuePool, event, select

from db.migrate import migrate
from db.models.all import metadata
from db.models.instance import InstanceSecret
from db.session import Database
from db.sqlite_reading import SqliteReads
from tests.sqlite_depth import SqliteDepth

# Deleted rows keep their pages until their table is truncated, which takes about as long as fifty
# times the deletions. It is done when there are as many bytes as this.
TRUNCATED_AT = 1_000_000
OWN = "docstead-tests"
# What the migrations wrote stays.
LASTING = ("alembic_version", "instance_secret")
# The words of pages are in no model, so the tables are asked for.
WRITTEN = """
    SELECT relname, pg_relation_size(oid) AS bytes FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
    AND pg_relation_size(oid) > 0 AND relname <> ALL ($1::text[])
"""
TABLES = """
    SELECT relname FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname <> ALL ($1::text[])
"""
COUNT = "SELECT '{0}', count(*), max(xmin::text::bigint) FROM \"{0}\""


@dataclass
class PostgresRows:
    """The rows of each table as a copy has them, and by what it is seen that they have changed."""

    rows: dict[str, bytes]
    marks: dict[str, tuple[int, int | None]]


def migrate_in_thread(url: str) -> None:
    """Migrate a database from a synchronous fixture, while the tests' event loop stands still."""

    async def go() -> None:
        database = Database(url, durable=False)
        await migrate(database)
        await database.close()

    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, go()).result()


async def be_another_installation(database: Database) -> None:
    """Have other secrets than the database that it is a copy of."""
    async with database.session() as session:
        await session.begin_write()
        for secret in (await session.execute(select(InstanceSecret))).scalars():
            secret.value = token_urlsafe(32)
        await session.commit()


def _in_memory(path: Path) -> sqlite3.Connection:
    """A copy of a SQLite database."""
    copy = sqlite3.connect(":memory:", check_same_thread=False)
    with closing(sqlite3.connect(path)) as source:
        source.backup(copy)
    return copy


async def _nothing() -> None:
    pass


class SqliteTests:
    """A file that each test finds as a copy of the migrated one.

    Its connections stay open: to open one takes SQLite longer than to write all pages, for it reads
    the schema, and what was prepared is lost.
    """

    def __init__(self, template: Path, folder: Path) -> None:
        self._template = template
        self._path = folder / "docstead.sqlite3"
        self.database = Database(f"sqlite:///{self._path}", durable=False)
        # Fills the file; what it was filled with, and the state of the file since.
        self._filler: sqlite3.Connection | None = None
        self._content: sqlite3.Connection | None = None
        self._filled: Any = None
        # What tests begin with.
        self._empty = _in_memory(template)
        self._saved = [self._empty]
        (self._version,) = self._empty.execute("PRAGMA schema_version").fetchone()
        # Of the current test, beside those of the database.
        self._connections: list[sqlite3.Connection] = []
        self._observer: sqlite3.Connection | None = None
        self._depth = SqliteDepth(template)
        event.listen(
            self.database.engine.sync_engine,
            "before_cursor_execute",
            lambda connection, cursor, text, *rest: self._depth.note(text),
        )

    async def begin(self, *, filled: bool = False) -> None:
        """Be empty, unless the test fills it."""
        if not filled:
            await self.fill(self._empty)
        # Readers have connections of their own.
        self.database.watch = self._depth.note

    async def check(self) -> None:
        """What the test has run could be nested deeper."""
        self._depth.try_new()

    async def end(self) -> None:
        while self._connections:
            self._connections.pop().close()
        self._observer = None
        await self.database.points.close()
        if self._content in (None, self._empty):
            await self.fill(self._empty)

    async def fill(self, saved: sqlite3.Connection) -> None:
        """Be what a test before has saved; for those who are connected it is a transaction."""
        if self._content is saved and self._filled == self._state_of(self._filler):
            return
        if self._filler is None or not await self._at_rest(self._filler):
            self._filler = await self._begin_anew()
        self._write(self._filler, saved)
        self._content, self._filled = saved, self._state_of(self._filler)

    def _write(self, filler: sqlite3.Connection, saved: sqlite3.Connection) -> None:
        saved.backup(filler)
        # It is the schema that everybody knows, and nobody has to read it again.
        filler.execute(f"PRAGMA schema_version={self._version}")

    async def _at_rest(self, filler: sqlite3.Connection) -> bool:
        """Whether all connections have been given back, nobody writes, and the schema stands."""
        reads, pool = self.database.reads, self.database.engine.pool
        assert isinstance(reads, SqliteReads)
        assert isinstance(pool, QueuePool)
        if reads.in_use:
            # They are given back in the thread that reads.
            await reads.run(_nothing)
        if reads.in_use or pool.checkedout():
            return False
        try:
            # A backup would wait for ever.
            filler.execute("BEGIN IMMEDIATE")
            filler.execute("ROLLBACK")
        except sqlite3.OperationalError:
            return False
        return bool(filler.execute("PRAGMA schema_version").fetchone() == (self._version,))

    async def _begin_anew(self) -> sqlite3.Connection:
        await self._disconnect()
        for path in self._path.parent.glob(f"{self._path.name}*"):
            path.unlink()
        shutil.copy(self._template, self._path)
        filler = sqlite3.connect(self._path, timeout=0.5, isolation_level=None)
        filler.execute("PRAGMA synchronous=OFF")
        return filler

    async def save(self) -> sqlite3.Connection:
        """What is in it now, for `restore`; nothing may be under way."""
        saved = _in_memory(self._path)
        self._connections.append(saved)
        return saved

    async def restore(self, saved: sqlite3.Connection) -> None:
        """For other connections this is one transaction, so they may stay open."""
        assert self._filler is not None
        self._write(self._filler, saved)
        self._content = None

    async def save_for_others(self) -> sqlite3.Connection:
        """What is in it now, for `fill` in any test; nothing may be under way."""
        self._content, self._filled = _in_memory(self._path), self._state_of(self._filler)
        self._saved.append(self._content)
        return self._content

    async def state(self) -> Any:
        """What is the same again for as long as nobody commits a change."""
        if self._observer is None:
            self._observer = self._connect(str(self._path))
        return self._state_of(self._observer)

    def _state_of(self, connection: sqlite3.Connection | None) -> Any:
        return connection and connection.execute("PRAGMA data_version").fetchone()

    def _connect(self, path: str) -> sqlite3.Connection:
        connection = sqlite3.connect(path, check_same_thread=False)
        self._connections.append(connection)
        return connection

    async def _disconnect(self) -> None:
        await self.database.close()
        if self._filler is not None:
            self._filler.close()

    async def close(self) -> None:
        await self._disconnect()
        self._depth.close()
        for connection in (*self._saved, *self._connections):
            connection.close()


class PostgresTests:
    """One migrated database whose rows are deleted after each test."""

    def __init__(self, url: str) -> None:
        self._url = url
        self.database = Database(url)
        self._cleaner: asyncpg.Connection | None = None
        # Counts all tables.
        self._count = ""
        # Whether it has what a test has saved for others.
        self._filled = False

    async def check(self) -> None:
        """PostgreSQL has no such bounds."""

    async def begin(self, *, filled: bool = False) -> None:
        """Be empty, unless the test fills it."""
        self.database.watch = None
        if self._cleaner is None:
            # Tests that end connections leave those with this name alone.
            self._cleaner = await asyncpg.connect(
                self._url.replace("+asyncpg", ""), server_settings={"application_name": OWN}
            )
            # Foreign keys have nothing to say about tables that are emptied together.
            await self._cleaner.execute("SET session_replication_role = replica")
        if self._filled and not filled:
            await self._clear()

    async def end(self) -> None:
        if not self._filled:
            await self._clear()

    async def _clear(self) -> None:
        assert self._cleaner is not None
        self._filled = False
        written = await self._cleaner.fetch(WRITTEN, LASTING)
        if sum(row["bytes"] for row in written) > TRUNCATED_AT:
            tables = ", ".join(f'"{name}"' for name in metadata.tables if name not in LASTING)
            await self._cleaner.execute(f"TRUNCATE {tables} CASCADE")
        elif written:
            deletions = (f'DELETE FROM "{row["relname"]}";' for row in written)
            await self._cleaner.execute("".join(deletions))

    async def save(self) -> PostgresRows:
        """What is in it now, by table, for `restore`; nothing may be under way."""
        assert self._cleaner is not None
        saved = PostgresRows({}, await self._marks())
        for name, (count, _) in saved.marks.items():
            if count:
                rows = io.BytesIO()
                await self._cleaner.copy_from_table(name, output=rows, format="binary")
                saved.rows[name] = rows.getvalue()
        return saved

    async def restore(self, saved: PostgresRows) -> None:
        """Write the tables that are not as they were."""
        assert self._cleaner is not None
        marks = await self._marks()
        changed = [name for name, mark in marks.items() if mark != saved.marks[name]]
        if not changed:
            return
        await self._cleaner.execute("".join(f'DELETE FROM "{name}";' for name in changed))
        for name in changed:
            if name in saved.rows:
                rows = io.BytesIO(saved.rows[name])
                await self._cleaner.copy_to_table(name, source=rows, format="binary")
        saved.marks = await self._marks()

    async def _marks(self) -> dict[str, tuple[int, int | None]]:
        """How many rows each table has, and the youngest transaction that wrote one of them.

        Any write changes one of the two.
        """
        assert self._cleaner is not None
        if not self._count:
            tables = await self._cleaner.fetch(TABLES, LASTING)
            self._count = " UNION ALL ".join(COUNT.format(row["relname"]) for row in tables)
        rows = await self._cleaner.fetch(self._count)
        return {name: (count, youngest) for name, count, youngest in rows}

    async def state(self) -> Any:
        """What is the same again for as long as nobody writes, whether it is committed or not."""
        assert self._cleaner is not None
        return await self._cleaner.fetchval("SELECT pg_snapshot_xmax(pg_current_snapshot())::text")

    async def save_for_others(self) -> PostgresRows:
        """What is in it now, for `fill` in any test; nothing may be under way."""
        self._filled = True
        return await self.save()

    async def fill(self, saved: PostgresRows) -> None:
        """Be what a test before has saved."""
        self._filled = True
        await self.restore(saved)

    async def close(self) -> None:
        if self._cleaner is not None:
            await self._cleaner.close()
        await self.database.close()
