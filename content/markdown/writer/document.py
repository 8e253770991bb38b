"""A JSON document as Markdown, the one way to write it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from content.anchors import is_valid_anchor
from content.json_types import JsonObject
from content.markdown.footnote_labels import footnote_labels
from content.markdown.nodes import Node, child_lists
from content.markdown.writer.code import code
from content.markdown.writer.html import attributes
from content.markdown.writer.images import drawing, images
from content.markdown.writer.inline_nodes import html_inlines
from content.markdown.writer.inlines import line_text, paragraph_text
from content.markdown.writer.kept_nodes import kept_node
from content.markdown.writer.lists import LISTS, indented, joins_tightly, quote, write_list
from content.markdown.writer.tables import table
from content.markdown.writer.tags import TAG_BLOCKS
from content.markdown.writer.writing import (
    Link,
    UnwritableError,
    Writing,
    data_of,
    fragment_of,
    nodes_of,
)

_HEADINGS = {"heading-1": "##", "heading-2": "###", "heading-3": "####"}
_ALIGNMENTS = {"start": "left", "center": "center", "end": "right"}


def write_markdown(document: JsonObject, *, link: Link | None = None) -> str:
    """The Markdown of a document in canonical form, ending with one line end unless it is empty.

    `content.markdown.parser` gives the same document back. `link` turns a content reference into
    a URL, or gives None for one that says all of it (`content.reference_urls`). What the dialect
    has no form for is kept as JSON in an empty HTML element.
    """
    return DocumentWriter(document, link).write()


class DocumentWriter:
    """Writes one document."""

    def __init__(self, document: JsonObject, link: Link | None) -> None:
        self._nodes = nodes_of(document)
        notes = footnote_labels(self._nodes)
        labels = {id(node): label for node, label in notes}
        self._notes: dict[str, Node] = {}
        for node, label in notes:
            self._notes.setdefault(label, node)
        definitions = _has_definitions(self._nodes)
        self._writing = Writing(self._blocks, link, labels, definitions)

    def write(self) -> str:
        text = self._blocks(self._nodes, "document")
        parts = [text] if text else []
        for label, node in self._notes.items():
            body = self._blocks(fragment_of(node, "annotation-body") or [], "annotation-body")
            parts.append(indented(body, f"[^{label}]: ", "    "))
        return "\n\n".join(parts) + "\n" if parts else ""

    def _blocks(self, nodes: Sequence[Node], parent: str) -> str:
        """The blocks of a container of type `parent`; empty paragraphs are left out."""
        written: list[str] = []
        family, turn = "", 0
        previous: Node | None = None
        for node in nodes:
            kind = str(node.get("type", ""))
            is_list = "ordered" if kind == "list-ordered" else "bullet"
            is_list = is_list if kind in LISTS else ""
            if is_list and is_list == family:
                turn += 1
            else:
                turn = 0
            if is_list and not written and parent.startswith("list-item "):
                turn = int(parent.split()[1])
            text = self._block(node, kind, parent, turn, first=not written)
            if not text:
                continue
            family = is_list
            if previous is not None:
                tight = parent.startswith("list-item") and joins_tightly(previous, node)
                written.append("\n" if tight else "\n\n")
            written.append(text)
            previous = node
        return "".join(written)

    def _block(self, node: Node, kind: str, parent: str, turn: int, *, first: bool) -> str:
        writing = self._writing
        try:
            if kind in LISTS:
                return write_list(node, writing, turn)
            if kind == "images":
                return images(node, writing, parent)
            if kind == "divider":
                # Beside the marker of an item `***` would look like more markers.
                return "___" if first and parent.startswith("list-item") else "***"
            write = BLOCKS.get(kind)
            return kept_node(node) if write is None else write(node, writing)
        except UnwritableError:
            return kept_node(node)


def _paragraph(node: Node, writing: Writing) -> str:
    align = data_of(node).get("align")
    if align is None:
        return paragraph_text(nodes_of(node), writing)
    inner = html_inlines(nodes_of(node), writing)
    return f"<p{_align(node)}>{inner}</p>"


def _align(node: Node) -> str:
    align = data_of(node).get("align")
    if not isinstance(align, str) or align not in _ALIGNMENTS:
        raise UnwritableError
    return attributes([("align", _ALIGNMENTS[align])])


def _heading(node: Node, writing: Writing) -> str:
    marks, data = _HEADINGS[str(node.get("type"))], data_of(node)
    anchor = data.get("id")
    known = isinstance(anchor, str) and is_valid_anchor(anchor)
    if "align" in data:
        name = f"h{len(marks)}"
        id = attributes([("id", anchor if known else None)])
        return f"<{name}{_align(node)}{id}>{html_inlines(nodes_of(node), writing)}</{name}>"
    text = line_text(nodes_of(node), writing)
    # `#` at the end would be taken for the end of the heading.
    text = re.sub(r"(?:(?<=\s)|\A)#+\Z", lambda found: "\\#" * len(found.group()), text)
    if known:
        text += f' <a href="#{anchor}" id="{anchor}"></a>'
    return f"{marks} {text}".rstrip()


def _math(node: Node, writing: Writing) -> str:
    formula = data_of(node).get("formula", "")
    if not isinstance(formula, str) or formula.endswith("\n"):
        raise UnwritableError
    if any(line.strip() == "$$" for line in formula.split("\n")):
        raise UnwritableError
    return f"$$\n{formula}\n$$" if formula else "$$\n$$"


def _verbatim(node: Node, writing: Writing) -> str:
    return str(data_of(node).get("source", ""))


def _has_definitions(nodes: Sequence[Node]) -> bool:
    """Whether Markdown that is kept defines links that brackets could refer to."""
    stack = list(nodes)
    while stack:
        node = stack.pop()
        if node.get("type") == "markdown" and "]:" in str(data_of(node).get("source", "")):
            return True
        for children in child_lists(node):
            stack.extend(children)
    return False


BLOCKS: dict[str, Callable[[Node, Writing], str]] = {
    "blockquote": quote,
    "code": code,
    "drawing": drawing,
    **dict.fromkeys(_HEADINGS, _heading),
    "markdown": _verbatim,
    "math": _math,
    "paragraph": _paragraph,
    "table": table,
    **TAG_BLOCKS,
}
