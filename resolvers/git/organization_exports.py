"""Exports of organizations as jobs: an archive with everything that one holds, for a day behind a
signed address (docs/organization-export.md)."""

import datetime as dt
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

from sqlalchemy import select

from content.slugs import slug_from_title
from db.enums import Role, TokenScope
from db.job_enums import JobKind, JobState
from db.models.jobs import Job
from db.models.organizations import Organization
from resolvers.access.policy import must, must_be_operator, ranks
from resolvers.core.arguments import OrganizationId
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.signed_addresses import holder_of, signature, valid_until
from resolvers.jobs.queue import NewJob, check_room, enqueue_or_join
from resolvers.lists.batches import computed_from

# How long an archive is there, and jobs that one portion forgets.
LIFETIME = dt.timedelta(days=1)
PORTION = 50


@dataclass(frozen=True, slots=True)
class OrganizationArchive:
    """Where the archive of an organization is fetched, and until when it is there."""

    url: str
    size: int
    expires_at: dt.datetime


async def start_organization_export(ctx: Context, organization_id: OrganizationId) -> Job:
    """Have an archive made of everything that an organization holds, in open formats; for its
    administrators. The job says how far it is, and where the archive is fetched for a day once it
    has ended.

    While one is made whoever asks again gets the same job.
    """
    organization = await must(ctx, Organization, organization_id, Role.ADMIN)
    await check_room(ctx, organization.id)
    name = f"{slug_from_title(organization.title)}.tar.gz"
    new = NewJob(
        kind=JobKind.ORGANIZATION_EXPORT, organization_id=organization.id,
        arguments={"name": name}, unique_key=f"organization-export:{organization.id}",
    )  # fmt: skip
    return await must(ctx, Job, await enqueue_or_join(ctx, new))


async def check_exporter(ctx: Context, organization_id: str) -> None:
    """NotFound or Forbidden unless whoever has started an export administers the organization."""
    await must(ctx, Organization, organization_id, Role.ADMIN)


async def check_archive(ctx: Context, job_id: str) -> None:
    """NotFound or Forbidden unless the caller administers the organization of an archive still."""
    job = await must(ctx, Job, job_id)
    await must(ctx, Organization, job.organization_id, Role.ADMIN)


def archive_signature(
    key: bytes, job_id: str, sha256: str, name: str, holder: str, expires: int
) -> str:
    """The signature of an address that this server gave out; `expires` in seconds since 1970."""
    return signature(key, "organization-export", job_id, sha256, name, holder, expires)


@computed_from("id", "kind", "state", "organization_id", "arguments", "result", "finished_at")
async def job_archives(
    ctx: Context, rows: Sequence[Job], arguments: Any
) -> list[OrganizationArchive | None]:
    """Where archives of organizations are fetched, for their administrators, with a token that
    reads everything; None for other jobs, and a day after they have ended."""
    ready = [
        row.kind is JobKind.ORGANIZATION_EXPORT
        and row.state is JobState.SUCCEEDED
        and "sha256" in (row.result or {})
        for row in rows
    ]
    reads_all = ctx.actor.user_id is None or TokenScope.READ in ctx.actor.scopes
    if not any(ready) or not reads_all:
        return [None] * len(rows)
    ids = {str(row.organization_id) for row, is_ready in zip(rows, ready, strict=True) if is_ready}
    ranked = await ranks(ctx, Organization, ids)
    administered = {id for id, rank in ranked.items() if rank >= Role.ADMIN.rank}
    return [
        _archive(ctx, row) if is_ready and row.organization_id in administered else None
        for row, is_ready in zip(rows, ready, strict=True)
    ]


def _archive(ctx: Context, row: Job) -> OrganizationArchive | None:
    assert row.result is not None
    assert row.finished_at is not None
    ends = row.finished_at + LIFETIME
    if ends <= ctx.now():
        return None
    expires = min(valid_until(ctx.now()), int(ends.timestamp()))
    parts, holder = (row.id, row.result["sha256"], row.arguments["name"]), holder_of(ctx.actor)
    signed = archive_signature(ctx.file_access.key, *parts, holder, expires)
    query = urlencode({"by": holder, "expires": expires, "signature": signed})
    path = f"/organization-exports/{'/'.join(quote(part, safe='') for part in parts)}?{query}"
    return OrganizationArchive(ctx.settings.public_url + path, row.result["size"], ends)


# ------------------------------------------------------------------ what nobody needs any more


async def old_archives(ctx: Context, before: dt.datetime) -> list[str]:
    """Jobs that have ended before a time, whose archives may be there still."""
    must_be_operator(ctx)
    ended = (
        select(Job.id)
        .where(
            Job.kind == JobKind.ORGANIZATION_EXPORT, Job.finished_at < before,
            Job.unique_key.is_not(None),
        )
        .order_by(Job.finished_at)
        .limit(PORTION)
    )  # fmt: skip
    return list((await ctx.session.execute(ended)).scalars())


async def running_exports(ctx: Context, ids: Collection[str]) -> set[str]:
    """Those of some jobs that a process makes now."""
    must_be_operator(ctx)
    running = select(Job.id).where(Job.id.in_(ids), Job.state == JobState.RUNNING)
    return set((await ctx.session.execute(running)).scalars())


@operation(audited=False)
async def forget_archives(ctx: Context, ids: Sequence[str]) -> None:
    """Note that the archives of jobs are gone, but for those that are tried again meanwhile."""
    must_be_operator(ctx)
    jobs = select(Job).where(Job.id.in_(ids), Job.due_at.is_(None)).with_for_update()
    for job in (await ctx.session.execute(jobs)).scalars():
        # A key means nothing once a job has ended: without one its archive is gone.
        job.unique_key, job.result = None, {}
