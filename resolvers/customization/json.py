"""Customization settings as they are stored: JSON with the names of /v1, and only what was set.

Sections are merged member by member, everything else is a value that is replaced as a whole
(docs/sites.md, "Look").
"""

import enum
from collections.abc import Mapping
from typing import Any, cast

from strawberry.types import has_object_definition

from resolvers.core.inputs import Untagged
from resolvers.customization.table import Json, Section, rows_of

# What is below a section, by name; values are not in it.
Sections = Mapping[str, "Sections"]


def to_json(value: Any) -> Any:
    """An input as JSON, without what is null; lists in values are always there."""
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, list):
        return [to_json(item) for item in value]
    if not has_object_definition(type(value)):
        return value
    data, input_class = {}, cast(Any, type(value))
    for row in rows_of(input_class):
        member = getattr(value, row.attribute)
        if member is not None or row.always_listed:
            data[row.name] = to_json(member or [] if row.always_listed else member)
    return next(iter(data.values())) if isinstance(value, Untagged) else data


def from_json(type_: Any, data: Any) -> Any:
    """JSON as an input, or as a value in it; what is not there is null, or in values no items."""
    if data is None:
        return None
    if isinstance(data, list):
        return [from_json(type_, item) for item in data]
    if isinstance(type_, type) and issubclass(type_, enum.Enum):
        return type_(data)
    if not has_object_definition(type_):
        return data
    rows = rows_of(type_)
    if issubclass(type_, Untagged):
        bare, whole = rows
        row = whole if isinstance(data, dict) else bare
        return type_(**{row.attribute: from_json(row.type, data)})
    absent: Json = {row.name: [] for row in rows if row.always_listed}
    data = {**absent, **data}
    return type_(**{row.attribute: from_json(row.type, data.get(row.name)) for row in rows})


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
    """The difference of `data` to `below`: merged with `below` it gives `data`."""
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
    for row in rows_of(cast(Any, type(changes))):
        change = getattr(changes, row.attribute)
        if change is None:
            continue
        value = change.value
        if isinstance(value, Section):
            below = holding.get(row.name)
            value = overridden(result.get(row.name, {}), value, below) or None
        elif value is not None:
            value = to_json(value)
            if value == holding.get(row.name):
                continue
        if value is None:
            result.pop(row.name, None)
        else:
            result[row.name] = value
    return result
