"""What is shown of OpenAPI specifications and their versions beside their columns."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import orjson
from sqlalchemy import select

from content.openapi.compression import decompressed
from db.enums import Role
from db.models.specifications import Specification, SpecificationContent, SpecificationVersion
from db.prepared import ACTOR_RANK, among
from db.rows import with_row_layout
from db.specification_enums import SpecificationVisibility
from resolvers.access.policy import ranks_of
from resolvers.core.context import Context
from resolvers.core.errors import ApiError, NotFound, PreconditionFailed
from resolvers.core.scalars import JsonObject
from resolvers.core.statements import Viewer, Written, statement
from resolvers.core.urls import Urls
from resolvers.lists.batches import computed_from, reads

# Bytes of contents in one answer.
MOST_CONTENT = 40_000_000


@with_row_layout
class SpecificationPermissions(NamedTuple):
    """What the caller may do with a specification."""

    view: bool
    edit: bool


@dataclass(frozen=True, slots=True)
class SpecificationProblem:
    """One thing that was wrong when a specification was last processed."""

    message: str
    code: str | None = None


@reads("id", ACTOR_RANK)
async def specification_permissions(
    ctx: Context, rows: Sequence[Specification], arguments: Any
) -> list[SpecificationPermissions]:
    """What the caller may do with each."""
    return [
        SpecificationPermissions(rank >= Role.READ.rank, rank >= Role.CREATE.rank)
        for rank in await ranks_of(ctx, Specification, rows)
    ]


def public_path(id: str) -> str:
    """Where a public specification is found by everybody."""
    return f"/openapi/{id}.json"


@reads("id", "organization_id", "slug", "visibility")
async def specification_urls(
    ctx: Context, rows: Sequence[Specification], arguments: Any
) -> list[Urls]:
    """Where each is found; `published` while it is public."""
    base = ctx.settings.public_url
    return [
        Urls(
            location=f"{base}/v1/orgs/{row.organization_id}/openapi/{row.slug}",
            app=f"{base}/o/{row.organization_id}/openapi/{row.slug}",
            published=f"{base}{public_path(row.id)}"
            if row.visibility is SpecificationVisibility.PUBLIC
            else None,
        )
        for row in rows
    ]


@computed_from("last_processed_errors")
async def specification_problems(
    ctx: Any, rows: Sequence[Specification], arguments: Any
) -> list[list[SpecificationProblem]]:
    """What was wrong when each was last processed; empty when nothing was."""
    return [
        [SpecificationProblem(error["message"], error.get("code")) for error in errors]
        for errors in (row.last_processed_errors for row in rows)
    ]


@statement
def _slugs(viewer: Viewer) -> Written:
    return select(Specification.id, Specification.slug).where(among(Specification.id, "ids"))


@reads("id", "organization_id", "specification_id")
async def version_urls(
    ctx: Context, rows: Sequence[SpecificationVersion], arguments: Any
) -> list[Urls]:
    """Where each version is found; `public` is its content."""
    # Whoever sees a version sees its specification (resolvers/access/specification_policy.py).
    ids = {row.specification_id for row in rows}
    slugs = {row.id: row.slug for row in await _slugs.rows(ctx, ids=ids)}
    places = (
        f"{ctx.settings.public_url}/v1/orgs/{row.organization_id}/openapi/"
        f"{slugs.get(row.specification_id)}/versions/{row.id}"
        for row in rows
    )
    return [Urls(location=place, public=f"{place}/content") for place in places]


@reads("id", "organization_id", "specification_id")
async def version_content_urls(
    ctx: Context, rows: Sequence[SpecificationVersion], arguments: Any
) -> list[str]:
    """Where the content of each version is found."""
    return [str(urls.public) for urls in await version_urls(ctx, rows, arguments)]


@statement
def _contents(viewer: Viewer) -> Written:
    return select(
        SpecificationContent.organization_id, SpecificationContent.digest, SpecificationContent.data
    ).where(
        among(SpecificationContent.organization_id, "organizations"),
        among(SpecificationContent.digest, "digests"),
    )


@reads("organization_id", "digest", "size")
async def version_contents(
    ctx: Context, rows: Sequence[SpecificationVersion], arguments: Any
) -> list[JsonObject | ApiError]:
    """The content of each version; of large ones as many as one answer may hold."""
    left, shown = MOST_CONTENT, []
    for row in rows:
        left -= row.size
        shown.append(left >= 0)
    texts = await _texts(ctx, [row for row, fits in zip(rows, shown, strict=True) if fits])
    answers: list[JsonObject | ApiError] = []
    for row, fits in zip(rows, shown, strict=True):
        text = texts.get((row.organization_id, row.digest))
        if not fits:
            answers.append(
                PreconditionFailed(f"one answer has {MOST_CONTENT} bytes of contents at most")
            )
        elif text is None:
            answers.append(NotFound("the content of the version is not there any more"))
        else:
            answers.append(JsonObject(orjson.loads(text)))
    return answers


async def _texts(
    ctx: Context, rows: Sequence[SpecificationVersion]
) -> dict[tuple[str, str], bytes]:
    contents = await _contents.rows(
        ctx,
        organizations={row.organization_id for row in rows},
        digests={row.digest for row in rows},
    )
    return {(row.organization_id, row.digest): decompressed(row.data) for row in contents}
