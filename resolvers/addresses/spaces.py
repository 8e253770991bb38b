"""Addresses of spaces: in /v1, in the application, and on published sites."""

from collections.abc import Sequence
from typing import Any

from db.enums import SiteVisibility, Visibility
from db.models.spaces import Space
from db.rows import values_of
from resolvers.addresses.sites import published_spaces
from resolvers.addresses.visibilities import WIDEST
from resolvers.core.context import Context
from resolvers.core.urls import Urls
from resolvers.lists.batches import reads


@reads("id", "icon_url")
async def space_urls(ctx: Context, rows: Sequence[Space], arguments: Any) -> list[Urls]:
    """Where each space is found; by readers on the published site with the widest audience."""
    base = ctx.settings.public_url
    ids = values_of(rows, "id")
    published = await published_spaces(ctx, ids)
    widest = {id: min(sites, key=_width) for id, sites in published.items()}
    location, app = f"{base}/v1/spaces/", f"{base}/s/"
    results = []
    for id, icon in zip(ids, values_of(rows, "icon_url"), strict=True):
        audience, address = widest.get(id, (None, None))
        public = address if audience is SiteVisibility.PUBLIC else None
        results.append(Urls(location + id, app + id, address, public, icon))
    return results


def _width(site: tuple[SiteVisibility, str]) -> int:
    return WIDEST.index(Visibility(site[0].value))
