"""What the published schemas of documents say of each kind of node, and what does not keep to it.

Only what is stricter than "any JSON" is here. Additions of later releases that the content model
names are allowed: `open` of expandables, buttons without `ref`, `columns` and `if` at the top.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

Node = dict[str, Any]
Check = Callable[[Any], bool]


def text(value: Any) -> bool:
    return isinstance(value, str)


def flag(value: Any) -> bool:
    return isinstance(value, bool)


def number(value: Any) -> bool:
    return isinstance(value, int | float) and not flag(value)


def texts(value: Any) -> bool:
    return isinstance(value, list) and all(map(text, value))


def length(value: Any) -> bool:
    if number(value):
        return True
    return isinstance(value, dict) and text(value.get("unit")) and number(value.get("value"))


def anything(value: Any) -> bool:
    return True


def one_of(*names: str) -> Check:
    return lambda value: text(value) and value in names


# The member without which a reference of a kind means nothing.
MEMBERS = {
    "anchor": "anchor", "collection": "collection", "file": "file", "openapi": "spec",
    "page": "page", "reusable-content": "reusableContent", "space": "space", "url": "url",
    "user": "user",
}  # fmt: skip


def reference(*kinds: str) -> Check:
    def check(value: Any) -> bool:
        if not isinstance(value, dict) or value.get("kind") not in (kinds or MEMBERS):
            return False
        return text(value.get(MEMBERS[value["kind"]]))

    return check


IMAGE = reference("file", "url")
ESSENTIALS = (
    "paragraph", "heading-1", "heading-2", "heading-3", "list-ordered", "list-unordered",
    "list-tasks", "divider",
)  # fmt: skip
INLINES = (
    "text", "link", "emoji", "icon", "expression", "inline-math", "inline-image", "annotation",
    "mention", "button",
)  # fmt: skip
IN_TABS = (
    *ESSENTIALS, "content-ref", "code", "embed", "file", "images", "drawing", "hint",
    "blockquote", "math", "integration",
)  # fmt: skip
TOP = (
    *ESSENTIALS, "blockquote", "hint", "images", "file", "drawing", "embed", "code", "math",
    "expandable", "tabs", "table", "swagger", "openapi-operation", "openapi-schemas",
    "openapi-webhook", "content-ref", "integration", "reusable-content", "stepper",
    "columns", "if",
)  # fmt: skip
COLORS = one_of(
    "default", "green", "blue", "red", "orange", "yellow", "purple",
    "$primary", "$info", "$success", "$warning", "$danger",
)  # fmt: skip
ALIGN = one_of("start", "center", "end")
VERTICAL = one_of("top", "middle", "bottom")
MARKS = (
    "bold", "italic", "code", "keyboard", "strikethrough", "superscript", "subscript", "color",
)  # fmt: skip


@dataclass(frozen=True)
class Shape:
    """`required` and `optional` members of the data, which may have others unless `closed`;
    `holds` are the types of child nodes, None for a void node; `fragments` by their type."""

    required: dict[str, Check]
    optional: dict[str, Check]
    holds: tuple[str, ...] | None = None
    closed: bool = False
    fragments: dict[str, tuple[str, ...]] | None = None


def shape(
    required: dict[str, Check] | None = None,
    optional: dict[str, Check] | None = None,
    holds: tuple[str, ...] | None = None,
    *,
    closed: bool = False,
    fragments: dict[str, tuple[str, ...]] | None = None,
) -> Shape:
    return Shape(required or {}, optional or {}, holds, closed, fragments)


_HEADING = shape({}, {"id": text, "align": ALIGN}, INLINES)
_OPERATION = {"path": text, "method": text}
SHAPES = {
    "paragraph": shape({}, {"align": ALIGN}, INLINES, closed=True),
    "heading-1": _HEADING,
    "heading-2": _HEADING,
    "heading-3": _HEADING,
    "list-ordered": shape({}, {"start": number}, ("list-item",)),
    "list-unordered": shape(holds=("list-item",), closed=True),
    "list-tasks": shape(holds=("list-item",), closed=True),
    "list-item": shape(
        {}, {"checked": flag}, (*ESSENTIALS, "code", "hint", "blockquote", "math", "table")
    ),
    "divider": shape(closed=True),
    "blockquote": shape(holds=(*ESSENTIALS, "blockquote"), closed=True),
    "hint": shape({"style": one_of("info", "warning", "danger", "success")}, {}, ESSENTIALS),
    "code": shape(
        {},
        {"syntax": text, "title": text, "overflow": one_of("scroll", "wrap"),
         "lineNumbers": flag, "fullWidth": flag},
        ("code-line",),
    ),
    "code-line": shape({}, {"highlighted": flag}, ("text", "annotation", "expression")),
    "math": shape({"formula": text}),
    "images": shape(
        {},
        {"align": one_of("center", "left", "right"), "fullWidth": flag, "withFrame": flag},
        ("image",),
    ),
    "image": shape(
        {"ref": IMAGE},
        {"refDark": IMAGE, "width": length, "height": length, "alt": text},
        fragments={"caption": ("paragraph",)},
    ),
    "file": shape({"ref": reference("file")}),
    "drawing": shape({}, {"ref": reference("file")}),
    "embed": shape({"url": text}, {"fullWidth": flag}),
    "expandable": shape(
        {}, {"open": flag}, closed=True,
        fragments={
            "expandable-title": ("paragraph",),
            "expandable-body": (*ESSENTIALS, "images", "code", "table", "hint", "blockquote",
                                "reusable-content"),
        },
    ),
    "tabs": shape({}, {"fullWidth": flag}, ("tabs-item",), closed=True),
    "tabs-item": shape({}, {"title": text}, IN_TABS),
    "stepper": shape(holds=("stepper-step",), closed=True),
    "stepper-step": shape({}, {"icon": text}, IN_TABS),
    "columns": shape({}, {"fullWidth": flag}, ("column",)),
    "column": shape(
        {}, {"width": length, "verticalAlignment": VERTICAL},
        (*ESSENTIALS, "images", "code", "hint", "content-ref", "drawing", "embed", "file",
         "integration", "math", "blockquote", "table"),
        closed=True,
    ),
    "table": shape(
        {"view": anything, "records": anything, "definition": anything}, {"fullWidth": flag},
        fragments={"table-cell": (*ESSENTIALS, "images")},
    ),
    "content-ref": shape({"ref": reference()}),
    "reusable-content": shape({"ref": reference("reusable-content")}),
    "integration": shape(
        {"integration": text, "block": text, "props": lambda value: isinstance(value, dict)},
        {"url": text, "fullWidth": flag},
    ),
    "swagger": shape({**_OPERATION, "ref": IMAGE}, {"expanded": flag, "fullWidth": flag}),
    "openapi-operation": shape({**_OPERATION, "ref": reference("openapi")}),
    "openapi-schemas": shape({"schemas": texts, "ref": reference("openapi")}, {"grouped": flag}),
    "openapi-webhook": shape({"name": text, "method": text, "ref": reference("openapi")}),
    "if": shape({"expression": text}, {}, TOP),
    "link": shape({"ref": reference()}, {}, ("text", "inline-image")),
    "emoji": shape({"code": text}),
    "icon": shape({"icon": text}),
    "expression": shape({"expression": text}),
    "inline-math": shape({"formula": text}),
    "inline-image": shape(
        {"ref": IMAGE},
        {"refDark": IMAGE, "caption": text, "alt": text, "size": one_of("original", "line")},
    ),
    "annotation": shape(
        holds=("text",), closed=True, fragments={"annotation-body": (*ESSENTIALS, "code")}
    ),
    "mention": shape({"ref": reference()}),
    "button": shape(
        {"label": text, "kind": one_of("primary", "secondary")},
        {"icon": lambda value: text(value) and len(value) <= 50, "ref": reference()},
    ),
}  # fmt: skip

# What a column has beside its id and title.
COLUMNS: dict[str, dict[str, Check]] = {
    "text": {"textAlignment": one_of("center", "right", "left")},
    "number": {},
    "checkbox": {},
    "files": {},
    "users": {"multiple": flag},
    "rating": {"max": number},
    "select": {"multiple": flag, "options": lambda value: all(map(_is_option, value))},
    "content-ref": {},
    "image": {},
}
# Fragments whose name is their type.
_NAMED = ("caption", "expandable-title", "expandable-body")


def _is_option(value: Any) -> bool:
    return all(text(value.get(name)) for name in ("value", "label", "color"))


def deviations(document: Node) -> list[str]:
    """Where a document is not as published: `TYPE: what`."""
    found = [f"document: holds {kind}" for kind in _kinds(document["nodes"], TOP)]
    if not isinstance(document.get("data"), dict) or document["object"] != "document":
        found.append("document: is none")
    stack = list(document["nodes"])
    while stack:
        node = stack.pop()
        if node["object"] == "text":
            found += [f"text: {problem}" for problem in _leaves(node)]
            continue
        found += [f"{node['type']}: {problem}" for problem in _node(node)]
        stack += node.get("nodes", [])
        for part in node.get("fragments", []):
            stack += part["nodes"]
    return found


def _kinds(nodes: list[Node], allowed: tuple[str, ...]) -> list[str]:
    return [kind for node in nodes if (kind := node.get("type", "text")) not in allowed]


def _node(node: Node) -> Iterator[str]:
    known = SHAPES.get(node["type"])
    if known is None:
        yield "is of no published type"
        return
    data = node["data"]
    for name, check in {**known.required, **known.optional}.items():
        if name in data and not check(data[name]):
            yield f"{name} is {data[name]!r}"
    yield from (f"{name} is missing" for name in known.required.keys() - data.keys())
    if known.closed:
        others = data.keys() - known.required.keys() - known.optional.keys()
        yield from (f"{name} is not allowed" for name in sorted(others))
    if node["isVoid"] is not (known.holds is None):
        yield "isVoid is wrong"
    if known.holds is not None:
        yield from (f"holds {kind}" for kind in _kinds(node["nodes"], known.holds))
    if known.fragments is not None:
        yield from _fragments(node, known.fragments)
    if node["type"] == "table":
        yield from _table(data)


def _fragments(node: Node, allowed: dict[str, tuple[str, ...]]) -> Iterator[str]:
    if not isinstance(node.get("fragments"), list):
        yield "fragments are missing"
        return
    for part in node["fragments"]:
        kind = part.get("type")
        if part["object"] != "fragment" or kind not in allowed or not part["nodes"]:
            yield f"fragment {part.get('fragment')!r} of type {kind!r}"
        elif kind in _NAMED and part["fragment"] != kind:
            yield f"fragment of type {kind} has the name {part['fragment']!r}"
        else:
            yield from (f"{kind} holds {one}" for one in _kinds(part["nodes"], allowed[kind]))


def _leaves(node: Node) -> Iterator[str]:
    for leaf in node["leaves"]:
        if leaf["object"] != "leaf" or not text(leaf["text"]):
            yield "has no leaf"
        for mark in leaf["marks"]:
            if mark["object"] != "mark" or mark["type"] not in MARKS:
                yield f"has the mark {mark}"
            elif mark["type"] == "color" and not all(
                COLORS(mark["data"].get(name)) for name in ("text", "background")
            ):
                yield f"has the color {mark['data']}"


def _table(data: Node) -> Iterator[str]:
    view, definition = data["view"], data["definition"]
    if view["type"] == "grid":
        well = flag(view.get("hideHeader")) and all(
            map(number, view.get("columnWidths", {}).values())
        )
    else:
        well = view["type"] == "cards" and view.get("cardSize") in ("medium", "large")
        marked = ("targetDefinition", "coverDefinition", "coverDefinitionDark")
        well = well and all(text(view[name]) for name in marked if name in view)
        well = well and flag(view.get("hideColumnTitle", False))
    if not well or not texts(view.get("columns")):
        yield f"view is {view}"
    for id, column in definition.items():
        checks = COLUMNS.get(column.get("type"))
        if checks is None or column.get("id") != id or not text(column.get("title")):
            yield f"column is {column}"
            continue
        if not all(check(column.get(name)) for name, check in checks.items()):
            yield f"column is {column}"
        if not VERTICAL(column.get("verticalAlignment", "top")):
            yield f"column is {column}"
    for record in data["records"].values():
        if not text(record.get("orderIndex")):
            yield f"record is {record}"
        for id, value in record["values"].items():
            if not _is_value(value):
                yield f"{definition[id]['type']} cell is {value!r}"


def _is_value(value: Any) -> bool:
    if value is None or text(value) or number(value) or flag(value) or texts(value):
        return True
    if isinstance(value, dict) and "kind" not in value:
        fit = one_of("contain", "fill", "cover")
        return IMAGE(value.get("ref")) and fit(value.get("objectFit", "fill"))
    return reference()(value)
