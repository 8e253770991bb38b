"""The ids of the parts of an import, and the links between them as content references.

A page, a file or a reusable content that is imported again keeps its id by the path of its file. A
page without a file is named by its kind and its address. A page whose file was renamed is
recognized by its text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from content.git.path_links import PathLinks
from content.git.space_import import PageImport, SpaceImport
from content.json_types import JsonObject
from content.links.meaning import from_root
from content.links.redirect_paths import old_path_key
from content.script_addresses import BROKEN, runs_script

# Of two texts, the part of the lines that must be the same in both.
SIMILAR = 0.5
_TARGET = re.compile(r"\]\([^()\s]*\)")


@dataclass(frozen=True, slots=True)
class Known:
    """Ids of what an earlier import has made, by the paths in its source."""

    pages: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    contents: Mapping[str, str] = field(default_factory=dict)


NOTHING = Known()


def page_paths(source: SpaceImport) -> list[tuple[PageImport, str]]:
    """Every page, depth first, with the path that names it; the second of one path has a number."""
    seen: Counter[str] = Counter()
    paths: list[tuple[PageImport, str]] = []
    for page in source.walk():
        if page.git_path is not None:
            path = from_root(page.git_path, source.root)
        else:
            path = f"{page.kind}:{page.path}"
        seen[path] += 1
        paths.append((page, path if seen[path] == 1 else f"{path}#{seen[path]}"))
    return paths


def renamed(texts: Mapping[str, str], pages: Sequence[tuple[str, str]]) -> dict[str, str]:
    """Ids of pages whose files have other paths now, by the new paths.

    `texts` are those of pages whose files are gone, by id; `pages` are new paths, each with the
    text of the page. At least half of the lines have to be the same; the most similar go first.
    """
    lengths: dict[str, int] = {}
    holding: dict[str, list[tuple[str, int]]] = {}
    for id, text in texts.items():
        lines = _lines(text)
        lengths[id] = lines.total()
        for line, count in lines.items():
            holding.setdefault(line, []).append((id, count))
    scores: list[tuple[float, int, str]] = []
    for number, (_, text) in enumerate(pages):
        lines = _lines(text)
        shared: Counter[str] = Counter()
        for line, count in lines.items():
            for id, other in holding.get(line, ()):
                shared[id] += min(count, other)
        length = lines.total()
        for id, same in shared.items():
            score = same / max(length, lengths[id])
            if score >= SIMILAR:
                scores.append((-score, number, id))
    id_of: dict[str, str] = {}
    taken: set[str] = set()
    for _, number, id in sorted(scores):
        path = pages[number][0]
        if path not in id_of and id not in taken:
            id_of[path] = id
            taken.add(id)
    return id_of


def _lines(text: str) -> Counter[str]:
    """Lines with words; where their links lead to depends on what else there is."""
    stripped = (_TARGET.sub("]()", line).strip() for line in text.splitlines())
    return Counter(line for line in stripped if line)


# Kinds of pages whose slugs are addresses.
WITH_ADDRESS = ("document", "group")


class ImportLinks:
    """Gives ids to the pages, files and reusable contents of an import, and finds them by path."""

    def __init__(
        self,
        source: SpaceImport,
        new_id: Callable[[], str],
        *,
        keep_claimed: bool = True,
        existing: Known = NOTHING,
    ) -> None:
        """`keep_claimed`: ids that front matter claims are used, where nothing before has them.

        What is `existing` by its path keeps its id.
        """
        self._source = source
        self._new_id = new_id
        self._keep_claimed = keep_claimed
        self._page_ids: dict[int, str] = {}
        self._links = PathLinks(source.tree_url, source.root)
        self._file_ids: dict[str, str] = {}
        self._content_ids: dict[str, str] = {}
        taken: set[str] = set()
        for page, path in page_paths(source):
            # Pages of one import are distinguished by identity: two may be equal.
            own_id = existing.pages.get(path) or self._own_id(page.id, taken)
            self._page_ids[id(page)] = own_id
            address = page.path if page.kind in WITH_ADDRESS else None
            git_path = page.git_path
            file_path = None if git_path is None else from_root(git_path, source.root)
            self._links.add_page(own_id, address, file_path)
        for file in source.files:
            self._file_ids[file.path] = existing.files.get(file.path) or new_id()
            self._links.add("file", self._file_ids[file.path], file.path)
        taken = set()
        for content in source.reusable_contents:
            own_id = existing.contents.get(content.path) or self._own_id(content.id, taken)
            self._content_ids[content.path] = own_id
            self._links.add("reusable-content", own_id, content.path)
        self._links.set_redirects(self.redirects())

    def _own_id(self, claimed: str | None, taken: set[str]) -> str:
        usable = self._keep_claimed and claimed is not None and claimed not in taken
        id = claimed if usable and claimed is not None else self._new_id()
        taken.add(id)
        return id

    def page_id(self, page: PageImport) -> str:
        """The id of a page of this import."""
        return self._page_ids[id(page)]

    def file_id(self, path: str) -> str:
        """The id of the file at a path."""
        return self._file_ids[path]

    def content_id(self, path: str) -> str:
        """The id of the reusable content at a path."""
        return self._content_ids[path]

    def redirects(self) -> dict[str, tuple[str, str | None]]:
        """Old paths as they are compared, each with the id of a page and a heading of it.

        Those to pages that are not part of the import are left out.
        """
        by_path = {page.path: self.page_id(page) for page in self._source.walk()}
        redirects: dict[str, tuple[str, str | None]] = {}
        for old, target in self._source.redirects.items():
            path, _, anchor = target.partition("#")
            if path in by_path:
                redirects[old_path_key(old)] = by_path[path], anchor or None
        return redirects

    def resolve(self, url: str, git_path: str | None) -> JsonObject | None:
        """The content reference that a link in a file stands for; None for other links.

        A text that is in no file stands at the content root.
        """
        path = "" if git_path is None else from_root(git_path, self._source.root)
        return self._links.resolve(url, path)

    @property
    def links(self) -> PathLinks:
        """The links between its files."""
        return self._links

    def reference(self, url: str, git_path: str | None) -> JsonObject:
        """The content reference of any link."""
        address = BROKEN if runs_script(url) else url
        return self.resolve(url, git_path) or {"kind": "url", "url": address}

    def cover(self, page: PageImport) -> JsonObject | None:
        """The cover of a page with references in place of paths."""
        if page.cover is None:
            return None
        cover = dict(page.cover)
        for name in ("ref", "refDark"):
            value = cover.get(name)
            if isinstance(value, str):
                cover[name] = self.reference(value, page.git_path)
        return cover
