"""What a link in a Markdown text means: the rules of imports, of edits and of pages for readers.

A rule names places to look at, in order, and needs none of them to be there. Where there are
files, pages and old paths is the caller's to find out; all callers ask for all places at once.
"""

from __future__ import annotations

import posixpath
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from content.documents.content_references import NAMES
from content.json_types import JsonObject
from content.links.relative import MARKDOWN, read_anchor, relative_target
from content.slugs import slug_key

README = "readme"
# Of two things with one path the one that stands first here; then pages by shorter names.
EXACT = {"page": 0, "reusable-content": 1, "file": 2}
_OF_FOLDER, _WITHOUT_ENDING, _OF_ASSETS = 3, 4, 5
_ASSETS = ".gitbook/assets/"
# No path has this character.
_MARK = "\x00"


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a text stands: `address` is the path of its page, empty for a text that is on none;
    `file` is the path of its file from the content root, None where there is no file. `root` leads
    from the root of the repository to the content root."""

    address: str = ""
    file: str | None = None
    root: str = ""

    @classmethod
    def of(cls, address: str, git: Mapping[str, object] | None) -> Standing:
        """Where the text of a page stands, or of a reusable content; `git` is its file."""
        if git is None:
            return cls(address)
        root = str(git.get("root") or "")
        return cls(address, from_root(str(git["path"]), root), root)


@dataclass(frozen=True, slots=True)
class Meaning:
    """The places that a link may lead to, the likeliest first, and the anchor behind them.

    `files` are keys of `FilePaths`, `addresses` paths of pages as they are compared.
    """

    files: tuple[str, ...]
    addresses: tuple[str, ...]
    anchor: str

    def lead(
        self,
        file_at: Callable[[str], JsonObject | None],
        page_at: Callable[[str], str | None],
        moved_to: Callable[[str], tuple[str, str | None] | None] = lambda path: None,
    ) -> JsonObject | None:
        """The content reference to the first thing that is there; None for none.

        Files come before pages with such an address, as the text was written beside them; and
        what is somewhere comes before what was there once.
        """
        for path in self.files:
            reference = file_at(path)
            if reference is not None:
                return with_anchor(reference, self.anchor)
        for path in self.addresses:
            page_id = page_at(path)
            if page_id is not None:
                return page_reference(page_id, self.anchor)
        for path in self.addresses:
            moved = moved_to(path)
            if moved is not None:
                return page_reference(moved[0], self.anchor or moved[1])
        return None


def meaning_of(url: str, standing: Standing) -> Meaning | None:
    """What a URL may lead to within the content; None for one that leads elsewhere or nowhere.

    A relative link is written as seen from the file, or as browsers see it from the address of
    the page. Endings of Markdown files and `README.md` may be left out, or stand behind an address;
    a leading `/` is the content root. Percent-encoding is undone, a query means nothing. What is
    out of the content as seen from the file is not taken for something in it, but for files in the
    folder of assets: there is only one, so what is in it counts wherever the link looks for that.
    """
    files: dict[str, None] = {}
    asset = _asset_of(url) if standing.file is not None else None
    if standing.file is not None:
        if relative_target(url, posixpath.dirname(standing.file)) is None:
            return None if asset is None else Meaning((asset,), (), "")
        stem = posixpath.splitext(standing.file)[0]
        for path in _targets(url, (posixpath.dirname(standing.file), stem)):
            files[file_key(path)] = None
    if asset is not None:
        files[asset] = None
    addresses: dict[str, None] = {}
    # A page with pages below it was often the main file of a folder.
    folders = (posixpath.dirname(standing.address), standing.address)
    for path in _targets(url, folders):
        for form in _as_addresses(path):
            addresses[slug_key(form)] = None
    if not files and not addresses:
        return None
    return Meaning(tuple(files), tuple(addresses), read_anchor(url.partition("#")[2]))


def _targets(url: str, folders: Iterable[str]) -> Iterable[str]:
    for folder in dict.fromkeys(folders):
        target = relative_target(url, folder)
        if target is not None:
            yield target[0]


def _asset_of(url: str) -> str | None:
    """The key of the asset that a link names, however deep it believes to stand."""
    # Without steps upwards no path is out of the content.
    target = relative_target(re.sub(r"^(?:\.{1,2}/)+", "/", url), "")
    return None if target is None else asset_key(target[0])


def _as_addresses(path: str) -> Iterable[str]:
    """The addresses of pages that a path may stand for; the page of the root has its file's."""
    yield path or README
    stem, ending = posixpath.splitext(path)
    if ending.lower() in MARKDOWN:
        yield stem
    else:
        stem = path
    folder, name = posixpath.split(stem)
    if folder and name.lower() == README:
        yield folder


def page_reference(page_id: str, anchor: str | None) -> JsonObject:
    """The content reference to a page, or to a place on it."""
    if anchor:
        return {"kind": "anchor", "anchor": anchor, "page": page_id}
    return {"kind": "page", "page": page_id}


def with_anchor(reference: JsonObject, anchor: str) -> JsonObject:
    """A content reference to a place on what it leads to; only pages have places."""
    if reference["kind"] == "page":
        return page_reference(str(reference["page"]), anchor)
    return reference


# ------------------------------------------------------------------ files


def from_root(path: str, root: str) -> str:
    """A path in a repository as seen from the content root in it."""
    return path.removeprefix(f"{root}/") if root else path


def file_key(path: str) -> str:
    """The form in which paths of files are compared: as they are, but for composed letters. What
    `asset_key` gives is the same in all folders."""
    before, mark, asset = path.partition(_MARK)
    return mark + asset if mark else unicodedata.normalize("NFC", before)


def asset_key(path: str) -> str | None:
    """The form in which files in the folder of assets are compared at last: by their place in it,
    whatever their capitals and wherever the folder is. None for other files."""
    _, folder, name = unicodedata.normalize("NFC", path).casefold().rpartition(_ASSETS)
    return _MARK + name if folder and name else None


class Place(NamedTuple):
    """A thing at a path; of several the least counts."""

    rank: int
    kind: str
    id: str


class FilePaths:
    """Pages, files and reusable contents by the paths of their files, and pages by what these are
    called without their ending, or by their folder where they are its README.
    """

    __slots__ = ("places",)

    def __init__(self) -> None:
        self.places: dict[str, Place] = {}

    def add(self, kind: str, path: str, id: str) -> None:
        """Add a thing of this kind; one that was added before stays."""
        key = file_key(path)
        self._put(key, Place(EXACT[kind], kind, id))
        asset = asset_key(path) if kind == "file" else None
        if asset is not None:
            self._put(asset, Place(_OF_ASSETS, kind, id))
        stem, ending = posixpath.splitext(key)
        if kind != "page" or ending.lower() not in MARKDOWN:
            return
        folder, name = posixpath.split(stem)
        if name.lower() == README:
            self._put(folder, Place(_OF_FOLDER, kind, id))
        self._put(stem, Place(_WITHOUT_ENDING, kind, id))

    def _put(self, key: str, place: Place) -> None:
        there = self.places.get(key)
        if there is None or place.rank < there.rank:
            self.places[key] = place

    def at(self, key: str) -> JsonObject | None:
        """The content reference to what is there."""
        place = self.places.get(key)
        return None if place is None else place_reference(place)


def place_reference(place: Place) -> JsonObject:
    """The content reference to what a place has."""
    return {"kind": place.kind, NAMES[place.kind]: place.id}
