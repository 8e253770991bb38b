"""How far a null or a failure reaches: through objects and lists, returned or awaited."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from graphql import GraphQLResolveInfo

from tests.schema.engine.oracle import same
from tests.schema.engine.schemas import later, schema_of

TREE = """
type Query { soft: Node, hard: Node!, rows: [Node], strict: [Node!], id: Int, must: Int! }
type Node {
  soft: Node, hard: Node!, rows: [Node], strict: [Node!], sure: [Node!]!,
  id: Int, must: Int!, wait: Int, waitHard: Int!
}
"""
# Paths down the tree to a field that gives nothing, and where the null then is.
CASES: list[tuple[str, list[str | int] | None]] = [
    ("soft.id", None),
    ("soft.must", ["soft"]),
    ("soft.soft.must", ["soft", "soft"]),
    ("soft.hard.must", ["soft"]),
    ("soft.hard.hard.must", ["soft"]),
    ("soft.soft.hard.must", ["soft", "soft"]),
    ("hard.must", []),
    ("hard.hard.hard.must", []),
    ("hard.soft.must", ["hard", "soft"]),
    ("must", []),
    ("rows.must", ["rows", 0]),
    ("rows.hard.must", ["rows", 0]),
    ("rows.rows.must", ["rows", 0, "rows", 0]),
    ("strict.must", ["strict"]),
    ("strict.strict.must", ["strict", 0, "strict"]),
    ("strict.sure.must", ["strict"]),
    ("rows.sure.hard.must", ["rows", 0]),
    ("hard.sure.must", []),
    ("soft.sure.soft.must", ["soft", "sure", 0, "soft"]),
    ("soft.waitHard", ["soft"]),
    ("rows.strict.waitHard", ["rows", 0, "strict"]),
    ("hard.waitHard", []),
]
NOTHING: dict[str, Callable[[], Any]] = {
    "null": lambda: None,
    "failure": lambda: ValueError("broken"),
    "later null": lambda: later(None),
    "later failure": lambda: later(ValueError("broken")),
    "wrong": lambda: "not a number",
    "nothing to call": lambda: lambda info: None,
}


def tree(path: list[str], leaf: Any) -> Any:
    """Nested dictionaries along the path, lists with one item where the type is a list."""
    name, *rest = path
    value = tree(rest, leaf) if rest else leaf
    return {"id": 1, name: [value] if name in ("rows", "strict", "sure") and rest else value}


def selected(path: list[str]) -> str:
    name, *rest = path
    return f"{{ {name} {selected(rest) if rest else ''} id }}"


@pytest.mark.parametrize("nothing", NOTHING)
@pytest.mark.parametrize(("path", "null"), CASES)
async def test_where_the_null_is(path: str, null: list[str | int] | None, nothing: str) -> None:
    steps = path.split(".")
    schema = schema_of(TREE)
    answer = await same(schema, selected(steps), lambda: tree(steps, NOTHING[nothing]()))
    if null is None:
        assert len(answer.errors) == (nothing not in ("null", "later null", "nothing to call"))
        return
    value = answer.value
    for key in null:
        value = value[key]
    assert value is None
    assert len(answer.errors) == 1
    (where,) = answer.paths
    assert [one for one in where or () if isinstance(one, str)] == steps


@pytest.mark.parametrize("kind", ["null", "failure"])
async def test_errors_before_the_one_that_propagates_stay(kind: str) -> None:
    schema = schema_of(TREE)
    root = {"soft": {"id": "x", "soft": {"must": "y", "id": 1}, "must": NOTHING[kind](), "rows": 5}}
    answer = await same(
        schema, "{ soft { id soft { id must } must rows { id } } id }", lambda: root
    )
    assert answer.value == {"soft": None, "id": None}
    assert answer.paths == [["soft", "id"], ["soft", "soft", "must"], ["soft", "must"]]


async def test_errors_after_the_one_that_propagates_are_not_reported() -> None:
    schema = schema_of(TREE)
    root = {"soft": {"must": None, "id": "x", "hard": None}, "id": "y"}
    answer = await same(schema, "{ soft { must id hard { id } } id }", lambda: root)
    assert answer.paths == [["soft", "must"], ["id"]]


async def test_only_the_first_of_the_failures_at_the_top_is_reported() -> None:
    schema = schema_of(TREE)
    answer = await same(schema, "{ a: must b: must id }", lambda: {"id": "x"})
    assert answer.value is None
    assert answer.paths == [["a"]]


async def test_items_after_a_failing_one_of_a_strict_list_are_not_reported() -> None:
    schema = schema_of(TREE)
    rows = [{"must": 1, "id": "x"}, {"must": None}, {"must": "y"}]
    text = "{ strict { id must } rows { id must } }"
    answer = await same(schema, text, lambda: {"strict": rows, "rows": rows})
    assert answer.paths == [
        ["strict", 0, "id"],
        ["strict", 1, "must"],
        ["rows", 0, "id"],
        ["rows", 1, "must"],
        ["rows", 2, "must"],
    ]


async def test_many_failures_on_many_levels() -> None:
    """Each row fails in its own way; all are reported, in the order of the document."""

    def row(number: int) -> dict[str, Any]:
        return {
            "id": "x" if number % 2 else number,
            "must": None if number % 3 == 0 else 1,
            "soft": {"must": None if number % 4 == 0 else 2, "id": number},
            "wait": "late" if number % 5 == 0 else 1,
        }

    schema = schema_of(TREE)
    text = "{ rows { soft { id must } id wait must } strict { id } }"
    answer = await same(
        schema, text, lambda: {"rows": [row(n) for n in range(30)], "strict": [row(1), None]}
    )
    # Of `must` below `soft`, of `id`, `wait` and `must`, and two of the strict list.
    assert len(answer.errors) == 8 + 15 + 6 + 10 + 2
    assert answer.value["rows"][1] == {
        "soft": {"id": 1, "must": 2},
        "id": None,
        "wait": 1,
        "must": 1,
    }


async def test_a_failure_does_not_keep_others_from_their_end() -> None:
    """What is awaited beside a failure is awaited to its end, and nothing warns of it."""
    ended = []

    async def slow(source: Any, info: GraphQLResolveInfo[Any]) -> int:
        for _ in range(5):
            await asyncio.sleep(0)
        ended.append(info.path.as_list())
        return 1

    def fails(source: Any, info: GraphQLResolveInfo[Any]) -> int:
        raise ValueError("at once")

    schema = schema_of(TREE, {"Node.wait": slow, "Node.waitHard": fails})
    answer = await same(
        schema, "{ soft { waitHard wait } rows { wait } }", lambda: {"soft": {}, "rows": [{}, {}]}
    )
    assert answer.value == {"soft": None, "rows": [{"wait": 1}, {"wait": 1}]}
    assert answer.messages == ["at once"]
    assert ["rows", 1, "wait"] in ended
