"""Lists of sites and what a site is computed from."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

import strawberry
from sqlalchemy import func, select

from db.enums import SiteType
from db.models.sites import Site, SiteSpace
from resolvers import inputs
from resolvers.batches import counts
from resolvers.context import Context
from resolvers.pagination import Listing, PageArguments, Slice, by_id, pages
from resolvers.policy import visible


@dataclass(frozen=True)
class SiteArguments(PageArguments):
    """Filters of a list of sites; all given ones must hold."""

    space: Annotated[
        strawberry.ID | None,
        strawberry.argument(description="Only sites with this space on them."),
    ] = None
    title: Annotated[
        str | None,
        strawberry.argument(description="Part of the title; capitals do not matter."),
    ] = field(default=None, metadata={inputs.BOUNDS: inputs.Bounds(maximum=128)})
    published: Annotated[
        bool | None, strawberry.argument(description="Only published, or only unpublished ones.")
    ] = None
    type: Annotated[
        list[SiteType] | None, strawberry.argument(description="Only sites of these types.")
    ] = None


async def sites_of_organizations(
    ctx: Context, rows: Sequence[Any], arguments: SiteArguments
) -> list[Slice[Site]]:
    """Sites of organizations, oldest first."""
    statement = visible(ctx, Site)
    if arguments.space is not None:
        holding = visible(ctx, SiteSpace).with_only_columns(SiteSpace.site_id)
        statement = statement.where(
            Site.id.in_(holding.where(SiteSpace.space_id == arguments.space))
        )
    if arguments.title:
        part = arguments.title.lower()
        statement = statement.where(func.lower(Site.title).contains(part, autoescape=True))
    if arguments.published is not None:
        statement = statement.where(Site.published.is_(arguments.published))
    if arguments.type is not None:
        statement = statement.where(Site.type.in_(arguments.type))
    types = tuple(sorted(one.value for one in arguments.type or ()))
    filters = (arguments.space, arguments.title, arguments.published, types)
    listing = Listing(Site, Site.organization_id, by_id(Site), ("sites", *filters))
    return await pages(ctx, listing, statement, [row.id for row in rows], arguments)


async def sites_of_spaces(
    ctx: Context, rows: Sequence[Any], arguments: PageArguments
) -> list[Slice[Site]]:
    """Sites that spaces are placed on, oldest first."""
    statement = visible(ctx, Site).join(SiteSpace, SiteSpace.site_id == Site.id)
    listing = Listing(Site, SiteSpace.space_id, by_id(Site), ("sites of spaces",))
    return await pages(ctx, listing, statement, [row.id for row in rows], arguments)


async def site_space_counts(ctx: Context, rows: Sequence[Site], arguments: Any) -> list[int]:
    """How many spaces stand on each site, those in the bin included."""
    return await counts(ctx, SiteSpace.site_id, select(SiteSpace), [row.id for row in rows])


@dataclass(frozen=True, slots=True)
class ThemedUrl:
    """A picture for light and for dark surroundings."""

    light: str
    dark: str


@dataclass(frozen=True, slots=True)
class SiteIcon:
    """A picture or an emoji; both absent in an icon that was emptied."""

    icon: ThemedUrl | None
    emoji: str | None


async def site_icons(ctx: Context, rows: Sequence[Site], arguments: Any) -> list[SiteIcon | None]:
    """The icon of each site; None where none was set."""
    return [None if row.icon is None else _icon(row.icon) for row in rows]


def _icon(stored: Any) -> SiteIcon:
    picture = stored.get("icon")
    themed = None if picture is None else ThemedUrl(picture["light"], picture["dark"])
    return SiteIcon(themed, stored.get("emoji"))


@dataclass(frozen=True, slots=True)
class SiteAdaptiveContent:
    """Whether a site's content depends on the visitor."""

    enabled: bool


async def site_adaptive_contents(
    ctx: Context, rows: Sequence[Site], arguments: Any
) -> list[SiteAdaptiveContent]:
    """Whether each site's content depends on the visitor."""
    return [SiteAdaptiveContent(row.adaptive_content) for row in rows]
