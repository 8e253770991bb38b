"""Names of emoji, `:house:`, and their code points, `1f3e0`."""

from __future__ import annotations

import re
from functools import cache

SHORTCODE = re.compile(r"(?<![A-Za-z0-9:]):([a-z0-9_+-]{1,80}):(?![A-Za-z0-9:])")
_VARIATION = "-fe0f"


def code_of(name: str) -> str | None:
    """The code points of an emoji in hexadecimal, joined by `-`; None for an unknown name."""
    return _codes().get(name)


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

    codes: dict[str, str] = {}
    for text, entry in EMOJI_DATA.items():
        code = "-".join(f"{ord(character):x}" for character in text)
        if code.count("-") == 1:
            # The selector of the colourful form says nothing that the character does not.
            code = code.removesuffix(_VARIATION)
        for name in (*entry.get("alias", ()), entry["en"]):
            if SHORTCODE.fullmatch(name):
                codes.setdefault(name.strip(":"), code)
    return codes


@cache
def _names() -> dict[str, str]:
    names: dict[str, str] = {}
    for name, code in _codes().items():
        names.setdefault(code, name)
    return names
