"""JSON documents as JSON Schema (draft 2020-12) and as TypeScript, from the table of nodes.

Members of data may be added within a version, so the data of nodes is open; nodes themselves are
not. A choice is made by `type` with if and then: alternatives of `anyOf` would be tried one inside
the other, which takes longer with every level of nesting.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

import orjson

from content.documents.heading_aliases import ALIAS_LENGTH, ALIASES_LIMIT
from content.documents.node_types import (
    BLOCKS,
    CELL,
    COLUMNS,
    FRAGMENTS,
    INLINE_MARKDOWN,
    INLINES,
    LENGTHS,
    MARKS,
    NODES,
    PARTS,
    RECORD,
    REFERENCES,
    TEXT,
    VIEWS,
    Node,
    Value,
    one_of,
    record,
)
from content.documents.nodes import SCHEMA_VERSION
from content.json_types import Json, JsonObject

_KEY = "[A-Za-z0-9_-]{1,64}"
_Choice = Mapping[str, tuple[Mapping[str, Value], Mapping[str, Value]]]
# What any block may have beside the members of its type: attributes that have no member.
_ATTRIBUTES = {"attributes": Value({"type": "object"}, "Record<string, unknown>")}
_CHOICES: dict[str, tuple[str, _Choice]] = {
    "ContentReference": ("kind", REFERENCES),
    "TableView": ("type", VIEWS),
    "TableColumn": (
        "type",
        {kind: ({"id": TEXT, "title": TEXT, **own}, more) for kind, (own, more) in COLUMNS.items()},
    ),
}  # fmt: skip
_VALUES = {"Length": LENGTHS, "TableCell": CELL, "TableRecord": RECORD}
_INLINE_MARKDOWN = "InlineMarkdown"


@cache
def json_schema_text() -> str:
    """The JSON Schema of documents of this `schemaVersion`."""
    document = _object(
        {
            "object": {"const": "document"},
            "data": {
                "type": "object",
                "properties": {"schemaVersion": {"const": SCHEMA_VERSION}, "style": _FREE},
                "required": ["schemaVersion"],
            },
            "nodes": _nodes(BLOCKS),
        },
        ("object", "data", "nodes"),
    )
    schema: JsonObject = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:docstead:document:{SCHEMA_VERSION}",
        "title": f"Docstead document, version {SCHEMA_VERSION}",
        **document,
        "$defs": dict(_definitions()),
    }
    return orjson.dumps(schema, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE).decode()


@cache
def typescript_text() -> str:
    """The TypeScript types of documents of this `schemaVersion`."""
    return "\n\n".join(_declarations()) + "\n"


def _named() -> dict[str, tuple[str, Node]]:
    """All nodes with their types, by the names of their definitions."""
    named = {_name(kind): (kind, node) for kind, node in NODES.items()}
    return {**named, _INLINE_MARKDOWN: ("markdown", INLINE_MARKDOWN)}


def _name(kind: str) -> str:
    return "".join(part.capitalize() for part in kind.split("-"))


def _members(group: str) -> list[str]:
    """The names of the blocks, or of the inlines without text, that stand anywhere."""
    object_name = "block" if group == BLOCKS else "inline"
    return [
        name
        for name, (kind, node) in _named().items()
        if node.object == object_name and kind not in PARTS
    ]


# --- JSON Schema ---------------------------------------------------------------------------------

_FREE: JsonObject = {"type": "object"}


def _ref(name: str) -> JsonObject:
    return {"$ref": f"#/$defs/{name}"}


def _nodes(name: str) -> JsonObject:
    return {"type": "array", "items": _ref(name)}


def _object(members: JsonObject, required: tuple[str, ...]) -> JsonObject:
    return {
        "type": "object",
        "properties": members,
        "required": list[Json](required),
        "additionalProperties": False,
    }


def _chosen(member: str, schemas: Mapping[str, JsonObject]) -> JsonObject:
    """The schema that a member names."""
    return {
        "type": "object",
        "properties": {member: {"enum": list[Json](schemas)}},
        "required": [member],
        "allOf": [
            {
                "if": {"properties": {member: {"const": name}}, "required": [member]},
                "then": schema,
            }
            for name, schema in schemas.items()
        ],
    }


def _definitions() -> Iterator[tuple[str, JsonObject]]:
    named = _named()
    yield BLOCKS, _chosen("type", {named[name][0]: _ref(name) for name in _members(BLOCKS)})
    inlines = {named[name][0]: _ref(name) for name in _members(INLINES)}
    is_text: JsonObject = {"properties": {"object": {"const": "text"}}, "required": ["object"]}
    yield INLINES, {"if": is_text, "then": _ref("Text"), "else": _chosen("type", inlines)}
    for name, (kind, node) in named.items():
        yield name, _node_schema(kind, node)
    for kind in FRAGMENTS:
        yield _fragment(kind), _fragment_schema(kind)
    yield (
        "Text",
        _object(
            {"object": {"const": "text"}, "key": _ref("Key"), "leaves": _nodes("Leaf")},
            ("object", "leaves"),
        ),
    )
    leaf: JsonObject = {
        "object": {"const": "leaf"},
        "text": {"type": "string"},
        "marks": {**_nodes("Mark"), "maxItems": 20},
    }
    yield "Leaf", _object(leaf, ("object", "text", "marks"))
    yield "Mark", _chosen("type", {kind: _mark_schema(data) for kind, data in MARKS.items()})
    yield "Key", {"type": "string", "pattern": f"^{_KEY}$"}
    for name, (member, choice) in _CHOICES.items():
        schemas = {variant: record(own, more).schema for variant, (own, more) in choice.items()}
        yield name, _chosen(member, schemas)
    for name, value in _VALUES.items():
        yield name, value.schema


def _mark_schema(data: Mapping[str, Value]) -> JsonObject:
    required = ("object", "type", "data") if data else ("object", "type")
    members: JsonObject = {"object": {"const": "mark"}, "type": {"type": "string"}}
    return _object({**members, "data": record(data).schema}, required)


def _node_schema(kind: str, node: Node) -> JsonObject:
    members: JsonObject = {
        "object": {"const": node.object},
        "type": {"const": kind},
        "isVoid": {"const": node.holds is None},
        "key": _ref("Key"),
        "data": record(node.required, {**node.optional, **_ATTRIBUTES}).schema,
        "meta": _FREE,
        "style": _FREE,
    }
    required = ["object", "type", "isVoid", "data"]
    if node.object == "block":
        alias: JsonObject = {"type": "string", "minLength": 1, "maxLength": ALIAS_LENGTH}
        members["aliases"] = {"type": "array", "items": alias, "maxItems": ALIASES_LIMIT}
    if node.holds is not None:
        holds = node.holds if node.holds in (BLOCKS, INLINES) else _name(node.holds)
        members["nodes"] = _nodes(holds)
        required.append("nodes")
    if node.fragments:
        kinds = {kind: _ref(_fragment(kind)) for kind in node.fragments}
        members["fragments"] = {"type": "array", "items": _chosen("type", kinds)}
        if node.needs_fragments:
            required.append("fragments")
    return _object(members, tuple(required))


def _fragment(kind: str) -> str:
    return f"{_name(kind)}Fragment"


def _fragment_schema(kind: str) -> JsonObject:
    return _object(
        {
            "object": {"const": "fragment"},
            "type": {"const": kind},
            "fragment": {"type": "string", "maxLength": 100},
            "key": _ref("Key"),
            "nodes": _nodes(BLOCKS),
        },
        ("object", "type", "fragment", "nodes"),
    )


# --- TypeScript ----------------------------------------------------------------------------------


def _declarations() -> Iterator[str]:
    yield f"// Docstead documents, version {SCHEMA_VERSION}."
    yield (
        'export interface Document {\n  object: "document";\n'
        f"  data: {{ schemaVersion: {SCHEMA_VERSION}; style?: Record<string, unknown> }};\n"
        "  nodes: Array<Block>;\n}"
    )
    named = _named()
    yield _union(BLOCKS, _members(BLOCKS))
    yield _union(INLINES, ["Text", *_members(INLINES)])
    parts = [name for name, (kind, _) in named.items() if kind in PARTS]
    fragments = [_fragment(kind) for kind in FRAGMENTS]
    yield _union("Fragment", fragments)
    yield "/** Everything that stands in a document. */\n" + _union(
        "Node", [BLOCKS, INLINES, "Fragment", *parts]
    )
    for name, (kind, node) in named.items():
        yield _interface(name, kind, node)
    for kind in FRAGMENTS:
        yield (
            f'export interface {_fragment(kind)} {{\n  object: "fragment";\n  type: "{kind}";\n'
            "  fragment: string;\n  key?: string;\n  nodes: Array<Block>;\n}"
        )
    yield 'export interface Text {\n  object: "text";\n  key?: string;\n  leaves: Array<Leaf>;\n}'
    yield ('export interface Leaf {\n  object: "leaf";\n  text: string;\n  marks: Array<Mark>;\n}')
    yield _union("Mark", [_mark(kind, data) for kind, data in MARKS.items()])
    for name, (member, choice) in _CHOICES.items():
        yield _union(
            name,
            [
                record({member: one_of(variant), **own}, more).typescript
                for variant, (own, more) in choice.items()
            ],
        )
    for name, value in _VALUES.items():
        yield f"export type {name} = {value.typescript};"


def _union(name: str, members: list[str]) -> str:
    return f"export type {name} =\n  | " + "\n  | ".join(members) + ";"


def _mark(kind: str, data: Mapping[str, Value]) -> str:
    data_member = f"data: {record(data).typescript}" if data else "data?: {}"
    return f'{{ object: "mark"; type: "{kind}"; {data_member} }}'


def _interface(name: str, kind: str, node: Node) -> str:
    lines = [
        f'object: "{node.object}"',
        f'type: "{kind}"',
        f"isVoid: {'true' if node.holds is None else 'false'}",
        "key?: string",
        "meta?: Record<string, unknown>",
        "style?: Record<string, unknown>",
    ]
    if node.object == "block":
        lines.append("aliases?: Array<string>")
    data = record(node.required, {**node.optional, **_ATTRIBUTES})
    lines.append(f"data: {data.typescript}")
    if node.holds is not None:
        holds = node.holds if node.holds in (BLOCKS, INLINES) else _name(node.holds)
        lines.append(f"nodes: Array<{holds}>")
    if node.fragments:
        needed = "" if node.needs_fragments else "?"
        kinds = " | ".join(map(_fragment, node.fragments))
        lines.append(f"fragments{needed}: Array<{kinds}>")
    return f"export interface {name} {{\n  " + ";\n  ".join(lines) + ";\n}"
