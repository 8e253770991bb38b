"""Share links: keys in the address of a site, each of which opens it while it is active."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import strawberry
from strawberry import Maybe

from db.enums import Role
from db.models.site_settings import ShareLink
from db.order_enums import ShareLinkOrderField
from resolvers.access.policy import ranks_of
from resolvers.addresses.bases import site_addresses
from resolvers.core import inputs
from resolvers.core.arguments import InOrganization, OfSite, ShareLinkId, SiteId
from resolvers.core.context import Context
from resolvers.core.deletions import Deletion, finding_what_to_delete
from resolvers.core.orders import Orders, ShareLinkOrder, by
from resolvers.core.pagination import PageArguments, by_id
from resolvers.core.urls import Urls
from resolvers.lists.batches import reads
from resolvers.lists.listings import Listing
from resolvers.sites.locks import locked_part
from resolvers.sites.operations import must_site

NAME_LENGTH = 50


@strawberry.input(description="A new share link.")
class CreateShareLinkInput:
    name: str = inputs.text(
        "What it is for; several links may have one name.", min=1, max=NAME_LENGTH, required=True
    )


@strawberry.input(description="Changes to a share link; absent fields stay as they are.")
class UpdateShareLinkInput:
    name: Maybe[str] = inputs.text("What it is for.", min=1, max=NAME_LENGTH)
    active: Maybe[bool] = inputs.field(
        "Whether it opens the site; this takes effect at once, and the key stays the same."
    )


async def create_share_link(
    ctx: Context,
    site_id: SiteId,
    input: CreateShareLinkInput,
    organization_id: InOrganization = None,
) -> ShareLink:
    """Make a share link, active, with a key of its own; needs the organization role `create`."""
    site = await must_site(ctx, site_id, organization_id, Role.CREATE)
    link = ShareLink(site_id=site.id, name=input.name, created_at=ctx.now())
    ctx.session.add(link)
    await ctx.session.flush()
    return link


async def update_share_link(
    ctx: Context,
    id: ShareLinkId,
    input: UpdateShareLinkInput,
    site_id: OfSite = None,
    organization_id: InOrganization = None,
) -> ShareLink:
    """Rename a share link or switch it on or off; needs the organization role `create`."""
    link = await locked_part(ctx, ShareLink, id, site_id, organization_id)
    inputs.assign(link, input, "name", "active")
    return link


async def delete_share_link(
    ctx: Context,
    id: ShareLinkId,
    site_id: OfSite = None,
    organization_id: InOrganization = None,
) -> Deletion:
    """Delete a share link, which closes the site to its key at once."""
    with finding_what_to_delete():
        link = await locked_part(ctx, ShareLink, id, site_id, organization_id)
    await ctx.session.delete(link)
    return Deletion(deleted_id=link.id, site_id=link.site_id)


@dataclass(frozen=True)
class ShareLinkArguments(PageArguments):
    """The order of a list of share links."""

    order_by: Annotated[
        ShareLinkOrder | None, inputs.argument("Order; oldest first when absent.")
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
