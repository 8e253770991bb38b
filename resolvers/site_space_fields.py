"""Lists of site spaces and what a site space is computed from."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import strawberry
from sqlalchemy import select

from db.models.sites import Site, SiteSpace
from db.models.spaces import Space
from resolvers.context import Context
from resolvers.pagination import Listing, Order, PageArguments, Slice, SortColumn, pages
from resolvers.policy import visible
from resolvers.site_structure import served_defaults

IN_ORDER = Order(
    (
        SortColumn(SiteSpace.position, lambda row: row.position),
        SortColumn(SiteSpace.id, lambda row: row.id),
    )
)


@dataclass(frozen=True)
class SiteSpaceArguments(PageArguments):
    """Filter of a list of site spaces."""

    default: Annotated[
        bool | None,
        strawberry.argument(description="Only the default, or only the others; all when absent."),
    ] = None


async def site_spaces_of_sites(
    ctx: Context, rows: Sequence[Any], arguments: SiteSpaceArguments
) -> list[Slice[SiteSpace]]:
    """Spaces of sites that you may read, in their order; those in the bin are left out."""
    ids = [row.id for row in rows]
    statement = visible(ctx, SiteSpace)
    if arguments.default is not None:
        served = select(served_defaults(ids).subquery().c.id)
        statement = statement.where(
            SiteSpace.id.in_(served) if arguments.default else SiteSpace.id.not_in(served)
        )
    listing = Listing(SiteSpace, SiteSpace.site_id, IN_ORDER, ("site spaces", arguments.default))
    return await pages(ctx, listing, statement, ids, arguments)


async def default_site_spaces(
    ctx: Context, rows: Sequence[Site], arguments: Any
) -> list[SiteSpace | None]:
    """What each site serves at its root; None on an empty site, or when you may not read it."""
    served = select(served_defaults(row.id for row in rows).subquery().c.id)
    statement = visible(ctx, SiteSpace).where(SiteSpace.id.in_(served))
    found = {one.site_id: one for one in (await ctx.session.execute(statement)).scalars()}
    return [found.get(row.id) for row in rows]


async def are_defaults(ctx: Context, rows: Sequence[SiteSpace], arguments: Any) -> list[bool]:
    """Whether each site space is what its site serves at the root."""
    served = await ctx.session.execute(served_defaults(row.site_id for row in rows))
    ids = {id for _, id in served}
    return [row.id in ids for row in rows]


async def site_space_titles(ctx: Context, rows: Sequence[SiteSpace], arguments: Any) -> list[str]:
    """The titles of the spaces; a site space has none of its own."""
    statement = select(Space.id, Space.title).where(Space.id.in_({row.space_id for row in rows}))
    titles = dict((await ctx.session.execute(statement)).all())
    return [titles[row.space_id] for row in rows]


async def have_own_settings(ctx: Context, rows: Sequence[SiteSpace], arguments: Any) -> list[bool]:
    """Site spaces follow the settings of their site."""
    return [False for _ in rows]
