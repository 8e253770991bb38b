"""Fragments, aliases, merged fields, skip and include, and `__typename` everywhere."""

from typing import Any

import pytest

from tests.schema.engine.oracle import same
from tests.schema.engine.schemas import schema_of

SDL = """
interface Named { name: String }
type Person implements Named { name: String, age: Int, friend: Person, friends: [Person] }
type Place implements Named { name: String, size: Int }
union Found = Person | Place
type Query { me: Person, found: [Found], named: Named, text(of: String): String, on: Int }
"""
ME: dict[str, Any] = {
    "__typename": "Person", "name": "Mia", "age": 30,
    "friend": {"__typename": "Person", "name": "Ben", "age": None, "friends": []},
    "friends": [{"name": "Ben", "age": 4}, {"name": "Eve"}, None],
}  # fmt: skip
ROOT = {
    "me": ME,
    "found": [ME, {"__typename": "Place", "name": "Here", "size": 3}, None],
    "named": {"__typename": "Place", "name": "There", "size": 9},
    "on": 1,
}
SCHEMA = schema_of(SDL, {"Query.text": lambda root, info, of=None: of})

DOCUMENTS = {
    "merged objects": "{ me { name } me { age } me { friend { name } } }",
    "merged below": "{ me { friend { name } friend { age friends { name } } } }",
    "merged through fragments": "{ me { ...A } ...B } fragment A on Person { friend { name } } "
    "fragment B on Query { me { friend { age } age } }",
    "merged lists": "{ me { friends { name } friends { age } } }",
    "same field often": "{ me { name name name } }",
    "aliases of one field": '{ a: text(of: "x") b: text(of: "y") c: text }',
    "fragment twice": "{ me { ...A ...A } } fragment A on Person { name }",
    "fragment on an interface": "{ me { ...A } named { ...A } } fragment A on Named { name }",
    "fragment that does not apply": "{ named { name ... on Person { age } } }",
    "nothing applies": "{ named { ... on Person { age } } }",
    "nested fragments": "{ found { ...A } } fragment A on Found { ...B ...C __typename } "
    "fragment B on Person { name } fragment C on Place { size ...D } fragment D on Named { name }",
    "union in union": "{ found { ... on Found { ... on Found { ... on Named { name } } } } }",
    "without a condition": "{ ... { me { ... { name } } } }",
    "order through fragments": "{ on ...A me { age name } } fragment A on Query { me { name } on }",
    "a keyword as a name": "{ on fragment: on query: on true: on }",
    "typename": "{ __typename me { __typename friend { t: __typename } } found { __typename } }",
    "typename merged": "{ named { __typename ... on Place { __typename x: __typename } } }",
    "only typename": "{ __typename }",
    "unused and unknown": "{ me { ...Unknown name } } fragment Unused on Person { age }",
    "unknown type": "{ me { ... on Nothing { name } age } }",
    "recursive by mistake": "{ me { ...A } } fragment A on Person { name ...A friend { age } }",
}


@pytest.mark.parametrize("name", DOCUMENTS)
async def test_selections(name: str) -> None:
    await same(SCHEMA, DOCUMENTS[name], lambda: ROOT)


async def test_merged_selections_are_one() -> None:
    answer = await same(SCHEMA, DOCUMENTS["merged through fragments"], lambda: ROOT)
    assert answer.value == {"me": {"friend": {"name": "Ben", "age": None}, "age": 30}}
    answer = await same(SCHEMA, DOCUMENTS["order through fragments"], lambda: ROOT)
    assert answer.data == '{"on": 1, "me": {"name": "Mia", "age": 30}}'
    answer = await same(SCHEMA, DOCUMENTS["nothing applies"], lambda: ROOT)
    assert answer.value == {"named": {}}


PLACES = {
    "field": "{{ on a: on {0} me {{ name {0} age }} }}",
    "object": "{{ on me {0} {{ name }} }}",
    "inline": "{{ on ... {0} {{ a: on }} me {{ age ... on Person {0} {{ name }} }} }}",
    "spread": "{{ on ...F {0} me {{ age ...P {0} }} }} fragment F on Query {{ a: on }} "
    "fragment P on Person {{ name }}",
    "within": "{{ on ...F }} fragment F on Query {{ a: on {0} me {0} {{ name }} }}",
    "spread often": "{{ ...F {0} ...F }} fragment F on Query {{ on }}",
    "abstract": "{{ on found {{ name: __typename {0} ... on Named {0} {{ n: name }} }} }}",
    "merged": "{{ on me {{ name }} me {0} {{ age }} }}",
    "everything": "{{ on {0} }}",
}
CONDITIONS = {
    "": True,
    "@include(if: true)": True,
    "@include(if: false)": False,
    "@skip(if: true)": False,
    "@skip(if: false)": True,
    "@include(if: true) @skip(if: true)": False,
    "@include(if: false) @skip(if: false)": False,
    "@skip(if: false) @include(if: true)": True,
    "@include(if: $yes)": True,
    "@include(if: $no)": False,
    "@skip(if: $yes)": False,
    "@skip(if: $no) @include(if: $yes)": True,
    "@skip(if: $default)": False,
    "@unknown(if: true)": True,
}
HEAD = "query ($yes: Boolean!, $no: Boolean!, $default: Boolean = true, $null: Boolean)"


@pytest.mark.parametrize("condition", CONDITIONS)
@pytest.mark.parametrize("place", PLACES)
async def test_skip_and_include(place: str, condition: str) -> None:
    text = HEAD + PLACES[place].format(condition)
    answer = await same(SCHEMA, text, lambda: ROOT, variables={"yes": True, "no": False})
    assert answer.errors == ()
    if place == "field":
        assert ("a" in answer.value) is CONDITIONS[condition]
    if place == "everything":
        assert answer.value == ({"on": 1} if CONDITIONS[condition] else {})


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(
    "condition",
    [
        "@skip(if: $null)",
        "@include(if: $null)",
        "@skip",
        '@include(if: "yes")',
        "@skip(if: $default)",
    ],
)
async def test_conditions_without_a_value_are_errors(place: str, condition: str) -> None:
    text = HEAD + PLACES[place].format(condition)
    variables = {"yes": True, "no": False, "default": None}
    answer = await same(SCHEMA, text, lambda: ROOT, variables=variables)
    assert answer.errors != ()
