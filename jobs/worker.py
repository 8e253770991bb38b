"""Does jobs in this process: a few at a time, beside requests or in a process of its own.

It sleeps until a bell rings or something is due, takes what there is room for, and holds it while
its handler runs. A job that is cancelled, or that another process has taken because this one was
silent for too long, is stopped at the next await; what it would still write is refused.
"""

import asyncio
import contextlib
import datetime as dt
import logging
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass

from db.bells import Bell
from db.failures import is_full
from db.job_enums import JobKind, JobState
from jobs.bearers import bearer_of
from jobs.failures import without_secrets, worth_another_attempt
from jobs.kinds import PAUSES, Json, Kind, Work, pause_after
from resolvers.access.policy import must_be_operator
from resolvers.core.actors import OPERATOR, Actor
from resolvers.core.context import Context
from resolvers.core.errors import ApiError
from resolvers.core.leases import Lease, LeaseLostError
from resolvers.core.runners import read, run
from resolvers.jobs import claims
from resolvers.jobs.claims import Claim
from resolvers.jobs.queue import NewJob, enqueue, log_state, periodic_key

log = logging.getLogger("docstead.jobs")
# Between two looks for work when no bell rings, and when work has to wait for that of others.
IDLE_SECONDS, BLOCKED_SECONDS = 10.0, 1.0
# Between two looks at jobs that run: who has cancelled one sees it stop so soon.
WATCH_SECONDS = 0.5
# A clock that is set back by less keeps nothing waiting that long.
SET_BACK_SECONDS = 5.0
UNEXPECTED = "it failed unexpectedly; the server's log says why"
FULL = "the server has no space left to store what it needs; nothing was written"
GIVEN_UP = "the process that did it ended before it was done, each time"

OpenContext = Callable[[Actor], AbstractAsyncContextManager[Context]]


@dataclass(slots=True, eq=False)
class Running:
    """A job that this process does."""

    claim: Claim
    kind: Kind
    lease: Lease
    # When its lease was last made longer, in the time of the event loop.
    kept_at: float
    task: asyncio.Task[None] | None = None
    cancelled: bool = False
    # Another worker has it, or it is gone.
    lost: bool = False
    # It was stopped, or what became of it is being stored: it must not be stopped any more.
    ending: bool = False

    def stop(self) -> None:
        """Let its handler end at the next await."""
        if self.task is not None and not self.ending:
            self.ending = True
            self.task.cancel()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one attempt; `queued` without a pause gives the job back as it was."""

    state: JobState
    error: str | None = None
    result: Json | None = None
    pause: dt.timedelta | None = None


class Worker:
    """The jobs of one process."""

    def __init__(
        self,
        open_context: OpenContext,
        kinds: Mapping[JobKind, Kind],
        bell: Bell,
        *,
        at_once: int,
        most_of_organization: int,
        idle_seconds: float = IDLE_SECONDS,
        blocked_seconds: float = BLOCKED_SECONDS,
        watch_seconds: float = WATCH_SECONDS,
    ) -> None:
        self._open_context, self._kinds, self._bell = open_context, kinds, bell
        self._at_once, self._most_of_organization = at_once, most_of_organization
        self._idle_seconds, self._blocked_seconds = idle_seconds, blocked_seconds
        self._watch_seconds = watch_seconds
        self._running: dict[str, Running] = {}
        # How many seconds the clock was ahead of the event loop's, which nobody sets.
        self._ahead: float | None = None
        self._watching: asyncio.Task[None] | None = None
        # Set while no job runs.
        self._none_left = asyncio.Event()

    async def keep_working(self) -> None:
        """Do what there is to do until cancelled; then what is under way is given back."""
        try:
            while True:
                try:
                    await self.enqueue_periodic()
                    while True:
                        await self.mind_clock()
                        await self._bell.wait(await self.fill())
                except Exception:
                    # The database may be gone for a while.
                    log.exception("jobs could not be taken; the next try is soon")
                    await asyncio.sleep(self._blocked_seconds)
        finally:
            await self.stop()

    async def enqueue_periodic(self) -> None:
        """Enqueue the jobs of periodic kinds that are not there; one process alone does."""
        async with self._open_context(OPERATOR) as ctx:
            for kind, facts in self._kinds.items():
                if facts.every is not None:
                    await run(ctx, enqueue_periodic, kind)

    async def mind_clock(self) -> None:
        """Bound the times for which jobs wait, at first and whenever the clock was set back: what
        was to come soon would come so much later."""
        async with self._open_context(OPERATOR) as ctx:
            ahead = ctx.now().timestamp() - asyncio.get_running_loop().time()
            if self._ahead is None or ahead < self._ahead - SET_BACK_SECONDS:
                leases = {name: kind.lease for name, kind in self._kinds.items()}
                periods = {name: kind.every for name, kind in self._kinds.items() if kind.every}
                count = await run(ctx, claims.bound_waits, leases, periods, PAUSES)
                for kind in self._kinds.values():
                    if kind.bound_waits is not None:
                        count += await run(ctx, kind.bound_waits)
                if count:
                    log.warning("%d jobs waited for times that are too far ahead", count)
            self._ahead = ahead

    async def fill(self) -> float:
        """Begin what there is room for; after how many seconds to look again."""
        while leases := self._free_leases():
            async with self._open_context(OPERATOR) as ctx:
                due_at = await read(ctx, claims.next_due, leases)
                if due_at is None:
                    return self._idle_seconds
                wait = (due_at - ctx.now()) / dt.timedelta(seconds=1)
                if wait > 0:
                    return min(wait, self._idle_seconds)
            if not await self._take(leases):
                return self._blocked_seconds
        # The next end of a job rings.
        return self._idle_seconds

    async def _take(self, leases: Mapping[JobKind, dt.timedelta]) -> bool:
        """Begin the job whose turn it is; False when there is none.

        Whoever is cancelled meanwhile begins it all the same, so that `stop` gives it back.
        """
        taking = asyncio.ensure_future(self._claim_and_begin(leases))
        try:
            return await asyncio.shield(taking)
        except asyncio.CancelledError:
            await taking
            raise

    async def _claim_and_begin(self, leases: Mapping[JobKind, dt.timedelta]) -> bool:
        async with self._open_context(OPERATOR) as ctx:
            claim = await run(
                ctx, claims.claim_job, leases, self._most_of_organization, self._kinds
            )
        if claim is not None:
            self._begin(claim)
        return claim is not None

    def _free_leases(self) -> dict[JobKind, dt.timedelta]:
        """The kinds of which this process can do another one, with how long they are held."""
        if len(self._running) >= self._at_once:
            return {}
        counts = Counter(running.claim.kind for running in self._running.values())
        return {
            name: kind.lease for name, kind in self._kinds.items() if counts[name] < kind.at_once
        }

    def _begin(self, claim: Claim) -> None:
        kind = self._kinds[claim.kind]
        lease = Lease(claim.id, claim.claims, kind.lease, claim.organization_id)
        running = Running(claim, kind, lease, asyncio.get_running_loop().time())
        # Its own former lease may have run out here.
        if (former := self._running.get(claim.id)) is not None:
            former.lost = True
            former.stop()
        self._running[claim.id] = running
        self._none_left.clear()
        running.task = asyncio.create_task(self._do(running))
        if self._watching is None or self._watching.done():
            self._watching = asyncio.create_task(self._watch())

    @property
    def busy(self) -> bool:
        """Whether a job runs."""
        return bool(self._running)

    async def settle(self) -> None:
        """Wait until nothing runs any more, and what is stored of it is stored."""
        while tasks := [running.task for running in self._running.values() if running.task]:
            await asyncio.wait(tasks)
        # It ends by itself. One that is cancelled may be about to get a connection, which would
        # be lost.
        if self._watching is not None:
            await asyncio.wait({self._watching})

    async def stop(self) -> None:
        """Stop what runs, and give it back to other workers."""
        # What was taken this very moment has to begin, or nobody would give it back.
        await asyncio.sleep(0)
        for running in list(self._running.values()):
            running.stop()
        await self.settle()

    # ------------------------------------------------------------------ one job

    async def _do(self, running: Running) -> None:
        try:
            outcome = await self._outcome(running)
            running.ending = True
            if outcome is not None:
                await self._settle(running, outcome)
        except Exception:
            # Its lease runs out, and it is tried again.
            log.exception("what became of job %s could not be stored", running.claim.id)
        finally:
            if self._running.get(running.claim.id) is running:
                del self._running[running.claim.id]
            if not self._running:
                self._none_left.set()
            self._bell.ring()

    async def _outcome(self, running: Running) -> Outcome | None:
        """Let the handler work; what comes of it, None when nothing is left to be stored."""
        claim, kind = running.claim, running.kind
        if claim.cancel_requested:
            return Outcome(JobState.CANCELLED)
        if claim.attempts > kind.attempts and kind.every is None:
            # It may be what ends the processes.
            return Outcome(JobState.FAILED, GIVEN_UP)
        try:
            async with asyncio.timeout(kind.timeout.total_seconds()) as deadline:
                result = await self._work(running)
        except asyncio.CancelledError:
            # The job was cancelled, or is another worker's, or the process ends.
            if running.lost:
                return None
            return Outcome(JobState.CANCELLED if running.cancelled else JobState.QUEUED)
        except LeaseLostError:
            return Outcome(JobState.CANCELLED) if await self._was_cancelled(claim) else None
        except TimeoutError as error:
            seconds = kind.timeout.total_seconds()
            late = f"it took longer than {seconds:g} seconds"
            return self._failure(running, error, late if deadline.expired() else UNEXPECTED)
        except ApiError as error:
            return self._failure(running, error, without_secrets(error.message))
        except Exception as error:
            log.exception("job %s (%s) has failed", claim.id, claim.kind.value)
            return self._failure(running, error, FULL if is_full(error) else UNEXPECTED)
        if running.lease.finished:
            log_state(claim.id, claim.kind, JobState.SUCCEEDED)
            return None
        return Outcome(JobState.SUCCEEDED, result=result)

    async def _work(self, running: Running) -> Json | None:
        claim = running.claim
        async with self._open_context(OPERATOR) as ctx:
            bearer = await bearer_of(ctx, claim)
        async with self._open_context(bearer) as ctx:
            ctx.lease = running.lease
            return await running.kind.handler(Work(ctx, claim.arguments, running.lease))

    def _failure(self, running: Running, error: Exception, message: str) -> Outcome:
        claim, kind = running.claim, running.kind
        if kind.every is not None:
            return Outcome(
                JobState.QUEUED, message, pause=min(pause_after(claim.attempts), kind.every)
            )
        if claim.attempts < kind.attempts and worth_another_attempt(error):
            return Outcome(JobState.QUEUED, message, pause=pause_after(claim.attempts))
        return Outcome(JobState.FAILED, message)

    async def _was_cancelled(self, claim: Claim) -> bool:
        """Whether a write was refused because somebody has cancelled the job."""
        async with self._open_context(OPERATOR) as ctx:
            standing = (await read(ctx, claims.standing_of, [claim.id])).get(claim.id)
        same = standing is not None and standing.claims == claim.claims
        return same and standing is not None and standing.cancel_requested

    async def _settle(self, running: Running, outcome: Outcome) -> None:
        claim, every = running.claim, running.kind.every
        async with self._open_context(OPERATOR) as ctx:
            if outcome.state is JobState.SUCCEEDED and every is not None:
                await run(ctx, claims.repeat_job, claim, ctx.now() + every)
            elif outcome.state is not JobState.QUEUED:
                await run(
                    ctx, claims.end_job, claim, outcome.state, outcome.error, outcome.result,
                    running.lease.progress,
                )  # fmt: skip
            elif outcome.pause is None:
                await run(ctx, claims.return_job, claim)
            else:
                due_at = ctx.now() + outcome.pause
                await run(ctx, claims.postpone_job, claim, due_at, outcome.error)

    # ------------------------------------------------------------------ all that run

    async def _watch(self) -> None:
        """Look at the jobs that run, and hold them, for as long as there are any."""
        while self._running:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._watch_seconds):
                    await self._none_left.wait()
            try:
                await self.look()
            except Exception:
                # While the database is gone leases run out, and writes are refused.
                log.exception("jobs that run could not be looked at")

    async def look(self) -> None:
        """Stop jobs that were cancelled or are lost; store progress; make leases longer."""
        # Those that begin while they are looked up are not among the answers.
        jobs = list(self._running.values())
        if not jobs:
            return
        async with self._open_context(OPERATOR) as ctx:
            standings = await read(ctx, claims.standing_of, [running.claim.id for running in jobs])
        for running in jobs:
            standing = standings.get(running.claim.id)
            if standing is None or standing.claims != running.claim.claims:
                running.lost = True
                running.stop()
            elif standing.is_running and standing.cancel_requested:
                running.cancelled = True
                running.stop()
            elif standing.is_running:
                try:
                    await self._keep(running)
                except Exception:
                    # The others are kept all the same.
                    log.exception("the job %s could not be kept", running.claim.id)

    async def _keep(self, running: Running) -> None:
        now = asyncio.get_running_loop().time()
        lease = running.lease
        if not lease.changed and now - running.kept_at < lease.length.total_seconds() / 3:
            return
        progress, lease.changed = dict(lease.progress), False
        try:
            async with self._open_context(OPERATOR) as ctx:
                await run(ctx, claims.keep_job, running.claim, lease.length, progress)
        except BaseException:
            lease.changed = True
            raise
        running.kept_at = now


async def enqueue_periodic(ctx: Context, kind: JobKind) -> None:
    """Enqueue the one job of a periodic kind, unless it is there."""
    must_be_operator(ctx)
    await enqueue(ctx, NewJob(kind=kind, unique_key=periodic_key(kind)))
