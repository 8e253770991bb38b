"""Redirects of sites in /v1."""

from rest_compat.shape import nested, shape
from schema.types.sites import redirects as site_redirects

SITE_REDIRECT = shape(
    "SiteRedirect",
    site_redirects.SiteRedirect,
    "id source captureWildcard permanent draft broken createdAt updatedAt",
    {"object": "site-redirect"},
    destination=nested(
        shape(
            "SiteRedirectDestination",
            site_redirects.SiteRedirectDestination,
            "kind siteSectionId? siteSpaceId? pageId? url?",
        )
    ),
)
SITE_REDIRECT_MATCH = shape(
    "SiteRedirectMatch",
    site_redirects.SiteRedirectMatch,
    "target status",
    redirect=nested(SITE_REDIRECT),
)
SITE_REDIRECT_RESULTS = shape(
    "SiteRedirectResults",
    site_redirects.SiteRedirectResults,
    "",
    results=nested(
        shape(
            "SiteRedirectResult",
            site_redirects.SiteRedirectResult,
            "source status message?",
            redirect=nested(SITE_REDIRECT, optional=True),
        )
    ),
)
