"""Schemas of visitor claims: the small part of JSON Schema that says what a site knows of visitors.

A claim is true or false, text, text that is one of a few (`enum`), a number, an array of one of
those, or an object of claims. Every claim has a description.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import orjson

from content.errors import ContentError

DRAFT = "http://json-schema.org/draft-07/schema#"
UNSIGNED = "unsigned"
UNSIGNED_DESCRIPTION = "Unsigned claims of the site visitor."

MAX_BYTES = 100_000
# Claims of the whole schema, those in objects included, and objects in each other.
MAX_CLAIMS = 500
MAX_DEPTH = 8
MAX_NAME = 64
MAX_DESCRIPTION = 1024
MAX_CHOICES = 500
MAX_CHOICE = 256

Json = Mapping[str, Any]
_PLAIN_NAME = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*")
_TYPES = ("boolean", "string", "number", "array", "object")
# What a claim of each type has beside `type` and `description`; only `enum` may be absent.
_MEMBERS: dict[str, tuple[str, ...]] = {
    "boolean": (),
    "string": ("enum",),
    "number": (),
    "array": ("items",),
    "object": ("properties", "additionalProperties"),
}


class ClaimsSchemaError(ContentError):
    """A schema that is not one of visitor claims; `path` is the place of its first violation."""

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(f"{path}: {problem}")
        self.path = path
        self.problem = problem


def check_claims_schema(schema: object, where: str = "jsonSchema") -> None:
    """Raise ClaimsSchemaError for the first thing that a schema of claims must not have.

    `where` is what the schema is called; paths such as `jsonSchema.properties.plan.enum[2]` begin
    with it.
    """
    root = _object(schema, where)
    _only(root, ("$schema", "type", "properties", "additionalProperties"), where)
    if "$schema" in root and root["$schema"] != DRAFT:
        raise ClaimsSchemaError(f"{where}.$schema", f"must be {DRAFT!r} or absent")
    _type(root, ("object",), where)
    counter = _Counter()
    for name, claim, path in _properties(root, where):
        if name == UNSIGNED:
            _check_unsigned(claim, path, counter)
        else:
            _check_claim(claim, path, 1, counter)
    _closed(root, where)
    if len(orjson.dumps(schema)) > MAX_BYTES:
        raise ClaimsSchemaError(where, f"has more than {MAX_BYTES} bytes as JSON")


def member_path(path: str, name: str) -> str:
    """The path of a member as one writes it in an expression: `a.b`, or `a["b c"]`."""
    if _PLAIN_NAME.fullmatch(name):
        return f"{path}.{name}"
    return f"{path}[{orjson.dumps(name).decode()}]"


class _Counter:
    """Claims that were seen."""

    def __init__(self) -> None:
        self.claims = 0

    def add(self, path: str) -> None:
        self.claims += 1
        if self.claims > MAX_CLAIMS:
            raise ClaimsSchemaError(path, f"a schema has at most {MAX_CLAIMS} claims")


def _check_unsigned(claim: object, path: str, counter: _Counter) -> None:
    members = _object(claim, path)
    _type(members, ("object",), path)
    if members.get("description") != UNSIGNED_DESCRIPTION:
        raise ClaimsSchemaError(f"{path}.description", f"must be {UNSIGNED_DESCRIPTION!r}")
    _check_claim(members, path, 1, counter)


def _check_claim(claim: object, path: str, depth: int, counter: _Counter) -> None:
    counter.add(path)
    members = _object(claim, path)
    kind = _type(members, _TYPES, path)
    _only(members, ("type", "description", *_MEMBERS[kind]), path)
    _description(members, path)
    if kind == "array":
        _check_items(members, path)
    elif kind == "object":
        if depth == MAX_DEPTH:
            raise ClaimsSchemaError(path, f"claims are nested at most {MAX_DEPTH} deep")
        for _, inner, below in _properties(members, path):
            _check_claim(inner, below, depth + 1, counter)
        _closed(members, path)
    elif "enum" in members:
        _check_choices(members["enum"], f"{path}.enum")


def _check_items(array: Json, path: str) -> None:
    if "items" not in array:
        raise ClaimsSchemaError(f"{path}.items", "is required")
    where = f"{path}.items"
    items = _object(array["items"], where)
    kind = _type(items, _TYPES[:3], where)
    _only(items, ("type", "description", *_MEMBERS[kind]), where)
    _description(items, where)
    if "enum" in items:
        _check_choices(items["enum"], f"{where}.enum")


def _check_choices(choices: object, path: str) -> None:
    if not isinstance(choices, list):
        raise ClaimsSchemaError(path, "must be an array of strings")
    if len(choices) > MAX_CHOICES:
        raise ClaimsSchemaError(path, f"has {len(choices)} values; at most {MAX_CHOICES}")
    for index, choice in enumerate(choices):
        if not isinstance(choice, str) or len(choice) > MAX_CHOICE:
            raise ClaimsSchemaError(
                f"{path}[{index}]", f"must be a string of at most {MAX_CHOICE} characters"
            )


def _object(value: object, path: str) -> Json:
    if not isinstance(value, dict):
        raise ClaimsSchemaError(path, "must be an object")
    return value


def _only(members: Json, names: tuple[str, ...], path: str) -> None:
    for name in members:
        if name not in names:
            allowed = ", ".join(names)
            raise ClaimsSchemaError(member_path(path, name), f"is not allowed; there are {allowed}")


def _type(members: Json, allowed: tuple[str, ...], path: str) -> str:
    kind = members.get("type")
    if not isinstance(kind, str) or kind not in allowed:
        named = " or ".join(map(repr, allowed))
        raise ClaimsSchemaError(f"{path}.type", f"must be {named}")
    return kind


def _description(members: Json, path: str) -> None:
    text = members.get("description")
    if not isinstance(text, str) or len(text) > MAX_DESCRIPTION:
        raise ClaimsSchemaError(
            f"{path}.description",
            f"must say what the claim is, as text of at most {MAX_DESCRIPTION} characters",
        )


def _properties(members: Json, path: str) -> Iterator[tuple[str, object, str]]:
    """The claims in an object with their paths."""
    where = f"{path}.properties"
    if "properties" not in members:
        raise ClaimsSchemaError(where, "is required")
    for name, claim in _object(members["properties"], where).items():
        if not (1 <= len(name) <= MAX_NAME and name.isprintable()):
            raise ClaimsSchemaError(
                where, f"the name {name[:100]!r} must be 1 to {MAX_NAME} printable characters"
            )
        yield name, claim, member_path(where, name)


def _closed(members: Json, path: str) -> None:
    if members.get("additionalProperties") is not False:
        raise ClaimsSchemaError(f"{path}.additionalProperties", "must be false")
