"""Claims of visitors: which of them a site takes, how they are read, what is known of them.

All functions here expect a schema that content/visitors/claims_schema.py has checked, or None where
a site has none: then every claim is dropped.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from content.expressions.parser import MAX_LENGTH
from content.expressions.references import Path
from content.visitors.claims_schema import MAX_DEPTH, UNSIGNED, member_path

Json = dict[str, Any]
Schema = Mapping[str, Any]
ROOT: Path = ("visitor", "claims")
QUERY_PREFIX = "visitor."

_DROPPED = object()


def filter_claims(
    schema: Schema | None, signed: Mapping[str, Any], unsigned: Mapping[str, Any]
) -> Json:
    """What conditions may read as `visitor.claims`: the declared claims with values of their types.

    Undeclared claims and values of another type are dropped, in objects one by one. Signed and
    unsigned claims never mix: the unsigned ones are the member `unsigned`, which is always there,
    and which signed ones cannot set.
    """
    declared = {} if schema is None else dict(schema["properties"])
    below = declared.pop(UNSIGNED, None)
    claims = _kept(declared, signed)
    claims[UNSIGNED] = {} if below is None else _kept(below["properties"], unsigned)
    return claims


def _kept(declared: Mapping[str, Any], claims: Mapping[str, Any]) -> Json:
    values = {}
    for name, claim in declared.items():
        if name in claims:
            value = _value(claim, claims[name])
            if value is not _DROPPED:
                values[name] = value
    return values


def _value(claim: Schema, value: Any) -> Any:
    """The value as the schema takes it, or `_DROPPED`."""
    match claim["type"]:
        case "boolean":
            return value if isinstance(value, bool) else _DROPPED
        case "string":
            fits = isinstance(value, str) and ("enum" not in claim or value in claim["enum"])
            return value if fits else _DROPPED
        case "number":
            return value if _is_number(value) else _DROPPED
        case "array":
            if not isinstance(value, list):
                return _DROPPED
            fits = all(_value(claim["items"], item) is not _DROPPED for item in value)
            return list(value) if fits else _DROPPED
        case _:
            return _kept(claim["properties"], value) if isinstance(value, Mapping) else _DROPPED


def _is_number(value: Any) -> bool:
    if isinstance(value, bool):
        return False
    return isinstance(value, int) or (isinstance(value, float) and math.isfinite(value))


# ------------------------------------------------------------------ unsigned claims


def parse_unsigned(text: str) -> Any:
    """An unsigned claim: `true`, `false`, `null`, a number or other JSON, else the text itself."""
    try:
        return orjson.loads(text)
    except (orjson.JSONDecodeError, UnicodeEncodeError):
        return text


def unsigned_from_query(pairs: Iterable[tuple[str, str]]) -> Json:
    """The unsigned claims in the parameters of a query: `visitor.<name>=<value>`.

    Points lead into objects: `visitor.org.plan=pro` is the member `plan` of `org`. Of two values
    for one place the later counts.
    """
    claims: Json = {}
    for key, text in pairs:
        if not key.startswith(QUERY_PREFIX):
            continue
        names = key.removeprefix(QUERY_PREFIX).split(".")
        if all(names) and len(names) <= MAX_DEPTH:
            _set(claims, names, parse_unsigned(text))
    return claims


def _set(claims: Json, names: list[str], value: Any) -> None:
    at = claims
    for name in names[:-1]:
        if not isinstance(at.get(name), dict):
            at[name] = {}
        at = at[name]
    at[names[-1]] = value


def unsigned_from_cookie(text: str) -> Json:
    """The unsigned claims in a public cookie, which holds a JSON object; none in any other."""
    value = parse_unsigned(text)
    return value if isinstance(value, dict) else {}


def merge_unsigned(*sources: Mapping[str, Any]) -> Json:
    """Unsigned claims of several sources: by name, the later source counts."""
    merged: Json = {}
    for source in sources:
        merged.update(source)
    return merged


# ------------------------------------------------------------------ what is known of claims


@dataclass(frozen=True, slots=True)
class TemplateCondition:
    """A condition that can be offered, and what it asks in words."""

    description: str
    condition: str


def deterministic_claims(schema: Schema | None) -> frozenset[Path]:
    """Paths of the claims of which a schema says that they are true, false or one of a few texts.

    As in expressions: ("visitor", "claims", "plan").
    """
    return frozenset(path for path, _ in _deterministic(schema))


def template_conditions(schema: Schema | None) -> list[TemplateCondition]:
    """A condition for each claim that is true or false, and for each text that a claim may be.

    What would be too long for an expression is left out.
    """
    offered: list[TemplateCondition] = []
    for path, claim in _deterministic(schema):
        read = path[0]
        for name in path[1:]:
            read = member_path(read, name)
        if claim["type"] == "boolean":
            offered.append(TemplateCondition(claim["description"], read))
            continue
        for choice in dict.fromkeys(claim["enum"]):
            text = f"{read} === {orjson.dumps(choice).decode()}"
            offered.append(TemplateCondition(f"{claim['description']}: {choice}", text))
    return [template for template in offered if len(template.condition) <= MAX_LENGTH]


def _deterministic(schema: Schema | None) -> Iterator[tuple[Path, Schema]]:
    if schema is not None:
        yield from _below(schema, ROOT)


def _below(parent: Schema, path: Path) -> Iterator[tuple[Path, Schema]]:
    for name, claim in parent["properties"].items():
        inner = (*path, name)
        if claim["type"] == "object":
            yield from _below(claim, inner)
        elif claim["type"] == "boolean" or "enum" in claim:
            yield inner, claim
