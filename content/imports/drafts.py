"""Pages that a converter has made, as the import of a space, and links within an archive."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from urllib.parse import quote

from content.git.space_import import FileImport, PageImport, SpaceImport
from content.git.summary import title_from_name
from content.imports.html_blocks import anchor_of
from content.links.relative import link_candidates, relative_target
from content.pages.front_matter import FrontMatter
from content.slugs import is_valid_slug, slug_from_title, slug_key, unique_slug
from content.sources.tree import SourceTree

NO_MATTER = FrontMatter()


@dataclass(slots=True)
class Draft:
    """One page: `path` is where links find it ("" for nowhere), `name` what its slug is made of
    unless the title is to be. `matter` is the front matter of a Markdown document, whose title and
    description are those of the page already, `head` the text that held it."""

    title: str
    path: str = ""
    markdown: str = ""
    description: str | None = None
    name: str | None = None
    matter: FrontMatter = NO_MATTER
    head: str | None = None
    children: list[Draft] = field(default_factory=list)

    def walk(self) -> Iterator[Draft]:
        """This page and all below it, depth first."""
        stack = [self]
        while stack:
            draft = stack.pop()
            yield draft
            stack.extend(reversed(draft.children))


def space_import(drafts: Sequence[Draft], source: SourceTree) -> SpaceImport:
    """The import of these pages, with the files of `source` that they link to.

    `source` stays open as long as the files may be read.
    """
    pages = _pages(drafts, "")
    taken = {draft.path for top in drafts for draft in top.walk()}
    linked: dict[str, None] = {}
    warnings: list[str] = []
    for top in drafts:
        for draft in top.walk():
            warnings += [f"{draft.path}: {warning}" for warning in draft.matter.warnings]
            folder = posixpath.dirname(draft.path)
            for url in link_candidates(draft.markdown):
                target = relative_target(url, folder)
                if target is not None and target[0] in source and target[0] not in taken:
                    linked[target[0]] = None
    return SpaceImport(
        title=drafts[0].title if drafts else source.name,
        root="",
        pages=pages,
        files=tuple(FileImport.of(source, path, path) for path in linked),
        reusable_contents=(),
        variables={},
        redirects={},
        warnings=tuple(warnings),
        changed_at=source.changed_at,
    )


def _pages(drafts: Sequence[Draft], parent: str) -> tuple[PageImport, ...]:
    taken: set[str] = set()
    pages: list[PageImport] = []
    for draft in drafts:
        wished = draft.name or draft.title
        wished = wished if is_valid_slug(wished) and draft.name else slug_from_title(wished)
        slug = unique_slug(wished, taken, at_root=not parent)
        taken.add(slug_key(slug))
        path = f"{parent}/{slug}" if parent else slug
        pages.append(
            PageImport(
                kind="document",
                title=draft.title or title_from_name(posixpath.basename(draft.path) or slug),
                slug=slug,
                path=path,
                **PageImport.fields_of(draft.matter) | {"description": draft.description},
                markdown=draft.markdown,
                head=draft.head,
                git_path=draft.path or None,
                children=_pages(draft.children, path),
            )
        )
    return tuple(pages)


def link_within(path: str, pages: frozenset[str], source: SourceTree) -> Callable[[str], str]:
    """What a link in the document at `path` becomes: a path from the root for pages and files
    that are in the archive, with the fragment that headings get; other links stay."""
    folder = posixpath.dirname(path)

    def link(url: str) -> str:
        linked = relative_target(url, folder)
        if linked is None or (linked[0] not in pages and linked[0] not in source):
            return url
        target, anchor = linked
        fragment = f"#{anchor_of(anchor)}" if anchor and target in pages else ""
        if target == path:
            return fragment or f"/{quote(target)}"
        return f"/{quote(target)}{fragment}"

    return link
