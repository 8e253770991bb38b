"""`SUMMARY.md`, the table of contents of a space, as a tree of entries."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass
from typing import Literal
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markdown_it.token import Token

from content.errors import LayoutError
from content.json_types import JsonObject
from content.links.relative import MARKDOWN
from content.markdown.engine import bound_links
from content.safe_yaml import load_yaml
from content.slugs import is_valid_slug

EntryKind = Literal["group", "page", "link", "computed"]

_ANCHOR_TAG = re.compile(r"<a\s[^<>]*?\bid=[\"']([^\"'<>]+)[\"'][^>]*>\s*(?:</a>)?", re.IGNORECASE)
_SCHEME = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.-]*:|//)")
# A link whose target has unescaped spaces is no Markdown link, yet authors write it.
_LOOSE_LINK = re.compile(r"\[(?P<title>(?:[^\[\]\\]|\\.)*)\]\((?P<target>[^()<>\"]*)\)\s*\Z")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_MAX_LEVELS = 100


@dataclass(frozen=True, slots=True)
class SummaryEntry:
    """One entry of the table of contents.

    `target`: for a page its file path relative to the content root (None for an entry without a
    link), for a link the URL or reference as written. `line` counts from 1. `source` is the YAML
    mapping of a computed page; `label` the navigation label; `slug` only when fixed by hand.
    """

    kind: EntryKind
    title: str
    line: int
    target: str | None = None
    label: str | None = None
    slug: str | None = None
    source: JsonObject | None = None
    children: tuple[SummaryEntry, ...] = ()


def parse_summary(markdown: str, path: str = "SUMMARY.md") -> tuple[SummaryEntry, ...]:
    """The entries of the table of contents at `path` (its folder is what links are relative to).

    Raises `LayoutError` naming both lines when one file is listed twice, and `YamlError` for a
    computed page whose YAML is not valid.
    """
    parser = bound_links(MarkdownIt("commonmark", {"maxNesting": _MAX_LEVELS}))
    parser.disable(["reference", "html_block"])
    # Targets stay as they are written: they are paths first and URLs second.
    parser.normalizeLink = _unchanged  # type: ignore[method-assign]
    entries = _Reader(path).read(parser.parse(markdown))
    _refuse_repeated_files(entries, path)
    return entries


def _unchanged(url: str) -> str:
    return url


class _Reader:
    def __init__(self, path: str) -> None:
        self.path = path
        self.folder = posixpath.dirname(path)

    def read(self, tokens: list[Token]) -> tuple[SummaryEntry, ...]:
        top: list[SummaryEntry] = []
        group: tuple[Token, Token] | None = None
        members: list[SummaryEntry] = []
        position = 0
        while position < len(tokens):
            token = tokens[position]
            end = _closing(tokens, position)
            if token.type == "heading_open" and token.tag != "h1":
                self._close_group(group, members, top)
                group, members = (token, tokens[position + 1]), []
            elif token.type in ("bullet_list_open", "ordered_list_open"):
                (top if group is None else members).extend(self._items(tokens[position + 1 : end]))
            position = end + 1
        self._close_group(group, members, top)
        return tuple(top)

    def _close_group(
        self,
        heading: tuple[Token, Token] | None,
        members: list[SummaryEntry],
        top: list[SummaryEntry],
    ) -> None:
        if heading is None:
            return
        opening, inline = heading
        anchor = _ANCHOR_TAG.search(inline.content)
        slug = anchor.group(1) if anchor and is_valid_slug(anchor.group(1)) else None
        title = _plain(inline.children or [])
        top.append(SummaryEntry("group", title, _line(opening), slug=slug, children=tuple(members)))

    def _items(self, tokens: list[Token]) -> list[SummaryEntry]:
        entries: list[SummaryEntry] = []
        position = 0
        while position < len(tokens):
            end = _closing(tokens, position)
            if tokens[position].type == "list_item_open":
                entries.extend(self._item(tokens[position], tokens[position + 1 : end]))
            position = end + 1
        return entries

    def _item(self, opening: Token, tokens: list[Token]) -> list[SummaryEntry]:
        """The entry of a list item; an item that only holds a list gives that list's entries."""
        entry: SummaryEntry | None = None
        children: list[SummaryEntry] = []
        position = 0
        while position < len(tokens):
            token = tokens[position]
            end = _closing(tokens, position)
            if token.type in ("bullet_list_open", "ordered_list_open"):
                children.extend(self._items(tokens[position + 1 : end]))
            elif entry is None and token.type == "fence":
                entry = self._computed(token)
            elif entry is None and token.type in ("paragraph_open", "heading_open"):
                entry = self._linked(tokens[position + 1], _line(opening))
            position = end + 1
        if entry is None:
            return children
        return [
            SummaryEntry(
                entry.kind,
                entry.title,
                entry.line,
                entry.target,
                entry.label,
                entry.slug,
                entry.source,
                tuple(children),
            )
        ]

    def _computed(self, fence: Token) -> SummaryEntry | None:
        line = _line(fence)
        source = load_yaml(fence.content, self.path, line_offset=line)
        if not isinstance(source, dict) or not isinstance(source.get("type"), str):
            raise LayoutError(
                f"{self.path}, line {line}: a computed page needs a YAML mapping with a 'type'"
            )
        title, slug = source.get("title"), source.get("slug")
        return SummaryEntry(
            "computed",
            title if isinstance(title, str) else "",
            line,
            slug=slug if isinstance(slug, str) and is_valid_slug(slug) else None,
            source=source,
        )

    def _linked(self, inline: Token, line: int) -> SummaryEntry | None:
        children = inline.children or []
        opened = next((i for i, token in enumerate(children) if token.type == "link_open"), None)
        if opened is None:
            loose = _LOOSE_LINK.search(inline.content)
            if loose is not None:
                title = _ESCAPE.sub(r"\1", loose["title"])
                return self._target(title, loose["target"].strip(), None, line)
            title = _plain(children)
            return SummaryEntry("page", title, line) if title else None
        closed = next(
            (i for i, token in enumerate(children) if token.type == "link_close"), len(children)
        )
        link = children[opened]
        label = link.attrGet("title")
        title = _plain(children[opened + 1 : closed]) or _plain(children)
        target = str(link.attrGet("href") or "")
        return self._target(title, target, str(label) if label else None, line)

    def _target(self, title: str, target: str, label: str | None, line: int) -> SummaryEntry:
        if not target:
            return SummaryEntry("page", title, line, label=label)
        file_path = None if _SCHEME.match(target) else markdown_path(target, self.folder)
        if file_path is None:
            return SummaryEntry("link", title, line, target=target, label=label)
        return SummaryEntry("page", title, line, target=file_path, label=label)


def markdown_path(target: str, folder: str) -> str | None:
    """The path of the Markdown file that `target`, written in `folder`, names within the root.

    None for anything else: another kind of file, an anchor, a query or a path out of the root.
    A target that starts with `/` counts from the root.
    """
    if "#" in target or "?" in target:
        return None
    decoded = unquote(target)
    joined = decoded.lstrip("/") if decoded.startswith("/") else posixpath.join(folder, decoded)
    path = posixpath.normpath(joined)
    if path.startswith("../") or not path.lower().endswith(MARKDOWN):
        return None
    return path


def _refuse_repeated_files(entries: tuple[SummaryEntry, ...], path: str) -> None:
    lines: dict[str, int] = {}
    stack = list(reversed(entries))
    while stack:
        entry = stack.pop()
        if entry.kind == "page" and entry.target is not None:
            first = lines.setdefault(entry.target, entry.line)
            if first != entry.line:
                raise LayoutError(
                    f"{path}: '{entry.target}' is listed twice, on line {first} and on line "
                    f"{entry.line}; a file can be one page only"
                )
        stack.extend(reversed(entry.children))


def _closing(tokens: list[Token], position: int) -> int:
    """Index of the token that closes the one at `position` (itself when it opens nothing)."""
    if tokens[position].nesting != 1:
        return position
    level = tokens[position].level
    for index in range(position + 1, len(tokens)):
        if tokens[index].nesting == -1 and tokens[index].level == level:
            return index
    return len(tokens) - 1


def _line(token: Token) -> int:
    return token.map[0] + 1 if token.map else 1


def _plain(children: list[Token]) -> str:
    """The text of inline tokens without marks and tags."""
    parts: list[str] = []
    for token in children:
        if token.type in ("text", "code_inline", "text_special"):
            parts.append(token.content)
        elif token.type in ("softbreak", "hardbreak"):
            parts.append(" ")
        elif token.type == "image":
            parts.append(_plain(token.children or []))
    return " ".join("".join(parts).split())
