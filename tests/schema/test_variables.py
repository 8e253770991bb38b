"""Variables are coerced exactly as graphql-core does, whether by the fast way or its own."""

import enum
import math
from typing import Any

import pytest
import strawberry
from graphql import build_schema, get_variable_values, parse

from schema.variables import VariableReader


@strawberry.enum
class Size(enum.Enum):
    SMALL = "small"
    LARGE = "large"


@strawberry.type
class Query:
    @strawberry.field
    def sized(self, size: Size) -> str:
        return size.value


PLAIN = build_schema('input Pair { a: Int! b: String = "c" } type Query { a(pair: Pair): Int }')
SCHEMAS = {"Size": strawberry.Schema(Query)._schema}
VALUES: list[Any] = [
    None, True, False, 0, 1, -1, 2**31 - 1, 2**31, -(2**31), 2**63, 1.0, 1.5, math.inf, math.nan,
    "", "a", "1", "SMALL", "LARGE", "small", [], ["a"], [1, None], {}, {"a": 1}, {"a": "x"},
]  # fmt: skip
TYPES = ["Int", "Float", "String", "ID", "Boolean", "Size", "[ID!]", "[Int]", "Pair"]
DEFAULTS = {
    "Int": "3", "Float": "3", "String": '"d"', "ID": "4", "Boolean": "true", "Size": "LARGE",
    "[ID!]": "5", "[Int]": "[null]", "Pair": "{a: 1}",
}  # fmt: skip


@pytest.mark.parametrize("type_", TYPES)
@pytest.mark.parametrize("mark", ["", "!"])
@pytest.mark.parametrize("default", [False, True])
def test_values_are_those_of_graphql_core(type_: str, mark: str, default: bool) -> None:
    schema = SCHEMAS.get(type_, PLAIN)
    given = f" = {DEFAULTS[type_]}" if default else ""
    text = f"query ($v: {type_}{mark}{given}, $other: Int) {{ __typename }}"
    operation = parse(text).definitions[0]
    reader = VariableReader(schema, operation, False)
    for inputs in [{}, {"other": 1, "unknown": 2}, *({"v": value} for value in VALUES)]:
        for _ in range(2):  # defaults are worked out once
            expected = get_variable_values(schema, operation.variable_definitions, inputs)
            found = reader.read(inputs)
            if isinstance(expected, list):
                assert [error.formatted for error in found] == [e.formatted for e in expected]
                continue
            assert repr(found.coerced) == repr(expected.coerced)
            assert list(found.sources) == list(expected.sources)
            for name, source in expected.sources.items():
                assert repr(found.sources[name].value) == repr(source.value)
                assert str(found.sources[name].signature.type) == str(source.signature.type)
