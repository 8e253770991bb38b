"""Sites."""

from resolvers.organizations import operations as organizations
from resolvers.sites import fields as site_fields, operations as sites
from resolvers.sites.fields import SiteArguments
from rest_compat.shapes.sites.sites import SITE
from rest_compat.table import delete, get, page, patch, post

SITES = "/orgs/{organizationId}/sites"
ONE = f"{SITES}/{{siteId}}"

ROUTES = (
    page(SITES, "listSites", "sites", organizations.get_organization,
         site_fields.sites_of_organizations, SiteArguments, SITE),
    post(SITES, "createSite", "sites", sites.create_site, SITE, status=201,
         location=f"{SITES}/{{id}}", body_optional=True),
    get(ONE, "getSiteById", "sites", sites.get_site, SITE),
    patch(ONE, "updateSiteById", "sites", sites.update_site, SITE),
    delete(ONE, "deleteSiteById", "sites", sites.delete_site),
)  # fmt: skip
