"""Sections of sites, their groups, the structure of a site, and publishing it."""

from resolvers.core.pagination import PageArguments
from resolvers.sites import (
    operations as sites,
    order as site_order,
    publishing as site_publishing,
    section_fields as site_section_fields,
    section_groups as site_section_groups,
    sections as site_sections,
)
from rest_compat.shapes.sites.sites import (
    SITE,
    SITE_SECTION,
    SITE_SECTION_GROUP,
    SITE_STRUCTURE,
    SITE_STRUCTURE_ITEM,
)
from rest_compat.table import delete, get, page, patch, post

SITE_PATH = "/orgs/{organizationId}/sites/{siteId}"
SECTIONS, GROUPS = f"{SITE_PATH}/sections", f"{SITE_PATH}/section-groups"
SECTION, GROUP = f"{SECTIONS}/{{siteSectionId}}", f"{GROUPS}/{{siteSectionGroupId}}"
# Operation parameter -> path parameter.
OF_SITE = {"id": "siteId", "organization_id": "organizationId"}
IN_SITE = {"site_id": "siteId", "organization_id": "organizationId"}

ROUTES = (
    page(SECTIONS, "listSiteSections", "site-sections", sites.get_site,
         site_section_fields.sections_of_sites, PageArguments, SITE_SECTION, **OF_SITE),
    post(SECTIONS, "addSectionToSite", "site-sections", site_sections.add_site_section,
         SITE_SECTION, status=201, location=f"{SECTIONS}/{{id}}", **IN_SITE),
    patch(SECTION, "updateSiteSectionById", "site-sections", site_sections.update_site_section,
          SITE_SECTION, id="siteSectionId", **IN_SITE),
    delete(SECTION, "deleteSiteSectionById", "site-sections", site_sections.delete_site_section,
           id="siteSectionId", **IN_SITE),
    post(f"{SECTION}/move", "moveSiteSection", "site-sections", site_order.move_site_section,
         SITE_SECTION, body_optional=True, bad_request=True, deprecated=True,
         id="siteSectionId", **IN_SITE),
    page(GROUPS, "listSiteSectionGroups", "site-section-groups", sites.get_site,
         site_section_fields.section_groups_of_sites, PageArguments, SITE_SECTION_GROUP,
         **OF_SITE),
    post(GROUPS, "addSectionGroupToSite", "site-section-groups",
         site_section_groups.add_site_section_group, SITE_SECTION_GROUP,
         status=201, location=f"{GROUPS}/{{id}}", **IN_SITE),
    patch(GROUP, "updateSiteSectionGroupById", "site-section-groups",
          site_section_groups.update_site_section_group, SITE_SECTION_GROUP,
          id="siteSectionGroupId", **IN_SITE),
    delete(GROUP, "deleteSiteSectionGroupById", "site-section-groups",
           site_section_groups.delete_site_section_group, id="siteSectionGroupId", **IN_SITE),
    post(f"{GROUP}/move", "moveSiteSectionGroup", "site-section-groups",
         site_order.move_site_section_group, SITE_SECTION_GROUP, body_optional=True,
         bad_request=True, deprecated=True, id="siteSectionGroupId", **IN_SITE),
    post(f"{GROUP}/sections", "addSectionToGroup", "site-section-groups",
         site_section_groups.add_section_to_group, SITE_SECTION_GROUP, status=201,
         id="siteSectionGroupId", **IN_SITE),
    delete(f"{GROUP}/sections/{{siteSectionId}}", "removeSectionFromGroup",
           "site-section-groups", site_section_groups.remove_section_from_group,
           id="siteSectionGroupId", section_id="siteSectionId", **IN_SITE),
    get(f"{SITE_PATH}/structure", "getSiteStructure", "site-structure",
        site_section_fields.get_site_structure, SITE_STRUCTURE, **OF_SITE),
    patch(f"{SITE_PATH}/structure/sort", "sortSiteStructure", "sites",
          site_order.sort_site_structure, SITE_STRUCTURE_ITEM, **OF_SITE),
    post(f"{SITE_PATH}/publish", "publishSite", "sites", site_publishing.publish_site, SITE,
         **OF_SITE),
    post(f"{SITE_PATH}/unpublish", "unpublishSite", "sites", site_publishing.unpublish_site, SITE,
         **OF_SITE),
)  # fmt: skip
