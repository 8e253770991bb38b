"""Validation in one walk finds what graphql-core's own finds: the same errors in the same order."""

import re
from random import Random
from typing import Any

import pytest
from graphql import (
    ASTValidationRule,
    DocumentNode,
    GraphQLError,
    GraphQLSchema,
    GraphQLSyntaxError,
    NoSchemaIntrospectionCustomRule,
    parse,
    specified_rules,
    validate,
)

from schema.build import build_schema
from schema.validation import RuleSet, validated
from tests.schema.engine import nasty
from tests.schema.engine.nature import Nature
from tests.schema.engine.random_documents import Taste, random_request

SCHEMA = build_schema()._schema
RULES = [*specified_rules, NoSchemaIntrospectionCustomRule]
NASTY = nasty.build(Nature("validation"))
DOCUMENTS, CHANGES = 30, 4

WRONG = {
    "an unknown field": "{ spice }",
    "two operations, one without a name": "{ version } query A { version }",
    "an unknown argument": "{ space(ids: 1) { id } }",
    "a missing argument": "{ space { id } }",
    "a value of another type": "{ space(id: true) { id } }",
    "a leaf with a selection": '{ space(id: "1") { id { x } } }',
    "an object without one": '{ space(id: "1") }',
    "an unknown variable": "{ space(id: $id) { id } }",
    "an unused variable": "query ($id: ID!) { __typename }",
    "a variable of another type": "query ($id: Int!) { space(id: $id) { id } }",
    "an unknown type": "query ($id: Nothing!) { space(id: $id) { id } }",
    "fields that differ": '{ space(id: "1") { id } space(id: "2") { id } }',
    "an unknown fragment": '{ space(id: "1") { ...Nothing } }',
    "an unused fragment": "{ __typename } fragment A on Space { id }",
    "a fragment within itself": '{ space(id: "1") { ...A } } fragment A on Space { id ...A }',
    "a fragment on another type": "{ ...A } fragment A on Space { id }",
    "an unknown directive": "{ __typename @never }",
    "a directive twice": "{ __typename @skip(if: true) @skip(if: true) }",
    "a directive in the wrong place": "query @skip(if: true) { __typename }",
    "introspection": "{ __schema { types { name } } }",
    "arguments twice": '{ space(id: "1", id: "2") { id } }',
    "two variables of one name": 'query ($a: ID, $a: ID) { space(id: "1") { id } }',
    "a definition of types": "{ __typename } type A { b: Int }",
}


def _shown(errors: list[GraphQLError]) -> list[Any]:
    return [(error.message, error.locations, error.path) for error in errors]


def _compare(document: DocumentNode, schema: GraphQLSchema = SCHEMA) -> list[Any]:
    expected = _shown(validate(schema, document, RULES, max_errors=20))
    found = validated(schema, document, RuleSet(RULES), max_errors=20, hide_suggestions=False)
    assert _shown(found) == expected
    return expected


@pytest.mark.parametrize("text", WRONG.values(), ids=WRONG.keys())
def test_an_error_is_the_same(text: str) -> None:
    assert _compare(parse(text))


def test_too_many_errors_end_the_walk() -> None:
    fields = " ".join(f"a{number}" for number in range(30))
    assert len(_compare(parse(f"{{ {fields} }}"))) == 21


def test_fragments_too_deep_to_follow_end_the_walk() -> None:
    parts = [f"fragment F{number} on Space {{ ...F{number + 1} }}" for number in range(600)]
    text = f'{{ space(id: "1") {{ ...F0 }} }} {" ".join(parts)} fragment F600 on Space {{ id }}'
    (error,) = _compare(parse(text))
    assert error[0] == "Validation aborted."


def _broken(text: str, random: Random) -> str:
    """The text with one word in the place of another."""
    words = list(re.finditer(r"[A-Za-z_]\w*|\d+", text))
    there, other = random.choice(words), random.choice(words)
    return text[: there.start()] + other[0] + text[there.end() :]


def test_random_documents_have_the_same_errors() -> None:
    """Valid ones none; of those with a wrong word most have some, of many kinds."""
    seen: set[str] = set()
    for number in range(DOCUMENTS):
        request = random_request(NASTY, number, Taste(scalars={"Odd": [1]}))
        random = Random(number)
        _compare(request.document, NASTY)
        for _ in range(CHANGES):
            try:
                document = parse(_broken(request.text, random))
            except GraphQLSyntaxError:
                continue
            seen |= {re.sub(r"'.*", "", error[0]) for error in _compare(document, NASTY)}
    assert len(seen) > 10, seen


def test_rules_are_asked_for_their_methods_once() -> None:
    """Also a rule with one method for all kinds of nodes, and one that looks at names."""
    calls: list[str] = []

    class EveryNode(ASTValidationRule):
        def enter(self, node: Any, *_: Any) -> None:
            calls.append(f"enter {node.kind}")

        def leave(self, node: Any, *_: Any) -> None:
            calls.append(f"leave {node.kind}")

    document = parse("{ version }")
    assert validate(SCHEMA, document, [EveryNode]) == []
    expected, calls = calls, []
    assert (
        validated(SCHEMA, document, RuleSet([EveryNode]), max_errors=1, hide_suggestions=True) == []
    )
    assert calls == expected
    assert "enter name" in calls
