"""Lists of redirects, and what a redirect is computed from."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

import strawberry
from sqlalchemy import Boolean, bindparam

from content.links.redirect_paths import MAX_SOURCE
from db.models.site_settings import SiteRedirect
from db.order_enums import SiteRedirectOrderField
from db.site_enums import SiteRedirectKind
from resolvers.core import inputs
from resolvers.core.context import Context
from resolvers.core.filters import Filter, containing, part_of
from resolvers.core.orders import Orders, SiteRedirectOrder, by
from resolvers.core.pagination import PageArguments, by_id
from resolvers.lists.batches import reads
from resolvers.lists.listings import Listing
from resolvers.sites.redirect_destinations import (
    KIND,
    PAGE,
    SECTION,
    SITE_SPACE,
    URL,
    missing_members,
)


@dataclass(frozen=True)
class SiteRedirectArguments(PageArguments):
    """Order and filters of a list of redirects; all given filters must hold."""

    order_by: Annotated[
        SiteRedirectOrder | None,
        strawberry.argument(description="Order; oldest first when absent."),
    ] = None
    search: Annotated[
        str | None,
        strawberry.argument(description="Part of the source path; capitals do not matter."),
    ] = field(default=None, metadata={inputs.BOUNDS: inputs.Bounds(maximum=MAX_SOURCE)})
    draft: Annotated[
        bool | None,
        strawberry.argument(description="Only drafts, or only those that fire; all when absent."),
    ] = None


ORDERS = Orders(
    by(SiteRedirect.id),
    {
        SiteRedirectOrderField.CREATED_AT: by(SiteRedirect.created_at),
        SiteRedirectOrderField.UPDATED_AT: by(SiteRedirect.updated_at),
        SiteRedirectOrderField.SOURCE: by(SiteRedirect.source_key),
    },
)
redirects_of_sites = Listing(
    "redirects_of_sites",
    SiteRedirect,
    SiteRedirect.site_id,
    ORDERS.or_else(by_id(SiteRedirect)),
    about="Redirects of sites, oldest first; for members of the organization.",
    filters=(
        Filter(
            "search",
            lambda arguments: part_of(arguments.search),
            containing(SiteRedirect.source, "search"),
        ),
        Filter(
            "draft",
            lambda arguments: arguments.draft,
            SiteRedirect.draft == bindparam("draft", type_=Boolean()),
        ),
    ),
)


@dataclass(frozen=True, slots=True)
class SiteRedirectDestination:
    """Where a redirect leads; which members there are depends on the kind."""

    kind: SiteRedirectKind
    site_section_id: str | None
    site_space_id: str | None
    page_id: str | None
    url: str | None


@reads("destination")
async def redirect_destinations(
    ctx: Context, rows: Sequence[SiteRedirect], arguments: Any
) -> list[SiteRedirectDestination]:
    """Where each redirect leads."""
    return [
        SiteRedirectDestination(
            SiteRedirectKind(stored[KIND]),
            stored.get(SECTION),
            stored.get(SITE_SPACE),
            stored.get(PAGE),
            stored.get(URL),
        )
        for stored in (row.destination for row in rows)
    ]


@reads("site_id", "destination")
async def are_broken(ctx: Context, rows: Sequence[SiteRedirect], arguments: Any) -> list[bool]:
    """Whether the destination of each redirect is gone, so that it does not fire."""
    missing = await missing_members(ctx, [(row.site_id, row.destination) for row in rows])
    return [name is not None for name in missing]
