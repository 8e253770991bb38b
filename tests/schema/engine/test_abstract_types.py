"""Interfaces and unions: how the type of a value is found, and everything that can go wrong."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import pytest
from graphql import GraphQLObjectType, GraphQLResolveInfo

from tests.schema.engine.oracle import same
from tests.schema.engine.schemas import later, schema_of

SDL = """
interface Shape { area: Float, near: Shape }
interface Round implements Shape { area: Float, near: Shape, radius: Float! }
type Circle implements Shape & Round { area: Float, near: Shape, radius: Float!, only: String }
type Square implements Shape { area: Float, near: Shape, side: Float, only: String }
type Text { words: String, only: String }
union Anything = Circle | Square | Text
enum Colour { RED }
type Query {
  shape: Shape, shapes: [Shape], round: Round, thing: Anything, things: [Anything!],
  circle: Circle, circles: [Circle!]
}
"""
TEXT = """
{
  shape { __typename area ... on Circle { radius near { __typename } } ...S }
  thing { __typename ... on Shape { area } ... on Round { radius } ... on Text { words } }
}
fragment S on Square { side ... on Shape { near { area ...S } } }
"""


@dataclass
class Value:
    """A value with the name of its type, and with every field."""

    kind: Any
    area: float = 2.0
    radius: float | None = 1.0
    side: float = 1.5
    words: str = "some"
    near: Any = None
    only: str = "mine"


def kinds(value: Any, info: GraphQLResolveInfo[Any], abstract: Any) -> Any:
    return value.kind


def is_kind(name: str, answer: Callable[[bool], Any] = lambda found: found) -> Any:
    return lambda value, info: answer(value.kind == name)


def kinds_later(value: Any, info: GraphQLResolveInfo[Any], abstract: Any) -> Any:
    return later(value.kind)


BY_NAME = {f"{name}:resolve_type": kinds for name in ("Shape", "Round", "Anything")}
BY_NAME_LATER = dict.fromkeys(BY_NAME, kinds_later)
BY_TEST = {f"{name}:is_type_of": is_kind(name) for name in ("Circle", "Square", "Text")}
BY_TEST_LATER = {
    f"{name}:is_type_of": is_kind(name, later) for name in ("Circle", "Square", "Text")
}
MIXED = {**BY_TEST, "Square:is_type_of": is_kind("Square", later), **BY_NAME_LATER}
WAYS = {
    "by name": BY_NAME,
    "by name, later": BY_NAME_LATER,
    "by test": BY_TEST,
    "by test, later": BY_TEST_LATER,
    "mixed": MIXED,
    "both": BY_NAME | BY_TEST,
    "both, later": BY_NAME | BY_TEST_LATER,
}
ways = pytest.mark.parametrize("way", WAYS)


@ways
async def test_fragments_apply_by_the_type_of_the_value(way: str) -> None:
    schema = schema_of(SDL, WAYS[way])
    for one in ("Circle", "Square"):
        root = {
            "shape": Value(one, near=Value("Square", near=Value("Circle"))),
            "thing": Value(one),
        }
        answer = await same(schema, TEXT, partial(dict, root))
        assert answer.value["shape"]["__typename"] == one
        assert ("radius" in answer.value["thing"]) == (one == "Circle")
        assert answer.errors == ()
    answer = await same(schema, TEXT, lambda: {"thing": Value("Text")})
    assert answer.value == {"shape": None, "thing": {"__typename": "Text", "words": "some"}}


@ways
async def test_lists_of_different_types(way: str) -> None:
    schema = schema_of(SDL, WAYS[way])
    text = "{ shapes { area ... on Circle { only } } things { ... on Text { only } __typename } }"
    values = [Value("Circle"), Value("Square"), None, Value("Circle", area=3)]
    answer = await same(
        schema,
        text,
        lambda: {"shapes": values, "things": [Value("Text"), Value("Square"), Value("Text")]},
    )
    assert answer.value["shapes"][2:] == [None, {"area": 3.0, "only": "mine"}]
    assert [len(one) for one in answer.value["things"]] == [2, 1, 2]


@ways
@pytest.mark.parametrize(
    "kind",
    ["Nowhere", "Colour", "Shape", "Query", "Text", None, 5, "", ["Circle"], "Square", "Circle"],
)
async def test_wrong_names_of_types(way: str, kind: Any) -> None:
    schema = schema_of(SDL, WAYS[way])
    text = "{ round { area } shapes { __typename } things { ... on Text { words } } }"
    shown = Value(kind)
    answer = await same(
        schema,
        text,
        lambda: {"round": shown, "shapes": [Value("Circle"), shown], "things": [shown]},
        ordered=False,
    )
    if kind != "Circle":
        assert answer.value["round"] is None
        assert answer.errors != ()


MESSAGES = {
    "Nowhere": "Abstract type 'Round' was resolved to a type 'Nowhere' that does not exist inside "
    "the schema.",
    "Colour": "Abstract type 'Round' was resolved to a non-object type 'Colour'.",
    "Square": "Runtime Object type 'Square' is not a possible type for 'Round'.",
    None: "Abstract type 'Round' must resolve to an Object type at runtime for field "
    "'Query.round'. Either the 'Round' type should provide a 'resolve_type' function or each "
    "possible type should provide an 'is_type_of' function.",
}


@pytest.mark.parametrize("kind", MESSAGES)
async def test_messages_about_types(kind: str | None) -> None:
    schema = schema_of(SDL, BY_NAME)
    answer = await same(schema, "{ round { area } }", lambda: {"round": Value(kind)})
    assert answer.messages == [MESSAGES[kind]]


async def test_an_object_type_in_place_of_its_name_is_refused() -> None:
    def give_type(value: Any, info: GraphQLResolveInfo[Any], abstract: Any) -> GraphQLObjectType:
        found = info.schema.type_map["Circle"]
        assert isinstance(found, GraphQLObjectType)
        return found

    schema = schema_of(SDL, {"Shape:resolve_type": give_type})
    answer = await same(schema, "{ shape { area } }", lambda: {"shape": {"area": 1}})
    assert "which is not a valid Object type name" in answer.messages[0]


class Typed:
    """An object that names its type in a private attribute."""

    def __init__(self, name: str) -> None:
        self.__typename = name
        self.area = 4


@pytest.mark.parametrize(
    "value",
    [
        {"__typename": "Circle", "area": 1},
        {"__typename": "Nowhere"},
        {"__typename": 5, "area": 1},
        {"area": 1},
        Typed("Square"),
        Typed(""),
        "text",
    ],
)
async def test_values_that_name_their_type(value: Any) -> None:
    await same(schema_of(SDL), "{ shape { __typename area } }", lambda: {"shape": value})


FAILING: dict[str, Callable[..., Any]] = {
    "raises": lambda *_: 1 / 0,
    "raises later": lambda *_: later(ZeroDivisionError("division by zero")),
    "false": lambda *_: False,
    "false later": lambda *_: later(False),
    "null": lambda *_: None,
    "truth": lambda *_: "yes",
}


@pytest.mark.parametrize("failing", FAILING)
@pytest.mark.parametrize(
    "place", ["Circle:is_type_of", "Shape:resolve_type", "Anything:resolve_type"]
)
@pytest.mark.parametrize("field", ["shape", "thing", "circle"])
async def test_functions_that_fail(failing: str, place: str, field: str) -> None:
    schema = schema_of(SDL, BY_TEST | {place: FAILING[failing]})
    text = f"{{ {field} {{ __typename ... on Circle {{ radius }} }} }}"
    await same(schema, text, lambda: {field: Value("Circle", radius=None)})
    many = {"shape": "shapes", "thing": "things", "circle": "circles"}[field]
    text = f"{{ {many} {{ __typename ... on Circle {{ radius }} }} }}"
    await same(schema, text, lambda: {many: [Value("Circle"), Value("Circle", radius=None)]})


async def test_objects_are_asked_whether_they_are_of_their_type() -> None:
    schema = schema_of(SDL, BY_TEST)
    answer = await same(schema, "{ circle { area } }", lambda: {"circle": Value("Square")})
    assert answer.messages == ["Expected value of type 'Circle' but got: <Value instance>."]
    assert answer.paths == [["circle"]]


async def test_functions_are_told_the_field_and_the_path() -> None:
    told: list[Any] = []

    def resolve_type(value: Any, info: GraphQLResolveInfo[Any], abstract: Any) -> str:
        told.append((info.path.as_list(), info.field_name, info.parent_type.name, abstract.name))
        return "Circle"

    def is_type_of(value: Any, info: GraphQLResolveInfo[Any]) -> bool:
        told.append((info.path.as_list(), info.field_name, info.context))
        return True

    schema = schema_of(SDL, {"Shape:resolve_type": resolve_type, "Circle:is_type_of": is_type_of})
    text = "{ a: shapes { near { area } } }"
    await same(schema, text, lambda: {"shapes": [Value(1, near=Value(2))]}, context="c")
    theirs, ours = told[: len(told) // 2], told[len(told) // 2 :]
    assert sorted(map(str, ours)) == sorted(map(str, theirs))
    assert len(ours) == 4
