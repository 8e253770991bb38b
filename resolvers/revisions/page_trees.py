"""All pages of a revision in their order, with what is looked up in them again and again."""

from functools import cached_property

from content.slugs import slug_key
from db.content_enums import PageType
from resolvers.revisions.rows import Json, Page


class PageTree(list[Page]):
    """Pages, each behind the one above it; nobody changes them once they are read.

    What they are looked up by is made when it is first asked for. A tree is cached, so all that
    read a revision share it: one page of a space of thousands costs what it shows.
    """

    @cached_property
    def by_id(self) -> dict[str, Page]:
        """The pages by id."""
        return {page.id: page for page in self}

    @cached_property
    def by_path(self) -> dict[str, Page]:
        """The pages by path as it is compared; one without a slug has no path of its own."""
        return {slug_key(page.path): page for page in self if page.slug is not None}

    @cached_property
    def top(self) -> list[Page]:
        """The pages that stand below no other."""
        return [page for page in self if page.parent_id is None]

    @cached_property
    def targets(self) -> list[Json]:
        """What the links in the table of contents lead to."""
        return [page.target for page in self if page.target is not None]

    @cached_property
    def navigation(self) -> list[Page]:
        """The documents that a reader comes to one after the other: none that is hidden, and none
        below a hidden page."""
        hidden: set[str] = set()
        documents = []
        for page in self:
            if page.hidden or page.parent_id in hidden:
                hidden.add(page.id)
            elif page.type is PageType.DOCUMENT:
                documents.append(page)
        return documents

    @cached_property
    def places(self) -> dict[str, int]:
        """Where documents stand in the navigation, by id."""
        return {page.id: place for place, page in enumerate(self.navigation)}

    def way_to(self, page: Page | None) -> list[Page]:
        """The pages above a page, the topmost first, and itself; nothing for one of elsewhere."""
        way: list[Page] = []
        at = None if page is None else self.by_id.get(page.id)
        while at is not None:
            way.append(at)
            at = None if at.parent_id is None else self.by_id.get(at.parent_id)
        return way[::-1]
