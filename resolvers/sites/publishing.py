"""Publishing a site and taking it offline (docs/sites.md, "Publishing and addresses")."""

from db.enums import Role
from db.models.sites import Site
from resolvers.addresses.visibilities import note_visibilities, spaces_on
from resolvers.core.arguments import InOrganization, SiteId
from resolvers.core.context import Context
from resolvers.core.errors import PreconditionFailed
from resolvers.sites.locks import locked_site
from resolvers.sites.operations import must_site
from resolvers.sites.writes import lock_spaces_shown_to_all


async def publish_site(ctx: Context, id: SiteId, organization_id: InOrganization = None) -> Site:
    """Make a site live for its audience; needs the organization role `create`.

    A site that is live stays as it is; one without any site space cannot be published.
    """
    structure = await locked_site(ctx, id, organization_id)
    site = structure.site
    if not site.published:
        if not structure.spaces:
            raise PreconditionFailed("the site has no site space; add a space before publishing it")
        site.published = True
        await note_visibilities(ctx, site, spaces_on(site), None, site.visibility)
        await lock_spaces_shown_to_all(ctx, site)
    return site


async def unpublish_site(ctx: Context, id: SiteId, organization_id: InOrganization = None) -> Site:
    """Take a site offline; its settings stay. Needs the organization role `create`."""
    site = await must_site(ctx, id, organization_id, Role.CREATE, lock=True)
    if site.published:
        site.published = False
        await note_visibilities(ctx, site, spaces_on(site), site.visibility, None)
    return site
