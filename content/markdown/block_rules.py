"""Block rules of the dialect for the tokenizer: tags, details, math, whole HTML elements."""

from __future__ import annotations

import re
from dataclasses import replace

from markdown_it.rules_block import StateBlock
from markdown_it.token import Token

from content.markdown.tag_syntax import Tag, parse_tag

# Containers nested deeper than this are kept as text: no reader follows them, every walk of a
# document is bounded by them.
MAX_LEVEL = 32
# How far one tag may reach over lines, and how many characters all failed attempts may read.
_MAX_TAG_LINES = 400
_SCAN_BUDGET = 2_000_000

_DETAILS = re.compile(
    r"<details\b([^<>]*)>\s*(?:<summary>(.*?)</summary>)?\s*\Z", re.DOTALL | re.IGNORECASE
)
_WHOLE_ELEMENT = re.compile(r"<(figure|table|pre|picture|p|div|h[1-6])\b", re.IGNORECASE)
# Only these reach over blank lines; what follows a blank line in the others is Markdown again.
_OVER_BLANK_LINES = ("figure", "table", "pre", "picture")


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
        found = _tag_over_lines(state, start, end)
        if found is None:
            return False
        lines, source = found
    if "%}" in source[:-2]:
        return False
    tag = parse_tag(source)
    if tag is None:
        return False
    if not silent:
        token = _push(state, "tag", start, start + lines, source)
        token.meta["tag"] = replace(tag, lines=(start, start + lines))
    return True


def _tag_over_lines(state: StateBlock, start: int, end: int) -> tuple[int, str] | None:
    """(number of lines, source) of a tag whose `%}` is on a later line of the same container."""
    for line in range(start + 1, min(end, start + _MAX_TAG_LINES)):
        if not state.isEmpty(line) and state.sCount[line] < state.blkIndent:
            break
        text = state.src[state.bMarks[line] : state.eMarks[line]]
        if not _spend(state, len(text) + 1):
            break
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
        token = _push(state, "tag", start, start + lines, tag.source)
        token.meta["tag"] = replace(tag, lines=(start, start + lines))
    return True


def math_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Lines between two `$$` lines."""
    if state.is_code_block(start) or _line(state, start).strip() != "$$":
        return False
    for line in range(start + 1, end):
        if not state.isEmpty(line) and state.sCount[line] < state.blkIndent:
            return False
        text = _line(state, line)
        if not _spend(state, len(text) + 1):
            return False
        if text.strip() == "$$":
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
    depth = 0
    for line in range(start, end):
        if line > start and not state.isEmpty(line) and state.sCount[line] < state.blkIndent:
            return False
        if state.isEmpty(line) and name not in _OVER_BLANK_LINES:
            return False
        text = _line(state, line)
        if not _spend(state, len(text) + 1):
            return False
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


def _line(state: StateBlock, line: int) -> str:
    return state.src[state.bMarks[line] : state.eMarks[line]]


def _spend(state: StateBlock, characters: int) -> bool:
    """Take from the look-ahead budget of the document, so that no input makes rules quadratic."""
    left: int = state.env.get("scan_budget", _SCAN_BUDGET) - characters
    state.env["scan_budget"] = left
    return left >= 0


def _push(state: StateBlock, kind: str, start: int, end: int, content: str) -> Token:
    token = state.push(kind, "", 0)
    token.block = True
    token.map = [start, end]
    token.content = content
    token.meta = {}
    state.line = end
    return token
