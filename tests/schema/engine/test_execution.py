"""Operations, arguments, what resolvers are told, and where values come from without a resolver."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from graphql import GraphQLError, GraphQLResolveInfo, GraphQLSchema, parse

from schema.engine.engine import Engine
from tests.schema.engine.oracle import same
from tests.schema.engine.schemas import later, schema_of

ROOMS = """
type Query { name: String, room(id: Int = 4, tags: [String!]): Room, other: Room, all: [Room] }
type Room { id: Int, name: String, next: Room, size(unit: String): Int }
"""


async def test_values_of_every_kind_of_source() -> None:
    schema = schema_of("type Query { a: Int, b: Int, c: Int, d: Int, e: Int, missing: Int }")
    text = "{ a b c d e missing }"
    root = SimpleNamespace(a=1, b=lambda info: 2, c=3, d=lambda info, **_: later(4), e=None)

    def mapping() -> dict[str, Any]:
        functions = {"b": lambda info: 2, "d": lambda info: later(4)}
        return {"a": 1, "c": later(3), "e": None, **functions}

    expected = {"a": 1, "b": 2, "c": 3, "d": 4, "e": None, "missing": None}
    assert (await same(schema, text, mapping)).value == expected
    assert (await same(schema, text, lambda: root)).value == expected
    assert (await same(schema, text)).value == dict.fromkeys(expected)


async def test_methods_get_arguments_by_name() -> None:
    schema = schema_of("type Query { sum(left: Int!, right: Int = 5): Int, self: Query }")

    class Root:
        def sum(self, info: GraphQLResolveInfo[Any], left: int, right: int) -> int:
            return left + right

        @property
        def self(self) -> "Root":
            return self

    text = "{ sum(left: 1) self { sum(left: 2, right: 2) self { more: sum(left: 7) } } }"
    answer = await same(schema, text, Root)
    assert answer.value == {"sum": 6, "self": {"sum": 4, "self": {"more": 12}}}


async def test_keys_stand_in_the_order_of_the_document() -> None:
    schema = schema_of(ROOMS)
    text = """
    { other { ...F id } b: name a: name other { name next { id } } }
    fragment F on Room { next { name } id }
    """
    root = {"name": "n", "other": {"id": 1, "name": "o", "next": {"id": 2, "name": "p"}}}
    answer = await same(schema, text, lambda: root)
    assert list(answer.value) == ["other", "b", "a"]
    assert answer.data.startswith('{"other": {"next": {"name": "p", "id": 2}, "id": 1, "name"')


async def test_resolvers_are_told_everything_of_their_field() -> None:
    told: list[GraphQLResolveInfo[Any]] = []

    def tell(source: Any, info: GraphQLResolveInfo[Any], **arguments: Any) -> Any:
        told.append(info)
        return [{"name": "x"}] if info.field_name == "all" else "x"

    schema = schema_of(ROOMS, {"Query.all": tell, "Room.name": tell})
    text = "query Q($v: Int = 3) { a: all { name: name } a: all { name } room(id: $v) { id } }"
    root = {"room": {"id": 1}}
    await same(schema, text, lambda: root, context="context", variables={})
    theirs, ours = told[: len(told) // 2], told[len(told) // 2 :]
    assert len(ours) == len(theirs) == 2
    for one, other in zip(ours, theirs, strict=True):
        for name in (
            "field_name", "field_nodes", "return_type", "parent_type", "path", "schema",
            "fragments", "root_value", "operation", "variable_values", "context",
        ):  # fmt: skip
            assert getattr(one, name) == getattr(other, name), name
        assert one.is_awaitable(asyncio.sleep) is False
    assert ours[0].path.as_list() == ["a"]
    assert ours[1].path.as_list() == ["a", 0, "name"]
    assert len(ours[1].field_nodes) == 2
    assert ours[1].variable_values.coerced == {"v": 3}


async def test_helpers_of_resolvers_for_asynchronous_work() -> None:
    done = []

    async def work() -> None:
        done.append(1)

    async def resolve(source: Any, info: GraphQLResolveInfo[Any]) -> Any:
        info.async_helpers.track([work(), 5])
        return sum(await info.async_helpers.gather([later(1), later(2)]))

    schema = schema_of("type Query { a: Int }", {"Query.a": resolve})
    assert (await same(schema, "{ a }")).value == {"a": 3}
    await asyncio.sleep(0)
    assert done == [1, 1]


OPERATIONS = """
query One { name }
query Two($v: Int = 1) { room(id: $v) { id } }
mutation Three { name }
fragment F on Query { name }
"""


@pytest.mark.parametrize(
    ("text", "operation", "message"),
    [
        (OPERATIONS, "One", None),
        (OPERATIONS, "Two", None),
        (OPERATIONS, None, "Must provide operation name if query contains multiple operations."),
        (OPERATIONS, "Four", "Unknown operation named 'Four'."),
        (OPERATIONS, "F", "Unknown operation named 'F'."),
        (OPERATIONS, "", "Unknown operation named ''."),
        (OPERATIONS, "Three", "Schema is not configured to execute mutation operation."),
        ("fragment F on Query { name }", None, "Must provide an operation."),
        ("fragment F on Query { name }", "One", "Unknown operation named 'One'."),
        ("{ name }", "One", "Unknown operation named 'One'."),
        (
            "subscription { name }",
            None,
            "Schema is not configured to execute subscription operation.",
        ),
        ("query Only { name }", None, None),
    ],
)
async def test_choice_of_the_operation(
    text: str, operation: str | None, message: str | None
) -> None:
    answer = await same(schema_of(ROOMS), text, lambda: {"name": "n"}, operation=operation)
    assert answer.messages == ([] if message is None else [message])
    assert (answer.value is None) is (message is not None)


async def test_root_types_with_names_of_their_own() -> None:
    schema = schema_of("schema { query: Q mutation: M } type Q { a: String } type M { b: String }")
    assert (await same(schema, "{ __typename a }")).value == {"__typename": "Q", "a": None}
    assert (await same(schema, "mutation { __typename b }")).value == {"__typename": "M", "b": None}


async def test_fields_that_the_type_does_not_have_are_left_out() -> None:
    """A document that was not validated is still executed as the specification says."""
    schema = schema_of(ROOMS)
    text = "{ unknown name other { unknown id } ...Missing }"
    answer = await same(schema, text, lambda: {"name": "n", "other": {"id": 1}})
    assert answer.value == {"name": "n", "other": {"id": 1}}


async def test_arguments_reach_resolvers_as_they_were_given() -> None:
    seen: list[dict[str, Any]] = []

    def room(source: Any, info: GraphQLResolveInfo[Any], **arguments: Any) -> None:
        seen.append(arguments)

    schema = schema_of(ROOMS, {"Query.room": room})
    for arguments in (
        "", "(id: 1)", "(id: null)", "(tags: [])", '(tags: "a")', '(tags: ["a", "b"], id: 2)',
        "(tags: null)", "(id: $i)", "(tags: [$t])", "(tags: $l)",
    ):  # fmt: skip
        head = "query ($i: Int, $t: String!, $l: [String!])"
        await same(schema, f"{head} {{ room{arguments} {{ id }} }}", variables={"t": "v"})
        assert seen[-1] == seen[-2], arguments
    assert seen[1] == {"id": 4}
    assert seen[5] == {"id": None}
    assert seen[-1] == {"id": 4}


async def test_an_argument_that_is_missing_is_an_error_of_its_field() -> None:
    schema = schema_of("type Query { a(x: Int!): Int, b: Int }")
    answer = await same(schema, "{ a b }", lambda: {"b": 1})
    assert answer.value == {"a": None, "b": 1}
    assert answer.messages == ["Argument 'x' of required type 'Int!' was not provided."]


async def test_resolvers_of_a_level_wait_together() -> None:
    """Three resolvers that each wait for the other two: one after another would never end."""
    barriers = [asyncio.Barrier(3), asyncio.Barrier(3)]

    async def meet(source: Any, info: GraphQLResolveInfo[Any]) -> int:
        await asyncio.wait_for(barriers[0].wait(), 60)
        return 1

    schema = schema_of(
        "type Query { rows: [Row] } type Row { a: Int }",
        {"Query.rows": lambda *_: [1, 2, 3], "Row.a": meet},
    )
    answer = await same(schema, "{ rows { a } }")
    assert answer.value == {"rows": [{"a": 1}] * 3}


async def test_an_error_stays_with_its_field() -> None:
    def fails(source: Any, info: GraphQLResolveInfo[Any]) -> Any:
        raise ValueError(info.field_name)

    async def fails_later(source: Any, info: GraphQLResolveInfo[Any]) -> Any:
        raise ValueError(info.field_name)

    schema = schema_of(
        "type Query { a: Int, b: Int, c: Int, d: Int }",
        {
            "Query.a": fails,
            "Query.b": fails_later,
            "Query.c": lambda *_: ValueError("c"),
            "Query.d": lambda *_: 4,
        },
    )
    answer = await same(schema, "{ a b c d }", ordered=False)
    assert answer.value == {"a": None, "b": None, "c": None, "d": 4}
    assert sorted(answer.messages) == ["a", "b", "c"]
    assert sorted(map(str, answer.paths)) == ["['a']", "['b']", "['c']"]


async def test_a_deep_document_is_executed() -> None:
    depth = 60
    text = "{ a: other " + "{ next " * depth + "{ id }" + " }" * depth + " }"
    root: dict[str, Any] = {"id": 1}
    root["next"] = root
    answer = await same(schema_of(ROOMS), text, lambda: {"other": root})
    assert answer.data.count("next") == depth


def test_an_invalid_schema_is_refused() -> None:
    with pytest.raises(TypeError, match="Query root type must be provided"):
        Engine(GraphQLSchema())


async def test_a_plan_is_used_again_with_other_variables() -> None:
    engine = Engine(schema_of(ROOMS, {"Query.name": lambda *_: "n"}))
    plan = engine.plan(parse("query ($v: Boolean!) { a: name @skip(if: $v) b: name }"))
    for value, data in ((True, {"b": "n"}), (False, {"a": "n", "b": "n"}), (True, {"b": "n"})):
        assert (await engine.execute(plan, variables={"v": value})).data == data
    result = await engine.execute(plan, variables={})
    assert result.data is None
    assert [type(error) for error in result.errors or ()] == [GraphQLError]
