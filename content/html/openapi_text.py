"""What blocks of APIs show, as Markdown: for those who read the text of a page alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from content.documents.anchors import HeadingAnchors
from content.html.openapi_authentication import signed_with
from content.html.openapi_languages import samples_of
from content.html.openapi_samples import Request, example_of, example_text
from content.html.openapi_schemas import JsonObject, Reference, members, objects, shown_value, text
from content.html.rendering import Options, Rendering

# Levels of fields in fields, lines of fields of one block, and characters of one description.
MOST_LEVELS, MOST_LINES, LONG_TEXT = 4, 400, 2_000
_BACKTICKS = re.compile("`+")
_PLACES = ("path", "query", "header", "cookie")


def block_markdown(kind: str, extract: JsonObject) -> str:
    """The Markdown of a block's extract: an operation, a webhook, or schemas."""
    return _Text(extract).schemas() if kind == "openapi-schemas" else _Text(extract).operation()


class _Text:
    def __init__(self, extract: JsonObject) -> None:
        options = Options()
        self._extract, self._words, self._common = extract, options.words.api, options.words.blocks
        # Nothing of the text is a block of HTML.
        rendering = Rendering(options, {}, {}, HeadingAnchors(), own_anchors={})
        components = extract.get("components")
        self._reference = Reference(
            rendering, self._words, components if isinstance(components, dict) else {}
        )
        self._left = MOST_LINES

    def schemas(self) -> str:
        listed = self._extract.get("names")
        names = (
            [name for name in listed if isinstance(name, str)] if isinstance(listed, list) else []
        )
        lines: list[str] = []
        for name in names:
            lines += self._field(name, {"$ref": f"#/components/schemas/{name}"}, False, {}, 0)
        return "\n".join(lines)

    def operation(self) -> str:
        operation = self._reference.resolved(self._extract.get("operation"))
        parts = [self._head(operation), _paragraph(operation)]
        parts += [self._security(), *self._parameters(operation), self._body(operation)]
        if "webhook" not in self._extract and operation.get("x-codeSamples") is not False:
            curl = samples_of(Request(self._reference, self._extract, operation))[0][2]
            parts.append(f"**{self._words.example}**\n\n{_fenced('bash', curl)}")
        parts.append(self._responses(operation))
        return "\n\n".join(part for part in parts if part)

    def _head(self, operation: JsonObject) -> str:
        method = text(self._extract, "method").upper()
        name = text(self._extract, "path") or text(self._extract, "webhook")
        kind = f"{self._common.webhook} " if "webhook" in self._extract else ""
        marks = []
        if operation.get("deprecated") is True:
            sunset = text(operation, "x-deprecated-sunset")
            words = self._words
            marks.append(words.deprecated_until.format(date=sunset) if sunset else words.deprecated)
        if (stability := text(operation, "x-stability")) in ("experimental", "alpha", "beta"):
            marks.append(stability)
        return " · ".join([f"{kind}{_code(f'{method} {name}')}", *marks])

    def _security(self) -> str:
        lines = [
            f"- {_code(name)}: {_code(signed_with(scheme))}"
            for name, scheme in members(self._extract.get("securitySchemes"))
            if isinstance(scheme, dict) and signed_with(scheme)
        ]
        return _part(self._words.authentication, lines)

    def _parameters(self, operation: JsonObject) -> Iterator[str]:
        labels = {
            "path": self._common.path_parameters, "query": self._common.query_parameters,
            "header": self._common.headers, "cookie": self._words.cookies,
        }  # fmt: skip
        lines: dict[str, list[str]] = {place: [] for place in _PLACES}
        for parameter in map(self._reference.resolved, objects(operation.get("parameters"))):
            place = text(parameter, "in")
            if place in lines:
                contents = [part for _, part in members(parameter.get("content"))]
                holder = contents[0] if contents and isinstance(contents[0], dict) else parameter
                required = parameter.get("required") is True
                name, schema = text(parameter, "name"), holder.get("schema")
                lines[place] += self._field(name, schema, required, parameter, 0)
        for place, shown in lines.items():
            yield _part(labels[place], shown)

    def _body(self, operation: JsonObject) -> str:
        body = self._reference.resolved(operation.get("requestBody"))
        contents = self._contents(body, 0)
        return _part(self._words.body, contents)

    def _contents(self, holder: JsonObject, level: int) -> list[str]:
        lines: list[str] = []
        for kind, content in members(holder.get("content")):
            if not isinstance(content, dict):
                continue
            schema = content.get("schema")
            lines.append(f"{'  ' * level}- {_code(kind)}: {self._reference.type_of(schema)}")
            lines += self._inside(schema, level + 1)
            example = example_of(self._reference, content)
            if example is not None and level == 0:
                written = " ".join(example_text(example)[0].split())[:LONG_TEXT]
                lines.append(f"{'  ' * (level + 1)}- {self._words.example}: {_code(written)}")
        return lines

    def _responses(self, operation: JsonObject) -> str:
        lines: list[str] = []
        for status, response in members(operation.get("responses")):
            if status.startswith("x-"):
                continue
            shown = self._reference.resolved(response)
            lines.append(f"- {_code(status)}: {_line(text(shown, 'description'))}".rstrip(": "))
            lines += self._contents(shown, 1)
        return _part(self._common.responses, lines)

    # -------------------------------------------------------------- fields

    def _field(
        self, name: str, schema: Any, required: bool, about: JsonObject, level: int
    ) -> list[str]:
        """A field or parameter, and those inside it."""
        if self._left <= 0:
            return []
        self._left -= 1
        target = self._reference.resolved(schema)
        kind = self._reference.type_of(schema)
        marks = [kind, *([self._common.required] if required else [])]
        described = text(about, "description") or text(target, "description")
        written = f"{'  ' * level}- {_code(name)} ({', '.join(marks)})"
        parts = [_line(described)] if described.strip() else []
        values = target.get("enum")
        if isinstance(values, list):
            shown = ", ".join(_code(shown_value(value)) for value in values[:50])
            parts.append(f"{self._words.values}: {shown}")
        if "default" in target:
            parts.append(f"{self._words.default}: {_code(shown_value(target['default']))}")
        line = f"{written}: {' '.join(parts)}" if parts else written
        return [line, *self._inside(schema, level + 1)]

    def _inside(self, schema: Any, level: int) -> list[str]:
        """The fields of a schema, of the choices it has, and of what a list holds."""
        if level > MOST_LEVELS or not isinstance(schema, dict) or self._left <= 0:
            return []
        reference = text(schema, "$ref")
        if reference and reference in self._reference.inside:
            return []
        whole = self._reference.whole(schema)
        self._reference.inside.append(reference)
        try:
            lines: list[str] = []
            for choices in (objects(whole.get(name)) for name in ("oneOf", "anyOf", "allOf")):
                for choice in choices:
                    title = text(choice, "title") or self._reference.type_of(choice)
                    lines += self._field(title, choice, False, {}, level)
            required = whole.get("required")
            needed = required if isinstance(required, list) else []
            for name, part in members(whole.get("properties")):
                lines += self._field(name, part, name in needed, {}, level)
            if isinstance(whole.get("items"), dict):
                lines += self._inside(whole["items"], level)
            return lines
        finally:
            self._reference.inside.pop()


def _part(label: str, lines: list[str]) -> str:
    return f"**{label}**\n\n" + "\n".join(lines) if lines else ""


def _paragraph(holder: JsonObject) -> str:
    return text(holder, "description").strip()[: 10 * LONG_TEXT]


def _line(description: str) -> str:
    return " ".join(description.split())[:LONG_TEXT]


def _marks(written: str, least: int) -> str:
    """More backticks than stand together anywhere in a text."""
    return "`" * max([least, *(len(run) + 1 for run in _BACKTICKS.findall(written))])


def _code(written: str) -> str:
    """Text as code within a line, whatever backticks it has."""
    marks = _marks(written, 1)
    room = " " if written.startswith("`") or written.endswith("`") else ""
    return f"{marks}{room}{' '.join(written.split())}{room}{marks}" if written.strip() else ""


def _fenced(language: str, code: str) -> str:
    marks = _marks(code, 3)
    return f"{marks}{language}\n{code}\n{marks}"
