"""Work that one process does at a time, however the one before has ended: one of the installation,
or of a machine by a locked file."""

import asyncio
import fcntl
import hashlib
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sqlalchemy import func, select

from db.session import Database


def try_lock(descriptor: int) -> bool:
    """Lock an open file; False where another process has. Closing it lets go of it."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


@asynccontextmanager
async def alone(database: Database, name: str) -> AsyncIterator[bool]:
    """Whether nobody else does the work of this name meanwhile. What says so ends with the process
    or its connection: on PostgreSQL a lock of a transaction, on SQLite one of a file beside it."""
    digest = hashlib.sha256(name.encode()).digest()
    if not database.is_sqlite:
        key = int.from_bytes(digest[:8], signed=True)
        async with database.connection() as connection, connection.begin():
            yield bool(
                (await connection.execute(select(func.pg_try_advisory_xact_lock(key)))).scalar()
            )
        return
    path = f"{database.url.database}.{digest.hex()[:16]}.lock"
    file = await asyncio.to_thread(os.open, path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        yield try_lock(file)
    finally:
        os.close(file)
