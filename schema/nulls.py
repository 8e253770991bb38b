"""Nulls where a field of an input may be absent but not null.

GraphQL has one type for both, so its own validation lets them through.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from strawberry.schema.config import StrawberryConfig
from strawberry.types.arguments import StrawberryArgument
from strawberry.types.base import (
    StrawberryList,
    StrawberryMaybe,
    StrawberryOptional,
    get_object_definition,
)

from resolvers.core.errors import FieldError, Invalid

NULL = "must not be null; leave it out instead"


def refused_nulls(
    values: Mapping[str, Any], arguments: Iterable[StrawberryArgument], config: StrawberryConfig
) -> Invalid | None:
    """The error that names every null which only absence may stand for; None without one."""
    paths = [
        path
        for argument in arguments
        if (name := config.name_converter.from_argument(argument)) in values
        for path in _nulls(argument.type, values[name], "" if name == "input" else name, config)
    ]
    if not paths:
        return None
    summary = "; ".join(f"{path}: {NULL}" for path in paths[:5])
    return Invalid(summary, tuple(FieldError(path, NULL) for path in paths))


def _nulls(type_: Any, value: Any, path: str, config: StrawberryConfig) -> Iterator[str]:
    if isinstance(type_, StrawberryMaybe):
        if value is None and not isinstance(type_.of_type, StrawberryOptional):
            yield path
            return
        type_ = type_.of_type
    if isinstance(type_, StrawberryOptional):
        type_ = type_.of_type
    if value is None:
        return
    if isinstance(type_, StrawberryList):
        for index, item in enumerate(value if isinstance(value, list) else [value]):
            yield from _nulls(type_.of_type, item, f"{path}[{index}]", config)
        return
    definition = get_object_definition(type_)
    if definition is None or not isinstance(value, Mapping):
        return
    for field in definition.fields:
        name = config.name_converter.from_field(field)
        if name in value:
            below = f"{path}.{name}" if path else name
            yield from _nulls(field.resolve_type(), value[name], below, config)
