"""Share links of sites."""

import datetime as dt

import strawberry

from db.models import site_settings, sites
from resolvers.core.scalars import Url
from resolvers.sites import share_links
from schema.node import Node
from schema.types.above import Site
from schema.wiring import batch, column, related, source_rows


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
    urls: ShareLinkUrls = batch(share_links.share_link_urls, "Its addresses.")
    site: Site = related(sites.Site, "site_id", "The site.")
