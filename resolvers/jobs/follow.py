"""What a subscription to jobs follows, and what it is answered from.

How far a job is, is overwritten and not written down, so jobs are no events: whoever follows them
gets them as they are now, each time that one has changed (docs/jobs.md#following).
"""

import datetime as dt
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Annotated

import strawberry
from sqlalchemy import bindparam, select, union_all

from db.base import Timestamp
from db.job_enums import JobKind, JobState
from db.models.jobs import Job
from db.models.organizations import Organization
from db.prepared import among
from resolvers.access.policy import must, must_be_operator, visible
from resolvers.core import inputs
from resolvers.core.arguments import JobId, OrganizationId
from resolvers.core.context import Context
from resolvers.core.errors import PreconditionFailed
from resolvers.core.statements import Viewer, Written, statement

# What their handlers get is not shown to anybody.
COLUMNS = frozenset(Job.__table__.columns.keys()) - {"arguments"}


@dataclass(frozen=True, slots=True)
class Progress:
    """How a job stands; two that differ are a change of it."""

    id: str
    organization_id: str
    kind: JobKind
    space_id: str | None
    state: JobState
    attempts: int
    cancel_requested: bool
    stage: str | None
    done: int
    total: int | None
    message: str | None
    error: str | None


@dataclass(frozen=True, slots=True)
class FollowedJobs:
    """The jobs of a subscription: one, or those of an organization that are of a kind or about a
    space where these are given."""

    organization_id: str
    job_id: str | None = None
    kind: JobKind | None = None
    space_id: str | None = None

    @property
    def place(self) -> str:
        """What must not change while it is followed."""
        return self.organization_id

    def holds(self, job: Progress | Job) -> bool:
        """Whether a job of the organization is one of them."""
        return (
            self.job_id in (None, job.id)
            and self.kind in (None, job.kind)
            and self.space_id in (None, job.space_id)
        )


async def follow_jobs(
    ctx: Context,
    organization_id: OrganizationId,
    kind: Annotated[JobKind | None, inputs.argument("Only of this kind.")] = None,
    space: Annotated[
        strawberry.ID | None, inputs.argument("Only about the space with this id.")
    ] = None,
) -> FollowedJobs:
    """Jobs of an organization, each as it is now whenever it has changed: those that you have
    started, for administrators all."""
    await must(ctx, Organization, organization_id)
    return FollowedJobs(organization_id, kind=kind, space_id=space)


async def follow_job(ctx: Context, id: JobId) -> FollowedJobs:
    """A job as it is now, and again whenever it has changed, until it has ended."""
    job = await must(ctx, Job, id)
    if job.organization_id is None:
        raise PreconditionFailed("work of the installation itself cannot be followed")
    return FollowedJobs(job.organization_id, job_id=job.id)


@statement
def _visible(viewer: Viewer) -> Written:
    return visible(viewer, Job).where(among(Job.id, "ids")).order_by(Job.id)


async def visible_jobs(ctx: Context, ids: Sequence[str]) -> Sequence[Job]:
    """Those of the jobs that the caller may see, as they are now."""
    return await _visible.rows(ctx, columns=COLUMNS, ids=ids)


# ------------------------------------------------------------------ for the server itself

_PROGRESS = tuple(getattr(Job, name) for name in Progress.__dataclass_fields__)
# Attributes of a row are values of their types, its items are not.
_values = attrgetter(*Progress.__dataclass_fields__)


@statement
def _named(viewer: Viewer) -> Written:
    return select(*_PROGRESS).where(among(Job.id, "ids"))


@statement
def _recent(viewer: Viewer) -> Written:
    of_organizations = select(Job.id).where(among(Job.organization_id, "organizations"))
    ended = Job.finished_at > bindparam("since", type_=Timestamp())
    ids = union_all(of_organizations.where(Job.due_at.is_not(None)), of_organizations.where(ended))
    return select(*_PROGRESS).where(Job.id.in_(ids))


async def progress_of(ctx: Context, ids: Collection[str]) -> list[Progress]:
    """How jobs stand; one that is gone is not there."""
    must_be_operator(ctx)
    return [Progress(*_values(row)) for row in await _named.rows(ctx, ids=list(ids))]


async def progress_in(
    ctx: Context, organizations: Collection[str], since: dt.datetime
) -> list[Progress]:
    """How the jobs of organizations stand that have not ended, or not before a time."""
    must_be_operator(ctx)
    rows = await _recent.rows(ctx, organizations=list(organizations), since=since)
    return [Progress(*_values(row)) for row in rows]
