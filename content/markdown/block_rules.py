"""Block rules of the dialect for the tokenizer: tags, details, math, HTML, lists, paragraphs.

The rule for lists takes the place of the library's, which spends most of its time on what long
lists have most of: items of one line of plain text. Such an item is one token `plain_item` here,
with the text as its content; every other item has the tokens `list_item_open` and
`list_item_close`. Paragraphs without any syntax, which most of a page's text is, have a short way.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import replace

from markdown_it.common.utils import mdTrim
from markdown_it.rules_block import StateBlock, html_block as library_html_block
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from content.documents.tag_syntax import Tag, parse_tag
from content.errors import TooManyNodes
from content.markdown.text_styles import line_words

# Containers nested deeper than this are kept as text: no reader follows them, every walk of a
# document is bounded by them.
MAX_LEVEL = 32
# How far one tag may reach over lines, and how many characters all failed attempts may read.
_MAX_TAG_LINES = 400
_SCAN_BUDGET = 2_000_000

_DETAILS = re.compile(
    r"<details\b([^<>]*)>\s*(?:<summary>(.*?)</summary>)?\s*\Z", re.DOTALL | re.IGNORECASE
)
_WHOLE_ELEMENT = re.compile(r"<(figure|table|pre|picture|ul|ol|p|div|h[1-6])\b", re.IGNORECASE)
# Only these reach over blank lines; what follows a blank line in the others is Markdown again.
_OVER_BLANK_LINES = ("figure", "table", "pre", "picture")
# In lists of HTML, blank lines may stand between what goes on with HTML.
_LIST_LINE = re.compile(r"</?(?:ul|ol|li)\b", re.IGNORECASE)


def depth_guard(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Keep everything that is nested too deeply as one verbatim token."""
    if state.level < MAX_LEVEL or silent:
        return False
    line = start + 1
    while line < end and (state.isEmpty(line) or state.sCount[line] >= state.blkIndent):
        line += 1
    _push(state, "verbatim", start, line, state.getLines(start, line, state.blkIndent, False))
    return True


def tag_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """`{% name ... %}` on lines of its own; values in quotes may reach over lines."""
    if state.is_code_block(start):
        return False
    position = state.bMarks[start] + state.tShift[start]
    first = state.src[position : state.eMarks[start]].rstrip()
    if not first.startswith("{%"):
        return False
    lines, source = 1, first
    if "%}" not in first:
        over_lines = _tag_over_lines(state, start, end)
        if over_lines is None:
            return False
        lines, source = over_lines
    if "%}" in source[:-2]:
        return False
    tag = parse_tag(source)
    if tag is None:
        return False
    if not silent:
        _push_tag(state, start, start + lines, tag)
    return True


def _tag_over_lines(state: StateBlock, start: int, end: int) -> tuple[int, str] | None:
    """(number of lines, source) of a tag whose `%}` is on a later line of the same container."""
    for line, text in lines_from(state, start, min(end, start + _MAX_TAG_LINES)):
        if line > start and text.lstrip().startswith("{%"):
            # Another tag begins.
            return None
        if "%}" in text:
            source = state.getLines(start, line + 1, state.blkIndent, False).strip()
            return (line - start + 1, source) if source.endswith("%}") else None
    return None


def details_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """The opening of `<details>` with its `<summary>`, and `</details>`, as tags."""
    if state.is_code_block(start):
        return False
    position = state.bMarks[start] + state.tShift[start]
    first = state.src[position : state.eMarks[start]].rstrip()
    lowered = first[:9].lower()
    if lowered == "</details" and first.lower() == "</details>":
        tag, lines = Tag("details", first, closing=True), 1
    elif lowered[:8] == "<details":
        source, lines = first, 1
        while "</summary>" not in source.lower() and lines < 12 and start + lines < end:
            line = start + lines
            source += "\n" + _line(state, line).strip()
            lines += 1
        match = _DETAILS.match(source) if "<summary>" in source.lower() else None
        if match is None:
            source, lines = first, 1
            match = _DETAILS.match(first)
        if match is None:
            return False
        attributes = {"summary": match.group(2) or ""}
        options = match.group(1).strip().lower()
        if options in ("open", 'open=""', 'open="open"', 'open="true"'):
            attributes["open"] = "true"
        elif options:
            return False
        tag = Tag("details", source, attributes=attributes)
    else:
        return False
    if not silent:
        _push_tag(state, start, start + lines, tag)
    return True


def math_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Lines between two `$$` lines."""
    if state.is_code_block(start) or _line(state, start).strip() != "$$":
        return False
    for line, text in lines_from(state, start, end):
        if line > start and text.strip() == "$$":
            if not silent:
                formula = state.getLines(start + 1, line, state.blkIndent, False)
                _push(state, "math_block", start, line + 1, formula)
            return True
    return False


def element_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A whole HTML element that starts and ends with its lines; see `_OVER_BLANK_LINES`."""
    if state.is_code_block(start):
        return False
    match = _WHOLE_ELEMENT.match(_line(state, start).lstrip())
    if match is None:
        return False
    name = match.group(1).lower()
    edges = re.compile(rf"<(/?){name}\b", re.IGNORECASE)
    depth, blank = 0, False
    for line, text in lines_from(state, start, end):
        if state.isEmpty(line) and name not in _OVER_BLANK_LINES:
            if name not in ("ul", "ol"):
                return False
            blank = True
            continue
        if blank and not _LIST_LINE.match(text.lstrip()):
            # Behind a blank line this is Markdown.
            return False
        blank = False
        for edge in edges.finditer(text):
            depth += -1 if edge.group(1) else 1
        if depth <= 0:
            if not text.rstrip().lower().endswith(f"</{name}>"):
                return False
            if not silent:
                source = state.getLines(start, line + 1, state.blkIndent, False)
                _push(state, "html_block", start, line + 1, source.rstrip("\n"))
            return True
    return False


_NOTE = re.compile(r"\[\^([^\] \n]+)\]:([ \t]*)")
# By how much the body of a footnote is indented.
_NOTE_INDENT = 4


def footnote_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """`[^label]: body`; further lines of the body are indented by four.

    What stands beside the label is read as if it stood there: the library indents it by one more,
    so that code, lists and what they hold would end with their first line.
    """
    if state.is_code_block(start):
        return False
    position = state.bMarks[start] + state.tShift[start]
    match = _NOTE.match(state.src, position, state.eMarks[start])
    if match is None:
        return False
    if silent:
        return True
    label = match.group(1)
    state.env.setdefault("footnotes", {}).setdefault("refs", {})[f":{label}"] = -1
    opening = state.push("footnote_reference_open", "", 1)
    opening.meta = {"label": label}
    before = state.bMarks[start], state.tShift[start], state.sCount[start], state.parentType
    blanks = len(match.group(2).expandtabs(_NOTE_INDENT))
    state.blkIndent += _NOTE_INDENT
    state.bMarks[start], state.tShift[start] = match.start(2), len(match.group(2))
    state.sCount[start] = state.blkIndent + max(blanks - 1, 0)
    state.parentType = "footnote"
    state.md.block.tokenize(state, start, end)
    state.bMarks[start], state.tShift[start], state.sCount[start], state.parentType = before
    state.blkIndent -= _NOTE_INDENT
    opening.map = [start, state.line]
    state.push("footnote_reference_close", "", -1)
    return True


# HTML that reaches over blank lines ends with its own mark, whatever stands in it.
_OWN_END = re.compile(r"<(?:!|\?|(?:script|pre|style|textarea)\b)", re.IGNORECASE)


def html_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """HTML up to the next blank line, or to a tag of the dialect on a line of its own: an image
    or a line break before the end of a container does not hide that."""
    if not silent and not _OWN_END.match(_line(state, start).lstrip()):
        end = _html_end(state, start, end)
    return library_html_block(state, start, end, silent)


def _html_end(state: StateBlock, start: int, end: int) -> int:
    """The line of the first tag, or blank line, behind the first line of HTML, or where the
    container ends, such as an item of a list."""
    for line in range(start + 1, end):
        if state.isEmpty(line) or state.sCount[line] < state.blkIndent:
            return line
        text = _line(state, line).lstrip(" \t")
        if text.startswith(("{%", "<details", "</details")) and (
            tag_block(state, line, end, True) or details_block(state, line, end, True)
        ):
            return line
    return end


def _line(state: StateBlock, line: int) -> str:
    return state.src[state.bMarks[line] : state.eMarks[line]]


def lines_from(state: StateBlock, start: int, end: int) -> Iterator[tuple[int, str]]:
    """The lines of a container from `start` on, as far as the look-ahead budget of the document
    reaches, so that no input makes rules quadratic."""
    for line in range(start, end):
        if line > start and not state.isEmpty(line) and state.sCount[line] < state.blkIndent:
            return
        text = _line(state, line)
        left = state.env.get("scan_budget", _SCAN_BUDGET) - len(text) - 1
        state.env["scan_budget"] = left
        if left < 0:
            return
        yield line, text


def _push_tag(state: StateBlock, start: int, end: int, tag: Tag) -> None:
    token = _push(state, "tag", start, end, tag.source)
    token.meta["tag"] = replace(tag, lines=(start, end))


def _push(state: StateBlock, kind: str, start: int, end: int, content: str) -> Token:
    token = state.push(kind, "", 0)
    token.block = True
    token.map = [start, end]
    token.content = content
    token.meta = {}
    state.line = end
    return token


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
    state_before = (
        state.tight,
        state.tShift[line],
        state.sCount[line],
        state.listIndent,
        state.blkIndent,
    )
    state.listIndent, state.blkIndent = state.blkIndent, width + blanks
    state.tShift[line], state.sCount[line] = position - state.bMarks[line], offset
    if position >= stop and state.isEmpty(line + 1):
        # An item starts with one blank line at most: what follows is not in it.
        state.line = min(line + 2, end)
    else:
        state.md.block.tokenize(state, line, end)
    state.tight, state.tShift[line], state.sCount[line], state.listIndent, state.blkIndent = (
        state_before
    )
    lines[1] = state.line
    state.push("list_item_close", "li", -1).markup = kind
