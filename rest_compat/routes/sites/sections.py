"""Sections of sites, their groups, the structure of a site, and publishing it."""

from resolvers.core.pagination import PageArguments
from resolvers.sites import (
    operations as sites,
    order as site_order,
    publishing as site_publishing,
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

ROUTES = (
    page(SECTIONS, "listSiteSections", "site-sections", sites.get_site,
         site_sections.sections_of_sites, PageArguments, SITE_SECTION),
    post(SECTIONS, "addSectionToSite", "site-sections", site_sections.add_site_section,
         SITE_SECTION, status=201, location=f"{SECTIONS}/{{id}}"),
    patch(SECTION, "updateSiteSectionById", "site-sections", site_sections.update_site_section,
          SITE_SECTION),
    delete(SECTION, "deleteSiteSectionById", "site-sections", site_sections.delete_site_section),
    post(f"{SECTION}/move", "moveSiteSection", "site-sections", site_order.move_site_section,
         SITE_SECTION, body_optional=True, bad_request=True, deprecated=True),
    page(GROUPS, "listSiteSectionGroups", "site-section-groups", sites.get_site,
         site_sections.section_groups_of_sites, PageArguments, SITE_SECTION_GROUP),
    post(GROUPS, "addSectionGroupToSite", "site-section-groups",
         site_section_groups.add_site_section_group, SITE_SECTION_GROUP, status=201,
         location=f"{GROUPS}/{{id}}"),
    patch(GROUP, "updateSiteSectionGroupById", "site-section-groups",
          site_section_groups.update_site_section_group, SITE_SECTION_GROUP),
    delete(GROUP, "deleteSiteSectionGroupById", "site-section-groups",
           site_section_groups.delete_site_section_group),
    post(f"{GROUP}/move", "moveSiteSectionGroup", "site-section-groups",
         site_order.move_site_section_group, SITE_SECTION_GROUP, body_optional=True,
         bad_request=True, deprecated=True),
    post(f"{GROUP}/sections", "addSectionToGroup", "site-section-groups",
         site_section_groups.add_section_to_group, SITE_SECTION_GROUP, status=201,
         location=GROUP),
    delete(f"{GROUP}/sections/{{siteSectionId}}", "removeSectionFromGroup", "site-section-groups",
           site_section_groups.remove_section_from_group, id="siteSectionGroupId",
           section_id="siteSectionId"),
    get(f"{SITE_PATH}/structure", "getSiteStructure", "site-structure",
        site_sections.get_site_structure, SITE_STRUCTURE),
    patch(f"{SITE_PATH}/structure/sort", "sortSiteStructure", "sites",
          site_order.sort_site_structure, SITE_STRUCTURE_ITEM),
    post(f"{SITE_PATH}/publish", "publishSite", "sites", site_publishing.publish_site, SITE),
    post(f"{SITE_PATH}/unpublish", "unpublishSite", "sites", site_publishing.unpublish_site, SITE),
)  # fmt: skip
