"""Links in a tree of files: what they mean, and how they are written."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Mapping
from urllib.parse import quote, unquote

from content.documents.content_references import NAMES, read_reference
from content.json_types import JsonObject
from content.links.meaning import FilePaths, Standing, meaning_of
from content.links.references import reference_key
from content.links.relative import is_absolute, link_candidates
from content.slugs import slug_key

_UNSAFE = re.compile(r"[\s()<>%#?\"\\|\x00-\x1f\x7f]")
_INCLUDE = re.compile(r"\{%\s*include\s+[\"']([^\"'\n]+)[\"']")


class PathLinks:
    """Pages, files and reusable contents by their paths from the content root, and pages by their
    addresses. With a `tree_url` links to files of the repository that are outside of the content
    root, which is at `root`, lead to addresses that begin with it."""

    def __init__(self, tree_url: str = "", root: str = "") -> None:
        self._tree_url, self._root = tree_url.rstrip("/"), root
        self._files = FilePaths()
        self._addresses: dict[str, str] = {}
        self._address_of: dict[str, str] = {}
        self._redirects: Mapping[str, tuple[str, str | None]] = {}
        # Paths of what has one, and addresses of pages, by kind and id.
        self._path_of: dict[tuple[str, str], str] = {}
        self._page_address: dict[str, str] = {}

    def add_page(self, id: str, address: str | None, path: str | None) -> None:
        """Add a page; `address` is its path of slugs where it has one."""
        if address is not None:
            self._addresses.setdefault(slug_key(address), id)
            self._page_address.setdefault(id, address)
        if path is not None:
            self._files.add("page", path, id)
            self._address_of.setdefault(path, address or "")
            self._path_of.setdefault(("page", id), path)

    def add(self, kind: str, id: str, path: str) -> None:
        """Add a file or a reusable content."""
        self._files.add(kind, path, id)
        self._path_of.setdefault((kind, id), path)

    def set_redirects(self, redirects: Mapping[str, tuple[str, str | None]]) -> None:
        """Set the old paths, as they are compared, each with a page and perhaps a heading."""
        self._redirects = redirects

    def path_of(self, kind: str, id: str) -> str | None:
        """The path of a file, from the content root."""
        return self._path_of.get((kind, id))

    def resolve(self, url: str, path: str) -> JsonObject | None:
        """The content reference that a link in the file at a path stands for; None for others.

        A text that is in no file has the empty path: it stands at the content root.
        """
        reference = read_reference(url)
        if reference is not None:
            return reference
        meaning = meaning_of(url, Standing(self._address_of.get(path, ""), path))
        if meaning is None:
            return self._outside(url, path)
        inside = meaning.lead(self._files.at, self._addresses.get, self._redirects.get)
        return self._outside(url, path) if inside is None else inside

    def _outside(self, url: str, path: str) -> JsonObject | None:
        """The address of a file of the repository that is outside of the content."""
        if not self._tree_url or not path or is_absolute(url) or url.startswith("/"):
            return None
        way, tail = _TAIL.match(url).groups()  # type: ignore[union-attr]
        target = posixpath.normpath(posixpath.join(posixpath.dirname(path), unquote(way)))
        whole = posixpath.normpath(posixpath.join(self._root, target))
        is_inside = not target.startswith("../") or whole.startswith(f"{self._root}/")
        if is_inside or whole == "." or whole.startswith("../"):
            return None
        return {"kind": "url", "url": f"{self._tree_url}/{quote(whole, safe=_PATH)}{tail}"}

    def _inside_repository(self, url: str, path: str) -> str | None:
        """The link from the file at `path` to a file that is outside of the content."""
        beginning = f"{self._tree_url}/"
        if not self._tree_url or not url.startswith(beginning):
            return None
        way, tail = _TAIL.match(url.removeprefix(beginning)).groups()  # type: ignore[union-attr]
        target = posixpath.relpath(unquote(way), self._root or ".")
        link = relative_link(target, path) + tail
        return link if self._outside(link, path) == {"kind": "url", "url": url} else None

    def url(self, reference: JsonObject, path: str) -> str | None:
        """The link from the file at `path` to what a content reference names.

        None for what is not in this tree.
        """
        if reference.get("space") is not None and reference.get("kind") != "space":
            return None
        kind = str(reference.get("kind"))
        if kind == "url":
            return self._inside_repository(str(reference.get("url")), path)
        kind = "page" if kind == "anchor" else kind
        id = reference.get(NAMES.get(kind, ""))
        if not isinstance(id, str):
            return None
        anchor = reference.get("anchor")
        end = f"#{quote(anchor, safe=_ANCHOR)}" if isinstance(anchor, str) else ""
        target = self._path_of.get((kind, id))
        if target is not None:
            return relative_link(target, path) + end
        address = self._page_address.get(id) if kind == "page" else None
        if address is None:
            return None
        # A page without a file is found by its address, wherever that is not taken by a file.
        url = relative_link(address, self._address_of.get(path, "")) + end
        return url if self.resolve(url, path) == reference else None


_ANCHOR = _PATH = "-._~!$&'*+,;=:@/"
# The path of a relative link, and what follows it.
_TAIL = re.compile(r"([^?#]*)(.*)", re.DOTALL)


def link_path(path: str) -> str:
    """A relative path as the target of a link: only what would end it there is encoded."""
    written = _UNSAFE.sub(lambda match: quote(match.group(), safe=""), path)
    return f"./{written}" if is_absolute(written) else written


def relative_link(target: str, path: str) -> str:
    """The link from the file at `path` to the one at `target`, both from the content root."""
    return link_path(posixpath.relpath(target, posixpath.dirname(path) or "."))


def urls_in(markdown: str) -> Iterable[str]:
    """Everything in a text that may be a link, with what it includes."""
    yield from link_candidates(markdown)
    for match in _INCLUDE.finditer(markdown):
        yield match.group(1)


def spelled(markdown: str, links: PathLinks, path: str) -> dict[str, str]:
    """How a text writes what it links to: URLs as they are written, by content reference."""
    spellings: dict[str, str] = {}
    for url in dict.fromkeys(urls_in(markdown)):
        reference = links.resolve(url, path)
        if reference is not None:
            spellings.setdefault(reference_key(reference), url)
    return spellings


def cover_urls(text: str) -> Iterable[str]:
    """What front matter may have as a cover."""
    if not text.lstrip("\ufeff").startswith("---"):
        return
    for line in text.partition("\n---")[0].splitlines():
        name, _, value = line.partition(":")
        if name.strip() in ("cover", "coverDark", "light", "dark") and value.strip():
            yield value.strip().strip("\"'")
