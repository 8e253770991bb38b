"""Pieces of HTML: attributes, text, elements."""

from __future__ import annotations

import re
from collections.abc import Iterable

from content.json_types import Json, JsonObject
from content.markdown.emoji_names import SHORTCODE, code_of

_AMPERSAND = re.compile(r"&(?=[A-Za-z#])")
_NAME = re.compile(r"[A-Za-z_:@][\w:.@-]*")
_BLANKS = re.compile(r"[\t\f\r]|(?<= ) ")


def attributes(pairs: Iterable[tuple[str, Json]]) -> str:
    """Attributes with a blank in front of each; those without a value (None) are left out."""
    return "".join(f' {name}="{attribute(value)}"' for name, value in pairs if value is not None)


def attribute(value: Json) -> str:
    """A value between double quotes; true and false as words."""
    text = str(value).lower() if isinstance(value, bool) else str(value)
    text = _AMPERSAND.sub("&#x26;", text).replace('"', "&#x22;").replace("<", "&#x3C;")
    return text.replace("\n", "&#xA;").replace("\r", "&#xD;").replace("\t", "&#x9;")


def kept_attributes(data: JsonObject) -> list[tuple[str, Json]]:
    """The attributes that the parser kept because no field of the node is for them."""
    kept = data.get("attributes")
    if not isinstance(kept, dict):
        return []
    return [(name, value) for name, value in kept.items() if _NAME.fullmatch(name)]


def html_text(text: str) -> str:
    """Text in an element, line breaks as `<br>`, blanks that HTML would drop as entities."""
    escaped = _BLANKS.sub(_entity, plain_html(text))
    return SHORTCODE.sub(_escaped_name, escaped).replace("\n", "<br>")


def plain_html(text: str) -> str:
    """Text in an element that keeps white space, such as `<pre>`."""
    return _AMPERSAND.sub("&#x26;", text).replace("<", "&#x3C;")


def kept_edges(inner: str) -> str:
    """The content of a block element, with the blanks at its two ends as entities."""
    stripped = inner.strip(" ")
    if stripped == inner:
        return inner
    if not stripped:
        return "&#x20;" * len(inner)
    start = inner.index(stripped)
    end = len(inner) - start - len(stripped)
    return "&#x20;" * start + stripped + "&#x20;" * end


def _entity(match: re.Match[str]) -> str:
    return f"&#x{ord(match.group()):x};"


def _escaped_name(match: re.Match[str]) -> str:
    known = code_of(match.group(1)) is not None
    return f"&#x3A;{match.group()[1:]}" if known else match.group()
