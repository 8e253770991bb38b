"""Builds the GraphQL schema."""

import datetime as dt
from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any

import strawberry
from graphql import GraphQLInputObjectType
from strawberry.schema.config import StrawberryConfig
from strawberry.schema.schema_converter import GraphQLCoreConverter
from strawberry.types.field import StrawberryField
from strawberry.types.fields.resolver import StrawberryResolver
from strawberry.types.scalar import ScalarDefinition

import resolvers.core.enumerations  # noqa: F401 (before any type: a type that finds an enumeration first names it)
from resolvers.core.scalars import (
    JsonObject,
    JsonValue,
    Url,
    read_object,
    read_time,
    read_url,
    read_value,
    write_time,
)
from schema.engine.run import NAMING
from schema.mutation import Mutation
from schema.query import Query
from schema.subscription import Subscription
from schema.types.content.changes import (
    FileChange,
    PageChange,
    ReusableContentChange,
    VariablesChange,
)
from schema.types.content.pages import ComputedPage, DocumentPage, GroupPage, LinkPage, name_of_page
from schema.types.links import LOCATIONS
from schema.types.sites.structure import STRUCTURES

# Types that no field names: they are found by way of their interfaces.
PAGES = (DocumentPage, GroupPage, LinkPage, ComputedPage)
CHANGES = (PageChange, FileChange, VariablesChange, ReusableContentChange)

SCALARS: dict[object, ScalarDefinition] = {
    dt.datetime: strawberry.scalar(
        name="DateTime",
        description="A time in UTC: 2026-01-31T08:00:00.000Z (RFC 3339).",
        specified_by_url="https://www.rfc-editor.org/rfc/rfc3339",
        serialize=write_time,
        parse_value=read_time,
    ),
    Url: strawberry.scalar(
        name="URL",
        description="An absolute URL of at most 2,048 characters.",
        specified_by_url="https://www.rfc-editor.org/rfc/rfc3986",
        serialize=str,
        parse_value=read_url,
    ),
    JsonObject: strawberry.scalar(
        name="JSONObject",
        description="A JSON object.",
        specified_by_url="https://www.rfc-editor.org/rfc/rfc8259#section-4",
        serialize=dict,
        parse_value=read_object,
    ),
    JsonValue: strawberry.scalar(
        name="JSONValue",
        description="Any JSON value: text, a number, true, false, a list or an object.",
        specified_by_url="https://www.rfc-editor.org/rfc/rfc8259#section-3",
        serialize=lambda value: value,
        parse_value=read_value,
    ),
}


class _LateResolver:
    """The resolver of a field, made when it is first called."""

    __slots__ = ("_field", "_made", "_make")

    def __init__(self, make: Callable[[StrawberryField], Any], field: StrawberryField) -> None:
        self._make, self._field = make, field
        self._made: Callable[..., Any] | None = None

    def __call__(self, *values: Any, **arguments: Any) -> Any:
        if self._made is None:
            self._made = self._make(self._field)
        return self._made(*values, **arguments)


class _Schema(strawberry.Schema):
    """A schema whose fields make their resolvers late.

    The engine executes sources; resolvers are for other executors of the schema, and those that
    Strawberry makes are ten functions for each field.
    """

    @property
    def schema_converter(self) -> GraphQLCoreConverter:
        """What makes the types of graphql-core."""
        return self._converter

    @schema_converter.setter
    def schema_converter(self, converter: GraphQLCoreConverter) -> None:
        converter.from_resolver = partial(_LateResolver, converter.from_resolver)  # type: ignore[method-assign]
        self._converter = converter


@cache
def build_schema() -> strawberry.Schema:
    """The schema of the whole graph, made once in a process."""
    schema = _Schema(
        query=Query,
        mutation=Mutation,
        subscription=Subscription,
        types=[*PAGES, *CHANGES, *LOCATIONS, *STRUCTURES],
        config=StrawberryConfig(scalar_map=SCALARS),
    )
    for named in schema._schema.type_map.values():
        definition: Any = named.extensions.get(GraphQLCoreConverter.DEFINITION_BACKREF)
        if isinstance(named, GraphQLInputObjectType) and definition.is_one_of:
            # Strawberry checks such values itself; validation looks at the type.
            named.is_one_of = True
    for field in _fields_of(schema):
        _forget_signature(field.base_resolver)
    # A page tree has thousands of them.
    schema._schema.type_map["Page"].extensions[NAMING] = name_of_page
    return schema


def _fields_of(schema: strawberry.Schema) -> Iterator[StrawberryField]:
    for named in schema._schema.type_map.values():
        definition: Any = named.extensions.get(GraphQLCoreConverter.DEFINITION_BACKREF)
        yield from getattr(definition, "fields", ())


def _forget_signature(resolver: StrawberryResolver[Any] | None) -> None:
    """Forget from what Strawberry has made the arguments of a field, which it keeps besides.

    They are cached properties: who reads one gets it again.
    """
    if resolver is not None:
        for name in ("signature", "strawberry_annotations", "reserved_parameters"):
            vars(resolver).pop(name, None)


def sdl_text() -> str:
    """The schema as SDL, as it is committed in schema/schema.graphql."""
    return build_schema().as_str().rstrip() + "\n"
