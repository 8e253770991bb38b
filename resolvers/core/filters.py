"""Filters of lists: conditions that hold when their arguments are given."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from sqlalchemy import ColumnElement, String, bindparam, func

from resolvers.core.statements import ViewerKind


@dataclass(frozen=True, slots=True, eq=False)
class Filter:
    """A condition with one parameter, `name`, that holds when `value` of the arguments is given."""

    name: str
    # None = the list is not filtered by this.
    value: Callable[[Any], Hashable]
    # A function of the viewer, where the policy is part of it.
    condition: ColumnElement[bool] | Callable[[ViewerKind], ColumnElement[bool]]

    def written(self, viewer: ViewerKind) -> ColumnElement[bool]:
        """The condition for a viewer."""
        condition = self.condition
        return condition if isinstance(condition, ColumnElement) else condition(viewer)


def containing(column: Any, name: str) -> ColumnElement[bool]:
    """Texts with the part that the parameter `name` holds (see `part_of`), whatever capitals."""
    return func.lower(column).like(bindparam(name, type_=String()), escape="/")


def part_of(text: str | None) -> str | None:
    """The value for `containing`; None for an empty or absent text."""
    if not text:
        return None
    escaped = text.lower().replace("/", "//").replace("%", "/%").replace("_", "/_")
    return f"%{escaped}%"


def of_part(name: str, column: Any) -> Filter:
    """Texts that contain the argument `name`, whatever capitals."""
    return Filter(
        name, lambda arguments: part_of(getattr(arguments, name)), containing(column, name)
    )


def equal_to(name: str, column: Any) -> Filter:
    """Rows whose column is the argument `name`."""
    value = bindparam(name, type_=column.type)
    return Filter(name, attrgetter(name), column == value)


Filters = tuple[Filter, ...]
