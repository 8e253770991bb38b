"""Widths and heights: a number of pixels, or `{value, unit}`."""

from __future__ import annotations

import re

from content.json_types import Json

_LENGTH = re.compile(r"([0-9]{1,6}(?:\.[0-9]{1,20})?)(px|%|rem|em|vw)?")


def read_length(text: str) -> Json:
    """The length that a text says: a number for pixels, else number and unit; None for none."""
    match = _LENGTH.fullmatch(text.strip())
    if match is None:
        return None
    number = float(match.group(1)) if "." in match.group(1) else int(match.group(1))
    if "e" in repr(number):
        return None
    unit = match.group(2) or "px"
    return number if unit == "px" else {"value": number, "unit": unit}


def length_text(length: Json) -> Json:
    """What is written for a length; the value itself when it is no length with a unit."""
    if not isinstance(length, dict):
        return length
    return f"{length.get('value')}{length.get('unit')}"
