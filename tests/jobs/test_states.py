"""The states of a job against a model: whatever happens in which order, by two workers."""

import datetime as dt
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from db.base import utc_now
from db.job_enums import JobKind, JobState
from db.session import Database
from docstead.server import Server
from docstead.settings import Settings
from resolvers.core.actors import OPERATOR
from resolvers.core.errors import PreconditionFailed
from resolvers.core.runners import run
from resolvers.jobs import claims
from resolvers.jobs.claims import Claim
from resolvers.jobs.operations import cancel_job, retry_job
from tests.jobs.queue import Queue

LEASE = dt.timedelta(minutes=1)
ACTS = (
    "claim", "keep", "succeed", "fail", "postpone", "return", "cancel", "end cancelled", "retry",
    "time passes",
)  # fmt: skip


@dataclass
class Model:
    """A job as it should be."""

    state: JobState = JobState.QUEUED
    due: bool = True
    claims: int = 0
    attempts: int = 0
    cancel_requested: bool = False

    def act(self, act: str, held: int | None) -> bool:
        """Whether something may happen, by a worker that holds claim `held`; it has happened."""
        mine = self.state is JobState.RUNNING and held == self.claims
        match act:
            case "claim" if not self.state.has_ended and self.due:
                self.state, self.due = JobState.RUNNING, False
                self.claims, self.attempts = self.claims + 1, self.attempts + 1
            case "keep" if mine:
                self.due = False
            case "succeed" if mine:
                self.state = JobState.SUCCEEDED
            case "fail" if mine:
                self.state = JobState.FAILED
            case "end cancelled" if mine:
                self.state = JobState.CANCELLED
            case "postpone" if mine:
                self.state, self.due = JobState.QUEUED, False
            case "return" if mine:
                self.state, self.due, self.attempts = JobState.QUEUED, True, self.attempts - 1
            case "cancel":
                if self.state is JobState.QUEUED:
                    self.state = JobState.CANCELLED
                elif self.state is JobState.RUNNING:
                    self.cancel_requested = True
            case "retry" if self.state in (JobState.FAILED, JobState.CANCELLED):
                self.state, self.due, self.attempts = JobState.QUEUED, True, 0
                self.cancel_requested = False
            case "time passes":
                self.due = True
            case _:
                return False
        return True


async def act_on(queue: Queue, id: str, act: str, claim: Claim | None) -> Claim | bool:
    """Let something happen to the job; whether it could, or what was claimed."""
    async with queue.server.context_of(OPERATOR) as ctx:
        match act:
            case "claim":
                leases = {JobKind.IMPORT: LEASE}
                return await run(ctx, claims.claim_job, leases, 4, leases) or False
            case "cancel":
                return bool(await run(ctx, cancel_job, id))
            case "retry":
                try:
                    return bool(await run(ctx, retry_job, id))
                except PreconditionFailed:
                    return False
            case "time passes":
                await queue.make_due()
                return True
        if claim is None:
            return False
        match act:
            case "keep":
                return await run(ctx, claims.keep_job, claim, LEASE, {})
            case "postpone":
                return await run(ctx, claims.postpone_job, claim, utc_now() + LEASE, "later")
            case "return":
                return await run(ctx, claims.return_job, claim)
        ends = {
            "succeed": JobState.SUCCEEDED, "fail": JobState.FAILED,
            "end cancelled": JobState.CANCELLED,
        }  # fmt: skip
        return await run(ctx, claims.end_job, claim, ends[act])


@pytest.fixture
def queue(database: Database, tmp_path: Path) -> Queue:
    return Queue(Server(Settings(public_url="http://docs.test", data_dir=tmp_path), database))


@settings(
    max_examples=25,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.lists(st.tuples(st.sampled_from(ACTS), st.integers(0, 1)), max_size=15))
async def test_states_follow_the_model(queue: Queue, acts: list[tuple[str, int]]) -> None:
    # The job of the example before is none of this one.
    await queue.change(state=JobState.CANCELLED, due_at=None)
    id, model = await queue.add(), Model()
    held: list[Claim | None] = [None, None]
    for act, worker in acts:
        claim = held[worker]
        possible = model.act(act, None if claim is None else claim.claims)
        outcome = await act_on(queue, id, act, claim)
        assert bool(outcome) == possible, (act, acts)
        if isinstance(outcome, Claim):
            held[worker] = outcome
        job = await queue.job(id)
        assert (job.state, job.claims, job.attempts, job.cancel_requested) == (
            model.state, model.claims, model.attempts, model.cancel_requested,
        )  # fmt: skip
        assert (job.due_at is None) == model.state.has_ended
        assert (job.finished_at is not None) == model.state.has_ended
