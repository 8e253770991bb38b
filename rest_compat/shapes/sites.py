"""Sites and site spaces in /v1."""

from rest_compat.shape import Renamed, nested, shape
from rest_compat.shapes.spaces import SPACE
from schema.types import sites

THEMED_URL = shape("ThemedURL", sites.ThemedUrl, "light dark")

SITE = shape(
    "Site",
    sites.Site,
    "id type title hostname? basename? visibility published createdAt agentsContext",
    {"object": "site"},
    siteSpaces=Renamed(of="siteSpaceCount"),
    # Null when there is none: the specification allows it, and clients can rely on the member.
    icon=nested(
        shape(
            "SiteIcon",
            sites.SiteIcon,
            "emoji?",
            icon=nested(THEMED_URL, optional=True),
        )
    ),
    proxy=nested(shape("SiteProxy", sites.SiteProxy, "origin target"), optional=True),
    adaptiveContent=nested(shape("SiteAdaptiveContent", sites.SiteAdaptiveContent, "enabled")),
    features=nested(
        shape("SiteFeature", sites.SiteFeature, "id plan frozen customizations?"),
    ),
    urls=nested(shape("SiteUrls", sites.SiteUrls, "location app published?")),
)

SITE_SPACE = shape(
    "SiteSpace",
    sites.SiteSpace,
    "id path title default condition? hasAdvancedCustomizationFeature",
    {"object": "site-space"},
    section=Renamed(of="sectionId", optional=True),
    space=nested(SPACE),
    urls=nested(shape("SiteSpaceUrls", sites.SiteSpaceUrls, "published?")),
)
