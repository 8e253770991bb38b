"""What wakes workers: a bell of each process, which on PostgreSQL others can ring, too.

A bell carries nothing. Whoever hears it looks into the database, which alone says what there is to
do; so nothing is lost when nobody hears it, only time.
"""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.engine import URL
from sqlalchemy.ext.asyncio import AsyncSession

from db.commits import after_commit
from db.failures import driver_errors
from db.prepared import POSTGRESQL

log = logging.getLogger("docstead.jobs")
# The name of a channel of LISTEN and NOTIFY; the key of a session's `info`.
CHANNEL, BELL = "docstead_jobs", "bell"
# Between two attempts to listen.
SECONDS = 5.0


class Bell:
    """Rings in one process: whoever waits goes on."""

    def __init__(self) -> None:
        self._rung = asyncio.Event()
        self._others: list[Bell] = []

    def ring(self) -> None:
        """Let whoever waits go on; who does not wait yet, will not."""
        self._rung.set()
        for other in self._others:
            other.ring()

    def another(self) -> "Bell":
        """A bell that rings with this one: one waits for each, since it is silent afterwards."""
        bell = Bell()
        self._others.append(bell)
        return bell

    async def wait(self, seconds: float) -> None:
        """Until it rings or so many seconds have passed; it is silent again then."""
        try:
            async with asyncio.timeout(seconds):
                await self._rung.wait()
        except TimeoutError:
            pass
        self._rung.clear()


async def ring_after_commit(session: AsyncSession) -> None:
    """Ring the bells of all processes that can be reached, once the transaction is committed.

    On PostgreSQL this is a statement; an INSERT saves it by `ringing`.
    """
    ring_here_after_commit(session)
    for call in ringing(session):
        await session.execute(select(call))


def ringing(session: AsyncSession) -> Sequence[Any]:
    """The expressions that ring the bells of other processes where a statement selects them."""
    on_postgresql = session.get_bind().dialect.name == POSTGRESQL
    return [func.pg_notify(CHANNEL, "")] if on_postgresql else []


def ring_here_after_commit(session: AsyncSession) -> None:
    """Ring the bell of this process, once the transaction is committed."""
    bell: Bell | None = session.info.get(BELL)
    if bell is not None:
        after_commit(session, bell.ring)


async def keep_listening(url: URL, bell: Bell, seconds: float = SECONDS) -> None:
    """Ring the bell when another process does, until cancelled; on PostgreSQL only.

    It holds one connection, outside of the pool. While that is lost, workers look by themselves.
    """
    from db.postgres_reading import driver_options

    options = driver_options(url)
    lost: tuple[type[Exception], ...] = (OSError, TimeoutError)
    lost += driver_errors("PostgresError", "InterfaceError")
    while True:
        try:
            await _listen(options, bell)
        except lost as error:
            log.warning("PostgreSQL does not tell of new jobs (%s); they are looked for", error)
        await asyncio.sleep(seconds)


async def _listen(options: Mapping[str, Any], bell: Bell) -> None:
    """Ring the bell when another process does, until the connection is lost."""
    connection = await import_module("asyncpg").connect(**options)
    lost = asyncio.Event()
    try:
        connection.add_termination_listener(lambda _: lost.set())
        await connection.add_listener(CHANNEL, lambda *_: bell.ring())
        # What came before is not heard.
        bell.ring()
        await lost.wait()
    finally:
        # The connection says goodbye to nobody: whoever is cancelled does not wait for it.
        connection.terminate()
