"""A queue of jobs in a test: workers with handlers of the test's own, and how jobs stand."""

import asyncio
import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, select, update

from db.base import utc_now
from db.job_enums import JobKind
from db.models.jobs import Job
from docstead.server import Server
from jobs.kinds import Handler, Kind
from jobs.worker import Worker
from resolvers.access.policy import must_be_operator
from resolvers.core.actors import OPERATOR
from resolvers.core.context import Context
from resolvers.core.runners import run
from resolvers.jobs.queue import NewJob, enqueue


async def add_job(ctx: Context, job: NewJob) -> str | None:
    """Enqueue a job, as a write of its own."""
    must_be_operator(ctx)
    return await enqueue(ctx, job)


@dataclass
class Queue:
    """The jobs of a server's database."""

    server: Server

    async def add(self, kind: JobKind = JobKind.IMPORT, **fields: Any) -> str:
        async with self.server.context_of(OPERATOR) as ctx:
            id = await run(ctx, add_job, NewJob(kind=kind, **fields))
        assert id is not None
        return id

    async def job(self, id: str) -> Job:
        async with self.server.database.session() as session:
            return (await session.execute(select(Job).where(Job.id == id))).scalar_one()

    async def jobs(self) -> list[Job]:
        async with self.server.database.session() as session:
            return list((await session.execute(select(Job).order_by(Job.id))).scalars())

    async def change(self, *ids: str, **values: Any) -> None:
        """Change jobs as nobody but a test does; all of them without ids."""
        statement = update(Job).values(**values)
        async with self.server.database.session() as session:
            await session.begin_write()
            await session.execute(statement.where(Job.id.in_(ids)) if ids else statement)
            await session.commit()

    async def make_due(self) -> None:
        """Let the time pass that jobs wait before they are tried again."""
        due = update(Job).where(Job.due_at.is_not(None))
        async with self.server.database.session() as session:
            await session.begin_write()
            await session.execute(due.values(due_at=utc_now() - dt.timedelta(seconds=1)))
            await session.commit()

    async def ended(self, number: int, seconds: float = 0.01) -> list[Job]:
        """All jobs, as soon as so many have ended; looked for every so many seconds."""
        count = select(func.count()).select_from(Job).where(Job.finished_at.is_not(None))
        while True:
            async with self.server.database.session() as session:
                ended = (await session.execute(count)).scalar_one()
            if ended >= number:
                return await self.jobs()
            await asyncio.sleep(seconds)

    def worker(self, kinds: Handler | Mapping[JobKind, Kind], **options: Any) -> Worker:
        """A worker; a handler alone does imports."""
        if not isinstance(kinds, Mapping):
            kinds = {JobKind.IMPORT: Kind(handler=kinds, at_once=4)}
        options = {"at_once": 4, "most_of_organization": 4, "blocked_seconds": 0.02, **options}
        options.setdefault("watch_seconds", 0.02)
        return Worker(self.server.context_of, kinds, self.server.database.bell, **options)

    async def work(self, kinds: Handler | Mapping[JobKind, Kind], **options: Any) -> Worker:
        """Do what is due, until nothing runs and nothing is due any more."""
        worker = self.worker(kinds, **options)
        while True:
            await worker.fill()
            if not worker.busy:
                return worker
            await worker.settle()
