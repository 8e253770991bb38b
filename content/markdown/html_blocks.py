"""HTML elements that stand for blocks: figures, aligned text, code whose lines have formatting."""

from __future__ import annotations

from collections.abc import Callable
from html import unescape

from content.documents.anchors import is_valid_anchor
from content.documents.nodes import Node, block, fragment, inline, leaf, mark, paragraph, text
from content.json_types import Json, JsonObject
from content.markdown.context import Context
from content.markdown.html_inlines import kept_node
from content.markdown.html_tree import Element, HtmlTag, html_tokens, parse_elements
from content.markdown.inlines import FOOTNOTE_LINK, annotation, build_html_inlines
from content.markdown.tables import html_table, is_true
from content.markdown.tag_syntax import read_length

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


HEADINGS = {
    "h1": "heading-1",
    "h2": "heading-1",
    "h3": "heading-2",
    "h4": "heading-3",
    "h5": "heading-3",
    "h6": "heading-3",
}
_ALIGNMENTS = {"left": "start", "start": "start", "center": "center", "right": "end", "end": "end"}


def html_block(source: str, context: Context) -> Node | None:
    """The block that one HTML element stands for; None when it is to be kept as it is."""
    elements = parse_elements(source)
    if elements is None or len(elements) != 1:
        return None
    build = _ELEMENTS.get(elements[0].name)
    return None if build is None else build(elements[0], context)


def _figure(figure: Element, context: Context) -> Node | None:
    return _images([figure], {}, context)


def _division(division: Element, context: Context) -> Node | None:
    """A `<div>` around figures that aligns or frames them, or one that holds a node."""
    if set(division.tag.attributes) == {"data-node"} and not division.children:
        return kept_node(division.tag.attributes["data-node"], "block")
    data: JsonObject = {}
    for name, value in division.tag.attributes.items():
        if name == "align" and value in ("left", "center", "right"):
            data["align"] = value
        elif name == "data-full-width":
            data["fullWidth"] = is_true(value)
        elif name == "data-with-frame":
            data["withFrame"] = is_true(value)
        else:
            return None
    if division.has_own_text() or not division.elements():
        return None
    return _images(division.elements(), data, context)


def _images(parts: list[Element], data: JsonObject, context: Context) -> Node | None:
    images: list[Node] = []
    for part in parts:
        if part.name == "figure" and not part.has_own_text() and not part.tag.attributes:
            image = _image(part.elements(), context)
        else:
            image = _image([part], context)
        if image is None:
            return None
        images.append(image)
    if len(images) == 1 and images[0]["type"] == "drawing":
        return images[0] if not data else None
    return block("images", images, data) if images else None


def _image(parts: list[Element], context: Context) -> Node | None:
    """One image: `<img>` or `<picture>`, with or without `<figcaption>`."""
    captions = [part for part in parts if part.name == "figcaption"]
    shown = [part for part in parts if part.name != "figcaption"]
    if len(shown) != 1 or len(captions) > 1:
        return None
    dark: str | None = None
    element = shown[0]
    if element.name == "picture":
        inner = element.elements()
        if len(inner) != 2 or inner[0].name != "source" or element.has_own_text():
            return None
        if "dark" not in inner[0].tag.attributes.get("media", ""):
            return None
        dark, element = inner[0].tag.attributes.get("srcset"), inner[1]
    if element.name != "img" or "src" not in element.tag.attributes:
        return None
    attributes = dict(element.tag.attributes)
    data: JsonObject = {"ref": context.reference(attributes.pop("src"))}
    if dark is not None:
        data["refDark"] = context.reference(dark)
    kind = "image"
    if attributes.get("class") == "gitbook-drawing":
        del attributes["class"]
        kind = "drawing"
    if attributes.pop("alt", ""):
        data["alt"] = element.tag.attributes["alt"]
    for name in ("width", "height"):
        length = read_length(attributes.get(name, ""))
        if length is not None:
            data[name] = length
            del attributes[name]
    if attributes:
        data["attributes"] = {**attributes}
    caption = _paragraphs(captions[0], context) if captions else []
    fragments = [fragment("caption", caption, "caption")] if caption else []
    # Published schemas want the list of an image also when it is empty; drawings may have none.
    return block(kind, None, data, fragments if caption or kind == "image" else None)


def _paragraphs(element: Element, context: Context) -> list[Node]:
    """The paragraphs in an element; none when it has no content."""
    parts = element.elements()
    if parts and all(part.name == "p" for part in parts) and not element.has_own_text():
        sources = [part.inner for part in parts]
    else:
        sources = [element.inner]
    built = [build_html_inlines(source, context) for source in sources]
    return [paragraph(nodes) for nodes in built if nodes]


def _aligned(element: Element, context: Context) -> Node | None:
    """A paragraph or heading that only HTML can align; one of images only becomes images."""
    attributes = element.tag.attributes
    kind = HEADINGS.get(element.name, "paragraph")
    if set(attributes) - ({"align"} if kind == "paragraph" else {"align", "id"}):
        return None
    if not is_valid_anchor(attributes.get("id", "id")):
        return None
    align = _ALIGNMENTS.get(attributes.get("align", "start"))
    if align is None:
        return None
    inner = element.elements()
    if inner and not element.has_own_text() and all(e.name in ("img", "picture") for e in inner):
        alignment = {"start": "left", "center": "center", "end": "right"}[align]
        return _images(inner, {"align": alignment}, context)
    data: JsonObject = {"id": attributes["id"]} if "id" in attributes else {}
    if "align" in attributes:
        data["align"] = align
    return block(kind, build_html_inlines(element.inner, context) or [text()], data)


def _picture(element: Element, context: Context) -> Node | None:
    if "data-size" in element.tag.attributes or any(
        "data-size" in inner.tag.attributes for inner in element.elements()
    ):
        # An image of the line, which is alone in it.
        nodes = build_html_inlines(element.source, context)
        return paragraph(nodes)
    return _images([element], {}, context)


_ELEMENTS: dict[str, Callable[[Element, Context], Node | None]] = {
    "div": _division,
    "figure": _figure,
    "img": _picture,
    "p": _aligned,
    "picture": _picture,
    "pre": preformatted,
    "table": html_table,
    **dict.fromkeys(HEADINGS, _aligned),
}
