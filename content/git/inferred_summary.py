"""The table of contents of a space that has no `SUMMARY.md`: the tree of its folders."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from content.git.summary import SummaryEntry
from content.links.relative import MARKDOWN

_DIGITS = re.compile(r"(\d+)")


@dataclass(slots=True)
class _Folder:
    files: list[str] = field(default_factory=list)
    folders: dict[str, _Folder] = field(default_factory=dict)


def infer_summary(
    paths: Iterable[str],
    *,
    readme: str = "README.md",
    summary: str = "SUMMARY.md",
    title_of: Callable[[str], str] | None = None,
) -> tuple[SummaryEntry, ...]:
    """Entries for all Markdown files in `paths`, relative to the content root.

    Folders that all files have in common are left out. A folder's `readme` is the folder's page,
    a folder without one becomes a page without a file. The readme comes first, then names in
    natural order. Folders and files whose name starts with `.` are no pages. `title_of` gives
    the title for a path, otherwise it is made from the name.
    """
    pages = [
        path
        for path in paths
        if path.lower().endswith(MARKDOWN)
        and path != summary
        and not any(part.startswith(".") for part in path.split("/"))
    ]
    root = _Folder()
    for path in pages:
        folder = root
        for part in posixpath.dirname(path).split("/"):
            if part:
                folder = folder.folders.setdefault(part, _Folder())
        folder.files.append(path)
    top = root
    while not top.files and len(top.folders) == 1:
        top = next(iter(top.folders.values()))
    return tuple(_Builder(posixpath.basename(readme), title_of or title_from_name).entries(top))


class _Builder:
    def __init__(self, readme: str, title_of: Callable[[str], str]) -> None:
        self.readme = readme.lower()
        self.title_of = title_of

    def entries(self, folder: _Folder, *, with_readme: bool = True) -> list[SummaryEntry]:
        first = [path for path in folder.files if self._is_readme(path)]
        named: list[tuple[str, SummaryEntry]] = [
            (posixpath.basename(path), SummaryEntry("page", self.title_of(path), 0, target=path))
            for path in folder.files
            if path not in first
        ]
        named += [(name, self._folder(name, child)) for name, child in folder.folders.items()]
        named.sort(key=lambda item: natural_order(item[0]))
        entries = [entry for _, entry in named]
        if with_readme:
            pages = [SummaryEntry("page", self.title_of(path), 0, target=path) for path in first]
            entries = pages + entries
        return entries

    def _folder(self, name: str, folder: _Folder) -> SummaryEntry:
        readme = next((path for path in folder.files if self._is_readme(path)), None)
        title = self.title_of(readme) if readme else title_from_name(name)
        children = tuple(self.entries(folder, with_readme=False))
        return SummaryEntry(
            "page", title, 0, target=readme, slug=None if readme else name, children=children
        )

    def _is_readme(self, path: str) -> bool:
        return posixpath.basename(path).lower() == self.readme


def natural_order(name: str) -> tuple[tuple[int, int, str], ...]:
    """Sort key in which `page-2` comes before `page-10`, without regard to case."""
    key: list[tuple[int, int, str]] = []
    for part in _DIGITS.split(name.casefold()):
        if part.isdecimal():
            # Comparing by length first keeps numbers of any size away from int().
            digits = part.lstrip("0")
            key.append((0, len(digits), digits))
        elif part:
            key.append((1, 0, part))
    return tuple(key)


def title_from_name(path: str) -> str:
    """A title made from a file or folder name: `getting-started.md` gives `Getting started`."""
    name = posixpath.basename(path)
    stem = name.rsplit(".", 1)[0] if name.lower().endswith(MARKDOWN) else name
    words = " ".join(re.split(r"[-_\s]+", stem)).strip() or name
    return words[0].upper() + words[1:]
