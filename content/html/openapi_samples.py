"""Examples of values of schemas, and of the requests of operations."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import quote, urlencode

import orjson

from content.html.openapi_schemas import JsonObject, Reference, members, objects, text

# Levels and values of an example that is made of a schema.
MOST_LEVELS, MOST_VALUES = 6, 200
_FORMATS = {
    "date": "2026-01-31", "date-time": "2026-01-31T08:00:00Z", "uuid":
    "123e4567-e89b-12d3-a456-426614174000", "email": "name@example.com", "uri":
    "https://example.com", "ipv4": "192.0.2.1", "hostname": "example.com", "binary": "",
}  # fmt: skip
MULTIPART, URL_ENCODED = "multipart/form-data", "application/x-www-form-urlencoded"
FORMS = (MULTIPART, URL_ENCODED)
_VARIABLE = re.compile(r"\{([^{}]*)\}")


class _Examples:
    """Makes an example of a schema; `left` values may still be made."""

    def __init__(self, reference: Reference) -> None:
        self._reference, self._left = reference, MOST_VALUES
        # References of the schemas that are being made.
        self._inside: list[str] = []

    def of(self, schema: Any, level: int = 0) -> Any:
        """An example of a schema; None where there is none, or the schema stands in itself."""
        reference = text(schema, "$ref")
        if reference in self._inside:
            return None
        if not reference:
            return self._made(schema, level)
        self._inside.append(reference)
        try:
            return self._made(schema, level)
        finally:
            self._inside.pop()

    def _made(self, schema: Any, level: int) -> Any:
        own = self._reference.resolved(schema)
        self._left -= 1
        for name in ("example", "default", "const"):
            if name in own:
                return own[name]
        for name in ("examples", "enum"):
            if isinstance(own.get(name), list) and own[name]:
                return own[name][0]
        if level >= MOST_LEVELS or self._left <= 0:
            return None
        for name in ("oneOf", "anyOf"):
            if choices := objects(own.get(name)):
                return self.of(choices[0], level + 1)
        whole = objects(own.get("allOf"))
        if whole:
            parts = [self.of(part, level + 1) for part in whole]
            merged: JsonObject = {}
            for part in parts:
                if isinstance(part, dict):
                    merged |= part
            return merged or parts[0]
        kind = own.get("type")
        kinds = [name for name in (kind if isinstance(kind, list) else [kind]) if name != "null"]
        kind = kinds[0] if kinds else None
        if kind == "object" or "properties" in own:
            shown: JsonObject = {}
            for name, part in members(own.get("properties")):
                if self._left <= 0:
                    break
                if isinstance(part, dict) and part.get("readOnly") is not True:
                    value = self.of(part, level + 1)
                    if value is not None:
                        shown[name] = value
            return shown
        if kind == "array":
            item = self.of(own.get("items"), level + 1)
            return [] if item is None else [item]
        if kind == "string":
            return _FORMATS.get(text(own, "format"), "text")
        return {"integer": 1, "number": 1.5, "boolean": True}.get(str(kind))


def example_of(reference: Reference, content: JsonObject) -> Any:
    """The example of a body: its own, that of its schema, or one that is made of it."""
    examples = examples_of(reference, content)
    return examples[0][1] if examples else None


def examples_of(reference: Reference, content: JsonObject) -> list[tuple[str, Any]]:
    """Examples of a body with their titles: its own, else one without a title, of its schema."""
    if "example" in content:
        return [("", content["example"])]
    resolved = [(name, reference.resolved(e)) for name, e in members(content.get("examples"))]
    own = [(text(e, "summary") or name, e["value"]) for name, e in resolved if "value" in e]
    if own:
        return [("", own[0][1])] if len(own) == 1 else own
    value = _Examples(reference).of(content.get("schema"))
    return [] if value is None else [("", value)]


def example_text(value: Any) -> tuple[str, str]:
    """An example as text, and its language."""
    if isinstance(value, str):
        return value, "plain"
    try:
        return orjson.dumps(value, option=orjson.OPT_INDENT_2).decode(), "json"
    except (TypeError, ValueError):
        return "", "plain"


def base_url(extract: JsonObject) -> str:
    """The address of the first server, variables at their defaults."""
    servers = objects(extract.get("servers"))
    if not servers:
        return "https://api.example.com"
    variables = servers[0].get("variables")

    def value(match: re.Match[str]) -> str:
        variable = variables.get(match[1]) if isinstance(variables, dict) else None
        return text(variable, "default") or match[0]

    return _VARIABLE.sub(value, text(servers[0], "url")).rstrip("/")


def security_values(extract: JsonObject) -> tuple[dict[str, str], dict[str, str]]:
    """Headers and parameters of the query that sign a request: those of the first way to."""
    headers: dict[str, str] = {}
    query: dict[str, str] = {}
    schemes = extract.get("securitySchemes")
    requirements = objects(extract.get("security"))
    names = list(requirements[0]) if requirements else []
    for name in names:
        scheme = schemes.get(name) if isinstance(schemes, dict) else None
        if not isinstance(scheme, dict):
            continue
        kind, token = text(scheme, "type"), text(scheme, "x-gitbook-token-placeholder")
        prefix = text(scheme, "x-gitbook-prefix")
        if kind == "apiKey":
            value = f"{prefix} {token or 'YOUR_API_KEY'}".strip()
            place = {"query": query, "header": headers}.get(text(scheme, "in"))
            if place is not None:
                place[text(scheme, "name")] = value
        elif kind == "http" and text(scheme, "scheme").lower() == "basic":
            headers["Authorization"] = f"{prefix or 'Basic'} {token or 'CREDENTIALS'}"
        elif kind in ("http", "oauth2", "openIdConnect"):
            headers["Authorization"] = f"{prefix or 'Bearer'} {token or 'YOUR_TOKEN'}"
    return headers, query


class Request:
    """The request of an operation, as samples show it."""

    def __init__(self, reference: Reference, extract: JsonObject, operation: JsonObject) -> None:
        self.method = text(extract, "method").upper() or "GET"
        self.headers, query = security_values(extract)
        path = text(extract, "path")
        for parameter in map(reference.resolved, objects(operation.get("parameters"))):
            name, place = text(parameter, "name"), text(parameter, "in")
            first = next((content for _, content in members(parameter.get("content"))), parameter)
            value = example_of(reference, first if isinstance(first, dict) else {})
            written = name if value is None else example_text(value)[0]
            if place == "path":
                path = path.replace(f"{{{name}}}", _escaped(written or name))
            elif parameter.get("required") is True and place == "query":
                query[name] = written
            elif parameter.get("required") is True and place == "header":
                self.headers[name] = written
        query_string = "&".join(
            f"{_escaped(name)}={_escaped(value)}" for name, value in query.items()
        )
        self.url = f"{base_url(extract)}{path}" + (f"?{query_string}" if query_string else "")
        self.body: Any = None
        self.type = ""
        body = reference.resolved(operation.get("requestBody"))
        for kind, content in members(body.get("content")):
            if isinstance(content, dict) and (not self.type or "json" in kind):
                self.type, self.body = kind, example_of(reference, content)
        if self.type:
            self.headers["Content-Type"] = self.type

    @property
    def is_json(self) -> bool:
        return "json" in self.type

    @property
    def parts(self) -> list[tuple[str, str]]:
        """Names and values of a form; none for bodies that are none."""
        if self.type not in FORMS or not isinstance(self.body, dict):
            return []
        return [(str(name), example_text(value)[0]) for name, value in self.body.items()]

    @property
    def text(self) -> str:
        """The body as it is sent, but for forms in parts."""
        if self.type == URL_ENCODED and self.parts:
            return urlencode(self.parts, errors="replace")
        return example_text(self.body)[0]


def _escaped(value: str) -> str:
    """Text as a part of an address."""
    return quote(value.encode("utf-8", "replace"), safe="")
