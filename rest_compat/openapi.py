"""The OpenAPI 3.1 document, derived from the route table, the shapes and the inputs."""

import datetime as dt
import enum
import json
import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from strawberry.types.base import StrawberryList, StrawberryOptional
from strawberry.types.enum import StrawberryEnumDefinition

from resolvers.core.actors import EXPECTED_USER
from resolvers.core.inputs import Bounds
from resolvers.core.scalars import JsonObject, JsonValue, Url
from resolvers.core.transactions import HEADER
from rest_compat.endpoint import LINES_TYPE, plan_of
from rest_compat.preferences import APPLIED, IGNORED
from rest_compat.routes.all import ROUTES
from rest_compat.shape import Form, Json, Part, Shape, Variants
from rest_compat.table import Reply, Row
from rest_compat.values import kind_of
from schema.wiring import summary

VERSION = "0.1.0"
ERROR = {"$ref": "#/components/responses/Error"}


def openapi_document(routes: Iterable[Row]) -> Json:
    """The document for all rows; paths start with /v1."""
    components: dict[str, Json] = {}
    paths: dict[str, Json] = {}
    for row in routes:
        path = re.sub(r"{(\w+):\w+}", r"{\1}", row.path)
        paths.setdefault(f"/v1{path}", {})[row.method.lower()] = _operation(row, components)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Docstead",
            "version": VERSION,
            "description": "The REST interface of Docstead; the same graph as GraphQL.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "security": [{"bearer": []}],
        "paths": dict(sorted(paths.items())),
        "components": {
            "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}},
            "responses": {"Error": _error_response()},
            "schemas": dict(sorted(components.items())),
        },
    }


def openapi_text() -> str:
    """The document as indented JSON, as it is committed in rest_compat/openapi.json."""
    return json.dumps(openapi_document(ROUTES), indent=1, ensure_ascii=False) + "\n"


def _error_response() -> Json:
    detail = {
        "type": "object",
        "properties": {"path": {"type": "string"}, "message": {"type": "string"}},
        "required": ["path", "message"],
    }
    error = {
        "type": "object",
        "properties": {
            "code": {"type": "integer", "description": "Equals the HTTP status."},
            "message": {"type": "string"},
            "details": {"type": "array", "items": detail},
        },
        "required": ["code", "message"],
    }
    schema = {"type": "object", "properties": {"error": error}, "required": ["error"]}
    return {
        "description": "What went wrong.",
        "content": {"application/json": {"schema": schema}},
    }


def _header(name: str, description: str, **bounds: int) -> Json:
    schema = {"type": "string", **bounds}
    return {"name": name, "in": "header", "required": False,
            "description": description, "schema": schema}  # fmt: skip


IF_MATCH = _header(
    "If-Match", "ETag of the content that the caller knows; another one is a conflict (409)."
)
PREFER = _header(
    "Prefer",
    "`handling=strict` refuses members that the operation does not know (422); "
    "otherwise they are ignored and named in the header `Docstead-Ignored`.",
)
IDEMPOTENCY_KEY = _header(
    HEADER,
    "Carry the request out once: with the same key it gets the same answer again.",
    minLength=1,
    maxLength=255,
)
FOR_USER = _header(
    EXPECTED_USER,
    "Id of the user whom the request is for; with the credentials of another one it is a 412.",
)
IGNORED_HEADERS: Json = {
    IGNORED: {
        "description": "Members of the body that were ignored, by their paths.",
        "schema": {"type": "string"},
    },
    APPLIED: {
        "description": "The handling of such members that the request preferred.",
        "schema": {"type": "string"},
    },
}


def _operation(row: Row, components: dict[str, Json]) -> Json:
    plan = plan_of(row)
    text = summary(row.children or row.operation)
    operation: Json = {
        "operationId": row.operation_id,
        "tags": [row.tag],
        "summary": text,
        "parameters": [
            {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
            for name in re.findall(r"{(\w+)(?::\w+)?}", row.path)
        ],
    }
    if row.deprecated:
        operation["deprecated"] = True
    for name, (_, hint, _) in plan.query.items():
        schema = _query_schema(name, hint) | _bounds(plan.bounds.get(name))
        operation["parameters"].append(
            {"name": name, "in": "query", "required": name in plan.required, "schema": schema}
        )
    for name, hint in row.choices.items():
        operation["parameters"].append(
            {"name": name, "in": "query", "required": False, "schema": kind_of(hint).schema}
        )
    if row.if_match is not None:
        operation["parameters"].append(IF_MATCH)
    if not row.reads:
        operation["parameters"] += [IDEMPOTENCY_KEY, FOR_USER]
    if plan.body is not None:
        operation["parameters"].append(PREFER)
        types = ("application/json", "text/plain") if row.beacon else ("application/json",)
        operation["requestBody"] = {
            "required": not row.body_optional,
            "content": {type: {"schema": plan.body.schema} for type in types},
        }
    answers = _success(row, components)
    if plan.body is not None:
        for answer in answers.values():
            answer["headers"] = answer.get("headers", {}) | IGNORED_HEADERS
    operation["responses"] = {**answers, "default": ERROR}
    return operation


def _bounds(bounds: Bounds | None) -> Json:
    """The bounds of a text in a query."""
    if bounds is None:
        return {}
    keywords = {"minLength": bounds.minimum, "maxLength": bounds.maximum}
    return {name: value for name, value in keywords.items() if value is not None}


def _query_schema(name: str, hint: Any) -> Json:
    if name == "limit":
        return {"type": "integer", "minimum": 1, "maximum": 1000, "default": 50}
    schema = dict(kind_of(hint).schema)
    if isinstance(schema.get("type"), list):
        schema["type"] = schema["type"][0]
        schema.pop("enum", None)
        schema |= (
            {"enum": [v for v in kind_of(hint).schema["enum"] if v is not None]}
            if ("enum" in kind_of(hint).schema)
            else {}
        )
    elif "anyOf" in schema:
        schema = schema["anyOf"][0]
    return schema


def _success(row: Row, components: dict[str, Json]) -> Json:
    if row.reply is Reply.REMOVED:
        return {
            "204": {"description": "There was nothing to delete."},
            "205": {"description": "Deleted."},
        }
    if row.reply is Reply.NOTHING:
        return {str(row.status): {"description": "Done."}}
    assert row.answer is not None
    form: Form = row.answer({}) if callable(row.answer) else row.answer
    schema = item = _form(form, components)
    if row.reply is Reply.PAGE:
        schema = {
            "type": "object",
            "properties": {
                "items": {"type": "array", "items": schema},
                "count": {"type": "integer", "description": "Number of items over all pages."},
                "next": {
                    "type": "object",
                    "properties": {"page": {"type": "string"}},
                    "required": ["page"],
                },
            },
            "required": ["items", "count", *row.beside],
        }
        for name, (_, shape) in row.beside.items():
            schema["properties"][name] = _form(shape, components)
    if row.reply is Reply.ARRAY:
        schema = {"type": "array", "items": schema}
    answer: Json = {
        "description": "Success.",
        "content": {"application/json": {"schema": schema}},
    }
    if row.streams:
        answer["content"][LINES_TYPE] = {"schema": item}
    if row.location is not None:
        answer["headers"] = {
            "Location": {
                "description": "Address of the new object.",
                "schema": {"type": "string", "format": "uri"},
            }
        }
    statuses = [row.status] if row.created is None else [row.status, 201]
    return {str(status): answer for status in statuses}


def _form(form: Form, components: dict[str, Json]) -> Json:
    reference = {"$ref": f"#/components/schemas/{form.name}"}
    if form.name in components:
        return reference
    components[form.name] = {}
    if isinstance(form, Variants):
        components[form.name] = {
            "oneOf": [_form(shape, components) for shape in form.shapes.values()]
        }
        return reference
    properties: Json = {
        name: {"type": "string", "enum": [value]} if isinstance(value, str) else {"const": value}
        for name, value in form.constants.items()
    }
    required = list(form.constants)
    for part in form.parts:
        properties[part.name] = _part(part, components)
        if not part.optional:
            required.append(part.name)
    components[form.name] = {
        "type": "object",
        "description": form.type.__strawberry_definition__.description,
        "properties": properties,
        "required": required,
    }
    return reference


def _part(part: Part, components: dict[str, Json]) -> Json:
    description: Json = {"description": part.strawberry_field.description}
    if part.strawberry_field.deprecation_reason is not None and part.shape is not None:
        description["deprecated"] = True
    if part.reference:
        return {"type": "string", **description}
    type_ = part.strawberry_field.type
    nullable = isinstance(type_, StrawberryOptional)
    schema: Json
    if nullable:
        type_ = type_.of_type
    if part.untagged:
        schema = _untagged(part, components)
    elif part.shape is not None:
        inner = _form(part.shape(), components)
        listed = isinstance(type_, StrawberryList) or _is_connection(type_)
        if part.keyed is not None:
            return {**_map(part, part.keyed[1], components), **description}
        schema = {"type": "array", "items": inner} if listed else dict(inner)
    elif isinstance(type_, StrawberryList):
        item = type_.of_type
        item = item.of_type if isinstance(item, StrawberryOptional) else item
        schema = {"type": "array", "items": _scalar(item)}
    else:
        schema = _scalar(type_)
    if nullable and not part.optional:
        schema = {"anyOf": [schema, {"type": "null"}]}
    return {**schema, **description}


def _untagged(part: Part, components: dict[str, Json]) -> Json:
    """Any of the values that may stand for the object."""
    assert part.shape is not None
    form = part.shape()
    assert isinstance(form, Shape)
    values = [_part(replace(part, optional=True), components) for part in form.parts]
    return {"oneOf": values}


def _map(part: Part, value: str, components: dict[str, Json]) -> Json:
    """An object whose members have the schema of one member of the shape."""
    assert part.shape is not None
    form = part.shape()
    assert isinstance(form, Shape)
    (member,) = [part for part in form.parts if part.name == value]
    return {"type": "object", "additionalProperties": _part(member, components)}


def _is_connection(type_: Any) -> bool:
    return getattr(type_, "__name__", "").endswith("Connection")


def _scalar(type_: Any) -> Json:
    if isinstance(type_, StrawberryEnumDefinition):
        return {"type": "string", "enum": [value.value for value in type_.values]}
    if isinstance(type_, type) and issubclass(type_, enum.Enum):
        return {"type": "string", "enum": [member.value for member in type_]}
    schemas: dict[Any, Json] = {
        str: {"type": "string"},
        bool: {"type": "boolean"},
        int: {"type": "integer"},
        float: {"type": "number"},
        dt.datetime: {"type": "string", "format": "date-time"},
        Url: {"type": "string", "format": "uri"},
        JsonObject: {"type": "object"},
        JsonValue: {},
    }
    return dict(schemas.get(type_, {"type": "string"}))
