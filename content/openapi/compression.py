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


def decompressed(data: bytes) -> bytes:
    """What was stored."""
    return zstd.decompress(data)
