"""A schema whose resolvers and types fail in every way; nature.py says when.

Whether a value has to be awaited is decided apart from what it is, so that the same schema with
`waiting` and without it has the same values.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Iterator
from typing import Any

from graphql import (
    GraphQLEnumType,
    GraphQLInterfaceType,
    GraphQLObjectType,
    GraphQLOutputType,
    GraphQLResolveInfo,
    GraphQLScalarType,
    GraphQLSchema,
    Undefined,
    build_ast_schema,
    parse,
)

from tests.schema.engine.dice import Dice
from tests.schema.engine.nasty_types import COLUMN, sdl
from tests.schema.engine.nature import COLOURS, OBJECTS, Nature

DOCUMENT = parse(sdl())


def build(nature: Nature) -> GraphQLSchema:
    """The nasty schema with the resolvers of this nature."""
    schema = build_ast_schema(DOCUMENT)
    for type_ in schema.type_map.values():
        if isinstance(type_, GraphQLObjectType) and not type_.name.startswith(("__", "Heap")):
            for name, one in type_.fields.items():
                if type_.name not in OBJECTS or not name.startswith(COLUMN):
                    one.resolve = resolver(nature, one.type, f"{type_.name}.{name}")
            if type_.name in OBJECTS:
                type_.is_type_of = is_type_of(nature, type_.name)
    thing = schema.type_map["Thing"]
    assert isinstance(thing, GraphQLInterfaceType)
    thing.resolve_type = type_resolver(nature)
    give_values(schema)
    return schema


def give_values(schema: GraphQLSchema) -> None:
    """Internal values of the enumeration, and a scalar that refuses even numbers."""
    colour = schema.type_map["Colour"]
    assert isinstance(colour, GraphQLEnumType)
    for value, internal in zip(colour.values.values(), COLOURS.values(), strict=True):
        value.value = internal
    odd: Any = schema.type_map["Odd"]
    assert isinstance(odd, GraphQLScalarType)
    odd.coerce_output_value = serialize_odd
    odd.coerce_input_value = read_odd


def serialize_odd(value: Any) -> Any:
    if value == 2:
        return None
    if value == 4:
        return Undefined
    if not isinstance(value, int) or value % 2 == 0:
        raise ValueError(f"not odd: {type(value).__name__}")
    return {"odd": value}


def read_odd(value: Any) -> Any:
    if not isinstance(value, int) or value % 2 == 0:
        raise ValueError("an odd number is needed")
    return ("odd", value)


def resolver(nature: Nature, type_: GraphQLOutputType, at: str) -> Any:
    """The resolver of a field, for one row at a time."""

    def resolve(row: Any, info: GraphQLResolveInfo[Any], **arguments: Any) -> Any:
        key = "root" if row is None else row.key
        if not nature.waiting:
            return nature.field(type_, key, at, arguments)
        dice = Dice(nature.seed, "waiting", key, at)
        if dice.chance(nature.waiting):
            return later(nature, dice, type_, key, at, arguments)
        return with_waiting(nature, nature.field(type_, key, at, arguments), dice)

    return resolve


async def later(
    nature: Nature, dice: Dice, type_: GraphQLOutputType, key: str, at: str, arguments: Any
) -> Any:
    """The same value, some turns of the event loop later."""
    await turns(dice.below(4))
    return with_waiting(nature, nature.field(type_, key, at, arguments), dice)


def with_waiting(nature: Nature, value: Any, dice: Dice) -> Any:
    """Some items of lists have to be awaited; some lists are asynchronous iterators."""
    if isinstance(value, Iterator) and dice.chance(nature.waiting):
        return asynchronous(value, dice.below(3))
    if isinstance(value, list):
        return [wait_for(item, dice) if dice.chance(nature.waiting) else item for item in value]
    return value


async def turns(count: int) -> None:
    for _ in range(count):
        await asyncio.sleep(0)


async def asynchronous(values: Iterator[Any], pause: int) -> AsyncIterator[Any]:
    for value in values:
        await turns(pause)
        yield value


def wait_for(item: Any, dice: Dice) -> Awaitable[Any]:
    count = dice.below(3)

    async def give() -> Any:
        await turns(count)
        if isinstance(item, Exception):
            raise item
        return item

    return give()


def is_type_of(nature: Nature, kind: str) -> Any:
    """Whether a row is of this type; fails for some rows, and then for their own type only."""

    def answer(row: Any, info: GraphQLResolveInfo[Any]) -> Any:
        right = row.kind == kind
        dice = Dice(nature.seed, "type", row.key, kind)
        fails = right and not row.key.startswith("honest") and dice.chance(nature.failing / 2)
        if dice.chance(nature.waiting / 2):
            return decided(right, row.key if fails else None)
        if fails:
            raise RuntimeError(f"type of {row.key}")
        return right

    return answer


async def decided(value: Any, failing: str | None) -> Any:
    await asyncio.sleep(0)
    if failing is not None:
        raise RuntimeError(f"type of {failing}")
    return value


def type_resolver(nature: Nature) -> Any:
    """Tells the type of a thing, for some things wrongly."""

    def resolve_type(row: Any, info: GraphQLResolveInfo[Any], abstract: Any) -> Any:
        dice = Dice(nature.seed, "resolve", row.key)
        name: Any = row.kind
        if dice.chance(nature.wrong):
            name = dice.pick(("Nowhere", "Query", "Item", "Colour", None, 5, "Stone", "Plant"))
        if dice.chance(nature.waiting / 2):
            return decided(name, None)
        return name

    return resolve_type
