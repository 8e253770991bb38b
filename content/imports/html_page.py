"""An HTML document as a page: its title, its main content, its links."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable
from dataclasses import dataclass

from content.imports.callouts import read_box
from content.imports.dom import Tag, parse_html
from content.imports.html_blocks import html_markdown
from content.imports.html_inlines import image_source

TITLE_LENGTH = 200
DESCRIPTION_LENGTH = 300
_CHARSET = re.compile(rb"charset\s*=\s*[\"']?\s*([A-Za-z0-9_.:-]{1,40})", re.IGNORECASE)
# What texts are written in, by the beginnings of the names that Python has for it. Its other codecs
# are none of texts, and pages say which is taken: punycode takes quadratic time.
_CODECS = (
    *("ascii", "big5", "cp", "euc_", "gb", "hz", "iso", "johab"),
    *("koi8", "kz1048", "mac-", "ptcp", "shift_", "tis-", "utf-"),
)
_MAIN: tuple[Callable[[Tag], bool], ...] = (
    lambda tag: tag.get("id") == "main-content",
    lambda tag: tag.name == "div" and "page-body" in tag.classes(),
    lambda tag: "markdown-body" in tag.classes(),
    lambda tag: "theme-doc-markdown" in tag.classes(),
    lambda tag: tag.name == "main" or tag.get("role") == "main",
    lambda tag: tag.name == "article",
    lambda tag: tag.name == "body",
)
_BESIDE_NAMES = frozenset({"nav", "footer", "form", "button"})
_BESIDE_ROLES = frozenset({"navigation", "search", "banner", "contentinfo", "doc-backlink"})
_BESIDE_CLASSES = frozenset(
    """
    breadcrumb breadcrumbs pagination pagination-nav toc table-of-contents table-of-content
    sidebar headerlink hash-link anchor-link page-header-icon page-metadata edit-link
    theme-doc-toc-mobile theme-doc-footer theme-edit-this-page sr-only visually-hidden skip-link
    greybox aui-icon expand-control-image
    """.split()  # noqa: SIM905 (one word a line is no easier to read)
)


@dataclass(frozen=True, slots=True)
class HtmlPage:
    """The title, texts and blocks of an HTML document; `title` is "" when it has none."""

    title: str
    description: str | None
    markdown: str


def decode_html(data: bytes, charset: str | None = None) -> str:
    """The text of a document: by its mark, the sender's charset, its own declaration, or UTF-8."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    declared = _CHARSET.search(data[:2048])
    names = [charset, declared.group(1).decode("ascii") if declared else None]
    for name in names:
        if name is None:
            continue
        try:
            if not codecs.lookup(name).name.startswith(_CODECS):
                continue
            return (
                data.removeprefix(b"\xef\xbb\xbf").decode(name, "replace").replace("\0", "\ufffd")
            )
        except (LookupError, ValueError):
            continue
    return data.decode("utf-8-sig", "replace").replace("\0", "\ufffd")


def rewrite_links(root: Tag, link: Callable[[str], str]) -> None:
    """Replace the targets of links and the sources of images by what `link` gives for them."""
    for tag in root.all("a", "img"):
        if tag.name == "a" and tag.get("href"):
            tag.attributes["href"] = link(tag.get("href").strip())
        elif tag.name == "img":
            tag.attributes["src"] = link(image_source(tag)) if image_source(tag) else ""


def read_page(root: Tag, title: str = "") -> HtmlPage:
    """The page of a document's tree, which is used up.

    A `title` that is known from elsewhere leaves all headings in the content.
    """
    main = main_content(root)
    title = title or _take_title(main) or _document_title(root)
    description = next(
        (tag.get("content") for tag in root.all("meta") if tag.get("name") == "description"), ""
    )
    main.without(_is_beside)
    return HtmlPage(
        title=title[:TITLE_LENGTH].strip(),
        description=" ".join(description.split())[:DESCRIPTION_LENGTH] or None,
        markdown=html_markdown(main),
    )


def page_of_html(text: str, link: Callable[[str], str], *, xhtml: bool = False) -> HtmlPage:
    """The page of a document's text, its links replaced by what `link` gives."""
    root = parse_html(text, xhtml=xhtml)
    rewrite_links(root, link)
    return read_page(root)


def main_content(root: Tag) -> Tag:
    """The element with the content of a document, without what stands around it."""
    for is_main in _MAIN:
        main = root.find(is_main)
        if main is not None and (main.words() or any(main.all("img"))):
            inner = list(main.all("article"))
            return inner[0] if main.name == "main" and len(inner) == 1 else main
    return root


def _take_title(main: Tag) -> str:
    """The text of the first heading of level 1, which is taken out of the content."""
    heading = next(main.all("h1"), None)
    if heading is None:
        return ""
    heading.without(lambda tag: bool(set(tag.classes()) & _BESIDE_CLASSES))
    title = heading.words().rstrip("¶#").strip()
    if title:
        main.without(lambda tag: tag is heading)
    return title


def _document_title(root: Tag) -> str:
    heading = root.find(lambda tag: tag.name == "h1" and bool(tag.words()))
    shown = root.find(lambda tag: tag.name == "title" and bool(tag.words()))
    if heading is not None and (shown is None or heading.words() in shown.words()):
        return heading.words()
    return shown.words() if shown is not None else ""


def _is_beside(tag: Tag) -> bool:
    """Navigation, headers and footers of pages, and what is not shown."""
    if tag.name in _BESIDE_NAMES or tag.get("role") in _BESIDE_ROLES:
        return True
    if "hidden" in tag.attributes or set(tag.classes()) & _BESIDE_CLASSES:
        return True
    if tag.name == "aside":
        return read_box(tag) is None and not tag.get("epub:type")
    return False
