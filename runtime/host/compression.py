"""Compression of what scripts write into streams."""

import base64
import zlib
from typing import Any

# How the format is named to zlib: the size of its window, and what stands around the data.
_WINDOWS = {"gzip": 31, "deflate": 15, "deflate-raw": -15}
# Bytes that compressed ones may become.
MOST = 32_000_000


def compress(arguments: dict[str, Any]) -> str:
    """Bytes in a format."""
    worker = zlib.compressobj(wbits=_WINDOWS[arguments["format"]])
    data = worker.compress(base64.b64decode(arguments["data"])) + worker.flush()
    return base64.b64encode(data).decode()


def decompress(arguments: dict[str, Any]) -> str:
    """The bytes that compressed ones stand for; ValueError for what is damaged or too much."""
    worker = zlib.decompressobj(wbits=_WINDOWS[arguments["format"]])
    try:
        data = worker.decompress(base64.b64decode(arguments["data"]), MOST)
    except zlib.error as error:
        raise ValueError(f"the data is not {arguments['format']}") from error
    if not worker.eof:
        raise ValueError(
            f"it has more than {MOST} bytes" if len(data) == MOST else "the data ends too early"
        )
    if worker.unused_data:
        raise ValueError("there is more behind the data")
    return base64.b64encode(data).decode()
