"""The paths of files that pages, files and reusable contents of a space get in a tree.

What stays where it is in the page tree keeps its file; what moved, or has another slug, gets the
path that its place gives it. All paths here count from the content root.
"""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from content.git.config import GitConfig
from content.git.space_content import FileContent, PageContent, SpaceContent
from content.links.relative import MARKDOWN
from content.slugs import slug_from_title, slug_key as _key

ASSETS = ".gitbook/assets/"
INCLUDES = ".gitbook/includes/"
README = "readme"


@dataclass(frozen=True, slots=True)
class TreePage:
    """A page as a tree has it: its id, slug and parent, and the path of its file if it has one."""

    id: str
    slug: str
    kind: str
    parent: str | None
    path: str | None


@dataclass(slots=True)
class PlannedPaths:
    """Paths by id."""

    pages: dict[str, str] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    contents: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Ground:
    """The tree that a space is written to: its pages by id, the paths of its files and reusable
    contents by id, the paths of all files there are, and those of links and submodules."""

    config: GitConfig
    pages: Mapping[str, TreePage] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    contents: Mapping[str, str] = field(default_factory=dict)
    paths: frozenset[str] = frozenset()
    left_out: frozenset[str] = frozenset()


def plan_paths(
    content: SpaceContent, ground: Ground, says_something: Callable[[PageContent], bool]
) -> PlannedPaths:
    """Where everything comes to.

    A page that is an entry without a link has no file until it says something.

    No two get one path, also where capitals do not count, and none the path of a file that is
    something else.
    """
    return _Planner(content, ground, says_something).plan()


def without_place(planned: PlannedPaths, ground: Ground) -> Iterable[tuple[str, str]]:
    """New files and reusable contents whose folder is something else in the tree, and where. Theirs
    have no other: what is in another one is no part of a space by itself."""
    blocked = ground.left_out | (ground.paths - {*ground.files.values(), *ground.contents.values()})
    for path in sorted({*planned.files.values(), *planned.contents.values()} - ground.paths):
        place = next((folder for folder in _folders(path) if folder in blocked), None)
        if place is not None:
            yield path, place


def folder_of(path: str) -> str:
    """The folder of the pages below the page at a path."""
    stem = posixpath.splitext(path)[0]
    folder, name = posixpath.split(stem)
    return folder if name.lower() == README else stem


class _Planner:
    def __init__(
        self,
        content: SpaceContent,
        ground: Ground,
        says_something: Callable[[PageContent], bool],
    ) -> None:
        self.says_something = says_something
        self.wanted = content
        self.ground = ground
        self.planned = PlannedPaths()
        ours = {page.path for page in ground.pages.values() if page.path is not None}
        ours |= {*ground.files.values(), *ground.contents.values()}
        # What is no part of the space, and stays.
        self.of_others = {_key(path) for path in (ground.paths - ours) | ground.left_out}
        self.taken = {*self.of_others}
        self.taken.add(_key(ground.config.summary))
        self.folders = {_key(parent) for path in ground.paths - ours for parent in _folders(path)}
        self.parents: dict[str, PageContent | None] = {}
        for page in content.walk():
            for child in page.children:
                self.parents[child.id] = page
        self.group_of = self._matching_groups()
        # Folders of moved pages, by id: the old one and the new one.
        self.moved: dict[str, tuple[str, str]] = {}
        # The last number of each path that was taken, so that many of one name cost little.
        self.numbers: dict[str, int] = {}
        self.assets = ground.config.inside(ASSETS)
        self.includes = ground.config.inside(INCLUDES)

    def plan(self) -> PlannedPaths:
        pages = [page for page in self.wanted.walk() if page.kind == "document"]
        stay = [page for page in self.wanted.walk() if self._stays(page)]
        missing: list[tuple[PageContent, str]] = []
        for page in stay:
            path = self.ground.pages[page.id].path
            assert path is not None
            if path in self.ground.paths:
                self._claim(page.id, path)
            else:
                missing.append((page, path))
        for page, path in missing:
            # A file that is made takes the place of none whose path differs in capitals alone.
            if _key(path) not in self.taken or not self.says_something(page):
                self._claim(page.id, path)
        landing = pages[0].id if pages else None
        for page in pages:
            if page.id not in self.planned.pages and self._has_file(page):
                self._claim(page.id, self._free(self._wish(page, page.id == landing)))
        self._plan_files()
        self._plan_contents()
        return self.planned

    def _has_file(self, page: PageContent) -> bool:
        there = self.ground.pages.get(page.id)
        return there is None or there.path is not None or self.says_something(page)

    def _claim(self, id: str, path: str) -> None:
        self.planned.pages[id] = path
        self.taken.add(_key(path))
        there = self.ground.pages.get(id)
        if there is not None and there.path is not None and there.path != path:
            self.moved[id] = folder_of(there.path), folder_of(path)

    def _matching_groups(self) -> dict[str, str]:
        """Groups of the tree that no group of the space has the id of: by their pages."""
        wanted_parent = {page.id: parent.id for page, parent in self._with_parents() if parent}
        votes: dict[str, Counter[str]] = {}
        ids = {page.id for page in self.wanted.walk()}
        for page in self.ground.pages.values():
            if page.parent is not None and page.parent not in ids and page.id in wanted_parent:
                votes.setdefault(page.parent, Counter())[wanted_parent[page.id]] += 1
        return {group: count.most_common(1)[0][0] for group, count in votes.items()}

    def _with_parents(self) -> Iterable[tuple[PageContent, PageContent | None]]:
        for page in self.wanted.walk():
            yield page, self.parents.get(page.id)

    def _moved_itself(self, page: PageContent) -> bool:
        there = self.ground.pages[page.id]
        parent = self.parents.get(page.id)
        before = there.parent
        if before is not None:
            before = self.group_of.get(before, before)
        return there.slug != page.slug or before != (None if parent is None else parent.id)

    def _stays(self, page: PageContent) -> bool:
        """Whether neither a page nor one above it, in whose folder it is, has moved."""
        there = self.ground.pages.get(page.id)
        if page.kind != "document" or there is None or there.path is None:
            return False
        if self._moved_itself(page):
            return self._wish(page, False, only_own=True) == there.path
        above = self.parents.get(page.id)
        while above is not None:
            other = self.ground.pages.get(above.id)
            if other is not None and other.path is not None and self._moved_itself(above):
                return not there.path.startswith(f"{folder_of(other.path)}/") or (
                    self._wish(above, False, only_own=True) == other.path
                )
            above = self.parents.get(above.id)
        return True

    def _wish(self, page: PageContent, is_landing: bool, *, only_own: bool = False) -> str:
        """The path that a page would have if it were free."""
        there = self.ground.pages.get(page.id)
        parent = self.parents.get(page.id)
        path = None if there is None else there.path
        if path is not None and there is not None:
            if path == self.ground.config.readme and parent is None:
                # The home page is called so whatever its slug is.
                return path
            if not self._moved_itself(page):
                return self._along(page, path)
            before = self.group_of.get(there.parent or "", there.parent)
            if before == (None if parent is None else parent.id):
                return self._along(page, self._renamed(path, page.slug), only_own=only_own)
        elif (earlier := self._earlier(page)) is not None:
            return earlier
        elif is_landing and _key(self.ground.config.readme) not in self.taken:
            return self.ground.config.readme
        folder = self._folder(parent)
        name = page.slug or slug_from_title(page.title)
        if name.lower() == README:
            name = f"{name}-1"
        is_folder = bool(page.children)
        if path is not None:
            is_folder = posixpath.splitext(posixpath.basename(path))[0].lower() == README
        return posixpath.join(folder, f"{name}/README.md" if is_folder else f"{name}.md")

    def _earlier(self, page: PageContent) -> str | None:
        """The path that a page had once, where that still fits its slug."""
        path = self._from_root(page.git_path)
        if path is None or not path.lower().endswith(MARKDOWN):
            return None
        stem = posixpath.splitext(path)[0]
        folder, name = posixpath.split(stem)
        if name.lower() == README:
            if not folder and _key(path) in self.taken:
                # Another page is the first one now: a number behind this name would be read as
                # part of the slug.
                return None
            name = posixpath.basename(folder) or README
        return path if page.slug in (name, slug_from_title(name)) else None

    def _from_root(self, path: str | None) -> str | None:
        root = f"{self.wanted.root}/" if self.wanted.root else ""
        return path.removeprefix(root) if path is not None and path.startswith(root) else None

    def _folder(self, parent: PageContent | None) -> str:
        """The folder of pages that are new below a page."""
        own = self.ground.config.folder
        if parent is None:
            return own
        if parent.kind == "group":
            return posixpath.join(self._folder(self.parents.get(parent.id)), parent.slug)
        path = self.planned.pages.get(parent.id)
        if path is not None:
            if path == self.ground.config.readme:
                folder = posixpath.dirname(path)
                is_outside = own and not f"{folder}/".startswith(f"{own}/")
                return posixpath.join(own if is_outside else folder, parent.slug or README)
            return folder_of(path)
        return posixpath.join(self._folder(self.parents.get(parent.id)), parent.slug)

    def _renamed(self, path: str, slug: str) -> str:
        """A path whose name is another slug, in the folder that it is in."""
        folder, base = posixpath.split(path)
        stem, ending = posixpath.splitext(base)
        name = f"{slug}-1" if slug.lower() == README else slug
        if stem.lower() == README and folder:
            return posixpath.join(posixpath.dirname(folder), name, base)
        return posixpath.join(folder, f"{name}{ending if ending.lower() in MARKDOWN else '.md'}")

    def _along(self, page: PageContent, path: str, *, only_own: bool = False) -> str:
        """A path that goes along with the folder of the nearest page above that has moved."""
        above = None if only_own else self.parents.get(page.id)
        while above is not None:
            if above.id in self.moved:
                old, new = self.moved[above.id]
                if old and path.startswith(f"{old}/"):
                    return f"{new}{path[len(old) :]}".lstrip("/")
            above = self.parents.get(above.id)
        return path

    def _free(self, path: str) -> str:
        """The path, or one with a number that nothing else has."""
        folder, base = posixpath.split(path)
        folder = self._clear_folder(folder)
        stem, ending = posixpath.splitext(base)
        in_folder = stem.lower() == README and folder
        if in_folder:
            return self._numbered(folder, f"/{base}", "-{}")
        return self._numbered(posixpath.join(folder, stem), ending, "-{}")

    def _clear_folder(self, folder: str) -> str:
        """The folder, with a number where a file, a link or a submodule of others has its name."""
        clear = ""
        for name in folder.split("/"):
            place = candidate = posixpath.join(clear, name)
            count = 0
            while _key(candidate) in self.of_others:
                count += 1
                candidate = f"{place}-{count}"
            clear = candidate
        return clear

    # ------------------------------------------------------------ files, reusable contents

    def _plan_files(self) -> None:
        new: list[FileContent] = []
        for file in self.wanted.files:
            path = self.ground.files.get(file.id)
            outside = path is not None and not path.startswith(self.assets)
            if path is not None and (outside or posixpath.basename(path) == file.name):
                self.planned.files[file.id] = path
                self.taken.add(_key(path))
            else:
                new.append(file)
        for file in new:
            path = self.ground.files.get(file.id)
            earlier = self._from_root(file.git_path)
            if path is None and earlier is not None and earlier.startswith(self.assets):
                path = earlier
            folder = self.assets if path is None else f"{posixpath.dirname(path)}/"
            stem, ending = posixpath.splitext(file.name)
            path = self._numbered(f"{folder}{stem}", ending, " ({})")
            self.planned.files[file.id] = path
            self.taken.add(_key(path))

    def _plan_contents(self) -> None:
        new = []
        for content in self.wanted.reusable_contents:
            path = self.ground.contents.get(content.id)
            if path is None:
                new.append(content)
            else:
                self.planned.contents[content.id] = path
                self.taken.add(_key(path))
        for content in new:
            name = f"{slug_from_title(content.title)}.md"
            earlier = self._from_root(content.git_path)
            if earlier is not None and earlier.startswith(self.includes):
                name = earlier.removeprefix(self.includes)
            path = self._numbered(f"{self.includes}{name.removesuffix('.md')}", ".md", "-{}")
            self.planned.contents[content.id] = path
            self.taken.add(_key(path))

    def _numbered(self, stem: str, ending: str, number: str) -> str:
        """`stem` and `ending`, with a number between them unless they are free without one."""
        candidate = f"{stem}{ending}"
        first = _key(candidate)
        count = self.numbers.get(first, 0)
        if count:
            candidate = f"{stem}{number.format(count)}{ending}"
        while _key(candidate) in self.taken or _key(candidate) in self.folders:
            count += 1
            candidate = f"{stem}{number.format(count)}{ending}"
        self.numbers[first] = count
        return candidate


def _folders(path: str) -> Iterable[str]:
    folder = posixpath.dirname(path)
    while folder:
        yield folder
        folder = posixpath.dirname(folder)
