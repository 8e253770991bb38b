"""Processes on loopback: the contenders, the database they share, and the cores they run on."""

import asyncio
import contextlib
import os
import signal
import socket
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.http import Client
from benchmarks.usage import process_tree
from db.migrate import migrate
from db.session import Database

START_SECONDS = 90.0
STOP_SECONDS = 10.0
# Database connections of each contender.
POOL_SIZE = 10
# Room for the pools of all contenders, and for the data.
POSTGRESQL = {"max_connections": "150", "shared_buffers": "256MB"}


_ALLOWED = sorted(os.sched_getaffinity(0))
# One machine core is for the server that is measured, another for the load and PostgreSQL.
SERVER_CORE, LOAD_CORE = _ALLOWED[0], _ALLOWED[-1]


def pin_load(*pids: int) -> None:
    """Move processes with all their threads and children, or this one, to the core of the load."""
    for root in pids or (os.getpid(),):
        for pid in process_tree(root):
            with contextlib.suppress(OSError):
                for task in os.listdir(f"/proc/{pid}/task"):
                    os.sched_setaffinity(int(task), {LOAD_CORE})


@dataclass(frozen=True, slots=True)
class Store:
    """An empty database, and the server's process id where it is a process of its own."""

    url: str
    pid: int | None = None

    @property
    def node_url(self) -> str:
        """The URL in the form that Node's driver reads."""
        return self.url.replace("+asyncpg", "")


@contextmanager
def store(kind: str) -> Iterator[Store]:
    """A database of this kind, removed at the end."""
    if kind == "sqlite":
        with tempfile.TemporaryDirectory() as folder:
            yield Store(f"sqlite:///{Path(folder) / 'docstead.sqlite3'}")
        return
    from tests.postgres import TemporaryPostgres

    with TemporaryPostgres(POSTGRESQL) as server:
        if server.pid is not None:
            pin_load(server.pid)
        yield Store(server.create_database("docstead"), server.pid)


@asynccontextmanager
async def migrated(url: str) -> AsyncIterator[Database]:
    """The database with its tables, to fill it; statistics are made at the end."""
    database = Database(url)
    try:
        await migrate(database)
        yield database
        async with database.connection() as connection:
            await connection.exec_driver_sql("ANALYZE")
            await connection.commit()
    finally:
        await database.close()


@dataclass(frozen=True, slots=True)
class Running:
    """A contender that answers on a port of 127.0.0.1."""

    port: int
    pid: int


def uvicorn(application: str, port: int) -> list[str]:
    """The command that serves an application factory in one process."""
    return [
        sys.executable, "-m", "uvicorn", application, "--factory", "--port", str(port),
        "--loop", "uvloop", "--http", "httptools", "--log-level", "error", "--no-access-log",
    ]  # fmt: skip


@asynccontextmanager
async def running(
    command: Sequence[str], port: int, environment: Mapping[str, str]
) -> AsyncIterator[Running]:
    """One process on the servers' core, from when it answers; it is ended with the block."""
    with tempfile.TemporaryDirectory() as folder:
        inherited = {key: value for key, value in os.environ.items() if key[:9] != "DOCSTEAD_"}
        process = await asyncio.create_subprocess_exec(
            "taskset", "--cpu-list", str(SERVER_CORE), *command,
            env={**inherited, "DOCSTEAD_DATA_DIR": folder, **environment},
            stdout=asyncio.subprocess.DEVNULL,
        )  # fmt: skip
        try:
            await _answers(process, port, command)
            yield Running(port, process.pid)
        finally:
            await _ended(process)


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


async def _answers(process: asyncio.subprocess.Process, port: int, command: Sequence[str]) -> None:
    """Wait until it accepts connections; SystemExit when it ends or takes too long."""
    try:
        async with asyncio.timeout(START_SECONDS):
            while process.returncode is None:
                with contextlib.suppress(OSError):
                    client = await Client(port).open()
                    await client.close()
                    return
                await asyncio.sleep(0.05)
    except TimeoutError:
        raise SystemExit(f"no answer after {START_SECONDS:g} s: {' '.join(command)}") from None
    raise SystemExit(f"ended with {process.returncode}: {' '.join(command)}")


async def _ended(process: asyncio.subprocess.Process) -> None:
    """End it, and what it started."""
    if process.returncode is None:
        for pid in process_tree(process.pid):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGTERM)
        try:
            await asyncio.wait_for(process.wait(), STOP_SECONDS)
        except TimeoutError:
            process.kill()
            await process.wait()
