"""What is made of a field's arguments is made once for the same values, if it may be reused."""

from collections.abc import Sequence
from enum import Enum
from typing import Any

import pytest
from graphql import GraphQLField, GraphQLObjectType, build_schema, parse

from schema.engine.compiler import LONGEST_TEXT, REMEMBERED
from schema.engine.engine import Engine
from schema.engine.sources import Batch

SCHEMA = build_schema(
    """
    scalar Json
    enum Color { RED GREEN }
    type Query { said(json: Json, ids: [ID!], color: Color, size: Int = 5): String }
    """
)


class Color(Enum):
    RED = 1
    GREEN = 2


for colour in Color:
    SCHEMA.type_map["Color"].values[colour.name].value = colour

TEXT = """
query ($json: Json, $ids: [ID!], $color: Color, $size: Int) {
  said(json: $json, ids: $ids, color: $color, size: $size)
}
"""


class Made:
    """A schema's engine, which notes what was made of arguments."""

    def __init__(self, reusable: bool = True) -> None:
        self.count = 0
        self.reusable = reusable
        self.engine = Engine(SCHEMA, self.source)
        self.plan = self.engine.plan(parse(TEXT))

    def source(self, type_: GraphQLObjectType, name: str, field: GraphQLField) -> Batch | None:
        return Batch(self.said, self.make, reusable=self.reusable) if name == "said" else None

    def make(self, arguments: dict[str, Any]) -> str:
        self.count += 1
        if arguments.get("size") == 0:
            raise ValueError("no size")
        return repr(arguments)

    async def said(self, context: object, rows: Sequence[Any], arguments: str) -> list[str]:
        return [arguments] * len(rows)

    async def answer(self, **variables: Any) -> Any:
        result = await self.engine.execute(self.plan, object(), None, variables)
        return result.data["said"] if not result.errors else result.errors[0].message


@pytest.mark.parametrize("reusable", [True, False])
async def test_answers_are_those_of_fresh_arguments(reusable: bool) -> None:
    values: list[dict[str, Any]] = [
        {},
        *({"json": value} for value in (1, True, 1.0, "1", 0, False, -0.0, None, [1], [True], {})),
        *({"size": size} for size in (1, 2, None)),
        {"ids": ["a"]},
        {"ids": []},
        {"color": "RED"},
        {"color": "GREEN"},
        {"json": "x" * (LONGEST_TEXT + 1)},
    ]
    made = Made(reusable)
    for one in [*values, *values[::-1]]:
        assert await made.answer(**one) == await Made().answer(**one), one


async def test_the_same_values_are_converted_once() -> None:
    made = Made()
    for one in ({}, {"size": 1}, {"json": "a"}, {"color": "RED"}, {"json": None}):
        before = made.count
        for _ in range(3):
            await made.answer(**one)
        assert made.count == before + 1, one


@pytest.mark.parametrize(
    "one", [{"ids": ["a"]}, {"json": [1]}, {"json": 1.0}, {"json": "x" * (LONGEST_TEXT + 1)}]
)
async def test_what_can_change_or_is_long_is_converted_each_time(one: dict[str, Any]) -> None:
    made = Made()
    for _ in range(3):
        await made.answer(**one)
    assert made.count == 3


async def test_errors_are_made_each_time() -> None:
    made = Made()
    for _ in range(3):
        assert await made.answer(size=0) == "no size"
    assert made.count == 3


async def test_what_may_not_be_reused_is_made_each_time() -> None:
    made = Made(reusable=False)
    for _ in range(3):
        await made.answer(size=1)
    assert made.count == 3


async def test_few_are_remembered() -> None:
    made = Made()
    for size in range(1, REMEMBERED + 2):
        await made.answer(size=size)
    before = made.count
    await made.answer(size=REMEMBERED + 1)
    assert made.count == before
    await made.answer(size=1)
    assert made.count == before + 1
