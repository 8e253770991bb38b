"""A short way for paragraphs without any syntax, which most of a page's text is."""

from __future__ import annotations

import re

from markdown_it.rules_block import StateBlock
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

# A line of it starts no block and has nothing for the rules of inline content to look at.
_PLAIN = re.compile(r"[^\W\d_][^\\`*_~\[\]<>&$!:|{}\n\x00-\x1f]*")


def plain_paragraph(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A paragraph of one plain line; all others are for the rules that follow."""
    if silent or state.sCount[start] != state.blkIndent:
        return False
    if start + 1 < end and not state.isEmpty(start + 1):
        return False
    position, stop = state.bMarks[start] + state.tShift[start], state.eMarks[start]
    if _PLAIN.fullmatch(state.src, position, stop) is None:
        return False
    content = state.src[position:stop].strip()
    lines = [start, start + 1]
    level = state.level
    state.tokens += (
        Token("paragraph_open", "p", 1, map=lines, level=level, block=True),
        Token(
            "inline",
            "",
            0,
            map=lines,
            level=level + 1,
            block=True,
            content=content,
            children=[Token("text", "", 0, content=content)],
            meta={"plain": True},
        ),
        Token("paragraph_close", "p", -1, level=level, block=True),
    )
    state.line = start + 1
    return True


def inline_rest(state: StateCore) -> None:
    """Parse the inline content that is not known to be plain."""
    for token in state.tokens:
        if token.type == "inline" and not token.meta:
            children: list[Token] = []
            state.md.inline.parse(token.content, state.md, state.env, children)
            token.children = children
