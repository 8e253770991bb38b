"""Tabs as other generators of documentation write them, read as those of the dialect:

    <Tabs>
      <TabItem value="js" label="JavaScript">
        Text, indented as far as its author likes.
      </TabItem>
    </Tabs>

`<Tab title="JavaScript">` is the other common form. Each tag stands on a line of its own. What is
put together in another way stays as it is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from markdown_it.rules_block import StateBlock
from markdown_it.token import Token

from content.documents.tag_syntax import Tag
from content.markdown.block_rules import lines_from

_VALUE = r"\"[^\"<>]*\"|'[^'<>]*'|\{[^{}<>]*\}"
_TABS = re.compile(rf"<Tabs((?:\s+[A-Za-z][\w-]*(?:=(?:{_VALUE}))?)*)\s*>")
_ITEM = re.compile(rf"<(TabItem|Tab)((?:\s+[A-Za-z][\w-]*(?:=(?:{_VALUE}))?)*)\s*>")
_ATTRIBUTE = re.compile(rf"([A-Za-z][\w-]*)(?:=({_VALUE}))?")
_FENCE = re.compile(r"(`{3,}|~{3,})")
# What names a tab, the first of them that it has.
_TITLES = ("title", "label", "value")


@dataclass(slots=True)
class _Item:
    """One tab: its tag with the end tag for it, and the lines of both; the lines of code in it."""

    tag: Tag
    end: str
    first: int
    last: int
    code: set[int]


def component_tabs(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """`<Tabs>` with everything up to `</Tabs>`."""
    if state.is_code_block(start):
        return False
    position = state.bMarks[start] + state.tShift[start]
    opening = _TABS.fullmatch(state.src[position : state.eMarks[start]].rstrip())
    tabs = None if opening is None else _items(state, start, end)
    if opening is None or tabs is None:
        return False
    if silent:
        return True
    items, last = tabs
    _push(state, start, Tag("tabs", opening.group(), attributes=_attributes(opening.group(1))))
    for item in items:
        _push(state, item.first, item.tag)
        _content(state, item)
        _push(state, item.last, _end("tab", state, item.last))
    _push(state, last, _end("tabs", state, last))
    state.line = last + 1
    return True


def _items(state: StateBlock, start: int, end: int) -> tuple[list[_Item], int] | None:
    """The tabs and the line of `</Tabs>`; None where something else stands between them."""
    items: list[_Item] = []
    item: _Item | None = None
    fence, depth = "", 0
    for line, source in lines_from(state, start + 1, end):
        text = source.strip()
        if item is None:
            if text == "</Tabs>":
                return (items, line) if items else None
            match = _ITEM.fullmatch(text)
            if match is not None:
                item = _Item(_item_tag(match), f"</{match.group(1)}>", line, line, set())
            elif text:
                return None
            continue
        mark = _FENCE.match(text)
        if fence:
            item.code.add(line)
            if mark is not None and text == mark.group() and text.startswith(fence):
                fence = ""
        elif mark is not None and _is_closed(state, mark.group(), line, end):
            fence = mark.group()
        elif _TABS.fullmatch(text):
            depth += 1
        elif text == "</Tabs>":
            depth -= 1
        elif not depth and text == item.end:
            item.last = line
            items.append(item)
            item = None
    return None


def _is_closed(state: StateBlock, fence: str, line: int, end: int) -> bool:
    """Whether a line behind that of a fence closes it: without one, the end tags behind it are none
    of its lines."""
    for _, source in lines_from(state, line + 1, end):
        text = source.strip()
        if text.startswith(fence) and text == text[0] * len(text):
            return True
    return False


def _item_tag(match: re.Match[str]) -> Tag:
    attributes = _attributes(match.group(2))
    name = next((name for name in _TITLES if attributes.get(name)), None)
    if name is not None:
        attributes = {"title": attributes.pop(name), **attributes}
    return Tag("tab", match.group(), attributes=attributes)


def _attributes(source: str) -> dict[str, str]:
    return {name: value[1:-1] if value else "true" for name, value in _ATTRIBUTE.findall(source)}


def _end(name: str, state: StateBlock, line: int) -> Tag:
    source = state.src[state.bMarks[line] : state.eMarks[line]].strip()
    return Tag(name, source, closing=True)


def _content(state: StateBlock, item: _Item) -> None:
    """Read what a tab holds as if its least indented line were not indented."""
    first, last = item.first + 1, item.last
    lines = [line for line in range(first, last) if not state.isEmpty(line)]
    indents = [state.sCount[line] for line in lines if line not in item.code]
    if not indents:
        return
    before = state.blkIndent, state.listIndent, state.lineMax, state.parentType
    counts = {line: state.sCount[line] for line in item.code}
    state.blkIndent, state.listIndent, state.lineMax = min(indents), -1, last
    state.parentType = "root"
    for line in item.code:
        # Lines of code may be indented less than their fences.
        state.sCount[line] = max(state.sCount[line], state.blkIndent)
    state.md.block.tokenize(state, first, last)
    for line, count in counts.items():
        state.sCount[line] = count
    state.blkIndent, state.listIndent, state.lineMax, state.parentType = before


def _push(state: StateBlock, line: int, tag: Tag) -> Token:
    token = state.push("tag", "", 0)
    token.block = True
    token.map = [line, line + 1]
    token.content = tag.source
    token.meta = {"tag": replace(tag, lines=(line, line + 1))}
    return token
