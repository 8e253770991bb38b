"""The table of settings: its rows are the fields of the input classes in `settings` and `values`.

A row says the type, the bounds and what the setting is; of a section also the default, in the JSON
of /v1, and whether site spaces can override it. Overrides, defaults, the JSON that is stored, the
types of GraphQL and the shapes of /v1 are derived from these rows.
"""

import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar, Union, dataclass_transform, get_args, get_origin

import strawberry
from strawberry import Maybe
from strawberry.types import has_object_definition

from resolvers.core import inputs
from resolvers.core.naming import camel

Json = dict[str, Any]
T = TypeVar("T")
DEFAULT, SITE_ONLY = "default", "site_only"
_ABSENT = "; absent = default."


class Section:
    """A mixin of inputs whose fields are merged one by one; others are replaced as a whole."""


@dataclass_transform(kw_only_default=True)
def section(words: str) -> Callable[[type[T]], type[T]]:
    """A section of the settings; `words` are the beginning of its descriptions."""

    def decorate(cls: type[T]) -> type[T]:
        return strawberry.input(cls, description=f"{words}{_ABSENT}")

    return decorate


def setting(
    description: str,
    default: Any = None,
    *,
    site_only: bool = False,
    bounds: inputs.Bounds | None = None,
    name: str | None = None,
) -> Any:
    """A field of a section.

    Without a default nothing is there until it is set; what is `site_only` has no overrides.
    """
    metadata = {DEFAULT: default, SITE_ONLY: site_only}
    return inputs.field(description, bounds=bounds, name=name, metadata=metadata)


@dataclass(frozen=True, slots=True)
class Row:
    """A field of an input class and its member in JSON."""

    attribute: str
    name: str
    type: Any
    listed: bool
    # Whether it may be absent.
    optional: bool
    # A list in a value: empty where it is absent.
    always_listed: bool
    field: Any

    @property
    def default(self) -> Any:
        return self.field.metadata.get(DEFAULT)

    def hint(self, type_: Any) -> Any:
        """The hint for fields that hold what this one does, of another type."""
        return types.GenericAlias(list, (type_,)) if self.listed else type_

    @property
    def is_section(self) -> bool:
        return has_object_definition(self.type) and issubclass(self.type, Section)


@cache
def rows_of(input_class: Any) -> tuple[Row, ...]:
    """The rows of an input class, in their order."""
    hints = typing.get_type_hints(input_class, include_extras=True)
    rows = []
    for field in input_class.__strawberry_definition__.fields:
        attribute, name = field.python_name, field.graphql_name or camel(field.python_name)
        type_, listed, optional = _inner(hints[attribute])
        always_listed = listed and not issubclass(input_class, Section)
        rows.append(Row(attribute, name, type_, listed, optional, always_listed, field))
    return tuple(rows)


def _inner(hint: Any) -> tuple[Any, bool, bool]:
    """The type in Maybe, Optional and a list, whether it is listed, and whether it is optional."""
    listed = optional = False
    while True:
        origin = get_origin(hint)
        if origin in (Union, types.UnionType):
            (hint,) = [part for part in get_args(hint) if part is not types.NoneType]
            optional = True
        elif origin in (Maybe, list):
            listed = listed or origin is list
            hint = get_args(hint)[0]
        else:
            return hint, listed, optional


def words_of(input_class: Any) -> str:
    """What a part of the settings is: the beginning of its descriptions."""
    description: str = input_class.__strawberry_definition__.description
    return description.removesuffix(_ABSENT).removesuffix(".")


def with_fields(cls: type[T], fields: Mapping[str, tuple[Any, Any]]) -> type[T]:
    """A class with fields, by name their types and what Strawberry gets to know of them."""
    cls.__annotations__ = {name: hint for name, (hint, _) in fields.items()}
    for name, (_, field) in fields.items():
        setattr(cls, name, field)
    return cls
