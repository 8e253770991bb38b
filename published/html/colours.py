"""Which text can be read on a colour."""

from __future__ import annotations

WHITE, SOFT_BLACK, BLACK = "#ffffff", "#10151f", "#000000"
AA = 4.5


def readable_on(colour: str) -> str:
    """White or black for text on a colour `#RGB`, `#RRGGBB` or `#RRGGBBAA`, softened where that can
    be read: the contrast is at least 4.5 (WCAG 2, level AA)."""
    light = luminance(colour)
    if contrast(1.0, light) >= AA:
        return WHITE
    return SOFT_BLACK if contrast(light, luminance(SOFT_BLACK)) >= AA else BLACK


def contrast(lighter: float, darker: float) -> float:
    """The contrast of two luminances, from 1 to 21."""
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour: str) -> float:
    """The relative luminance of an opaque colour, from 0 to 1."""
    digits = colour.removeprefix("#")
    if len(digits) in (3, 4):
        digits = "".join(digit * 2 for digit in digits)
    red, green, blue = (_linear(int(digits[at : at + 2], 16) / 255) for at in (0, 2, 4))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)
