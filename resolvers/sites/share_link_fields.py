"""Lists of share links, and the addresses with their keys."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import strawberry

from db.enums import Role
from db.models.site_settings import ShareLink
from db.order_enums import ShareLinkOrderField
from resolvers.access.policy import ranks_of
from resolvers.addresses.bases import site_addresses
from resolvers.core.context import Context
from resolvers.core.orders import Orders, ShareLinkOrder, by
from resolvers.core.pagination import PageArguments, by_id
from resolvers.core.urls import Urls
from resolvers.lists.batches import reads
from resolvers.lists.listings import Listing


@dataclass(frozen=True)
class ShareLinkArguments(PageArguments):
    """The order of a list of share links."""

    order_by: Annotated[
        ShareLinkOrder | None,
        strawberry.argument(description="Order; oldest first when absent."),
    ] = None


ORDERS = Orders(
    by(ShareLink.id),
    {
        ShareLinkOrderField.CREATED_AT: by(ShareLink.created_at),
        ShareLinkOrderField.NAME: by(ShareLink.name_key),
    },
)
share_links_of_sites = Listing(
    "share_links_of_sites",
    ShareLink,
    ShareLink.site_id,
    ORDERS.or_else(by_id(ShareLink)),
    about="Share links of sites, oldest first; for members of the organization.",
)


@reads("id", "site_id", "secret", "active")
async def share_link_urls(ctx: Context, rows: Sequence[ShareLink], arguments: Any) -> list[Urls]:
    """Where each link leads, with its key: only for the role `create`, and only while it opens
    the site: the link is active, the site is published and its audience is `share-link`.
    """
    addresses = await site_addresses(ctx, {row.site_id for row in rows if row.active})
    ranks = await ranks_of(ctx, ShareLink, rows)
    urls = []
    for row, rank in zip(rows, ranks, strict=True):
        address = addresses.get(row.site_id)
        shown = rank >= Role.CREATE.rank and row.active and address is not None and address.by_key
        urls.append(Urls(published=f"{address.base}/{row.secret}") if shown and address else Urls())
    return urls
