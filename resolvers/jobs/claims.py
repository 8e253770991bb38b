"""What workers do with jobs: take one, keep it, say how far it is, end it, give it back.

Only the worker that took a job last may change it: each statement names the number of claims that
it has seen (resolvers/core/leases.py does the same for the writes of a job).
"""

import datetime as dt
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from sqlalchemy import ColumnElement, and_, case, func, literal, or_, select, update
from sqlalchemy.orm import aliased

from db.base import Timestamp
from db.bells import ring_after_commit
from db.job_enums import JobKind, JobState
from db.models.jobs import ERROR_LENGTH, Job
from db.prepared import POSTGRESQL, among
from resolvers.access.policy import must_be_operator
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.statements import Viewer, Written, statement
from resolvers.jobs.queue import (
    CLOCKS_DIFFER,
    TAKING_TURNS,
    WAITS,
    note_change,
    note_progress,
    periodic_key,
)

# Claims take turns on PostgreSQL, as all writes do on SQLite: else several workers could find room
# for the same organization. The number means nothing, it is ours.
CLAIMING = 7_203_516_284


@dataclass(frozen=True, slots=True)
class Claim:
    """A job that this process has taken."""

    id: str
    kind: JobKind
    arguments: Mapping[str, Any]
    organization_id: str | None
    space_id: str | None
    started_by_id: str | None
    token_id: str | None
    session_id: str | None
    claims: int
    # This one included.
    attempts: int
    cancel_requested: bool

    @property
    def mine(self) -> ColumnElement[bool]:
        """The condition that the job is still this process's."""
        return and_(Job.id == self.id, Job.claims == self.claims, Job.state == JobState.RUNNING)


@statement
def _next_due(viewer: Viewer) -> Written:
    return (
        select(Job.due_at.label("due_at"))
        .where(Job.due_at.is_not(None), among(Job.kind, "kinds"))
        .order_by(Job.due_at)
        .limit(1)
    )


async def next_due(ctx: Context, kinds: Collection[JobKind]) -> dt.datetime | None:
    """When the next job of some kinds can be taken; asked for often, it locks nothing."""
    must_be_operator(ctx)
    rows = await _next_due.rows(ctx, kinds=list(kinds))
    return rows[0].due_at if rows else None


@operation(audited=False)
async def claim_job(
    ctx: Context,
    leases: Mapping[JobKind, dt.timedelta],
    most_of_organization: int,
    counted: Collection[JobKind],
) -> Claim | None:
    """Take the job of these kinds whose turn it is, for as long as a lease of its kind.

    Of the kinds `counted` those that run for an organization are `most_of_organization` at most.
    None when there is no job, or when all have to wait.
    """
    must_be_operator(ctx)
    now = ctx.now()
    if ctx.session.get_bind().dialect.name == POSTGRESQL:
        await ctx.session.execute(select(func.pg_advisory_xact_lock(CLAIMING)))
    running = aliased(Job)
    of_organization = (
        select(func.count())
        .where(
            running.organization_id == Job.organization_id,
            running.due_at > now,
            running.state == JobState.RUNNING,
            running.kind.in_(counted),
        )
        .correlate(Job)
        .scalar_subquery()
    )
    before = aliased(Job)
    has_turn = or_(
        Job.kind.not_in(TAKING_TURNS),
        ~select(before.id)
        .where(
            before.space_id == Job.space_id,
            before.kind.in_(TAKING_TURNS),
            before.due_at.is_not(None),
            # What runs, and of those that wait whatever was asked for before.
            or_(
                and_(before.state == JobState.RUNNING, before.due_at > now),
                before.id < Job.id,
            ),
            before.id != Job.id,
        )
        .correlate(Job)
        .exists(),
    )
    chosen = (
        select(Job.id)
        .where(
            Job.due_at <= now,
            Job.kind.in_(leases),
            has_turn,
            or_(Job.organization_id.is_(None), of_organization < most_of_organization),
        )
        .order_by(Job.order_at, Job.id)
        .limit(1)
        .with_for_update(skip_locked=True, of=Job)
        .scalar_subquery()
    )
    taken = (
        update(Job)
        .where(Job.id == chosen)
        .values(
            state=JobState.RUNNING,
            due_at=case(*((Job.kind == kind, now + lease) for kind, lease in leases.items())),
            claims=Job.claims + 1,
            attempts=Job.attempts + 1,
            started_at=func.coalesce(Job.started_at, now),
            finished_at=None,
        )
        .returning(
            Job.id, Job.kind, Job.arguments, Job.organization_id, Job.space_id, Job.started_by_id,
            Job.token_id, Job.session_id, Job.claims, Job.attempts, Job.cancel_requested,
        )
        .execution_options(synchronize_session=False)
    )  # fmt: skip
    row = (await ctx.session.execute(taken)).first()
    if row is None:
        return None
    note_change(ctx, row.id, row.organization_id, row.kind, JobState.RUNNING)
    return Claim(*row)


@dataclass(frozen=True, slots=True)
class Standing:
    """How a job stands that this process has taken, or has lost to another."""

    claims: int
    is_running: bool
    cancel_requested: bool


@statement
def _standing(viewer: Viewer) -> Written:
    columns = Job.id, Job.claims, Job.state, Job.cancel_requested
    return select(*columns).where(among(Job.id, "ids"))


async def standing_of(ctx: Context, ids: Sequence[str]) -> dict[str, Standing]:
    """How jobs stand, by id; one that is gone is not there."""
    must_be_operator(ctx)
    rows = await _standing.rows(ctx, ids=ids)
    return {
        row.id: Standing(row.claims, row.state is JobState.RUNNING, row.cancel_requested)
        for row in rows
    }


@operation(audited=False)
async def keep_job(
    ctx: Context, claim: Claim, lease: dt.timedelta, progress: Mapping[str, Any]
) -> bool:
    """Hold a job for as long again, and store how far it is; False when it is somebody else's."""
    must_be_operator(ctx)
    longer = update(Job).where(claim.mine).values(due_at=ctx.now() + lease, **progress)
    if await ctx.session.change(longer) != 1:
        return False
    if progress:
        note_progress(ctx, claim.id, claim.organization_id)
    return True


@operation(audited=False)
async def end_job(
    ctx: Context,
    claim: Claim,
    state: JobState,
    error: str | None = None,
    result: dict[str, Any] | None = None,
    progress: Mapping[str, Any] = MappingProxyType({}),
) -> bool:
    """End a job in a state that is an end; False when it is somebody else's."""
    error = error and error[:ERROR_LENGTH]
    # One that has failed may have said more than why.
    said = {} if result is None else {"result": result}
    return await _leave(ctx, claim, state, None, **progress, error=error, **said)


@operation(audited=False)
async def postpone_job(
    ctx: Context, claim: Claim, due_at: dt.datetime, error: str | None = None
) -> bool:
    """Let a job be taken again at a time, because it has failed; False when it is not ours."""
    return await _leave(ctx, claim, JobState.QUEUED, due_at, error=error and error[:ERROR_LENGTH])


@operation(audited=False)
async def repeat_job(ctx: Context, claim: Claim, due_at: dt.datetime) -> bool:
    """Let a periodic job that is done be taken again at a time, as if it were new."""
    return await _leave(ctx, claim, JobState.QUEUED, due_at, error=None, attempts=0)


@operation(audited=False)
async def hasten_periodic(ctx: Context, kind: JobKind) -> None:
    """Let the job of a periodic kind be taken now, unless it runs or waits because it failed."""
    must_be_operator(ctx)
    await hasten(ctx, kind)


async def hasten(ctx: Context, kind: JobKind) -> None:
    """The same in the transaction of a write that leaves something for that job."""
    now = ctx.now()
    waits = Job.unique_key == periodic_key(kind), Job.state == JobState.QUEUED, Job.attempts == 0
    hastened = update(Job).where(*waits, Job.due_at > now)
    if await ctx.session.change(hastened.values(due_at=now, order_at=now + WAITS[kind])):
        await ring_after_commit(ctx.session)


@operation(audited=False)
async def bound_waits(
    ctx: Context,
    leases: Mapping[JobKind, dt.timedelta],
    periods: Mapping[JobKind, dt.timedelta],
    pauses: Sequence[dt.timedelta],
) -> int:
    """Let no job of these kinds wait longer than it can have to, as after a clock was set back; how
    many did.

    That is its lease for one that runs, its period for a periodic one, and after the n-th attempt
    the n-th pause. It is to be repeated safely, by any number of processes; clocks of several
    machines may differ by a minute.
    """
    must_be_operator(ctx)
    base = ctx.now() + CLOCKS_DIFFER

    def until(wait: dt.timedelta) -> ColumnElement[dt.datetime]:
        return literal(base + wait, Timestamp())

    *shorter, longest = pauses
    again = case(
        *((Job.attempts == number, until(pause)) for number, pause in enumerate(shorter, start=1)),
        else_=until(longest),
    )
    is_running = Job.state == JobState.RUNNING
    latest = case(
        *((and_(Job.kind == kind, is_running), until(lease)) for kind, lease in leases.items()),
        (Job.attempts > 0, again),
        *(
            (Job.unique_key == periodic_key(kind), until(period))
            for kind, period in periods.items()
        ),
    )
    bounded = update(Job).where(Job.due_at.is_not(None), Job.kind.in_(leases), Job.due_at > latest)
    count = await ctx.session.change(bounded.values(due_at=latest, order_at=latest))
    if count:
        await ring_after_commit(ctx.session)
    return count


@operation(audited=False)
async def return_job(ctx: Context, claim: Claim) -> bool:
    """Give a job back that was begun, for this process stops: the attempt does not count."""
    return await _leave(ctx, claim, JobState.QUEUED, ctx.now(), attempts=Job.attempts - 1)


async def _leave(
    ctx: Context, claim: Claim, state: JobState, due_at: dt.datetime | None, **values: Any
) -> bool:
    must_be_operator(ctx)
    if due_at is None:
        values["finished_at"] = ctx.now()
    else:
        values["order_at"] = due_at + WAITS[claim.kind]
    left = update(Job).where(claim.mine).values(state=state, due_at=due_at, **values)
    if await ctx.session.change(left) != 1:
        return False
    # It may be another one's turn, of the same organization.
    await ring_after_commit(ctx.session)
    note_change(ctx, claim.id, claim.organization_id, claim.kind, state)
    return True
