"""How visitors of a site are authenticated, and previews of sites, in /v1."""

from rest_compat.shape import shape
from schema.types.sites import publishing

PUBLISHING_AUTH = shape(
    publishing.SitePublishingAuth,
    "backend privateKey fallbackURL? integration?",
    {"object": "publishing-auth"},
)
SITE_REVALIDATION = shape(
    publishing.SiteRevalidation,
    "url secret? updatedAt? lastAttemptAt? lastSuccessAt? lastStatus? lastError? failures",
    {"object": "site-revalidation"},
)
SITE_PREVIEW = shape(publishing.SitePreview, "url")
