"""The methods that expressions may call: of texts and of arrays, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from content.expressions.values import SPACE, Value, same_value_zero, text_of, truthy

# Name: the least and the largest number of arguments.
METHODS: dict[str, tuple[int, int]] = {
    "includes": (1, 1),
    "startsWith": (1, 1),
    "endsWith": (1, 1),
    "toLowerCase": (0, 0),
    "toUpperCase": (0, 0),
    "trim": (0, 0),
    "join": (0, 1),
    "some": (1, 1),
    "every": (1, 1),
    "filter": (1, 1),
    "map": (1, 1),
}

# Those whose argument is a function of one element (and its index).
TAKES_FUNCTION = frozenset({"some", "every", "filter", "map"})


def call_text_method(text: str, method: str, arguments: Sequence[Value]) -> Value:
    """The value of a method of a text; KeyError when texts have none of this name."""
    return _TEXT_METHODS[method](text, *map(text_of, arguments))


_TEXT_METHODS: dict[str, Callable[..., Value]] = {
    "includes": lambda text, part: part in text,
    "startsWith": lambda text, part: text.startswith(part),
    "endsWith": lambda text, part: text.endswith(part),
    "toLowerCase": lambda text: text.lower(),
    "toUpperCase": lambda text: text.upper(),
    "trim": lambda text: text.strip(SPACE),
}


def array_includes(items: Sequence[Value], wanted: Value) -> bool:
    """Whether a value is among the elements."""
    return any(same_value_zero(item, wanted) for item in items)


def call_with_function(
    items: Sequence[Value], method: str, function: Callable[[Value, int], Value]
) -> Value:
    """The value of some, every, filter or map."""
    if method == "some":
        return any(truthy(function(item, index)) for index, item in enumerate(items))
    if method == "every":
        return all(truthy(function(item, index)) for index, item in enumerate(items))
    if method == "filter":
        return [item for index, item in enumerate(items) if truthy(function(item, index))]
    return [function(item, index) for index, item in enumerate(items)]
