"""Books in EPUB: chapters in the order and nesting of their table of contents."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from xml.etree.ElementTree import Element

from content.errors import SourceError
from content.git.space_import import SpaceImport
from content.git.summary import title_from_name
from content.imports.dom import Tag, parse_html
from content.imports.drafts import Draft, link_within, space_import
from content.imports.html_page import decode_html, page_of_html
from content.imports.safe_xml import local_name, parse_xml
from content.links.relative import relative_target
from content.sources.tree import SourceTree

MARKER = "META-INF/container.xml"
# Pages of a book that are no content.
_NO_CONTENT = ("nav", "cover", "toc")


def read_epub(source: SourceTree) -> SpaceImport:
    """The chapters of a book as pages. SourceError when it is no readable book."""
    package_path = _package_path(source)
    package = parse_xml(source.read(package_path), package_path)
    folder = posixpath.dirname(package_path)
    items = {item.get("id", ""): item for item in package.iterfind(".//{*}item")}
    spine = [
        _target(items[ref.get("idref", "")], folder)
        for ref in package.iterfind(".//{*}itemref")
        if ref.get("idref", "") in items
    ]
    navigation = _navigation(source, list(items.values()), folder)
    skipped = {
        _target(item, folder)
        for item in items.values()
        if set((item.get("properties") or "").split()) & set(_NO_CONTENT)
        or (item.get("id") or "").lower() in ("cover", "cover-page", "toc", "nav")
    }
    chapters = [path for path in spine if path in source and path not in skipped]
    if not chapters:
        raise SourceError("the book has no chapters")
    titles: dict[str, str] = {}
    parents: dict[str, str] = {}
    for title, path, parent in navigation:
        if path in chapters and path not in titles:
            titles[path] = title
            if parent is not None and parent in titles and parent != path:
                parents[path] = parent
    drafts: dict[str, Draft] = {}
    top: list[Draft] = []
    chapter_paths = frozenset(chapters)
    for path in (*titles, *(path for path in chapters if path not in titles)):
        link = link_within(path, chapter_paths, source)
        page = page_of_html(decode_html(source.read(path)), link, xhtml=True)
        title = titles.get(path) or page.title or title_from_name(posixpath.basename(path))
        draft = Draft(title, path, page.markdown)
        drafts[path] = draft
        if not page.markdown.strip() and path not in titles:
            continue
        above = drafts.get(parents.get(path, ""))
        (above.children if above is not None else top).append(draft)
    return space_import(top, source)


def _package_path(source: SourceTree) -> str:
    container = parse_xml(source.read(MARKER), MARKER)
    for element in container.iterfind(".//{*}rootfile"):
        path = posixpath.normpath(element.get("full-path", ""))
        if path in source:
            return path
    raise SourceError(f"{MARKER}: names no package of the book")


def _target(item: Element, folder: str) -> str:
    target = relative_target(item.get("href", ""), folder)
    return target[0] if target is not None else ""


Entry = tuple[str, str, str | None]


def _navigation(source: SourceTree, items: Sequence[Element], folder: str) -> list[Entry]:
    """(title, path, path of the entry above) of the table of contents, EPUB 3 before EPUB 2."""
    for item in items:
        path = _target(item, folder)
        if "nav" in item.get("properties", "").split() and path in source:
            entries = _from_nav(decode_html(source.read(path)), posixpath.dirname(path))
            if entries:
                return entries
    for item in items:
        path = _target(item, folder)
        if item.get("media-type") == "application/x-dtbncx+xml" and path in source:
            return _from_ncx(parse_xml(source.read(path), path), posixpath.dirname(path))
    return []


def _from_nav(text: str, folder: str) -> list[Entry]:
    root = parse_html(text, xhtml=True)
    toc = root.find(lambda tag: tag.name == "nav" and "toc" in tag.get("epub:type").split())
    toc = toc or next(root.all("nav"), None)
    entries: list[Entry] = []

    def visit(tag: Tag, parent: str | None) -> None:
        for child in tag.elements():
            if child.name == "li":
                link = child.child("a")
                target = relative_target(link.get("href"), folder) if link is not None else None
                if link is not None and target is not None:
                    entries.append((link.words(), target[0], parent))
                visit(child, target[0] if target is not None else parent)
            else:
                visit(child, parent)

    if toc is not None:
        visit(toc, None)
    return entries


def _from_ncx(root: Element, folder: str) -> list[Entry]:
    entries: list[Entry] = []

    def visit(element: Element, parent: str | None, depth: int) -> None:
        if depth > 50:
            return
        for child in element:
            if local_name(child) != "navPoint":
                if local_name(child) == "navMap":
                    visit(child, parent, depth + 1)
                continue
            label, content = child.find("{*}navLabel"), child.find("{*}content")
            title = " ".join("".join(label.itertext()).split()) if label is not None else ""
            url = content.get("src", "") if content is not None else ""
            target = relative_target(url, folder)
            if target is not None:
                entries.append((title, target[0], parent))
            visit(child, target[0] if target is not None else parent, depth + 1)

    visit(root, None, 0)
    return entries
