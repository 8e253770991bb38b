"""Where the references of a published page lead: on the site where they can, else nowhere."""

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from content.documents.content_references import read_reference
from content.documents.nodes import text_of
from content.html.rendering import BROKEN, Target
from content.json_types import JsonObject
from content.links.meaning import Standing, meaning_of
from content.links.references import reference_key
from db.content_enums import PageType
from published.addresses import Addresses
from resolvers.published.pages import ShownSpace
from resolvers.revisions.rows import Page

# With a scheme or a host, or a place on the page itself.
_COMPLETE = re.compile("[a-zA-Z][a-zA-Z0-9+.-]*:|//|#")


@dataclass(frozen=True, slots=True)
class References:
    """The references of one page of a space."""

    page: Page
    space: ShownSpace
    addresses: Addresses
    # Whether pages of other sites are opened in a window of their own.
    new_window: bool = False

    def address(self, page: Page, anchor: str = "") -> str:
        """The address of a page of this space; the landing page is at the space's own."""
        path = "" if page.id == self.space.landing_id else page.path
        return self.addresses.page(page.space_id, path, anchor)

    def resolve(self, reference: JsonObject) -> Target:
        """The target of a content reference: its address and its texts."""
        kind, space = text_of(reference, "kind"), text_of(reference, "space")
        own = space in ("", self.page.space_id)
        if kind == "url":
            return self._url(text_of(reference, "url"))
        if kind == "file":
            return self._file(text_of(reference, "file")) if own else BROKEN
        if kind in ("page", "anchor"):
            page_id = text_of(reference, "page")
            if kind == "anchor" and not page_id:
                page_id = self.page.id
            anchor = text_of(reference, "anchor")
            if own:
                return self._page(page_id, anchor)
            if space not in self.addresses.spaces:
                return self._written(reference)
            return self._elsewhere(space, page_id, anchor)
        if kind == "space":
            space = space or self.page.space_id
            return (
                self._space(space) if space in self.addresses.spaces else self._written(reference)
            )
        if kind == "user":
            name = self.space.users.get(text_of(reference, "user"))
            return BROKEN if name is None else Target(title=name)
        if kind == "openapi":
            return Target(title=text_of(reference, "spec"))
        return BROKEN

    def _file(self, file_id: str) -> Target:
        shown_file = self.space.files.get(file_id)
        if shown_file is None:
            return BROKEN
        file = shown_file.file
        return Target(
            href=shown_file.url,
            title=file.name,
            image=shown_file.url if file.content_type.startswith("image/") else None,
            width=file.width,
            height=file.height,
            size=file.size,
        )

    def _url(self, url: str) -> Target:
        """An address as its author wrote it; a relative one that nothing stands at is broken."""
        named = read_reference(url)
        if named is not None:
            return self.resolve(named)
        if _COMPLETE.match(url.strip()):
            elsewhere = not url.strip().startswith(
                ("#", "mailto:", "tel:", self.addresses.canonical)
            )
            return Target(href=url, title=url, image=url, new_window=self.new_window and elsewhere)
        meaning = meaning_of(url, Standing.of(self.page.path, self.page.git))
        for path in () if meaning is None else meaning.addresses:
            if meaning is not None and path in self.space.tree.by_path:
                return self._page(self.space.tree.by_path[path].id, meaning.anchor)
        try:
            below_root = urlsplit(url).path.startswith("/")
        except ValueError:
            below_root = False
        return Target(href=url, title=url) if below_root else Target(title=url, broken=True)

    def _page(self, page_id: str, anchor: str) -> Target:
        page = self.space.tree.by_id.get(page_id)
        if page is None:
            return BROKEN
        if page.type is PageType.GROUP:
            return Target(title=page.title)
        return Target(href=self.address(page, anchor), title=page.title)

    def _elsewhere(self, space_id: str, page_id: str, anchor: str) -> Target:
        page = self.space.elsewhere.get((space_id, page_id))
        if page is None:
            # The page is gone or hidden; its space may still be there.
            return BROKEN if page_id else self._space(space_id)
        return Target(href=self.addresses.page(space_id, page.path, anchor), title=page.title)

    def _written(self, reference: JsonObject) -> Target:
        """The target of a reference off the site: the URL that the text writes."""
        url = self.space.written.get(reference_key(reference))
        return BROKEN if url is None else Target(href=url, title=url)

    def _space(self, space_id: str) -> Target:
        address = self.addresses.spaces.get(space_id)
        return BROKEN if address is None else Target(href=address or "/")
