"""Engines and sessions, with the transaction rules of each database.

SQLite: the driver's own transaction handling loses updates, so it is switched off; a writer
begins with BEGIN IMMEDIATE (it waits its turn instead of failing later) and a reader with BEGIN.
Writers of one process stand in line before it (db/write_turns.py).
PostgreSQL: a reader sees one snapshot, as on SQLite; a writer sees what was committed before each
of its statements. A write has one session and one connection; loaders that run at the same time
take turns. Reads of the server go through `Database.reader` (db/reading.py).

A pool that is empty for 10 seconds and a SQLite database that is locked for 5 raise SQLAlchemy's
errors; `resolvers/core/database_errors.py` says what they mean to the caller.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager
from importlib import import_module
from time import perf_counter
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy import Connection, Delete, Update, event, exc, make_url
from sqlalchemy.engine import URL
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, AsyncSession, create_async_engine
from sqlalchemy.pool import PoolResetState, QueuePool

from db.bells import BELL, Bell
from db.commits import FOLLOWER, CommitFollower, WriteSession
from db.failures import CommitLostError, is_lost
from db.prepared import Prepared
from db.reading import Ended, Reader, Watch
from db.sharing import PointReads
from db.sqlite_reading import SqliteReads, opener
from db.sqlite_writing import connect as connect_sqlite
from db.write_turns import WriteTurns, give_back

if TYPE_CHECKING:
    from db.postgres_reading import PostgresReads

T = TypeVar("T")
WRITE = "docstead_write"
DRIVERS = {
    "sqlite": "sqlite+aiosqlite",
    "postgresql": "postgresql+asyncpg",
    "postgres": "postgresql+asyncpg",
}
SUPPORTED = ("sqlite+aiosqlite", "postgresql+asyncpg")
POOL_SECONDS = 10.0
BUSY_MILLISECONDS = 5000


def _lower(text: object) -> object:
    return text.lower() if isinstance(text, str) else text


def _prepare_sqlite(connection: Any, durable: bool) -> None:
    """Set functions and pragmas of a connection to SQLite, for reads and for writes."""
    # SQLite's own function knows ASCII only; searches and the index of addresses use it.
    connection.create_function("lower", 1, _lower, deterministic=True)
    cursor = connection.cursor()
    for pragma in (
        "journal_mode=WAL",
        f"synchronous={'FULL' if durable else 'OFF'}",
        f"busy_timeout={BUSY_MILLISECONDS}",
        "foreign_keys=ON",
    ):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def database_url(text: str) -> URL:
    """The URL with its asynchronous driver; ValueError says what is allowed."""
    try:
        url = make_url(text)
    except Exception as error:
        # The text itself may hold a password.
        raise ValueError("it is not a database URL") from error
    name = DRIVERS.get(url.drivername, url.drivername)
    if name not in SUPPORTED:
        raise ValueError(
            f"{url.drivername!r} is not supported; use sqlite:///PATH or postgresql://HOST/NAME"
        )
    return url.set(drivername=name)


class Session(AsyncSession):
    """An AsyncSession whose statements take turns.

    Resolvers of one request run concurrently, and one connection serves them all. `execute`
    (with `scalars`, which passes through it), `flush` and `close` are locked; the others are for
    writes, which run alone. A closed session stays closed: a loader that outlives its cancelled
    request must not take a connection again that nobody would give back.
    """

    sync_session_class = WriteSession
    sync_session: WriteSession

    def __init__(self, *args: Any, turns: WriteTurns | None = None, **options: Any) -> None:
        super().__init__(*args, close_resets_only=False, **options)
        self.turns = turns
        self._turn = asyncio.Lock()
        self.write_options: dict[str, Any] = {WRITE: True}

    async def execute(self, *args: Any, **options: Any) -> Any:
        async with self._turn:
            return await super().execute(*args, **options)

    async def change(self, statement: Update | Delete) -> int:
        """Run an UPDATE or DELETE; the number of rows. Objects that are loaded stay as they are."""
        result = await self.execute(statement.execution_options(synchronize_session=False))
        number: int = result.rowcount
        return number

    async def run_text(self, text: str, parameters: Sequence[Any]) -> None:
        """Run a statement in the driver's own language that answers with no rows."""
        async with self._turn:
            connection = await self.connection()
            await connection.exec_driver_sql(text, tuple(parameters))

    async def flush(self, *args: Any, **options: Any) -> None:
        async with self._turn:
            await super().flush(*args, **options)

    async def close(self) -> None:
        """Give the connection back; what was not committed is taken back, with a lost one, too."""
        try:
            async with self._turn:
                await super().close()
        except (exc.DBAPIError, OSError) as error:
            if not is_lost(error):
                raise
        finally:
            # A rollback that fails or is cancelled ends no transaction, as SQLAlchemy sees it.
            give_back(self.sync_session)

    async def fetch_text(self, text: str, parameters: Sequence[Any]) -> Sequence[Any]:
        """All rows of a statement in the driver's own language, with the driver's own values."""
        async with self._turn:
            connection = await self.connection()
            return (await connection.exec_driver_sql(text, tuple(parameters))).all()

    async def begin_write(self) -> None:
        """Open the transaction of a write, ending the current read transaction if there is one."""
        async with self._turn:
            if self.in_transaction():
                # Nothing was written, so this only ends the snapshot; a rollback would also
                # forget what was read.
                await super().commit()
            if self.turns is not None:
                await self.turns.take(self.sync_session, BUSY_MILLISECONDS / 1000)
            try:
                await self.connection(execution_options=self.write_options)
            finally:
                if not self.in_transaction():
                    give_back(self.sync_session)

    async def commit(self) -> None:
        """Commit what was written; CommitLostError when nobody knows whether that was done."""
        await self.flush()
        try:
            await super().commit()
        except (exc.DBAPIError, OSError) as error:
            if is_lost(error):
                raise CommitLostError from error
            raise

    async def is_open(self) -> bool:
        """Whether the transaction is as it was begun.

        SQLite ends one by itself when the disk is full, whatever savepoints there are; statements
        after that would be transactions of their own. PostgreSQL refuses these.
        """
        async with self._turn:
            if not self.in_transaction():
                return False
            driver = (await (await self.connection()).get_raw_connection()).driver_connection
            return bool(getattr(driver, "in_transaction", True))


class Database:
    """The engine of one database URL and the sessions on it."""

    def __init__(
        self,
        url: str,
        *,
        pool_size: int = 10,
        pool_seconds: float = POOL_SECONDS,
        durable: bool = True,
    ) -> None:
        """`durable=False` lets SQLite skip the disk flush of each commit (tests only).

        `pool_seconds` is how long a request waits for one of the `pool_size` connections.
        """
        self.url = database_url(url)
        self.is_sqlite = self.url.drivername.startswith("sqlite")
        options: dict[str, Any] = {
            "pool_size": pool_size,
            "max_overflow": 0,
            "pool_timeout": pool_seconds,
            # Values of statements (addresses, digests, content) stay out of logs.
            "hide_parameters": True,
        }
        if self.is_sqlite:
            options["connect_args"] = {"isolation_level": None, "async_creator_fn": connect_sqlite}
            # `_follow_sqlite_rules` ends what was begun.
            options["pool_reset_on_return"] = None
            # Each has read the tables, and has pages and statements: few are used again and again.
            options["pool_use_lifo"] = True
        else:
            # All statements of a read see one state, as on SQLite: what a list has found is
            # still there for the statements after it.
            options["isolation_level"] = "REPEATABLE READ"
        self.pool_size = pool_size
        self.engine: AsyncEngine = create_async_engine(self.url, **options)
        # Called with the text of each statement of `reader`; for tests and traces.
        self.watch: Watch | None = None
        # Rings when there may be work for a worker of this process.
        self.bell = Bell()
        # Who hears what writes have changed.
        self.follower: CommitFollower | None = None
        self.points = PointReads(self.engine.dialect.name, self._fetch_alone)
        self.turns = WriteTurns() if self.is_sqlite else None
        self.reads: PostgresReads | SqliteReads
        if self.is_sqlite:
            self._follow_sqlite_rules(durable)
            connect = opener(self.url, lambda connection: _prepare_sqlite(connection, durable))
            self.reads = SqliteReads(connect, pool_size)
        else:
            # It needs the driver, which is not loaded on SQLite.
            reading = import_module("db.postgres_reading")
            self.reads = reading.PostgresReads(self.url, pool_size, pool_seconds)

    def _follow_sqlite_rules(self, durable: bool) -> None:
        @event.listens_for(self.engine.sync_engine, "connect")
        def connected(connection: Any, record: object) -> None:
            _prepare_sqlite(connection, durable)

        @event.listens_for(self.engine.sync_engine, "reset")
        def reset(connection: Any, record: object, state: PoolResetState) -> None:
            # Most have ended their transaction. To ask for it once more takes the connection's
            # thread, and whoever is cancelled meanwhile would lose the connection.
            if state.asyncio_safe and connection.driver_connection.in_transaction:
                connection.rollback()

        @event.listens_for(self.engine.sync_engine, "begin")
        def begun(connection: Connection) -> None:
            write = connection.get_execution_options().get(WRITE, False)
            connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")

    def time_statements(self, ended: Ended) -> None:
        """Call `ended` after each statement of a read or a write; once, before the first."""
        self.reads.time_statements(ended)

        @event.listens_for(self.engine.sync_engine, "before_cursor_execute")
        def begun(_: Any, __: Any, text: Any, values: Any, execution: Any, many: Any) -> None:
            execution.docstead_started = perf_counter()

        @event.listens_for(self.engine.sync_engine, "after_cursor_execute")
        def done(_: Any, __: Any, text: str, values: Any, execution: Any, many: Any) -> None:
            ended(text, perf_counter() - execution.docstead_started)

    async def _fetch_alone(self, prepared: Prepared, values: Mapping[str, Any]) -> list[Any]:
        if isinstance(self.reads, SqliteReads):
            return await self.reads.once(prepared, values, self.watch)
        async with self.reader() as reader:
            return await reader.fetch(prepared, values, alone=True)

    async def read_in_place(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """The result of a coroutine that only reads, where its readers do not have to go far.

        On SQLite that is the thread of the reads, else here.
        """
        if isinstance(self.reads, SqliteReads):
            return await self.reads.run(work)
        return await work()

    def in_reader_thread(self) -> bool:
        """Whether the caller is in a thread that only reads."""
        return isinstance(self.reads, SqliteReads) and self.reads.in_thread()

    def write_connections(self) -> int:
        """How many connections for writes are in use."""
        pool = self.engine.pool
        return pool.checkedout() if isinstance(pool, QueuePool) else 0

    def new_session(self) -> Session:
        """A session that whoever asks for it closes; it takes a connection when it is used."""
        info: dict[str, Any] = {BELL: self.bell}
        if self.follower is not None:
            info[FOLLOWER] = self.follower
        session = Session(
            self.engine, turns=self.turns, expire_on_commit=False, autoflush=False, info=info
        )
        if not self.is_sqlite:
            # A writer that waited for a lock sees what the one before has written.
            session.write_options["isolation_level"] = "READ COMMITTED"
        return session

    @asynccontextmanager
    async def session(self) -> AsyncIterator[Session]:
        """A session for one request or one job; it is rolled back unless it was committed."""
        async with self.new_session() as session:
            yield session

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[AsyncConnection]:
        """A bare connection, for migrations and checks."""
        async with self.engine.connect() as connection:
            yield connection

    def new_reader(self) -> Reader:
        """A reader that whoever asks for it closes; what it needs is taken when it is used."""
        return self.reads.reader(self.watch)

    @asynccontextmanager
    async def reader(self) -> AsyncIterator[Reader]:
        """A reader for one request."""
        reader = self.new_reader()
        try:
            yield reader
        finally:
            await reader.close()

    async def close(self) -> None:
        """Close all pooled connections."""
        await self.points.close()
        await self.reads.close()
        await self.engine.dispose()
