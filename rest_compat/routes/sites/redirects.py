"""Redirects of sites."""

from resolvers.published import redirect_lookup as site_redirect_lookup
from resolvers.sites import operations as sites, redirects as site_redirects
from resolvers.sites.redirects import SiteRedirectArguments
from rest_compat.shapes.sites.redirects import (
    SITE_REDIRECT,
    SITE_REDIRECT_MATCH,
    SITE_REDIRECT_RESULTS,
)
from rest_compat.table import delete, get, page, patch, post, put

TAG = "site-redirects"
SITE = "/orgs/{organizationId}/sites/{siteId}"
ALL = f"{SITE}/redirects"
ONE = f"{ALL}/{{siteRedirectId}}"

ROUTES = (
    page(ALL, "listSiteRedirects", TAG, sites.get_site, site_redirects.redirects_of_sites,
         SiteRedirectArguments, SITE_REDIRECT, unused=("share_key",)),
    post(ALL, "createSiteRedirect", TAG, site_redirects.create_site_redirect, SITE_REDIRECT,
         status=201, location=f"{ALL}/{{id}}"),
    put(ALL, "writeSiteRedirects", TAG, site_redirects.write_site_redirects,
        SITE_REDIRECT_RESULTS),
    patch(ONE, "updateSiteRedirectById", TAG, site_redirects.update_site_redirect, SITE_REDIRECT),
    delete(ONE, "deleteSiteRedirectById", TAG, site_redirects.delete_site_redirect),
    get(f"{SITE}/redirect", "getSiteRedirectBySource", TAG,
        site_redirect_lookup.get_site_redirect_by_source, SITE_REDIRECT_MATCH,
        query_names={"source": "source"}),
)  # fmt: skip
