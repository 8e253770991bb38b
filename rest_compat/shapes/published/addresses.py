"""What addresses of published sites lead to, in /v1."""

from resolvers.published.urls import PublishedContent
from rest_compat.shape import Renamed, Variants, keyed, nested, shape
from rest_compat.shapes.customization import SITE_CUSTOMIZATION, SITE_SPACE_CUSTOMIZATION
from rest_compat.shapes.sites.sites import SITE, SITE_STRUCTURE
from schema.types.published import addresses
from schema.types.sites import integrations, sites

PUBLISHED_LOOKUP = Variants(
    "PublishedSiteContentLookup",
    lambda row: "content" if isinstance(row, PublishedContent) else "redirect",
    {
        "content": shape(
            "PublishedSiteContent",
            addresses.PublishedSiteContent,
            "pathname basePath siteBasePath apiToken shareKey? complete contextId? canonicalUrl",
            organization=Renamed(of="organizationId"),
            site=Renamed(of="siteId"),
            siteSection=Renamed(of="siteSectionId", optional=True),
            siteSpace=Renamed(of="siteSpaceId"),
            space=Renamed(of="spaceId"),
            changeRequest=Renamed(of="changeRequestId", optional=True),
            revision=Renamed(of="revisionId", optional=True),
        ),
        "redirect": shape(
            "PublishedSiteRedirect", addresses.PublishedSiteRedirect, "target redirect"
        ),
    },
)

PUBLISHED_SITE = shape(
    "PublishedContentSite",
    addresses.PublishedContentSite,
    "",
    {"object": "published-content-site"},
    site=nested(SITE),
    structure=nested(SITE_STRUCTURE),
    customizations=nested(
        shape(
            "PublishedCustomizations",
            addresses.PublishedCustomizations,
            "",
            site=nested(SITE_CUSTOMIZATION),
            siteSpaces=keyed(
                shape(
                    "PublishedSiteSpaceCustomization",
                    sites.SiteSpace,
                    "id",
                    customization=nested(SITE_SPACE_CUSTOMIZATION),
                ),
                "id",
                "customization",
            ),
        )
    ),
    scripts=nested(
        shape(
            "SiteIntegrationScript",
            integrations.SiteIntegrationScript,
            "script contentSecurityPolicy? cookies",
        )
    ),
)
