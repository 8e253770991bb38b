"""Emphasis beside Chinese, Japanese and Korean, which have no blanks between words.

CommonMark lets `**` close behind punctuation only where a blank or punctuation follows, so that
`**注意：**内容` would show its asterisks. Here a character of these scripts beside the delimiters
counts as the blank that other scripts have there. Everything else is CommonMark's: Markdown
without such characters is read as everywhere.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from functools import lru_cache

from markdown_it.common.utils import isMdAsciiPunct, isPunctChar, isWhiteSpace
from markdown_it.rules_inline import StateInline, emphasis, strikethrough

Rule = Callable[[StateInline, bool], bool]

# The first letter of these scripts (Hangul Jamo).
_FIRST = 0x1100
# Emoji are as wide as ideographs, but stand among words of any script.
_EMOJI = (range(0x2300, 0x2C00), range(0x1F000, 0x1F200), range(0x1F300, 0x20000))


@lru_cache(maxsize=4096)
def is_cjk(character: str) -> bool:
    """Whether a character belongs to Chinese, Japanese or Korean, their punctuation included."""
    code = ord(character)
    if code < _FIRST or any(code in emoji for emoji in _EMOJI):
        return False
    return unicodedata.east_asian_width(character) in "WFH"


def _beside_cjk(rule: Rule, markers: str) -> Rule:
    """A rule of the engine for delimiters, which reads them so beside these scripts."""

    def read(state: StateInline, silent: bool) -> bool:
        source, start, before = state.src, state.pos, len(state.delimiters)
        if source[start] not in markers or not rule(state, silent):
            return False
        left = source[start - 1] if start else " "
        right = source[state.pos] if state.pos < state.posMax else " "
        if is_cjk(left) or is_cjk(right):
            opens, closes = _opens(left, right), _opens(right, left)
            if source[start] == "_":
                opens, closes = (
                    opens and (not closes or is_punctuation(left)),
                    closes and (not opens or is_punctuation(right)),
                )
            for delimiter in state.delimiters[before:]:
                delimiter.open, delimiter.close = opens, closes
        return True

    return read


read_emphasis = _beside_cjk(emphasis.tokenize, "*_")
read_strikethrough = _beside_cjk(strikethrough.tokenize, "~")


def _opens(outside: str, inside: str) -> bool:
    """Whether delimiters between both characters open what is inside; turned around: close it."""
    if isWhiteSpace(ord(inside)):
        return False
    if not is_punctuation(inside) or is_cjk(inside):
        return True
    return isWhiteSpace(ord(outside)) or is_punctuation(outside) or is_cjk(outside)


def is_punctuation(character: str) -> bool:
    """As the rules for emphasis have it."""
    return isMdAsciiPunct(ord(character)) or isPunctChar(character)
