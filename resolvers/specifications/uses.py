"""Spaces whose computed pages are made of specifications, and the jobs that make them anew."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Integer, bindparam, or_, select

from db.base import Timestamp
from db.job_enums import JobKind
from db.models.content import ComputedPage
from db.models.spaces import Space
from db.models.specifications import SLUG_LENGTH, Specification, SpecificationVersion
from db.prepared import KEY
from resolvers.access.policy import must_be_operator
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.statements import Viewer, Written, statement
from resolvers.jobs.queue import NewJob, enqueue_of_server
from resolvers.specifications.shown import specifications_for

Json = Mapping[str, Any]
# The type of the source, as computed pages name it.
TYPE = "builtin:openapi"
# Spaces that one sweep enqueues.
MOST_SWEPT = 500
SHORTEST_PAUSE, LONGEST_PAUSE = dt.timedelta(minutes=5), dt.timedelta(days=1)


@dataclass(frozen=True, slots=True)
class StalePage:
    """A computed page whose source has another version than its pages were made of."""

    page_id: str
    source: Json
    slug: str
    version: str


def slug_of(source: Json) -> str | None:
    """The slug of the specification that a source names; None for other sources."""
    if source.get("type") != TYPE:
        return None
    value: Any = source
    for name in ("dependencies", "spec", "ref", "spec"):
        value = value.get(name) if isinstance(value, dict) else None
    return value if isinstance(value, str) else None


def name_of(source: Json) -> str:
    """What a source depends on, by which its pages are found: the slug of a specification, or the
    type of what an integration makes; "" for what nothing is made of."""
    type = source.get("type")
    if isinstance(type, str) and type.startswith("integration:"):
        return type[:SLUG_LENGTH]
    slug = slug_of(source) or ""
    # None has a longer one.
    return slug if len(slug) <= SLUG_LENGTH else ""


def job_of_space(space_id: str, organization_id: str) -> NewJob:
    """The job that makes the computed pages of a space: it has one at a time. Members of the
    organization see what has become of it."""
    return NewJob(
        kind=JobKind.COMPUTED_PAGES, arguments={"space": space_id},
        organization_id=organization_id, space_id=space_id,
        unique_key=f"computed-pages:{space_id}",
    )  # fmt: skip


def pause_after(failures: int) -> dt.timedelta:
    """How long the server waits, after so many failures, before it tries again by itself."""
    doubled: int = 2 ** min(failures - 1, 20)
    return min(LONGEST_PAUSE, SHORTEST_PAUSE * doubled)


# Computed pages with the specifications that they name, as far as those have another version than
# was tried last. One that was deleted has none, so the last good pages stay.
_STALE = (
    select(ComputedPage.space_id)
    .join(Space, Space.id == ComputedPage.space_id)
    .join(
        Specification,
        (Specification.organization_id == Space.organization_id)
        & (Specification.slug == ComputedPage.name),
    )
    .join(SpecificationVersion, SpecificationVersion.id == Specification.last_version_id)
    .where(or_(ComputedPage.tried.is_(None), ComputedPage.tried != SpecificationVersion.digest))
)


@statement
def _stale_spaces(viewer: Viewer) -> Written:
    now = bindparam("now", type_=Timestamp())
    return (
        _STALE.with_only_columns(ComputedPage.space_id, Space.organization_id)
        .distinct()
        .where(
            Space.deleted_at.is_(None),
            or_(ComputedPage.retry_at.is_(None), ComputedPage.retry_at <= now),
        )
        .limit(bindparam("most", type_=Integer()))
    )


@statement
def _stale_pages(viewer: Viewer) -> Written:
    columns = ComputedPage.page_id, ComputedPage.source, ComputedPage.name
    return _STALE.with_only_columns(*columns, SpecificationVersion.digest).where(
        ComputedPage.space_id == bindparam("space", type_=KEY)
    )


async def stale_spaces(ctx: Context) -> list[tuple[str, str]]:
    """Spaces with computed pages that are to be made anew, each with its organization; without
    those that have failed lately."""
    must_be_operator(ctx)
    rows = await _stale_spaces.rows(ctx, most=MOST_SWEPT, now=ctx.now())
    return [(row.space_id, row.organization_id) for row in rows]


async def stale_pages(ctx: Context, space_id: str) -> list[StalePage]:
    """The computed pages of a space that are to be made anew."""
    must_be_operator(ctx)
    rows = await _stale_pages.rows(ctx, space=space_id)
    return [StalePage(row.page_id, row.source, row.name, row.digest) for row in rows]


async def specification_of_space(
    ctx: Context, space_id: str, slug: str
) -> Mapping[str, Any] | None:
    """The last good version of a specification of the organization of a space."""
    must_be_operator(ctx)
    return (await specifications_for(ctx, space_id, [slug])).get(slug)


@operation(audited=False)
async def wake_spaces(ctx: Context, spaces: list[tuple[str, str]]) -> None:
    """Enqueue the jobs of spaces that have none; each with its organization."""
    must_be_operator(ctx)
    await enqueue_of_server(ctx, [job_of_space(*space) for space in spaces])


@operation(audited=False)
async def note_attempts(ctx: Context, space_id: str, pages: list[StalePage]) -> None:
    """Note that computed pages are tried, before they are: whatever becomes of the process, the
    next attempt that the server makes by itself is later each time."""
    must_be_operator(ctx)
    statement = select(ComputedPage).where(
        ComputedPage.space_id == space_id,
        ComputedPage.page_id.in_([page.page_id for page in pages]),
    )
    for row in (await ctx.session.execute(statement.with_for_update())).scalars():
        row.failures += 1
        row.retry_at = ctx.now() + pause_after(row.failures)


async def wake_uses(ctx: Context, organization_id: str, slug: str) -> None:
    """Called where a specification gets a version: its pages are to be made anew."""
    using = (
        select(ComputedPage.space_id)
        .distinct()
        .join(Space, Space.id == ComputedPage.space_id)
        .where(
            ComputedPage.name == slug,
            Space.organization_id == organization_id,
            Space.deleted_at.is_(None),
        )
        .limit(MOST_SWEPT)
    )
    spaces = (await ctx.session.execute(using)).scalars().all()
    if spaces:
        await enqueue_of_server(ctx, [job_of_space(id, organization_id) for id in spaces])
