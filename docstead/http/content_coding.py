"""Content codings of answers (RFC 9110): which one a request asks for, and who writes it."""

import sys
import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import lru_cache
from typing import Any

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

# Shorter answers fit into one packet as they are.
SMALLEST = 1024
# Above this many bytes a coder works in a thread; below, going there takes longer.
IN_PLACE = 16_384
GZIP_LEVEL, ZSTD_LEVEL = 4, 3
_GZIP_FORMAT = 16 + zlib.MAX_WBITS
IDENTITY = "identity"
# Longer headers ask for nothing that we know.
LONGEST_HEADER = 1_000

_TYPES = frozenset(
    {
        b"application/javascript",
        b"application/json",
        b"application/wasm",
        b"application/xml",
        b"font/ttf",
        b"font/otf",
    }
)
# JSON and XML of any kind (RFC 6839): application/schema+json, image/svg+xml.
_SUFFIXES = (b"+json", b"+xml")


class Coder(ABC):
    """Writes one answer in a coding, piece by piece."""

    _coder: Any

    @abstractmethod
    def piece(self, data: bytes, *, last: bool) -> bytes:
        """The coded bytes of a piece, from which a reader can restore all that came so far."""

    def close(self) -> None:
        """Give up the memory of the coder, about a megabyte, whoever still refers to it."""
        self._coder = None


class Gzip(Coder):
    """gzip (RFC 1952)."""

    def __init__(self) -> None:
        self._coder = zlib.compressobj(GZIP_LEVEL, zlib.DEFLATED, _GZIP_FORMAT)

    def piece(self, data: bytes, *, last: bool) -> bytes:
        """See Coder."""
        # A thread may be at work when the coder is closed.
        coder = self._coder
        coded: bytes = coder.compress(data)
        rest: bytes = coder.flush(zlib.Z_FINISH if last else zlib.Z_SYNC_FLUSH)
        return coded + rest


class Zstd(Coder):
    """zstd (RFC 8878)."""

    def __init__(self) -> None:
        self._coder = zstd.ZstdCompressor(level=ZSTD_LEVEL)

    def piece(self, data: bytes, *, last: bool) -> bytes:
        """See Coder."""
        mode = zstd.ZstdCompressor.FLUSH_FRAME if last else zstd.ZstdCompressor.FLUSH_BLOCK
        coded: bytes = self._coder.compress(data, mode)
        return coded


# By name, the better one first: for equal qualities the order decides.
CODERS: dict[str, Callable[[], Coder]] = {"zstd": Zstd, "gzip": Gzip}
_OTHER_NAMES = {"x-gzip": "gzip"}


def chosen_coding(accept_encoding: str) -> str | None:
    """The coding to answer with by a header Accept-Encoding; None for the bytes as they are.

    The best of ours by quality, unless `identity` is named with a higher one. A coding with an
    unreadable quality is not accepted.
    """
    # Before anything is remembered: strangers choose what.
    return None if len(accept_encoding) > LONGEST_HEADER else _chosen(accept_encoding)


@lru_cache(maxsize=256)
def _chosen(accept_encoding: str) -> str | None:
    qualities: dict[str, float] = {}
    for item in accept_encoding.split(","):
        name, *parameters = (part.strip().lower() for part in item.split(";"))
        if name:
            qualities[_OTHER_NAMES.get(name, name)] = _quality(parameters)
    others = qualities.get("*", 0.0)
    best = max(CODERS, key=lambda name: qualities.get(name, others))
    quality = qualities.get(best, others)
    return best if quality > 0 and quality >= qualities.get(IDENTITY, 0.0) else None


def _quality(parameters: list[str]) -> float:
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip() == "q":
            try:
                quality = float(value)
            except ValueError:
                return 0.0
            return quality if 0.0 <= quality <= 1.0 else 0.0
    return 1.0


@lru_cache(maxsize=256)
def compressible(content_type: bytes) -> bool:
    """Whether answers of a media type become smaller: text of any kind, but no pictures."""
    media_type = content_type.partition(b";")[0].strip().lower()
    return media_type.startswith(b"text/") or media_type.endswith(_SUFFIXES) or media_type in _TYPES
