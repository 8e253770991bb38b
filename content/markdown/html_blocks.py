"""HTML elements that stand for blocks: figures, aligned text, code, tables."""

from __future__ import annotations

from collections.abc import Callable

from content.documents.anchors import is_valid_anchor
from content.documents.nodes import (
    Node,
    block,
    children_of,
    data_of,
    fragment,
    paragraph,
    text,
    verbatim,
    walk,
)
from content.documents.tag_syntax import read_length
from content.json_types import Json, JsonObject
from content.markdown.cell_blocks import ALIGNMENTS, HEADINGS, CellBlocks
from content.markdown.context import Context
from content.markdown.html_inlines import dark_source, kept_node
from content.markdown.html_tree import WITHIN_WORDS, Element, parse_elements
from content.markdown.inlines import build_html_inlines
from content.markdown.preformatted import preformatted
from content.markdown.tables import html_table, is_true


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
        inner = [part.tag for part in element.elements()]
        source = dark_source(inner[:-1], inner[-1]) if inner else None
        if source is None or element.has_own_text():
            return None
        dark, element = source.attributes.get("srcset"), element.elements()[-1]
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
    align = ALIGNMENTS.get(attributes.get("align", "start"))
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


def _list(element: Element, context: Context) -> Node | None:
    """A list of HTML; what it names as places of the page has no other form."""
    stack = [element]
    while stack:
        part = stack.pop()
        if "id" in part.tag.attributes and part.name not in (*WITHIN_WORDS, *HEADINGS):
            return None
        stack.extend(part.elements())
    list_node = CellBlocks(context, html_table).list_block(element)
    for node in () if list_node is None else list(walk([list_node])):
        below = node.get("nodes")
        if node.get("type") in ("list-item", "blockquote") and isinstance(below, list):
            node["nodes"] = [_or_html(child, context) for child in below]
    return list_node


def _or_html(node: Json, context: Context) -> Json:
    """A block; a line of nothing but one piece of HTML is one of HTML, as it is in Markdown."""
    inner = children_of(node) if isinstance(node, dict) and node["type"] == "paragraph" else []
    if len(inner) != 1 or inner[0].get("type") != "markdown":
        return node
    source = str(data_of(inner[0]).get("source"))
    return (html_block(source, context) or verbatim(source)) if source.startswith("<") else node


_ELEMENTS: dict[str, Callable[[Element, Context], Node | None]] = {
    "div": _division,
    "figure": _figure,
    "img": _picture,
    "ol": _list,
    "p": _aligned,
    "picture": _picture,
    "pre": preformatted,
    "table": html_table,
    "ul": _list,
    **dict.fromkeys(HEADINGS, _aligned),
}
