"""Sites: their lists, computed fields, features, and what the caller may do with them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Annotated, Any

import strawberry
from sqlalchemy import ColumnElement, bindparam

from db.enums import Role, SiteCustomizationFeature, SiteFeatureKey, SiteType
from db.models.sites import Site, SiteSpace
from db.order_enums import SiteOrderField
from db.prepared import ACTOR_RANK, KEY, among
from resolvers.access.policy import ranks_of, visible
from resolvers.core import inputs
from resolvers.core.context import Context
from resolvers.core.filters import Filter, equal_to, of_part
from resolvers.core.orders import Orders, SiteOrder, by
from resolvers.core.pagination import PageArguments, by_id
from resolvers.core.statements import Viewer
from resolvers.lists.batches import Count, computed_from, reads
from resolvers.lists.listings import Listing


@dataclass(frozen=True)
class SortedSites(PageArguments):
    """The order of a list of sites."""

    order_by: Annotated[SiteOrder | None, inputs.argument("Order; oldest first when absent.")] = (
        None
    )


@dataclass(frozen=True)
class SiteArguments(SortedSites):
    """Filters of a list of sites; all given ones must hold."""

    space: Annotated[
        strawberry.ID | None, inputs.argument("Only sites with this space on them.")
    ] = None
    title: Annotated[str | None, inputs.argument("Part of the title; capitals do not matter.")] = (
        field(default=None, metadata={inputs.BOUNDS: inputs.Bounds(maximum=128)})
    )
    published: Annotated[
        bool | None, inputs.argument("Only published, or only unpublished ones.")
    ] = None
    type: Annotated[list[SiteType] | None, inputs.argument("Only sites of these types.")] = None


def _holding(viewer: Viewer) -> ColumnElement[bool]:
    """The condition that the space `space`, which the caller may read, stands on a site."""
    holding = visible(viewer, SiteSpace).with_only_columns(SiteSpace.site_id)
    return Site.id.in_(holding.where(SiteSpace.space_id == bindparam("space", type_=KEY)))


ORDERS = Orders(
    by(Site.id),
    {SiteOrderField.CREATED_AT: by(Site.created_at), SiteOrderField.TITLE: by(Site.title_key)},
)
sites_of_organizations = Listing(
    "sites_of_organizations",
    Site,
    Site.organization_id,
    ORDERS.or_else(by_id(Site)),
    about="Sites of organizations, oldest first.",
    filters=(
        Filter("space", lambda arguments: arguments.space, _holding),
        of_part("title", Site.title),
        equal_to("published", Site.published),
        Filter(
            "type",
            lambda arguments: (
                None
                if arguments.type is None
                else tuple(sorted(set(arguments.type), key=lambda type_: type_.value))
            ),
            among(Site.type, "type"),
        ),
    ),
)
sites_of_spaces = Listing(
    "sites_of_spaces",
    Site,
    SiteSpace.space_id,
    ORDERS.or_else(by_id(Site)),
    about="Sites that spaces are placed on, oldest first.",
    rows=lambda viewer: visible(viewer, Site).join(SiteSpace, SiteSpace.site_id == Site.id),
)
site_space_counts = Count(
    "How many spaces stand on each site, those in the bin included.", SiteSpace.site_id
)


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


@computed_from("icon")
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


@computed_from("adaptive_content")
async def site_adaptive_contents(
    ctx: Context, rows: Sequence[Site], arguments: Any
) -> list[SiteAdaptiveContent]:
    """Whether each site's content depends on the visitor."""
    return [SiteAdaptiveContent(row.adaptive_content) for row in rows]


CUSTOMIZATIONS = {
    SiteFeatureKey.SITES_ADVANCED_CUSTOMIZATION: list(SiteCustomizationFeature),
}


@dataclass(frozen=True, slots=True)
class SiteFeature:
    """A feature that a site has; it is never frozen, because nothing is sold here."""

    id: SiteFeatureKey
    plan: SiteType
    frozen: bool = False
    customizations: list[SiteCustomizationFeature] | None = None


@computed_from("type")
async def site_features(
    ctx: Context, rows: Sequence[Site], arguments: Any
) -> list[list[SiteFeature]]:
    """What each site can do: everything, under the site's own type."""
    return [
        [
            SiteFeature(key, row.type, customizations=CUSTOMIZATIONS.get(key))
            for key in SiteFeatureKey
        ]
        for row in rows
    ]


@dataclass(frozen=True, slots=True)
class SiteRights:
    """The rights of the caller on one site."""

    view: bool
    view_settings: bool
    preview: bool
    view_insights: bool
    edit: bool
    publish: bool
    delete: bool
    manage_hostname: bool


@reads("id", ACTOR_RANK)
async def site_permissions(ctx: Context, rows: Sequence[Site], arguments: Any) -> list[SiteRights]:
    """What the caller may do with each site; whoever has a site sees it, guests without a role."""
    if ctx.actor.visitor is not None:
        return [_rights_of(0)] * len(rows)
    return [_rights_of(rank) for rank in await ranks_of(ctx, Site, rows)]


# There are few, and many rows have the same.
@cache
def _rights_of(rank: int) -> SiteRights:
    creator = rank >= Role.CREATE.rank
    return SiteRights(
        view=True,
        view_settings=rank >= Role.READ.rank,
        preview=rank >= Role.EDIT.rank,
        view_insights=creator,
        edit=creator,
        publish=creator,
        delete=creator,
        manage_hostname=rank >= Role.ADMIN.rank,
    )
