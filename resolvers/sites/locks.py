"""The locked site that an operation on its structure changes."""

from functools import cache
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, and_, bindparam

from db.enums import Role
from db.models.site_settings import AdaptiveSchema, ShareLink, SiteMcpServer, SiteRedirect
from db.models.sites import SiteSection, SiteSectionGroup, SiteSpace
from db.models.spaces import Space
from db.prepared import KEY
from resolvers.access.policy import must
from resolvers.core.batch_functions import ALL, Projection
from resolvers.core.context import Context
from resolvers.core.errors import NotFound
from resolvers.sites.operations import IN_ORGANIZATION, must_site
from resolvers.sites.structure import WORDS, Structure
from resolvers.sites.writes import load

Row = TypeVar("Row", SiteSection, SiteSectionGroup, SiteSpace)
Part = TypeVar(
    "Part",
    AdaptiveSchema,
    ShareLink,
    SiteMcpServer,
    SiteRedirect,
    SiteSection,
    SiteSectionGroup,
    SiteSpace,
)


@cache
def _within(model: Any, in_site: bool, in_organization: bool) -> ColumnElement[bool] | None:
    """The condition for what a path names; the rules of what stands on sites have joined them."""
    conditions = []
    if in_site:
        conditions.append(model.site_id == bindparam("site_id", type_=KEY))
    if in_organization:
        conditions.append(IN_ORGANIZATION)
    return and_(*conditions) if conditions else None


async def locked_site(ctx: Context, site_id: str, organization_id: str | None) -> Structure:
    """The structure of a site that is locked from now on; needs the organization role `create`."""
    site = await must_site(ctx, site_id, organization_id, Role.CREATE, lock=True)
    return await load(ctx, site)


async def locked_with(
    ctx: Context, model: type[Row], id: str, site_id: str | None, organization_id: str | None
) -> tuple[Structure, Row]:
    """The structure of the locked site on which this row stands, and the row."""
    row = await find_part(ctx, model, id, site_id, organization_id, Role.CREATE)
    structure = await locked_site(ctx, row.site_id, None)
    if row not in list(structure.everything()):
        raise NotFound(f"{WORDS[model]} {id!r} was removed at this moment")
    return structure, row


async def locked_part(
    ctx: Context, model: type[Part], id: str, site_id: str | None, organization_id: str | None
) -> Part:
    """A locked row that belongs to the making of a site; needs the organization role `create`."""
    return await find_part(ctx, model, id, site_id, organization_id, Role.CREATE, lock=True)


async def find_part(
    ctx: Context,
    model: type[Part],
    id: str | None,
    site_id: str | None,
    organization_id: str | None,
    role: Role | None = None,
    *,
    lock: bool = False,
    projection: Projection = ALL,
) -> Part:
    """A row that stands on a site or belongs to it, which the path may name."""
    return await must(
        ctx,
        model,
        id,
        role,
        where=_within(model, site_id is not None, organization_id is not None),
        lock=lock,
        projection=projection,
        site_id=site_id,
        organization_id=organization_id,
    )


async def space_for(ctx: Context, structure: Structure, id: str) -> Space:
    """A space of the site's organization; showing it to readers needs `create` on it."""
    own = Space.organization_id == structure.site.organization_id
    # Locked, so that it is not transferred to another organization meanwhile.
    return await must(ctx, Space, id, Role.CREATE, where=own, lock=True)
