"""Names for content: the same bytes always get the same short id."""

from hashlib import sha256
from typing import Final

from content import base62

ID_LENGTH: Final = 20

# 43 base-62 digits hold 256 bits, so dropping the last 23 leaves the first 20.
_DROPPED: Final = 62 ** (43 - ID_LENGTH)


def content_id(data: bytes) -> str:
    """The id of these bytes: the first 20 base-62 digits (119 bits) of their SHA-256."""
    return base62.encode(int.from_bytes(sha256(data).digest()) // _DROPPED, ID_LENGTH)
