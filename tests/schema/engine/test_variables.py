"""Variables and literals of every input type: what resolvers get, and what is refused."""

from collections.abc import Mapping
from typing import Any

import pytest
from graphql import GraphQLEnumType, GraphQLInputObjectType, GraphQLScalarType, Undefined

from tests.schema.engine.oracle import same
from tests.schema.engine.schemas import schema_of

SDL = """
enum Size { SMALL LARGE NONE }
scalar Even
input Box { size: Size = LARGE, even: Even, inner: Box, label: String! = "none", marks: [Int!] }
input Must { value: Int!, box: Box }
input OneOf @oneOf { number: Int, box: Box, words: [String!] }
type Query {
  int(v: Int): String, intHard(v: Int!): String, intDefault(v: Int = 7): String,
  intBoth(v: Int! = 8): String, float(v: Float): String, string(v: String): String,
  boolean(v: Boolean): String, id(v: ID): String, size(v: Size): String,
  sizeDefault(v: Size = SMALL): String, even(v: Even): String, list(v: [Int]): String,
  strict(v: [Int!]): String, hard(v: [Int]!): String, both(v: [Int!]!): String,
  lists(v: [[Int!]]): String, sizes(v: [Size!] = [SMALL]): String, box(v: Box): String,
  boxes(v: [Box!]): String, boxDefault(v: Box = {marks: [1]}): String, must(v: Must): String,
  one(v: OneOf): String, ones(v: [OneOf!]!): String, two(v: Int, w: Int = 2): String
}
"""
BUILT_IN = {
    "int": "Int", "intHard": "Int!", "float": "Float", "string": "String", "boolean": "Boolean",
    "id": "ID", "size": "Size", "even": "Even", "list": "[Int]", "strict": "[Int!]",
    "hard": "[Int]!", "both": "[Int!]!", "lists": "[[Int!]]", "box": "Box", "boxes": "[Box!]",
    "must": "Must", "one": "OneOf", "ones": "[OneOf!]!",
}  # fmt: skip
VALUES: list[Any] = [
    None, 0, 2, -1, 2**31, 2.0, 1.5, float("nan"), True, "", "5", "text", "SMALL", "NOWHERE",
    [], [1], [None], [1, None], ["x", 1], [[1]], [[1, None], None], {}, {"size": "SMALL"},
    {"size": "BIG"}, {"size": None, "marks": 4}, {"even": 2, "inner": {"even": 3}},
    {"label": None}, {"unknown": 1}, {"unknown": 1, "other": 2}, {"value": 1},
    {"value": 1, "box": {"marks": [1, None]}}, {"number": 1}, {"number": None},
    {"number": 1, "words": ["a"]}, {"words": "a"}, {"box": {"marks": ["x", "y"]}},
    [{"number": 1}, {"words": [None]}], Undefined,
]  # fmt: skip
LITERALS = [
    "null", "0", "2", "-1", "2147483648", "2.0", "1.5", "true", '""', '"5"', "SMALL", "NOWHERE",
    "[]", "[1]", "[null]", "[1, [2]]", "[[1]]", "[$int]", "[[$int, 2]]", "{}", "{size: SMALL}",
    "{size: $size}", "{even: 2, inner: {even: 4, inner: {label: $string}}}", "{label: null}",
    "{unknown: 1}", "{value: $int}", "{value: 1, box: {marks: $int}}", "{number: 1}",
    "{number: $int}", "{number: null}", "{number: 1, words: []}", "{box: {marks: [$int, 3]}}",
    '[{words: ["a", $string]}]', "$int", "$string", "$size", "$missing", "$box",
]  # fmt: skip


class Taken:
    """What an input object becomes."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.values = values

    def __repr__(self) -> str:
        return f"Taken({self.values})"


def even(value: Any) -> Any:
    if not isinstance(value, int) or value % 2:
        raise ValueError(f"not even: {value!r}")
    return ("even", value)


def shown(root: Any, info: Any, **arguments: Any) -> str:
    return repr(arguments)


def build() -> Any:
    schema = schema_of(SDL)
    assert schema.query_type is not None
    for field in schema.query_type.fields.values():
        field.resolve = shown
    size, scalar = schema.type_map["Size"], schema.type_map["Even"]
    box, must = schema.type_map["Box"], schema.type_map["Must"]
    assert isinstance(size, GraphQLEnumType)
    for value, internal in zip(size.values.values(), (1, 10, None), strict=True):
        value.value = internal
    assert isinstance(scalar, GraphQLScalarType)
    scalar.coerce_input_value = even
    assert isinstance(box, GraphQLInputObjectType)
    box.fields["inner"].out_name = "inside"
    assert isinstance(must, GraphQLInputObjectType)
    must.out_type = lambda values: Taken(values)  # type: ignore[assignment, method-assign]
    schema.query_type.fields["two"].args["w"].out_name = "other"
    return schema


SCHEMA = build()


@pytest.mark.parametrize("field", BUILT_IN)
async def test_values_of_variables(field: str) -> None:
    type_ = BUILT_IN[field]
    results = []
    for value in VALUES:
        variables = {} if value is Undefined else {"v": value}
        text = f"query ($v: {type_}) {{ {field}(v: $v) two }}"
        results.append(await same(SCHEMA, text, variables=variables))
    assert any(not one.errors for one in results)
    assert any(one.errors for one in results)


@pytest.mark.parametrize("field", BUILT_IN)
@pytest.mark.parametrize(
    "default", ["", " = null", " = 4", ' = "a"', " = [1]", " = {number: 3}", " = {}"]
)
async def test_defaults_of_variables(field: str, default: str) -> None:
    type_ = BUILT_IN[field].removesuffix("!")
    text = f"query ($v: {type_}{default}) {{ a: {field}(v: $v) b: {field}(v: $v) }}"
    await same(SCHEMA, text)
    await same(SCHEMA, text, variables={"v": None})


@pytest.mark.parametrize("literal", LITERALS)
async def test_literals(literal: str) -> None:
    head = "query ($int: Int, $string: String!, $size: Size, $missing: Int, $box: Box)"
    given = {"int": 5, "string": "s", "size": "LARGE", "box": {"label": "b"}}
    for field in BUILT_IN:
        await same(SCHEMA, f"{head} {{ {field}(v: {literal}) two }}", variables=given)
        await same(SCHEMA, f"{head} {{ {field}(v: {literal}) }}", variables={"string": "s"})


@pytest.mark.parametrize(
    ("text", "variables", "result"),
    [
        ("{ f: intDefault }", {}, "{'v': 7}"),
        ("{ f: intDefault(v: null) }", {}, "{'v': None}"),
        ("query ($v: Int) { f: intDefault(v: $v) }", {}, "{'v': 7}"),
        ("query ($v: Int) { f: intDefault(v: $v) }", {"v": None}, "{'v': None}"),
        ("query ($v: Int = 3) { f: intDefault(v: $v) }", {}, "{'v': 3}"),
        ("query ($v: Int) { f: intBoth(v: $v) }", {}, "{'v': 8}"),
        ("query ($v: Int) { f: intBoth(v: $v) }", {"v": None}, None),
        ("query ($v: Int!) { f: intHard(v: $v) }", {"v": 1}, "{'v': 1}"),
        ("query ($v: Int) { f: int(v: $v) }", {}, "{}"),
        ("query ($v: Int) { f: list(v: [1, $v]) }", {}, "{'v': [1, None]}"),
        ("query ($v: Int) { f: list(v: $v) }", {"v": 1}, "{'v': 1}"),
        ("query ($v: [Int]) { f: list(v: $v) }", {"v": 1}, "{'v': [1]}"),
        ("{ f: list(v: 1) }", {}, "{'v': [1]}"),
        ("{ f: lists(v: [1, [2]]) }", {}, "{'v': [[1], [2]]}"),
        ("{ f: sizes }", {}, "{'v': [1]}"),
        ("{ f: size(v: NONE) }", {}, "{'v': None}"),
        ("query ($v: Size) { f: size(v: $v) }", {"v": "LARGE"}, "{'v': 10}"),
        ("{ f: even(v: 4) }", {}, "{'v': ('even', 4)}"),
        ("{ f: box(v: {}) }", {}, "{'v': {'size': 10, 'label': 'none'}}"),
        ("{ f: box(v: {inner: null, marks: 3}) }", {},
         "{'v': {'size': 10, 'inside': None, 'label': 'none', 'marks': [3]}}"),
        ("query ($v: Size) { f: box(v: {size: $v}) }", {}, "{'v': {'size': 10, 'label': 'none'}}"),
        ("{ f: must(v: {value: 1}) }", {}, "{'v': Taken({'value': 1})}"),
        ("{ f: one(v: {number: 1}) }", {}, "{'v': {'number': 1}}"),
        ("query ($v: Int!) { f: one(v: {number: $v}) }", {"v": 3}, "{'v': {'number': 3}}"),
        ("{ f: two(v: 1, w: 3) }", {}, "{'v': 1, 'other': 3}"),
        ("{ f: two }", {}, "{'other': 2}"),
    ],
)  # fmt: skip
async def test_what_resolvers_get(text: str, variables: dict[str, Any], result: str | None) -> None:
    answer = await same(SCHEMA, text, variables=variables)
    assert answer.value == {"f": result}
    assert bool(answer.errors) is (result is None)


@pytest.mark.parametrize(
    ("text", "variables", "messages"),
    [
        ("query ($v: Int!) { intHard(v: $v) }", {},
         ["Variable '$v' has invalid value: Expected a value of non-null type 'Int!' to be "
          "provided."]),
        ("query ($v: Unknown) { int }", {"v": 1},
         ["Variable '$v' expected value of type 'Unknown' which cannot be used as an input type."]),
        ("query ($v: Query) { int }", {"v": 1},
         ["Variable '$v' expected value of type 'Query' which cannot be used as an input type."]),
        ("query ($v: Box) { box(v: $v) }", {"v": {"inner": {"marks": [1, "x"]}}},
         ["Variable '$v' has invalid value at .inner.marks[1]: Int cannot represent non-integer "
          "value: 'x'"]),
    ],
)  # fmt: skip
async def test_messages_about_variables(
    text: str, variables: dict[str, Any], messages: list[str]
) -> None:
    answer = await same(SCHEMA, text, variables=variables)
    assert answer.value is None
    assert answer.messages == messages
    assert answer.paths == [None]


async def test_all_wrong_variables_are_reported_up_to_a_limit() -> None:
    head = ", ".join(f"$v{number}: Int!" for number in range(60))
    answer = await same(SCHEMA, f"query ({head}) {{ two }}", variables={"v1": "x", "v2": 5})
    assert len(answer.errors) == 51
    assert "Too many errors" in answer.messages[-1]


async def test_variables_that_nobody_declared_mean_nothing() -> None:
    answer = await same(SCHEMA, "{ int(v: $v) }", variables={"v": 5, "w": 1})
    assert answer.value == {"int": "{}"}


async def test_deep_values_are_refused() -> None:
    value: Any = {}
    for _ in range(3_000):
        value = {"inner": value}
    answer = await same(SCHEMA, "query ($v: Box) { box(v: $v) }", variables={"v": value})
    assert answer.messages == ["Variable values are nested too deeply."]
