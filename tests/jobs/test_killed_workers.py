"""Workers that are killed at random lose nothing and do nothing twice that matters."""

import asyncio
import random
import signal
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import func, select, text

from db.base import utc_now
from db.job_enums import JobKind, JobState
from db.models.jobs import Job
from db.session import Database
from docstead.server import Server
from docstead.settings import Settings
from tests.forked import ForkedProgram, start
from tests.jobs.chaos_process import held, main as doing_jobs
from tests.jobs.queue import Queue

JOBS = 240
# Processes at a time, and kills, of which some are sure to meet a job in the middle: one that is
# killed, and one that is asked to stop.
PROCESSES = {"sqlite": 1, "postgresql": 4}
KILLS = 5
AT_WORK = (2, 3)
SECONDS = 270


@pytest.fixture
async def effects(database: Database) -> AsyncIterator[None]:
    """Tables for what jobs do; nothing keeps them from doing it twice."""
    async with database.engine.begin() as connection:
        for table in ("attempt", "effect"):
            columns = "job varchar(64) NOT NULL, process integer NOT NULL"
            await connection.execute(text(f"CREATE TABLE {table} ({columns})"))
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


async def one_at_work(database: Database, processes: list[ForkedProgram], folder: Path) -> int:
    """Which process has a job that waits in the middle."""
    begun: list[int] = []
    # All may be so young that they have begun nothing.
    while not begun:
        async with database.connection() as connection:
            pids = set((await connection.execute(text("SELECT process FROM attempt"))).scalars())
        begun = [number for number, process in enumerate(processes) if process.pid in pids]
        await with_work_left(database)
    victim = random.choice(begun)
    mark = folder / str(processes[victim].pid)
    mark.touch()
    while not held(mark).exists():
        await with_work_left(database)
    return victim


async def with_work_left(database: Database) -> None:
    """Wait a moment; where the test is so much slower than the workers that they are done with all
    jobs, give them more."""
    await asyncio.sleep(0.01)
    async with database.session() as session:
        left = await session.scalar(select(func.count()).where(Job.finished_at.is_(None)))
    if not left:
        await enqueue_many(database, 8)


async def test_many_jobs_and_killed_workers(
    database: Database, effects: None, tmp_path: Path
) -> None:
    url = database.url.render_as_string(hide_password=False)
    queue = Queue(Server(Settings(data_dir=tmp_path, public_url="http://docs.test"), database))
    await enqueue_many(database, JOBS)
    number = PROCESSES[database.engine.dialect.name]

    marks = tmp_path / "marks"
    marks.mkdir()
    processes = [await start(doing_jobs, url, str(marks)) for _ in range(number)]
    try:
        async with asyncio.timeout(SECONDS):
            for kill in range(1, KILLS + 1):
                # While there is work left to be lost.
                await queue.ended(kill * JOBS // (KILLS + 2), 0.05)
                victim = random.randrange(number)
                if kill in AT_WORK:
                    victim = await one_at_work(database, processes, marks)
                # Every third is asked to stop, as by a restart.
                orderly = kill % 3 == 0
                processes[victim].send_signal(signal.SIGTERM if orderly else signal.SIGKILL)
                status = await processes[victim].wait()
                # One that was asked while it started has nothing to give back.
                assert status in ((0, -signal.SIGTERM) if orderly else (-signal.SIGKILL,))
                processes[victim] = await start(doing_jobs, url, str(marks))
            jobs = await queue.ended(len(await queue.jobs()), 0.1)
    finally:
        for process in processes:
            process.kill()
            await process.wait()
    assert Counter(job.state for job in jobs) == {JobState.SUCCEEDED: JOBS}
    async with database.connection() as connection:
        effects_of = Counter((await connection.execute(text("SELECT job FROM effect"))).scalars())
        attempts = Counter((await connection.execute(text("SELECT job FROM attempt"))).scalars())
    assert set(effects_of.values()) == {1}
    assert len(effects_of) == len(jobs) >= JOBS
    # Jobs that were under way were met: else this test has shown nothing.
    assert max(attempts.values()) > 1
    assert all(attempts[job.id] <= job.claims for job in jobs)
