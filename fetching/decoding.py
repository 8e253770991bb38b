"""Bodies with a content coding, decompressed in small steps and never beyond a limit."""

import zlib

from fetching.errors import FetchError

# What requests offer; other codings would need a library each.
ACCEPTED = "gzip, deflate"
_GZIP, _ZLIB, _RAW = 31, 15, -15
# Parts of a gzip body, each packed by itself; servers send one. Each costs time, however empty.
MEMBERS = 1_000


class TooMuch(Exception):
    """A body grew beyond its limit."""


class Plain:
    """A body without a coding."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._body = bytearray()

    def feed(self, data: bytes) -> None:
        """One more piece; TooMuch beyond the limit."""
        self._body += data
        if len(self._body) > self._limit:
            raise TooMuch

    def finish(self) -> bytes:
        """The whole body."""
        return bytes(self._body)


class Inflating:
    """A body in gzip or deflate."""

    def __init__(self, coding: str, limit: int) -> None:
        self._plain = Plain(limit)
        self._limit = limit
        self._coding = coding
        self._inflate = zlib.decompressobj(_GZIP if coding == "gzip" else _ZLIB)
        self._begun = False
        self._members = 1

    def feed(self, data: bytes) -> None:
        """One more piece; TooMuch beyond the limit, FetchError for damaged data."""
        try:
            self._feed(data)
        except zlib.error as error:
            raise FetchError(f"the body is not valid {self._coding}: {error}") from error

    def _feed(self, data: bytes) -> None:
        if not self._begun and self._coding == "deflate" and data:
            # The name stands for zlib, yet some servers send the bare stream.
            if data[0] & 0x0F != 8:
                self._inflate = zlib.decompressobj(_RAW)
            self._begun = True
        while data:
            if self._inflate.eof:
                if self._coding != "gzip":
                    return
                self._members += 1
                if self._members > MEMBERS:
                    raise FetchError(f"the body has more than {MEMBERS} parts in gzip")
                self._inflate = zlib.decompressobj(_GZIP)
            self._plain.feed(self._inflate.decompress(data, 65_536))
            data = self._inflate.unconsumed_tail or self._inflate.unused_data

    def finish(self) -> bytes:
        """The whole body; FetchError when its end is missing."""
        if not self._inflate.eof:
            raise FetchError(f"the body is not valid {self._coding}: it ends too early")
        return self._plain.finish()


def decoder_of(coding: str, limit: int) -> Plain | Inflating:
    """The decoder of a Content-Encoding; FetchError for one that was not offered."""
    name = coding.strip().lower()
    if name in ("", "identity"):
        return Plain(limit)
    if name in ("gzip", "x-gzip"):
        return Inflating("gzip", limit)
    if name == "deflate":
        return Inflating("deflate", limit)
    raise FetchError(f"the body has the coding {name[:50]!r}, only {ACCEPTED} are accepted")
