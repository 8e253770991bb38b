"""Which text can be read on a colour."""

from __future__ import annotations

WHITE, BLACK = "#ffffff", "#10151f"


def readable_on(colour: str) -> str:
    """White or near black for text on a colour `#RGB`, `#RRGGBB` or `#RRGGBBAA`: the one with more
    contrast (WCAG 2)."""
    light = luminance(colour)
    on_white, on_black = 1.05 / (light + 0.05), (light + 0.05) / (luminance(BLACK) + 0.05)
    return WHITE if on_white >= on_black else BLACK


def luminance(colour: str) -> float:
    """The relative luminance of an opaque colour, from 0 to 1."""
    digits = colour.removeprefix("#")
    if len(digits) in (3, 4):
        digits = "".join(digit * 2 for digit in digits)
    red, green, blue = (_linear(int(digits[at : at + 2], 16) / 255) for at in (0, 2, 4))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)
