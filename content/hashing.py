"""Names for content: the same bytes always get the same short id."""

from hashlib import sha256
from typing import Final

DIGITS: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
ID_LENGTH: Final = 20

# 43 base-62 digits hold 256 bits, so dropping the last 23 leaves the first 20.
_DROPPED: Final = 62 ** (43 - ID_LENGTH)


def content_id(data: bytes) -> str:
    """The id of these bytes: the first 20 base-62 digits (119 bits) of their SHA-256."""
    number = int.from_bytes(sha256(data).digest()) // _DROPPED
    digits = []
    for _ in range(ID_LENGTH):
        number, digit = divmod(number, 62)
        digits.append(DIGITS[digit])
    return "".join(reversed(digits))
