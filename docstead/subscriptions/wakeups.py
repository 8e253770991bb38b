"""How a process hears of new events and of jobs: its own at once, those of others by PostgreSQL.

After a commit its process says with NOTIFY which streams have new events and which jobs have
changed, ids and nothing else.
That is done beside the write, for many commits together, and may get lost; whoever follows events
also looks after a few seconds whether there are any. On SQLite other processes are noticed by
looking alone.
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Collection, Iterator
from importlib import import_module
from typing import Any

from sqlalchemy.engine import URL

from db.failures import driver_errors
from db.ids import new_id
from db.prepared import DIALECTS, POSTGRESQL

log = logging.getLogger("docstead.subscriptions")
CHANNEL = "docstead_events"
# PostgreSQL takes less than 8,000 bytes in a notification.
LONGEST, LONGEST_NAME = 7_000, 130
AGAIN_SECONDS = 2.0
# Names that wait to be said while PostgreSQL cannot be reached; more get lost.
MOST_WAITING = 10_000
# Between the id of an organization and that of a job.
SEPARATOR = "/"
Heard = Callable[[Collection[str]], None]


def name_of_job(organization_id: str, job_id: str) -> str:
    """What says that a job has changed; the id of a stream says that it has new events."""
    return f"{organization_id}{SEPARATOR}{job_id}"


class Wakeups:
    """Says and hears what is new, by names; what it hears of others goes to `heard`.

    `heard` is called with no names when the connection was lost: anything may be new.
    """

    def __init__(self, url: URL, heard: Heard | None = None) -> None:
        self._url = url
        self._heard = heard
        self._on_postgres = url.get_backend_name() == POSTGRESQL
        # Notifications come back to their sender, too.
        self._own = new_id()
        self._connection: Any = None
        self._said: set[str] = set()
        self._work = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._listens = False

    def say(self, names: Collection[str]) -> None:
        """Tell other processes soon what is new."""
        if self._on_postgres and len(self._said) < MOST_WAITING:
            self._said.update(names)
            self._begin()

    def listen(self) -> None:
        """Hear from now on what other processes say."""
        if self._on_postgres and not self._listens:
            self._listens = True
            self._begin()

    def _begin(self) -> None:
        self._work.set()
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._keep_going())

    async def _keep_going(self) -> None:
        lost: tuple[type[Exception], ...] = (OSError,)
        lost += driver_errors("PostgresError", "InterfaceError")
        while True:
            await self._work.wait()
            self._work.clear()
            try:
                await self._do()
            except lost as error:
                log.warning("other processes cannot be told of new events: %s", error)
                await self._disconnect()
                await asyncio.sleep(AGAIN_SECONDS)
                self._work.set()

    async def _do(self) -> None:
        if self._connection is None or self._connection.is_closed():
            await self._connect()
        while self._said:
            said, self._said = self._said, set()
            try:
                for payload in self._payloads(said):
                    await self._connection.execute("SELECT pg_notify($1, $2)", CHANNEL, payload)
            except BaseException:
                self._said |= said
                raise

    async def _connect(self) -> None:
        _, options = DIALECTS[POSTGRESQL].create_connect_args(self._url)
        self._connection = connection = await import_module("asyncpg").connect(
            **{name: value for name, value in options.items() if not name.startswith("prepared")}
        )
        connection.add_termination_listener(lambda _: self._work.set())
        if self._heard is not None:
            await connection.add_listener(CHANNEL, self._hear)
            self._heard(())

    def _payloads(self, said: Collection[str]) -> Iterator[str]:
        names = sorted(said)
        most = LONGEST // LONGEST_NAME
        for start in range(0, len(names), most):
            yield ",".join([self._own, *names[start : start + most]])

    def _hear(self, connection: object, pid: int, channel: str, payload: str) -> None:
        sender, *names = payload.split(",")
        if sender != self._own and self._heard is not None:
            self._heard(names)

    async def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(Exception):
                await connection.close(timeout=1)

    async def close(self) -> None:
        """Stop saying and hearing."""
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
        await self._disconnect()
