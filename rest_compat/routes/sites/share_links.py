"""Share links of sites."""

from resolvers.core.pagination import PageArguments
from resolvers.sites import operations as sites, share_links
from rest_compat.shapes.sites.share_links import SHARE_LINK
from rest_compat.table import delete, page, patch, post

TAG = "site-share-links"
ALL = "/orgs/{organizationId}/sites/{siteId}/share-links"
ONE = f"{ALL}/{{shareLinkId}}"

ROUTES = (
    page(ALL, "listSiteShareLinks", TAG, sites.get_site, share_links.share_links_of_sites,
         PageArguments, SHARE_LINK, unused=("share_key",)),
    post(ALL, "createSiteShareLink", TAG, share_links.create_share_link, SHARE_LINK, status=201,
         location=f"{ALL}/{{id}}"),
    patch(ONE, "updateSiteShareLinkById", TAG, share_links.update_share_link, SHARE_LINK),
    delete(ONE, "deleteSiteShareLinkById", TAG, share_links.delete_share_link),
)  # fmt: skip
