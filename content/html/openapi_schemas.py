"""Schemas of APIs as HTML: fields with types, meanings and bounds; what is inside them opens."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import orjson

from content.html.api_words import ApiWords
from content.html.markup import EMPTY, Html, element, escape, escape_breakable, joined
from content.html.rendering import Rendering
from content.markdown.parser import parse_document
from content.openapi.extracts import is_hidden

JsonObject = dict[str, Any]
# Levels of schemas in schemas, and fields of one block.
MOST_LEVELS, MOST_FIELDS = 8, 1_500
# Characters of a description, of all descriptions of a block that are read as Markdown, and of a
# value that is shown.
LONG_TEXT, ALL_TEXT, LONG_VALUE = 20_000, 60_000, 200
_STEPS = 20
# Schemas of one block that are made one with others (`allOf`), and what cannot be made one.
MOST_MERGES = 2_000
_APART = ("oneOf", "anyOf", "allOf", "items", "enum", "not")


def objects(value: Any) -> list[JsonObject]:
    """The objects in a list."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def members(value: Any) -> list[tuple[str, Any]]:
    """The members of an object."""
    return [(str(name), item) for name, item in value.items()] if isinstance(value, dict) else []


def text(holder: Any, name: str) -> str:
    """A member that is text."""
    value = holder.get(name) if isinstance(holder, dict) else None
    return value if isinstance(value, str) else ""


def shown_value(value: Any) -> str:
    """A value as JSON, shortened."""
    try:
        written = orjson.dumps(value).decode()
    except (TypeError, ValueError):
        return ""
    return written if len(written) <= LONG_VALUE else f"{written[:LONG_VALUE]}…"


def _listed(holder: JsonObject, name: str) -> list[Any]:
    value = holder.get(name)
    return list(value) if isinstance(value, list) else []


@dataclass(slots=True)
class Reference:
    """One block of an API on its way to HTML: what it refers to, what may still be shown."""

    rendering: Rendering
    words: ApiWords
    # By the whole reference (content/openapi/extracts.py).
    components: JsonObject
    fields_left: int = MOST_FIELDS
    text_left: int = ALL_TEXT
    merges_left: int = MOST_MERGES
    # References of the schemas that are open, "" for those without one.
    inside: list[str] = field(default_factory=list)

    def resolved(self, value: Any) -> JsonObject:
        """What a value is, where it may be a reference; empty where that is not here."""
        for _ in range(_STEPS):
            reference = value.get("$ref") if isinstance(value, dict) else None
            if not isinstance(reference, str):
                break
            value = self.components.get(reference)
        return value if isinstance(value, dict) else {}

    def whole(self, schema: Any, level: int = 0) -> JsonObject:
        """A schema in one: with the fields of all schemas that it has to meet (`allOf`), as far as
        these are objects."""
        target = self.resolved(schema)
        parts = objects(target.get("allOf"))
        self.merges_left -= len(parts)
        if not parts or level >= MOST_LEVELS or self.merges_left < 0:
            return target
        result = {name: value for name, value in target.items() if name != "allOf"}
        fields: JsonObject = {}
        required = _listed(result, "required")
        for part in parts:
            own = self.whole(part, level + 1)
            if any(name in own for name in _APART):
                return target
            fields |= dict(members(own.get("properties")))
            required += _listed(own, "required")
            result = own | result
        fields |= dict(members(target.get("properties")))
        return result | {"properties": fields, "required": required} if fields else result

    def markdown(self, source: str) -> Html:
        """A description: Markdown without headings, whose places belong to the page."""
        if not source.strip():
            return EMPTY
        source = source[:LONG_TEXT]
        self.text_left -= len(source)
        if self.text_left < 0:
            return element("p", escape(source))
        if (shown := self.rendering.descriptions.get(source)) is not None:
            return shown
        nodes = [without_places(node) for node in parse_document(source).get("nodes", [])]  # type: ignore[union-attr]
        html = self.rendering.blocks(nodes)
        # Tags and HTML may hold what has an id, which stands once on a page.
        if "{%" not in source and "<" not in source:
            self.rendering.descriptions[source] = html
        return html

    # -------------------------------------------------------------- schemas

    def type_of(self, schema: Any, levels: int = 3) -> str:
        """The type of values, in words of JSON Schema; of lists in lists so many levels."""
        if not isinstance(schema, dict):
            return "any" if schema is not False else "never"
        name = text(schema, "$ref").rsplit("/", 1)[-1]
        if name:
            target = self.resolved(schema)
            own = self._kind(target, levels) if target else ""
            return name if own in ("", "object", "any") else f"{name} ({own})"
        return self._kind(schema, levels)

    def _kind(self, schema: JsonObject, levels: int) -> str:
        kind = schema.get("type")
        kinds = kind if isinstance(kind, list) else [kind]
        names = [name for name in kinds if isinstance(name, str)]
        if "array" in names:
            items = schema.get("items")
            inner = self.type_of(items, levels - 1) if isinstance(items, dict) and levels else ""
            names[names.index("array")] = f"array of {inner}" if inner else "array"
        if not names and "allOf" in schema and levels:
            parts = objects(schema["allOf"])
            if len(parts) == 1:
                return self.type_of(parts[0], levels - 1)
            whole = self.whole(schema)
            return "allOf" if "allOf" in whole else self._kind(whole, levels - 1)
        for name in ("oneOf", "anyOf", "allOf"):
            if not names and isinstance(schema.get(name), list):
                return name
        if not names:
            return "object" if "properties" in schema else "any"
        written = " | ".join(names)
        form = text(schema, "format")
        return f"{written} ({form})" if form else written

    def fields(self, holder: JsonObject) -> Html:
        """The fields of an object, each of which may open."""
        required = holder.get("required")
        needed = {name for name in required if isinstance(name, str)} if isinstance(
            required, list
        ) else set()  # fmt: skip
        items = [
            self.entry(name, part, name in needed)
            for name, part in members(holder.get("properties"))
            if not (isinstance(part, dict) and is_hidden(part))
        ]
        more = holder.get("additionalProperties")
        if isinstance(more, dict) and more:
            items.append(self.entry("*", more, False))
        for pattern, part in members(holder.get("patternProperties")):
            items.append(self.entry(f"/{pattern}/", part, False))
        items = [item for item in items if item]
        return element("ul", joined(items), class_="openapi-fields") if items else EMPTY

    def entry(
        self, name: str, schema: Any, required: bool, about: JsonObject | None = None
    ) -> Html:
        """A field or parameter: name, type, marks, meaning, bounds, and what is inside."""
        if self.fields_left <= 0:
            return EMPTY
        self.fields_left -= 1
        own = schema if isinstance(schema, dict) else {}
        target = self.resolved(schema) if own else {}
        about = about or {}
        marks = [element("code", escape_breakable(name), class_="openapi-name"),
                 element("span", escape(self.type_of(schema)), class_="openapi-type")]  # fmt: skip
        words = self.rendering.options.words.blocks
        if required:
            marks.append(element("span", escape(words.required), class_="openapi-required"))
        marks += self.marks({**target, **own, **about})
        description = text(about, "description") or text(own, "description") or text(
            target, "description"
        )  # fmt: skip
        parts = [
            element("p", Html(" ".join(marks)), class_="openapi-field"),
            self.markdown(description),
            self._bounds({**target, **own}, about),
            self._enumeration({**target, **own}),
            self.nested(schema),
        ]
        return element("li", joined(parts))

    def marks(self, about: JsonObject) -> list[Html]:
        """Marks of what is deprecated, not stable, or goes one way only."""
        marks = []
        if about.get("deprecated") is True:
            sunset = text(about, "x-deprecated-sunset")
            label = (
                self.words.deprecated_until.format(date=sunset) if sunset else self.words.deprecated
            )
            marks.append(element("span", escape(label), class_="openapi-mark deprecated"))
        stability = text(about, "x-stability")
        if stability in ("experimental", "alpha", "beta"):
            marks.append(element("span", escape(stability), class_="openapi-mark"))
        for name, label in (
            ("readOnly", self.words.read_only), ("writeOnly", self.words.write_only),
        ):  # fmt: skip
            if about.get(name) is True:
                marks.append(element("span", escape(label), class_="openapi-mark"))
        return marks

    def _bounds(self, schema: JsonObject, about: JsonObject) -> Html:
        shown = [
            f"{name}: {shown_value(schema[name])}"
            for name in (
                "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
                "minLength", "maxLength", "pattern", "minItems", "maxItems", "uniqueItems",
            )
            if isinstance(schema.get(name), int | float | str)
        ]  # fmt: skip
        if "default" in schema:
            shown.insert(0, f"{self.words.default}: {shown_value(schema['default'])}")
        if "const" in schema:
            shown.insert(0, f"{self.words.values}: {shown_value(schema['const'])}")
        if name := text(schema.get("discriminator"), "propertyName"):
            shown.append(f"discriminator: {name}")
        if examples := self._field_examples(schema, about):
            shown.append(f"{self.words.example}: {shown_value(examples[0])}")
        if not shown:
            return EMPTY
        return element("p", escape_breakable(" · ".join(shown)), class_="openapi-bounds")

    def _field_examples(self, schema: JsonObject, about: JsonObject) -> list[Any]:
        """Examples of a parameter, else of its schema."""
        if "example" in about:
            return [about["example"]]
        resolved = [self.resolved(example) for _, example in members(about.get("examples"))]
        own = [example["value"] for example in resolved if "value" in example]
        return own or _listed(schema, "examples")

    def _enumeration(self, schema: JsonObject) -> Html:
        values = schema.get("enum")
        if not isinstance(values, list):
            return EMPTY
        meanings = schema.get("x-enumDescriptions")
        if isinstance(meanings, dict):
            rows = [
                joined([
                    element("dt", element("code", escape(shown_value(value)))),
                    element("dd", escape(text(meanings, str(value)))),
                ])
                for value in values[:200]
            ]  # fmt: skip
            return element("dl", joined(rows), class_="openapi-enum")
        shown = Html(
            " ".join(element("code", escape(shown_value(value))) for value in values[:200])
        )
        label = escape(f"{self.words.values}: ")
        return element("p", joined([label, shown]), class_="openapi-bounds")

    def nested(self, schema: Any, open: bool = False) -> Html:
        """What is inside a schema, behind a line that opens it; on paper it is open."""
        parts, open = list(self._parts(schema)), open or self.rendering.options.paper
        return joined(_details(label, body, open) for label, body in parts if body)

    def _parts(self, schema: Any) -> Iterator[tuple[str, Html]]:
        """Labelled parts of a schema; a schema that stands in itself is named only."""
        if not isinstance(schema, dict) or self.fields_left <= 0:
            return
        reference = text(schema, "$ref")
        name = reference.rsplit("/", 1)[-1]
        if reference and reference in self.inside:
            yield name, element("p", escape(self.words.see_above.format(name=name)))
            return
        if len(self.inside) >= MOST_LEVELS:
            return
        target = self.whole(schema)
        self.inside.append(reference)
        try:
            for key, label in (
                ("oneOf", self.words.one_of), ("anyOf", self.words.any_of),
                ("allOf", self.words.all_of),
            ):  # fmt: skip
                choices = objects(target.get(key))
                if choices:
                    items = [
                        self.entry(text(choice, "title") or self.type_of(choice), choice, False)
                        for choice in choices
                    ]
                    yield label, element("ul", joined(items), class_="openapi-fields")
            yield name or self.words.fields, self.fields(target)
            items_schema = target.get("items")
            if isinstance(items_schema, dict):
                for label, body in self._parts(items_schema):
                    yield f"{self.words.items}: {label}", body
        finally:
            self.inside.pop()


def _details(label: str, body: Html, open: bool) -> Html:
    summary = element("summary", escape(label))
    return element("details", joined([summary, body]), class_="openapi-nested", open=open)


def without_places(node: Any) -> Any:
    """A block without headings: they would stand among those of the page."""
    if not isinstance(node, dict):
        return node
    if str(node.get("type", "")).startswith("heading-"):
        node = {**node, "type": "paragraph"}
    nodes = node.get("nodes")
    if not isinstance(nodes, list):
        return node
    return {**node, "nodes": [without_places(child) for child in nodes]}
