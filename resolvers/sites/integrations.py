"""Integrations that are installed on sites, and the scripts that they add to pages.

Installations do not exist yet, so nothing is listed on any site.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

from db.models.sites import Site
from resolvers.core import inputs
from resolvers.core.context import Context
from resolvers.core.pagination import PageArguments, Slice
from resolvers.lists.batches import computed_from
from resolvers.lists.memory_pages import memory_slices


@dataclass(frozen=True)
class IntegrationArguments(PageArguments):
    """Filter of a list of integrations."""

    search: Annotated[
        str | None, inputs.argument("Part of the name or title; capitals do not matter.")
    ] = field(default=None, metadata={inputs.BOUNDS: inputs.Bounds(maximum=256)})


@dataclass(frozen=True, slots=True)
class Integration:
    """An integration that is installed."""

    name: str
    title: str
    version: int
    description: str | None
    summary: str | None


@dataclass(frozen=True, slots=True)
class SiteIntegrationScript:
    """A script that an integration adds to the pages of a site."""

    script: str
    content_security_policy: str | None
    cookies: bool


@computed_from("id")
async def integrations_of_sites(
    ctx: Context, rows: Sequence[Site], arguments: IntegrationArguments
) -> list[Slice[Integration]]:
    """The integrations that are installed on each site, by name."""
    nothing: list[list[Integration]] = [[] for _ in rows]
    return memory_slices(ctx, "integrations_of_sites", [row.id for row in rows], nothing, arguments)


@computed_from("id")
async def integration_scripts_of_sites(
    ctx: Context, rows: Sequence[Site], arguments: Any
) -> list[list[SiteIntegrationScript]]:
    """The scripts that integrations add to the pages of each site."""
    return [[] for _ in rows]
