"""The fonts that are shipped: text, code and emoji of the scripts that most documents need.

Inter and JetBrains Mono cover Latin, Greek, Cyrillic and Vietnamese; Noto Emoji draws emoji in one
colour. Other scripts come from the fonts of the system (docs/operating.md names packages).
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent / "fonts"
FONT_PREFIX = "fonts/"
_LATIN = (
    "U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+0304,U+0308,U+0329,"
    "U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD"
)
RANGES = {
    "latin": _LATIN,
    "latin-ext": (
        "U+0100-02BA,U+02BD-02C5,U+02C7-02CC,U+02CE-02D7,U+02DD-02FF,U+0304,U+0308,U+0329,"
        "U+1D00-1DBF,U+1E00-1E9F,U+1EF2-1EFF,U+2020,U+20A0-20AB,U+20AD-20C0,U+2113,U+2C60-2C7F,"
        "U+A720-A7FF"
    ),
    "cyrillic": "U+0301,U+0400-045F,U+0490-0491,U+04B0-04B1,U+2116",
    "cyrillic-ext": "U+0460-052F,U+1C80-1C8A,U+20B4,U+2DE0-2DFF,U+A640-A69F,U+FE2E-FE2F",
    "greek": "U+0370-0377,U+037A-037F,U+0384-038A,U+038C,U+038E-03A1,U+03A3-03FF",
    "greek-ext": "U+1F00-1FFF",
    "vietnamese": (
        "U+0102-0103,U+0110-0111,U+0128-0129,U+0168-0169,U+01A0-01A1,U+01AF-01B0,U+0300-0301,"
        "U+0303-0304,U+0308-0309,U+0323,U+0329,U+1EA0-1EF9,U+20AB"
    ),
}
# Family, name of its files, scripts, weights, styles.
_FAMILIES: tuple[tuple[str, str, tuple[str, ...], tuple[int, ...], tuple[str, ...]], ...] = (
    ("Inter", "inter", tuple(RANGES), (400, 600), ("normal", "italic")),
    (
        "JetBrains Mono",
        "jetbrains-mono",
        ("latin", "latin-ext", "cyrillic", "greek", "vietnamese"),
        (400, 700),
        ("normal",),
    ),
)
_EMOJI = "noto-emoji.woff2"


@cache
def font_faces() -> str:
    """CSS that declares every shipped font."""
    faces = []
    for family, stem, scripts, weights, styles in _FAMILIES:
        # What is declared last is looked at first: the most usual script.
        for script in reversed(scripts):
            for weight in weights:
                for style in styles:
                    name = f"{stem}-{script}-{weight}-{style}.woff2"
                    faces.append(_face(family, name, weight, style, RANGES[script]))
    faces.append(_face("Noto Emoji", _EMOJI, 400, "normal", None))
    return "\n".join(faces)


def _face(family: str, name: str, weight: int, style: str, characters: str | None) -> str:
    limit = f" unicode-range: {characters};" if characters else ""
    return (
        f"@font-face {{ font-family: '{family}'; font-weight: {weight}; font-style: {style}; "
        f"src: url('{FONT_PREFIX}{name}');{limit} }}"
    )


def font_file(name: str) -> Path | None:
    """The file of a shipped font; None when there is none of this name."""
    path = FOLDER / name
    return path if path.parent == FOLDER and path.suffix == ".woff2" and path.is_file() else None
