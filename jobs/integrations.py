"""Delivers events to integrations: a job for each installation that has some, one at a time.

The job puts what has happened behind the events that wait, delivers one after the other, and ends
when there are none, when one has to be tried again, or after a while, so that others have their
turn.
"""

import asyncio
import datetime as dt
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from db.ids import new_id
from db.inserts import parts
from db.models.integrations import IntegrationEvent
from jobs.kinds import Work
from jobs.waking import OpenContext
from resolvers.core.actors import OPERATOR
from resolvers.core.context import Context
from resolvers.core.errors import NoCapacity, NotFound, Unavailable
from resolvers.core.installation import Concerns
from resolvers.core.runners import read, run
from resolvers.integrations import deliveries
from resolvers.integrations.deliveries import MOST_WOKEN
from resolvers.integrations.environments import Subject, prepare, subject_of_place
from runtime.calls import Answer, BusyError, Outcome, UnavailableError
from runtime.runner import Runner

# What one job delivers before others have their turn, and how many events are read at once.
MOST_DELIVERED, PORTION = 100, 20
# Seconds in which events come together before installations are woken.
GATHERING = 0.1
# Where there is no room for an event; where nothing runs scripts, or secrets do not open.
LATER, MUCH_LATER = dt.timedelta(seconds=5), dt.timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class Deliverer:
    """Does the jobs of installations."""

    runner: Runner

    async def __call__(self, work: Work) -> None:
        """Deliver what an installation has to get."""
        ctx, id = work.ctx, str(work.arguments["installation"])
        # Each read is one of its own: between them lie events that may take seconds.
        ctx.snapshot = False
        due_at = None
        try:
            await self._deliver(ctx, id)
        except BusyError:
            due_at = ctx.now() + LATER
        except (UnavailableError, Unavailable):
            due_at = ctx.now() + MUCH_LATER
        ctx.lease = None
        await run(ctx, deliveries.leave_installation, work.lease, id, due_at)
        # There is no row in which its end could be noted.
        work.lease.finished = True

    async def _deliver(self, ctx: Context, id: str) -> None:
        delivered = 0
        while delivered < MOST_DELIVERED:
            if not await self._may_deliver(ctx, id):
                return
            while await run(ctx, deliveries.take_events, id):
                pass
            events = await read(ctx, deliveries.waiting_events, id, PORTION)
            if not events:
                return
            for event in events:
                # It may be paused while the ones before run.
                if not await self._may_deliver(ctx, id) or not await self._send(ctx, event):
                    return
                delivered += 1

    async def _may_deliver(self, ctx: Context, id: str) -> bool:
        installation = await read(ctx, deliveries.find_installation, id)
        return installation is None or deliveries.is_due(ctx, installation)

    async def _send(self, ctx: Context, event: IntegrationEvent) -> bool:
        """Deliver an event; whether the next one may follow at once."""
        subject = await read(ctx, deliveries.subject_of, event)
        answer, secrets = await self._run(ctx, event, subject)
        return await run(ctx, deliveries.record_delivery, event.id, subject, answer, secrets)

    async def _run(
        self, ctx: Context, event: IntegrationEvent, subject: Subject | None
    ) -> tuple[Answer, Collection[str]]:
        if subject is None:
            return Answer(Outcome.UNUSABLE, error="the integration is not there any more"), ()
        prepared = await read(ctx, prepare, subject, event.payload)
        answer = await self.runner.run(prepared.call, prepared.tunnel)
        return answer, prepared.secrets


@dataclass(frozen=True, slots=True)
class TaskRunner:
    """Does tasks that integrations have queued for themselves, at or after their time."""

    runner: Runner

    async def __call__(self, work: Work) -> None:
        """Give an integration one of its tasks; Unavailable where it has to be tried again."""
        ctx = work.ctx
        ctx.snapshot = False
        task = await read(ctx, deliveries.find_task, str(work.arguments["task"]))
        if task is None:
            return
        subject = await read(ctx, deliveries.subject_of_task, task)
        if subject is None:
            return
        event = {"eventId": new_id(), "type": "task", "task": task.task}
        prepared = await read(ctx, prepare, subject, event)
        try:
            answer = await self.runner.run(prepared.call, prepared.tunnel)
        except (BusyError, UnavailableError) as error:
            raise Unavailable(str(error)) from error
        if not await run(ctx, deliveries.record_task, task.id, prepared, answer):
            raise Unavailable("the integration has failed; the task is tried again")


class Asking:
    """Runs events that operations wait for. These may be in another thread, which only reads."""

    def __init__(self, open_context: OpenContext, runner: Callable[[], Runner]) -> None:
        self._open_context, self._runner = open_context, runner
        # That of the server, where scripts run.
        self.loop: asyncio.AbstractEventLoop | None = None

    async def __call__(
        self, integration_id: str, event: Mapping[str, Any], concerns: Concerns
    ) -> Answer:
        """What came of an event; Unavailable where it cannot run, NoCapacity where not now."""
        work = self._ask(integration_id, event, concerns)
        try:
            if self.loop is None or self.loop is asyncio.get_running_loop():
                return await work
            return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self.loop))
        except BusyError as error:
            raise NoCapacity(str(error)) from error
        except UnavailableError as error:
            raise Unavailable(str(error)) from error

    async def _ask(
        self, integration_id: str, event: Mapping[str, Any], concerns: Concerns
    ) -> Answer:
        async with self._open_context(OPERATOR) as ctx:
            subject = await read(ctx, subject_of_place, integration_id, concerns)
            if subject is None:
                raise NotFound("the integration is not installed here")
            if subject.is_paused:
                raise Unavailable("the installation is paused")
            ids = {
                "installationId": subject.installation and subject.installation.id,
                "spaceId": concerns.space_id, "siteId": concerns.site_id,
            }  # fmt: skip
            named = {name: id for name, id in ids.items() if id is not None}
            prepared = await read(ctx, prepare, subject, {"eventId": new_id(), **named, **event})
        answer = await self._runner().run(prepared.call, prepared.tunnel)
        if answer.failed or answer.log:
            async with self._open_context(OPERATOR) as ctx:
                await run(ctx, deliveries.record_answer, prepared, answer)
        return answer


async def sweep(work: Work) -> None:
    """Wake installations whose events nobody has woken them for, and tasks whose jobs have
    failed."""
    installations = await read(work.ctx, deliveries.installations_with_work)
    for some in parts(installations, MOST_WOKEN):
        await run(work.ctx, deliveries.wake_installations, some)
    if tasks := await read(work.ctx, deliveries.late_tasks):
        await run(work.ctx, deliveries.wake_tasks, tasks)


async def wake_integrations(ctx: Context, streams: Collection[str]) -> Collection[str]:
    """Enqueue the jobs of installations in organizations in which something has happened."""
    installations = await read(ctx, deliveries.installations_of_streams, streams)
    for some in parts(installations, MOST_WOKEN):
        await run(ctx, deliveries.wake_installations, some)
    return ()
