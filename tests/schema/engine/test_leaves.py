"""Scalars and enumerations in the answer, and how errors are shown."""

from collections.abc import Callable
from decimal import Decimal
from enum import Enum
from functools import partial
from typing import Any

import pytest
from graphql import (
    GraphQLEnumType,
    GraphQLError,
    GraphQLField,
    GraphQLInt,
    GraphQLList,
    GraphQLNonNull,
    GraphQLObjectType,
    GraphQLScalarType,
    GraphQLSchema,
    GraphQLString,
    Source,
    Undefined,
    parse,
)

from tests.schema.engine.oracle import actual, expected, same
from tests.schema.engine.schemas import schema_of


class Shown:
    def __str__(self) -> str:
        return "shown"


class Colour(Enum):
    RED = "red"
    GREEN = "green"


class Text(str):
    """Text of another class."""


VALUES: tuple[Any, ...] = (
    0, 1, -5, 2**31 - 1, 2**31, -(2**31) - 1, 1.0, 1.5, float("nan"), float("inf"), True, False,
    "", "1", "1.5", "text", Text("x"), b"x", [], [1], {}, {"a": 1}, (), Shown(), Colour.RED, object,
    Decimal("3"), Decimal("3.5"), None, Undefined, ValueError("a value"), "RED", "red", print,
)  # fmt: skip


@pytest.mark.parametrize("scalar", ["Int", "Float", "String", "Boolean", "ID", "Any", "Tone", "Py"])
@pytest.mark.parametrize("strict", ["", "!"])
async def test_every_value_in_every_leaf(scalar: str, strict: str) -> None:
    schema = schema_of(
        f"scalar Any enum Tone {{ RED GREEN }} enum Py {{ RED GREEN }} "
        f"type Query {{ row: Row, rows: [Row] }} type Row {{ v: {scalar}{strict}, w: Int }}"
    )
    py = schema.type_map["Py"]
    assert isinstance(py, GraphQLEnumType)
    for value, member in zip(py.values.values(), Colour, strict=True):
        value.value = member
    for value in VALUES:
        one = {"v": value, "w": 1}
        root = {"row": one, "rows": [one, one]}
        await same(schema, "{ row { v w } rows { w v } }", partial(dict, root))
    rows = [{"v": value} for value in VALUES]
    for count in (len(VALUES), 6, 3):
        await same(schema, "{ rows { v } }", partial(dict, rows=rows[:count]))
    lists = schema_of(
        f"scalar Any enum Tone {{ RED }} enum Py {{ RED }} type Query {{ l: [{scalar}{strict}] }}"
    )
    await same(lists, "{ l }", lambda: {"l": list(VALUES)})


SERIALIZERS: dict[str, Callable[[Any], Any]] = {
    "as it is": lambda value: value,
    "object": lambda value: {"value": value, "more": [value]},
    "null": lambda value: None,
    "undefined": lambda value: Undefined,
    "raises": lambda value: 1 / 0,
    "refuses": lambda value: (_ for _ in ()).throw(
        GraphQLError("refused", extensions={"code": "NO"})
    ),
}


@pytest.mark.parametrize("kind", SERIALIZERS)
async def test_custom_scalars(kind: str) -> None:
    scalar = GraphQLScalarType("Own", coerce_output_value=SERIALIZERS[kind])
    fields = {
        "one": GraphQLField(scalar),
        "hard": GraphQLField(GraphQLNonNull(scalar)),
        "many": GraphQLField(GraphQLList(scalar)),
    }
    query = GraphQLObjectType("Query", {**fields, "n": GraphQLField(GraphQLInt)})
    schema = GraphQLSchema(query)
    root = {"one": 1, "hard": 2, "many": [3, None, 4], "n": 5}
    for text in ("{ one n }", "{ hard n }", "{ many n }"):
        answer = await same(schema, text, lambda: root)
        assert bool(answer.errors) is (kind not in ("as it is", "object"))


class Coded(Exception):
    """An exception with extensions."""

    def __init__(self, message: str, extensions: Any) -> None:
        super().__init__(message)
        self.extensions = extensions


class Described(Exception):
    """An exception whose message is an attribute."""

    message = "the attribute"


def nested() -> Exception:
    try:
        try:
            raise KeyError("inner")
        except KeyError as inner:
            raise ValueError("outer") from inner
    except ValueError as outer:
        return outer


NODE = parse("{ elsewhere }").definitions[0]
ERRORS: dict[str, Callable[[], Exception]] = {
    "plain": lambda: ValueError("plain"),
    "empty": ValueError,
    "key": lambda: KeyError("key"),
    "extensions": lambda: Coded("coded", {"code": "X", "more": [1]}),
    "bad extensions": lambda: Coded("coded", "none"),
    "graphql": lambda: GraphQLError("known"),
    "graphql with extensions": lambda: GraphQLError("known", extensions={"code": "Y"}),
    "graphql with a path": lambda: GraphQLError("known", path=["own", 1]),
    "graphql with nodes": lambda: GraphQLError("known", nodes=[NODE]),
    "graphql with positions": lambda: GraphQLError("known", source=Source("{ a }"), positions=[2]),
    "graphql with a cause": lambda: GraphQLError("known", original_error=Coded("c", {"code": "Z"})),
    "message": Described,
    "nested": nested,
    "group": lambda: ExceptionGroup("several", [ValueError("one"), KeyError("two")]),
}


@pytest.mark.parametrize("how", ["raised", "returned", "in a list", "strict"])
@pytest.mark.parametrize("kind", ERRORS)
async def test_how_errors_are_shown(kind: str, how: str) -> None:
    def resolve(*_: Any) -> Any:
        error = ERRORS[kind]()
        if how == "raised":
            raise error
        return [error, "x", error] if how == "in a list" else error

    type_ = {"in a list": "[String]", "strict": "String!"}.get(how, "String")
    schema = schema_of(f"type Query {{ a: {type_}, b: Int }}", {"Query.a": resolve})
    answer = await same(schema, "{ b x: a\n  y: a }", lambda: {"b": 1})
    assert answer.errors != ()


async def test_one_exception_object_for_many_fields() -> None:
    error = Coded("shared", {"code": "S"})
    schema = schema_of("type Query { rows: [Row] } type Row { a: Int, b: Int! }")
    rows = [{"a": error, "b": 1}, {"a": 1, "b": error}, {"a": error, "b": error}]
    answer = await same(schema, "{ rows { a b } rows { c: a } }", lambda: {"rows": rows})
    assert answer.messages == ["shared"] * 5
    assert answer.paths[0] == ["rows", 0, "a"]


async def test_locations_are_those_of_all_merged_fields() -> None:
    schema = schema_of("type Query { a: Int }")
    answer = await same(schema, "{\n a\n ...F }\nfragment F on Query { a }", lambda: {"a": "x"})
    assert '"locations": [[2, 2], [4, 23]]' in answer.errors[0]


async def test_exceptions_that_are_none_of_errors_end_the_execution() -> None:
    class Stop(BaseException):
        pass

    def stop(*_: Any) -> Any:
        raise Stop

    query = GraphQLObjectType("Query", {"a": GraphQLField(GraphQLString, resolve=stop)})
    for execute in (expected, actual):
        with pytest.raises(Stop):
            await execute(GraphQLSchema(query), "{ a }")
