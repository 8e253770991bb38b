"""Claims of visitors: schemas are checked, undeclared and wrong claims are dropped."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given, strategies as st

from content.documents.evaluation import Evaluation, variables_context
from content.expressions.evaluation import holds
from content.expressions.parser import parse
from content.expressions.references import references
from content.visitors.claims import (
    deterministic_claims,
    filter_claims,
    merge_unsigned,
    parse_unsigned,
    template_conditions,
    unsigned_from_cookie,
    unsigned_from_query,
)
from content.visitors.claims_schema import (
    DRAFT,
    MAX_BYTES,
    MAX_CHOICES,
    MAX_CLAIMS,
    MAX_DEPTH,
    UNSIGNED_DESCRIPTION,
    ClaimsSchemaError,
    check_claims_schema,
)

Json = dict[str, Any]


def claim(kind: str, **members: Any) -> Json:
    return {"type": kind, "description": f"A {kind}", **members}


def group(**properties: Any) -> Json:
    return claim("object", properties=properties, additionalProperties=False)


def schema(unsigned: Json | None = None, **properties: Any) -> Json:
    if unsigned is not None:
        properties["unsigned"] = {**group(**unsigned), "description": UNSIGNED_DESCRIPTION}
    return {"type": "object", "properties": properties, "additionalProperties": False}


SCHEMA = schema(
    unsigned={"language": claim("string", enum=["de", "fr"]), "wide": claim("boolean")},
    beta=claim("boolean"),
    name=claim("string"),
    plan=claim("string", enum=["free", "pro"]),
    seats=claim("number"),
    roles=claim("array", items=claim("string")),
    org=group(trial=claim("boolean"), region=group(code=claim("string", enum=["eu"]))),
)


def test_a_schema_with_every_kind_of_claim_is_taken() -> None:
    check_claims_schema(SCHEMA)
    check_claims_schema({**SCHEMA, "$schema": DRAFT})
    check_claims_schema(schema())


def nested(depth: int) -> Json:
    inner: Json = claim("boolean")
    for _ in range(depth):
        inner = group(a=inner)
    return inner


@pytest.mark.parametrize(
    ("broken", "path"),
    [
        ([], "jsonSchema"),
        ({**schema(), "title": "x"}, "jsonSchema.title"),
        ({**schema(), "$schema": "http://json-schema.org/schema#"}, "jsonSchema.$schema"),
        ({**schema(), "type": "array"}, "jsonSchema.type"),
        ({**schema(), "additionalProperties": True}, "jsonSchema.additionalProperties"),
        ({"type": "object", "additionalProperties": False}, "jsonSchema.properties"),
        ({**schema(), "properties": []}, "jsonSchema.properties"),
        (schema(a=True), "jsonSchema.properties.a"),
        (schema(a={"type": "boolean"}), "jsonSchema.properties.a.description"),
        (schema(a=claim("boolean", description=1)), "jsonSchema.properties.a.description"),
        (schema(a=claim("integer")), "jsonSchema.properties.a.type"),
        (schema(a=claim("null")), "jsonSchema.properties.a.type"),
        (schema(a=claim(["boolean", "string"])), "jsonSchema.properties.a.type"),  # type: ignore[arg-type]
        (schema(a=claim("boolean", enum=["x"])), "jsonSchema.properties.a.enum"),
        (schema(a=claim("string", pattern="x")), "jsonSchema.properties.a.pattern"),
        (schema(a=claim("string", enum="x")), "jsonSchema.properties.a.enum"),
        (schema(a=claim("string", enum=["x", 1])), "jsonSchema.properties.a.enum[1]"),
        (schema(a=claim("string", enum=["x" * 257])), "jsonSchema.properties.a.enum[0]"),
        (schema(a=claim("string", enum=["x"] * (MAX_CHOICES + 1))), "jsonSchema.properties.a.enum"),
        (schema(a=claim("array")), "jsonSchema.properties.a.items"),
        (schema(a=claim("array", items=group())), "jsonSchema.properties.a.items.type"),
        (schema(a=claim("array", items={"type": "number"})),
         "jsonSchema.properties.a.items.description"),
        (schema(a={**group(), "additionalProperties": True}),
         "jsonSchema.properties.a.additionalProperties"),
        (schema(a={"type": "object", "description": "", "additionalProperties": False}),
         "jsonSchema.properties.a.properties"),
        (schema(**{"a b": group(c=claim("x"))}),
         'jsonSchema.properties["a b"].properties.c.type'),
        (schema(**{"": claim("boolean")}), "jsonSchema.properties"),
        (schema(**{"x" * 65: claim("boolean")}), "jsonSchema.properties"),
        (schema(**{"a\x00": claim("boolean")}), "jsonSchema.properties"),
        (schema(**{"a\ud800": claim("boolean")}), "jsonSchema.properties"),
        (schema(unsigned={"a": claim("x")}), "jsonSchema.properties.unsigned.properties.a.type"),
        ({**schema(), "properties": {"unsigned": group()}},
         "jsonSchema.properties.unsigned.description"),
        ({**schema(), "properties": {"unsigned": claim("boolean")}},
         "jsonSchema.properties.unsigned.type"),
        (schema(a=nested(MAX_DEPTH)), "jsonSchema.properties.a" + ".properties.a" * 7),
    ],
)  # fmt: skip
def test_the_first_violation_is_named_by_its_path(broken: Any, path: str) -> None:
    with pytest.raises(ClaimsSchemaError) as error:
        check_claims_schema(broken)
    assert error.value.path == path
    assert str(error.value) == f"{error.value.path}: {error.value.problem}"


def test_a_schema_is_bounded() -> None:
    check_claims_schema(schema(a=nested(MAX_DEPTH - 1)))
    check_claims_schema(schema(**{f"c{n}": claim("boolean") for n in range(MAX_CLAIMS)}))
    with pytest.raises(ClaimsSchemaError, match="at most 500 claims"):
        check_claims_schema(schema(**{f"c{n}": claim("boolean") for n in range(MAX_CLAIMS + 1)}))
    big = {f"c{n}": claim("string", description="x" * 1000) for n in range(MAX_BYTES // 1000)}
    with pytest.raises(ClaimsSchemaError, match="bytes"):
        check_claims_schema(schema(**big))


def test_what_is_undeclared_or_of_another_type_is_dropped() -> None:
    signed = {
        "beta": 1, "name": "Ada", "plan": "gold", "seats": 3.5, "roles": ["a", 1], "extra": True,
        "org": {"trial": True, "region": {"code": "eu", "extra": 1}, "name": "x"},
        "unsigned": {"wide": True},
    }  # fmt: skip
    assert filter_claims(SCHEMA, signed, {"language": "de", "beta": True}) == {
        "name": "Ada",
        "seats": 3.5,
        "org": {"trial": True, "region": {"code": "eu"}},
        "unsigned": {"language": "de"},
    }


def test_without_a_schema_all_claims_are_dropped() -> None:
    assert filter_claims(None, {"beta": True}, {"wide": True}) == {"unsigned": {}}
    assert deterministic_claims(None) == frozenset()
    assert template_conditions(None) == []


def test_signed_claims_never_set_unsigned_ones() -> None:
    without = schema(beta=claim("boolean"))
    assert filter_claims(without, {"unsigned": {"wide": True}}, {"beta": True}) == {"unsigned": {}}


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(["a", "b", "c", ""]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["a", "b", "c d", "unsigned"]), inner, max_size=4)
    ),
    max_leaves=12,
)
CHOICES = st.lists(st.sampled_from(["a", "b", '"', "\\", "\u2028", "line\nbreak"]), max_size=3)
PRIMITIVES = st.one_of(
    st.just(claim("boolean")),
    st.just(claim("string")),
    st.just(claim("number")),
    CHOICES.map(lambda choices: claim("string", enum=choices)),
)
NAMES = st.sampled_from(["a", "b", "c d", 'q"', "in", "ä"])
CLAIMS = st.recursive(
    PRIMITIVES | PRIMITIVES.map(lambda one: claim("array", items=one)),
    lambda inner: st.dictionaries(NAMES, inner, max_size=3).map(lambda found: group(**found)),
    max_leaves=8,
)
PROPERTIES = st.dictionaries(NAMES, CLAIMS, max_size=4)
SCHEMAS = st.builds(
    lambda unsigned, properties: schema(unsigned, **properties),
    st.none() | PROPERTIES,
    PROPERTIES,
)


def fits(declared: Json, value: Any) -> bool:
    """What JSON Schema says, in so many words."""
    kind = declared["type"]
    if kind == "boolean":
        return value is True or value is False
    if kind == "string":
        return isinstance(value, str) and value in declared.get("enum", [value])
    if kind == "number":
        return type(value) is int or (type(value) is float and abs(value) < float("inf"))
    if kind == "array":
        return isinstance(value, list) and all(fits(declared["items"], one) for one in value)
    return (
        isinstance(value, dict)
        and value.keys() <= declared["properties"].keys()
        and all(fits(declared["properties"][name], one) for name, one in value.items())
    )


@given(SCHEMAS, VALUES, VALUES)
def test_what_is_left_fits_the_schema_and_nothing_that_fits_is_lost(
    known: Json, signed: Any, unsigned: Any
) -> None:
    check_claims_schema(known)
    signed = signed if isinstance(signed, dict) else {"a": signed}
    unsigned = unsigned if isinstance(unsigned, dict) else {"a": unsigned}
    before = copy.deepcopy((repr(signed), repr(unsigned)))
    claims = filter_claims(known, signed, unsigned)
    assert (repr(signed), repr(unsigned)) == before
    declared = {name: one for name, one in known["properties"].items() if name != "unsigned"}
    below = known["properties"].get("unsigned", group())
    assert fits(group(**declared), {n: one for n, one in claims.items() if n != "unsigned"})
    assert fits(below, claims["unsigned"])
    for name, one in declared.items():
        if name in signed and fits(one, signed[name]):
            assert claims[name] == signed[name]
    for name, one in below["properties"].items():
        if name in unsigned and fits(one, unsigned[name]):
            assert claims["unsigned"][name] == unsigned[name]
    assert filter_claims(known, claims, claims["unsigned"]) == claims


@given(SCHEMAS, VALUES, VALUES)
def test_template_conditions_hold_for_what_they_say(
    known: Json, signed: Any, unsigned: Any
) -> None:
    signed = signed if isinstance(signed, dict) else {}
    unsigned = unsigned if isinstance(unsigned, dict) else {}
    claims = filter_claims(known, signed, unsigned)
    context = variables_context({}, None, claims)
    paths = deterministic_claims(known)
    evaluation = Evaluation(context, deterministic_only=True, claims=paths)
    seen = set()
    for offered in template_conditions(known):
        (path,) = references(parse(offered.condition))
        assert path in paths
        assert evaluation.takes(offered.condition)
        seen.add(path)
        value: Any = context
        for name in path:
            value = value.get(name, {}) if isinstance(value, dict) else {}
        if " === " in offered.condition:
            said = offered.description.removeprefix("A string: ")
            assert holds(offered.condition, context) == (value == said)
        else:
            assert holds(offered.condition, context) == (value is True)
    assert seen <= paths


def test_deterministic_claims_are_booleans_and_texts_of_an_enum() -> None:
    assert deterministic_claims(SCHEMA) == {
        ("visitor", "claims", "unsigned", "language"),
        ("visitor", "claims", "unsigned", "wide"),
        ("visitor", "claims", "beta"),
        ("visitor", "claims", "plan"),
        ("visitor", "claims", "org", "trial"),
        ("visitor", "claims", "org", "region", "code"),
    }


def test_conditions_that_can_be_offered() -> None:
    offered = template_conditions(
        schema(beta=claim("boolean"), plan=claim("string", enum=["free", "pro", "free"]),
               name=claim("string"), org=group(**{"in EU": claim("boolean", description="EU")}))
    )  # fmt: skip
    assert [(one.description, one.condition) for one in offered] == [
        ("A boolean", "visitor.claims.beta"),
        ("A string: free", 'visitor.claims.plan === "free"'),
        ("A string: pro", 'visitor.claims.plan === "pro"'),
        ("EU", 'visitor.claims.org["in EU"]'),
    ]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("true", True), ("false", False), ("null", None), ("3", 3), ("-2.5", -2.5), ("1e3", 1000.0),
        ('{"a":[1]}', {"a": [1]}), ('["x"]', ["x"]), ('"3"', "3"), ("pro", "pro"), ("", ""),
        ("True", "True"), ("NaN", "NaN"), ("Infinity", "Infinity"), ("1e999", "1e999"),
        ("01", "01"), ("{", "{"), ("[" * 5000, "[" * 5000), ("undefined", "undefined"),
        ('"\\ud800"', '"\\ud800"'), ("\ud800", "\ud800"),
    ],
)  # fmt: skip
def test_values_in_a_query_are_parsed_when_they_are_json(text: str, value: Any) -> None:
    found = parse_unsigned(text)
    assert found == value
    assert type(found) is type(value)


def test_claims_in_a_query() -> None:
    pairs = [
        ("visitor.beta", "true"), ("q", "x"), ("visitor.", "x"), ("visitor.a..b", "x"),
        ("visitor.org.plan", "pro"), ("visitor.org.seats", "3"), ("visitor.beta", "false"),
        ("visitor.beta.x", "1"), ("visitor." + "a." * 8 + "a", "x"), ("visitors.x", "1"),
    ]  # fmt: skip
    assert unsigned_from_query(pairs) == {"beta": {"x": 1}, "org": {"plan": "pro", "seats": 3}}


def test_claims_in_cookies_and_the_order_of_sources() -> None:
    cookie = unsigned_from_cookie('{"beta":true,"plan":"pro"}')
    assert cookie == {"beta": True, "plan": "pro"}
    for text in ("[1]", "true", "{", ""):
        assert unsigned_from_cookie(text) == {}
    assert merge_unsigned(cookie, {"plan": "free"}) == {"beta": True, "plan": "free"}
