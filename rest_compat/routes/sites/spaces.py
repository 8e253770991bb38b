"""Site spaces."""

from resolvers.sites import operations as sites, order as site_order, spaces as site_spaces
from resolvers.sites.spaces import SiteSpaceArguments
from rest_compat.shapes.sites.sites import SITE_SPACE
from rest_compat.table import delete, page, patch, post

ALL = "/orgs/{organizationId}/sites/{siteId}/site-spaces"
ONE = f"{ALL}/{{siteSpaceId}}"

ROUTES = (
    page(ALL, "listSiteSpaces", "site-spaces", sites.get_site,
         site_spaces.site_spaces_of_sites, SiteSpaceArguments, SITE_SPACE),
    post(ALL, "addSpaceToSite", "site-spaces", site_spaces.add_site_space, SITE_SPACE, status=201,
         location=f"{ALL}/{{id}}"),
    patch(ONE, "updateSiteSpaceById", "site-spaces", site_spaces.update_site_space, SITE_SPACE),
    delete(ONE, "deleteSiteSpaceById", "site-spaces", site_spaces.delete_site_space),
    post(f"{ONE}/move", "moveSiteSpace", "site-spaces", site_order.move_site_space, SITE_SPACE,
         body_optional=True, bad_request=True),
)  # fmt: skip
