"""Pixel dimensions of images, read from their first bytes without decoding them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

_SVG_HEAD_BYTES = 4096
_JPEG_SEGMENTS = 1000
_SVG_TAG = re.compile(r"<svg\b([^>]*)>", re.IGNORECASE)
_SVG_LENGTH = re.compile(
    r"\b(width|height)\s*=\s*[\"']\s*([0-9]{1,7}(?:\.[0-9]{1,6})?)(?:px)?\s*[\"']"
)
_SVG_VIEW = re.compile(r"\bviewBox\s*=\s*[\"']([-0-9.eE\s,]{1,100})[\"']", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Dimensions:
    """Width and height in pixels (both at least 1)."""

    width: int
    height: int


def image_dimensions(data: bytes, content_type: str) -> Dimensions | None:
    """The dimensions of a PNG, GIF, JPEG, WebP or SVG; None for others and for damaged ones."""
    reader = _READERS.get(content_type)
    dimensions = None if reader is None else reader(data)
    if dimensions is None or dimensions[0] < 1 or dimensions[1] < 1:
        return None
    return Dimensions(*dimensions)


def _png(data: bytes) -> tuple[int, int] | None:
    if len(data) < 24 or data[:8] != b"\x89PNG\r\n\x1a\n" or data[12:16] != b"IHDR":
        return None
    return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")


def _gif(data: bytes) -> tuple[int, int] | None:
    if len(data) < 10 or data[:6] not in (b"GIF87a", b"GIF89a"):
        return None
    return int.from_bytes(data[6:8], "little"), int.from_bytes(data[8:10], "little")


def _jpeg(data: bytes) -> tuple[int, int] | None:
    """Walk the segments up to the first start of frame."""
    if data[:2] != b"\xff\xd8":
        return None
    position = 2
    for _ in range(_JPEG_SEGMENTS):
        if position + 9 > len(data) or data[position] != 0xFF:
            return None
        marker = data[position + 1]
        if marker == 0xFF:
            position += 1
        elif 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height = int.from_bytes(data[position + 5 : position + 7], "big")
            return int.from_bytes(data[position + 7 : position + 9], "big"), height
        elif 0xD0 <= marker <= 0xD8 or marker == 0x01:
            position += 2
        else:
            position += 2 + int.from_bytes(data[position + 2 : position + 4], "big")
    return None


def _webp(data: bytes) -> tuple[int, int] | None:
    if len(data) < 30 or data[:4] != b"RIFF" or data[8:12] != b"WEBP":
        return None
    kind = data[12:16]
    if kind == b"VP8X":
        width = int.from_bytes(data[24:27], "little") + 1
        return width, int.from_bytes(data[27:30], "little") + 1
    if kind == b"VP8L" and data[20] == 0x2F:
        bits = int.from_bytes(data[21:25], "little")
        return (bits & 0x3FFF) + 1, ((bits >> 14) & 0x3FFF) + 1
    if kind == b"VP8 " and data[23:26] == b"\x9d\x01\x2a":
        width = int.from_bytes(data[26:28], "little") & 0x3FFF
        return width, int.from_bytes(data[28:30], "little") & 0x3FFF
    return None


def _svg(data: bytes) -> tuple[int, int] | None:
    """Width and height attributes in pixels, else the size of the view box."""
    tag = _SVG_TAG.search(data[:_SVG_HEAD_BYTES].decode("utf-8", "replace"))
    if tag is None:
        return None
    lengths = {name.lower(): float(value) for name, value in _SVG_LENGTH.findall(tag.group(1))}
    if "width" in lengths and "height" in lengths:
        return round(lengths["width"]), round(lengths["height"])
    view = _SVG_VIEW.search(tag.group(1))
    numbers = re.split(r"[\s,]+", view.group(1).strip()) if view else []
    if len(numbers) != 4:
        return None
    try:
        width, height = float(numbers[2]), float(numbers[3])
    except ValueError:
        return None
    if not (0 < width < 1e7 and 0 < height < 1e7):
        return None
    return round(width), round(height)


_READERS: dict[str, Callable[[bytes], tuple[int, int] | None]] = {
    "image/gif": _gif,
    "image/jpeg": _jpeg,
    "image/png": _png,
    "image/svg+xml": _svg,
    "image/webp": _webp,
}
