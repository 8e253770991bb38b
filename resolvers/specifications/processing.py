"""What the job of a specification does in the database: begins, and notes what came of it.

Each write is committed only while the job is this worker's. What is asked for while it works is
counted on the row, and makes it begin again.
"""

import datetime as dt
from dataclasses import dataclass

from sqlalchemy import Integer, bindparam, delete, select

from content.openapi.compression import decompressed
from db.base import Timestamp
from db.job_enums import JobKind
from db.models.specifications import Specification, SpecificationContent, SpecificationVersion
from db.specification_enums import SpecificationErrorCode, SpecificationState
from resolvers.access.policy import must_be_operator
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.leases import Lease
from resolvers.core.statements import Viewer, Written, statement
from resolvers.jobs.queue import NewJob, enqueue_of_server, replace_job
from resolvers.specifications.contents import drop_unused, store_compressed
from resolvers.specifications.uses import wake_uses

# How often a source is looked at; how soon one is looked for whose job was lost.
EVERY, LOST = dt.timedelta(hours=6), dt.timedelta(minutes=10)
# Versions that are kept of a specification; specifications that one sweep enqueues.
MOST_VERSIONS, MOST_SWEPT = 50, 500


@dataclass(frozen=True, slots=True)
class Source:
    """What is processed: a URL with the entity tag of what was last fetched, or a text."""

    id: str
    organization_id: str
    # How often it was asked for until now.
    requested: int
    url: str | None
    text: bytes | None
    entity_tag: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What the process has made of a source; `files` are those that it refers to."""

    data: bytes
    digest: str
    size: int
    title: str
    format: str
    files: int
    entity_tag: str | None = None


@dataclass(frozen=True, slots=True)
class Failure:
    """Why there is no new version."""

    code: SpecificationErrorCode
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Unchanged:
    """The source says that it is what was fetched before."""


Outcome = Reading | Failure | Unchanged


def job_of(id: str, organization_id: str) -> NewJob:
    """The job of a specification: it has one at a time."""
    return NewJob(
        kind=JobKind.SPECIFICATION, arguments={"specification": id},
        organization_id=organization_id, unique_key=f"specification:{id}",
    )  # fmt: skip


async def _locked(ctx: Context, id: str) -> Specification | None:
    must_be_operator(ctx)
    return await ctx.session.get(Specification, id, with_for_update=True, populate_existing=True)


@operation(audited=False)
async def begin_processing(ctx: Context, id: str) -> Source | None:
    """Note that a specification is being processed; its source, None when it is gone."""
    row = await _locked(ctx, id)
    if row is None:
        return None
    if row.processing_state is SpecificationState.PENDING:
        row.processing_state = SpecificationState.PROGRESS
    text = None
    if row.source_digest is not None:
        key = row.organization_id, row.source_digest
        content = await ctx.session.get(SpecificationContent, key)
        text = None if content is None else decompressed(content.data)
    # What has failed is read again even if it has not changed: limits may have.
    tag = row.entity_tag if row.last_process_error_code is None else None
    return Source(id, row.organization_id, row.requested, row.source_url, text, tag)


@operation(audited=False)
async def end_processing(ctx: Context, lease: Lease, source: Source, outcome: Outcome) -> None:
    """Note what came of processing and end the job, which leaves no row; it begins again where it
    was asked for meanwhile."""
    ended = await replace_job(ctx, lease)
    row = await _locked(ctx, source.id)
    if not ended or row is None:
        return
    if row.requested != source.requested:
        await enqueue_of_server(ctx, [job_of(row.id, row.organization_id)])
        return
    row.processing_state = SpecificationState.COMPLETE
    row.last_processed_at = ctx.now()
    row.due_at = None if row.source_url is None else ctx.now() + EVERY
    if isinstance(outcome, Failure):
        row.last_process_error_code = outcome.code
        row.last_processed_errors = [{"message": problem} for problem in outcome.problems]
        return
    row.last_process_error_code, row.last_processed_errors = None, []
    if isinstance(outcome, Reading):
        # Files that it refers to may change while it does not.
        row.entity_tag = outcome.entity_tag if outcome.files == 0 else None
        await _add_version(ctx, row, outcome)


async def _add_version(ctx: Context, row: Specification, reading: Reading) -> None:
    """Make a version of what was read, unless the last one is the same."""
    last = None
    if row.last_version_id is not None:
        last = await ctx.session.get(SpecificationVersion, row.last_version_id)
    if last is not None and last.digest == reading.digest:
        return
    await store_compressed(ctx, row.organization_id, reading.digest, reading.data)
    version = SpecificationVersion(
        specification_id=row.id, organization_id=row.organization_id, digest=reading.digest,
        title=reading.title, format=reading.format, size=reading.size, created_at=ctx.now(),
    )  # fmt: skip
    ctx.session.add(version)
    await ctx.session.flush()
    row.last_version_id = version.id
    await wake_uses(ctx, row.organization_id, row.slug)
    await _forget_versions(ctx, row)


async def _forget_versions(ctx: Context, row: Specification) -> None:
    """Remove the oldest versions where there are more than are kept."""
    old = (
        select(SpecificationVersion.id, SpecificationVersion.digest)
        .where(SpecificationVersion.specification_id == row.id)
        .order_by(SpecificationVersion.id.desc())
        .offset(MOST_VERSIONS)
    )
    rows = (await ctx.session.execute(old)).all()
    if rows:
        ids = [version.id for version in rows]
        await ctx.session.change(
            delete(SpecificationVersion).where(SpecificationVersion.id.in_(ids))
        )
        await drop_unused(ctx, row.organization_id, {version.digest for version in rows})


# ------------------------------------------------------------------ sweeps


@statement
def _due(viewer: Viewer) -> Written:
    return (
        select(Specification.id, Specification.organization_id)
        .where(Specification.due_at <= bindparam("now", type_=Timestamp()))
        .order_by(Specification.due_at)
        .limit(bindparam("most", type_=Integer()))
    )


async def due_specifications(ctx: Context) -> list[tuple[str, str]]:
    """Specifications whose sources are to be looked at again, or whose job was lost."""
    must_be_operator(ctx)
    rows = await _due.rows(ctx, now=ctx.now(), most=MOST_SWEPT)
    return [(row.id, row.organization_id) for row in rows]


@operation(audited=False)
async def wake_specifications(ctx: Context, specifications: list[tuple[str, str]]) -> None:
    """Enqueue the jobs of specifications that have none."""
    must_be_operator(ctx)
    await enqueue_of_server(ctx, [job_of(*specification) for specification in specifications])
