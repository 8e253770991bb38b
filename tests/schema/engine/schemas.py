"""Small schemas for cases: SDL, with functions by coordinate."""

from collections.abc import Callable, Mapping
from typing import Any

from graphql import GraphQLObjectType, GraphQLSchema, build_schema

Functions = Mapping[str, Callable[..., Any]]


def schema_of(sdl: str, functions: Functions | None = None) -> GraphQLSchema:
    """The schema, with a resolver for each `Type.field`, and what tells types apart.

    `Type:is_type_of` and `Type:resolve_type` are set likewise.
    """
    schema = build_schema(sdl)
    for coordinate, function in (functions or {}).items():
        place, _, what = coordinate.partition(":")
        name, _, field = place.partition(".")
        type_: Any = schema.type_map[name]
        if field:
            assert isinstance(type_, GraphQLObjectType)
            type_.fields[field].resolve = function
        else:
            setattr(type_, what, function)
    return schema


async def later(value: Any) -> Any:
    """The value when awaited; an exception is raised."""
    if isinstance(value, Exception):
        raise value
    return value
