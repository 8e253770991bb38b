"""Site spaces."""

from resolvers.sites import (
    operations as sites,
    order as site_order,
    space_fields as site_space_fields,
    spaces as site_spaces,
)
from resolvers.sites.space_fields import SiteSpaceArguments
from rest_compat.shapes.sites.sites import SITE_SPACE
from rest_compat.table import delete, page, patch, post

ALL = "/orgs/{organizationId}/sites/{siteId}/site-spaces"
ONE = f"{ALL}/{{siteSpaceId}}"
# Operation parameter -> path parameter.
IN_SITE = {"site_id": "siteId", "organization_id": "organizationId"}

ROUTES = (
    page(ALL, "listSiteSpaces", "site-spaces", sites.get_site,
         site_space_fields.site_spaces_of_sites, SiteSpaceArguments, SITE_SPACE,
         id="siteId", organization_id="organizationId"),
    post(ALL, "addSpaceToSite", "site-spaces", site_spaces.add_site_space, SITE_SPACE,
         status=201, location=f"{ALL}/{{id}}", **IN_SITE),
    patch(ONE, "updateSiteSpaceById", "site-spaces", site_spaces.update_site_space, SITE_SPACE,
          id="siteSpaceId", **IN_SITE),
    delete(ONE, "deleteSiteSpaceById", "site-spaces", site_spaces.delete_site_space,
           id="siteSpaceId", **IN_SITE),
    post(f"{ONE}/move", "moveSiteSpace", "site-spaces", site_order.move_site_space,
         SITE_SPACE, body_optional=True, bad_request=True, id="siteSpaceId", **IN_SITE),
)  # fmt: skip
