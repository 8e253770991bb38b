"""What search finds: pages with their sections, and spaces with their pages."""

import strawberry

from resolvers.core.pagination import PageArguments
from resolvers.search import (
    groups as search_groups,
    operations as search,
    sections as search_sections,
)
from schema.types.above import Space
from schema.types.content.pages import ContentUrls, Page
from schema.wiring import Connection, batch, column


@strawberry.type(description="A part of a page in which something was found.")
class SearchSection:
    section_id: strawberry.ID = column(
        "Anchor of its heading; the part before the first heading has the stable id of the page.",
        attribute="id",
    )
    title: str = column("Its heading, or the title of the page before the first one.")
    path: str = column("Path of the page in the space, with `#` and the anchor.")
    body: str = column("The piece of its text with what was found, at most 200 characters.")
    html: str = column(
        "The same for HTML: what was found is in `mark` elements, all else is escaped."
    )
    urls: ContentUrls = batch(search_sections.section_urls, "Addresses of the section.")


@strawberry.type(description="A page above one that was found.")
class SearchAncestor:
    page_id: strawberry.ID = column("Id of the page.", attribute="id")
    title: str = column("Title of the page.")


@strawberry.type(description="A page that was found.")
class SearchPage:
    page_id: strawberry.ID = column("Stable id of the page.", attribute="id")
    title: str = column("Title of the page.")
    path: str = column("Path of the page in the space.")
    description: str = column("Description of the page; empty without one.")
    ancestors: list[SearchAncestor] = batch(
        search_groups.ancestors_of_hits, "The pages above it, the outermost first."
    )
    page: Page = batch(search_groups.pages_of_hits, "The page itself.")
    sections: list[SearchSection] = batch(
        search_sections.sections_of_hits,
        "The parts of the page that were found, at most 5, best first; none when only its title "
        "or description was.",
    )
    urls: ContentUrls = batch(search.hit_urls, "Addresses of the page.")


@strawberry.type(description="A space in which something was found.")
class SearchSpace:
    space_id: strawberry.ID = column("Id of the space.", attribute="id")
    title: str = column("Name of the space.")
    space: Space = batch(search_groups.spaces_of_hits, "The space itself.")
    pages: Connection[SearchPage] = batch(
        search_groups.hits_of_spaces, "The pages that were found in it, best first.",
        arguments=PageArguments,
    )  # fmt: skip
