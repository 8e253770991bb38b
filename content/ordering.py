"""Sort keys of siblings: a page moves between two others by getting a key between theirs.

A key is read as the fraction 0.d1d2d3... in base 62; the digits are in ASCII order, so comparing
the strings (by code point or byte, collation "C") compares the fractions. A key never ends in 0:
there would be no key between "V" and "V0".
"""

from typing import Final

from content.hashing import DIGITS, encode

_VALUE: Final = {digit: value for value, digit in enumerate(DIGITS)}
_FIRST, _LAST = DIGITS[0], DIGITS[-1]
_MIDDLE: Final = DIGITS[len(DIGITS) // 2]


def between(before: str | None, after: str | None) -> str:
    """A key above `before` and below `after`; None is no neighbour on that side.

    Adding at either end counts in steps, so 10,000 keys added there have at most 5 digits.
    Adding again and again at one place between others costs a digit for about 6 keys, so rows
    whose keys have become long should get new ones from `spread`. ValueError for neighbours
    that are not keys or not in order.
    """
    _check("before", before)
    _check("after", after)
    if before is None:
        return _MIDDLE if after is None else _below(after)
    if after is None:
        return _above(before)
    if before >= after:
        raise ValueError(f"before: {before!r} must sort below after, which is {after!r}")
    return _midpoint(before, after)


def spread(n: int) -> list[str]:
    """`n` keys in order, evenly spaced and as short as that allows, with room at both ends."""
    if n < 0:
        raise ValueError(f"n: {n} is negative; it must be 0 or more")
    # The first digit is neither 0 nor z: those begin the longer keys that are added at the ends.
    width = 1
    while (room := (len(DIGITS) - 2) * len(DIGITS) ** (width - 1)) <= n:
        width += 1
    lowest = len(DIGITS) ** (width - 1)
    steps = (lowest + number * room // (n + 1) for number in range(1, n + 1))
    return [encode(step, width).rstrip(_FIRST) for step in steps]


def _check(name: str, key: str | None) -> None:
    if key is None:
        return
    if not key or key[-1] == _FIRST or not _VALUE.keys() >= set(key):
        raise ValueError(
            f"{name}: {key!r} is not a sort key; a key has one or more of the characters "
            "0-9, A-Z and a-z, and the last one is not 0"
        )


def _number(digits: str) -> int:
    number = 0
    for digit in digits:
        number = number * len(DIGITS) + _VALUE[digit]
    return number


# At the ends a key is a counter: k times z (at the upper end) or 0 (at the lower end), then a
# number of k + 1 digits that does not begin with that digit. When the number runs out, k grows:
# x, y, z01, z02, ... and 2, 1, 0zz, 0zy, ... Digits behind the number do not matter.


def _counter(key: str, fill: str) -> tuple[int, int]:
    """How often `fill` begins the key, and the number that follows."""
    filled = len(key) - len(key.lstrip(fill))
    return filled, _number(key[filled : 2 * filled + 1].ljust(filled + 1, _FIRST))


def _above(key: str) -> str:
    filled, number = _counter(key, _LAST)
    number += 1
    if number % len(DIGITS) == 0:
        number += 1
    digits = encode(number, filled + 1)
    if digits[0] == _LAST:
        return _LAST * (filled + 1) + encode(1, filled + 2)
    return _LAST * filled + digits


def _below(key: str) -> str:
    filled, number = _counter(key, _FIRST)
    number -= 1
    if number % len(DIGITS) == 0:
        number -= 1
    digits = encode(max(number, 0), filled + 1)
    if digits[0] == _FIRST:
        return _FIRST * (filled + 1) + _LAST * (filled + 2)
    return _FIRST * filled + digits


def _midpoint(before: str, after: str) -> str:
    at = 0
    while before[at : at + 1] == after[at] or (at >= len(before) and after[at] == _FIRST):
        at += 1
    low, high = _VALUE[before[at]] if at < len(before) else 0, _VALUE[after[at]]
    start = after[:at]
    if high - low > 1:
        return start + DIGITS[(low + high) // 2]
    if len(after) > at + 1:
        return start + DIGITS[high]
    # Neighbouring digits and nothing behind the upper one: go up behind the lower one.
    start += DIGITS[low]
    rest = before[at + 1 :]
    unchanged = len(rest) - len(rest.lstrip(_LAST))
    low = _VALUE[rest[unchanged]] if unchanged < len(rest) else 0
    return start + rest[:unchanged] + DIGITS[(low + len(DIGITS)) // 2]
