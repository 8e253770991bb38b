"""The table of contents beside a page: the way to it, what stands beside that, what is below.

Of a space with thousands of pages only these are shown; every other page is a few clicks away.
"""

from collections.abc import Callable, Iterable, Sequence

from db.content_enums import PageType
from published.html.view import Entry, Link
from resolvers.revisions.rows import Page

Address = Callable[[Page], str | None]


def contents_beside(tree: Sequence[Page], current: Page | None, address: Address) -> list[Entry]:
    """The entries; hidden pages are left out with what is below them, but for the way to it."""
    way = {page.id for page in way_to(tree, current)}
    return list(_level((page for page in tree if page.parent_id is None), way, current, address))


def way_to(tree: Sequence[Page], page: Page | None) -> list[Page]:
    """The pages above a page, the topmost first, and itself."""
    by_id = {item.id: item for item in tree}
    way: list[Page] = []
    at = None if page is None else by_id.get(page.id)
    while at is not None:
        way.insert(0, at)
        at = None if at.parent_id is None else by_id.get(at.parent_id)
    return way


def _level(
    pages: Iterable[Page], way: set[str], current: Page | None, address: Address
) -> Iterable[Entry]:
    for page in pages:
        if page.type is PageType.COMPUTED or (page.hidden and page.id not in way):
            continue
        below = [child for child in page.children or [] if not child.hidden or child.id in way]
        unfolded = page.id in way or page.type is PageType.GROUP
        yield Entry(
            title=page.title,
            href=address(page),
            emoji=page.emoji or "",
            current=current is not None and page.id == current.id,
            external=page.type is PageType.LINK,
            folded=bool(below) and not unfolded,
            entries=tuple(_level(below, way, current, address)) if unfolded else (),
        )


def breadcrumb(tree: Sequence[Page], page: Page, address: Address) -> list[Link]:
    """Links to the pages above a page; groups are names without an address."""
    return [Link(page_above.title, address(page_above)) for page_above in way_to(tree, page)[:-1]]
