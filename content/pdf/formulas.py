"""Formulas for paper: TeX as drawings, because the layout engine knows no MathML."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

from ziamath.config import config
from ziamath.zmath import Latex

from content.html.formulas import LENGTH_LIMIT, tex_source
from content.html.markup import Html, element, joined

# Glyphs as plain paths: no references within the drawing.
config.svg2 = False
SIZE = 15
_NUMBERS = re.compile(r"[-+.,0-9eE MLQCHVZz]*")
_SHAPES: dict[str, tuple[str, ...]] = {
    "path": ("d",),
    "rect": ("x", "y", "width", "height"),
    "line": ("x1", "y1", "x2", "y2", "stroke_width"),
}
_TAG = "{http://www.w3.org/2000/svg}"


def drawn_formula(tex: str, display: bool) -> Html:
    """The formula as an SVG drawing; its TeX where it cannot be read."""
    if not tex.strip() or len(tex) > LENGTH_LIMIT:
        return tex_source(tex, display)
    try:
        drawing = ET.fromstring(Latex(tex, size=SIZE, inline=not display).svg())  # noqa: S314 (made here)
        return _copy(drawing, tex, display)
    except Exception:
        # A parser of somebody else's: whatever it stumbles over, the source can be shown.
        return tex_source(tex, display)


def _copy(drawing: ET.Element, tex: str, display: bool) -> Html:
    """The drawing with nothing but shapes in it."""
    shapes = []
    for node in drawing.iter():
        name = node.tag.removeprefix(_TAG)
        members = _SHAPES.get(name)
        if members is None:
            continue
        values = {key: node.get(key.replace("_", "-"), "") for key in members}
        if all(_NUMBERS.fullmatch(value) for value in values.values()):
            extra = {"stroke": "#14171c"} if name == "line" else {"fill": "#14171c"}
            shapes.append(element(name, **values, **extra))
    box = [float(part) for part in drawing.get("viewBox", "").split()]
    left, top, width, height = box
    content = joined(shapes)
    # Below the line goes what the drawing has below zero.
    depth = max(0.0, top + height)
    picture = element(
        "svg",
        content,
        width=f"{width:.2f}",
        height=f"{height:.2f}",
        viewBox=f"{left:.3f} {top:.3f} {width:.3f} {height:.3f}",
        class_="formula",
        role="img",
        aria_label=tex,
    )
    if display:
        return picture
    return element("span", picture, class_=f"formula-line drop-{min(20, round(depth))}")
