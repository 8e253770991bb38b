"""The spelling of a page's Markdown, where canonical Markdown is one of several ways.

A document may say so in `style`: the document in its data for the page, a node beside its data
where it differs. Nothing there is content: digests, keys and merges do not look at it, and what
does not fit any more is not used.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from markdown_it.token import Token

from content.documents.anchors import braced_anchor
from content.documents.nodes import (
    Node,
    child_lists,
    children_of,
    data_of,
    leaves_of,
    objects_in,
    walk,
)
from content.json_types import Json, JsonObject
from content.markdown.table_styles import head_sources, table_style
from content.markdown.text_styles import (
    TextBlock,
    break_form,
    emphasis_form,
    entities,
    escapes,
    line_words,
)

# What canonical Markdown has, for each thing that a page usually does in one way.
CANONICAL: dict[str, Json] = {
    "bold": "**",
    "break": "\\",
    "bullet": "*",
    "bodies": 0,
    "captions": "paragraphs",
    "delimiter": ".",
    "divider": "***",
    "fence": "```",
    "ends": 0,
    "images": "plain",
    "italic": "_",
    "links": "inside",
    "loose": False,
    "padded": False,
    "pad": 1,
    "quote": '"',
    "rule": "---",
}
_ITEMS = ("plain_item", "list_item_open")
LISTS = ("list-ordered", "list-tasks", "list-unordered")
HEADING_LEVELS = {"heading-1": 2, "heading-2": 3, "heading-3": 4}
_MARKER = re.compile(r"[ \t>]*(?:[-+*]|[0-9]{1,9}[.)])( {1,4})(?=\S)")
_MOST_BLANK_LINES = 3
_MOST_BLANKS = 8

Spans = dict[int, tuple[Node, int, int]]


@dataclass(slots=True)
class Styles:
    """Collects the style of one page while its blocks are built."""

    lines: list[str]
    # Whether there are backslashes on the page at all.
    escaped: bool = False
    # For each thing, the blocks that have it by how they do it.
    votes: dict[str, dict[Json, list[Node]]] = field(default_factory=dict)
    texts: list[TextBlock] = field(default_factory=list)

    def vote(self, node: Node, name: str, value: Json) -> None:
        """The style of a block in what the page decides for all."""
        self.votes.setdefault(name, {}).setdefault(value, []).append(node)

    def block(self, node: Node, token: Token, inner: Sequence[Token]) -> None:
        """The style of a block that was made of a token and of those within it."""
        kind = token.type
        if kind == "paragraph_open":
            self._text(node, inner[:1])
            if node.get("type") == "paragraph" and inner:
                words = line_words(inner[0].content, inner[0].meta.get("box", 0))
                if words is not None:
                    _set(node, "words", [*words])
                self._tail(node, token.map[1] if token.map else 0)
            if node.get("type") == "images":
                self.vote(node, "images", "plain")
        elif kind == "heading_open":
            self._text(node, inner[:1])
            self._tail(node, token.map[1] if token.map else 0)
            level = int(token.tag[1:])
            if HEADING_LEVELS[str(node["type"])] != level:
                _set(node, "level", level)
            braced = braced_anchor(inner[0].content) if inner else None
            if braced is not None and data_of(node).get("id") == braced[0]:
                _set(node, "anchor", braced[1])
        elif kind in ("bullet_list_open", "ordered_list_open"):
            self._list(node, token, inner)
        elif kind == "fence":
            self.vote(node, "fence", token.markup)
            self._filled(node, token)
        elif kind == "hr":
            self.vote(node, "divider", self._line(token).strip(" \t"))
        elif kind == "table_open" and token.map is not None:
            self._text(node, [child for child in inner if child.type == "inline"])
            start, end = token.map
            titles = head_sources(inner)
            if titles:
                _set(node, "titles", titles)
            for name, value in table_style(self.lines[start:end]):
                if name == "rules":
                    _set(node, name, value)
                else:
                    self.vote(node, name, value)
        elif kind == "html_block" and node.get("type") == "images":
            self._figure(node, token.content)

    def plain(self, node: Node, token: Token, end: int) -> None:
        """The style of a paragraph of plain text, which ends before a line."""
        if token.meta:
            _set(node, "words", token.meta["words"])
        self._tail(node, end)
        if self.escaped:
            self.texts.append(TextBlock(node, (), token.content))

    def tag(self, node: Node, source: str, body: tuple[int, int] | None = None) -> None:
        """The style of a block that was made of a tag; `body` is how many blank lines are before
        what it holds and behind that."""
        if body is not None and node.get("type") != "expandable":
            for name, count in zip(("bodies", "ends"), body, strict=True):
                if count <= _MOST_BLANK_LINES:
                    self.vote(node, name, count)
        single, double = "='" in source, '="' in source
        if single != double:
            self.vote(node, "quote", "'" if single else '"')

    def last_line(self, start: int, end: int) -> int:
        """The line after the last one between two that is not blank."""
        while end > start + 1 and not self.lines[end - 1].strip(" \t>"):
            end -= 1
        return end

    def link(self, node: Node, *, outside: bool) -> None:
        """Whether the marks of all of a link are around it or in it."""
        if shared_marks(node):
            self.vote(node, "links", "outside" if outside else "inside")

    def _tail(self, node: Node, end: int) -> None:
        """Blanks behind a paragraph that ends before a line."""
        last = self.lines[end - 1]
        if last.endswith(" "):
            blanks = len(last) - len(last.rstrip(" "))
            if blanks <= _MOST_BLANKS:
                _set(node, "tail", blanks)

    def _filled(self, node: Node, token: Token) -> None:
        """The empty lines of code that have the indentation of the item around it."""
        start, end = token.map or (0, 0)
        lines = self.lines[start + 1 : end]
        blank_lines = [number for number, line in enumerate(lines) if line and not line.strip(" ")]
        content = token.content.split("\n")
        empty: list[Json] = [
            number for number in blank_lines if content[number : number + 1] == [""]
        ]
        if empty:
            _set(node, "filled", empty)

    def _line(self, token: Token) -> str:
        return self.lines[token.map[0]] if token.map else ""

    def _text(self, node: Node, tokens: Sequence[Token]) -> None:
        children = [child for token in tokens for child in token.children or ()]
        if self.escaped:
            self.texts.append(TextBlock(node, tokens))
        if any("&" in token.content for token in tokens):
            sources = entities(tokens)
            if sources:
                _set(node, "entities", sources)
        if all(child.type == "text" for child in children):
            return
        for name, opening in (("italic", "em_open"), ("bold", "strong_open")):
            form = emphasis_form(children, opening)
            if form is not None:
                self.vote(node, name, form)
        form = break_form(tokens, children)
        if form is not None:
            self.vote(node, "break", form)

    def _list(self, node: Node, token: Token, inner: Sequence[Token]) -> None:
        items = [
            child for child in inner if child.level == token.level + 1 and child.type in _ITEMS
        ]
        if token.type == "bullet_list_open":
            self.vote(node, "bullet", token.markup)
        else:
            self.vote(node, "delimiter", token.markup)
            numbers = {child.info for child in items}
            if len(items) > 1 and len(numbers) == 1:
                _set(node, "step", 0)
        pads = [
            len(match.group(1)) if (match := _MARKER.match(self._line(child))) else 0
            for child in items
        ]
        different = dict.fromkeys(pad for pad in pads if pad)
        if not different:
            return
        usual = max(different, key=pads.count)
        self.vote(node, "pad", usual)
        if len(different) > 1:
            for item, pad in zip(children_of(node), pads, strict=False):
                if pad and pad != usual:
                    _set(item, "pad", pad)

    def _figure(self, node: Node, source: str) -> None:
        if source.startswith("<figure"):
            self.vote(node, "images", "figures")
        if re.search("<figcaption>[^<]", source):
            self.vote(node, "captions", "plain")
        elif "<figcaption><p>" in source:
            self.vote(node, "captions", "paragraphs")

    def finish(self, nodes: Sequence[Node], spans: Spans) -> JsonObject:
        """The style of the page; what differs from it is in the blocks."""
        _Gaps(self, spans).siblings(nodes, "")
        page: JsonObject = {}
        for name, votes in self.votes.items():
            canonical = CANONICAL[name]
            usual = max(votes, key=lambda value: (len(votes[value]), value == canonical))
            if usual != canonical:
                page[name] = usual
            for value, those in votes.items():
                if value != usual:
                    for node in those:
                        _set(node, name, value)
        escaped, others = escapes(self.texts)
        if escaped:
            page["escapes"] = escaped
        for node, own in others:
            _set(node, "escapes", own)
        ends = _ends(self.lines)
        return {**page, **ends}


@dataclass(slots=True)
class _Gaps:
    """Blank lines between blocks, where there is not the usual number of them."""

    styles: Styles
    spans: Spans

    def siblings(
        self, nodes: Sequence[Node], parent: str, indent: int = 0, container: Node | None = None
    ) -> None:
        """The blocks of one container, whose lines have an indentation, and those in them."""
        gaps = (
            [self._gap(above, below) for above, below in pairwise(nodes)] if len(nodes) > 1 else ()
        )
        usual = 1
        if parent in LISTS and container is not None:
            gaps_given = [gap for gap in gaps if gap is not None]
            if gaps_given:
                loose = all(len(gap) == 1 for gap in gaps_given)
                usual = 1 if loose else 0
                self.styles.vote(container, "loose", loose)
        for previous, node, gap in zip(nodes, nodes[1:], gaps, strict=False):
            expected = usual
            if parent == "list-item" and joins_tightly(previous, node):
                expected = 0
            if gap is None or len(gap) > _MOST_BLANK_LINES:
                continue
            if any(line for line in gap):
                _set(node, "gap", [len(line) - indent if line else -1 for line in gap])
            elif len(gap) != expected:
                _set(node, "gap", len(gap))
        for node in nodes:
            for children in child_lists(node):
                if len(children) == 1 and children[0].get("type") == "paragraph":
                    continue
                if children and children[0].get("object") == "block":
                    kind = str(node.get("type", ""))
                    self.siblings(children, kind, self._indent(node, indent), node)
                else:
                    for child in children:
                        if child.get("object") == "fragment":
                            for inner in child_lists(child):
                                self.siblings(inner, "fragment")

    def _indent(self, node: Node, indent: int) -> int:
        """The indentation of the lines in a block."""
        span = self.spans.get(id(node))
        if node.get("type") != "list-item" or span is None:
            return indent
        match = _MARKER.match(self.styles.lines[span[1]])
        return indent if match is None else match.end()

    def _gap(self, above: Node, below: Node) -> list[str] | None:
        """The blank lines between two blocks; None where there is more than that."""
        first, second = self.spans.get(id(above)), self.spans.get(id(below))
        if first is None or second is None:
            return None
        lines = self.styles.lines
        if first[1] + 1 == first[2] == second[1] and above.get("type") != "markdown":
            return []
        if above.get("type") == "markdown" and not lines[first[2] - 1].strip(" \t>"):
            # What is kept ends with blank lines itself.
            return None
        end = self.styles.last_line(first[1], first[2])
        between = lines[end : second[1]]
        if any(line.strip(" \t>") for line in between):
            return None
        return [line if not line.strip(" ") else "" for line in between]


def joins_tightly(above: Node, below: Node) -> bool:
    """Whether a block of an item follows the one before it without a blank line: a list that
    may interrupt a paragraph."""
    if above.get("type") != "paragraph" or below.get("type") not in LISTS:
        return False
    if below.get("type") == "list-ordered" and data_of(below).get("start", 1) != 1:
        return False
    items = children_of(below)
    first = children_of(items[0]) if items else []
    return bool(first) and first[0].get("type") == "paragraph" and _has_text(first[0])


def shared_marks(link: Node) -> set[str]:
    """The names of the marks that all text of a link has and that can stand around it."""
    shared: set[str] | None = None
    for node in children_of(link):
        leaves = leaves_of(node)
        if leaves is None:
            return set()
        for leaf in leaves:
            names = {str(mark["type"]) for mark in objects_in(leaf.get("marks"))}
            shared = names if shared is None else shared & names
    return {str(name) for name in shared or () if name in ("bold", "italic", "strikethrough")}


def _has_text(paragraph: Node) -> bool:
    for node in children_of(paragraph):
        leaves = leaves_of(node)
        if leaves is None or any(leaf.get("text") for leaf in leaves):
            return True
    return False


def _ends(lines: Sequence[str]) -> JsonObject:
    """Blank lines before the first block, and line ends behind the last one if not just one."""
    full = [number for number, line in enumerate(lines) if line]
    if not full:
        return {}
    blank: dict[str, int] = {"start": full[0], "end": len(lines) - 1 - full[-1]}
    usual = {"start": 0, "end": 1}
    return {name: count for name, count in blank.items() if count != usual[name] and count < 10}


def _set(node: Node, name: str, value: Json) -> None:
    style = node.setdefault("style", {})
    assert isinstance(style, dict)
    style[name] = value


def page_style(document: Node) -> JsonObject:
    """The style of the page, for blocks that have none of their own."""
    return node_style(data_of(document))


def node_style(node: Node) -> JsonObject:
    """The style of a node where it differs from that of the page."""
    style = node.get("style")
    return style if isinstance(style, dict) else {}


def has_style(document: Node) -> bool:
    """Whether a document or a node in it says how it is spelled."""
    return bool(page_style(document)) or any("style" in node for node in walk([document]))
