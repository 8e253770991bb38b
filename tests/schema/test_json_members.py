"""docs/graphql-json.md lists every JSON member of the schema, and says of each what is true."""

import re
from pathlib import Path

from graphql import GraphQLField, GraphQLInputObjectType, GraphQLNamedType, get_named_type

from content.documents.nodes import SCHEMA_VERSION
from content.documents.schema import json_schema_text
from schema.build import build_schema

TEXT = (Path(__file__).parents[2] / "docs" / "graphql-json.md").read_text()
TYPES = build_schema()._schema.type_map
ADDRESS = f"/schemas/document/{SCHEMA_VERSION}.json"
# Rows of a table: the member, what it holds, and what is beside it or why nothing is.
ROWS = [
    (one[1], one[2], one[3])
    for one in re.finditer(r"(?m)^\| `(\w+\.\w+(?:\(\w+\))?)` \| (.*?) \| (.*) \|$", TEXT)
]
LISTED = {member: (holds, said) for member, holds, said in ROWS}


def is_json(kind: GraphQLNamedType) -> bool:
    return kind.name in ("JSONObject", "JSONValue")


def json_members() -> dict[str, str]:
    """Every JSON member with its description."""
    found: dict[str, str] = {}
    for name, kind in TYPES.items():
        if name.startswith("__"):
            continue
        for field, one in (getattr(kind, "fields", None) or {}).items():
            if is_json(get_named_type(one.type)):
                found[f"{name}.{field}"] = one.description or ""
            arguments = one.args if isinstance(one, GraphQLField) else {}
            for argument, definition in arguments.items():
                if is_json(get_named_type(definition.type)):
                    found[f"{name}.{field}({argument})"] = definition.description or ""
    return found


def test_the_tables_list_every_json_member_once() -> None:
    assert sorted(one for one, _, _ in ROWS) == sorted(json_members())


def test_what_is_named_as_typed_is_there() -> None:
    for member, (_, said) in LISTED.items():
        owner, name = member.split(".")
        wanted = re.findall(r"`(typed\w+)`", said)
        if "beside the change" in said:
            for beside in wanted:
                owners = [TYPES["PageChangeAttributes"], TYPES["FileChangeAttributes"]]
                assert any(beside in one.fields for one in owners), beside
        elif wanted:
            assert wanted == [f"typed{name[0].upper()}{name[1:]}"]
            field = TYPES[owner].fields[wanted[0]]
            assert get_named_type(field.type).name in said, member


def test_every_typed_field_is_named() -> None:
    named = set(re.findall(r"`(typed\w+)`", TEXT)) - {"typedX"}
    assert named == {
        field
        for kind in TYPES.values()
        for field in getattr(kind, "fields", None) or {}
        if field.startswith("typed")
    }


def test_what_documents_hold_names_their_schema() -> None:
    described = json_members()
    for member, (_, said) in LISTED.items():
        if "document schema" in said:
            assert ADDRESS in described[member], member


def test_inputs_are_in_the_table_of_inputs() -> None:
    table = TEXT.partition("## Inputs")[2]
    for member in LISTED:
        is_input = "(" in member or isinstance(TYPES[member.split(".")[0]], GraphQLInputObjectType)
        assert (f"| `{member}` |" in table) is is_input, member


def test_the_definitions_that_descriptions_name_are_in_the_schema() -> None:
    for name in ("ContentReference", "Block"):
        assert f'"{name}": {{' in json_schema_text()
