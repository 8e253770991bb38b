"""Small JSON values with types: variables, headers, covers, merge rules, sources (decision 0059).

Whatever is stored has a typed form: what fits none of the types is a value of the kind `other`.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from resolvers.revisions.typed_references import (
    NOWHERE,
    Origin,
    TypedReference,
    typed_or_none,
    typed_reference,
)

Json = dict[str, Any]
TEXT, NUMBER, BOOLEAN, OTHER = "text", "number", "boolean", "other"


@dataclass(frozen=True, slots=True)
class TypedValue:
    """A value with its kind; a JSON value has one of the four above, and is never null."""

    kind: str
    value: Any


def typed_value(value: Any) -> TypedValue | None:
    """A JSON value with its kind; None for null."""
    if value is None:
        return None
    if isinstance(value, str):
        return TypedValue(TEXT, value)
    if isinstance(value, bool):
        return TypedValue(BOOLEAN, value)
    number = read_number(value)
    return TypedValue(OTHER, value) if number is None else TypedValue(NUMBER, number)


def read_number(value: Any) -> float | None:
    """A number that GraphQL has; None for everything else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable of a page or a space; its value is None where null was stored."""

    name: str
    value: TypedValue | None


def typed_variables(stored: Any) -> list[Variable]:
    """Variables by name, as a list in the order of their names."""
    return [Variable(name, typed_value(value)) for name, value in _members(stored)]


@dataclass(frozen=True, slots=True)
class VariableChange:
    """A variable before and after; None where it was not set."""

    name: str
    before: TypedValue | None
    after: TypedValue | None


def changed_variables(changed: Mapping[str, Mapping[str, Any]]) -> list[VariableChange]:
    """Changes by name, each with `before`, `after` or both."""
    return [
        VariableChange(name, typed_value(sides.get("before")), typed_value(sides.get("after")))
        for name, sides in sorted(changed.items())
    ]


@dataclass(frozen=True, slots=True)
class HttpHeader:
    """A header with its value."""

    name: str
    value: str


def typed_headers(stored: Mapping[str, str]) -> list[HttpHeader]:
    """Headers in the order in which they were given."""
    return [HttpHeader(name, str(value)) for name, value in stored.items()]


@dataclass(frozen=True, slots=True)
class PageCover:
    """The picture above a page."""

    ref: TypedReference | None
    ref_dark: TypedReference | None
    y_pos: float | None


def typed_cover(stored: Any, origin: Origin = NOWHERE) -> PageCover | None:
    """A cover; None without one."""
    if not isinstance(stored, dict):
        return None
    return PageCover(
        typed_or_none(stored.get("ref"), origin),
        typed_or_none(stored.get("refDark"), origin),
        read_number(stored.get("yPos")),
    )


@dataclass(frozen=True, slots=True)
class ComputedDependency:
    """Something that a source of computed content reads."""

    name: str
    reference: TypedReference


@dataclass(frozen=True, slots=True)
class ComputedSource:
    """The source of a computed page."""

    type: str | None
    props: Json
    dependencies: list[ComputedDependency]


def typed_source(stored: Any, origin: Origin = NOWHERE) -> ComputedSource | None:
    """A source of computed content; None without one."""
    if not isinstance(stored, dict):
        return None
    kind, props = stored.get("type"), stored.get("props")
    dependencies = []
    for name, value in _members(stored.get("dependencies")):
        # Either the reference, or an object that holds it beside what was read.
        held = value.get("ref") if isinstance(value, dict) and "ref" in value else value
        if held is not None:
            dependencies.append(ComputedDependency(name, typed_reference(held, origin)))
    return ComputedSource(
        kind if isinstance(kind, str) else None,
        props if isinstance(props, dict) else {},
        dependencies,
    )


@dataclass(frozen=True, slots=True)
class MergeRule:
    """One condition of merges."""

    rule: str
    user_ids: list[str]
    expression: str | None


@dataclass(frozen=True, slots=True)
class MergeRules:
    """When change requests may be merged."""

    type: str
    rules: list[MergeRule]


def typed_merge_rules(stored: Mapping[str, Any]) -> MergeRules:
    """Merge rules as `read_merge_rules` stores them."""
    return MergeRules(
        str(stored.get("type")),
        [
            MergeRule(
                str(rule.get("rule")),
                list(map(str, rule.get("users") or ())),
                rule.get("expression"),
            )
            for rule in stored.get("rules") or ()
        ],
    )


def _members(stored: Any) -> Iterable[tuple[str, Any]]:
    return sorted(stored.items()) if isinstance(stored, dict) else ()
