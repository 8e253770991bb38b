"""Contenders as processes of their own on loopback, and the database they share."""

import asyncio
import contextlib
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

from benchmarks.http import Client
from db.migrate import migrate
from db.session import Database

OURS = "docstead.asgi:create_app"
HAND_WRITTEN = "benchmarks.hand_written:create_app"
START_SECONDS = 20.0


@contextmanager
def database_url(kind: str) -> Iterator[str]:
    """The URL of an empty database of this kind, removed at the end."""
    if kind == "sqlite":
        with tempfile.TemporaryDirectory() as folder:
            yield f"sqlite:///{Path(folder) / 'docstead.sqlite3'}"
        return
    from tests.postgres import TemporaryPostgres

    with TemporaryPostgres() as server:
        yield server.create_database("docstead")


@asynccontextmanager
async def migrated(url: str) -> AsyncIterator[Database]:
    """The database with its tables, to fill it."""
    database = Database(url)
    try:
        await migrate(database)
        yield database
        async with database.connection() as connection:
            await connection.exec_driver_sql("ANALYZE")
            await connection.commit()
    finally:
        await database.close()


@asynccontextmanager
async def server(application: str, url: str) -> AsyncIterator[int]:
    """One process that serves the application; gives its port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "DOCSTEAD_DATABASE_URL": url, "DOCSTEAD_DATA_DIR": folder}
        command = [
            sys.executable, "-m", "uvicorn", application, "--factory", "--port", str(port),
            "--loop", "uvloop", "--http", "httptools", "--log-level", "error", "--no-access-log",
        ]  # fmt: skip
        process = await asyncio.create_subprocess_exec(
            *command, env=environment, stdout=subprocess.DEVNULL
        )
        try:
            await _wait(port)
            yield port
        finally:
            if process.returncode is None:
                process.terminate()
            await process.wait()


async def _wait(port: int) -> None:
    async with asyncio.timeout(START_SECONDS):
        while True:
            with contextlib.suppress(OSError):
                client = await Client(port).open()
                await client.close()
                return
            await asyncio.sleep(0.05)
