"""Names for JSON values, and the walk over them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
JsonObject: TypeAlias = dict[str, "Json"]


def values_in(roots: Iterable[Json]) -> Iterator[Json]:
    """The values themselves and all in them, at any depth, in no order."""
    stack = list(roots)
    while stack:
        value = stack.pop()
        yield value
        if isinstance(value, list):
            stack.extend(value)
        elif isinstance(value, dict):
            stack.extend(value.values())
