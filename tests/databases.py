"""The databases of tests: opened once by each test process, empty when a test begins.

With one engine for all tests a statement is compiled once, and PostgreSQL is connected to once.
"""

import asyncio
import io
import shutil
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import asyncpg
from sqlalchemy import event

from db.migrate import migrate
from db.models.all import metadata
from db.session import Database
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


def migrate_in_thread(url: str) -> None:
    """Migrate a database from a synchronous fixture, while the tests' event loop stands still."""

    async def go() -> None:
        database = Database(url, durable=False)
        await migrate(database)
        await database.close()

    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, go()).result()


class SqliteTests:
    """A file that each test finds as a copy of the migrated one."""

    def __init__(self, template: Path, folder: Path) -> None:
        self._template = template
        self._path = folder / "docstead.sqlite3"
        self.database = Database(f"sqlite:///{self._path}", durable=False)
        # Of the current test, beside those of the database.
        self._connections: list[sqlite3.Connection] = []
        self._observer: sqlite3.Connection | None = None
        self._depth = SqliteDepth()
        event.listen(
            self.database.engine.sync_engine,
            "before_cursor_execute",
            lambda connection, cursor, text, *rest: self._depth.note(text),
        )

    async def begin(self) -> None:
        shutil.copy(self._template, self._path)
        # Readers have connections of their own.
        self.database.watch = self._depth.note

    async def check(self) -> None:
        """What the test has run could be nested deeper."""
        self._depth.try_new(self._template)

    async def end(self) -> None:
        await self.database.close()
        while self._connections:
            self._connections.pop().close()
        self._observer = None
        for path in self._path.parent.glob(f"{self._path.name}*"):
            path.unlink()

    async def save(self) -> sqlite3.Connection:
        """What is in it now, for `restore`; nothing may be under way."""
        saved = self._connect(":memory:")
        with closing(sqlite3.connect(self._path)) as source:
            source.backup(saved)
        return saved

    async def restore(self, saved: sqlite3.Connection) -> None:
        """For other connections this is one transaction, so they may stay open."""
        with closing(sqlite3.connect(self._path)) as target:
            target.execute("PRAGMA synchronous=OFF")
            saved.backup(target)

    async def save_for_others(self) -> bytes:
        """What is in it now, for `fill` in any test; nothing may be under way."""
        await self.database.close()
        return self._path.read_bytes()

    async def fill(self, saved: bytes) -> None:
        """Begin with what a test before has saved."""
        await self.database.close()
        for path in self._path.parent.glob(f"{self._path.name}-*"):
            path.unlink()
        self._path.write_bytes(saved)

    async def state(self) -> Any:
        """What is the same again for as long as nobody commits a change."""
        if self._observer is None:
            self._observer = self._connect(str(self._path))
        return self._observer.execute("PRAGMA data_version").fetchone()

    def _connect(self, path: str) -> sqlite3.Connection:
        connection = sqlite3.connect(path, check_same_thread=False)
        self._connections.append(connection)
        return connection

    async def close(self) -> None:
        """Nothing is open between tests."""


class PostgresTests:
    """One migrated database whose rows are deleted after each test."""

    def __init__(self, url: str) -> None:
        self._url = url
        self.database = Database(url)
        self._cleaner: asyncpg.Connection | None = None

    async def check(self) -> None:
        """PostgreSQL has no such bounds."""

    async def begin(self) -> None:
        self.database.watch = None
        if self._cleaner is None:
            # Tests that end connections leave those with this name alone.
            self._cleaner = await asyncpg.connect(
                self._url.replace("+asyncpg", ""), server_settings={"application_name": OWN}
            )
            # Foreign keys have nothing to say about tables that are emptied together.
            await self._cleaner.execute("SET session_replication_role = replica")

    async def end(self) -> None:
        assert self._cleaner is not None
        written = await self._cleaner.fetch(WRITTEN, LASTING)
        if sum(row["bytes"] for row in written) > TRUNCATED_AT:
            tables = ", ".join(f'"{name}"' for name in metadata.tables if name not in LASTING)
            await self._cleaner.execute(f"TRUNCATE {tables} CASCADE")
        elif written:
            deletions = (f'DELETE FROM "{row["relname"]}";' for row in written)
            await self._cleaner.execute("".join(deletions))

    async def save(self) -> dict[str, bytes]:
        """What is in it now, by table, for `restore`; nothing may be under way."""
        assert self._cleaner is not None
        saved = {}
        for row in await self._cleaner.fetch(WRITTEN, LASTING):
            rows = io.BytesIO()
            await self._cleaner.copy_from_table(row["relname"], output=rows, format="binary")
            saved[row["relname"]] = rows.getvalue()
        return saved

    async def restore(self, saved: dict[str, bytes]) -> None:
        await self.end()
        assert self._cleaner is not None
        for name, rows in saved.items():
            await self._cleaner.copy_to_table(name, source=io.BytesIO(rows), format="binary")

    async def state(self) -> Any:
        """What is the same again for as long as nobody writes, whether it is committed or not."""
        assert self._cleaner is not None
        return await self._cleaner.fetchval("SELECT pg_snapshot_xmax(pg_current_snapshot())::text")

    async def save_for_others(self) -> dict[str, bytes]:
        """What is in it now, for `fill` in any test; nothing may be under way."""
        return await self.save()

    async def fill(self, saved: dict[str, bytes]) -> None:
        """Begin with what a test before has saved."""
        await self.restore(saved)

    async def close(self) -> None:
        if self._cleaner is not None:
            await self._cleaner.close()
        await self.database.close()
