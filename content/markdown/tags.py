"""The block tags of the dialect: one row in `TAGS` and one function each.

A function gets the tag and the blocks between it and its end tag, and returns the block for them.
It returns None when the block cannot hold what was written; then the tags stay in the document
as verbatim Markdown around their content.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from content.json_types import Json, JsonObject
from content.markdown.context import Context
from content.markdown.inlines import build_html_inlines
from content.markdown.lengths import read_length
from content.markdown.nodes import Node, block, fragment, paragraph
from content.markdown.tag_syntax import Tag

Build = Callable[[Tag, list[Node], Context], Node | None]
Convert = Callable[[str], Json]


@dataclass(frozen=True, slots=True)
class TagRule:
    """How a tag is read. `body`: whether an end tag is `required`, `optional` or never (`none`);
    `parent`: the tag it must stand directly in."""

    build: Build
    body: Literal["required", "optional", "none"] = "required"
    parent: str | None = None


def _text(value: str) -> Json:
    return value


def _flag(value: str) -> Json:
    return {"true": True, "false": False}.get(value.lower())


def _one_of(*allowed: str) -> Convert:
    return lambda value: value if value in allowed else None


def _names(value: str) -> Json:
    return [name.strip() for name in value.split(",") if name.strip()]


def _data(tag: Tag, known: Mapping[str, tuple[str, Convert]]) -> JsonObject:
    """Block data from the attributes of a tag: `known` gives name and conversion by attribute.

    An attribute that is not known or whose value does not fit is kept under `attributes`.
    """
    data: JsonObject = {}
    rest: JsonObject = {}
    for name, value in tag.attributes.items():
        key, convert = known.get(name, ("", _text))
        converted = convert(value) if key else None
        if converted is None:
            rest[name] = value
        else:
            data[key] = converted
    if rest:
        data["attributes"] = rest
    return data


_OPENAPI = {
    "path": ("path", _text),
    "method": ("method", _text),
    "expanded": ("expanded", _flag),
    "fullWidth": ("fullWidth", _flag),
}
_CODE = {
    "title": ("title", _text),
    "overflow": ("overflow", _one_of("scroll", "wrap")),
    "lineNumbers": ("lineNumbers", _flag),
    "fullWidth": ("fullWidth", _flag),
    "expandable": ("expandable", _flag),
}


def _hint(tag: Tag, nodes: list[Node], context: Context) -> Node | None:
    styles = _one_of("info", "warning", "danger", "success")
    data = _data(tag, {"style": ("style", styles), "icon": ("icon", _text)})
    return block("hint", nodes, {"style": "info", **data})


def _container(kind: str, known: Mapping[str, tuple[str, Convert]]) -> Build:
    """A block that holds whatever stands in the tag."""
    return lambda tag, nodes, context: block(kind, nodes, _data(tag, known))


def _items(kind: str, item: str, known: Mapping[str, tuple[str, Convert]] | None = None) -> Build:
    """A block that may hold blocks of the one type `item` only."""
    options = {"fullWidth": ("fullWidth", _flag)} if known is None else known

    def build(tag: Tag, nodes: list[Node], context: Context) -> Node | None:
        if not nodes or any(node["type"] != item for node in nodes):
            return None
        return block(kind, nodes, _data(tag, options))

    return build


def _code(tag: Tag, nodes: list[Node], context: Context) -> Node | None:
    if len(nodes) != 1 or nodes[0]["type"] != "code":
        return None
    code = nodes[0]
    own = code["data"] if isinstance(code["data"], dict) else {}
    data = {**own, **_data(tag, _CODE)}
    kept = [item for item in (own.get("attributes"), data.get("attributes")) if item]
    if len(kept) == 2 and isinstance(kept[0], dict) and isinstance(kept[1], dict):
        data["attributes"] = {**kept[1], **kept[0]}
    code["data"] = data
    return code


def _captioned(kind: str, data: JsonObject, nodes: list[Node]) -> Node:
    return block(kind, None, data, [fragment("caption", nodes, "caption")] if nodes else None)


def _embed(tag: Tag, nodes: list[Node], context: Context) -> Node | None:
    if "url" not in tag.attributes:
        return None
    data = _data(tag, {"url": ("url", _text), "fullWidth": ("fullWidth", _flag)})
    return _captioned("embed", data, nodes)


def _file(tag: Tag, nodes: list[Node], context: Context) -> Node | None:
    if "src" not in tag.attributes:
        return None
    data = _data(tag, {"src": ("src", _text)})
    data["ref"] = context.reference(str(data.pop("src")))
    return _captioned("file", data, nodes)


def _content_ref(tag: Tag, nodes: list[Node], context: Context) -> Node | None:
    if "url" not in tag.attributes or not _only_a_link(nodes):
        return None
    data = _data(tag, {"url": ("url", _text)})
    data["ref"] = context.reference(str(data.pop("url")))
    return block("content-ref", None, data)


def _only_a_link(nodes: list[Node]) -> bool:
    """Whether a body is just the link that writers put there for other readers of Markdown."""
    if not nodes:
        return True
    inlines = nodes[0].get("nodes")
    if len(nodes) != 1 or nodes[0]["type"] != "paragraph" or not isinstance(inlines, list):
        return False
    return len(inlines) == 1 and isinstance(inlines[0], dict) and inlines[0].get("type") == "link"


def _expandable(tag: Tag, nodes: list[Node], context: Context) -> Node | None:
    title = paragraph(build_html_inlines(tag.attributes.get("summary", ""), context))
    data: JsonObject = {"open": True} if tag.attributes.get("open") else {}
    fragments = [
        fragment("expandable-title", [title], "expandable-title"),
        fragment("expandable-body", nodes or [paragraph([])], "expandable-body"),
    ]
    return block("expandable", None, data, fragments)


def _condition(tag: Tag, nodes: list[Node], context: Context) -> Node | None:
    return block("if", nodes, {"expression": tag.arguments})


def _include(tag: Tag, nodes: list[Node], context: Context) -> Node | None:
    path = tag.quoted
    if path is None:
        return None
    prefix = "/reusable-content/"
    if path.startswith(prefix) and path[len(prefix) :].isalnum():
        ref: JsonObject = {"kind": "reusable-content", "reusableContent": path[len(prefix) :]}
    else:
        ref = context.reference(path)
    return block("reusable-content", None, {"ref": ref})


def _swagger(tag: Tag, nodes: list[Node], context: Context) -> Node | None:
    if "src" not in tag.attributes or not _only_a_link(nodes):
        return None
    data = _data(tag, {"src": ("src", _text), **_OPENAPI})
    data["ref"] = context.reference(str(data.pop("src")))
    return block("swagger", None, data)


def _openapi(kind: str, known: Mapping[str, tuple[str, Convert]]) -> Build:
    """A block of an OpenAPI specification that the tag names in `spec`."""

    def build(tag: Tag, nodes: list[Node], context: Context) -> Node | None:
        if "spec" not in tag.attributes or not _only_a_link(nodes):
            return None
        data = _data(tag, {"spec": ("spec", _text), **known})
        data["ref"] = {"kind": "openapi", "spec": data.pop("spec")}
        return block(kind, None, data)

    return build


def _integration(tag: Tag, nodes: list[Node], context: Context) -> Node | None:
    integration, _, name = tag.name.removeprefix("@").partition("/")
    if not integration or not name:
        return None
    props: JsonObject = dict(tag.attributes)
    return block("integration", None, {"integration": integration, "block": name, "props": props})


_STEP_LIKE = {"title": ("title", _text), "icon": ("icon", _text)}

TAGS: dict[str, TagRule] = {
    "hint": TagRule(_hint),
    "tabs": TagRule(_items("tabs", "tabs-item")),
    "tab": TagRule(_container("tabs-item", _STEP_LIKE), parent="tabs"),
    "code": TagRule(_code),
    "embed": TagRule(_embed, body="optional"),
    "content-ref": TagRule(_content_ref, body="optional"),
    "file": TagRule(_file, body="optional"),
    "details": TagRule(_expandable),
    "stepper": TagRule(_items("stepper", "stepper-step", {})),
    "step": TagRule(_container("stepper-step", _STEP_LIKE), parent="stepper"),
    "columns": TagRule(_items("columns", "column")),
    "column": TagRule(
        _container(
            "column",
            {
                "width": ("width", read_length),
                "valign": ("verticalAlignment", _one_of("top", "middle", "bottom")),
            },
        ),
        parent="columns",
    ),
    "if": TagRule(_condition),
    "updates": TagRule(_items("updates", "update", {"format": ("format", _text)})),
    "update": TagRule(
        _container("update", {"date": ("date", _text), "tags": ("tags", _names)}),
        parent="updates",
    ),
    "prompt": TagRule(
        _container(
            "prompt",
            {
                "description": ("description", _text),
                "icon": ("icon", _text),
                "openInAIProviders": ("openInAIProviders", _flag),
                "defaultExpanded": ("defaultExpanded", _text),
            },
        )
    ),
    "include": TagRule(_include, body="none"),
    "openapi": TagRule(_swagger, body="optional"),
    "swagger": TagRule(_swagger, body="optional"),
    "openapi-operation": TagRule(
        _openapi("openapi-operation", {"path": ("path", _text), "method": ("method", _text)}),
        body="optional",
    ),
    "openapi-schemas": TagRule(
        _openapi(
            "openapi-schemas", {"schemas": ("schemas", _names), "grouped": ("grouped", _flag)}
        ),
        body="optional",
    ),
    "openapi-webhook": TagRule(
        _openapi("openapi-webhook", {"name": ("name", _text), "method": ("method", _text)}),
        body="optional",
    ),
}

_INTEGRATION = TagRule(_integration, body="none")


def rule_for(tag: Tag) -> TagRule | None:
    """The rule of a tag, None for one that is not known."""
    return _INTEGRATION if tag.name.startswith("@") else TAGS.get(tag.name)
