"""Links between the parts of an import, as content references."""

from __future__ import annotations

import posixpath
from collections.abc import Callable

from content.json_types import JsonObject
from content.links import relative_target
from content.space_import import PageImport, SpaceImport


class ImportLinks:
    """Gives ids to the pages, files and reusable contents of an import, and finds them by path."""

    def __init__(
        self, source: SpaceImport, new_id: Callable[[], str], *, keep_claimed: bool = True
    ) -> None:
        """`keep_claimed`: ids that front matter claims are used, where nothing before has them."""
        self._source = source
        self._new_id = new_id
        self._keep_claimed = keep_claimed
        self._page_ids: dict[int, str] = {}
        # Paths from the content root, as links name them -> ids.
        self._pages_by_path: dict[str, str] = {}
        self._files_by_path: dict[str, str] = {}
        self._contents_by_path: dict[str, str] = {}
        taken: set[str] = set()
        for page in source.walk():
            # Pages of one import are told apart by identity: two may be equal.
            made = self._page_ids[id(page)] = self._own_id(page.id, taken)
            if page.git_path is not None:
                self._pages_by_path[self._from_root(page.git_path)] = made
        for file in source.files:
            self._files_by_path[file.path] = new_id()
        taken = set()
        for content in source.reusable_contents:
            self._contents_by_path[content.path] = self._own_id(content.id, taken)

    def _own_id(self, claimed: str | None, taken: set[str]) -> str:
        usable = self._keep_claimed and claimed is not None and claimed not in taken
        made = claimed if usable and claimed is not None else self._new_id()
        taken.add(made)
        return made

    def _from_root(self, path: str) -> str:
        root = self._source.root
        return path.removeprefix(f"{root}/") if root else path

    def page_id(self, page: PageImport) -> str:
        """The id of a page of this import."""
        return self._page_ids[id(page)]

    def file_id(self, path: str) -> str:
        """The id of the file at a path."""
        return self._files_by_path[path]

    def content_id(self, path: str) -> str:
        """The id of the reusable content at a path."""
        return self._contents_by_path[path]

    def folder_of(self, git_path: str | None) -> str:
        """The folder that links in a document are relative to."""
        return posixpath.dirname(self._from_root(git_path)) if git_path is not None else ""

    def resolve(self, url: str, folder: str) -> JsonObject | None:
        """The content reference that a relative link stands for; None for other links."""
        target = relative_target(url, folder)
        if target is None:
            return None
        path, anchor = target
        page_id = self._pages_by_path.get(path) or self._pages_by_path.get(
            posixpath.join(path, "README.md")
        )
        if page_id is not None:
            if anchor:
                return {"kind": "anchor", "anchor": anchor, "page": page_id}
            return {"kind": "page", "page": page_id}
        content_id = self._contents_by_path.get(path)
        if content_id is not None:
            return {"kind": "reusable-content", "reusableContent": content_id}
        file_id = self._files_by_path.get(path)
        return None if file_id is None else {"kind": "file", "file": file_id}

    def reference(self, url: str, folder: str) -> JsonObject:
        """The content reference of any link."""
        return self.resolve(url, folder) or {"kind": "url", "url": url}

    def cover(self, page: PageImport) -> JsonObject | None:
        """The cover of a page with references in place of paths."""
        if page.cover is None:
            return None
        cover = dict(page.cover)
        for name in ("ref", "refDark"):
            value = cover.get(name)
            if isinstance(value, str):
                cover[name] = self.reference(value, self.folder_of(page.git_path))
        return cover
