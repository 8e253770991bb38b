"""The page tree of a Git layout: entries of the table of contents joined with their files."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable

from content.git.config import GitConfig
from content.git.page_files import PageFileReader
from content.git.space_import import PageImport
from content.git.summary import SummaryEntry, title_from_name
from content.links.relative import is_absolute, relative_target
from content.pages.front_matter import FrontMatter
from content.slugs import is_valid_slug, slug_from_title, slug_key, unique_slug
from content.sources.tree import SourceTree

# Pages keep the names their files give them; groups, links and computed pages step aside.
_SLUG_ORDER = {"page": 0, "group": 1, "computed": 2, "link": 3}


class PageBuilder:
    """Turns entries into pages; `warnings` tells what was left out or changed on the way."""

    def __init__(
        self,
        source: SourceTree,
        prefix: str,
        paths: frozenset[str],
        config: GitConfig,
        read_file: PageFileReader,
    ) -> None:
        """`prefix` leads from the source to the content root, `paths` are the paths below it."""
        self.source = source
        self._read_file = read_file
        self.prefix = prefix
        self.known = paths
        self.config = config
        self.warnings: list[str] = []

    def build(
        self, entries: Iterable[SummaryEntry], parent_path: str = ""
    ) -> tuple[PageImport, ...]:
        """The pages for sibling `entries` below the page at `parent_path` ("" for the root)."""
        siblings = list(entries)
        slugs = self._slugs(siblings, at_root=not parent_path)
        return tuple(
            self._page(entry, slug, f"{parent_path}/{slug}".lstrip("/"))
            for entry, slug in zip(siblings, slugs, strict=True)
        )

    def title_of(self, path: str) -> str:
        """The title that the Markdown file at `path` (from the content root) gives itself."""
        file = self._read_file(self.source, self.prefix + path)
        return file.matter.title or file.heading or title_from_name(self._name(path))

    def _slugs(self, entries: list[SummaryEntry], *, at_root: bool) -> list[str]:
        slugs = [""] * len(entries)
        taken: set[str] = set()
        order = sorted(range(len(entries)), key=lambda i: (_SLUG_ORDER[entries[i].kind], i))
        for index in order:
            wished = self._wished_slug(entries[index])
            slug = unique_slug(wished, taken, at_root=at_root)
            taken.add(slug_key(slug))
            slugs[index] = slug
        return slugs

    def _wished_slug(self, entry: SummaryEntry) -> str:
        """The slug an entry would have without siblings."""
        if entry.slug is not None:
            return entry.slug if is_valid_slug(entry.slug) else slug_from_title(entry.slug)
        if entry.kind != "page" or entry.target is None:
            return slug_from_title(entry.title)
        name = self._name(entry.target)
        if is_valid_slug(name):
            return name
        slug = slug_from_title(name)
        self.warnings.append(
            f"{self.prefix}{entry.target}: the page gets the slug '{slug}', "
            f"'{name}' has characters that are not allowed in one"
        )
        return slug

    def _name(self, path: str) -> str:
        """The last element of a file path; a readme goes by its folder, the root one by itself."""
        path = path.removeprefix(self.config.inside(""))
        folder, base = posixpath.split(path)
        stem = posixpath.splitext(base)[0]
        if stem.lower() != "readme":
            return stem
        return posixpath.basename(folder) or "readme"

    def _page(self, entry: SummaryEntry, slug: str, path: str) -> PageImport:
        children = self.build(entry.children, path)
        if entry.kind == "page":
            return self._document(entry, slug, path, children)
        if entry.kind == "link" and self._leaves_root(entry.target or ""):
            self.warnings.append(
                f"{self.prefix}{self.config.summary}, line {entry.line}: '{entry.target}' is "
                "outside of the content root, so it is a link that leads nowhere"
            )
        return PageImport(
            kind=entry.kind,
            title=entry.title,
            slug=slug,
            path=path,
            target=entry.target,
            source=entry.source,
            children=children,
        )

    def _document(
        self, entry: SummaryEntry, slug: str, path: str, children: tuple[PageImport, ...]
    ) -> PageImport:
        matter, markdown, heading, head, lead = FrontMatter(), "", None, None, ""
        git_path = git_oid = None
        if entry.target is not None:
            git_path = self.prefix + entry.target
            if entry.target in self.known:
                git_oid = self.source.blob_oid(git_path)
                file = self._read_file(self.source, git_path)
                matter, heading, markdown, head = (
                    file.matter,
                    file.heading,
                    file.markdown,
                    file.head,
                )
                if file.damaged:
                    self.warnings.append(f"{git_path}: is not UTF-8, some characters are replaced")
                self.warnings += [f"{git_path}: {warning}" for warning in matter.warnings]
            else:
                self.warnings.append(
                    f"{self.prefix}{self.config.summary}, line {entry.line}: "
                    f"'{entry.target}' does not exist, the page is empty"
                )
        title = matter.title or heading or entry.title or title_from_name(entry.target or slug)
        return PageImport(
            kind="document",
            title=title,
            slug=slug,
            path=path,
            **PageImport.fields_of(matter),
            markdown=markdown,
            head=head,
            lead=lead,
            git_path=git_path,
            git_oid=git_oid,
            id=matter.id,
            children=children,
        )

    def _leaves_root(self, target: str) -> bool:
        """Whether a target in the table of contents is a path that cannot be within the root."""
        if not target or target.startswith(("#", "?")) or is_absolute(target):
            return False
        return relative_target(target, posixpath.dirname(self.config.summary)) is None
