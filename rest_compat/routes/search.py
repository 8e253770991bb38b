"""Search in spaces, in organizations and in sites."""

from resolvers.organizations import operations as organizations
from resolvers.search import groups as search_groups, operations as search
from resolvers.search.operations import SearchArguments
from resolvers.sites import operations as sites, search as site_search
from resolvers.sites.search import SiteSearchArguments
from resolvers.spaces import operations as spaces
from rest_compat.shapes.search import PAGE_HIT, SPACE_HIT
from rest_compat.table import page

ROUTES = (
    page("/spaces/{spaceId}/search", "searchSpaceContent", "space-content", spaces.get_space,
         search.search_spaces, SearchArguments, PAGE_HIT, unused=("share_key",),
         kept=True),
    page("/orgs/{organizationId}/search", "searchOrganizationContent", "organizations",
         organizations.get_organization, search_groups.search_organizations, SearchArguments,
         SPACE_HIT),
    page("/orgs/{organizationId}/sites/{siteId}/search", "searchSiteContent", "sites",
         sites.get_site, site_search.search_sites, SiteSearchArguments, SPACE_HIT,
         body_arguments=site_search.search_arguments),
)  # fmt: skip
