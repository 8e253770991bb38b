"""Lists: every nullability, nulls and failures at every place, and everything that has items."""

from collections.abc import AsyncIterator, Callable, Iterator
from functools import partial
from itertools import product
from typing import Any

import pytest

from tests.schema.engine.oracle import same
from tests.schema.engine.schemas import later, schema_of

TYPES = ("[Int]", "[Int!]", "[Int]!", "[Int!]!")
NESTED = ("[[Int]]", "[[Int!]]", "[[Int]!]", "[[Int!]!]!")
FAILURE = ValueError("no item")


def good() -> Any:
    return [1, 2]


def failing_generator() -> Iterator[Any]:
    yield 1
    yield "not a number"
    raise FAILURE


async def asynchronous() -> AsyncIterator[Any]:
    yield 1
    yield None
    yield "not a number"


async def failing_asynchronous() -> AsyncIterator[Any]:
    yield 1
    raise FAILURE


class Endless:
    """An asynchronous iterator without a way to close it."""

    def __init__(self) -> None:
        self.left = 2

    def __aiter__(self) -> "Endless":
        return self

    async def __anext__(self) -> int:
        if not self.left:
            raise StopAsyncIteration
        self.left -= 1
        return self.left


# Values of a list field; made anew for each execution.
VALUES: dict[str, Callable[[], Any]] = {
    "items": good,
    "empty": list,
    "null": lambda: None,
    "null inside": lambda: [1, None, 2],
    "only null": lambda: [None],
    "exception": lambda: FAILURE,
    "exception inside": lambda: [1, FAILURE, 2],
    "two exceptions": lambda: [FAILURE, 1, ValueError("another")],
    "bad leaf inside": lambda: [1, "x", 2],
    "tuple": lambda: (1, None),
    "set": lambda: {1},
    "range": lambda: range(3),
    "keys": {1: 1, 2: 2}.keys,
    "generator": lambda: (number for number in (1, 2)),
    "failing generator": failing_generator,
    "text": lambda: "12",
    "bytes": lambda: b"12",
    "mapping": lambda: {"a": 1},
    "number": lambda: 12,
    "object": object,
}
# Values with something to await; errors come in the order in which they happen.
AWAITABLE: dict[str, Callable[[], Any]] = {
    "whole": lambda: later([1, 2]),
    "whole null": lambda: later(None),
    "whole failing": lambda: later(FAILURE),
    "items": lambda: [later(1), later(2)],
    "one null": lambda: [later(1), later(None), 3],
    "one failing": lambda: [later(1), later(FAILURE), 3],
    "one bad": lambda: [1, later("x")],
    "all awaitable": lambda: later([later(1), 2, later(None)]),
    "generator of awaitables": lambda: (later(number) for number in (1, 2)),
    "asynchronous": asynchronous,
    "failing asynchronous": failing_asynchronous,
    "without aclose": Endless,
    "awaitable asynchronous": lambda: later(asynchronous()),
}


async def answer_of(type_: str, value: Callable[[], Any], *, ordered: bool = True) -> Any:
    schema = schema_of(f"type Query {{ list: {type_}, other: Int }}")
    return await same(
        schema, "{ list other }", lambda: {"list": value(), "other": 7}, ordered=ordered
    )


@pytest.mark.parametrize(("type_", "value"), [*product(TYPES, VALUES)])
async def test_values_of_lists(type_: str, value: str) -> None:
    answer = await answer_of(type_, VALUES[value])
    if value in ("items", "generator"):
        assert answer.value == {"list": [1, 2], "other": 7}
    if value in ("text", "bytes", "mapping", "number", "object"):
        problem = "Expected Iterable, but did not find one for field 'Query.list'."
        assert answer.messages == [problem]
    if value == "null inside":
        strict = type_ in ("[Int!]", "[Int!]!")
        assert answer.paths == ([["list", 1]] if strict else [])


@pytest.mark.parametrize(("type_", "value"), [*product(TYPES, AWAITABLE)])
async def test_values_of_lists_that_are_awaited(type_: str, value: str) -> None:
    await answer_of(type_, AWAITABLE[value], ordered=False)


@pytest.mark.parametrize(
    ("type_", "value"),
    [
        *product(
            NESTED,
            (
                [[1], [2, 3]],
                [None, [1]],
                [[1, None], [2]],
                [[FAILURE, 1], [None]],
                [[1], "text", [2]],
                [[1], FAILURE],
                [["x"], ["y", 1]],
                [],
                [[]],
                5,
                range(2),
            ),
        )
    ],
)
async def test_lists_of_lists(type_: str, value: Any) -> None:
    await answer_of(type_, lambda: value)


async def test_each_item_has_its_own_error() -> None:
    answer = await answer_of("[Int]", VALUES["two exceptions"])
    assert answer.value["list"] == [None, 1, None]
    assert answer.paths == [["list", 0], ["list", 2]]


async def test_the_first_failing_item_ends_a_strict_list() -> None:
    answer = await answer_of("[Int!]", VALUES["two exceptions"])
    assert answer.value["list"] is None
    assert answer.paths == [["list", 0]]


async def test_items_before_a_failing_iterator_keep_their_errors() -> None:
    answer = await answer_of("[Int]", failing_generator)
    assert answer.value["list"] is None
    assert answer.paths == [["list", 1], ["list"]]


@pytest.mark.parametrize("type_", ["[Row]", "[Row!]", "[Row]!", "[Row!]!"])
@pytest.mark.parametrize("strict", [False, True])
async def test_lists_of_objects(type_: str, strict: bool) -> None:
    schema = schema_of(
        f"type Query {{ rows: {type_}, n: Int }} type Row {{ id: Int{'!' if strict else ''} }}"
    )
    every: list[Any] = [
        [{"id": one} for one in ids]
        for ids in ([1, 2], [1, None, 3], ["x", 2], [1, "x", None], [], [None, None])
    ]
    every += [[None, {"id": 1}], [{"id": 1}, FAILURE], None, "rows", [5]]
    for rows in every:
        root = {"rows": rows}
        await same(schema, "{ rows { id } n }", partial(dict, root))


async def test_an_iterator_is_closed_when_it_fails_to_give_items() -> None:
    closed = []

    async def items() -> AsyncIterator[int]:
        try:
            yield 1
            raise FAILURE
        finally:
            closed.append(True)

    schema = schema_of("type Query { list: [Int] }")
    answer = await same(schema, "{ list }", lambda: {"list": items()})
    assert answer.messages == ["no item"]
    assert closed == [True, True]
