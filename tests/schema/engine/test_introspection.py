"""Introspection of several schemas, complete, is what graphql-core answers."""

from functools import cache

import pytest
from graphql import GraphQLSchema, build_client_schema, get_introspection_query, print_schema

from schema.build import build_schema
from schema.engine.engine import Engine
from schema.execution import engine_of
from tests.schema.engine import nasty
from tests.schema.engine.nasty_sources import NastySources
from tests.schema.engine.nature import Nature
from tests.schema.engine.oracle import same
from tests.schema.engine.schemas import schema_of

EVERYTHING = '''
"""A schema with one of each thing."""
schema { query: Root mutation: Change subscription: Watch }
"""Marks what is old."""
directive @old(since: Int = 3, "Why." because: [String!]) repeatable on FIELD_DEFINITION | ENUM
scalar Url @specifiedBy(url: "https://example.com/url")
interface Node { id: ID! }
interface Named implements Node { id: ID!, name: String @deprecated }
"""A thing."""
type Thing implements Node & Named {
  id: ID!
  name: String @deprecated(reason: "It has a title.")
  many("Which." filter: [Filter!]! = [{kind: ONE}], old: Int @deprecated): [[Thing!]]!
}
union Any = Thing | Root
enum Kind { ONE TWO @deprecated(reason: "Use ONE.") }
input Filter { kind: Kind = TWO, text: String! = "a\\n\\"b\\"", more: Filter, old: Int @deprecated }
input Choice @oneOf { a: Int, b: String }
type Root { node(id: ID!): Node, any: [Any], choose(by: Choice): Url }
type Change { it: Int }
type Watch { it: Int }
'''
QUERIES = {
    "complete": get_introspection_query(
        specified_by_url=True,
        directive_is_repeatable=True,
        schema_description=True,
        input_value_deprecation=True,
        one_of=True,
    ),
    "without descriptions": get_introspection_query(descriptions=False),
    "some types": '{ a: __type(name: "Thing") { ...T } b: __type(name: "Nothing") { ...T } '
    '__type(name: "Filter") { ...T } __schema { __typename queryType { name } } } '
    "fragment T on __Type { __typename kind name fields(includeDeprecated: true) { name type "
    "{ name ofType { name kind } } args { name defaultValue } deprecationReason } inputFields "
    "{ name } enumValues { name } possibleTypes { name } interfaces { name } isOneOf }",
    "of itself": '{ __type(name: "__Type") { name fields { name args { name type { name } } } } '
    "__schema { directives { name locations args { name } } } }",
    "with variables": "query ($n: String!, $d: Boolean = true) { __type(name: $n) { name "
    "enumValues(includeDeprecated: $d) { name } } }",
    "merged": '{ __type(name: "Kind") { name } __type(name: "Kind") { kind } }',
}


SCHEMAS = ("everything", "nasty", "product", "smallest")


@cache
def schema_called(name: str) -> GraphQLSchema:
    match name:
        case "everything":
            return schema_of(EVERYTHING)
        case "nasty":
            return nasty.build(Nature(0))
        case "product":
            return build_schema()._schema
        case _:
            return schema_of("type Query { a: Int }")


@pytest.mark.parametrize("query", QUERIES)
@pytest.mark.parametrize("name", SCHEMAS)
async def test_introspection(name: str, query: str) -> None:
    answer = await same(schema_called(name), QUERIES[query], variables={"n": "Kind"})
    assert answer.errors == ()


async def test_introspection_with_sources_of_all_fields() -> None:
    nature = Nature(0)
    schema = nasty.build(nature)
    await same(schema, QUERIES["complete"], engine=Engine(schema, NastySources(nature)))
    product = build_schema()
    answer = await same(product._schema, QUERIES["complete"], engine=engine_of(product))
    assert print_schema(build_client_schema(answer.value)) == print_schema(product._schema)
