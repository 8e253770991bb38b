"""Sites and site spaces in /v1."""

from db.models.sites import SiteSection, SiteSectionGroup, SiteSpace
from db.rows import model_of
from resolvers.sites.space_fields import WholeSection
from rest_compat.shape import Renamed, Variants, nested, shape
from rest_compat.shapes.spaces import SPACE
from schema.types.sites import sites, structure as site_structure

THEMED_URL = shape("ThemedURL", sites.ThemedUrl, "light dark")

SITE = shape(
    "Site",
    sites.Site,
    "id type title hostname? basename? visibility published createdAt agentsContext previews",
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
        shape("SiteFeature", sites.SiteFeature, "id:key plan frozen customizations?"),
    ),
    urls=nested(shape("SiteUrls", sites.SiteUrls, "location app published?")),
)

SITE_SPACE = shape(
    "SiteSpace",
    sites.SiteSpace,
    "id path title default condition? hasAdvancedCustomizationFeature",
    {"object": "site-space", "draft": False},
    section=Renamed(of="sectionId", optional=True),
    space=nested(SPACE),
    urls=nested(shape("SiteSpaceUrls", sites.SiteSpaceUrls, "published?")),
)

SITE_SECTION = shape(
    "SiteSection",
    site_structure.SiteSection,
    "id title description? default path condition? icon?",
    {"object": "site-section", "draft": False},
    sectionGroup=Renamed(of="sectionGroupId", optional=True),
    siteSpaces=nested(SITE_SPACE, arguments=WholeSection()),
    urls=nested(shape("SiteSectionUrls", site_structure.SiteSectionUrls, "published?")),
)

# A group in a group holds sections only.
INNER_GROUP = shape(
    "SiteSectionInnerGroup",
    site_structure.SiteSectionGroup,
    "id title icon?",
    {"object": "site-section-group", "draft": False},
    sectionGroup=Renamed(of="sectionGroupId", optional=True),
    sections=nested(SITE_SECTION),
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
    "SiteSectionGroup",
    site_structure.SiteSectionGroup,
    "id title icon?",
    {"object": "site-section-group", "draft": False},
    sectionGroup=Renamed(of="sectionGroupId", optional=True),
    sections=nested(SITE_SECTION),
    children=nested(
        lambda: Variants(
            "SiteSectionGroupChild",
            _kind,
            {"site-section": SITE_SECTION, "site-section-group": INNER_GROUP},
        )
    ),
)
_HEADED = {"site-section": SITE_SECTION, "site-section-group": SITE_SECTION_GROUP}
SITE_STRUCTURE_ITEM = Variants("SiteStructureItem", _kind, {"site-space": SITE_SPACE, **_HEADED})
SITE_STRUCTURE = Variants(
    "SiteStructure",
    lambda row: str(row.type),
    {
        "sections": shape(
            "SiteStructureSections",
            site_structure.SiteSectionStructure,
            "type",
            structure=nested(lambda: Variants("SiteSectionOrGroup", _kind, _HEADED)),
        ),
        "siteSpaces": shape(
            "SiteStructureSiteSpaces",
            site_structure.SiteSpaceStructure,
            "type",
            structure=nested(SITE_SPACE),
        ),
    },
)
