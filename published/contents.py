"""The table of contents beside a page: the way to it, what stands beside that, what is below.

Of a space with thousands of pages only these are shown; every other page is a few clicks away.
"""

from collections.abc import Callable, Iterable

from db.content_enums import PageType
from published.html.view import Entry, Link
from resolvers.revisions.page_trees import PageTree
from resolvers.revisions.rows import Page

Address = Callable[[Page], str | None]


def contents_beside(tree: PageTree, current: Page | None, address: Address) -> list[Entry]:
    """The entries; hidden pages are left out with what is below them, but for the way to it."""
    way = {page.id for page in tree.way_to(current)}
    return list(_level(tree.top, way, current, address))


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


def breadcrumb(tree: PageTree, page: Page, address: Address) -> list[Link]:
    """Links to the pages above a page; groups are names without an address."""
    return [Link(page_above.title, address(page_above)) for page_above in tree.way_to(page)[:-1]]
