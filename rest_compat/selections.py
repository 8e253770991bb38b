"""Shapes become selections of the engine: what GraphQL compiles from a document, /v1 from a shape.

Leaves differ in one thing: an enumeration is shown by its value here, by its name in GraphQL.
Nothing is non-null to the engine here, for an error anywhere is the error of the whole answer.
"""

import datetime as dt
import enum
import threading
from collections.abc import Sequence
from typing import Any

import strawberry
from strawberry.types.base import StrawberryList, StrawberryOptional
from strawberry.types.enum import StrawberryEnumDefinition

from resolvers.core.batch_functions import ALL, Projection, declared, only
from resolvers.core.context import Context
from resolvers.core.pagination import Slice
from resolvers.core.scalars import JsonObject, JsonValue, Url, write_time
from rest_compat.cached_json import with_cached_json
from rest_compat.shape import Form, Json, Part, Shape, Variants
from schema.engine.columns import read_of_items, read_of_rows
from schema.engine.executor import execute_selection
from schema.engine.plan import Choice, Completion, Field, Leaf, Listed, Object, Selection
from schema.engine.sources import Attribute, Batch, Constant, Itself, Source
from schema.sources import attribute_source, batch_source

# Shapes refer to each other, even to themselves; each becomes one selection. Reads and writes may
# ask for one at the same time in two threads: nobody sees a selection before all that it refers
# to is complete.
_selections: dict[int, tuple[Shape, Selection]] = {}
_unfinished: dict[int, tuple[Shape, Selection]] = {}
_compiling = threading.RLock()


async def project(ctx: Context, form: Form, rows: Sequence[Any]) -> list[Json]:
    """The JSON of each row in a shape, in order; an error of any value is raised."""
    if isinstance(form, Shape):
        return await execute_selection(ctx, selection_of(form), rows)
    choice = _choice(form)
    field = Field("items", Constant(None), Listed(choice))
    return await execute_selection(ctx, field, rows)


def projection_of(form: Form) -> Projection:
    """What a shape reads of its rows."""
    return selection_of(form).projection if isinstance(form, Shape) else ALL


def selection_of(shape: Shape) -> Selection:
    """The selection of a shape, compiled once."""
    cached = _selections.get(id(shape))
    return _compiled(shape) if cached is None else cached[1]


def _compiled(shape: Shape) -> Selection:
    with _compiling:
        cached = _selections.get(id(shape)) or _unfinished.get(id(shape))
        if cached is not None:
            return cached[1]
        outermost, selection = not _unfinished, Selection()
        _unfinished[id(shape)] = (shape, selection)
        try:
            fields = [_constant(name, value) for name, value in shape.constants.items()]
            fields += [_field(shape, part) for part in shape.parts]
            selection.complete(fields)
            selection.projection = Projection(read_of_rows(fields))
            if outermost:
                _selections.update(_unfinished)
        finally:
            if outermost:
                _unfinished.clear()
        return selection


def _constant(name: str, value: Any) -> Field:
    return Field(name, Constant(value), PLAIN)


def _field(shape: Shape, part: Part) -> Field:
    source, completion = _source(part), _completion(part)
    arguments = part.arguments
    if arguments is None and part.source.arguments is not None:
        arguments = part.source.arguments()
    return Field(
        part.name,
        source,
        completion,
        arguments=None if arguments is None else lambda _: arguments,
        projection=_wanted(part, completion),
        optional=part.optional,
        coordinate=f"{shape.name}.{part.name}",
    )


def _source(part: Part) -> Source:
    if part.reference and part.source.key is not None:
        return Attribute(part.source.key)
    if part.source.itself:
        return Itself()
    if part.untagged:
        return _bare(part)
    if part.keyed is not None:
        return _keyed(part, part.keyed)
    if part.source.batch is not None:
        return _cached(part) if part.cached_by else batch_source(part.source)
    return attribute_source(part.source)


def _cached(part: Part) -> Source:
    """The source of a list whose JSON is cached."""
    assert part.source.batch is not None
    assert part.shape is not None
    form = part.shape()

    async def show(ctx: Context, listed: Slice[Any]) -> list[Json]:
        return await project(ctx, form, listed.rows)

    reads = declared(part.source.batch).reads
    return Batch(
        with_cached_json(part.source.batch, id(part), part.cached_by, show),
        reads=None if reads is None else reads | frozenset(part.cached_by),
    )


def _bare(part: Part) -> Source:
    """The source of the one value of an object."""
    assert part.shape is not None
    form, attribute = part.shape(), part.source.attribute or ""

    async def show(ctx: Context, rows: Sequence[Any], arguments: Any) -> list[Any]:
        shown = await project(ctx, form, [getattr(row, attribute) for row in rows])
        return [next(value for value in object_.values() if value is not None) for object_ in shown]

    return Batch(show, reads=frozenset({attribute}))


def _keyed(part: Part, members: tuple[str, str]) -> Source:
    """The source of a list that is shown as an object."""
    function = part.source.batch
    assert function is not None
    assert part.shape is not None
    form, (name, value) = part.shape(), members

    async def show(ctx: Context, rows: Sequence[Any], arguments: Any) -> list[Json]:
        listed = await function(ctx, rows, arguments)
        shown = iter(await project(ctx, form, [object_ for items in listed for object_ in items]))
        return [
            {object_[name]: object_[value] for _, object_ in zip(items, shown, strict=False)}
            for items in listed
        ]

    return Batch(show, reads=declared(function).reads)


def _wanted(part: Part, completion: Completion) -> Projection:
    return only("id") if part.reference else read_of_items(completion)


def _completion(part: Part) -> Completion:
    if part.reference:
        # Related objects that the caller may not see have no id either.
        return KEY if part.source.key is not None else IDENTIFIER
    type_ = part.strawberry_field.type
    if isinstance(type_, StrawberryOptional):
        type_ = type_.of_type
    if part.shape is None:
        return _leaf(type_)
    if part.cached_by or part.untagged or part.keyed is not None:
        return PLAIN
    form = part.shape()
    item = _choice(form) if isinstance(form, Variants) else Object(selection_of(form))
    if isinstance(type_, StrawberryList):
        return Listed(item)
    if getattr(type_, "__name__", "").endswith("Connection"):
        return Listed(item, items=lambda part: part.rows)
    return item


def _choice(form: Variants) -> Choice:
    return Choice(lambda row: selection_of(form.shapes[form.choose(row)]))


def plain(value: Any) -> Any:
    """A scalar as JSON: enumerations by value, times as text."""
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, dt.datetime):
        return write_time(value)
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    return value


PLAIN = Leaf("plain", plain)
# The id of a related object, which is text.
KEY = Leaf("String", plain, ready=str)
IDENTIFIER = Leaf("identifier", lambda row: row.id)
_LEAVES = {
    str: Leaf("String", plain, ready=str),
    strawberry.ID: Leaf("ID", plain, ready=str),
    bool: Leaf("Boolean", plain, ready=bool),
    int: Leaf("Int", plain, ready=int),
    Url: Leaf("URL", plain, ready=str),
    dt.datetime: Leaf("DateTime", plain),
    JsonObject: Leaf("JSONObject", plain),
    JsonValue: Leaf("JSONValue", plain),
}
_enumerations: dict[Any, Leaf] = {}


def _leaf(type_: Any) -> Leaf:
    if isinstance(type_, StrawberryEnumDefinition):
        return _enumerations.setdefault(type_, Leaf(type_.name, plain, few=True))
    return _LEAVES.get(type_, PLAIN)
