"""Sites and site spaces in /v1."""

from db.models.sites import SiteSection, SiteSectionGroup, SiteSpace
from db.rows import model_of
from resolvers.sites.spaces import WholeSection
from rest_compat.shape import Variants, named_shape, nested, renamed, shape
from rest_compat.shapes.spaces import SPACE
from schema.types.sites import sites, structure as site_structure

THEMED_URL = named_shape("ThemedURL", sites.ThemedUrl, "light dark")

SITE = shape(
    sites.Site,
    "id type title hostname? basename? visibility published createdAt agentsContext previews",
    {"object": "site"},
    siteSpaces=renamed(of="siteSpaceCount"),
    # Null when there is none: the specification allows it, and clients can rely on the member.
    icon=shape(sites.SiteIcon, "emoji?", icon=nested(THEMED_URL, optional=True)),
    proxy=nested(shape(sites.SiteProxy, "origin target"), optional=True),
    adaptiveContent=shape(sites.SiteAdaptiveContent, "enabled"),
    features=shape(sites.SiteFeature, "id:key plan frozen customizations?"),
    urls=shape(sites.SiteUrls, "location app published?"),
)

SITE_SPACE = shape(
    sites.SiteSpace,
    "id path title default condition? hasAdvancedCustomizationFeature",
    {"object": "site-space", "draft": False},
    section=renamed(of="sectionId", optional=True),
    space=SPACE,
    urls=shape(sites.SiteSpaceUrls, "published?"),
)

SITE_SECTION = shape(
    site_structure.SiteSection,
    "id title description? default path condition? icon?",
    {"object": "site-section", "draft": False},
    sectionGroup=renamed(of="sectionGroupId", optional=True),
    siteSpaces=nested(SITE_SPACE, arguments=WholeSection()),
    urls=shape(site_structure.SiteSectionUrls, "published?"),
)

# A group in a group holds sections only.
INNER_GROUP = named_shape(
    "SiteSectionInnerGroup",
    site_structure.SiteSectionGroup,
    "id title icon?",
    {"object": "site-section-group", "draft": False},
    sectionGroup=renamed(of="sectionGroupId", optional=True),
    sections=SITE_SECTION,
    children=nested(SITE_SECTION, of="sections"),
)
_KINDS = {
    SiteSection: "site-section",
    SiteSectionGroup: "site-section-group",
    SiteSpace: "site-space",
}


def _kind(row: object) -> str:
    return _KINDS[model_of(row)]


SITE_SECTION_GROUP = shape(
    site_structure.SiteSectionGroup,
    "id title icon?",
    {"object": "site-section-group", "draft": False},
    sectionGroup=renamed(of="sectionGroupId", optional=True),
    sections=SITE_SECTION,
    children=lambda: Variants(
        "SiteSectionGroupChild",
        _kind,
        {"site-section": SITE_SECTION, "site-section-group": INNER_GROUP},
    ),
)
_HEADED = {"site-section": SITE_SECTION, "site-section-group": SITE_SECTION_GROUP}
SITE_STRUCTURE_ITEM = Variants("SiteStructureItem", _kind, {"site-space": SITE_SPACE, **_HEADED})
SITE_STRUCTURE = Variants(
    "SiteStructure",
    lambda row: str(row.type),
    {
        "sections": named_shape(
            "SiteStructureSections",
            site_structure.SiteSectionStructure,
            "type",
            structure=lambda: Variants("SiteSectionOrGroup", _kind, _HEADED),
        ),
        "siteSpaces": named_shape(
            "SiteStructureSiteSpaces",
            site_structure.SiteSpaceStructure,
            "type",
            structure=SITE_SPACE,
        ),
    },
)
