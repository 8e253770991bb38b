"""Emoji as callers write them: the character itself, or its code points in hexadecimal."""

from __future__ import annotations

import re
import sys
from functools import cache

CODE_POINTS = "[0-9a-fA-F]{2,6}(?:-[0-9a-fA-F]{2,6})*"
# Pictographs, symbols, joiners, variation selectors, keycaps and flag tags.
_CHARACTERS = (
    "[0-9#*]\ufe0f?\u20e3"
    "|[\u00a9\u00ae\u200d\u2030-\u2bff\u3030-\u303d\u3297-\u3299\ufe0f"
    "\U0001f000-\U0001faff\U000e0020-\U000e007f]+"
)
EMOJI = f"{CODE_POINTS}|{_CHARACTERS}"
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
    if re.fullmatch(CODE_POINTS, text):
        points = [int(part, 16) for part in text.split("-")]
    else:
        points = [ord(character) for character in text]
    if max(points, default=0) > sys.maxunicode:
        return None
    if not re.fullmatch(_CHARACTERS, "".join(map(chr, points))):
        return None
    plain = [point for point in points if point != _VARIATION]
    return "-".join(f"{point:x}" for point in plain) or None


SHORTCODE = re.compile(r"(?<![A-Za-z0-9:]):([a-z0-9_+-]{1,80}):(?![A-Za-z0-9:])")
# In Markdown, where underscores may be escaped, and a name may be followed by that of a skin tone.
MARKDOWN_SHORTCODE = re.compile(
    r"(?<![A-Za-z0-9:]):((?:[a-z0-9+-]|\\?_){1,80}):(?::?skin-tone-([2-6]):)?(?![A-Za-z0-9:])"
)
_VARIATION_CODE = "-fe0f"
_TONES = ("light", "medium_light", "medium", "medium_dark", "dark")
# Where two emoji have the same alias, the one that GitHub shows.
_OWN = {"beetle": "1fab2", "egg": "1f95a"}
_TONE = re.compile(r"(.+)_tone([1-5])")
_FLAG = re.compile(r"flag[-_]([a-z]{2})")


def code_of(name: str) -> str | None:
    """The code points of an emoji in hexadecimal, joined by `-`; None for an unknown name.

    Names are those of GitHub and of the CLDR, with underscores or hyphens, and with skin tones.
    """
    codes = _codes()
    code = codes.get(name) or codes.get(name.replace("-", "_"))
    if code is not None:
        return code
    if tone := _TONE.fullmatch(name):
        return codes.get(f"{tone[1]}_{_TONES[int(tone[2]) - 1]}_skin_tone") or with_tone(
            codes.get(tone[1]), int(tone[2]) + 1
        )
    if flag := _FLAG.fullmatch(name):
        code = "-".join(f"{0x1F1E6 + ord(letter) - ord('a'):x}" for letter in flag[1])
        return code if code in _names() else None
    return None


def with_tone(code: str | None, tone: int) -> str | None:
    """The code points of an emoji with a skin tone of 2 to 6; None where there is no such one."""
    if code is None:
        return None
    first, *rest = code.split("-")
    toned = "-".join([first, f"{0x1F3FB + tone - 2:x}", *rest])
    return toned if toned in _names() else None


def name_of(code: str) -> str | None:
    """The name by which an emoji is written; None for one without a name."""
    return _names().get(code)


def characters(code: str) -> str:
    """The characters of code points; empty when they are none."""
    try:
        return "".join(chr(int(point, 16)) for point in code.split("-"))
    except (ValueError, OverflowError):
        return ""


@cache
def _codes() -> dict[str, str]:
    # Its table takes 3 MB, which a server needs only for pages with names of emoji.
    from emoji import EMOJI_DATA

    by_name: dict[str, str] = {}
    by_alias: dict[str, str] = {}
    for text, entry in EMOJI_DATA.items():
        code = "-".join(f"{ord(character):x}" for character in text)
        if code.count("-") == 1:
            # The selector of the colourful form says nothing that the character does not.
            code = code.removesuffix(_VARIATION_CODE)
        for names, codes in (((entry["en"],), by_name), (entry.get("alias", ()), by_alias)):
            for name in names:
                if SHORTCODE.fullmatch(name):
                    codes.setdefault(name.strip(":"), code)
    # `dog` is a whole one in the CLDR, and a face for everybody who writes it. Aliases come first,
    # so that they are what emoji are written by.
    return by_alias | {name: code for name, code in by_name.items() if name not in by_alias} | _OWN


@cache
def _names() -> dict[str, str]:
    names: dict[str, str] = {}
    for name, code in _codes().items():
        names.setdefault(code, name)
    return names
