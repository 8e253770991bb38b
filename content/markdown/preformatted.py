"""Code in HTML, whose lines have formatting: `<pre><code>`."""

from __future__ import annotations

from html import unescape

from content.documents.nodes import Node, block, inline, leaf, mark, text
from content.json_types import Json, JsonObject
from content.markdown.context import Context
from content.markdown.html_tree import Element, HtmlTag, html_tokens
from content.markdown.inlines import FOOTNOTE_LINK, annotation

_MARKS = {"strong": "bold", "b": "bold", "em": "italic", "i": "italic"}


def preformatted(pre: Element, context: Context) -> Node | None:
    """The code of `<pre><code>`, where a line within `<strong>` is highlighted; None when it has
    parts that a line of code cannot hold."""
    codes = pre.elements()
    if len(codes) != 1 or codes[0].name != "code" or pre.has_own_text():
        return None
    attributes = dict(pre.tag.attributes)
    data: JsonObject = {}
    for classes in (attributes.pop("class", ""), codes[0].tag.attributes.get("class", "")):
        for name in classes.split():
            syntax = name.removeprefix("language-").removeprefix("lang-")
            if syntax != name and syntax:
                data["syntax"] = syntax
    for attribute, key in (("data-title", "title"), ("data-overflow", "overflow")):
        if attribute in attributes:
            data[key] = attributes.pop(attribute)
    for attribute, key in (
        ("data-line-numbers", "lineNumbers"),
        ("data-full-width", "fullWidth"),
        ("data-expandable", "expandable"),
    ):
        if attribute in attributes:
            data[key] = attributes.pop(attribute).lower() != "false"
    if attributes:
        data["attributes"] = {**attributes}
    lines = _Lines(context).build(codes[0].inner)
    return None if lines is None else block("code", lines, data)


class _Lines:
    """Collects the lines of formatted code."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.lines: list[list[Node]] = [[]]
        self.leaves: list[Json] = []
        self.open: list[HtmlTag] = []
        # The annotation that is open: what makes it, and where its text starts.
        self.note: tuple[str, list[Node]] | None = None

    def build(self, source: str) -> list[Node] | None:
        """The lines; None for tags that code does not have."""
        for item in html_tokens(source):
            if not isinstance(item, HtmlTag):
                self._text(unescape(item))
            elif not (self._end(item) if item.closing else self._start(item)):
                return None
        if self.open:
            return None
        self._flush()
        if len(self.lines) > 1 and not self.lines[-1]:
            self.lines.pop()
        return [_code_line(nodes) for nodes in self.lines]

    def _start(self, tag: HtmlTag) -> bool:
        within_expression = bool(self.open) and self.open[-1].name == "code"
        if within_expression or tag.void:
            return False
        if tag.name == "code" and tag.classes() == ["expression"]:
            self._flush()
        elif tag.name == "a" and "data-footnote-ref" in tag.attributes and self.note is None:
            label = tag.attributes.get("href", "").removeprefix(FOOTNOTE_LINK)
            body = self.context.notes.take(label)
            if body is None:
                return False
            self._flush()
            self.note = (label, body)
        elif tag.name not in _MARKS or tag.attributes:
            return False
        self.open.append(tag)
        return True

    def _end(self, tag: HtmlTag) -> bool:
        if not self.open or self.open[-1].name != tag.name:
            return False
        self.open.pop()
        if tag.name == "code":
            source = "".join(str(part["text"]) for part in self.leaves if isinstance(part, dict))
            self.leaves = []
            self.lines[-1].append(inline("expression", data={"expression": source}))
        elif tag.name == "a" and self.note is not None:
            label, body = self.note
            self.note = None
            nodes = [_text_node(self.leaves)] if self.leaves else []
            self.leaves = []
            self.lines[-1].append(annotation(nodes, label, body))
        return True

    def _text(self, content: str) -> None:
        kinds = dict.fromkeys(_MARKS[tag.name] for tag in self.open if tag.name in _MARKS)
        inside = self.note is not None or any(tag.name == "code" for tag in self.open)
        for number, part in enumerate(content.split("\n")):
            if number and not inside:
                self._flush()
                self.lines.append([])
            elif number:
                part = f"\n{part}"
            if part:
                self.leaves.append(leaf(part, [mark(kind) for kind in kinds]))

    def _flush(self) -> None:
        if self.leaves:
            self.lines[-1].append(_text_node(self.leaves))
            self.leaves = []


def _text_node(leaves: list[Json]) -> Node:
    merged: list[Json] = []
    for part in leaves:
        last = merged[-1] if merged else None
        if isinstance(last, dict) and isinstance(part, dict) and last["marks"] == part["marks"]:
            last["text"] = f"{last['text']}{part['text']}"
        else:
            merged.append(part)
    return {"object": "text", "leaves": merged}


def _code_line(nodes: list[Node]) -> Node:
    """A line; the writers' form of a highlighted one is that all of its text is bold."""
    leaves = [
        part
        for node in nodes
        if isinstance(own_marks := node.get("leaves"), list)
        for part in own_marks
        if isinstance(part, dict)
    ]
    bold = mark("bold")
    marks = [part["marks"] for part in leaves]
    if leaves and all(isinstance(own_marks, list) and bold in own_marks for own_marks in marks):
        for part, own_marks in zip(leaves, marks, strict=True):
            part["marks"] = [kind for kind in own_marks if kind != bold]  # type: ignore[union-attr]
        return block("code-line", nodes, {"highlighted": True})
    return block("code-line", nodes or [text()])
