"""Emoji as people write them: the characters themselves, or their code points in hex."""

from __future__ import annotations

import re

LENGTH_LIMIT = 50
_HEX = re.compile(r"[0-9A-Fa-f]{2,6}(?:[- ][0-9A-Fa-f]{2,6})*")
# Asks for the coloured form of a character; the same emoji is seen with and without it.
_VARIATION = 0xFE0F


def emoji_code_points(text: str) -> str | None:
    """The one name of an emoji: its code points in lower-case hex, joined by `-`.

    `text` is the emoji itself or its code points in hex, 1 to 50 characters. None when it is
    neither. Equal names mean the same emoji.
    """
    if not 0 < len(text) <= LENGTH_LIMIT:
        return None
    if _HEX.fullmatch(text):
        points = [int(part, 16) for part in re.split("[- ]", text)]
        # Digits of the keyboard are below 256 as well, but only in front of a keycap.
        if any(not _is_storable(point) for point in points) or all(p < 256 for p in points):
            return None
    else:
        points = [ord(character) for character in text]
        if text.isascii() or any(character.isspace() for character in text):
            return None
        if any(not _is_storable(point) for point in points):
            return None
    kept = [point for point in points if point != _VARIATION]
    return "-".join(f"{point:x}" for point in kept) or None


def _is_storable(point: int) -> bool:
    return 0x20 <= point <= 0x10FFFF and not 0xD800 <= point <= 0xDFFF
