"""Reads on SQLite: the driver blocks, so it runs in a thread beside the event loop.

The thread has an event loop of its own. A read may send it one statement at a time, or run there
as a whole (`SqliteReads.run`): then its statements are plain calls and it changes threads once.
There is one such thread unless more are asked for: threads that wait for the interpreter's lock
in turn are slower together than one alone. Single statements go before whole reads that have not
begun: pages that are made anew, of which each takes milliseconds, hold back those that are cached
by one of them at most, however many wait.
"""

import asyncio
import contextlib
import sqlite3
import threading
from collections import deque
from collections.abc import Callable, Coroutine, Mapping
from time import perf_counter
from typing import Any, TypeVar

import orjson
from sqlalchemy.engine import URL

from db.prepared import DIALECTS, Prepared
from db.reading import Ended, UnfitValueError, Watch
from db.rows import SQLITE

T = TypeVar("T")
# An interruption is lost when it comes just before its statement: it is tried again.
_INTERRUPTED_AGAIN = 0.05
Open = Callable[..., sqlite3.Connection]
# Statements that each connection keeps prepared.
STATEMENTS = 512
# Seconds after which connections are closed that nobody has used; one stays.
UNUSED_SECONDS = 10.0
_UNFIT = (OverflowError, UnicodeEncodeError, sqlite3.DataError)


def opener(url: URL, prepare: Callable[[Any], None]) -> Open:
    """Opens connections that only read; `prepare` gives each its functions and settings."""
    places, options = DIALECTS[SQLITE].create_connect_args(url)
    options = dict(options) | {
        "isolation_level": None,
        "check_same_thread": False,
        "cached_statements": STATEMENTS,
    }

    def connect() -> sqlite3.Connection:
        make: Open = sqlite3.connect
        connection = make(*places, **options)
        try:
            prepare(connection)
            connection.execute("PRAGMA query_only=ON")
        except BaseException:
            connection.close()
            raise
        return connection

    return connect


class SqliteReads:
    """The threads for reads, started when they are needed, and their connections."""

    def __init__(
        self, connect: Open, idle: int, threads: int = 1, unused_seconds: float = UNUSED_SECONDS
    ) -> None:
        """Each thread keeps up to `idle` connections that nobody uses. All but one of them are
        closed when nobody has used them for `unused_seconds` to twice as long."""
        self._workers = [Worker(connect, idle, unused_seconds) for _ in range(threads)]
        self._next = 0

    def time_statements(self, ended: Ended) -> None:
        """Call `ended` after each statement."""
        for worker in self._workers:
            worker.ended = ended

    @property
    def in_use(self) -> int:
        """Connections that somebody uses."""
        return sum(worker.in_use for worker in self._workers)

    def reader(self, watch: Watch | None = None) -> "SqliteReader":
        """A reader for one request; in one of the threads, one for that thread."""
        own = [worker for worker in self._workers if worker.is_current()]
        return SqliteReader(own[0] if own else self._choose(), watch)

    async def once(
        self, prepared: Prepared, values: Mapping[str, Any], watch: Watch | None = None
    ) -> list[Any]:
        """The rows of one statement by itself: the thread is woken once for all there is to do."""
        worker = self._choose()
        reader = SqliteReader(worker, watch)
        return await worker.call(lambda: reader.once(prepared, values))

    async def run(self, make: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """The result of a coroutine that is made and run in a thread, with readers made there.

        Cancelling this cancels it, interrupts its statement, and waits for its end.
        """
        return await self._choose().run(make)

    def in_thread(self) -> bool:
        """Whether the caller is in one of the threads."""
        return any(worker.is_current() for worker in self._workers)

    def _choose(self) -> "Worker":
        self._next = (self._next + 1) % len(self._workers)
        return self._workers[self._next]

    async def close(self) -> None:
        """Close the connections that nobody uses, and end the threads."""
        for worker in self._workers:
            await worker.close()


class Worker:
    """One thread with an event loop, its connections, and what it runs at the moment."""

    def __init__(self, connect: Open, idle: int, unused_seconds: float) -> None:
        self._connect = connect
        self.ended: Ended | None = None
        self._limit = idle
        # A stack; `_unused` at its bottom were not taken since the last look (`_close_unused`).
        self._idle: list[sqlite3.Connection] = []
        self._unused = 0
        self._unused_seconds = unused_seconds
        self._next_look: asyncio.TimerHandle | None = None
        self.in_use = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._starting = threading.Lock()
        # The reader whose statement runs, with the task that asked for it. Only under the lock,
        # so that an interruption meets the statement it is meant for.
        self._lock = threading.Lock()
        self._running: tuple[SqliteReader, asyncio.Task[Any] | None] | None = None
        # Whom the function that runs now is for; only in the thread.
        self._caller: asyncio.Future[Any] | None = None
        # Whole reads that have not begun; only in the thread.
        self._waiting: deque[Callable[[], None]] = deque()

    def is_current(self) -> bool:
        """Whether the caller is in this thread."""
        return self._thread is not None and self._thread.ident == threading.get_ident()

    def loop(self) -> asyncio.AbstractEventLoop:
        """The thread's event loop; starts the thread."""
        with self._starting:
            if self._loop is None:
                self._loop = _event_loop()
                self._thread = threading.Thread(
                    target=self._loop.run_forever, name="docstead-reads", daemon=True
                )
                self._thread.start()
            return self._loop

    async def call(self, function: Callable[[], T]) -> T:
        """The result of a function that runs in the thread; skipped when cancelled before."""
        caller = asyncio.get_running_loop()
        future: asyncio.Future[T] = caller.create_future()

        def work() -> None:
            if future.cancelled():
                return
            self._caller = future
            try:
                result = function()
            except BaseException as error:
                _answer(caller, _fail, future, error)
            else:
                _answer(caller, _finish, future, result)
            finally:
                self._caller = None

        self.loop().call_soon_threadsafe(work)
        return await future

    async def run(self, make: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """The result of a coroutine that runs on the thread's event loop."""
        loop, caller = self.loop(), asyncio.get_running_loop()
        future: asyncio.Future[T] = caller.create_future()
        tasks: list[asyncio.Task[T]] = []
        withdrawn = False

        def ended(task: asyncio.Task[T]) -> None:
            if task.cancelled():
                _answer(caller, _cancel, future, None)
            elif (error := task.exception()) is not None:
                _answer(caller, _fail, future, error)
            else:
                _answer(caller, _finish, future, task.result())

        def begin() -> None:
            if withdrawn:
                return
            task = loop.create_task(make())
            tasks.append(task)
            task.add_done_callback(ended)

        def withdraw() -> None:
            nonlocal withdrawn
            if tasks:
                tasks[0].cancel()
            else:
                withdrawn = True
                _answer(caller, _cancel, future, None)

        loop.call_soon_threadsafe(self._stand_in_line, begin)
        try:
            return await asyncio.shield(future)
        except asyncio.CancelledError:
            if not future.done():
                loop.call_soon_threadsafe(withdraw)
                with contextlib.suppress(asyncio.CancelledError):
                    while not future.done():
                        self.interrupt(lambda _, task: task is not None and task in tasks)
                        await asyncio.wait([future], timeout=_INTERRUPTED_AGAIN)
                if future.done() and not future.cancelled():
                    # Whatever has become of it, nobody waits for it.
                    future.exception()
            raise

    def _stand_in_line(self, begin: Callable[[], None]) -> None:
        self._waiting.append(begin)
        if len(self._waiting) == 1:
            self._begin_next()

    def _begin_next(self) -> None:
        try:
            self._waiting[0]()
        finally:
            # Behind the first step of this read, which is all of most, and behind the statements
            # that were asked for meanwhile.
            asyncio.get_running_loop().call_soon(self._begun)

    def _begun(self) -> None:
        self._waiting.popleft()
        if self._waiting:
            self._begin_next()

    def interrupt(self, hits: Callable[["SqliteReader", asyncio.Task[Any] | None], bool]) -> None:
        """Break off the statement that runs now, if `hits` says so; from any thread."""
        with self._lock:
            if self._running is not None and hits(*self._running):
                self._running[0].interrupt()

    def execute(
        self, reader: "SqliteReader", connection: sqlite3.Connection, text: str, values: list[Any]
    ) -> list[Any]:
        """All rows of a statement; in the thread."""
        with self._lock:
            if self._caller is not None and self._caller.cancelled():
                raise sqlite3.OperationalError("interrupted")
            self._running = (reader, asyncio.current_task())
        started = perf_counter() if self.ended is not None else 0.0
        try:
            return connection.execute(text, values).fetchall()
        finally:
            with self._lock:
                self._running = None
            if self.ended is not None:
                self.ended(text, perf_counter() - started)

    def take(self) -> sqlite3.Connection:
        """A connection; in the thread."""
        connection = self._idle.pop() if self._idle else self._connect()
        self._unused = min(self._unused, len(self._idle))
        self.in_use += 1
        return connection

    def give_back(self, connection: sqlite3.Connection) -> None:
        """End what the connection has begun and keep it, unless there are enough; in the thread."""
        self.in_use -= 1
        try:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
        except sqlite3.Error:
            connection.close()
            return
        if len(self._idle) < self._limit:
            self._idle.append(connection)
            self._look_later()
        else:
            connection.close()

    def _look_later(self) -> None:
        if self._next_look is None and len(self._idle) > 1:
            loop = asyncio.get_running_loop()
            self._next_look = loop.call_later(self._unused_seconds, self._close_unused)

    def _close_unused(self) -> None:
        """Close what a peak of reads has opened: each connection has read all tables, and keeps
        pages and statements, 0.5 to 3 MB."""
        self._next_look = None
        # One stays, also when there was no read.
        unused = min(self._unused, len(self._idle) - 1)
        for connection in self._idle[:unused]:
            connection.close()
        del self._idle[:unused]
        self._unused = len(self._idle)
        self._look_later()

    async def _close_idle(self) -> None:
        if self._next_look is not None:
            self._next_look.cancel()
            self._next_look = None
        while self._idle:
            self._idle.pop().close()

    async def close(self) -> None:
        """Close the idle connections and end the thread, which starts again when it is needed."""
        loop, thread = self._loop, self._thread
        if loop is None or thread is None:
            return
        # Behind the reads that stand in line.
        await self.run(self._close_idle)
        self._loop = self._thread = None
        loop.call_soon_threadsafe(loop.stop)
        await asyncio.to_thread(thread.join)
        loop.close()
        # A read that ended meanwhile may have asked the loop that is gone for the next look.
        self._next_look = None
        self._waiting.clear()


def _event_loop() -> asyncio.AbstractEventLoop:
    """An event loop of the kind that runs already: that of the server wakes up sooner."""
    try:
        return type(asyncio.get_running_loop())()
    except RuntimeError:
        return asyncio.new_event_loop()


def _answer(
    caller: asyncio.AbstractEventLoop, settle: Callable[[Any, Any], None], future: Any, value: Any
) -> None:
    # The caller's loop may have ended meanwhile.
    with contextlib.suppress(RuntimeError):
        caller.call_soon_threadsafe(settle, future, value)


def _finish(future: "asyncio.Future[Any]", value: Any) -> None:
    if not future.done():
        future.set_result(value)


def _fail(future: "asyncio.Future[Any]", error: BaseException) -> None:
    if not future.done():
        future.set_exception(error)


def _cancel(future: "asyncio.Future[Any]", _: None) -> None:
    future.cancel()


class SqliteReader:
    """The statements of one request, on one connection and one snapshot."""

    __slots__ = ("_closed", "_connection", "_sent", "_watch", "_worker")
    dialect = SQLITE

    def __init__(self, worker: Worker, watch: Watch | None) -> None:
        self._worker = worker
        self._watch = watch
        self._connection: sqlite3.Connection | None = None
        self._closed = False
        # Whether the thread was asked for anything: only then there may be a connection.
        self._sent = False

    async def fetch(
        self, prepared: Prepared, values: Mapping[str, Any], *, alone: bool = False
    ) -> list[Any]:
        """The rows of a statement; errors are the driver's.

        UnfitValueError for a value that the database cannot hold. In the reader's thread it does
        not suspend. `alone` says that it needs no snapshot in common with later statements.
        """
        if self._closed:
            raise RuntimeError("the reader is closed")
        if self._worker.is_current():
            return self._fetch(prepared, values, alone)
        self._sent = True
        try:
            return await self._worker.call(lambda: self._fetch(prepared, values, alone))
        except asyncio.CancelledError:
            self._worker.interrupt(lambda reader, _: reader is self)
            raise

    def once(self, prepared: Prepared, values: Mapping[str, Any]) -> list[Any]:
        """The rows of the only statement of this reader; in the thread."""
        try:
            return self._fetch(prepared, values, alone=True)
        finally:
            self._closed = True
            self._release()

    def _fetch(self, prepared: Prepared, values: Mapping[str, Any], alone: bool) -> list[Any]:
        if self._closed:
            raise RuntimeError("the reader is closed")
        if self._connection is None:
            self._connection = self._worker.take()
        connection = self._connection
        if not alone and not connection.in_transaction:
            connection.execute("BEGIN")
        if self._watch is not None:
            self._watch(prepared.text)
        packed = prepared.packed
        try:
            rows = self._worker.execute(
                self, connection, packed or prepared.text, prepared.parameters(values)
            )
        except _UNFIT as error:
            raise UnfitValueError(str(error)) from error
        if packed is not None:
            rows = orjson.loads(rows[0][0])
        return list(map(prepared.classes.of_tuple, rows))

    def interrupt(self) -> None:
        """Break off the statement that runs now."""
        if self._connection is not None:
            self._connection.interrupt()

    async def pause(self) -> None:
        """Nothing to do: the thread that reads has connections for everybody."""

    async def release(self) -> None:
        """Give the connection back until the next statement, with the snapshot: a later statement
        begins another one."""
        if self._worker.is_current():
            self._release()
        elif self._sent:
            await self._worker.call(self._release)

    async def close(self) -> None:
        """Give the connection back; further reads are errors. Does not wait for the thread."""
        if self._closed:
            return
        self._closed = True
        if self._worker.is_current():
            self._release()
        elif self._sent:
            # Behind a statement that still runs.
            self._worker.loop().call_soon_threadsafe(self._release)

    def _release(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            self._worker.give_back(connection)
