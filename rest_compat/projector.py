"""Shapes: which fields of a type a /v1 answer shows, and the JSON of rows in that shape.

A shape names fields of a GraphQL type; their values come from the same attributes and batch
functions. A list of rows is projected level by level: one call of a batch function for all rows
of a level. Shapes are checked when they are made: an unknown field stops the start.
"""

import datetime as dt
import enum
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from resolvers.context import Context
from resolvers.pagination import Slice
from resolvers.scalars import write_time
from rest_compat.values import camel
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


@dataclass(frozen=True, slots=True)
class Nested:
    """A member that is an object or a list of objects of another shape."""

    shape: "Callable[[], Shape | Variants]"
    optional: bool = False
    of: str | None = None
    arguments: Any = None


@dataclass(frozen=True, slots=True)
class Reference:
    """A member that holds the id of a related object."""

    optional: bool = False
    of: str | None = None


@dataclass(frozen=True, slots=True)
class Renamed:
    """A member with another name than its field."""

    of: str
    optional: bool = False


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
    shape: Any, *, optional: bool = False, of: str | None = None, arguments: Any = None
) -> Nested:
    """A nested shape; pass a function where the shape is defined further down."""
    found = shape if callable(shape) else lambda: shape
    return Nested(found, optional, of, arguments)


def shape(
    name: str,
    type_: Any,
    fields: str,
    constants: Json | None = None,
    /,
    **special: Nested | Reference | Renamed,
) -> Shape:
    """A shape of `type_`: plain `fields` by their JSON names ("deletedAt?" = absent when null)."""
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
        json_name = word.removesuffix("?")
        parts.append(part(json_name, json_name, optional=word.endswith("?")))
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
                )
            )
        elif isinstance(what, Reference):
            made = part(json_name, of, optional=what.optional, reference=True)
            if made.source.batch is None:
                raise LookupError(f"shape {name}: {of!r} is no relation")
            parts.append(made)
        else:
            parts.append(part(json_name, of, optional=what.optional))
    return Shape(name, type_, tuple(parts), constants or {})


async def project(ctx: Context, form: Shape | Variants, rows: Sequence[Any]) -> list[Json]:
    """The JSON of each row, in order."""
    if isinstance(form, Variants):
        return await _project_variants(ctx, form, rows)
    results: list[Json] = [dict(form.constants) for _ in rows]
    if not rows:
        return results
    for part in form.parts:
        values = await _values(ctx, part, rows)
        for result, value in zip(results, values, strict=True):
            if value is not None or not part.optional:
                result[part.name] = value
    return results


async def _project_variants(ctx: Context, form: Variants, rows: Sequence[Any]) -> list[Json]:
    groups: dict[str, list[int]] = {}
    for index, row in enumerate(rows):
        groups.setdefault(form.choose(row), []).append(index)
    results: list[Json] = [{} for _ in rows]
    for choice, indexes in groups.items():
        projected = await project(ctx, form.shapes[choice], [rows[index] for index in indexes])
        for index, value in zip(indexes, projected, strict=True):
            results[index] = value
    return results


async def _values(ctx: Context, part: Part, rows: Sequence[Any]) -> Sequence[Any]:
    source = part.source
    if part.reference and source.key is not None:
        return [getattr(row, source.key) for row in rows]
    if source.batch is not None:
        arguments = part.arguments
        if arguments is None and source.arguments is not None:
            arguments = source.arguments()
        values = await source.batch(ctx, rows, arguments)
    else:
        name = source.attribute or ""
        values = [getattr(row, name) for row in rows]
    if part.reference:
        # Related objects that the caller may not see have no id either.
        return [None if value is None else value.id for value in values]
    if part.shape is None:
        return [plain(value) for value in values]
    return await _project_nested(ctx, part.shape(), values)


async def _project_nested(ctx: Context, form: Shape | Variants, values: Sequence[Any]) -> list[Any]:
    """Flatten what all parents have, project it once, and give it back to the parents."""
    flat: list[Any] = []
    for value in values:
        if isinstance(value, Slice):
            flat.extend(value.rows)
        elif isinstance(value, list | tuple):
            flat.extend(value)
        elif value is not None:
            flat.append(value)
    done = iter(await project(ctx, form, flat))
    results: list[Any] = []
    for value in values:
        if isinstance(value, Slice):
            results.append([next(done) for _ in value.rows])
        elif isinstance(value, list | tuple):
            results.append([next(done) for _ in value])
        else:
            results.append(None if value is None else next(done))
    return results


def plain(value: Any) -> Any:
    """A scalar as JSON: enumerations by value, times as text."""
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, dt.datetime):
        return write_time(value)
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    return value
