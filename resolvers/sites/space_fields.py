"""Lists of site spaces and what a site space is computed from."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import strawberry
from sqlalchemy import Select, select

from db.models.site_settings import SiteSpaceCustomization
from db.models.sites import Site, SiteSpace
from db.models.spaces import Space
from db.prepared import among
from resolvers.access.policy import visible
from resolvers.addresses.defaults import defaults_of_levels, served_defaults
from resolvers.core.context import Context
from resolvers.core.filters import Filter
from resolvers.core.installation import Settings
from resolvers.core.pagination import Order, PageArguments, SortColumn
from resolvers.core.statements import Columns, Viewer, Written, statement
from resolvers.lists.batches import reads, takes_columns
from resolvers.lists.listing_statements import PARENTS
from resolvers.lists.listings import Listing
from resolvers.sites.structure import SPACES_LIMIT

IN_ORDER = Order(
    (
        SortColumn(SiteSpace.place, lambda row: row.place),
        SortColumn(SiteSpace.id, lambda row: row.id),
    )
)


@dataclass(frozen=True)
class SiteSpaceArguments(PageArguments):
    """Filter of a list of site spaces."""

    default: Annotated[
        bool | None,
        strawberry.argument(
            description="Only what the site serves at its root, or only the others; all when "
            "absent."
        ),
    ] = None


def _default() -> Select[Any]:
    return select(served_defaults(PARENTS).subquery().c.id)


site_spaces_of_sites = Listing(
    "site_spaces_of_sites",
    SiteSpace,
    SiteSpace.site_id,
    IN_ORDER,
    about="Spaces of sites that you may read, in their order; those in the bin are left out.",
    filters=(
        Filter(
            "default", lambda arguments: arguments.default or None, SiteSpace.id.in_(_default())
        ),
        Filter(
            "others",
            lambda arguments: True if arguments.default is False else None,
            SiteSpace.id.not_in(_default()),
        ),
    ),
    by_itself=True,
)


site_spaces_of_sections = Listing(
    "site_spaces_of_sections",
    SiteSpace,
    SiteSpace.section_id,
    IN_ORDER,
    about="Spaces of sections that you may read, in their order; those in the bin are left out.",
)


class WholeSection(PageArguments):
    """All site spaces of a section: as many as a site may hold."""

    def size(self, settings: Settings) -> int:
        return SPACES_LIMIT


@statement
def _visible_defaults(viewer: Viewer) -> Written:
    served = select(served_defaults("sites").subquery().c.id)
    return visible(viewer, SiteSpace).where(SiteSpace.id.in_(served))


@reads("id")
@takes_columns
async def default_site_spaces(
    ctx: Context, rows: Sequence[Site], arguments: Any, columns: Columns = None
) -> list[SiteSpace | None]:
    """What each site serves at its root; None on an empty site, or when you may not read it."""
    selected = None if columns is None else columns | {"site_id"}
    served = await _visible_defaults.rows(ctx, columns=selected, sites={row.id for row in rows})
    by_site = {site_space.site_id: site_space for site_space in served}
    return [by_site.get(row.id) for row in rows]


@reads("id", "site_id")
async def are_defaults(ctx: Context, rows: Sequence[SiteSpace], arguments: Any) -> list[bool]:
    """Whether each site space is what its section, or the root of a flat site, serves."""
    served = await defaults_of_levels.once(ctx, list, sites=sorted({row.site_id for row in rows}))
    ids = {site_space.id for site_space in served}
    return [row.id in ids for row in rows]


@statement
def _titles(viewer: Viewer) -> Written:
    return select(Space.id, Space.title).where(among(Space.id, "ids"))


@reads("space_id")
async def site_space_titles(ctx: Context, rows: Sequence[SiteSpace], arguments: Any) -> list[str]:
    """The titles of the spaces; a site space has none of its own."""
    titles = dict(await _titles.rows(ctx, ids={row.space_id for row in rows}))
    return [titles[row.space_id] for row in rows]


@statement
def _customized(viewer: Viewer) -> Written:
    return select(SiteSpaceCustomization.site_space_id).where(
        among(SiteSpaceCustomization.site_space_id, "site_spaces")
    )


@reads("id")
async def have_own_settings(ctx: Context, rows: Sequence[SiteSpace], arguments: Any) -> list[bool]:
    """Whether site spaces have settings of their own; others follow those of their site."""
    customized = await _customized.rows(ctx, site_spaces={row.id for row in rows})
    ids = {row.site_space_id for row in customized}
    return [row.id in ids for row in rows]
