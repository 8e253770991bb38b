"""The fields of a mutation are executed one after the other."""

import asyncio
from typing import Any

import pytest
from graphql import GraphQLResolveInfo, GraphQLSchema

from schema.engine.engine import Engine
from schema.engine.sources import Batch
from tests.schema.engine.oracle import actual, same
from tests.schema.engine.schemas import schema_of

SDL = """
type Query { number: Int }
type Mutation {
  add(by: Int!): Counter, addLater(by: Int!): Counter, fail: Counter, failLater: Counter,
  addHard(by: Int!): Counter!, failHard: Counter!, failHardLater: Counter!, nothing: Int!
}
type Counter { number: Int, later: Int, must: Int! }
"""


class Counter:
    """The root of one execution; `log` has what happened, in order."""

    def __init__(self) -> None:
        self.number = 0
        self.log: list[str] = []


async def pause() -> None:
    for _ in range(3):
        await asyncio.sleep(0)


def build() -> GraphQLSchema:
    def add(root: Counter, info: GraphQLResolveInfo[Any], by: int) -> dict[str, Any]:
        root.log.append(f"add {by}")
        root.number += by
        return {"number": root.number, "root": root, "must": None if by > 5 else 1}

    async def add_later(root: Counter, info: GraphQLResolveInfo[Any], by: int) -> dict[str, Any]:
        root.log.append(f"begin {by}")
        await pause()
        return add(root, info, by)

    def fail(root: Counter, info: GraphQLResolveInfo[Any]) -> Any:
        root.log.append(f"fail {info.field_name}")
        raise ValueError(info.field_name)

    async def fail_later(root: Counter, info: GraphQLResolveInfo[Any]) -> Any:
        await pause()
        return fail(root, info)

    async def later(row: dict[str, Any], info: GraphQLResolveInfo[Any]) -> int:
        await pause()
        row["root"].log.append("shown")
        number: int = row["root"].number
        return number

    return schema_of(
        SDL,
        {
            "Mutation.add": add,
            "Mutation.addHard": add,
            "Mutation.addLater": add_later,
            "Mutation.fail": fail,
            "Mutation.failHard": fail,
            "Mutation.failLater": fail_later,
            "Mutation.failHardLater": fail_later,
            "Counter.later": later,
        },
    )


SCHEMA = build()
DOCUMENTS = {
    "in order": "a: add(by: 1) { number } b: addLater(by: 2) { number } c: add(by: 3) { number }",
    "shown before the next": "a: addLater(by: 1) { later number } b: add(by: 2) { later }",
    "failures between": "a: add(by: 1) { number } fail { number } failLater { number } "
    "b: addLater(by: 2) { number }",
    "failing at the top": "a: add(by: 1) { must number } failHard { number } "
    "b: add(by: 2) { number }",
    "failing later at the top": "a: addLater(by: 1) { number } fail { number } "
    "failHardLater { number } b: addLater(by: 2) { number }",
    "failing below": "a: addLater(by: 9) { must } b: add(by: 1) { later must }",
    "failing below at the top": "a: add(by: 1) { later } b: addHard(by: 9) { later must } "
    "c: add(by: 1) { number }",
    "null at the top": "a: add(by: 1) { number } nothing b: add(by: 2) { number }",
    "typename": "__typename a: add(by: 1) { __typename } t: __typename b: add(by: 1) { later }",
    "fragments": "...F ... on Mutation { b: add(by: 2) { number } }",
    "merged": "a: add(by: 1) { number } a: add(by: 1) { later }",
    "skipped": "a: add(by: 1) @skip(if: true) { number } b: add(by: 2) { number }",
}


@pytest.mark.parametrize("name", DOCUMENTS)
async def test_fields_wait_for_the_ones_before(name: str) -> None:
    roots: list[Counter] = []

    def root() -> Counter:
        roots.append(Counter())
        return roots[-1]

    text = (
        f"mutation {{ {DOCUMENTS[name]} }} fragment F on Mutation {{ x: add(by: 5) {{ later }} }}"
    )
    await same(SCHEMA, text, root)
    theirs, ours = roots
    assert ours.log == theirs.log
    assert ours.number == theirs.number


async def test_numbers_are_those_at_the_time() -> None:
    text = "mutation { a: add(by: 1) { number later } b: addLater(by: 4) { number later } }"
    answer = await same(SCHEMA, text, Counter)
    assert answer.value == {"a": {"number": 1, "later": 1}, "b": {"number": 5, "later": 5}}


async def test_nothing_is_executed_after_a_failure_at_the_top() -> None:
    roots: list[Counter] = []

    def root() -> Counter:
        roots.append(Counter())
        return roots[-1]

    text = "mutation { a: add(by: 8) { must } failHard { number } b: add(by: 2) { number } }"
    answer = await same(SCHEMA, text, root)
    assert answer.value is None
    assert answer.paths == [["a", "must"], ["failHard"]]
    assert roots[1].log == ["add 8", "fail failHard"]


async def test_batch_functions_of_a_mutation_are_called_one_after_the_other() -> None:
    log: list[str] = []

    async def add(context: Any, rows: Any, arguments: Any) -> list[Any]:
        log.append(f"begin {arguments['by']}")
        await pause()
        log.append(f"end {arguments['by']}")
        return [{"number": arguments["by"]}]

    def source(type_: Any, name: str, field: Any) -> Batch | None:
        return Batch(add, dict, reusable=False) if name == "add" else None

    engine = Engine(SCHEMA, source)
    text = "mutation { a: add(by: 1) { number } b: add(by: 2) { number } }"
    answer = await actual(engine, text, Counter)
    assert answer.value == {"a": {"number": 1}, "b": {"number": 2}}
    assert log == ["begin 1", "end 1", "begin 2", "end 2"]
