"""What addresses of published sites lead to, in /v1."""

from resolvers.published.urls import PublishedContent
from rest_compat.shape import Variants, keyed, named_shape, renamed, shape
from rest_compat.shapes.customization import SITE_CUSTOMIZATION, SITE_SPACE_CUSTOMIZATION
from rest_compat.shapes.sites.sites import SITE, SITE_STRUCTURE
from schema.types import integrations
from schema.types.published import addresses
from schema.types.sites import sites

PUBLISHED_LOOKUP = Variants(
    "PublishedSiteContentLookup",
    lambda row: "content" if isinstance(row, PublishedContent) else "redirect",
    {
        "content": shape(
            addresses.PublishedSiteContent,
            "pathname basePath siteBasePath apiToken shareKey? complete contextId? canonicalUrl",
            organization=renamed(of="organizationId"),
            site=renamed(of="siteId"),
            siteSection=renamed(of="siteSectionId", optional=True),
            siteSpace=renamed(of="siteSpaceId"),
            space=renamed(of="spaceId"),
            changeRequest=renamed(of="changeRequestId", optional=True),
            revision=renamed(of="revisionId", optional=True),
        ),
        "redirect": shape(addresses.PublishedSiteRedirect, "target redirect"),
    },
)

PUBLISHED_SITE = shape(
    addresses.PublishedContentSite,
    "",
    {"object": "published-content-site"},
    site=SITE,
    structure=SITE_STRUCTURE,
    customizations=shape(
        addresses.PublishedCustomizations,
        "",
        site=SITE_CUSTOMIZATION,
        siteSpaces=keyed(
            named_shape(
                "PublishedSiteSpaceCustomization",
                sites.SiteSpace,
                "id",
                customization=SITE_SPACE_CUSTOMIZATION,
            ),
            "id",
            "customization",
        ),
    ),
    scripts=shape(integrations.SiteIntegrationScript, "script contentSecurityPolicy? cookies"),
)
