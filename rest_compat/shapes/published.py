"""What addresses of published sites lead to, in /v1."""

from resolvers.published_urls import PublishedContent
from rest_compat.shape import Renamed, Variants, shape
from schema.types import published

PUBLISHED_LOOKUP = Variants(
    "PublishedSiteContentLookup",
    lambda row: "content" if isinstance(row, PublishedContent) else "redirect",
    {
        "content": shape(
            "PublishedSiteContent",
            published.PublishedSiteContent,
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
            "PublishedSiteRedirect", published.PublishedSiteRedirect, "target redirect"
        ),
    },
)
