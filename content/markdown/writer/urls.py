"""URLs and titles of links in Markdown."""

from __future__ import annotations

import re

from content.json_types import Json
from content.markdown.writer.escapes import needs_entity_escape

# Line ends become entities, and behind the end is a bracket or a quote.
_BACKSLASH = re.compile(r"\\(?=[!-/:-@\[-`{-~\r\n]|\Z)")
_BREAKS_PLAIN = re.compile(r"[\x00-\x20\x7f<>]")


def destination(url: str) -> str:
    """The URL of a link, in angle brackets where it could not stand without."""
    escaped = _escaped(url)
    if url and not _BREAKS_PLAIN.search(url) and _balanced(url):
        return escaped
    if not url:
        return "<>"
    return f"<{re.sub(r'[<>]', lambda found: chr(92) + found.group(), escaped)}>"


def link_title(title: Json) -> str:
    """A title with the blank in front of it; empty for none."""
    if not isinstance(title, str) or not title:
        return ""
    escaped = _escaped(title).replace('"', '\\"')
    return f' "{escaped}"'


def _escaped(text: str) -> str:
    """Text in which every backslash and `&` stands for itself."""
    text = _BACKSLASH.sub(r"\\\\", text)
    if "&" in text:
        text = re.sub(
            "&",
            lambda found: "\\&" if needs_entity_escape(text, found.start()) else "&",
            text,
        )
    return text.replace("\n", "&#xa;").replace("\r", "&#xd;")


def _balanced(url: str) -> bool:
    depth = 0
    for character in url:
        depth += {"(": 1, ")": -1}.get(character, 0)
        if not 0 <= depth < 30:
            return False
    return depth == 0
