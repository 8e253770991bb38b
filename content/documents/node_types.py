"""The table of all nodes of JSON documents: what each type has in its data and what it holds.

The JSON Schema and the TypeScript types (`content.documents.schema`) are made of it. Blocks and
inlines may hold any others, because Markdown nests them so; only parts such as list items have
places of their own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

from content.documents.content_references import IN_SPACES, NAMES
from content.json_types import Json, JsonObject

_NOTHING: Mapping[str, Value] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Value:
    """A JSON value as JSON Schema and as TypeScript."""

    schema: JsonObject
    typescript: str


@dataclass(frozen=True, slots=True)
class Node:
    """`required` and `optional` members of the data, which later releases may add to.

    `holds` is the type of child nodes, or BLOCKS or INLINES for any of these; None for a void node.
    `fragments` are the types of its fragments, which are always listed if it `needs_fragments`.
    """

    required: Mapping[str, Value] = field(default_factory=dict)
    optional: Mapping[str, Value] = field(default_factory=dict)
    holds: str | None = None
    fragments: tuple[str, ...] = ()
    needs_fragments: bool = False
    object: Literal["block", "inline"] = "block"


BLOCKS, INLINES = "Block", "Inline"

TEXT = Value({"type": "string"}, "string")
FLAG = Value({"type": "boolean"}, "boolean")
NUMBER = Value({"type": "number"}, "number")
REFERENCE = Value({"$ref": "#/$defs/ContentReference"}, "ContentReference")
LENGTH = Value({"$ref": "#/$defs/Length"}, "Length")
OBJECT = Value({"type": "object"}, "Record<string, unknown>")


def one_of(*names: str) -> Value:
    """One of some texts."""
    return Value({"enum": list[Json](names)}, " | ".join(f'"{name}"' for name in names))


def either(*values: Value) -> Value:
    """A value of one of several forms."""
    schemas: list[Json] = [value.schema for value in values]
    return Value({"anyOf": schemas}, " | ".join(value.typescript for value in values))


def list_of(value: Value) -> Value:
    """Any number of values."""
    return Value({"type": "array", "items": value.schema}, f"Array<{value.typescript}>")


def map_of(value: Value) -> Value:
    """Values by ids."""
    schema: JsonObject = {"type": "object", "additionalProperties": value.schema}
    return Value(schema, f"Record<string, {value.typescript}>")


def record(required: Mapping[str, Value], optional: Mapping[str, Value] = _NOTHING) -> Value:
    """An object with these members, and maybe others."""
    members: JsonObject = {n: v.schema for n, v in {**required, **optional}.items()}
    schema: JsonObject = {"type": "object", "properties": members}
    if required:
        schema["required"] = list[Json](required)
    typed = [f"{name}: {value.typescript}" for name, value in required.items()]
    typed += [f"{name}?: {value.typescript}" for name, value in optional.items()]
    return Value(schema, f"{{ {'; '.join(typed)} }}" if typed else "{}")


NULL = Value({"type": "null"}, "null")
LENGTHS = either(Value({"type": "number", "minimum": 0}, "number"),
                 record({"value": Value({"type": "number", "minimum": 0}, "number"),
                         "unit": one_of("px", "%", "rem", "em", "vw")}))  # fmt: skip
COLORS = (
    "default", "green", "blue", "red", "orange", "yellow", "purple",
    "$primary", "$info", "$success", "$warning", "$danger",
)  # fmt: skip
_COLOR = one_of(*COLORS)
# What marks have in their data.
MARKS: dict[str, Mapping[str, Value]] = {
    "bold": _NOTHING, "italic": _NOTHING, "code": _NOTHING, "keyboard": _NOTHING,
    "strikethrough": _NOTHING, "superscript": _NOTHING, "subscript": _NOTHING,
    "color": {"text": _COLOR, "background": _COLOR},
}  # fmt: skip

# References by kind: the member that names the thing, and what else may be there.
REFERENCES: dict[str, tuple[Mapping[str, Value], Mapping[str, Value]]] = {
    kind: ({NAMES[kind]: TEXT}, {"space": TEXT} if kind in IN_SPACES else {}) for kind in NAMES
}
REFERENCES["anchor"] = ({"anchor": TEXT}, {"page": TEXT, "space": TEXT})

# Columns of tables by type, beside `id` and `title`.
_OPTION = record({"value": TEXT, "label": TEXT, "color": TEXT})
COLUMNS: dict[str, tuple[Mapping[str, Value], Mapping[str, Value]]] = {
    "text": ({}, {"textAlignment": one_of("left", "center", "right"), "verticalAlignment": TEXT}),
    "number": ({}, {}),
    "checkbox": ({}, {}),
    "files": ({}, {}),
    "users": ({"multiple": FLAG}, {}),
    "rating": ({"max": NUMBER}, {}),
    "select": ({"multiple": FLAG, "options": list_of(_OPTION)}, {}),
    "content-ref": ({}, {}),
    "image": ({}, {}),
}
VIEWS: dict[str, tuple[Mapping[str, Value], Mapping[str, Value]]] = {
    "grid": ({"columns": list_of(TEXT), "hideHeader": FLAG}, {"columnWidths": map_of(NUMBER)}),
    "cards": (
        {"columns": list_of(TEXT), "cardSize": one_of("medium", "large")},
        {"targetDefinition": TEXT, "coverDefinition": TEXT, "coverDefinitionDark": TEXT,
         "hideColumnTitle": FLAG},
    ),
}  # fmt: skip
# Cells of text name their fragment; files and people are ids, or references that say more.
CELL = either(
    NULL, TEXT, NUMBER, FLAG, list_of(either(TEXT, REFERENCE)), REFERENCE,
    record({"ref": either(REFERENCE, NULL), "objectFit": TEXT}),
)  # fmt: skip
RECORD = record(
    {"orderIndex": TEXT, "values": map_of(Value({"$ref": "#/$defs/TableCell"}, "TableCell"))}
)

# Types of fragments; all hold blocks.
FRAGMENTS = ("caption", "expandable-title", "expandable-body", "annotation-body", "table-cell")

_ALIGN = one_of("start", "center", "end")
_WIDE = {"fullWidth": FLAG}
_HEADING = Node({}, {"id": TEXT, "align": _ALIGN}, INLINES)
_STEP = {"title": TEXT, "icon": TEXT}
_IMAGE = {"alt": TEXT, "width": LENGTH, "height": LENGTH, "refDark": REFERENCE}
_OPERATION = {"path": TEXT, "method": TEXT}


def _inline(
    required: Mapping[str, Value] = _NOTHING,
    optional: Mapping[str, Value] = _NOTHING,
    holds: str | None = None,
    fragments: tuple[str, ...] = (),
) -> Node:
    return Node(required, optional, holds, fragments, bool(fragments), "inline")


# Parts that stand in the block of their kind only.
PARTS = (
    "list-item", "code-line", "image", "tabs-item", "stepper-step", "column", "update",
)  # fmt: skip
NODES: dict[str, Node] = {
    "paragraph": Node({}, {"align": _ALIGN}, INLINES),
    "heading-1": _HEADING,
    "heading-2": _HEADING,
    "heading-3": _HEADING,
    "list-ordered": Node({}, {"start": NUMBER}, "list-item"),
    "list-unordered": Node(holds="list-item"),
    "list-tasks": Node(holds="list-item"),
    "list-item": Node({}, {"checked": FLAG}, BLOCKS),
    "divider": Node(),
    "blockquote": Node(holds=BLOCKS),
    "hint": Node(
        {"style": one_of("info", "warning", "danger", "success")}, {"icon": TEXT}, BLOCKS
    ),
    "code": Node(
        {},
        {"syntax": TEXT, "title": TEXT, "overflow": TEXT, "lineNumbers": FLAG, "expandable": FLAG,
         **_WIDE},
        "code-line",
    ),
    "code-line": Node({}, {"highlighted": FLAG}, INLINES),
    "math": Node({"formula": TEXT}),
    "images": Node(
        {}, {"align": one_of("left", "center", "right"), "withFrame": FLAG, **_WIDE}, "image"
    ),
    "image": Node({"ref": REFERENCE}, _IMAGE, None, ("caption",), True),
    "drawing": Node({}, {"ref": REFERENCE, **_IMAGE}, None, ("caption",)),
    "file": Node({"ref": REFERENCE}, {}, None, ("caption",)),
    "embed": Node({"url": TEXT}, _WIDE, None, ("caption",)),
    "expandable": Node({}, {"open": FLAG}, None, ("expandable-title", "expandable-body"), True),
    "tabs": Node({}, _WIDE, "tabs-item"),
    "tabs-item": Node({}, _STEP, BLOCKS),
    "stepper": Node(holds="stepper-step"),
    "stepper-step": Node({}, _STEP, BLOCKS),
    "columns": Node({}, _WIDE, "column"),
    "column": Node(
        {}, {"width": LENGTH, "verticalAlignment": one_of("top", "middle", "bottom")}, BLOCKS
    ),
    "updates": Node({}, {"format": TEXT}, "update"),
    "update": Node({}, {"date": TEXT, "tags": list_of(TEXT)}, BLOCKS),
    "prompt": Node(
        {},
        {"description": TEXT, "icon": TEXT, "openInAIProviders": FLAG, "defaultExpanded": TEXT},
        BLOCKS,
    ),
    "table": Node(
        {"view": Value({"$ref": "#/$defs/TableView"}, "TableView"),
         "definition": map_of(Value({"$ref": "#/$defs/TableColumn"}, "TableColumn")),
         "records": map_of(Value({"$ref": "#/$defs/TableRecord"}, "TableRecord"))},
        _WIDE, None, ("table-cell",), True,
    ),
    "content-ref": Node({"ref": REFERENCE}),
    "reusable-content": Node({"ref": REFERENCE}),
    "integration": Node(
        {"integration": TEXT, "block": TEXT, "props": OBJECT}, {"url": TEXT, **_WIDE}
    ),
    "swagger": Node({"ref": REFERENCE}, {**_OPERATION, "expanded": FLAG, **_WIDE}),
    "openapi-operation": Node({"ref": REFERENCE}, _OPERATION),
    "openapi-schemas": Node({"ref": REFERENCE}, {"schemas": list_of(TEXT), "grouped": FLAG}),
    "openapi-webhook": Node({"ref": REFERENCE}, {"name": TEXT, "method": TEXT}),
    "if": Node({"expression": TEXT}, {}, BLOCKS),
    "markdown": Node({"source": TEXT}),
    "link": _inline({"ref": REFERENCE}, {"title": TEXT}, INLINES),
    "emoji": _inline({"code": TEXT}),
    "icon": _inline({"icon": TEXT}),
    "expression": _inline({"expression": TEXT}),
    "inline-math": _inline({"formula": TEXT}),
    "inline-image": _inline(
        {"ref": REFERENCE},
        {"refDark": REFERENCE, "alt": TEXT, "caption": TEXT, "size": one_of("original", "line")},
    ),
    "annotation": _inline({}, {"label": TEXT}, INLINES, ("annotation-body",)),
    "mention": _inline({"ref": REFERENCE}),
    "button": _inline(
        {"label": TEXT, "kind": one_of("primary", "secondary")},
        {"icon": TEXT, "ref": REFERENCE, "action": record({"action": TEXT}, {"query": TEXT})},
    ),
}  # fmt: skip
# Kept Markdown stands among inlines, too.
INLINE_MARKDOWN = _inline({"source": TEXT})
