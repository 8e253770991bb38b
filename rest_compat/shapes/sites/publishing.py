"""How visitors of a site are authenticated, and previews of sites, in /v1."""

from rest_compat.shape import shape
from schema.types.sites import publishing

PUBLISHING_AUTH = shape(
    "SitePublishingAuth",
    publishing.SitePublishingAuth,
    "backend privateKey fallbackURL? integration?",
    {"object": "publishing-auth"},
)
SITE_REVALIDATION = shape(
    "SiteRevalidation",
    publishing.SiteRevalidation,
    "url secret? updatedAt? lastAttemptAt? lastSuccessAt? lastStatus? lastError? failures",
    {"object": "site-revalidation"},
)
SITE_PREVIEW = shape("SitePreview", publishing.SitePreview, "url")
