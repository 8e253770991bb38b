"""Links between the parts of an import, as content references."""

from __future__ import annotations

from collections.abc import Callable

from content.documents.reference_urls import read_reference
from content.git.space_import import PageImport, SpaceImport
from content.imports.identity import NOTHING, Known, page_paths
from content.json_types import JsonObject
from content.links.meaning import FilePaths, Standing, from_root, meaning_of
from content.links.redirect_paths import old_path_key
from content.slugs import slug_key

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
        known: Known = NOTHING,
    ) -> None:
        """`keep_claimed`: ids that front matter claims are used, where nothing before has them.

        What is `known` by its path keeps its id.
        """
        self._source = source
        self._new_id = new_id
        self._keep_claimed = keep_claimed
        self._page_ids: dict[int, str] = {}
        # Paths from the content root, as links name them.
        self._files = FilePaths()
        # Addresses of pages, as they are compared -> ids; paths of files -> addresses.
        self._addresses: dict[str, str] = {}
        self._address_of: dict[str, str] = {}
        self._file_ids: dict[str, str] = {}
        self._content_ids: dict[str, str] = {}
        taken: set[str] = set()
        for page, path in page_paths(source):
            # Pages of one import are distinguished by identity: two may be equal.
            made = known.pages.get(path) or self._own_id(page.id, taken)
            self._page_ids[id(page)] = made
            if page.kind in WITH_ADDRESS:
                self._addresses.setdefault(slug_key(page.path), made)
            if page.git_path is not None:
                file_path = from_root(page.git_path, source.root)
                self._files.add("page", file_path, made)
                self._address_of.setdefault(file_path, page.path)
        for file in source.files:
            self._file_ids[file.path] = known.files.get(file.path) or new_id()
            self._files.add("file", file.path, self._file_ids[file.path])
        taken = set()
        for content in source.reusable_contents:
            made = known.contents.get(content.path) or self._own_id(content.id, taken)
            self._content_ids[content.path] = made
            self._files.add("reusable-content", content.path, made)
        self._redirects = self.redirects()

    def _own_id(self, claimed: str | None, taken: set[str]) -> str:
        usable = self._keep_claimed and claimed is not None and claimed not in taken
        made = claimed if usable and claimed is not None else self._new_id()
        taken.add(made)
        return made

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
        found: dict[str, tuple[str, str | None]] = {}
        for old, target in self._source.redirects.items():
            path, _, anchor = target.partition("#")
            if path in by_path:
                found[old_path_key(old)] = by_path[path], anchor or None
        return found

    def resolve(self, url: str, git_path: str | None) -> JsonObject | None:
        """The content reference that a link in a file stands for; None for other links.

        A text that is in no file stands at the content root.
        """
        found = read_reference(url)
        if found is not None:
            return found
        path = "" if git_path is None else from_root(git_path, self._source.root)
        meaning = meaning_of(url, Standing(self._address_of.get(path, ""), path))
        if meaning is None:
            return None
        return meaning.lead(self._files.at, self._addresses.get, self._redirects.get)

    def reference(self, url: str, git_path: str | None) -> JsonObject:
        """The content reference of any link."""
        return self.resolve(url, git_path) or {"kind": "url", "url": url}

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
