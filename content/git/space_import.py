"""The contents of a Git layout: pages, files, reusable contents and settings of a space."""

from __future__ import annotations

import datetime as dt
import hashlib
import posixpath
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from content.depth_first import depth_first
from content.git.config import GitConfig
from content.git.lfs import Pointer
from content.git.summary import SummaryEntry
from content.json_types import JsonObject
from content.media.image_size import Dimensions, image_dimensions
from content.media.media_types import media_type
from content.pages.front_matter import FrontMatter
from content.sources.tree import SourceTree

_OF_FRONT_MATTER = (
    "description", "icon", "emoji", "hidden", "no_index", "no_robots_index", "layout", "cover",
    "variables", "condition", "extra",
)  # fmt: skip
PageKind = Literal["document", "group", "link", "computed"]


@dataclass(frozen=True, slots=True)
class PageImport:
    """One page of the tree.

    `path` joins the slugs of all ancestors and the page's own. `markdown` is the body without
    front matter and without the leading level-1 heading, which is the title. `head` is what stood
    before the body as it was written, if that has front matter. `target` is the URL or reference
    of a link page, `source` the YAML mapping of a computed page. `cover` and links hold paths as
    written: relative to the folder of `git_path`. `git_path` counts from the root of the source.
    `id` is a page id that front matter claims; the caller checks it.
    """

    kind: PageKind
    title: str
    slug: str
    path: str
    description: str | None = None
    icon: str | None = None
    emoji: str | None = None
    hidden: bool = False
    no_index: bool = False
    no_robots_index: bool = False
    layout: JsonObject = field(default_factory=dict)
    cover: JsonObject | None = None
    variables: JsonObject = field(default_factory=dict)
    condition: str | None = None
    extra: JsonObject = field(default_factory=dict)
    markdown: str = ""
    target: str | None = None
    source: JsonObject | None = None
    head: str | None = None
    # Of a file: all of its text that is not in the body.
    lead: str = field(default="", repr=False, compare=False)
    git_path: str | None = None
    git_oid: str | None = None
    id: str | None = None
    children: tuple[PageImport, ...] = ()

    @staticmethod
    def fields_of(matter: FrontMatter) -> dict[str, Any]:
        """The fields of a page that its front matter has under the same names."""
        return {name: getattr(matter, name) for name in _OF_FRONT_MATTER}

    def walk(self) -> Iterator[PageImport]:
        """This page and all below it, depth first."""
        return depth_first(self)


class FileFacts(NamedTuple):
    """What is known of the bytes of a blob without reading them; `sha256` in hex."""

    content_type: str
    size: int
    sha256: str
    dimensions: Dimensions | None


@dataclass(frozen=True, slots=True)
class FileImport:
    """One file of the space; `size` in bytes, `sha256` in hex, `path` from the content root."""

    path: str
    name: str
    content_type: str
    size: int
    sha256: str
    dimensions: Dimensions | None
    git_path: str
    git_oid: str | None
    tree: SourceTree = field(repr=False, compare=False)
    # What stands in the tree in its place: then its bytes are elsewhere, and `tree` has them not.
    pointer: Pointer | None = None

    @classmethod
    def of(
        cls,
        tree: SourceTree,
        path: str,
        git_path: str,
        git_oid: str | None = None,
        facts: FileFacts | None = None,
    ) -> FileImport:
        """The file that stands at `git_path` of a source; it is not read where its facts are
        known."""
        content_type = media_type(path)
        if facts is None or facts.content_type != content_type:
            data = tree.read(git_path)
            facts = FileFacts(
                content_type,
                len(data),
                hashlib.sha256(data).hexdigest(),
                image_dimensions(data, content_type),
            )
        return cls(
            path=path,
            name=posixpath.basename(path),
            content_type=content_type,
            size=facts.size,
            sha256=facts.sha256,
            dimensions=facts.dimensions,
            git_path=git_path,
            git_oid=git_oid,
            tree=tree,
        )

    def read(self) -> bytes:
        """The bytes, read from the source now; the source must still be open."""
        return self.tree.read(self.git_path)


@dataclass(frozen=True, slots=True)
class ReusableContentImport:
    """One reusable content; `path` counts from the content root."""

    title: str
    path: str
    markdown: str
    git_path: str
    git_oid: str | None
    id: str | None = None


@dataclass(frozen=True, slots=True)
class SpaceImport:
    """Everything a source holds for one space.

    `root` is the content root within the source ("" for the whole). `redirects` maps old paths
    (without outer slashes) to the path of a page, with `#anchor` where the file gave one.
    """

    title: str
    root: str
    pages: tuple[PageImport, ...]
    files: tuple[FileImport, ...]
    reusable_contents: tuple[ReusableContentImport, ...]
    variables: JsonObject
    redirects: Mapping[str, str]
    warnings: tuple[str, ...]
    # How it was read: the configuration, its path in the source, and the entries of the table of
    # contents; each entry stands for the page at the same place of the tree.
    config: GitConfig = field(default_factory=GitConfig, repr=False, compare=False)
    directory: str = field(default="", compare=False)
    # What addresses of files outside of the content root begin with; empty: their links stay.
    tree_url: str = field(default="", compare=False)
    entries: tuple[SummaryEntry, ...] = field(default=(), repr=False, compare=False)
    repeated_as_links: bool = field(default=False, compare=False)
    # When the source has last changed what is at a path of it; None where it does not say.
    changed_at: Callable[[str], dt.datetime | None] = field(
        default=lambda path: None, repr=False, compare=False
    )

    def walk(self) -> Iterator[PageImport]:
        """All pages, depth first in the order of the table of contents."""
        for page in self.pages:
            yield from page.walk()
