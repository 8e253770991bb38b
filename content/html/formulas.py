"""Formulas in TeX as MathML, which browsers show without any script.

latex2mathml is what offers this without JavaScript; what it cannot read is shown as TeX.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from functools import lru_cache
from html import unescape

from content.html.markup import Html, element, escape, joined

LENGTH_LIMIT = 5_000
DEPTH_LIMIT = 60
_ELEMENTS = frozenset(
    {
        "math", "menclose", "mfrac", "mi", "mmultiscripts", "mn", "mo", "mover", "mpadded",
        "mphantom", "mprescripts", "mroot", "mrow", "ms", "mspace", "msqrt", "mstyle", "msub",
        "msubsup", "msup", "mtable", "mtd", "mtext", "mtr", "munder", "munderover", "none",
    }
)  # fmt: skip
_ATTRIBUTES = frozenset(
    {
        "accent", "accentunder", "columnalign", "columnlines", "columnspacing", "depth", "display",
        "displaystyle", "fence", "form", "height", "largeop", "linebreak", "linethickness",
        "lspace", "mathsize", "mathvariant", "maxsize", "minsize", "movablelimits", "notation",
        "rowlines", "rowspacing", "rspace", "scriptlevel", "separator", "stretchy", "symmetric",
        "voffset", "width",
    }
)  # fmt: skip
_VALUE = re.compile(r"[A-Za-z0-9.+%# -]{1,60}")


def tex_source(tex: str, display: bool) -> Html:
    """The formula as it was written."""
    return element("code", escape(tex), class_="formula formula-source")


@lru_cache(maxsize=512)
def mathml(tex: str, display: bool) -> Html:
    """A formula as MathML with its TeX as the spoken text; the TeX where it cannot be read."""
    if not tex.strip() or len(tex) > LENGTH_LIMIT:
        return tex_source(tex, display)
    try:
        # Its tables take 12 MB, and few pages have formulas.
        from latex2mathml.converter import convert_to_element

        tree = convert_to_element(tex, display="block" if display else "inline")
        return _copy(tree, 0, tex, display)
    except Exception:
        # A parser of somebody else's: whatever it stumbles over, the source can be shown.
        return tex_source(tex, display)


def _copy(node: ET.Element, depth: int, tex: str, display: bool) -> Html:
    """The element without anything that is no mathematics, such as links and styles."""
    name = node.tag.rpartition("}")[2]
    content = joined(
        [
            # The converter writes signs as references to characters.
            escape(unescape(node.text or "")),
            *(_copy(child, depth + 1, tex, display) for child in node),
        ]
    )
    if depth > DEPTH_LIMIT or name not in _ELEMENTS:
        return content
    attributes = {
        key: value
        for key, value in node.attrib.items()
        if key in _ATTRIBUTES and _VALUE.fullmatch(value)
    }
    if name == "math":
        attributes = {"display": "block" if display else "inline", "aria_label": tex}
        return element("math", content, class_="formula", **attributes)
    return element(name, content, **attributes)
