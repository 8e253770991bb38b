"""Shapes: which fields of a type a /v1 answer shows.

A shape names fields of a GraphQL type; their values come from the same attributes and batch
functions. It compiles to a selection (rest_compat/selections.py), which the engine of GraphQL
executes. Shapes are checked when they are made: an unknown field stops the start.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from resolvers.core.naming import camel
from schema.wiring import Source, source_of

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Part:
    """One member of a JSON object."""

    name: str
    source: Source
    # The GraphQL field it comes from, for the OpenAPI types and the parity test.
    strawberry_field: Any
    # Left out of the JSON when it is null.
    optional: bool = False
    # The relation's id stands for the object.
    reference: bool = False
    # The shape of nested objects; a function where shapes refer to each other.
    shape: "Callable[[], Shape | Variants] | None" = None
    # Arguments of the field; its defaults when None.
    arguments: Any = None
    # An object with one value, which stands for it.
    untagged: bool = False
    # Of a list: the members of its objects that are the names and the values of a JSON object.
    keyed: tuple[str, str] | None = None
    # A list that follows from these attributes of the row alone: its JSON is kept for the next.
    cached_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Nested:
    """A member that is an object or a list of objects of another shape."""

    shape: "Callable[[], Shape | Variants]"
    optional: bool = False
    of: str | None = None
    arguments: Any = None
    untagged: bool = False
    cached_by: tuple[str, ...] = ()
    keyed: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Reference:
    """A member that holds the id of a related object."""

    optional: bool = False
    of: str | None = None


@dataclass(frozen=True, slots=True)
class Renamed:
    """A member with another name than its field, or with arguments for it."""

    of: str
    optional: bool = False
    arguments: Any = None


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


def nested(
    shape: Any,
    *,
    optional: bool = False,
    of: str | None = None,
    arguments: Any = None,
    untagged: bool = False,
    cached_by: tuple[str, ...] = (),
) -> Nested:
    """A nested shape; pass a function where the shape is defined further down.

    `untagged` is for an object of which one field is not null: its value stands for the object.
    """
    found = shape if callable(shape) else lambda: shape
    return Nested(found, optional, of, arguments, untagged, cached_by)


def keyed(shape: Any, name: str, value: str) -> Nested:
    """A list as a JSON object: the members `name` and `value` of the shape are its members."""
    return Nested(lambda: shape, keyed=(name, value))


def shape(
    name: str,
    type_: Any,
    fields: str,
    constants: Json | None = None,
    /,
    **special: Nested | Reference | Renamed,
) -> Shape:
    """A shape of `type_`: plain `fields` by their JSON names ("deletedAt?" = absent when null).

    "id:pageId" is the member `id` with the value of the field `pageId`.
    """
    known = {
        one.graphql_name or camel(one.python_name): one
        for one in type_.__strawberry_definition__.fields
    }

    def part(json_name: str, of: str, **options: Any) -> Part:
        if of not in known:
            raise LookupError(f"shape {name}: {type_.__name__} has no field {of!r}")
        return Part(json_name, source_of(known[of]), known[of], **options)

    parts = []
    for word in fields.split():
        json_name, _, of = word.removesuffix("?").partition(":")
        parts.append(part(json_name, of or json_name, optional=word.endswith("?")))
    for json_name, what in special.items():
        of = what.of or json_name
        if isinstance(what, Nested):
            parts.append(
                part(
                    json_name,
                    of,
                    optional=what.optional,
                    shape=what.shape,
                    arguments=what.arguments,
                    untagged=what.untagged,
                    cached_by=what.cached_by,
                    keyed=what.keyed,
                )
            )
        elif isinstance(what, Reference):
            made = part(json_name, of, optional=what.optional, reference=True)
            if made.source.batch is None:
                raise LookupError(f"shape {name}: {of!r} is no relation")
            parts.append(made)
        else:
            parts.append(part(json_name, of, optional=what.optional, arguments=what.arguments))
    return Shape(name, type_, tuple(parts), constants or {})
