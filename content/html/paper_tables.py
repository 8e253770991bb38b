"""Tables on paper, where nobody can scroll: how small they are set so that all columns are seen."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import unescape

from content.html.markup import Html

# What lines may not be broken in; signs of East Asian scripts stand by themselves.
_PIECES = re.compile("[^\\s\u2e80-\ud7ff\uf900-\uffef]+|[\u2e80-\ud7ff\uf900-\uffef]")
_TAG = re.compile(r"<(/?)([a-z0-9]+)[^<>]*>")
_MARKS = frozenset(
    {"a", "b", "code", "em", "i", "kbd", "mark", "s", "span", "strong", "sub", "sup"}
)
_SHEET_POINTS = 470.0
# Width of a character of the fonts of tables in relation to their height: rather more than less.
_CHARACTER = 0.58
# (class, height of type in points, blank beside the text of a cell in heights), as in print.css.
_SIZES = (("", 9.0, 1.4), ("narrow", 7.5, 0.9), ("narrower", 6.0, 0.6))
# Still too wide: all columns are as wide, and words are broken anywhere.
BROKEN = "broken"


def paper_fit(rows: Sequence[Sequence[Html]]) -> str:
    """The class of a table with these cells, heads among them; "" where it fits as it is."""
    if not rows:
        return ""
    longest = [max(map(_longest, column)) for column in zip(*rows, strict=True)]
    for name, height, blank in _SIZES:
        if sum(_CHARACTER * count + blank for count in longest) * height <= _SHEET_POINTS:
            return name
    return BROKEN


def _longest(cell: Html) -> int:
    """Characters of the longest piece in which no line may end."""
    text = unescape(_TAG.sub(_between, cell))
    return max(map(len, _PIECES.findall(text)), default=0)


def _between(tag: re.Match[str]) -> str:
    return "" if tag[2] in _MARKS else " "
