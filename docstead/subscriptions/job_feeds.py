"""Brings jobs to those who follow them: each as it is now, whenever it has changed.

A *job feed* looks once for all groups of a process how the jobs of an organization stand that are
said to have changed. Groups whose subscription holds such a job read it as their actor. While they
do, jobs may change several times: then they read the newest state alone. What nobody has announced
is found by looking after a few seconds (docs/events.md#several-processes).
"""

import asyncio
import datetime as dt
import logging
from collections.abc import Awaitable, Callable, Collection, Hashable, Iterable, Sequence

from docstead.subscriptions.groups import Group, Hub, bodies_of, stop
from docstead.subscriptions.subscribers import Delivery
from resolvers.core.actors import Actor
from resolvers.core.context import Context
from resolvers.jobs.follow import FollowedJobs, Progress, visible_jobs
from schema.engine.engine import Engine
from schema.operations import Operation

log = logging.getLogger("docstead.subscriptions")
# Jobs that are executed at once.
BATCH = 50
# How long ended jobs are compared: longer than the time between two looks, and than clocks differ.
RECENT = dt.timedelta(minutes=2)

ReadProgress = Callable[[Collection[str]], Awaitable[Iterable[Progress]]]


class JobGroup(Group):
    """Subscribers of the same jobs."""

    def __init__(
        self, hub: Hub, actor: Actor, operation: Operation, followed: FollowedJobs, key: Hashable
    ) -> None:
        super().__init__(hub, actor, operation, followed.place, key)
        self.followed = followed
        # Jobs that have changed, in order.
        self._pending: dict[str, None] = {}
        # Of a group that follows one job: the newest state, for those who come later.
        self.newest: Delivery | None = None

    def note(self, ids: Iterable[str]) -> None:
        """Jobs that it follows have changed."""
        self._pending.update(dict.fromkeys(ids))
        self.wake()

    async def keep_going(self) -> None:
        """Deliver until nobody is left, or the one job has ended."""
        try:
            while self.subscribers:
                self._changed.clear()
                ids = list(self._pending)[:BATCH]
                for id in ids:
                    del self._pending[id]
                if ids:
                    await self._deliver(ids)
                if self._must_check:
                    await self.check()
                elif not ids:
                    await self._changed.wait()
        except Exception as error:
            self.end(error)
        finally:
            self.hub.forget(self)

    async def _deliver(self, ids: Sequence[str]) -> None:
        deliveries = await self.hub.answers(self, ids)
        if self.followed.job_id is not None and not deliveries:
            # It is gone, or not to be seen any more.
            await self.check()
            return
        await self.check_credentials()
        self.give(deliveries)
        if self.followed.job_id is not None:
            (self.newest,) = deliveries
            if self.newest.last:
                self.end()


async def job_answers_for(
    engine: Engine, operation: Operation, ctx: Context, ids: Sequence[str]
) -> list[Delivery]:
    """What the caller of a context gets of jobs: those that may be seen, as they are now."""
    rows = await visible_jobs(ctx, ids)
    bodies = await bodies_of(engine, operation, ctx, rows)
    return [
        Delivery(row.id, 0, body, newest_alone=True, last=row.state.has_ended)
        for row, body in zip(rows, bodies, strict=True)
    ]


class JobFeed:
    """How the jobs of one organization stand, looked at once for all groups of the process."""

    def __init__(self, read: ReadProgress, jobs: Iterable[Progress]) -> None:
        """`jobs` are those that nobody has to hear of: as they are."""
        self.groups: set[JobGroup] = set()
        self._read = read
        # As the groups have heard of them: those that have not ended, or a moment ago.
        self._jobs = {job.id: job for job in jobs}
        self._named: set[str] = set()
        self._changed = asyncio.Event()
        self._task = asyncio.get_running_loop().create_task(self._keep_reading())

    def name(self, ids: Iterable[str]) -> None:
        """Jobs have changed, as a process says."""
        self._named.update(ids)
        self._changed.set()

    def compare(self, jobs: Sequence[Progress]) -> None:
        """Note what is different from what the groups have heard."""
        self._note(jobs)
        seen = {job.id for job in jobs}
        gone = [id for id in self._jobs if id not in seen]
        for group in self.groups:
            # Whoever follows one that is gone may not follow it any more.
            if group.followed.job_id in gone:
                group.note([group.followed.job_id])
        for id in gone:
            del self._jobs[id]

    async def _keep_reading(self) -> None:
        while True:
            await self._changed.wait()
            self._changed.clear()
            named, self._named = self._named, set()
            try:
                self._note(await self._read(named))
            except Exception:
                log.exception("jobs could not be read; the next look is soon")

    def _note(self, jobs: Iterable[Progress]) -> None:
        changed = [job for job in jobs if self._jobs.get(job.id) != job]
        self._jobs.update({job.id: job for job in changed})
        for group in self.groups:
            if ids := [job.id for job in changed if group.followed.holds(job)]:
                group.note(ids)

    def close(self) -> None:
        """Look no more."""
        stop(self._task)
