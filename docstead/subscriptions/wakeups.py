"""How a process hears that there are new events: its own at once, those of others by PostgreSQL.

After a commit its process says with NOTIFY which streams have new events, ids and nothing else.
That is done beside the write, for many commits together, and may get lost; whoever follows events
also looks after a few seconds whether there are any. On SQLite other processes are noticed by
looking alone.
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Collection, Iterator
from typing import Any

import asyncpg
from sqlalchemy.engine import URL

from db.ids import new_id
from db.prepared import DIALECTS, POSTGRESQL

log = logging.getLogger("docstead.subscriptions")
CHANNEL = "docstead_events"
# PostgreSQL takes less than 8,000 bytes in a notification.
LONGEST = 7_000
AGAIN_SECONDS = 2.0
Heard = Callable[[Collection[str]], None]


class Wakeups:
    """Says and hears which streams have new events; what it hears of others goes to `heard`.

    `heard` is called with no streams when the connection was lost: any may have new events.
    """

    def __init__(self, url: URL, heard: Heard) -> None:
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

    def say(self, streams: Collection[str]) -> None:
        """Tell other processes soon that streams have new events."""
        if self._on_postgres:
            self._said.update(streams)
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
        while True:
            await self._work.wait()
            self._work.clear()
            try:
                await self._do()
            except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
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
        self._connection = connection = await asyncpg.connect(
            **{name: value for name, value in options.items() if not name.startswith("prepared")}
        )
        connection.add_termination_listener(lambda _: self._work.set())
        await connection.add_listener(CHANNEL, self._hear)
        self._heard(())

    def _payloads(self, streams: Collection[str]) -> Iterator[str]:
        names = sorted(streams)
        most = LONGEST // 65
        for start in range(0, len(names), most):
            yield ",".join([self._own, *names[start : start + most]])

    def _hear(self, connection: object, pid: int, channel: str, payload: str) -> None:
        sender, *streams = payload.split(",")
        if sender != self._own:
            self._heard(streams)

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
