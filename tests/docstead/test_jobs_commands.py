"""`docstead jobs`: what an operator sees of jobs, and changes; `docstead worker` does them."""

import asyncio
import json
import os
import pty
import subprocess
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from db.base import utc_now
from db.ids import new_id
from db.job_enums import JobKind, JobState
from db.models.jobs import Job
from db.session import Database, Session
from tests.conftest import World, settle
from tests.docstead.command_line import docstead_async
from tests.docstead.test_commands import at
from tests.docstead.test_serve import COMMAND, environment
from tests.forked import Forked, start_command


@pytest.fixture
async def jobs(session: Session, world: World) -> dict[JobState, str]:
    """A job in each state, by its id."""
    await settle(session)
    now = utc_now()
    ids = {}
    await session.begin_write()
    for state in JobState:
        job = Job(
            id=new_id(), kind=JobKind.IMPORT, state=state, organization_id=world.organization.id,
            due_at=None if state.has_ended else now, order_at=now,
            finished_at=now if state.has_ended else None,
            stage="fetching pages", done=3, total=7, attempts=9,
            error="the server\x1b[31m is gone" if state is JobState.FAILED else None,
        )  # fmt: skip
        session.add(job)
        ids[state] = job.id
    await session.commit()
    return ids


async def run(database: Database, folder: Path, *arguments: str, status: int = 0) -> Any:
    """The JSON that a command prints."""
    done = await docstead_async("jobs", *arguments, "--json", *at(database, folder))
    assert done.status == status, done.err
    return json.loads(done.out)


async def test_jobs_are_listed_by_what_is_asked_for(
    database: Database, jobs: dict[JobState, str], world: World, tmp_path: Path
) -> None:
    listed = (await run(database, tmp_path, "list"))["jobs"]
    assert [job["id"] for job in listed] == sorted(jobs.values(), reverse=True)
    for state, id in jobs.items():
        (job,) = (await run(database, tmp_path, "list", "--state", state.value))["jobs"]
        assert (job["id"], job["state"], job["done"], job["total"]) == (id, state.value, 3, 7)
    organization = world.organization.id
    assert len((await run(database, tmp_path, "list", "--organization", organization))["jobs"]) == 5
    assert (await run(database, tmp_path, "list", "--organization", "none"))["jobs"] == []
    assert (await run(database, tmp_path, "list", "--kind", "purge"))["jobs"] == []
    assert len((await run(database, tmp_path, "list", "--limit", "2"))["jobs"]) == 2
    done = await docstead_async("jobs", "list", *at(database, tmp_path))
    lines = dict(line.split("  ", 1) for line in done.out.splitlines())
    assert lines[jobs[JobState.RUNNING]] == "import  running  fetching pages 3/7"
    # What servers of strangers say does not control the terminal.
    assert (
        lines[jobs[JobState.FAILED]]
        == "import  failed  the server\N{REPLACEMENT CHARACTER}[31m is gone"
    )
    done = await docstead_async("jobs", "list", "--kind", "purge", *at(database, tmp_path))
    assert done.out == "no jobs\n"


async def test_jobs_are_cancelled_and_tried_again(
    database: Database, jobs: dict[JobState, str], tmp_path: Path
) -> None:
    waiting, failed = jobs[JobState.QUEUED], jobs[JobState.FAILED]
    assert (await run(database, tmp_path, "cancel", waiting))["state"] == "cancelled"
    assert (await run(database, tmp_path, "show", waiting))["state"] == "cancelled"
    running = await run(database, tmp_path, "cancel", jobs[JobState.RUNNING])
    assert (running["state"], running["cancelRequested"]) == ("running", True)
    again = await run(database, tmp_path, "retry", failed)
    assert (again["state"], again["attempts"], again["done"]) == ("queued", 0, 0)
    assert not {"error", "stage", "total", "finishedAt"} & set(again)
    for arguments, problem in (
        (("retry", jobs[JobState.SUCCEEDED]), "the job is succeeded"),
        (("show", "nothing"), "'nothing' does not exist"),
        (("cancel", "nothing"), "'nothing' does not exist"),
    ):
        done = await docstead_async("jobs", *arguments, *at(database, tmp_path))
        assert (done.status, done.out) == (1, "")
        assert problem in done.err


async def test_who_follows_a_job_hears_how_it_ended(
    database: Database, jobs: dict[JobState, str], tmp_path: Path
) -> None:
    for state in (JobState.SUCCEEDED, JobState.FAILED, JobState.CANCELLED):
        status = 0 if state is JobState.SUCCEEDED else 1
        shown = await run(database, tmp_path, "show", jobs[state], "--follow", status=status)
        assert shown["state"] == state.value


def watch(id: str, options: tuple[str, ...]) -> tuple[str, str, int]:
    """Follow a job in a terminal while a worker does it: what was printed, what the terminal has
    shown, and the exit status of the worker."""
    terminal, other = pty.openpty()
    env = environment({"TERM": "xterm", "COLUMNS": "100"})
    shown: list[str] = []
    begun = threading.Event()

    def read() -> None:
        # Whoever does not read what a terminal shows, stops what is shown.
        with suppress(OSError):
            while part := os.read(terminal, 4096):
                shown.append(part.decode(errors="replace"))
                if "3/7" in "".join(shown[-3:]):
                    begun.set()

    reading = threading.Thread(target=read, daemon=True)
    reading.start()
    following = subprocess.Popen(
        [*COMMAND, "jobs", "show", id, "--follow", *options],
        stdout=subprocess.PIPE, stderr=other, stdin=other, env=env, text=True,
    )  # fmt: skip
    os.close(other)
    worker: Forked | None = None
    try:
        assert begun.wait(100), shown
        words = ["worker", "--at-once", "2", *options]
        worker = start_command(words, environment(), Path(os.devnull))
        out, _ = following.communicate(timeout=100)
        assert following.returncode == 1
        worker.terminate()
        return out, "".join(shown), worker.wait(60)
    finally:
        for process in (following, worker):
            if process is not None and process.poll() is None:
                process.kill()
                process.wait()
        os.close(terminal)


async def test_a_terminal_shows_progress_and_a_worker_does_what_waits(
    database: Database, jobs: dict[JobState, str], tmp_path: Path
) -> None:
    """It was tried too often already: the worker gives it up, which its follower hears."""
    id = jobs[JobState.QUEUED]
    out, shown, status = await asyncio.to_thread(watch, id, at(database, tmp_path))
    assert out.startswith(f"{id}  import  failed")
    assert "fetching pages" in shown
    assert status == 0
    async with database.session() as own:
        assert (await own.get_one(Job, id)).state is JobState.FAILED
