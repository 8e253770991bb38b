"""Share links: keys in the address of a site, each of which opens it while it is active."""

import strawberry
from strawberry import Maybe

from db.enums import Role
from db.models.site_settings import ShareLink
from db.models.sites import Site
from resolvers.access.policy import must
from resolvers.core import inputs
from resolvers.core.arguments import InOrganization, OfSite, ShareLinkId, SiteId
from resolvers.core.context import Context
from resolvers.core.deletions import Deletion, finding_what_to_delete
from resolvers.sites.locks import locked_part
from resolvers.sites.operations import in_organization

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
    where = in_organization(organization_id)
    site = await must(ctx, Site, site_id, Role.CREATE, where=where)
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
