"""The icon of a site in the tab of a browser, where it has no picture: an emoji, or ours."""

from __future__ import annotations

import re
from pathlib import Path

from content.html.inlines import emoji_text
from content.html.markup import escape

ICON = (Path(__file__).parent / "style" / "icon.svg").read_text(encoding="utf-8")
_NAME = re.compile(r"icon(?:-([0-9a-f]{2,6}(?:-[0-9a-f]{2,6}){0,15}))?\.svg")


def icon_name(emoji: str | None) -> str:
    """The name of the icon with an emoji, given as text or by its code points; of ours without."""
    if not emoji:
        return "icon.svg"
    shown = (emoji_text(emoji) if len(emoji) >= 4 else "") or emoji
    return f"icon-{'-'.join(f'{ord(char):x}' for char in shown)}.svg"


def icon_of(name: str) -> str | None:
    """The icon of a name that `icon_name` makes, as SVG; None for other names."""
    match = _NAME.fullmatch(name)
    if match is None:
        return None
    if match[1] is None:
        return ICON
    shown = emoji_text(match[1])
    if not shown:
        return None
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">'
        f'<text x="16" y="26" font-size="26" text-anchor="middle">{escape(shown)}</text></svg>'
    )
