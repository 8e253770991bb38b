"""Sources and versions of specifications as they are stored: compressed by Zstandard."""

from __future__ import annotations

import sys

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

LEVEL = 9


def compressed(data: bytes) -> bytes:
    """Bytes as they are stored."""
    return zstd.compress(data, level=LEVEL)


def checked_bytes(data: bytes, most: int) -> bytes:
    """What bytes of others unpack to, at most so many; ValueError where they do not."""
    unpacking = zstd.ZstdDecompressor()
    try:
        unpacked = unpacking.decompress(data, most)
    except zstd.ZstdError as error:
        raise ValueError(str(error)) from error
    if not unpacking.eof or unpacking.unused_data:
        raise ValueError(f"is damaged, or unpacks to more than {most} bytes")
    return unpacked


def decompressed(data: bytes) -> bytes:
    """What was stored."""
    return zstd.decompress(data)
