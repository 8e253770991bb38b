"""Bases of the addresses of sites, for whoever adds keys and paths to them."""

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import select

from db.models.organizations import Organization
from db.models.sites import Site
from db.prepared import among
from resolvers.access.share_keys import share_keys, shares_by_key
from resolvers.addresses.sites import ADDRESS_COLUMNS, base_url
from resolvers.core.context import Context
from resolvers.core.statements import Viewer, Written, statement


@dataclass(frozen=True, slots=True)
class SiteAddress:
    """Where a site is found, or would be if it was published."""

    published: bool
    # Without a share key.
    base: str
    # Whether readers need the key of a share link behind it.
    by_key: bool
    # The base with the key that stands in it for the caller, if there is one.
    root: str


@statement
def _sites(viewer: Viewer) -> Written:
    return (
        select(*ADDRESS_COLUMNS, Organization.hostname.label("label"))
        .join(Organization, Organization.id == Site.organization_id)
        .where(among(Site.id, "sites"))
    )


async def site_addresses(ctx: Context, site_ids: Collection[str]) -> dict[str, SiteAddress]:
    """The addresses of sites, in one statement, and one more where there may be share keys."""
    if not site_ids:
        return {}
    rows = await _sites.rows(ctx, sites=set(site_ids))
    keys = await share_keys(ctx, rows)
    addresses = {}
    for row in rows:
        base = base_url(ctx.settings.public_url, row, row.label)
        key = keys.get(row.id)
        addresses[row.id] = SiteAddress(
            row.published, base, shares_by_key(row), base if key is None else f"{base}/{key}"
        )
    return addresses
