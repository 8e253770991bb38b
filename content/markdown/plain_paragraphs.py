"""A short way for paragraphs without any syntax, which most of a page's text is."""

from __future__ import annotations

import re
import sys

from markdown_it.common.utils import mdTrim
from markdown_it.rules_block import StateBlock
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from content.errors import TooManyNodes
from content.markdown.text_styles import line_words

TOKENS_PER_NODE = 2
# What the rules of inline content do not look at.
_INERT = r"[^\\`*_~\[\]<>&$!:|{}\n\x00-\x1f]"
_TEXT = re.compile(f"{_INERT}+")
# A line that starts no block either.
PLAIN = rf"[^\W\d_]{_INERT}*"
_PLAIN = re.compile(PLAIN)
# The line of an item with text, which ends the paragraph of the item before it, and that of a
# first item, which ends any paragraph.
_ITEM = re.compile(r"(?:[-+*]|[0-9]{1,9}[.)]) +[^ \t\n]")
_FIRST_ITEM = re.compile(r"(?:[-+*]|0{0,8}1[.)]) +[^ \t\n]")


def plain_paragraph(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A paragraph of plain lines as one token; all others are for the rules that follow."""
    if silent:
        return False
    lines: list[str] = []
    line = start
    while line < state.lineMax and (not lines or not state.isEmpty(line)):
        if lines and (
            is_next_item(state, line, state.blkIndent, state.listIndent)
            or _is_first_item(state, line)
        ):
            break
        position, stop = state.bMarks[line] + state.tShift[line], state.eMarks[line]
        if state.sCount[line] != state.blkIndent or not _PLAIN.fullmatch(state.src, position, stop):
            return False
        # Two blanks break the line above this one.
        if lines and lines[-1].endswith("  "):
            return False
        lines.append(state.src[position:stop])
        line += 1
    content = " ".join([text.removesuffix(" ") for text in lines[:-1]] + lines[-1:])
    token = Token(
        "plain", "", 0, map=[start, line], level=state.level, block=True, content=mdTrim(content)
    )  # fmt: skip
    if len(lines) > 1:
        words = line_words(mdTrim("\n".join(lines)))
        token.meta = {} if words is None else {"words": words}
    state.tokens.append(token)
    state.line = line
    return True


def is_next_item(state: StateBlock, line: int, indent: int, outer: int) -> bool:
    """Whether a line is an item of a list, and not a next line of the paragraph in an item of it
    whose content is indented by `indent`; `outer` is the indentation around the list."""
    own = state.sCount[line]
    if not 0 <= own < indent or own - outer >= 4:
        return False
    return _ITEM.match(state.src, state.bMarks[line] + state.tShift[line]) is not None


def _is_first_item(state: StateBlock, line: int) -> bool:
    """Whether a line starts a list within the container of the paragraph above it."""
    if not 0 <= state.sCount[line] - state.blkIndent < 4:
        return False
    return _FIRST_ITEM.match(state.src, state.bMarks[line] + state.tShift[line]) is not None


def inline_rest(state: StateCore) -> None:
    """Parse the inline content; of plain text that is one token.

    TooManyNodes for more tokens than `most` nodes of the environment are made of.
    """
    # Most nodes come of one or two tokens.
    most = TOKENS_PER_NODE * state.env.get("most", sys.maxsize)
    tokens = len(state.tokens)
    for token in state.tokens:
        if tokens > most:
            raise TooManyNodes(f"the text makes more than {most} tokens")
        if token.type == "inline":
            children: list[Token] = []
            if _TEXT.fullmatch(token.content):
                children.append(Token("text", "", 0, content=token.content))
            else:
                state.md.inline.parse(token.content, state.md, state.env, children)
            token.children = children
            tokens += len(children)
