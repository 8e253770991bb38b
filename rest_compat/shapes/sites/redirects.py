"""Redirects of sites in /v1."""

from rest_compat.shape import nested, shape
from schema.types.sites import redirects as site_redirects

SITE_REDIRECT = shape(
    site_redirects.SiteRedirect,
    "id source captureWildcard permanent draft broken createdAt updatedAt",
    {"object": "site-redirect"},
    destination=shape(
        site_redirects.SiteRedirectDestination, "kind siteSectionId? siteSpaceId? pageId? url?"
    ),
)
SITE_REDIRECT_MATCH = shape(
    site_redirects.SiteRedirectMatch, "target status", redirect=SITE_REDIRECT
)
SITE_REDIRECT_RESULTS = shape(
    site_redirects.SiteRedirectResults,
    "",
    results=shape(
        site_redirects.SiteRedirectResult,
        "source status message?",
        redirect=nested(SITE_REDIRECT, optional=True),
    ),
)
