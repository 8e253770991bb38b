"""Archives of HTML files: exports of wikis, and sites that generators have built."""

from __future__ import annotations

import posixpath
import re

from content.errors import SourceError
from content.git.space_import import SpaceImport
from content.git.summary import title_from_name
from content.imports.dom import Tag, parse_html
from content.imports.drafts import Draft, link_within, space_import
from content.imports.html_page import HtmlPage, decode_html, read_page, rewrite_links
from content.imports.outline import by_folders, by_outline, read_outline
from content.sources.tree import SourceTree

ENDINGS = (".html", ".htm", ".xhtml")
_CONFLUENCE = re.compile(rb"confluence|pageSection|Available Pages", re.IGNORECASE)
_SPACE_PREFIX = re.compile(r"\A[^:]{1,100} : (?=.)")


def html_paths(source: SourceTree) -> list[str]:
    """The HTML documents of an archive."""
    return [path for path in source.paths() if path.lower().endswith(ENDINGS)]


def is_confluence(source: SourceTree) -> bool:
    """Whether an archive is the HTML export of a Confluence space."""
    index = _index(source)
    return index is not None and bool(_CONFLUENCE.search(source.read(index)[:100_000]))


def _index(source: SourceTree) -> str | None:
    """The index nearest to the root."""
    paths = [path for path in html_paths(source) if _is_index(path)]
    return min(paths, key=lambda path: (path.count("/"), path), default=None)


def _is_index(path: str) -> bool:
    return posixpath.splitext(posixpath.basename(path).lower())[0] == "index"


def read_html_files(source: SourceTree) -> SpaceImport:
    """Pages by the folders of their files; a root index comes first."""
    paths = html_paths(source)
    documents = frozenset(paths)

    def make(path: str, title: str) -> Draft:
        page = read_page(_tree(source, path, documents))
        name = _name(path)
        return Draft(
            page.title or title_from_name(name), path, page.markdown, page.description, name
        )

    drafts = by_folders(paths, make, is_index=_is_index)
    return space_import(drafts, source)


def read_confluence(source: SourceTree) -> SpaceImport:
    """The pages of a Confluence export in the tree of its index, others behind them."""
    index = _index(source)
    if index is None:
        raise SourceError("the archive has no index.html; export the space as HTML")
    pages = frozenset(html_paths(source)) - {index}
    entries = read_outline(source.read(index), index, pages)

    def make(path: str, title: str) -> Draft:
        page = _confluence_page(_tree(source, path, pages))
        return Draft(title or page.title or title_from_name(_name(path)), path, page.markdown)

    drafts = by_outline(entries, make)
    listed = {draft.path for top in drafts for draft in top.walk()}
    drafts += [make(path, "") for path in sorted(pages - listed)]
    if not drafts:
        raise SourceError("the archive has no pages beside its index")
    return space_import(drafts, source)


def _tree(source: SourceTree, path: str, documents: frozenset[str]) -> Tag:
    """The tree of a document of an archive, with links to the `documents` as paths."""
    root = parse_html(decode_html(source.read(path)), xhtml=path.endswith(".xhtml"))
    rewrite_links(root, link_within(path, documents, source))
    return root


def _name(path: str) -> str:
    folder, base = posixpath.split(path)
    stem = posixpath.splitext(base)[0]
    return posixpath.basename(folder) or stem if _is_index(path) else stem


def _confluence_page(root: Tag) -> HtmlPage:
    """A page of the export: its title names the space, and attachments are listed at its end."""
    root.without(
        lambda tag: "pagesection" in tag.classes() and tag.find(_is_attachments) is not None
    )
    shown = root.find(lambda tag: tag.get("id") == "title-text")
    shown = shown or next(root.all("title"), None)
    page = read_page(root, shown.words() if shown is not None else "")
    return HtmlPage(_SPACE_PREFIX.sub("", page.title), None, page.markdown)


def _is_attachments(tag: Tag) -> bool:
    return tag.get("id") in ("attachments", "comments")
