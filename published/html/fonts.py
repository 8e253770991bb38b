"""Fonts that settings know by name: those of the reader's machine, for the server has no files."""

from __future__ import annotations

from collections.abc import Mapping

FAMILIES: Mapping[str, str] = {
    "ABCFavorit": "ABC Favorit",
    "Inter": "Inter",
    "Roboto": "Roboto",
    "RobotoSlab": "Roboto Slab",
    "OpenSans": "Open Sans",
    "SourceSansPro": "Source Sans Pro",
    "Lato": "Lato",
    "Ubuntu": "Ubuntu",
    "Raleway": "Raleway",
    "Merriweather": "Merriweather",
    "Overpass": "Overpass",
    "NotoSans": "Noto Sans",
    "IBMPlexSerif": "IBM Plex Serif",
    "Poppins": "Poppins",
    "FiraSans": "Fira Sans",
    "FiraCode": "Fira Code",
    "IBMPlexMono": "IBM Plex Mono",
    "JetBrainsMono": "JetBrains Mono",
    "SourceCodePro": "Source Code Pro",
    "RobotoMono": "Roboto Mono",
    "SpaceMono": "Space Mono",
    "DMMono": "DM Mono",
    "Inconsolata": "Inconsolata",
}
SERIFS = frozenset({"RobotoSlab", "Merriweather", "IBMPlexSerif"})
# What is shown where a font is not there.
SANS = (
    'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", Arial, sans-serif'
)
SERIF = 'Georgia, "Noto Serif", serif'
MONOSPACE = 'ui-monospace, "SF Mono", Menlo, Consolas, monospace'
