"""Names for content: the same bytes always get the same short id.

Base-62 digits are in ASCII order, so numbers of one width sort as strings.
"""

from hashlib import sha256
from typing import Final

ID_LENGTH: Final = 20

# 43 base-62 digits hold 256 bits, so dropping the last 23 leaves the first 20.
_DROPPED: Final = 62 ** (43 - ID_LENGTH)


def content_id(data: bytes) -> str:
    """The id of these bytes: the first 20 base-62 digits (119 bits) of their SHA-256."""
    return encode(int.from_bytes(sha256(data).digest()) // _DROPPED, ID_LENGTH)


DIGITS: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


# Two digits at a time: every node that is read has its id made again.
_PAIRS: Final = tuple(first + second for first in DIGITS for second in DIGITS)


def encode(number: int, width: int) -> str:
    """The last `width` digits of a number that is 0 or more, padded with 0."""
    pairs = []
    for _ in range((width + 1) // 2):
        number, pair = divmod(number, len(_PAIRS))
        pairs.append(_PAIRS[pair])
    return "".join(reversed(pairs))[width % 2 :]
