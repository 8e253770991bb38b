"""Numbers as base-62 digits in ASCII order, so that numbers of one width sort as strings."""

from typing import Final

DIGITS: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def encode(number: int, width: int) -> str:
    """The last `width` digits of a number that is 0 or more, padded with 0."""
    digits = []
    for _ in range(width):
        number, digit = divmod(number, len(DIGITS))
        digits.append(DIGITS[digit])
    return "".join(reversed(digits))
