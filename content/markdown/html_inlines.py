"""HTML tags within a line that stand for marks and inline nodes, or hold a node as JSON."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import orjson
from markdown_it.token import Token

from content.documents.node_types import COLORS
from content.documents.nodes import Node, inline, mark, paragraph, walk
from content.documents.shape import DocumentError, checked_document
from content.emoji import CODE_POINTS
from content.json_types import JsonObject
from content.markdown.context import Context
from content.markdown.html_tree import HtmlTag, parse_html_tag


def kept_node(source: str, kind: str) -> Node | None:
    """The node that JSON in Markdown stands for; None when it is no node of that `kind`, `block`
    or `inline`."""
    try:
        value = orjson.loads(source)
    except orjson.JSONDecodeError:
        return None
    if not isinstance(value, dict) or value.get("object") != kind:
        return None
    outer = paragraph([value]) if kind == "inline" else value
    try:
        checked = checked_document({"object": "document", "nodes": [outer]})
    except DocumentError:
        return None
    nodes = checked["nodes"]
    while isinstance(nodes, list) and nodes:
        node = nodes[0]
        if not isinstance(node, dict):
            return None
        if node.get("object") == kind:
            return _without_keys(node)
        nodes = node.get("nodes")
    return None


def _without_keys(node: Node) -> Node:
    """The parser gives keys to all nodes at the end."""
    for below in walk([node]):
        below.pop("key", None)
    return node


MARK_TAGS = {
    "b": "bold",
    "del": "strikethrough",
    "em": "italic",
    "i": "italic",
    "kbd": "keyboard",
    "mark": "color",
    "s": "strikethrough",
    "strong": "bold",
    "sub": "subscript",
    "sup": "superscript",
}
# The order of marks on a text, whatever order they were written in.
MARK_ORDER = (
    "color",
    "bold",
    "italic",
    "strikethrough",
    "keyboard",
    "subscript",
    "superscript",
    "code",
)
VOID_TAGS = frozenset({"img"})
ICON_NAME = re.compile(r"[a-z0-9-]{1,100}")
EMOJI_CODE = re.compile(CODE_POINTS)


def html_mark(tag: HtmlTag) -> Node | None:
    """The mark a tag stands for; None when it is no mark or carries attributes of its own."""
    kind = MARK_TAGS.get(tag.name)
    if kind == "color":
        return _color(tag)
    return None if kind is None or tag.attributes else mark(kind)


def _color(tag: HtmlTag) -> Node | None:
    if set(tag.attributes) - {"style"}:
        return None
    data: JsonObject = {}
    for rule in tag.attributes.get("style", "").split(";"):
        name, _, value = rule.partition(":")
        if not name.strip():
            continue
        key = {"color": "text", "background-color": "background"}.get(name.strip().lower())
        if key is None or value.strip() not in COLORS:
            return None
        data[key] = value.strip()
    return mark("color", {"text": "default", "background": "default", **data})


def html_void(tag: HtmlTag, context: Context) -> Node | None:
    """The inline image of an `<img>`; None when it says more than an inline image can hold."""
    if set(tag.attributes) - {"src", "alt", "data-size", "title"}:
        return None
    if tag.attributes.get("data-size", "line") not in ("line", "original"):
        return None
    data: JsonObject = {"ref": context.reference(tag.attributes.get("src", ""))}
    for name, key in (("alt", "alt"), ("data-size", "size"), ("title", "caption")):
        if tag.attributes.get(name):
            data[key] = tag.attributes[name]
    return inline("inline-image", data=data)


def dark_source(sources: Sequence[HtmlTag], image: HtmlTag | None) -> HtmlTag | None:
    """The one source of a `<picture>` that says more than its image: that for dark surroundings."""
    if image is None or image.name != "img" or any(tag.name != "source" for tag in sources):
        return None
    shown = image.attributes.get("src")
    dark = [tag for tag in sources if "dark" in tag.attributes.get("media", "")]
    others = [tag for tag in sources if tag not in dark]
    if len(dark) != 1 or any(tag.attributes.get("srcset") != shown for tag in others):
        return None
    return dark[0]


def picture_inline(between: Sequence[Token], context: Context) -> Node | None:
    """The inline image of a `<picture>` with one source for dark surroundings."""
    tags = [parse_html_tag(token.content) for token in between if token.content.strip()]
    *sources, image = tags or [None]
    source = dark_source([tag for tag in sources if tag is not None], image)
    if source is None or image is None or None in sources:
        return None
    node = html_void(image, context)
    if node is None or not isinstance(node["data"], dict):
        return None
    node["data"]["refDark"] = context.reference(source.attributes.get("srcset", ""))
    return node


def is_label_tag(tag: HtmlTag) -> bool:
    """Whether the tag may stand, with the plain text in it, for one void inline."""
    return tag.name in ("a", "button", "code", "i", "span")


def label_inline(tag: HtmlTag, between: Iterable[Token], context: Context) -> Node | None:
    """Button, icon, expression, emoji or mention; None when the tag is none of them."""
    attributes, classes = tag.attributes, tag.classes()
    label = "".join(token.content for token in between)
    if tag.name == "code" and classes == ["expression"]:
        return inline("expression", data={"expression": label})
    if tag.name == "i":
        name = classes[0] if len(classes) == 1 else ""
        icon = name.removeprefix("fa-")
        valid = icon != name and ICON_NAME.fullmatch(icon)
        return inline("icon", data={"icon": icon}) if valid else None
    if tag.name == "span" and "data-node" in attributes:
        return kept_node(attributes["data-node"], "inline")
    if tag.name == "span" and classes == ["math"] and set(attributes) == {"class"}:
        return inline("inline-math", data={"formula": label})
    if tag.name == "span" and attributes.get("data-tag") == "emoji":
        code = attributes.get("data-code", "")
        if "data-gb-custom-inline" in attributes and EMOJI_CODE.fullmatch(code):
            return inline("emoji", data={"code": code.lower()})
        return None
    if tag.name == "a" and "data-mention" in attributes and attributes.get("href"):
        return inline("mention", data={"ref": context.reference(attributes["href"])})
    if tag.name in ("a", "button") and "button" in classes:
        return _button(tag, label, context)
    return None


def _button(tag: HtmlTag, label: str, context: Context) -> Node | None:
    attributes = tag.attributes
    if set(attributes) - {"href", "class", "type", "data-icon", "data-action", "data-query"}:
        return None
    kind = "secondary" if "secondary" in tag.classes() else "primary"
    data: JsonObject = {"label": label, "kind": kind}
    if attributes.get("data-icon"):
        data["icon"] = attributes["data-icon"]
    if "href" in attributes:
        data["ref"] = context.reference(attributes["href"])
    if attributes.get("data-action"):
        action: JsonObject = {"action": attributes["data-action"]}
        if "data-query" in attributes:
            action["query"] = attributes["data-query"]
        data["action"] = action
    return inline("button", data=data)
