"""Brings specifications of older formats to OpenAPI 3.1, in which all are stored and shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from content.openapi.structure import METHODS, OPENAPI, JsonObject, parts_of
from content.openapi.validation import OPENAPI_3_0, SWAGGER_2

VERSION = "3.1.0"
_JSON = "application/json"
_FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")
# What describes a value in Swagger's parameters and headers, and belongs into a schema.
_OF_SCHEMA = (
    "type", "format", "items", "default", "maximum", "exclusiveMaximum", "minimum",
    "exclusiveMinimum", "maxLength", "minLength", "pattern", "maxItems", "minItems", "uniqueItems",
    "enum", "multipleOf",
)  # fmt: skip
# How lists are written in a parameter: style and explode.
_COLLECTIONS = {
    "ssv": ("spaceDelimited", False), "pipes": ("pipeDelimited", False), "multi": ("form", True),
}  # fmt: skip


def upgraded(root: JsonObject, format: str) -> JsonObject:
    """A valid specification of one file as OpenAPI 3.1; `root` is changed on the way."""
    if format == SWAGGER_2:
        root = _Swagger(root).converted()
    if format in (SWAGGER_2, OPENAPI_3_0):
        _each_schema(root, _upgrade_schema)
        root["openapi"] = VERSION
    return root


def _each_schema(root: JsonObject, change: Callable[[JsonObject], None]) -> None:
    waiting: list[tuple[JsonObject, str]] = [(root, "document")]
    while waiting:
        node, kind = waiting.pop()
        if kind == "schema":
            change(node)
        waiting.extend((held[key], part) for held, key, part in parts_of(OPENAPI, kind, node))


def _upgrade_schema(schema: JsonObject) -> None:
    """JSON Schema as OpenAPI 3.0 writes it, as version 2020-12."""
    if "$ref" in schema:
        # What stands beside a reference had no meaning.
        reference = schema["$ref"]
        if isinstance(reference, str):
            schema.clear()
            schema["$ref"] = reference
            return
    for exclusive, inclusive in (
        ("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum"),
    ):  # fmt: skip
        if schema.get(exclusive) is True and inclusive in schema:
            schema[exclusive] = schema.pop(inclusive)
        elif isinstance(schema.get(exclusive), bool):
            del schema[exclusive]
    if schema.pop("nullable", False) is True or schema.pop("x-nullable", False) is True:
        _make_nullable(schema)
    if schema.get("type") == "file":
        schema |= {"type": "string", "format": "binary"}
    if "example" in schema and "examples" not in schema:
        schema["examples"] = [schema.pop("example")]
    discriminator = schema.get("discriminator")
    if isinstance(discriminator, str):
        schema["discriminator"] = {"propertyName": discriminator}


def _make_nullable(schema: JsonObject) -> None:
    kind = schema.get("type")
    if isinstance(kind, str):
        schema["type"] = [kind, "null"]
        if isinstance(schema.get("enum"), list) and None not in schema["enum"]:
            schema["enum"] = [*schema["enum"], None]
        return
    for name in ("anyOf", "oneOf"):
        if isinstance(schema.get(name), list):
            schema[name] = [*schema[name], {"type": "null"}]
            return
    if isinstance(schema.get("allOf"), list):
        schema["anyOf"] = [{"allOf": schema.pop("allOf")}, {"type": "null"}]


class _Swagger:
    """A specification in Swagger 2.0."""

    def __init__(self, root: JsonObject) -> None:
        self.root = root
        self.consumes, self.produces = _types(root, "consumes"), _types(root, "produces")
        shared = root.get("parameters")
        self.parameters: JsonObject = shared if isinstance(shared, dict) else {}

    def converted(self) -> JsonObject:
        root = self.root
        carried_over = ("info", "tags", "externalDocs", "security")
        result: JsonObject = {"openapi": VERSION}
        result |= {name: root[name] for name in carried_over if name in root}
        result |= {name: value for name, value in root.items() if name.startswith("x-")}
        if servers := self._servers(root.get("schemes")):
            result["servers"] = servers
        result["paths"] = {
            path: self._path_item(item) if path.startswith("/") else item
            for path, item in root.get("paths", {}).items()
        }
        components: JsonObject = {"schemas": root.get("definitions", {})}
        plain = {
            name: parameter
            for name, parameter in self.parameters.items()
            if parameter.get("in") not in ("body", "formData")
        }
        components["parameters"] = {name: _parameter(item) for name, item in plain.items()}
        components["responses"] = {
            name: self._response(item, self.produces)
            for name, item in root.get("responses", {}).items()
        }
        components["securitySchemes"] = {
            name: _security_scheme(item)
            for name, item in root.get("securityDefinitions", {}).items()
        }
        result["components"] = {name: value for name, value in components.items() if value}
        _rewrite_references(result)
        return result

    def _servers(self, schemes: Any) -> list[JsonObject]:
        host, base = self.root.get("host"), str(self.root.get("basePath", "")).rstrip("/")
        if not host:
            return [{"url": base}] if base else []
        names = schemes if isinstance(schemes, list) and schemes else ["https"]
        return [{"url": f"{scheme}://{host}{base}"} for scheme in names]

    def _path_item(self, item: JsonObject) -> JsonObject:
        result = {
            name: value
            for name, value in item.items()
            if name not in METHODS and name != "parameters"
        }
        shared = item.get("parameters", [])
        plain = [part for part in shared if not self._is_body(part)]
        if plain:
            result["parameters"] = [_parameter(part) for part in plain]
        bodies = [part for part in shared if self._is_body(part)]
        for method in METHODS:
            if isinstance(item.get(method), dict):
                result[method] = self._operation(item[method], bodies)
        return result

    def _resolved(self, parameter: JsonObject) -> JsonObject:
        reference = parameter.get("$ref")
        if not isinstance(reference, str):
            return parameter
        shared = self.parameters.get(reference.rsplit("/", 1)[-1])
        return shared if isinstance(shared, dict) else {}

    def _is_body(self, parameter: JsonObject) -> bool:
        return self._resolved(parameter).get("in") in ("body", "formData")

    def _operation(self, operation: JsonObject, shared: list[JsonObject]) -> JsonObject:
        gone = ("parameters", "consumes", "produces", "responses", "schemes")
        result = {name: value for name, value in operation.items() if name not in gone}
        own = operation.get("parameters", [])
        plain = [_parameter(part) for part in own if not self._is_body(part)]
        if plain:
            result["parameters"] = plain
        bodies = [self._resolved(part) for part in [*own, *shared] if self._is_body(part)]
        consumes = _types(operation, "consumes") or self.consumes
        if body := _body(bodies, consumes):
            result["requestBody"] = body
        produces = _types(operation, "produces") or self.produces
        result["responses"] = {
            status: self._response(response, produces)
            for status, response in operation.get("responses", {}).items()
        }
        if "schemes" in operation and (servers := self._servers(operation["schemes"])):
            result["servers"] = servers
        return result

    def _response(self, response: Any, produces: list[str]) -> Any:
        if not isinstance(response, dict) or "$ref" in response:
            return response
        result = {
            name: value
            for name, value in response.items()
            if name not in ("schema", "examples", "headers")
        }
        examples = response.get("examples")
        examples = examples if isinstance(examples, dict) else {}
        if "schema" in response or examples:
            types = list(dict.fromkeys([*(produces or [_JSON]), *examples]))
            result["content"] = {}
            for type in types:
                content: JsonObject = {}
                if "schema" in response:
                    content["schema"] = _copied(response["schema"])
                if type in examples:
                    content["example"] = examples[type]
                result["content"][type] = content
        if isinstance(response.get("headers"), dict):
            result["headers"] = {
                name: _with_schema(header) for name, header in response["headers"].items()
            }
        return result


def _types(holder: JsonObject, name: str) -> list[str]:
    value = holder.get(name)
    return [type for type in value if isinstance(type, str)] if isinstance(value, list) else []


def _copied(value: Any) -> Any:
    """A copy: what stands in several places is converted in each."""
    if isinstance(value, dict):
        return {key: _copied(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_copied(part) for part in value]
    return value


def _with_schema(described: JsonObject) -> JsonObject:
    """A parameter or header whose type stands in a schema of its own."""
    rest = {name: value for name, value in described.items() if name not in _OF_SCHEMA}
    schema = {name: _copied(described[name]) for name in _OF_SCHEMA if name in described}
    rest.pop("collectionFormat", None)
    return {**rest, "schema": schema}


def _parameter(parameter: JsonObject) -> JsonObject:
    if "$ref" in parameter:
        return parameter
    result = _with_schema(parameter)
    if parameter.get("in") != "query":
        result.pop("allowEmptyValue", None)
    if parameter.get("type") == "array":
        if parameter.get("in") == "query":
            style, explode = _COLLECTIONS.get(
                str(parameter.get("collectionFormat", "csv")), ("form", False)
            )
            result |= {"style": style, "explode": explode}
        else:
            result["style"] = "simple"
    return result


def _body(parameters: list[JsonObject], consumes: list[str]) -> JsonObject | None:
    """The body of a request, of a parameter `body` or of fields of a form."""
    for parameter in parameters:
        if parameter.get("in") == "body":
            schema = parameter.get("schema", {})
            body: JsonObject = {
                "content": {type: {"schema": _copied(schema)} for type in consumes or [_JSON]}
            }
            for name in ("description", "required"):
                if name in parameter:
                    body[name] = parameter[name]
            return body
    fields = [parameter for parameter in parameters if parameter.get("in") == "formData"]
    if not fields:
        return None
    files = any(parameter.get("type") == "file" for parameter in fields)
    types = [type for type in consumes if type in _FORMS] or [_FORMS[1] if files else _FORMS[0]]
    properties: JsonObject = {}
    for parameter in fields:
        described = _with_schema(parameter)
        properties[str(parameter.get("name"))] = described["schema"] | {
            name: described[name] for name in ("description",) if name in described
        }
    form: JsonObject = {"type": "object", "properties": properties}
    required = [str(part.get("name")) for part in fields if part.get("required") is True]
    if required:
        form["required"] = required
    body = {"content": {type: {"schema": _copied(form)} for type in types}}
    return {**body, "required": True} if required else body


def _security_scheme(scheme: JsonObject) -> JsonObject:
    kind = scheme.get("type")
    if kind == "basic":
        rest = {name: value for name, value in scheme.items() if name != "type"}
        return {**rest, "type": "http", "scheme": "basic"}
    if kind != "oauth2":
        return scheme
    names = {
        "implicit": "implicit", "password": "password", "application": "clientCredentials",
        "accessCode": "authorizationCode",
    }  # fmt: skip
    inner = ("authorizationUrl", "tokenUrl", "scopes")
    flow = {name: scheme[name] for name in inner if name in scheme}
    rest = {name: value for name, value in scheme.items() if name not in (*inner, "flow")}
    flow.setdefault("scopes", {})
    return {**rest, "flows": {names.get(str(scheme.get("flow")), "implicit"): flow}}


_MOVED = {
    "#/definitions/": "#/components/schemas/", "#/parameters/": "#/components/parameters/",
    "#/responses/": "#/components/responses/",
}  # fmt: skip


def _rewrite_references(root: JsonObject) -> None:
    """References to where things stood say where they stand."""
    waiting: list[tuple[JsonObject, str]] = [(root, "document")]
    while waiting:
        node, kind = waiting.pop()
        for container, key, part_kind in parts_of(OPENAPI, kind, node):
            part = container[key]
            reference = part.get("$ref")
            if isinstance(reference, str):
                for old, new in _MOVED.items():
                    if reference.startswith(old):
                        part["$ref"] = new + reference.removeprefix(old)
            waiting.append((part, part_kind))
