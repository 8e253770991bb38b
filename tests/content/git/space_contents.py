"""Content of spaces as a store would have it, made of what a source holds; and trees in memory."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from content.git.import_links import ImportLinks, Known, page_paths
from content.git.layout import read_space
from content.git.space_content import (
    FileContent,
    PageContent,
    ReusableContentContent,
    SpaceContent,
)
from content.git.space_import import PageImport, SpaceImport
from content.git.tree_changes import TreeChanges
from content.git.writer import Tip
from content.json_types import JsonObject
from content.markdown.spelling import parse_with_style
from content.pages.front_matter import FrontMatter
from content.pages.stored import stored_title
from content.sources.tree import SourceTree
from content.sources.zip import open_files

_FIELDS = (
    "description", "icon", "emoji", "hidden", "no_index", "no_robots_index", "layout", "variables",
    "condition", "extra",
)  # fmt: skip


def tree_of(files: Mapping[str, bytes]) -> SourceTree:
    return open_files(dict(files))


def ids_of(layout: SpaceImport) -> Known:
    """Ids by path, the same each time."""
    return Known(
        {path: f"page-{number}" for number, (_, path) in enumerate(page_paths(layout))},
        {file.path: f"file-{number}" for number, file in enumerate(layout.files)},
        {c.path: f"content-{number}" for number, c in enumerate(layout.reusable_contents)},
    )


def tip_of(tree: SourceTree, *, repeated_as_links: bool = False) -> Tip:
    layout = read_space(tree, repeated_as_links=repeated_as_links)
    return Tip(tree, layout, ids_of(layout))


def content_of(tip: Tip, *, unchanged: bool = False) -> SpaceContent:
    """What a space has that was imported from a tree."""
    links = ImportLinks(tip.layout, lambda: "new", existing=tip.ids)

    def document(markdown: str, git_path: str | None) -> JsonObject:
        return parse_with_style(markdown, resolve=lambda url: links.resolve(url, git_path))

    def page_of(page: PageImport) -> PageContent:
        fields = {name: getattr(page, name) for name in _FIELDS}
        is_document = page.kind == "document"
        return PageContent(
            id=links.page_id(page),
            kind=page.kind,
            title=stored_title(page.title),
            slug=page.slug if page.kind in ("document", "group") else "",
            matter=FrontMatter(**fields, cover=links.cover(page)),
            body=partial(document, page.markdown, page.git_path) if is_document else None,
            target=links.reference(page.target or "", None) if page.kind == "link" else None,
            source=page.source,
            git_path=None if page.git_oid is None else page.git_path,
            git_oid=page.git_oid,
            unchanged=unchanged and page.git_oid is not None,
            children=tuple(map(page_of, page.children)),
        )

    return SpaceContent(
        title=tip.layout.title,
        pages=tuple(map(page_of, tip.layout.pages)),
        files=tuple(
            FileContent(
                links.file_id(file.path), file.name, file.sha256, file.size, file.read,
                file.git_path,
            )
            for file in tip.layout.files
        ),
        reusable_contents=tuple(
            ReusableContentContent(
                links.content_id(content.path),
                stored_title(content.title),
                partial(document, content.markdown, content.git_path),
                content.git_path,
                content.git_oid,
                unchanged,
            )
            for content in tip.layout.reusable_contents
        ),
        variables=dict(tip.layout.variables),
        redirects=links.redirects(),
        root=tip.layout.root,
    )  # fmt: skip


def file_content(id: str, name: str, data: bytes) -> FileContent:
    sha256 = hashlib.sha256(data).hexdigest()
    return FileContent(id, name, sha256, len(data), lambda: data)


def applied(files: Mapping[str, bytes], changes: TreeChanges) -> dict[str, bytes]:
    """The files of a tree after changes."""
    assert not changes.problems, changes.problems
    left = {path: data for path, data in files.items() if path not in changes.deletes}
    for path, written in changes.writes.items():
        left[path] = written.read()
        assert len(left[path]) == written.size
    return left


def with_page(content: SpaceContent, id: str, **values: object) -> SpaceContent:
    """The content with other values of a page."""

    def change(page: PageContent) -> PageContent:
        children = tuple(map(change, page.children))
        page = replace(page, children=children)
        return replace(page, unchanged=False, **values) if page.id == id else page  # type: ignore[arg-type]

    return replace(content, pages=tuple(map(change, content.pages)))
