"""Values of expressions, how they turn into one another as JavaScript has it, and their methods.

Values are JSON values of Python (text, numbers, booleans, None, lists, mappings) and UNDEFINED.
Texts are counted in characters, not in UTF-16 units. ValueError for what has no such value.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from content.expressions.syntax import UNDEFINED, Undefined

Value: TypeAlias = "str | float | bool | Undefined | Sequence[Value] | Mapping[str, Value] | None"

# Texts that an expression may make, and that an array may turn into; what is handed in may be
# longer.
MAX_TEXT = 20_000
MAX_ARRAY_DEPTH = 32

# What JavaScript takes away around a text; Python's own idea of space differs.
SPACE = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
_NUMBER = re.compile(r"[+-]?(?:Infinity|(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)")
_HEXADECIMAL = re.compile(r"0[xX][0-9a-fA-F]{1,256}|0[oO][0-7]{1,256}|0[bB][01]{1,1024}")


def is_number(value: object) -> bool:
    """Whether a value is a number; true and false are none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_array(value: object) -> bool:
    """Whether a value is an array."""
    return isinstance(value, list | tuple)


def truthy(value: Value) -> bool:
    """Whether a value counts as true: all but false, 0, NaN, empty text, null and undefined."""
    if value is None or value is UNDEFINED:
        return False
    if isinstance(value, bool | str):
        return bool(value)
    if isinstance(value, int | float):
        return value == value and value != 0
    return True


def number_of(value: Value) -> float:
    """A value as a number; NaN when it is none."""
    if value is None:
        return 0.0
    if value is UNDEFINED or isinstance(value, Mapping):
        return math.nan
    if isinstance(value, bool | int | float):
        try:
            return float(value)
        except OverflowError:
            return math.inf if value > 0 else -math.inf
    return _parsed(text_of(value).strip(SPACE))


def _parsed(text: str) -> float:
    if not text:
        return 0.0
    if _HEXADECIMAL.fullmatch(text):
        try:
            return float(int(text, 0))
        except OverflowError:
            return math.inf
    return float(text) if _NUMBER.fullmatch(text) else math.nan


def text_of(value: Value, depth: int = 0) -> str:
    """A value as text, as `"" + value` gives it."""
    if isinstance(value, str):
        return value
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return number_text(number_of(value))
    if is_array(value):
        return join(value, ",", depth)  # type: ignore[arg-type]
    return "undefined" if value is UNDEFINED else "[object Object]"


def join(items: Sequence[Value], separator: str, depth: int = 0) -> str:
    """The elements of an array as one text; null and undefined are left empty."""
    if depth > MAX_ARRAY_DEPTH:
        raise ValueError(f"an array of more than {MAX_ARRAY_DEPTH} levels cannot become text")
    texts = [
        "" if item is None or item is UNDEFINED else text_of(item, depth + 1) for item in items
    ]
    if sum(map(len, texts)) + len(separator) * len(texts) > MAX_TEXT:
        raise ValueError(f"a text that is made must not be longer than {MAX_TEXT} characters")
    return separator.join(texts)


def number_text(number: float) -> str:
    """A number in digits: the shortest that mean it, with an exponent from 1e21 and below 1e-6."""
    if math.isnan(number):
        return "NaN"
    if math.isinf(number):
        return "Infinity" if number > 0 else "-Infinity"
    if number == 0:
        return "0"
    mantissa, _, exponent = f"{number!r}e0".partition("e")
    exponent = exponent.partition("e")[0]
    sign = "-" if mantissa.startswith("-") else ""
    whole, _, fraction = mantissa.lstrip("-").partition(".")
    fraction = fraction.rstrip("0")
    digits = (whole + fraction).lstrip("0")
    # The value is 0.digits times ten to the power of `point`.
    point = (
        int(exponent) + len(whole) - (len(whole + fraction) - len(digits) if whole == "0" else 0)
    )
    digits = digits.rstrip("0")
    if 0 < point <= 21:
        text = digits.ljust(point, "0")
        return sign + (f"{text[:point]}.{text[point:]}" if len(text) > point else text)
    if -6 < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    shown = digits[0] + (f".{digits[1:]}" if len(digits) > 1 else "")
    return f"{sign}{shown}e{'+' if point > 0 else '-'}{abs(point - 1)}"


def strictly_equal(left: Value, right: Value) -> bool:
    """`===`: the same kind and value; arrays and objects only when they are the same one."""
    if isinstance(left, bool) or isinstance(right, bool):
        return isinstance(left, bool) and isinstance(right, bool) and left == right
    if isinstance(left, int | float) and isinstance(right, int | float):
        return number_of(left) == number_of(right)
    if isinstance(left, str) and isinstance(right, str):
        return left == right
    return left is right


def loosely_equal(left: Value, right: Value) -> bool:
    """`==`: numbers, texts and booleans are compared as numbers where their kinds differ."""
    missing = (left is None or left is UNDEFINED, right is None or right is UNDEFINED)
    if any(missing):
        return all(missing)
    if isinstance(left, str) and isinstance(right, str):
        return left == right
    if _is_plain(left) and _is_plain(right):
        return number_of(left) == number_of(right)
    if _is_plain(left):
        return loosely_equal(left, text_of(right))
    if _is_plain(right):
        return loosely_equal(text_of(left), right)
    return left is right


def _is_plain(value: Value) -> bool:
    return isinstance(value, str | bool | int | float)


def same_value_zero(left: Value, right: Value) -> bool:
    """How arrays look for an element: `===`, with NaN equal to itself."""
    if is_number(left) and is_number(right):
        return number_of(left) == number_of(right) or (left != left and right != right)
    return strictly_equal(left, right)


def compare(operator: str, left: Value, right: Value) -> bool:
    """`<`, `<=`, `>`, `>=`: two texts by their characters, anything else as numbers."""
    if not _is_plain(left) and not (left is None or left is UNDEFINED):
        left = text_of(left)
    if not _is_plain(right) and not (right is None or right is UNDEFINED):
        right = text_of(right)
    if isinstance(left, str) and isinstance(right, str):
        return _ordered(operator, left, right)
    return _ordered(operator, number_of(left), number_of(right))


def _ordered(operator: str, left: str | float, right: str | float) -> bool:
    if operator == "<":
        return left < right  # type: ignore[operator]
    if operator == "<=":
        return left <= right  # type: ignore[operator]
    return left > right if operator == ">" else left >= right  # type: ignore[operator]


def add(left: Value, right: Value) -> Value:
    """`+`: joins when one side is text (or becomes one), adds otherwise."""
    plain = [
        side if side is None or side is UNDEFINED or _is_plain(side) else text_of(side)
        for side in (left, right)
    ]
    if any(isinstance(side, str) for side in plain):
        first, second = text_of(plain[0]), text_of(plain[1])
        if len(first) + len(second) > MAX_TEXT:
            raise ValueError(f"a text that is made must not be longer than {MAX_TEXT} characters")
        return first + second
    return number_of(plain[0]) + number_of(plain[1])


def calculate(operator: str, left: Value, right: Value) -> float:
    """`-`, `*`, `/`, `%` of two numbers; nothing overflows or divides by zero with an error."""
    a, b = number_of(left), number_of(right)
    if operator == "-":
        return a - b
    if operator == "*":
        return a * b
    if operator == "%":
        if b == 0 or math.isinf(a) or math.isnan(a) or math.isnan(b):
            return math.nan
        return math.fmod(a, b)
    if b != 0:
        return a / b
    if a == 0 or math.isnan(a):
        return math.nan
    return math.copysign(math.inf, a) * math.copysign(1, b)


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


def array_includes(items: Sequence[Value], element: Value) -> bool:
    """Whether a value is among the elements."""
    return any(same_value_zero(item, element) for item in items)


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
