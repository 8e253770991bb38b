"""Workers that are killed at random lose nothing and do nothing twice that matters."""

import asyncio
import random
import signal
import sys
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import text

from db.base import utc_now
from db.job_enums import JobKind, JobState
from db.models.jobs import Job
from db.session import Database
from docstead.server import Server
from docstead.settings import Settings
from tests.jobs.queue import Queue

JOBS = 600
# Processes at a time, and kills.
PROCESSES = {"sqlite": 1, "postgresql": 4}
KILLS = 5
SECONDS = 270


@pytest.fixture
async def effects(database: Database) -> AsyncIterator[None]:
    """Tables for what jobs do; nothing keeps them from doing it twice."""
    async with database.engine.begin() as connection:
        for table in ("attempt", "effect"):
            await connection.execute(text(f"CREATE TABLE {table} (job varchar(64) NOT NULL)"))
    yield
    async with database.engine.begin() as connection:
        for table in ("attempt", "effect"):
            await connection.execute(text(f"DROP TABLE {table}"))


async def enqueue_many(database: Database, number: int) -> None:
    now = utc_now()
    async with database.session() as session:
        await session.begin_write()
        session.add_all(Job(kind=JobKind.IMPORT, due_at=now, order_at=now) for _ in range(number))
        await session.commit()


async def test_six_hundred_jobs_and_killed_workers(
    database: Database, effects: None, tmp_path: Path
) -> None:
    url = database.url.render_as_string(hide_password=False)
    queue = Queue(Server(Settings(data_dir=tmp_path, public_url="http://docs.test"), database))
    await enqueue_many(database, JOBS)
    number = PROCESSES[database.engine.dialect.name]

    async def start() -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.jobs.chaos_process", url
        )

    processes = [await start() for _ in range(number)]
    try:
        async with asyncio.timeout(SECONDS):
            for kill in range(1, KILLS + 1):
                # While there is work left to be lost.
                await queue.ended(kill * JOBS // (KILLS + 2), 0.05)
                victim = random.randrange(number)
                # Every third is asked to stop, as by a restart.
                orderly = kill % 3 == 0
                processes[victim].send_signal(signal.SIGTERM if orderly else signal.SIGKILL)
                status = await processes[victim].wait()
                # One that was asked while it started has nothing to give back.
                assert status in ((0, -signal.SIGTERM) if orderly else (-signal.SIGKILL,))
                processes[victim] = await start()
            jobs = await queue.ended(JOBS, 0.1)
    finally:
        for process in processes:
            process.kill()
            await process.wait()
    assert Counter(job.state for job in jobs) == {JobState.SUCCEEDED: JOBS}
    async with database.connection() as connection:
        effects_of = Counter((await connection.execute(text("SELECT job FROM effect"))).scalars())
        attempts = Counter((await connection.execute(text("SELECT job FROM attempt"))).scalars())
    assert set(effects_of.values()) == {1}
    assert len(effects_of) == JOBS
    # The kills have met jobs that were under way: else this test has shown nothing.
    assert max(attempts.values()) > 1
    assert all(attempts[job.id] <= job.claims for job in jobs)
