"""What stands where in a specification: the kinds of its objects, and which fields hold which.

Only what this table leads to is looked at for references, converted, or shown: `$ref` in an example
is an example.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final
from urllib.parse import unquote

JsonObject = dict[str, Any]
METHODS: Final = ("get", "put", "post", "delete", "options", "head", "patch", "trace")

# Kind -> field -> kind of its value; `{}` before a kind is an object of such by name, `[]` a list
# of such. The field "*" stands for every field.
_SCHEMA: Final = {
    **dict.fromkeys(
        ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas"), "{}schema"
    ),
    **dict.fromkeys(("allOf", "anyOf", "oneOf", "prefixItems"), "[]schema"),
    **dict.fromkeys(
        ("items", "not", "additionalProperties", "if", "then", "else", "contains",
         "propertyNames", "unevaluatedItems", "unevaluatedProperties", "contentSchema"),
        "schema",
    ),
}  # fmt: skip
_PARAMETER: Final = {"schema": "schema", "content": "{}mediaType", "examples": "{}example"}
OPENAPI: Final[Mapping[str, Mapping[str, str]]] = {
    "document": {
        "paths": "{}pathItem", "webhooks": "{}pathItem", "components": "components",
    },
    "components": {
        "schemas": "{}schema", "responses": "{}response", "parameters": "{}parameter",
        "examples": "{}example", "requestBodies": "{}requestBody", "headers": "{}header",
        "securitySchemes": "{}securityScheme", "links": "{}link", "callbacks": "{}callback",
        "pathItems": "{}pathItem",
    },
    "pathItem": {**dict.fromkeys(METHODS, "operation"), "parameters": "[]parameter"},
    "operation": {
        "parameters": "[]parameter", "requestBody": "requestBody", "responses": "{}response",
        "callbacks": "{}callback",
    },
    "parameter": _PARAMETER,
    "header": _PARAMETER,
    "requestBody": {"content": "{}mediaType"},
    "response": {"headers": "{}header", "content": "{}mediaType", "links": "{}link"},
    "mediaType": {"schema": "schema", "examples": "{}example", "encoding": "{}encoding"},
    "encoding": {"headers": "{}header"},
    "callback": {"*": "pathItem"},
    "schema": _SCHEMA,
}  # fmt: skip
SWAGGER: Final[Mapping[str, Mapping[str, str]]] = {
    "document": {
        "paths": "{}pathItem", "definitions": "{}schema", "parameters": "{}parameter",
        "responses": "{}response",
    },
    "pathItem": {**dict.fromkeys(METHODS, "operation"), "parameters": "[]parameter"},
    "operation": {"parameters": "[]parameter", "responses": "{}response"},
    "parameter": {"schema": "schema"},
    "response": {"schema": "schema"},
    "schema": _SCHEMA,
}  # fmt: skip
# Where what a reference leads to can be kept, by its kind.
OPENAPI_PLACES: Final[Mapping[str, tuple[str, ...]]] = {
    kind.removeprefix("{}"): ("components", field)
    for field, kind in OPENAPI["components"].items()
    if field != "pathItems"
}
SWAGGER_PLACES: Final[Mapping[str, tuple[str, ...]]] = {
    "schema": ("definitions",), "parameter": ("parameters",), "response": ("responses",),
}  # fmt: skip


def parts_of(
    kinds: Mapping[str, Mapping[str, str]], kind: str, node: JsonObject
) -> Iterator[tuple[Any, Any, str]]:
    """What an object of a kind holds that has a kind: where (container and key) and which.

    Values that are no objects, such as a schema that is `true`, are left out.
    """
    fields = kinds.get(kind, {})
    if "*" in fields:
        for key, value in node.items():
            if isinstance(value, dict) and not key.startswith("x-"):
                yield node, key, fields["*"]
        return
    for field, of in fields.items():
        value = node.get(field)
        if of.startswith("{}"):
            if isinstance(value, dict):
                own = of == "{}schema" or field not in ("paths", "responses")
                for key, part in value.items():
                    if isinstance(part, dict) and (own or not key.startswith("x-")):
                        yield value, key, of[2:]
        elif of.startswith("[]") or isinstance(value, list):
            for index, part in enumerate(value if isinstance(value, list) else ()):
                if isinstance(part, dict):
                    yield value, index, of.removeprefix("[]")
        elif isinstance(value, dict):
            yield node, field, of


def local_target(root: JsonObject, reference: str) -> Any:
    """What a reference within a file (`#/…`) leads to; LookupError when there is nothing."""
    if reference in ("#", ""):
        return root
    if not reference.startswith("#/"):
        raise LookupError(reference)
    value: Any = root
    for step in reference[2:].split("/"):
        name = unquote(step).replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict):
            value = value[name]
        elif isinstance(value, list) and name.isascii() and name.isdecimal():
            value = value[int(name[:9])]
        else:
            raise LookupError(reference)
    return value
