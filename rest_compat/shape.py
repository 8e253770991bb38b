"""Shapes: which fields of a type a /v1 answer shows.

A shape names fields of a GraphQL type; their values come from the same attributes and batch
functions. It compiles to a selection (rest_compat/selections.py), which the engine of GraphQL
executes. Shapes are checked when they are made: an unknown field stops the start.
"""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from resolvers.core.naming import camel
from schema.wiring import Source, source_of

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Member:
    """How a member of a JSON object is shown."""

    # The field with its value; that of its own name when None.
    of: str | None = None
    # Left out of the JSON when it is null.
    optional: bool = False
    # The relation's id stands for the object.
    reference: bool = False
    # The shape of nested objects; a function where shapes refer to each other.
    shape: "Callable[[], Shape | Variants] | None" = None
    # Arguments of the field; its defaults when None.
    arguments: Any = None
    # An object of which one field is not null: its value stands for the object.
    untagged: bool = False
    # Of a list: the members of its objects that are the names and the values of a JSON object.
    keyed: tuple[str, str] | None = None
    # A list that follows from these attributes of the row alone: its JSON is kept for the next.
    cached_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Part(Member):
    """One member of a JSON object, with its field."""

    name: str
    source: Source
    # The GraphQL field it comes from, for the OpenAPI types and the parity test.
    strawberry_field: Any


@dataclass(frozen=True, slots=True)
class Shape:
    """A fixed selection on a GraphQL type, with constant members."""

    name: str
    type: Any
    parts: tuple[Part, ...]
    constants: Json = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Variants:
    """A union: each row has the shape that `choose` names."""

    name: str
    choose: Callable[[Any], str]
    shapes: dict[str, Shape]


Form = Shape | Variants
Special = Member | Form | Callable[[], Form]


def nested(shape: Form | Callable[[], Form], **options: Any) -> Member:
    """An object or a list of objects of another shape, with `options` of Member.

    A function stands for a shape that is defined further down.
    """
    return Member(shape=shape if callable(shape) else lambda: shape, **options)


def keyed(shape: Form, name: str, value: str) -> Member:
    """A list as a JSON object: the members `name` and `value` of the shape are its members."""
    return nested(shape, keyed=(name, value))


def reference(*, optional: bool = False) -> Member:
    """The id of a related object."""
    return Member(optional=optional, reference=True)


def renamed(of: str, *, optional: bool = False, arguments: Any = None) -> Member:
    """The value of a field of another name, or with arguments for it."""
    return Member(of, optional, arguments=arguments)


def shape(type_: Any, fields: str, constants: Json | None = None, /, **special: Special) -> Shape:
    """A shape of `type_`, with its name: plain `fields` by their JSON names ("deletedAt?" = absent
    when null).

    "id:pageId" is the member `id` with the value of the field `pageId`. Members of another form
    follow; a bare shape is that of an object or of a list of objects.
    """
    return named_shape(type_.__name__, type_, fields, constants, **special)


def named_shape(
    name: str, type_: Any, fields: str, constants: Json | None = None, /, **special: Special
) -> Shape:
    """A shape with another name than its type has."""
    fields_by_name = {
        field.graphql_name or camel(field.python_name): field
        for field in type_.__strawberry_definition__.fields
    }

    def part(json_name: str, how: Member) -> Part:
        of = how.of or json_name
        if of not in fields_by_name:
            raise LookupError(f"shape {name}: {type_.__name__} has no field {of!r}")
        source = source_of(fields_by_name[of])
        if how.reference and source.batch is None:
            raise LookupError(f"shape {name}: {of!r} is no relation")
        options = {item.name: getattr(how, item.name) for item in dataclasses.fields(how)}
        return Part(name=json_name, source=source, strawberry_field=fields_by_name[of], **options)

    parts = []
    for word in fields.split():
        json_name, _, of = word.removesuffix("?").partition(":")
        parts.append(part(json_name, Member(of or None, optional=word.endswith("?"))))
    for json_name, what in special.items():
        parts.append(part(json_name, what if isinstance(what, Member) else nested(what)))
    return Shape(name, type_, tuple(parts), constants or {})
