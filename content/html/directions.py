"""Direction of text: that of its first letter, as browsers guess it and layout engines do not."""

from __future__ import annotations

import re
import unicodedata

from content.documents.plain_text import plain_text
from content.html.markup import Html
from content.json_types import JsonObject

RIGHT_TO_LEFT = "rtl"
# Scripts that run from right to left; most text has none of them and is not looked at further.
_CANDIDATE = re.compile(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001eeff]"
)


def direction_of(text: str) -> str | None:
    """`rtl` for text whose first letter runs from right to left; None for all other text."""
    if text.isascii() or _CANDIDATE.search(text) is None:
        return None
    for char in text:
        kind = unicodedata.bidirectional(char)
        if kind in ("R", "AL"):
            return RIGHT_TO_LEFT
        if kind == "L":
            return None
    return None


def direction_of_block(html: Html, node: JsonObject) -> str | None:
    """The same for a block, whose HTML says quickly whether there is anything to look at."""
    if html.isascii() or _CANDIDATE.search(html) is None:
        return None
    return direction_of(plain_text(node))
