"""Bullet and ordered lists for the tokenizer, as CommonMark has them.

This takes the place of the library's rule, which spends most of its time on what long lists have
most of: items of one line of plain text. Such an item is one token `plain_item` here, with the
text as its content; every other item has the tokens `list_item_open` and `list_item_close`.
"""

from __future__ import annotations

import re

from markdown_it.common.utils import mdTrim
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token

from content.markdown.block_rules import MAX_LEVEL
from content.markdown.plain_paragraphs import PLAIN, is_next_item

# What the line of an item starts with, up to what has to be a blank or the end of the line.
_MARKER = re.compile(r"(?:([-+*])|([0-9]{1,9})([.)]))(?=[ \t]|\Z)")
_PLAIN_ITEM = re.compile(rf"(?:([-+*])|([0-9]{{1,9}})([.)]))(?: {{1,4}}({PLAIN}))?\Z")
# Of how many blanks behind a marker the content of the item starts behind the last one; after
# more of them it starts behind the first, with a block of code.
_MOST_BLANKS = 4


def list_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A list, with all items that have the same kind of marker."""
    if state.is_code_block(start) or _continues_paragraph(state, start):
        return False
    marker = _marker(state, start)
    if marker is None:
        return False
    if silent:
        return _may_interrupt(state, start, marker)
    kind, number = _kind(marker), marker.group(2)
    name, tag = ("bullet_list", "ul") if number is None else ("ordered_list", "ol")
    opening = state.push(f"{name}_open", tag, 1)
    opening.map = lines = [start, start]
    opening.markup = kind
    if number is not None and int(number) != 1:
        opening.attrs = {"start": int(number)}
    parent, state.parentType = state.parentType, "list"
    terminators = state.md.block.ruler.getRules("list")
    line = start
    while True:
        if not _plain_item(state, line, end, kind):
            marker = _marker(state, line)
            if marker is None or _kind(marker) != kind:
                break
            if line > start and any(rule(state, line, end, True) for rule in terminators):
                break
            _item(state, line, end, marker)
        line = state.line
        if line >= end or state.sCount[line] < state.blkIndent or state.is_code_block(line):
            break
    lines[1] = line
    state.parentType = parent
    state.push(f"{name}_close", tag, -1).markup = kind
    return True


def _marker(state: StateBlock, line: int) -> re.Match[str] | None:
    return _MARKER.match(state.src, state.bMarks[line] + state.tShift[line], state.eMarks[line])


def _kind(match: re.Match[str]) -> str:
    """The bullet, or what follows the number."""
    return match.group(1) or match.group(3)


def _continues_paragraph(state: StateBlock, line: int) -> bool:
    """Whether a line is indented too far to be an item of the list around it, and too little to
    be in the item above."""
    indent = state.sCount[line]
    return state.listIndent >= 0 and indent - state.listIndent >= 4 and indent < state.blkIndent


def _may_interrupt(state: StateBlock, line: int, marker: re.Match[str]) -> bool:
    """Whether a list ends what is above it: after a paragraph only if its first item has text
    and the number 1, or is the next item of the list that holds the paragraph."""
    if state.parentType != "paragraph" or state.sCount[line] < state.blkIndent:
        return True
    if marker.group(2) is not None and int(marker.group(2)) != 1:
        return False
    return state.skipSpaces(marker.end()) < state.eMarks[line]


def _plain_item(state: StateBlock, line: int, end: int, kind: str) -> bool:
    """An item that is one line of plain text or nothing, as one token. Such a line starts no other
    block."""
    start = state.bMarks[line] + state.tShift[line]
    match = _PLAIN_ITEM.match(state.src, start, state.eMarks[line])
    if match is None or _kind(match) != kind or state.level + 1 >= MAX_LEVEL:
        return False
    text = match.group(4)
    after = line + 1
    if text is None:
        # Content may begin on the next line; that after a blank one is not in the item.
        if after < end and (
            state.isEmpty(after) or state.sCount[after] > state.sCount[line] + match.end() - start
        ):
            return False
    elif after < end:
        indent = state.sCount[line] + match.start(4) - start
        if state.isEmpty(after):
            after += 1
            if after < end:
                after = state.skipEmptyLines(after)
            if after < end and state.sCount[after] >= indent:
                return False
        elif not is_next_item(state, after, indent, state.blkIndent):
            return False
    state.tokens.append(
        Token(
            "plain_item", "li", 0, map=[line, after], level=state.level, block=True,
            content=mdTrim(text or ""), markup=kind, info=match.group(2) or "",
        )
    )  # fmt: skip
    state.line = after
    return True


def _item(state: StateBlock, line: int, end: int, marker: re.Match[str]) -> None:
    """An item with the blocks in it."""
    position, stop = marker.end(), state.eMarks[line]
    width = state.sCount[line] + marker.end() - marker.start()
    offset = width
    while position < stop and state.src[position] in " \t":
        tab = state.src[position] == "\t"
        offset += 4 - (offset + state.bsCount[line]) % 4 if tab else 1
        position += 1
    blanks = offset - width
    if position >= stop or blanks > _MOST_BLANKS:
        blanks = 1
    opening = state.push("list_item_open", "li", 1)
    opening.markup = kind = _kind(marker)
    opening.info = marker.group(2) or ""
    opening.map = lines = [line, line]
    kept = state.tight, state.tShift[line], state.sCount[line], state.listIndent, state.blkIndent
    state.listIndent, state.blkIndent = state.blkIndent, width + blanks
    state.tShift[line], state.sCount[line] = position - state.bMarks[line], offset
    if position >= stop and state.isEmpty(line + 1):
        # An item starts with one blank line at most: what follows is not in it.
        state.line = min(line + 2, end)
    else:
        state.md.block.tokenize(state, line, end)
    state.tight, state.tShift[line], state.sCount[line], state.listIndent, state.blkIndent = kept
    lines[1] = state.line
    state.push("list_item_close", "li", -1).markup = kind
