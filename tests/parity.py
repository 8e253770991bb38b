"""Asks GraphQL for exactly what a row of /v1 shows, and writes the answer as /v1 would.

A shape is a selection on a GraphQL type, so it prints as one; operations are found by the
function behind them. Whatever cannot be found here would be a private door of /v1.
"""

import enum
import inspect
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import cache
from typing import Any
from urllib.parse import urlencode

from strawberry.types.enum import StrawberryEnumDefinition

from resolvers.core.naming import camel
from resolvers.pdf import operations as pdfs
from rest_compat.endpoint import plan_of
from rest_compat.shape import Form, Part, Shape, Variants
from rest_compat.table import Reply, Row
from schema.build import build_schema
from schema.wiring import OPERATION, SOURCE

SCHEMA = build_schema()
# What /v1 reaches by an operation of its own, and GraphQL as a field of another one's object.
FIELDS_OF: Mapping[Callable[..., Any], tuple[str, dict[str, str], str]] = {
    pdfs.get_space_pdf: ("space", {"space_id": "id"}, "pdf"),
    pdfs.get_change_request_pdf: ("changeRequest", {}, "pdf"),
}
# Nesting of pages below pages that is compared, and the number of nodes on each level.
DEPTH = 3
NODES = 5


class NotInGraphQLError(LookupError):
    """Nothing in the GraphQL schema is made by this function."""


@cache
def _types() -> list[Any]:
    found = []
    for name in SCHEMA._schema.type_map:
        definition = SCHEMA.get_type_by_name(name)
        if definition is not None and hasattr(definition, "fields"):
            found.append(definition)
    return found


@cache
def root_field(operation: Callable[..., Any], root: str) -> str | None:
    """The field of Query or Mutation that runs this operation."""
    for one in SCHEMA.get_type_by_name(root).fields:  # type: ignore[union-attr]
        root = one.metadata.get(OPERATION)
        if root is not None and root.operation is operation:
            return str(one.graphql_name or camel(one.python_name))
    return None


@cache
def field_of_batch(batch: Callable[..., Any]) -> str:
    """The name of a field whose values come from this batch function."""
    for definition in _types():
        for one in definition.fields:
            source = one.metadata.get(SOURCE)
            if source is not None and source.batch is batch:
                return str(one.graphql_name or camel(one.python_name))
    raise NotInGraphQLError(f"no field is made by {batch.__module__}.{batch.__name__}")


def literal(value: Any) -> str:
    """A Python value as a GraphQL literal."""
    if isinstance(value, enum.Enum):
        return value.name
    if isinstance(value, tuple | list):
        return "[" + ", ".join(literal(item) for item in value) + "]"
    return json.dumps(value)


def arguments_text(values: Mapping[str, Any]) -> str:
    given = {camel(name): value for name, value in values.items() if value is not None}
    return "(" + ", ".join(f"{k}: {literal(v)}" for k, v in given.items()) + ")" if given else ""


def _listed(part: Part) -> bool:
    type_ = part.strawberry_field.type
    type_ = getattr(type_, "of_type", type_)
    return getattr(type_, "__name__", "").endswith("Connection")


class Selections:
    """Prints shapes. What is not a list is a fragment, so that deep trees stay short."""

    def __init__(self) -> None:
        self.fragments: dict[str, str] = {}

    def of(self, form: Form, depth: int = 0) -> str:
        """The fields of a shape as a GraphQL selection set."""
        if isinstance(form, Variants):
            parts = [
                f"... on {shape.type.__strawberry_definition__.name} {self.of(shape, depth)}"
                for shape in form.shapes.values()
            ]
            return "{ __typename " + " ".join(parts) + " }"
        plain, lists = [], []
        for part in form.parts:
            (plain if part.shape is None or not _listed(part) else lists).append(part)
        if form.name not in self.fragments:
            self.fragments[form.name] = ""
            fields_ = " ".join(self._part(part, depth) for part in plain)
            on = form.type.__strawberry_definition__.name
            self.fragments[form.name] = f"fragment {form.name} on {on} {{ __typename {fields_} }}"
        listed = " ".join(self._part(part, depth) for part in lists)
        return f"{{ ...{form.name} {listed} }}"

    def _part(self, part: Part, depth: int) -> str:
        head = _name(part)
        if part.reference:
            return head + " { id }"
        if part.shape is not None and _listed(part):
            if depth >= DEPTH:
                return head + "(first: 1) { totalCount }"
            return head + f"(first: {NODES}) {{ nodes {self.of(part.shape(), depth + 1)} }}"
        if part.arguments is not None:
            head += arguments_text(
                {one.name: getattr(part.arguments, one.name) for one in fields(part.arguments)}
            )
        return head if part.shape is None else f"{head} {self.of(part.shape(), depth)}"


def _name(part: Part) -> str:
    one = part.strawberry_field
    return str(one.graphql_name or camel(one.python_name))


def as_rest(form: Form, node: Mapping[str, Any]) -> dict[str, Any]:
    """The node of a selection in the words of /v1."""
    if isinstance(form, Variants):
        return as_rest(_variant(form, node), node)
    body = dict(form.constants)
    for part in form.parts:
        value = _value(part, node[_name(part)])
        if value is not None or not part.optional:
            body[part.name] = value
    return body


def _variant(form: Variants, node: Mapping[str, Any]) -> Shape:
    """The shape of a node; of several for one type the one with most objects that are there."""
    name = node["__typename"]
    shapes = [
        one for one in form.shapes.values() if one.type.__strawberry_definition__.name == name
    ]

    def inside(shape: Shape) -> list[Any]:
        return [node[_name(part)] for part in shape.parts if part.shape is not None]

    fitting = [shape for shape in shapes if len(shapes) == 1 or None not in inside(shape)]
    return max(fitting, key=lambda shape: len(inside(shape)))


def _value(part: Part, value: Any) -> Any:
    if value is None:
        return None
    if part.reference:
        return value["id"]
    if part.untagged:
        shown = as_rest(part.shape(), value)  # type: ignore[arg-type,misc]
        return next(one for one in shown.values() if one is not None)
    if part.shape is None:
        return _scalar(part.strawberry_field.type, value)
    if _listed(part):
        if "nodes" not in value:
            assert value["totalCount"] == 0, "deeper than what is compared"
            return []
        return [as_rest(part.shape(), item) for item in value["nodes"]]
    if part.keyed is not None:
        shown = [as_rest(part.shape(), item) for item in value]
        return {one[part.keyed[0]]: one[part.keyed[1]] for one in shown}
    if isinstance(value, list):
        return [as_rest(part.shape(), item) for item in value]
    return as_rest(part.shape(), value)


def _scalar(type_: Any, value: Any) -> Any:
    inner = getattr(type_, "of_type", type_)
    if isinstance(value, list):
        return [_scalar(inner, item) for item in value]
    if inner is not type_ and value is not None:
        return _scalar(inner, value)
    if isinstance(inner, StrawberryEnumDefinition):
        return inner.wrapped_cls[value].value
    if inspect.isclass(inner) and issubclass(inner, enum.Enum):
        return inner[value].value
    return value


class Question:
    """One read of /v1 and the same read of GraphQL."""

    def __init__(
        self,
        row: Row,
        path_values: Mapping[str, str],
        choices: Mapping[str, Any],
        needed: Mapping[str, str],
    ) -> None:
        """`needed` are values of the query parameters that the row cannot do without."""
        self.row = row
        path = re.sub(r"{(\w+)(?::\w+)?}", lambda found: path_values[found[1]], row.path)
        texts = {
            name: value.value if isinstance(value, enum.Enum) else str(value).lower()
            for name, value in choices.items()
        }
        query = "&".join(f"{name}={text}" for name, text in texts.items())
        query = "&".join(filter(None, [query, urlencode(needed)]))
        self.path = f"{path}?{query}" if query else path
        self._needed = needed
        answer: Any = row.answer
        self.form: Form = answer(choices) if callable(answer) else answer
        self._values = {
            argument: path_values[name] for argument, name in row.path_parameters.items()
        }
        for name, (argument, _, of_children) in plan_of(row).query.items():
            if name in needed and not of_children:
                self._values[argument] = needed[name]

    def graphql(self) -> str:
        """The query; NotInGraphQLError when a function behind the row is in no field."""
        steps = []
        values = self._values
        operation = self.row.operation
        if operation in FIELDS_OF:
            name, renamed, field = FIELDS_OF[operation]
            values = {renamed.get(key, key): value for key, value in values.items()}
            steps = [name + arguments_text(values), field]
        else:
            found = root_field(operation, "Query")
            if found is None:
                raise NotInGraphQLError(
                    f"no query runs {operation.__module__}.{operation.__name__}"
                )
            steps = [found + arguments_text(values)]
        selections = Selections()
        body = selections.of(self.form)
        if self.row.reply is Reply.ARRAY:
            assert self.row.children is not None
            steps.append(field_of_batch(self.row.children))
        elif self.row.children is not None:
            arguments = {"first": 50, **self.row.defaults, **self._needed}
            steps.append(field_of_batch(self.row.children) + arguments_text(arguments))
            body = "{ totalCount nodes " + body + " }"
        # Beside the list, on the same row.
        beside = "".join(
            f" {name}_: {field_of_batch(batch)} {selections.of(shape)}"
            for name, (batch, shape) in self.row.beside.items()
        )
        text = body
        for number, step in enumerate(reversed(steps)):
            text = f"{{ _{number}: {step} {text}{'' if number else beside} }}"
        self.steps = len(steps)
        return " ".join([text, *selections.fragments.values()])

    def answer(self, data: Any) -> Any:
        """What /v1 must answer when GraphQL answers this."""
        for number in range(self.steps - 1, -1, -1):
            parent, data = data, data[f"_{number}"]
        if self.row.reply is Reply.ARRAY:
            return [as_rest(self.form, item) for item in data]
        if self.row.children is None:
            return as_rest(self.form, data)
        items = [as_rest(self.form, node) for node in data["nodes"]]
        beside = {
            name: as_rest(shape, parent[f"{name}_"]) for name, (_, shape) in self.row.beside.items()
        }
        return {"items": items, "count": data["totalCount"], **beside}
