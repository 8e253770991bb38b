"""The pages of a published site in lists for machines: for assistants, for search engines."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from db.content_enums import PageType
from resolvers.core.context import Context
from resolvers.published.frames import SiteFrame, read_site_frame
from resolvers.published.texts import PublishedText, read_published_texts
from resolvers.published.urls import PublishedContent
from resolvers.revisions.objects import active_revisions
from resolvers.revisions.rows import Page
from resolvers.revisions.tree import all_pages

# Pages of one part of the whole text of a site.
PART = 100
# The ids of a space and of a page in it.
PageKey = tuple[str, str]


@dataclass(frozen=True, slots=True)
class ListedPages:
    """The documents of a site space in their order."""

    # A row of the site's structure.
    site_space: Any
    pages: Sequence[Page]
    landing_id: str | None


async def list_pages(
    ctx: Context,
    frame: SiteFrame,
    includes: Callable[[Page], bool],
    site_space_id: str | None = None,
) -> list[ListedPages]:
    """The documents of every space that is there for the visitor, or of one of them; one statement
    and cached trees.

    What is below a page that is left out is judged by itself.
    """
    rows = [
        row
        for row in frame.map.structure.site_spaces
        if row.id in frame.map.shown.site_space_ids and site_space_id in (None, row.id)
    ]
    revisions = await active_revisions(ctx, [row.space_id for row in rows])
    present = [row for row in rows if row.space_id in revisions]
    trees = await all_pages(ctx, [revisions[row.space_id] for row in present])
    listed = []
    for row, tree in zip(present, trees, strict=True):
        documents = [page for page in tree if page.type is PageType.DOCUMENT]
        landing = documents[0].id if documents else None
        listed.append(ListedPages(row, [page for page in documents if includes(page)], landing))
    return listed


def for_assistants(page: Page) -> bool:
    """Whether assistants get a link to a page: not when search leaves it out, or it is hidden."""
    return not page.hidden and not page.out_of_search


def for_crawlers(page: Page) -> bool:
    """Whether search engines get the address of a page."""
    return not page.hidden and not page.closed_to_crawlers and not page.out_of_search


async def part_of_whole(
    ctx: Context, frame: SiteFrame, number: int
) -> tuple[list[PageKey], int] | None:
    """The pages of a part of the whole text, hidden ones too, and how many parts there are.

    None where there is no such part.
    """
    listed = await list_pages(ctx, frame, lambda page: True)
    pages = [(page.space_id, page.id) for entry in listed for page in entry.pages]
    parts = max(1, -(-len(pages) // PART))
    if not 1 <= number <= parts:
        return None
    return pages[(number - 1) * PART : number * PART], parts


async def texts_of_pages(
    ctx: Context, content: PublishedContent, keys: Sequence[PageKey]
) -> list[PublishedText]:
    """The texts of these pages as they are now; without those that are gone meanwhile. NotFound
    when the site is not there for the visitor any more."""
    frame = await read_site_frame(ctx, content)
    listed = await list_pages(ctx, frame, lambda page: True)
    asked_for = set(keys)
    pages = {
        key: page
        for entry in listed
        for page in entry.pages
        if (key := (page.space_id, page.id)) in asked_for
    }
    return await read_published_texts(ctx, [pages[key] for key in keys if key in pages])
