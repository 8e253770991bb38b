"""Turns of the writers of one process at SQLite, which has one writer at a time.

SQLite lets a writer that waits look again after pauses of up to 100 ms, so a lock that is busy goes
to whoever looks at the right moment, and one writer of many can wait for seconds. Writers of one
process stand in line instead and take no connection meanwhile; SQLite decides between processes.
"""

import asyncio
import sqlite3

from sqlalchemy import event, exc
from sqlalchemy.orm import SessionTransaction

from db.commits import WriteSession

TURN = "write-turn"


class WriteTurns:
    """The line: first come, first served."""

    def __init__(self) -> None:
        self._lock = asyncio.Lock()

    async def take(self, session: WriteSession, seconds: float) -> None:
        """Wait for the turn; it ends with the session's transaction, or by `give_back`.

        OperationalError "database is locked", as of SQLite, after `seconds`.
        """
        try:
            async with asyncio.timeout(seconds):
                await self._lock.acquire()
        except TimeoutError as error:
            locked = sqlite3.OperationalError("database is locked")
            raise exc.OperationalError("BEGIN IMMEDIATE", None, locked) from error
        session.info[TURN] = self._lock


def give_back(session: WriteSession) -> None:
    """End the turn of a session, if it has it."""
    lock = session.info.pop(TURN, None)
    if lock is not None:
        lock.release()


@event.listens_for(WriteSession, "after_transaction_end")
def _ended(session: WriteSession, transaction: SessionTransaction) -> None:
    if transaction.parent is None:
        give_back(session)
