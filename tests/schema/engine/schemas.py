"""Small schemas for cases: SDL, with functions by coordinate."""

from collections.abc import Callable, Mapping
from typing import Any

from graphql import GraphQLObjectType, GraphQLSchema, build_schema

Functions = Mapping[str, Callable[..., Any]]


def schema_of(sdl: str, functions: Functions | None = None) -> GraphQLSchema:
    """The schema, with a resolver for each `Type.field`, and what tells types apart.

    `Type:is_type_of`, `Type:resolve_type` and `Type.field:subscribe` are set likewise.
    """
    schema = build_schema(sdl)
    for coordinate, function in (functions or {}).items():
        place, _, what = coordinate.partition(":")
        name, _, field = place.partition(".")
        type_: Any = schema.type_map[name]
        if field:
            assert isinstance(type_, GraphQLObjectType)
            setattr(type_.fields[field], what or "resolve", function)
        else:
            setattr(type_, what, function)
    return schema


async def later(value: Any) -> Any:
    """The value when awaited; an exception is raised."""
    if isinstance(value, Exception):
        raise value
    return value
