"""Emoji as callers write them: the character itself, or its code points in hexadecimal."""

import re
import sys

_HEX = "[0-9a-fA-F]{2,6}(?:-[0-9a-fA-F]{2,6})*"
# Pictographs, symbols, joiners, variation selectors, keycaps and flag tags.
_CHARACTERS = (
    "[0-9#*]\ufe0f?\u20e3"
    "|[\u00a9\u00ae\u200d\u2030-\u2bff\u3030-\u303d\u3297-\u3299\ufe0f"
    "\U0001f000-\U0001faff\U000e0020-\U000e007f]+"
)
EMOJI = f"{_HEX}|{_CHARACTERS}"
ALLOWED = "an emoji, or its code points in hexadecimal joined with hyphens, such as 1f4d8"
LENGTH = 50
# Asks for the coloured form of a character: the same emoji with and without it.
_VARIATION = 0xFE0F


def code_points(text: str) -> str | None:
    """The one name of an emoji: its code points in lower-case hexadecimal, joined by hyphens.

    Two ways to write the same emoji have the same name. None when the text is no emoji, nor the
    code points of one: `abc` are those of a letter.
    """
    if len(text) > LENGTH:
        return None
    if re.fullmatch(_HEX, text):
        points = [int(part, 16) for part in text.split("-")]
    else:
        points = [ord(character) for character in text]
    if max(points, default=0) > sys.maxunicode:
        return None
    if not re.fullmatch(_CHARACTERS, "".join(map(chr, points))):
        return None
    kept = [point for point in points if point != _VARIATION]
    return "-".join(f"{point:x}" for point in kept) or None
