"""Exports of Notion and its like: HTML or Markdown files whose names end in an id."""

from __future__ import annotations

import posixpath
import re
from urllib.parse import unquote

from content.emoji import code_points
from content.git.space_import import SpaceImport
from content.git.summary import title_from_name
from content.imports.callouts import style_of_icon
from content.imports.dom import Tag, parse_html
from content.imports.drafts import Draft, link_within, space_import
from content.imports.html_page import decode_html, read_page, rewrite_links
from content.imports.outline import by_folders
from content.links.relative import link_candidates, relative_target
from content.pages.front_matter import FrontMatter
from content.pages.title import split_title
from content.sources.tree import SourceTree

_ID = re.compile(r"[ _-]([0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\Z")
_ENDINGS = (".html", ".md")
_ASIDE = re.compile(r"^<aside>\s*\n(.*?)\n\s*</aside>[ \t]*$", re.MULTILINE | re.DOTALL)
# Fences and what is between two of them, or behind the last one.
_FENCED = re.compile(
    r"(^ {0,3}(?:```|~~~).*?(?:\n {0,3}(?:```|~~~)[^\n]*|\Z))", re.MULTILINE | re.DOTALL
)
_ICON = re.compile(r"\A(?:<img [^<>]*>|[^\w\s<>\[\]()*`#-]{1,4})\s*")


def is_notion(source: SourceTree) -> bool:
    """Whether the names of documents in an archive carry ids as Notion writes them."""
    documents = _documents(source)
    named = [path for path in documents if _ID.search(_stem(path))]
    return bool(named) and 2 * len(named) >= len(documents)


def _documents(source: SourceTree) -> list[str]:
    return [path for path in source.paths() if path.lower().endswith(_ENDINGS)]


def _stem(path: str) -> str:
    return posixpath.splitext(posixpath.basename(path))[0]


def read_notion(source: SourceTree) -> SpaceImport:
    """Pages nested as in the export, siblings in the order in which their parent links to them."""
    paths = [path for path in _documents(source) if not _is_index(path)]
    known_paths = frozenset(paths)
    positions: dict[str, int] = {}
    for path in paths:
        for target in _links(source, path):
            if target in known_paths:
                positions.setdefault(target, len(positions))

    def make(path: str, title: str) -> Draft:
        return _page(source, path, known_paths)

    drafts = by_folders(paths, make, is_index=_is_index, order=positions.get)
    return space_import(drafts, source)


def _is_index(path: str) -> bool:
    return posixpath.basename(path).lower() == "index.html"


def _links(source: SourceTree, path: str) -> list[str]:
    """The paths that a document links to, in order."""
    folder = posixpath.dirname(path)
    text = decode_html(source.read(path))
    if path.endswith(".md"):
        urls = sorted(link_candidates(text), key=text.find)
    else:
        urls = [tag.get("href") for tag in parse_html(text).all("a")]
    targets = [relative_target(url, folder) for url in urls]
    return [target[0] for target in targets if target is not None]


def _page(source: SourceTree, path: str, documents: frozenset[str]) -> Draft:
    name = _ID.sub("", _stem(path))
    text = decode_html(source.read(path))
    if path.endswith(".md"):
        title, body = split_title(text)
        markdown = _with_hints(body).strip("\n")
        return Draft(title or title_from_name(name), path, markdown)
    root = parse_html(text)
    title_tag = root.of_class("page-title")
    title = title_tag.words() if title_tag is not None else ""
    emoji = _page_icon(root)
    rewrite_links(root, link_within(path, documents, source))
    description = root.of_class("page-description")
    _keep_properties(root)
    page = read_page(root, title)
    return Draft(
        page.title or title_from_name(unquote(name)),
        path,
        page.markdown,
        (description.words()[:300] or None) if description is not None else None,
        matter=FrontMatter(emoji=emoji),
    )


def _keep_properties(root: Tag) -> None:
    """Put the properties of a page, which stand in its header, at the start of its body."""
    body = root.find(lambda tag: tag.name == "div" and "page-body" in tag.classes())
    table = root.find(lambda tag: tag.name == "table" and "properties" in tag.classes())
    if body is not None and table is not None:
        root.without(lambda tag: tag is table)
        body.children.insert(0, table)


def _with_hints(markdown: str) -> str:
    """Callouts, which the Markdown export writes as `<aside>`, as hints; code stays as it is."""
    parts = _FENCED.split(markdown)
    parts[::2] = [_ASIDE.sub(_hint, text) for text in parts[::2]]
    return "".join(parts)


def _hint(match: re.Match[str]) -> str:
    body = match.group(1).strip()
    icon = _ICON.match(body)
    style = style_of_icon("" if icon is None or icon.group().startswith("<") else icon.group())
    if icon is not None and style is not None:
        body = body[icon.end() :]
    return f'{{% hint style="{style or "info"}" %}}\n{body}\n{{% endhint %}}'


def _page_icon(root: Tag) -> str | None:
    """The emoji above the title of a page; pictures stand for themselves nowhere here."""
    header = root.of_class("page-header-icon")
    text = header.words() if header is not None else ""
    return code_points(text) if text else None
