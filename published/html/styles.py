"""The style sheet of a published site: that of documents, the frame, and what its settings choose.

Settings are those of `styling` and `header` in the JSON of /v1 (docs/sites.md, "Look"). What they
name goes into the sheet only in forms that can end no rule: colours, numbers, addresses without
quotes.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from content.html.markup import safe_address
from content.html.styles import frame_style
from published.html.colours import readable_on
from published.html.fonts import FAMILIES, MONOSPACE, SANS, SERIF, SERIFS

_FOLDER = Path(__file__).parent / "style"
_SITE = "".join(
    (_FOLDER / name).read_text(encoding="utf-8")
    for name in ("site.css", "looks.css", "page_parts.css", "requests.css")
)
_COLOUR = re.compile(r"#[0-9A-Fa-f]{3,8}")
# Corners of small things and of boxes.
_CORNERS = {"straight": ("0", "0"), "rounded": ("6px", "8px"), "circular": ("14px", "18px")}
# Variables of the style sheets for the colours that can be chosen.
_VARIABLES = {
    "primaryColor": ("--link", "--accent", "--accent-soft", "--on-accent"),
    "infoColor": ("--info", "--info-soft"),
    "successColor": ("--success", "--success-soft"),
    "warningColor": ("--warning", "--warning-soft"),
    "dangerColor": ("--danger", "--danger-soft"),
    "tint": ("--tint",),
    "backgroundColor": ("--header",),
    "linkColor": ("--on-header",),
}
_ADDRESS_SAFE = "/:?#@!$&*+,;=%~-._[]"


def _variable(name: str, colour: str) -> str:
    """A soft variant is what is behind a text of the colour, `on` a text on the colour."""
    if name.endswith("-soft"):
        colour = f"color-mix(in srgb, {colour} 13%, var(--paper))"
    elif name == "--on-accent":
        colour = readable_on(colour)
    return f"{name}: {colour};"


@dataclass(frozen=True, slots=True)
class SiteStyle:
    """A style sheet and a name for it that changes with it."""

    css: str
    name: str


def site_style(styling: Mapping[str, Any], header: Mapping[str, Any] | None = None) -> SiteStyle:
    """The style sheet for settings; colours that are absent are those of the sheet."""
    return _site_style(json.dumps([styling, header or {}], sort_keys=True))


@lru_cache(maxsize=256)
def _site_style(settings: str) -> SiteStyle:
    styling, header = json.loads(settings)
    colours = {name: styling.get(name) for name in _VARIABLES if styling.get(name)}
    if styling.get("tint"):
        colours["tint"] = styling["tint"]["color"]
    if header.get("preset") == "custom":
        colours |= {
            name: header[name] for name in ("backgroundColor", "linkColor") if header.get(name)
        }
    corner, box = _CORNERS.get(styling.get("corners") or "", _CORNERS["rounded"])
    light, dark = [f"--corner: {corner};", f"--box: {box};"], []
    faces: list[str] = []
    for variable, setting, fallback in (
        ("--font", "font", SANS),
        ("--mono", "monospaceFont", MONOSPACE),
    ):
        if styling.get(setting):
            family, rules = _font(styling[setting], fallback, f"site{variable}")
            light.append(f"{variable}: {family};")
            faces += rules
    for name, pair in sorted(colours.items()):
        on_light, on_dark = pair["light"], pair["dark"]
        # Nothing else may come into a style sheet.
        if _COLOUR.fullmatch(on_light) and _COLOUR.fullmatch(on_dark):
            light += [_variable(variable, on_light) for variable in _VARIABLES[name]]
            dark += [_variable(variable, on_dark) for variable in _VARIABLES[name]]
    night = " ".join(dark)
    own = (
        f":root {{ {' '.join(light)} }}\n"
        f'@media (prefers-color-scheme: dark) {{ :root:not([data-theme="light"]) {{ {night} }} }}\n'
        f':root[data-theme="dark"] {{ {night} }}\n'
    )
    css = "".join([*faces, frame_style(), _SITE, own])
    return SiteStyle(css, hashlib.sha256(css.encode()).hexdigest()[:16])


def _font(font: Any, fallback: str, own_name: str) -> tuple[str, list[str]]:
    """The families of a font, and the rules that load it where it is the owner's."""
    if isinstance(font, str):
        family = FAMILIES.get(font)
        rest = SERIF if font in SERIFS else fallback
        return (rest if family is None else f'"{family}", {rest}'), []
    return f'"{own_name}", {fallback}', list(_faces(font.get("fontFaces") or (), own_name))


def _faces(faces: Iterable[Mapping[str, Any]], name: str) -> Iterator[str]:
    """Rules for the weights of a font, whose files are wherever its owner has put them."""
    for face in faces:
        sources = []
        for source in face.get("sources") or ():
            address = safe_address(str(source.get("url")))
            if address is None:
                continue
            format = source.get("format")
            kind = f' format("{format}")' if format in ("woff", "woff2") else ""
            sources.append(f'url("{quote(address, safe=_ADDRESS_SAFE)}"){kind}')
        if sources:
            yield (
                f'@font-face {{ font-family: "{name}"; font-weight: {int(face["weight"])}; '
                f"font-display: swap; src: {', '.join(sources)}; }}\n"
            )


def looks_of(styling: Mapping[str, Any], header: Mapping[str, Any]) -> tuple[str, ...]:
    """The classes of the root element that the settings turn on."""
    theme, preset = styling.get("theme"), header.get("preset")
    sidebar = styling.get("sidebar") or {}
    if preset in (None, "default") and theme == "bold":
        preset = "bold"
    tinted = styling.get("tint") or theme == "muted" or styling.get("background") == "match"
    filled = preset in ("bold", "contrast") or (
        preset == "custom" and header.get("backgroundColor") and header.get("linkColor")
    )
    chosen = {
        "tinted": tinted,
        "theme-gradient": theme == "gradient",
        "header-filled": filled,
        f"header-{preset}": preset in ("bold", "contrast", "none"),
        f"depth-{styling.get('depth')}": styling.get("depth") in ("flat", "subtle"),
        "links-accent": styling.get("links") == "accent",
        "search-subtle": styling.get("search") == "subtle",
        "sidebar-filled": sidebar.get("background") == "filled",
        f"list-{sidebar.get('list')}": sidebar.get("list") in ("pill", "line"),
    }
    return tuple(name for name, holds in chosen.items() if holds)
