"""Customization settings as they are stored: JSON with the names of /v1, and only what was set.

The input classes say what there is. A class with `Section` is merged field by field, everything
else is a value that is replaced as a whole (docs/sites.md, "Look").
"""

import enum
import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar, Union, get_args, get_origin

from strawberry import Maybe

from resolvers.core.inputs import Untagged
from resolvers.core.naming import camel

Json = dict[str, Any]
T = TypeVar("T")
# What is below a section, by name; values are not in it.
Sections = Mapping[str, "Sections"]


class Section:
    """A mixin of inputs whose fields are merged one by one."""


@dataclass(frozen=True, slots=True)
class _Member:
    """A field of an input class and its member in JSON."""

    attribute: str
    name: str
    type: Any
    listed: bool


def _members(input_class: Any) -> tuple[_Member, ...]:
    return _read_members(input_class)


@cache
def _read_members(input_class: Any) -> tuple[_Member, ...]:
    hints = typing.get_type_hints(input_class, include_extras=True)
    members = []
    for part in input_class.__strawberry_definition__.fields:
        inner, listed = _inner(hints[part.python_name])
        name = part.graphql_name or camel(part.python_name)
        members.append(_Member(part.python_name, name, inner, listed))
    return tuple(members)


def _inner(hint: Any) -> tuple[Any, bool]:
    """The type in Maybe, Optional and a list, and whether it is listed."""
    listed = False
    while True:
        origin = get_origin(hint)
        if origin in (Union, types.UnionType):
            (hint,) = [part for part in get_args(hint) if part is not types.NoneType]
        elif origin in (Maybe, list):
            listed = listed or origin is list
            hint = get_args(hint)[0]
        else:
            return hint, listed


def _is_input(type_: Any) -> bool:
    return hasattr(type_, "__strawberry_definition__")


@cache
def sections_of(input_class: Any) -> Sections:
    """The sections below an input class, by their names."""
    return {
        member.name: sections_of(member.type)
        for member in _members(input_class)
        if _is_input(member.type) and issubclass(member.type, Section)
    }


def to_json(value: Any) -> Any:
    """An input as JSON, without what is null; lists in values are always there."""
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, list):
        return [to_json(item) for item in value]
    if not _is_input(type(value)):
        return value
    data = {}
    for member in _members(type(value)):
        member_value = getattr(value, member.attribute)
        if member_value is None and member.listed and not isinstance(value, Section):
            member_value = []
        if member_value is not None:
            data[member.name] = to_json(member_value)
    return next(iter(data.values())) if isinstance(value, Untagged) else data


def from_json(input_class: type[T], data: Json) -> T:
    """JSON as an input; what is not there is null, or in values an empty list."""
    values: dict[str, Any] = {}
    for member in _members(input_class):
        member_value = data.get(member.name)
        if member.listed and (member_value is not None or not issubclass(input_class, Section)):
            values[member.attribute] = [_value(member.type, item) for item in member_value or ()]
        elif member.listed:
            values[member.attribute] = None
        else:
            values[member.attribute] = (
                None if member_value is None else _value(member.type, member_value)
            )
    return input_class(**values)


def _value(type_: Any, data: Any) -> Any:
    if isinstance(type_, type) and issubclass(type_, enum.Enum):
        return type_(data)
    if not _is_input(type_):
        return data
    if not issubclass(type_, Untagged):
        return from_json(type_, data)
    bare, whole = _members(type_)
    member = whole if isinstance(data, dict) else bare
    return type_(**{member.attribute: _value(member.type, data)})


def merged(below: Json, above: Json, sections: Sections) -> Json:
    """`above` on top of `below`: sections member by member, values as a whole."""
    result = dict(below)
    for name, value in above.items():
        if name in sections:
            result[name] = merged(below.get(name, {}), value, sections[name])
        else:
            result[name] = value
    return result


def difference(data: Json, below: Json, sections: Sections) -> Json:
    """What of `data` is not the same in `below`, so that merging it with `below` gives `data`."""
    changes = {}
    for name, value in data.items():
        if name in sections:
            rest = difference(value, below.get(name, {}), sections[name])
            if rest:
                changes[name] = rest
        elif name not in below or below[name] != value:
            changes[name] = value
    return changes


def overridden(stored: Json, changes: Any, holding: Json | None = None) -> Json:
    """Stored overrides with the fields of an input whose fields are `Maybe`; null removes one.

    A value that holds already, by `holding`, is no change: settings that were read may be sent
    back, and what followed the site goes on to follow it.
    """
    result, holding = dict(stored), holding or {}
    for member in _members(type(changes)):
        change = getattr(changes, member.attribute)
        if change is None:
            continue
        value = change.value
        if isinstance(value, Section):
            below = holding.get(member.name)
            value = overridden(result.get(member.name, {}), value, below) or None
        elif value is not None:
            value = to_json(value)
            if value == holding.get(member.name):
                continue
        if value is None:
            result.pop(member.name, None)
        else:
            result[member.name] = value
    return result
