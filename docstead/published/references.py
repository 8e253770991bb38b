"""Where the references of a published page lead: on the site where they can, else nowhere."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote

from content.html.reading import text_of
from content.html.rendering import BROKEN, Target
from content.json_types import JsonObject
from db.content_enums import PageType
from resolvers.page_rows import Page
from resolvers.published_pages import PublishedPage


def page_address(base: str, path: str, anchor: str = "") -> str:
    """The address of a page of a site space whose own address is `base`."""
    end = f"#{quote(anchor)}" if anchor else ""
    return f"{base}/{quote(path)}{end}" if path else f"{base or '/'}{end}"


@dataclass(frozen=True, slots=True)
class References:
    """The references of one page; `bases` are addresses of the site's spaces by space id."""

    shown: PublishedPage
    bases: Mapping[str, str]
    titles: Mapping[str, str]
    pages: Mapping[str, Page]
    landing: str | None

    def address(self, page: Page, anchor: str = "") -> str:
        """The address of a page of this space; the landing page is at the space's own."""
        path = "" if page.id == self.landing else page.path
        return page_address(self.bases[page.space_id], path, anchor)

    def resolve(self, reference: JsonObject) -> Target:
        """What a content reference leads to."""
        kind, space = text_of(reference, "kind"), text_of(reference, "space")
        own = space in ("", self.shown.page.space_id)
        if kind == "url":
            url = text_of(reference, "url")
            return Target(href=url, title=url, image=url)
        if kind == "file":
            return self._file(text_of(reference, "file")) if own else BROKEN
        if kind in ("page", "anchor"):
            page_id = text_of(reference, "page")
            if kind == "anchor" and not page_id:
                page_id = self.shown.page.id
            anchor = text_of(reference, "anchor")
            return self._page(page_id, anchor) if own else self._elsewhere(space, page_id, anchor)
        if kind == "space":
            return self._space(space or self.shown.page.space_id)
        if kind == "user":
            name = self.shown.users.get(text_of(reference, "user"))
            return BROKEN if name is None else Target(title=name)
        if kind == "openapi":
            return Target(title=text_of(reference, "spec"))
        return BROKEN

    def reusable(self, reference: JsonObject) -> JsonObject | None:
        """The document of a reusable content of this space."""
        if text_of(reference, "space") not in ("", self.shown.page.space_id):
            return None
        return self.shown.contents.get(text_of(reference, "reusableContent"))

    def _file(self, file_id: str) -> Target:
        found = self.shown.files.get(file_id)
        if found is None:
            return BROKEN
        file = found.file
        return Target(
            href=found.url,
            title=file.name,
            image=found.url if file.content_type.startswith("image/") else None,
            width=file.width,
            height=file.height,
            size=file.size,
        )

    def _page(self, page_id: str, anchor: str) -> Target:
        page = self.pages.get(page_id)
        if page is None:
            return BROKEN
        if page.type is PageType.GROUP:
            return Target(title=page.title)
        return Target(href=self.address(page, anchor), title=page.title)

    def _elsewhere(self, space_id: str, page_id: str, anchor: str) -> Target:
        page = self.shown.elsewhere.get((space_id, page_id))
        if page is None:
            # The page is gone or hidden; its space may still be there.
            return BROKEN if page_id else self._space(space_id)
        return Target(href=page_address(self.bases[space_id], page.path, anchor), title=page.title)

    def _space(self, space_id: str) -> Target:
        if space_id not in self.bases:
            return BROKEN
        return Target(href=self.bases[space_id] or "/", title=self.titles.get(space_id, ""))
