"""Everything in the GraphQL schema says what it is."""

from graphql import (
    GraphQLEnumType,
    GraphQLInputObjectType,
    GraphQLInterfaceType,
    GraphQLObjectType,
    GraphQLScalarType,
    GraphQLSchema,
    is_specified_scalar_type,
)

from resolvers.core.enumerations import PATTERNS
from schema.build import build_schema


def undescribed(schema: GraphQLSchema) -> list[str]:
    """Types, fields, arguments and input fields without a description."""
    found = []
    for name, type_ in schema.type_map.items():
        if name.startswith("__"):
            continue
        if not type_.description:
            found.append(name)
        if isinstance(type_, GraphQLEnumType):
            found += [
                f"{name}.{one}" for one, value in type_.values.items() if not value.description
            ]
        if isinstance(type_, GraphQLObjectType | GraphQLInterfaceType | GraphQLInputObjectType):
            for field_name, one in type_.fields.items():
                if not one.description:
                    found.append(f"{name}.{field_name}")
                for argument, described in getattr(one, "args", {}).items():
                    if not described.description:
                        found.append(f"{name}.{field_name}({argument})")
    return found


def test_everything_has_a_description() -> None:
    assert undescribed(build_schema()._schema) == []


def test_what_describes_values_names_enumerations_that_are_there() -> None:
    type_map = build_schema()._schema.type_map
    assert [name for name in PATTERNS if not isinstance(type_map.get(name), GraphQLEnumType)] == []


def test_scalars_of_our_own_name_their_specification() -> None:
    scalars = [
        one
        for one in build_schema()._schema.type_map.values()
        if isinstance(one, GraphQLScalarType) and not is_specified_scalar_type(one)
    ]
    assert {one.name for one in scalars} >= {"DateTime", "JSONObject", "JSONValue", "URL"}
    assert [one.name for one in scalars if not one.specified_by_url] == []


def test_descriptions_are_sentences() -> None:
    schema = build_schema()._schema
    for name, type_ in schema.type_map.items():
        text = type_.description or ""
        if not name.startswith("__") and not isinstance(type_, GraphQLEnumType):
            assert text[0].isupper() or not text[0].isalpha(), name
