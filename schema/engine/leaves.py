"""Scalars and enumerations: from values to JSON, a column of them at a time."""

from collections.abc import Sequence
from typing import Any

from graphql import (
    GraphQLBoolean,
    GraphQLEnumType,
    GraphQLID,
    GraphQLInt,
    GraphQLLeafType,
    GraphQLString,
    Undefined,
)
from graphql.pyutils import inspect

from schema.engine.failures import Failure
from schema.engine.plan import Leaf

# Built-in scalars leave values of these types as they are.
READY: dict[GraphQLLeafType, type] = {
    GraphQLString: str,
    GraphQLID: str,
    GraphQLBoolean: bool,
    GraphQLInt: int,
}
MAX_CACHED_VALUES = 1_000
LARGEST, SMALLEST = 2**31 - 1, -(2**31)


def leaf(type_: GraphQLLeafType) -> Leaf:
    """The leaf of a scalar or enumeration type."""

    def coerce(value: Any) -> Any:
        coerced = type_.coerce_output_value(value)
        if coerced is Undefined or coerced is None:
            raise TypeError(
                f"Expected `{inspect(type_)}.coerce_output_value({inspect(value)})`"
                f" to return non-nullable value, returned: {inspect(coerced)}"
            )
        return coerced

    few = isinstance(type_, GraphQLEnumType)
    return Leaf(type_.name, coerce, ready=READY.get(type_), few=few)


def coerce_all(leaf: Leaf, values: Sequence[Any]) -> Sequence[Any]:
    """Values as JSON, null as null, a Failure in place of what is no value of the type."""
    kinds = set(map(type, values))
    kinds.discard(type(None))
    if not kinds or (kinds == {leaf.ready} and (leaf.ready is not int or _in_range(values))):
        return values
    if leaf.few:
        cached = leaf.cached
        try:
            return [cached[value] for value in values]
        except (KeyError, TypeError):
            return [_of_few(leaf, value) for value in values]
    return [coerce_one(leaf, value) for value in values]


def _in_range(values: Sequence[Any]) -> bool:
    numbers = [value for value in values if value is not None] if None in values else values
    return not numbers or (max(numbers) <= LARGEST and min(numbers) >= SMALLEST)


def coerce_one(leaf: Leaf, value: Any) -> Any:
    """One value as JSON, or a Failure."""
    if value is None or value is Undefined:
        return None
    if isinstance(value, Exception):
        return Failure(value)
    if isinstance(value, Failure):
        return value
    try:
        return leaf.coerce(value)
    except Exception as error:
        return Failure(error)


def _of_few(leaf: Leaf, value: Any) -> Any:
    coerced = coerce_one(leaf, value)
    if not isinstance(coerced, Failure) and len(leaf.cached) < MAX_CACHED_VALUES:
        try:
            leaf.cached[value] = coerced
        except TypeError:
            # A value that cannot be a key is coerced each time.
            return coerced
    return coerced
