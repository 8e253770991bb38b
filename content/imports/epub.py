"""Books in EPUB: chapters in the order and nesting of their table of contents."""

from __future__ import annotations

import posixpath
from xml.etree.ElementTree import Element

from content.errors import SourceError
from content.git.inferred_summary import title_from_name
from content.git.space_import import SpaceImport
from content.imports.dom import Tag, parse_html
from content.imports.drafts import Draft, space_import
from content.imports.html_page import decode_html, page_of_html
from content.imports.links_between import link_within
from content.imports.safe_xml import local_name, parse_xml
from content.links.relative import relative_target
from content.sources.tree import SourceTree

MARKER = "META-INF/container.xml"
_CHAPTERS = ("application/xhtml+xml", "text/html")
# Pages of a book that are no content.
_NO_CONTENT = ("nav", "cover", "toc")


def read_epub(source: SourceTree) -> SpaceImport:
    """The chapters of a book as pages. SourceError when it is no readable book."""
    package_path = _package_path(source)
    package = parse_xml(source.read(package_path), package_path)
    folder = posixpath.dirname(package_path)
    items = {
        item.get("id", ""): item for item in package.iter() if local_name(item) == "item"
    }  # fmt: skip
    spine = [
        _target(items[ref.get("idref", "")], folder)
        for ref in package.iter()
        if local_name(ref) == "itemref" and ref.get("idref", "") in items
    ]
    navigation = _navigation(source, items.values(), folder)
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
    order: list[str] = []
    for title, path, parent in navigation:
        if path in chapters and path not in titles:
            titles[path] = title
            order.append(path)
            if parent is not None and parent in titles and parent != path:
                parents[path] = parent
    order += [path for path in chapters if path not in titles]
    drafts: dict[str, Draft] = {}
    top: list[Draft] = []
    known = frozenset(chapters)
    for path in order:
        link = link_within(path, known, source)
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
    for element in container.iter():
        if local_name(element) == "rootfile":
            path = posixpath.normpath(element.get("full-path", ""))
            if path in source:
                return path
    raise SourceError(f"{MARKER}: names no package of the book")


def _target(item: Element, folder: str) -> str:
    found = relative_target(item.get("href", ""), folder)
    return found[0] if found is not None else ""


Entry = tuple[str, str, str | None]


def _navigation(source: SourceTree, items: object, folder: str) -> list[Entry]:
    """(title, path, path of the entry above) of the table of contents, EPUB 3 before EPUB 2."""
    assert not isinstance(items, str)
    listed = list(items)  # type: ignore[call-overload]
    for item in listed:
        if "nav" in (item.get("properties") or "").split():
            path = _target(item, folder)
            if path in source:
                found = _from_nav(decode_html(source.read(path)), posixpath.dirname(path))
                if found:
                    return found
    for item in listed:
        if item.get("media-type") == "application/x-dtbncx+xml":
            path = _target(item, folder)
            if path in source:
                return _from_ncx(parse_xml(source.read(path), path), posixpath.dirname(path))
    return []


def _from_nav(text: str, folder: str) -> list[Entry]:
    root = parse_html(text, xhtml=True)
    toc = root.find(lambda tag: tag.name == "nav" and "toc" in tag.get("epub:type").split())
    toc = toc or root.find(lambda tag: tag.name == "nav")
    entries: list[Entry] = []

    def visit(tag: Tag, parent: str | None) -> None:
        for child in tag.elements():
            if child.name == "li":
                link = next((one for one in child.elements() if one.name == "a"), None)
                found = relative_target(link.get("href"), folder) if link is not None else None
                if link is not None and found is not None:
                    entries.append((link.words(), found[0], parent))
                inner = found[0] if found is not None else parent
                visit(child, inner)
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
            label = next((one for one in child if local_name(one) == "navLabel"), None)
            content = next((one for one in child if local_name(one) == "content"), None)
            title = " ".join("".join(label.itertext()).split()) if label is not None else ""
            url = content.get("src", "") if content is not None else ""
            found = relative_target(url, folder)
            if found is not None:
                entries.append((title, found[0], parent))
            visit(child, found[0] if found is not None else parent, depth + 1)

    visit(root, None, 0)
    return entries
