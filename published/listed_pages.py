"""Pages of a space as lists for machines have them, with their canonical addresses."""

from published.html.machine import ListedPage
from published.look import Look
from resolvers.published.lists import ListedPages


def listed_pages(
    look: Look, listed: ListedPages, start: int = 0, end: int | None = None
) -> list[ListedPage]:
    """The pages of a space in their order, or some of them."""
    pages = []
    for page in listed.pages[start:end]:
        path = "" if page.id == listed.landing_id else page.path
        pages.append(
            ListedPage(
                page.title,
                look.addresses.canonical_page(page.space_id, path),
                page.description or "",
                None if page.updated_at is None else f"{page.updated_at:%Y-%m-%dT%H:%M:%SZ}",
            )
        )
    return pages
