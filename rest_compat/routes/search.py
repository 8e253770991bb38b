"""Search in spaces and in organizations."""

from resolvers import organizations, search, spaces
from resolvers.search import SearchArguments
from rest_compat.shapes.search import PAGE_HIT, SPACE_HIT
from rest_compat.table import page

ROUTES = (
    page("/spaces/{spaceId}/search", "searchSpaceContent", "space-content", spaces.get_space,
         search.search_spaces, SearchArguments, PAGE_HIT, id="spaceId", unused=("share_key",)),
    page("/orgs/{organizationId}/search", "searchOrganizationContent", "organizations",
         organizations.get_organization, search.search_organizations, SearchArguments, SPACE_HIT,
         id="organizationId"),
)  # fmt: skip
