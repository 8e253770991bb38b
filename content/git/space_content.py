"""The content of a space as it is to be written to Git: what a revision holds, with its ids.

References in it are content references: the paths that links have depend on where files come to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from content.depth_first import depth_first
from content.git.space_import import PageKind
from content.json_types import JsonObject
from content.pages.front_matter import FrontMatter

# The document of a body, loaded when it is needed; None for what has no text of its own.
Body = Callable[[], JsonObject] | None


@dataclass(frozen=True, slots=True)
class PageContent:
    """A page. `matter` has its fields under their names, and no title; its cover has content
    references. `git_path` (from the root of the repository) and `git_oid` say where its file was
    when it was synchronized last, None for a page that has never been; `unchanged`: title, fields
    and body are still those of that blob."""

    id: str
    kind: PageKind
    title: str
    slug: str = ""
    matter: FrontMatter = field(default_factory=FrontMatter)
    body: Body = None
    target: JsonObject | None = None
    source: JsonObject | None = None
    git_path: str | None = None
    git_oid: str | None = None
    unchanged: bool = False
    children: tuple[PageContent, ...] = ()

    def walk(self) -> Iterator[PageContent]:
        """This page and all below it, depth first."""
        return depth_first(self)


@dataclass(frozen=True, slots=True)
class FileContent:
    """A file; `read` gives its bytes, `sha256` is theirs in hex."""

    id: str
    name: str
    sha256: str
    size: int
    read: Callable[[], bytes] = field(repr=False, compare=False)
    git_path: str | None = None


@dataclass(frozen=True, slots=True)
class ReusableContentContent:
    """A reusable content; what is said of a page's blob is true of its."""

    id: str
    title: str
    body: Body = None
    git_path: str | None = None
    git_oid: str | None = None
    unchanged: bool = False


@dataclass(frozen=True, slots=True)
class SpaceContent:
    """All of a space. `root` is the content root within the repository that `git_path`s were noted
    with; `redirects` map old paths, as they are compared, to a page's id and perhaps a heading of
    it."""

    title: str
    pages: tuple[PageContent, ...] = ()
    files: tuple[FileContent, ...] = ()
    reusable_contents: tuple[ReusableContentContent, ...] = ()
    variables: JsonObject = field(default_factory=dict)
    redirects: Mapping[str, tuple[str, str | None]] = field(default_factory=dict)
    root: str = ""

    def walk(self) -> Iterator[PageContent]:
        """All pages, depth first in their order."""
        for page in self.pages:
            yield from page.walk()
