"""Share links of sites."""

from resolvers.core.pagination import PageArguments
from resolvers.sites import operations as sites, share_link_fields, share_links
from rest_compat.shapes.sites.share_links import SHARE_LINK
from rest_compat.table import delete, page, patch, post

TAG = "site-share-links"
ALL = "/orgs/{organizationId}/sites/{siteId}/share-links"
ONE = f"{ALL}/{{shareLinkId}}"
IN_SITE = {"site_id": "siteId", "organization_id": "organizationId"}

ROUTES = (
    page(ALL, "listSiteShareLinks", TAG, sites.get_site, share_link_fields.share_links_of_sites,
         PageArguments, SHARE_LINK, id="siteId", organization_id="organizationId",
         unused=("share_key",)),
    post(ALL, "createSiteShareLink", TAG, share_links.create_share_link, SHARE_LINK, status=201,
         location=f"{ALL}/{{id}}", **IN_SITE),
    patch(ONE, "updateSiteShareLinkById", TAG, share_links.update_share_link, SHARE_LINK,
          id="shareLinkId", **IN_SITE),
    delete(ONE, "deleteSiteShareLinkById", TAG, share_links.delete_share_link,
           id="shareLinkId", **IN_SITE),
)  # fmt: skip
