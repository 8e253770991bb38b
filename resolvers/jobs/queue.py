"""Enqueuing jobs: in the transaction of the change that asks for one."""

import datetime as dt
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

from sqlalchemy import delete, func, select, update

from db.bells import ring_after_commit, ring_here_after_commit, ringing
from db.commits import after_commit
from db.ids import new_id
from db.inserts import ROWS_PER_INSERT, insert_of, parts
from db.job_enums import JobKind, JobState
from db.models.jobs import Job
from resolvers.core.context import Context
from resolvers.core.errors import Unavailable
from resolvers.core.leases import Lease

log = logging.getLogger("docstead.jobs")
# Jobs of one organization that may wait or run; whoever asks for more comes back later. It also
# bounds how many a worker looks at to find one whose turn it is.
MOST_OPEN = 1_000
# Looks for room for a job or for the one that has its place.
JOINS = 5
# By how much clocks of machines may differ that do jobs of one installation.
CLOCKS_DIFFER: Final = dt.timedelta(minutes=1)
# How long a job of a kind lets others come first that are due later: its priority. Nothing waits
# for ever, for whatever is due later still comes behind it.
WAITS: Final[Mapping[JobKind, dt.timedelta]] = MappingProxyType(
    {
        JobKind.IMPORT: dt.timedelta(0),
        JobKind.GIT_IMPORT: dt.timedelta(0),
        JobKind.TREE_IMPORT: dt.timedelta(0),
        JobKind.GIT_EXPORT: dt.timedelta(0),
        JobKind.GIT_SWEEP: dt.timedelta(0),
        JobKind.PDF: dt.timedelta(0),
        # It takes long: others have asked for theirs and wait.
        JobKind.ORGANIZATION_EXPORT: dt.timedelta(minutes=1),
        JobKind.INDEX: dt.timedelta(minutes=1),
        JobKind.PURGE: dt.timedelta(minutes=10),
        JobKind.NOTIFICATIONS: dt.timedelta(0),
        JobKind.SPECIFICATION: dt.timedelta(0),
        JobKind.SPECIFICATION_SWEEP: dt.timedelta(0),
        JobKind.COMPUTED_PAGES: dt.timedelta(0),
        # Others have asked for theirs and wait.
        JobKind.TRANSLATION: dt.timedelta(minutes=1),
        JobKind.TRANSLATION_SWEEP: dt.timedelta(0),
        JobKind.INTEGRATION: dt.timedelta(0),
        JobKind.INTEGRATION_TASK: dt.timedelta(0),
        JobKind.INTEGRATION_SWEEP: dt.timedelta(0),
        JobKind.WEBHOOK: dt.timedelta(0),
        JobKind.WEBHOOK_SWEEP: dt.timedelta(0),
    }
)
# Of a space one job of these kinds runs at a time; others wait behind it.
TAKING_TURNS: Final = (JobKind.GIT_IMPORT, JobKind.GIT_EXPORT)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewJob:
    """A job to be enqueued; what its columns mean is said in db/models/jobs.py."""

    kind: JobKind
    arguments: Mapping[str, Any] = field(default_factory=dict)
    organization_id: str | None = None
    space_id: str | None = None
    # Of jobs with a key one is open: another one is not enqueued.
    unique_key: str | None = None
    # Not before this time; None: at once.
    due_at: dt.datetime | None = None
    # Whose rights a job of the server has (jobs/bearers.py); None: the operator's.
    owner_id: str | None = None


def periodic_key(kind: JobKind) -> str:
    """The unique key of the one job of a periodic kind."""
    return f"periodic:{kind.value}"


async def enqueue(ctx: Context, job: NewJob) -> str | None:
    """Enqueue a job in the transaction of the write; its id, or None when its key has one.

    It is one statement. The job will have the rights of the caller. Nothing is enqueued when the
    transaction is taken back.
    """
    now = ctx.now()
    due_at = job.due_at or now
    id = new_id()
    values = {
        "id": id,
        "kind": job.kind,
        "state": JobState.QUEUED,
        "organization_id": job.organization_id,
        "space_id": job.space_id,
        "started_by_id": ctx.actor.user_id,
        "token_id": ctx.actor.token_id,
        "session_id": ctx.actor.session_id,
        "arguments": dict(job.arguments),
        "unique_key": job.unique_key,
        "due_at": due_at,
        "order_at": due_at + WAITS[job.kind],
        "created_at": now,
    }
    statement = insert_of(ctx.session, Job).values(values).on_conflict_do_nothing()
    # What the job is about may be new, too.
    await ctx.session.flush()
    result = await ctx.session.execute(statement.returning(Job.id, *ringing(ctx.session)))
    if result.first() is None:
        return None
    ring_here_after_commit(ctx.session)
    note_change(ctx, id, job.organization_id, job.kind, JobState.QUEUED)
    return id


async def open_job_of(ctx: Context, unique_key: str) -> str | None:
    """The id of the job with a key that waits or runs."""
    statement = select(Job.id).where(Job.unique_key == unique_key, Job.due_at.is_not(None))
    id: str | None = (await ctx.session.execute(statement)).scalar()
    return id


async def enqueue_or_join(ctx: Context, job: NewJob) -> str:
    """The id of a new job, or of the one with its key that is open.

    On PostgreSQL that one may end between both looks: then there is room for a new one.
    """
    assert job.unique_key is not None, "it would never join another one"
    for _ in range(JOINS):
        if id := await enqueue(ctx, job) or await open_job_of(ctx, job.unique_key):
            return id
    raise Unavailable("jobs of this kind begin and end all the time; try again")


async def enqueue_of_server(ctx: Context, jobs: Sequence[NewJob]) -> None:
    """Enqueue jobs that the server does by itself, with rights of its own: one statement, in which
    those are left out whose key has one."""
    now = ctx.now()
    for some in parts(jobs, ROWS_PER_INSERT):
        rows = [
            {
                "id": new_id(), "kind": job.kind, "state": JobState.QUEUED,
                "organization_id": job.organization_id, "space_id": job.space_id,
                "started_by_id": job.owner_id, "arguments": dict(job.arguments),
                "unique_key": job.unique_key,
                "due_at": job.due_at or now, "order_at": (job.due_at or now) + WAITS[job.kind],
                "created_at": now,
            }
            for job in some
        ]  # fmt: skip
        statement = insert_of(ctx.session, Job).values(rows).on_conflict_do_nothing()
        await ctx.session.execute(statement.returning(Job.id, *ringing(ctx.session)))
    ring_here_after_commit(ctx.session)


async def bring_forward(ctx: Context, kind: JobKind, key: str, due_at: dt.datetime) -> None:
    """Let the job with a key wait no longer than until a time; nothing where none waits longer."""
    waits = Job.unique_key == key, Job.state == JobState.QUEUED, Job.due_at > due_at
    moved = update(Job).where(*waits).values(due_at=due_at, order_at=due_at + WAITS[kind])
    if await ctx.session.change(moved):
        await ring_after_commit(ctx.session)


async def replace_job(ctx: Context, lease: Lease) -> bool:
    """End a job that this worker does so that no row of it is left, and another one can have its
    key; False when it is somebody else's."""
    mine = Job.id == lease.job_id, Job.claims == lease.claims, Job.state == JobState.RUNNING
    return await ctx.session.change(delete(Job).where(*mine)) == 1


async def check_room(ctx: Context, organization_id: str) -> None:
    """Unavailable when very many jobs of an organization wait or run."""
    opened = (
        select(Job.id)
        .where(Job.organization_id == organization_id, Job.due_at.is_not(None))
        .limit(MOST_OPEN)
        .subquery()
    )
    count = (await ctx.session.execute(select(func.count()).select_from(opened))).scalar_one()
    if count >= MOST_OPEN:
        raise Unavailable(
            f"{MOST_OPEN} jobs of the organization wait or run already; try again later"
        )


def note_change(
    ctx: Context, id: str, organization_id: str | None, kind: JobKind, state: JobState
) -> None:
    """Called in each transaction that changes the state of a job: once it is committed, the log has
    it, and whoever follows the job hears of it."""

    def publish() -> None:
        log_state(id, kind, state)
        ctx.announce_job(organization_id, id)

    after_commit(ctx.session, publish)


def note_progress(ctx: Context, id: str, organization_id: str | None) -> None:
    """Called in each transaction that stores how far a job is: once it is committed, whoever
    follows the job hears of it."""
    after_commit(ctx.session, lambda: ctx.announce_job(organization_id, id))


def log_state(id: str, kind: JobKind, state: JobState) -> None:
    """Log that a job has a state, which must be committed."""
    fields = {"job": id, "kind": kind.value, "state": state.value}
    log.info("job %s (%s) is %s", id, kind.value, state.value, extra={"fields": fields})
