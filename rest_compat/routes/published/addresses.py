"""What visitors of published sites read, and what decides who they are."""

from resolvers.published import (
    operations as published_lookup,
    previews as site_previews,
    sites as published_sites,
)
from resolvers.sites import publishing_auth, revalidation as site_revalidation
from rest_compat.shapes.published.addresses import PUBLISHED_LOOKUP, PUBLISHED_SITE
from rest_compat.shapes.sites.publishing import PUBLISHING_AUTH, SITE_PREVIEW, SITE_REVALIDATION
from rest_compat.table import get, patch, post, put

URLS = "/urls/published"
PUBLISHING = "/orgs/{organizationId}/sites/{siteId}/publishing"
AUTH = f"{PUBLISHING}/auth"
REVALIDATION = "/orgs/{organizationId}/sites/{siteId}/revalidation"

ROUTES = (
    post(URLS, "resolvePublishedContentByUrl", "urls", published_lookup.resolve_published_url,
         PUBLISHED_LOOKUP, reading=True, bad_request=True, lasts=published_lookup.lasts),
    get(URLS, "getPublishedContentByUrl", "urls", published_lookup.get_published_site,
        PUBLISHED_LOOKUP, bad_request=True, deprecated=True,
        query_names={"url": "url", "visitor_token": "visitorAuthToken"},
        unused=("unsigned_claims",)),
    get("/orgs/{organizationId}/sites/{siteId}/published", "getPublishedContentSite", "sites",
        published_sites.get_published_content_site, PUBLISHED_SITE),
    get(AUTH, "getSitePublishingAuthById", "site-publishing-auth",
        publishing_auth.get_site_publishing_auth, PUBLISHING_AUTH),
    patch(AUTH, "updateSitePublishingAuthById", "site-publishing-auth",
          publishing_auth.update_site_publishing_auth, PUBLISHING_AUTH),
    post(f"{AUTH}/regenerate", "regenerateSitePublishingAuthById", "site-publishing-auth",
         publishing_auth.regenerate_site_publishing_auth, PUBLISHING_AUTH),
    get(REVALIDATION, "getSiteRevalidation", "sites", site_revalidation.get_site_revalidation,
        SITE_REVALIDATION),
    put(REVALIDATION, "setSiteRevalidation", "sites", site_revalidation.set_site_revalidation,
        SITE_REVALIDATION),
    post(f"{REVALIDATION}/regenerate", "regenerateSiteRevalidationSecret", "sites",
         site_revalidation.regenerate_site_revalidation_secret, SITE_REVALIDATION),
    get(f"{PUBLISHING}/preview", "getSitePublishingPreviewById", "site-preview",
        site_previews.get_site_preview, SITE_PREVIEW),
    post("/orgs/{organizationId}/sites/{siteId}/customization/preview",
         "getSiteCustomizationPreview", "site-customization",
         site_previews.get_site_customization_preview, SITE_PREVIEW, reading=True),
)  # fmt: skip
