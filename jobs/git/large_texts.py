"""Texts of the documentation behind pointers of Git LFS: pages, the table of contents, includes."""

import asyncio
import posixpath
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from content.errors import SourceError
from content.git.config import CONFIG_NAME
from content.git.layout import INCLUDES, VARIABLES
from content.git.lfs import POINTER_BYTES, Pointer, PointerError, pointer_at, read_pointer
from content.git.page_files import PageFile, PageFileReader, read_page_file
from content.git.space_import import SpaceImport
from content.pages.front_matter import FrontMatter
from content.sources.tree import SourceTree
from fetching.lfs import LargeObjects
from jobs.git.large_files import Budget

# Reads the content of a tree, whose pages it has read by a function.
ReadLayout = Callable[[SourceTree, Callable[[PageFileReader], PageFileReader]], SpaceImport]
_UNKNOWN = PageFile(FrontMatter(), None, "", None, "", damaged=False)


@dataclass(frozen=True, slots=True)
class LargeTexts:
    """The texts that one operation has fetched, in a folder under the ids of their objects. Those
    of files are another matter (jobs/git/large_files.py): nothing is read from them."""

    objects: LargeObjects
    folder: Path
    # Of all that the operation fetches, files included.
    budget: Budget
    _here: set[str] = field(default_factory=set)
    # Where pointers are: what was read there is not what the blob says, so nobody remembers it.
    _paths: set[str] = field(default_factory=set)

    async def read(self, tree: SourceTree, read: ReadLayout) -> tuple[SourceTree, SpaceImport]:
        """The tree with its texts, and what `read` makes of it. SourceError names a text that does
        not come: its pointer would become the page."""
        tree = self.over(tree)
        # Some may be those of other projects: of these alone whoever reads them says what is wrong.
        await self._fetch(await asyncio.to_thread(_at_once, tree))
        missing: dict[str, Pointer] = {}
        while True:
            for path, problem in sorted((await self._fetch(missing)).items()):
                raise SourceError(f"{path}: {problem}")
            missing = {}
            try:
                content = await asyncio.to_thread(read, tree, partial(self._noting, missing))
            except PointerError as error:
                missing[error.path] = error.pointer
            else:
                if not missing:
                    return tree, content

    def over(self, tree: SourceTree) -> SourceTree:
        """A tree in which texts that were fetched stand in place of their pointers."""

        def load(path: str) -> bytes:
            data = tree.read(path)
            pointer = read_pointer(data)
            if pointer is None or pointer.oid not in self._here:
                return data
            return (self.folder / pointer.oid).read_bytes()

        return tree.reading(load)

    async def _fetch(self, missing: dict[str, Pointer]) -> dict[str, str]:
        """Bring the texts behind these pointers; what is wrong with those that have not come, by
        path."""
        # Who reads a pointer where one was followed already would follow them without an end.
        again = self._paths & missing.keys()
        if again or not missing:
            return dict.fromkeys(again, "what Git LFS keeps of it is a pointer again")
        objects, problems = self.budget.take(missing.values())
        problems |= await self.objects.fetch(objects, self.folder)
        come = {path: pointer.oid for path, pointer in missing.items()
                if pointer.oid not in problems}  # fmt: skip
        self._here.update(come.values())
        self._paths.update(come)
        return {path: f"its text is kept by Git LFS, and {problems[pointer.oid]}"
                for path, pointer in missing.items() if path not in come}  # fmt: skip

    def _noting(self, missing: dict[str, Pointer], reader: PageFileReader) -> PageFileReader:
        """Reads pages, and notes those that are pointers, so that they are fetched together."""

        def read(source: SourceTree, path: str) -> PageFile:
            try:
                return (read_page_file if path in self._paths else reader)(source, path)
            except PointerError as error:
                missing[path] = error.pointer
                return _UNKNOWN

        return read


def _at_once(tree: SourceTree) -> dict[str, Pointer]:
    """The pointers among the texts that are read one by one before any page, or after all."""
    missing = {}
    for path in tree.paths():
        name = posixpath.basename(path)
        is_one = name in (CONFIG_NAME, "SUMMARY.md") or f"/{path}".endswith(f"/{VARIABLES}")
        if (is_one or f"/{INCLUDES}" in f"/{path}") and tree.size(path) < POINTER_BYTES:
            pointer = pointer_at(tree, path)
            if pointer is not None:
                missing[path] = pointer
    return missing
