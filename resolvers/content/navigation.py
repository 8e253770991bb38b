"""How readers go through a revision: its landing page, and the pages before and behind a page.

The order is that of the table of contents, depth first. Groups and links have no page of their
own, and hidden pages are left out with what is below them.
"""

from collections.abc import Sequence
from typing import Any

from db.content_enums import PageType
from db.models.content import Revision
from resolvers.core.context import Context
from resolvers.lists.batches import reads
from resolvers.revisions.ids import asked_like
from resolvers.revisions.pages_by_path import find_landing_pages
from resolvers.revisions.rows import Page
from resolvers.revisions.tree import PagesOf, all_pages


@reads("id", "space_id", "pages_root", "slugs_root")
async def landing_pages(
    ctx: Context, rows: Sequence[Revision], arguments: Any
) -> list[Page | None]:
    """The first document of each revision, hidden or not; None when there is none."""
    return await find_landing_pages(ctx, rows)


async def pages_before(ctx: Context, rows: Sequence[Page], arguments: Any) -> list[Page | None]:
    """The page before each page; None for the first one, and for hidden pages."""
    return await _beside(ctx, rows, -1)


async def pages_behind(ctx: Context, rows: Sequence[Page], arguments: Any) -> list[Page | None]:
    """The page behind each page; None for the last one, and for hidden pages."""
    return await _beside(ctx, rows, 1)


async def _beside(ctx: Context, rows: Sequence[Page], step: int) -> list[Page | None]:
    revisions = {
        row.revision_id: PagesOf(row.revision_id, row.space_id, row.pages_root) for row in rows
    }
    trees = await all_pages(ctx, list(revisions.values()))
    ways = {id: _visible(tree) for id, tree in zip(revisions, trees, strict=True)}
    places = {id: {page.id: place for place, page in enumerate(way)} for id, way in ways.items()}
    neighbours: list[Page | None] = []
    for row in rows:
        way, place = ways[row.revision_id], places[row.revision_id].get(row.id)
        index = -1 if place is None else place + step
        beside = way[index] if 0 <= index < len(way) else None
        neighbours.append(None if beside is None else asked_like(beside, row))
    return neighbours


def _visible(tree: Sequence[Page]) -> list[Page]:
    """The documents of the navigation; `tree` holds every page behind the one above it."""
    hidden: set[str] = set()
    way = []
    for page in tree:
        if page.hidden or page.parent_id in hidden:
            hidden.add(page.id)
        elif page.type is PageType.DOCUMENT:
            way.append(page)
    return way
