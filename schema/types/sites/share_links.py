"""Share links of sites."""

import datetime as dt
from typing import TYPE_CHECKING, Annotated

import strawberry

from db.models import site_settings, sites
from resolvers.core.scalars import Url
from resolvers.lists.batches import by_key
from resolvers.sites import share_link_fields
from schema.node import Node
from schema.wiring import batch, column, source_rows

if TYPE_CHECKING:
    from schema.types.sites.sites import Site


@strawberry.type(description="Addresses of a share link.")
class ShareLinkUrls:
    published: Url | None = column(
        "The site with the key in its address: for the role `create`, while the link is active, "
        "the site is published and its visibility is `share-link`."
    )


@strawberry.type(description="A key in the address of a site; it opens the site while active.")
class ShareLink(Node):
    is_type_of = source_rows(site_settings.ShareLink)
    name: str = column("What it is for, 1 to 50 characters.")
    active: bool = column("Whether it opens the site.")
    created_at: dt.datetime = column("When it was made.")
    urls: ShareLinkUrls = batch(share_link_fields.share_link_urls, "Its addresses.")
    site: Annotated["Site", strawberry.lazy("schema.types.sites.sites")] = batch(
        by_key(sites.Site, "site_id"), "The site.", key="site_id"
    )
