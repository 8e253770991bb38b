"""The style sheet of a published site: that of documents, the frame, and the site's own colours."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from content.html.styles import frame_style

_SITE = (Path(__file__).parent / "style" / "site.css").read_text(encoding="utf-8")
_PARTS = (Path(__file__).parent / "style" / "page_parts.css").read_text(encoding="utf-8")
# For the tabs of browsers, where a site has no icon of its own.
ICON = (Path(__file__).parent / "style" / "icon.svg").read_text(encoding="utf-8")
_COLOUR = re.compile(r"#[0-9A-Fa-f]{3,8}")
_CORNERS = {"straight": "0", "rounded": "6px", "circular": "14px"}
# Variables of the style sheets for the colours that can be chosen.
_VARIABLES = {
    "primaryColor": ("--link", "--accent", "--accent-soft"),
    "infoColor": ("--info", "--info-soft"),
    "successColor": ("--success", "--success-soft"),
    "warningColor": ("--warning", "--warning-soft"),
    "dangerColor": ("--danger", "--danger-soft"),
}


def _variable(name: str, colour: str) -> str:
    """A soft variant is what is behind a text of the colour."""
    if name.endswith("-soft"):
        colour = f"color-mix(in srgb, {colour} 13%, var(--paper))"
    return f"{name}: {colour};"


@dataclass(frozen=True, slots=True)
class SiteStyle:
    """A style sheet and a name for it that changes with it."""

    css: str
    name: str


def site_style(colours: Mapping[str, tuple[str, str]], corners: str = "rounded") -> SiteStyle:
    """The style sheet for colours by the names of settings: (on light, on dark)."""
    return _site_style(tuple(sorted(colours.items())), corners)


@lru_cache(maxsize=256)
def _site_style(colours: tuple[tuple[str, tuple[str, str]], ...], corners: str) -> SiteStyle:
    light, dark = [f"--corner: {_CORNERS.get(corners, _CORNERS['rounded'])};"], []
    for name, (on_light, on_dark) in colours:
        for variable in _VARIABLES.get(name, ()):
            # Nothing else may come into a style sheet.
            if _COLOUR.fullmatch(on_light) and _COLOUR.fullmatch(on_dark):
                light.append(_variable(variable, on_light))
                dark.append(_variable(variable, on_dark))
    night = " ".join(dark)
    own = (
        f":root {{ {' '.join(light)} }}\n"
        f'@media (prefers-color-scheme: dark) {{ :root:not([data-theme="light"]) {{ {night} }} }}\n'
        f':root[data-theme="dark"] {{ {night} }}\n'
    )
    css = frame_style() + _SITE + _PARTS + own
    return SiteStyle(css, hashlib.sha256(css.encode()).hexdigest()[:16])
