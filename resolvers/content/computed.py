"""Content that a source makes of something else, such as an OpenAPI specification.

A source is named by its type. `SOURCES` holds those of this server; asking for another one is
refused by name, and computed pages whose source is not there stay as they are. Integrations are
sources, too.
"""

from dataclasses import replace
from typing import Any, Protocol

import strawberry

from content.documents.anchors import with_anchors
from db.models.spaces import Space
from resolvers.access.policy import must
from resolvers.content.computed_revisions import ComputedRevision
from resolvers.content.documents import DocumentRow
from resolvers.content.integration_sources import (
    IntegrationSource,
    StaleSource,
    made_pages,
    spaces_with_stale_sources,
    stale_sources,
)
from resolvers.content.source_answers import OfferedFile
from resolvers.content.source_dependencies import PREFIX
from resolvers.content.specification_pages import SpecificationSource
from resolvers.core import inputs
from resolvers.core.arguments import SpaceId
from resolvers.core.batch_functions import only
from resolvers.core.context import Context
from resolvers.core.errors import invalid
from resolvers.core.scalars import JsonObject
from resolvers.specifications.uses import TYPE

Json = dict[str, Any]
SEED_LIMIT = 256


@strawberry.input(description="Where computed content comes from.")
class ComputedContentInput:
    source: JsonObject = inputs.field(
        "The source: `type`, `props` and, if it has any, `dependencies`.", required=True
    )
    seed: str = inputs.text(
        "From this the ids of what is made follow: the same seed gives the same ids.",
        required=True,
        min=1,
        max=SEED_LIMIT,
    )


class ComputedSource(Protocol):
    """A kind of source. Both raise ApiErrors: Invalid for props that are wrong, NotFound."""

    async def document(self, ctx: Context, space_id: str, source: Json, seed: str) -> DocumentRow:
        """One document."""
        ...

    async def revision(
        self, ctx: Context, space_id: str, source: Json, seed: str
    ) -> ComputedRevision:
        """Pages, files and reusable contents."""
        ...


# By type: `builtin:NAME`; those of integrations are `integration:NAME:SOURCE`.
SOURCES: dict[str, ComputedSource] = {TYPE: SpecificationSource()}
INTEGRATIONS: ComputedSource = IntegrationSource()


__all__ = [
    "OfferedFile", "StaleSource", "made_pages", "spaces_with_stale_sources", "stale_sources",
]  # fmt: skip


async def get_computed_document(
    ctx: Context, space_id: SpaceId, input: ComputedContentInput
) -> DocumentRow:
    """The document that a source makes, as it would stand in a space."""
    await must(ctx, Space, space_id, projection=only("id"))
    source = _source(input)
    row = await source.document(ctx, space_id, input.source, input.seed)
    return replace(row, document=dict(with_anchors(row.document)))


async def get_computed_revision(
    ctx: Context, space_id: SpaceId, input: ComputedContentInput
) -> ComputedRevision:
    """The pages, files and reusable contents that a source makes for a space."""
    await must(ctx, Space, space_id, projection=only("id"))
    source = _source(input)
    return await source.revision(ctx, space_id, input.source, input.seed)


def _source(input: ComputedContentInput) -> ComputedSource:
    kind = input.source.get("type")
    if not isinstance(kind, str):
        raise invalid("source.type", "is required: text such as 'builtin:openapi'")
    if kind.startswith(PREFIX):
        return INTEGRATIONS
    if kind not in SOURCES:
        types = ", ".join(sorted(SOURCES)) or "none"
        raise invalid(
            "source.type", f"{kind[:100]!r} is no source of this server; sources here: {types}"
        )
    return SOURCES[kind]
