"""Features of sites: all of them, for every type."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from db.enums import SiteCustomizationFeature, SiteFeatureKey, SiteType
from db.models.sites import Site
from resolvers.core.context import Context
from resolvers.lists.batches import reads

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


@reads("type")
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
