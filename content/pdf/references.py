"""Targets of references in a PDF: within the book where they can be, else on the server."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

from content.documents.nodes import text_of
from content.html.rendering import BROKEN, Target
from content.json_types import JsonObject
from content.links.references import reference_key
from content.links.relative import read_anchor
from content.pdf.job import IMAGES, PrintJob


def ascii_id(name: str) -> str:
    """An id that PDF readers find: other characters than ASCII letters and digits in hex."""
    return "".join(
        letter if letter.isascii() and letter.isalnum() else f"_{ord(letter):x}_" for letter in name
    )


@dataclass(frozen=True, slots=True)
class References:
    """The references of one page; `numbers` gives the place of each printed page."""

    job: PrintJob
    numbers: Mapping[str, int]
    page_id: str

    def identify(self, name: str) -> str:
        """The id of a heading or note of this page in the book."""
        return f"{self._page_anchor(self.page_id)}-{ascii_id(name)}"

    def resolve(self, reference: JsonObject) -> Target:
        """What a reference leads to; images are those that lie beside the job, no others."""
        kind = text_of(reference, "kind")
        own = text_of(reference, "space") in ("", self.job.space_id)
        if kind == "url":
            return self._url(text_of(reference, "url"))
        if kind == "file":
            return self._file(text_of(reference, "file")) if own else BROKEN
        if kind in ("page", "anchor"):
            if not own:
                # What its own text says; the book holds nothing of other spaces.
                named = self.job.written.get(reference_key(reference))
                return Target(href=named or self._space(text_of(reference, "space")))
            page_id = text_of(reference, "page") or (self.page_id if kind == "anchor" else "")
            return self._page(page_id, text_of(reference, "anchor"))
        if kind == "space":
            space_id = text_of(reference, "space")
            title = self.job.title if space_id == self.job.space_id else ""
            return Target(href=self._space(space_id), title=title)
        if kind == "user":
            name = self.job.users.get(text_of(reference, "user"))
            return BROKEN if name is None else Target(title=name)
        if kind == "openapi":
            return Target(title=text_of(reference, "spec"))
        return BROKEN

    def _url(self, url: str) -> Target:
        if url.startswith("#"):
            return self._page(self.page_id, read_anchor(url[1:]))
        try:
            absolute = bool(urlsplit(url).scheme)
        except ValueError:
            absolute = False
        # A path without a server leads nowhere from a file on somebody's disk.
        return Target(href=url, title=url) if absolute else Target(title=url, broken=True)

    def _file(self, file_id: str) -> Target:
        file = self.job.files.get(file_id)
        if file is None:
            return BROKEN
        return Target(
            title=file.name,
            image=None if file.image is None else f"{IMAGES}/{file.image}",
            width=file.width,
            height=file.height,
            size=file.size,
        )

    def _page(self, page_id: str, anchor: str) -> Target:
        page = self.job.known_pages.get(page_id)
        if page is None:
            return BROKEN
        title = page.title
        if page_id in self.numbers:
            place = self._page_anchor(page_id)
            return Target(href=f"#{place}-{ascii_id(anchor)}" if anchor else f"#{place}",
                          title=title)  # fmt: skip
        end = f"#{quote(anchor)}" if anchor else ""
        address = f"{self._space(self.job.space_id)}/{quote(page.path)}{end}"
        return Target(href=address, title=title)

    def _page_anchor(self, page_id: str) -> str:
        return page_anchor(self.numbers[page_id])

    def _space(self, space_id: str) -> str:
        return f"{self.job.address}/s/{quote(space_id, safe='')}"


def page_anchor(number: int) -> str:
    """The id of the printed page with this number."""
    return f"page{number}"
