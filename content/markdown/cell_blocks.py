"""The blocks in a cell of an HTML table: paragraphs, lists, headings, quotes, code, tables."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from markdown_it.token import Token

from content.documents.anchors import is_valid_anchor
from content.documents.nodes import Node, block, paragraph, text, verbatim
from content.json_types import JsonObject
from content.markdown.context import Context
from content.markdown.html_tree import (
    WITHIN_WORDS,
    Element,
    HtmlTag,
    html_tokens,
    parse_elements,
    parse_html_tag,
)
from content.markdown.inlines import build_html_inlines
from content.markdown.preformatted import preformatted

HEADINGS = {
    "h1": "heading-1",
    "h2": "heading-1",
    "h3": "heading-2",
    "h4": "heading-3",
    "h5": "heading-3",
    "h6": "heading-3",
}
ALIGNMENTS = {"left": "start", "start": "start", "center": "center", "right": "end", "end": "end"}
# Line breaks beside a block only say where it begins.
_BLANKS = " \t\n\f\r"
_BREAKS = re.compile(rf"(?>(?:[{_BLANKS}]|</?br\s*/?>)*)", re.IGNORECASE)
_TRAILING_BREAKS = re.compile(rf"(?>(?:[{_BLANKS}]|</?br\s*/?>)+)\Z", re.IGNORECASE)
# What holds blocks without being one of its own.
_TRANSPARENT = (
    "address", "article", "aside", "center", "dd", "details", "div", "dl", "dt", "figcaption",
    "figure", "footer", "header", "main", "section", "summary",
)  # fmt: skip
Nested = Callable[[Element, Context], Node | None]
# Of elements of a line around blocks: characters that are put around one line, and around all.
_MOST_AROUND, _MOST_AROUND_ALL = 600, 100_000


class CellBlocks:
    """Reads the cells of tables; `nested` reads a table in a cell, `inlines` what is in a line:
    HTML, unless it is given."""

    def __init__(
        self, context: Context, nested: Nested, inlines: Callable[[str], list[Node]] | None = None
    ) -> None:
        self._context = context
        self._nested = nested
        self._read_line = inlines or (lambda source: build_html_inlines(source, context))
        # The tags of a line that are around the blocks here, and those in front of the next one.
        self._around: list[str] = []
        self._lead = ""
        self._left = _MOST_AROUND_ALL

    def read(self, cell: Element) -> list[Node]:
        """The blocks of a cell: one paragraph where it holds a line only."""
        inner = cell.elements()
        alone = len(inner) == 1 and not cell.has_own_text()
        if alone and inner[0].name == "p" and not inner[0].tag.attributes:
            # The paragraph around all of the cell says no more than the cell does.
            cell = inner[0]
        if not any(map(_is_block, cell.elements())):
            return [paragraph(self._inlines(cell.inner))]
        nodes = self._within(cell)
        if self._lead:
            nodes.append(paragraph(self._inlines("")))
        return nodes or [paragraph([])]

    def list_block(self, element: Element) -> Node | None:
        """The list that `<ul>` or `<ol>` is; None for one that holds none."""
        nodes = self._list(element)
        alone = len(nodes) == 1 and not self._lead
        return nodes[0] if alone and str(nodes[0]["type"]).startswith("list") else None

    def _within(self, element: Element) -> list[Node]:
        """What an element holds: blocks, and a paragraph for each line between them."""
        nodes: list[Node] = []
        position = 0
        for child in element.elements():
            if not _is_block(child):
                continue
            build = _BLOCKS.get(child.name, CellBlocks._around_blocks)
            start = child.start - len(child.tag.source) - element.start
            nodes += self._line(element.inner[position:start])
            nodes += build(self, child)
            position = start + len(child.source)
        return [*nodes, *self._line(element.inner[position:])]

    def _around_blocks(self, element: Element) -> list[Node]:
        """What an element of a line holds that stands around blocks: it is around each line of
        them, or in front of them where it only names their place."""
        tag = element.tag
        if tag.name == "a" and "href" not in tag.attributes:
            self._lead += f"{tag.source}</a>" if tag.attributes else ""
            return self._within(element)
        self._around.append(tag.source)
        nodes = self._within(element)
        self._around.pop()
        return nodes

    def _inlines(self, source: str) -> list[Node]:
        """What is in a line, with the elements around its block."""
        source, self._lead = f"{self._lead}{source}", ""
        tags = "".join(self._around)
        if tags and source.strip() and len(tags) <= min(_MOST_AROUND, self._left):
            self._left -= len(tags)
            names = (tag.split()[0].strip("<>") for tag in reversed(self._around))
            source = f"{tags}{source}{''.join(f'</{name}>' for name in names)}"
        return self._read_line(source)

    def _line(self, source: str) -> list[Node]:
        leading = _BREAKS.match(source)
        source = _without_trailing_breaks(source[0 if leading is None else leading.end() :])
        inlines = self._inlines(source) if source else []
        return [paragraph(inlines)] if inlines else []

    def _paragraph(self, element: Element) -> list[Node]:
        nodes = self._within(element)
        if not nodes and element.name == "p":
            nodes = [paragraph([])]
        align = ALIGNMENTS.get(element.tag.attributes.get("align", ""))
        if align is not None:
            for node in nodes:
                if node.get("type") == "paragraph":
                    node["data"] = {"align": align}
        return nodes

    def _heading(self, element: Element) -> list[Node]:
        attributes = element.tag.attributes
        data: JsonObject = {}
        if is_valid_anchor(attributes.get("id", "")):
            data["id"] = attributes["id"]
        align = ALIGNMENTS.get(attributes.get("align", ""))
        if align is not None:
            data["align"] = align
        inlines = self._inlines(element.inner)
        return [block(HEADINGS[element.name], inlines or [text()], data)]

    def _list(self, element: Element) -> list[Node]:
        items: list[tuple[list[Node], bool | None]] = []
        for child in element.elements():
            if child.name == "li":
                items.append(self._item(child))
            elif items:
                # A list that should stand in the item above it.
                build = _BLOCKS.get(child.name, CellBlocks._paragraph)
                items[-1][0].extend(build(self, child))
            else:
                items.append((self._within(child), None))
        own = "".join(child for child in element.children if isinstance(child, str)).strip()
        nodes = [paragraph([text(" ".join(own.split()))])] if own else []
        if not items:
            return nodes
        tasks = element.name == "ul" and any(check is not None for _, check in items)
        listed = [
            block(
                "list-item", content or [paragraph([])], {"checked": bool(check)} if tasks else {}
            )
            for content, check in items
        ]
        data: JsonObject = {}
        start = element.tag.attributes.get("start", "")
        if element.name == "ol":
            kind = "list-ordered"
            if start.isdecimal() and start.isascii() and len(start) < 10 and int(start) != 1:
                data["start"] = int(start)
        else:
            kind = "list-tasks" if tasks else "list-unordered"
        return [*nodes, block(kind, listed, data)]

    def _item(self, item: Element) -> tuple[list[Node], bool | None]:
        """The blocks of an item, and whether its checkbox is checked; None without one."""
        inner = item.elements()
        box = inner[0] if inner and inner[0].name == "input" else None
        if box is None or box.tag.attributes.get("type") != "checkbox":
            return self._within(item), None
        place = box.start - len(box.tag.source) - item.start
        source = item.inner[:place] + item.inner[place + len(box.source) :]
        shown = Element(
            item.tag, item.start, [child for child in item.children if child is not box], source
        )
        for child in shown.elements():
            child.start -= len(box.source)
        return self._within(shown), "checked" in box.tag.attributes

    def _quote(self, element: Element) -> list[Node]:
        return [block("blockquote", self._within(element) or [paragraph([])])]

    def _code(self, element: Element) -> list[Node]:
        code = preformatted(element, self._context)
        if code is None:
            lines = _text_with_breaks(element).strip("\n").split("\n")
            code = block("code", [block("code-line", [text(line)]) for line in lines])
        return [code]

    def _divider(self, element: Element) -> list[Node]:
        return [block("divider")]

    def _table(self, element: Element) -> list[Node]:
        return [self._nested(element, self._context) or verbatim(element.source)]


def pipe_cells(cells: Sequence[Token], context: Context, nested: Nested) -> dict[int, list[Node]]:
    """The blocks of those cells of a pipe table that hold more than a line, written as HTML there,
    by the place of the cell. None where HTML is not whole in any cell: a table with blocks is
    written in HTML, which that would break."""
    blocks: dict[int, list[Node]] = {}
    for place, cell in enumerate(cells):
        sources = [child.content for child in cell.children or () if child.type == "html_inline"]
        if not sources:
            continue
        elements = parse_elements(f"<td>{cell.content}</td>")
        if elements is None or len(elements) != 1:
            return {}
        names = [tag.name for tag in map(parse_html_tag, sources) if tag is not None]
        tags = [item.name for item in html_tokens(cell.content) if isinstance(item, HtmlTag)]
        # Tags within code are none, and notes of a page cannot be read by themselves.
        if tags == names and "[^" not in cell.content and any(name in _BLOCKS for name in names):
            blocks[place] = CellBlocks(context, nested, context.inlines).read(elements[0])
    return blocks


def holds_blocks(source: str) -> bool:
    """Whether the content of a cell is read as more than a line."""
    cell = parse_elements(f"<td>{source}</td>") or []
    return any(_is_block(element) for element in (cell[0].elements() if len(cell) == 1 else ()))


def _is_block(element: Element) -> bool:
    """Whether an element is a block, or one of a line that has blocks in it."""
    if element.name in _BLOCKS:
        return True
    return element.name in WITHIN_WORDS and any(map(_is_block, element.elements()))


def _without_trailing_breaks(source: str) -> str:
    # A search from each break on would be quadratic.
    end = len(source)
    while True:
        stripped = source[:end].rstrip(_BLANKS)
        tag = stripped.rfind("<")
        if tag < 0 or not _TRAILING_BREAKS.match(stripped, tag):
            return stripped
        end = tag


def _text_with_breaks(element: Element) -> str:
    parts = []
    for child in element.children:
        if isinstance(child, str):
            parts.append(child)
        elif child.name == "br":
            parts.append("\n")
        else:
            inner = _text_with_breaks(child)
            parts.append(inner if child.name in WITHIN_WORDS else f"\n{inner}\n")
    return "".join(parts)


_BLOCKS: dict[str, Callable[[CellBlocks, Element], list[Node]]] = {
    "p": CellBlocks._paragraph,
    "ul": CellBlocks._list,
    "ol": CellBlocks._list,
    "menu": CellBlocks._list,
    "blockquote": CellBlocks._quote,
    "pre": CellBlocks._code,
    "hr": CellBlocks._divider,
    "table": CellBlocks._table,
    **dict.fromkeys(HEADINGS, CellBlocks._heading),
    **dict.fromkeys(_TRANSPARENT, CellBlocks._paragraph),
}
