"""Jobs as people see them: how far they are; cancelling them, and trying them again."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, Any, Final

import strawberry
from sqlalchemy import bindparam, delete, func, select

from db.base import Timestamp
from db.bells import ring_after_commit
from db.job_enums import JobKind, JobState
from db.models.jobs import Job
from db.prepared import KEY
from resolvers.access.policy import must_be_operator, must_in
from resolvers.core import inputs
from resolvers.core.arguments import JobId, OfOrganization
from resolvers.core.batch_functions import ALL, Projection
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.errors import PreconditionFailed
from resolvers.core.filters import Filter, equal_to
from resolvers.core.operation_scopes import scope_of
from resolvers.core.pagination import PageArguments, by_id
from resolvers.core.scopes import must_hold
from resolvers.core.statements import Viewer, Written, statement
from resolvers.jobs.queue import WAITS, check_room, note_change, note_progress
from resolvers.lists.batches import computed_from
from resolvers.lists.listings import Listing

# How long jobs are kept that have ended, and how many one transaction forgets.
JOB_RETENTION = dt.timedelta(days=30)
JOB_PORTION = 500
# What starts jobs: a token without its scope neither tries them again nor cancels them. Those of
# kinds that are not listed are for tokens that may do everything.
STARTED_BY: Final[Mapping[JobKind, str]] = MappingProxyType(
    {
        JobKind.IMPORT: "start_import_run",
        JobKind.GIT_IMPORT: "import_git_repository",
        JobKind.GIT_EXPORT: "export_to_git_repository",
        JobKind.TREE_IMPORT: "import_uploaded_tree",
        JobKind.PDF: "start_pdf",
        JobKind.ORGANIZATION_EXPORT: "start_organization_export",
        JobKind.SPECIFICATION: "put_specification",
        JobKind.TRANSLATION: "run_translation",
        JobKind.INTEGRATION_TASK: "update_installation",
    }
)


@operation(one_statement=True)
async def get_job(
    ctx: Context,
    id: JobId,
    organization_id: OfOrganization = None,
    *,
    projection: Projection = ALL,
) -> Job:
    """A job and how far it is, for whoever has started it and administrators."""
    return await must_in(ctx, Job, id, organization_id, projection=projection)


async def cancel_job(ctx: Context, id: JobId, organization_id: OfOrganization = None) -> Job:
    """Cancel a job: one that waits at once, one that runs within about a second.

    It writes nothing from then on; what it has written stays. A job that has ended is answered as
    it is.
    """
    job = await _lock(ctx, id, organization_id)
    if job.unique_key is not None and job.organization_id is None:
        raise PreconditionFailed("work of the installation itself cannot be cancelled")
    if job.state is JobState.QUEUED:
        job.state, job.due_at, job.finished_at = JobState.CANCELLED, None, ctx.now()
        note_change(ctx, job.id, job.organization_id, job.kind, job.state)
    elif job.state is JobState.RUNNING and not job.cancel_requested:
        job.cancel_requested = True
        note_progress(ctx, job.id, job.organization_id)
        await ring_after_commit(ctx.session)
    return job


async def retry_job(ctx: Context, id: JobId, organization_id: OfOrganization = None) -> Job:
    """Try a job again that has failed or was cancelled, with the rights of the caller.

    PRECONDITION_FAILED (412) for one that has not; UNAVAILABLE (503) while very many jobs of the
    organization wait or run.
    """
    job = await _lock(ctx, id, organization_id)
    if job.state not in (JobState.FAILED, JobState.CANCELLED):
        raise PreconditionFailed(
            f"the job is {job.state.value}; only a failed or a cancelled one is tried again"
        )
    if job.kind is JobKind.ORGANIZATION_EXPORT and job.unique_key is None:
        # Nothing would look for its archive again (resolvers/git/organization_exports.py).
        raise PreconditionFailed("the export ended more than a day ago; start another one")
    if job.organization_id is not None:
        await check_room(ctx, job.organization_id)
    job.state, job.due_at = JobState.QUEUED, ctx.now()
    job.order_at = job.due_at + WAITS[job.kind]
    job.attempts, job.cancel_requested, job.finished_at = 0, False, None
    job.stage = job.total = job.message = job.error = None
    job.done = 0
    # What the server does by itself stays its own: nobody's rights would do.
    if not ctx.actor.operator and job.started_by_id is not None:
        job.started_by_id = ctx.actor.user_id
        job.token_id, job.session_id = ctx.actor.token_id, ctx.actor.session_id
    await ring_after_commit(ctx.session)
    note_change(ctx, job.id, job.organization_id, job.kind, job.state)
    return job


async def _lock(ctx: Context, id: str, organization_id: str | None) -> Job:
    job = await must_in(ctx, Job, id, organization_id, lock=True)
    scope = scope_of(STARTED_BY.get(job.kind, ""), writes=True)
    assert scope is not None
    must_hold(ctx.actor, scope)
    return job


@dataclass(frozen=True)
class JobArguments(PageArguments):
    """Filters of a list of jobs; all have to hold."""

    kind: Annotated[JobKind | None, inputs.argument("Only of this kind.")] = None
    state: Annotated[JobState | None, inputs.argument("Only in this state.")] = None
    space: Annotated[
        strawberry.ID | None, inputs.argument("Only about the space with this id.")
    ] = None


jobs_of_organizations = Listing(
    "jobs_of_organizations",
    Job,
    Job.organization_id,
    by_id(Job).reversed,
    about="Jobs of organizations, newest first: those that you have started, for administrators "
    "all.",
    filters=(
        equal_to("kind", Job.kind),
        equal_to("state", Job.state),
        Filter(
            "space",
            lambda arguments: arguments.space,
            Job.space_id == bindparam("space", type_=KEY),
        ),
    ),
)


@computed_from("state", "due_at")
async def next_attempts(ctx: Context, rows: Sequence[Job], arguments: Any) -> list[Any]:
    """When jobs that wait are tried; None for others."""
    return [row.due_at if row.state is JobState.QUEUED else None for row in rows]


# ------------------------------------------------------------------ for the operator


async def find_jobs(
    ctx: Context,
    organization_id: str | None,
    kind: JobKind | None,
    state: JobState | None,
    limit: int,
) -> list[Job]:
    """Jobs of all organizations and of the installation itself, newest first."""
    must_be_operator(ctx)
    chosen = select(Job).order_by(Job.id.desc()).limit(limit)
    if organization_id is not None:
        chosen = chosen.where(Job.organization_id == organization_id)
    if kind is not None:
        chosen = chosen.where(Job.kind == kind)
    if state is not None:
        chosen = chosen.where(Job.state == state)
    return list((await ctx.session.execute(chosen)).scalars())


@operation(audited=False)
async def forget_jobs(ctx: Context, before: dt.datetime) -> int:
    """Forget a portion of the jobs that ended before a time; how many."""
    must_be_operator(ctx)
    old = (
        select(Job.id).where(Job.finished_at < before).order_by(Job.finished_at).limit(JOB_PORTION)
    )
    return await ctx.session.change(delete(Job).where(Job.id.in_(old)))


@dataclass(frozen=True, slots=True)
class JobFigures:
    """How many jobs wait, run, and have failed within a day, and since when the first one waits
    that could be taken; None where none does."""

    queued: int
    running: int
    failed: int
    waiting_since: dt.datetime | None


@statement
def _open_jobs(viewer: Viewer) -> Written:
    oldest = func.min(Job.due_at).label("due_at")
    counted = select(Job.state, func.count().label("number"), oldest)
    return counted.where(Job.due_at.is_not(None)).group_by(Job.state)


@statement
def _failed_jobs(viewer: Viewer) -> Written:
    since = bindparam("since", type_=Timestamp())
    failed = Job.finished_at >= since, Job.state == JobState.FAILED
    return select(func.count().label("number")).where(*failed)


async def get_job_figures(ctx: Context) -> JobFigures:
    """Figures of all jobs of the installation."""
    must_be_operator(ctx)
    open_jobs = {row.state: row for row in await _open_jobs.rows(ctx)}
    (failed,) = await _failed_jobs.rows(ctx, since=ctx.now() - dt.timedelta(days=1))
    queued, running = open_jobs.get(JobState.QUEUED), open_jobs.get(JobState.RUNNING)
    since = None if queued is None else queued.due_at
    return JobFigures(
        0 if queued is None else queued.number,
        0 if running is None else running.number,
        failed.number,
        since if since is not None and since <= ctx.now() else None,
    )
