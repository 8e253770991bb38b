"""Links between the parts of an import, as content references."""

from __future__ import annotations

import posixpath
from collections.abc import Callable

from content.json_types import JsonObject
from content.links import MARKDOWN, find_relative, folders_of_page, relative_target
from content.redirect_paths import old_path_key
from content.slugs import slug_key
from content.space_import import PageImport, SpaceImport

README = "readme"


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
        # Folders and files without their ending -> ids of pages; paths of pages as addresses.
        self._pages_by_name: dict[str, str] = {}
        self._addresses: dict[str, str] = {}
        # Paths of files -> addresses of their pages.
        self._address_of: dict[str, str] = {}
        self._files_by_path: dict[str, str] = {}
        self._contents_by_path: dict[str, str] = {}
        taken: set[str] = set()
        for page in source.walk():
            # Pages of one import are told apart by identity: two may be equal.
            made = self._page_ids[id(page)] = self._own_id(page.id, taken)
            if page.kind == "document":
                self._addresses.setdefault(slug_key(page.path), made)
            if page.git_path is not None:
                path = self._from_root(page.git_path)
                self._pages_by_path[path] = made
                self._address_of[path] = page.path
        for path, made in self._pages_by_path.items():
            folder, name = posixpath.split(path)
            stem, ending = posixpath.splitext(name)
            if stem.lower() == README and ending.lower() in MARKDOWN:
                self._pages_by_name[folder] = made
        for path, made in self._pages_by_path.items():
            stem, ending = posixpath.splitext(path)
            if ending.lower() in MARKDOWN:
                self._pages_by_name.setdefault(stem, made)
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
        """The content reference that a relative link in a file stands for; None for other links.

        It may lead to a file, with or without its ending, or to the address of a page.
        """
        path = None if git_path is None else self._from_root(git_path)
        folders = ("",) if path is None else (posixpath.dirname(path), posixpath.splitext(path)[0])
        if relative_target(url, folders[0]) is None:
            # What is out of the content, as seen from the file, is not taken for something in it.
            return None
        found = find_relative(url, folders, self._at_path)
        if found is None:
            address = self._address_of.get(path or "", "")
            found = find_relative(url, folders_of_page(address), self._at_address)
        if found is None:
            return None
        reference, anchor = found
        if anchor and reference["kind"] == "page":
            return {"kind": "anchor", "anchor": anchor, "page": reference["page"]}
        return reference

    def _at_path(self, path: str) -> JsonObject | None:
        page_id = self._pages_by_path.get(path)
        if page_id is not None:
            return {"kind": "page", "page": page_id}
        content_id = self._contents_by_path.get(path)
        if content_id is not None:
            return {"kind": "reusable-content", "reusableContent": content_id}
        file_id = self._files_by_path.get(path)
        if file_id is not None:
            return {"kind": "file", "file": file_id}
        page_id = self._pages_by_name.get(path)
        return None if page_id is None else {"kind": "page", "page": page_id}

    def _at_address(self, path: str) -> JsonObject | None:
        page_id = self._addresses.get(slug_key(path))
        return None if page_id is None else {"kind": "page", "page": page_id}

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
