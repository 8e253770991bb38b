"""What search finds, in /v1."""

from resolvers.core.pagination import PageArguments
from rest_compat.shape import named_shape, nested, shape
from rest_compat.shapes.content.pages import URLS
from schema.types import search

# Pages of each space that a search in an organization shows; the search in the space has all.
PAGES_OF_EACH = 10

SECTION = named_shape(
    "SearchSectionResult", search.SearchSection, "id:sectionId title path body", urls=URLS
)
PAGE_HIT = named_shape(
    "SearchPageResult",
    search.SearchPage,
    "id:pageId title description path",
    ancestors=shape(search.SearchAncestor, "title"),
    sections=SECTION,
    urls=URLS,
)
SPACE_HIT = named_shape(
    "SearchSpaceResult",
    search.SearchSpace,
    "id:spaceId title",
    {"type": "space"},
    pages=nested(PAGE_HIT, arguments=PageArguments(first=PAGES_OF_EACH)),
)
