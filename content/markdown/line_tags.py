"""Block tags whose body and end stand on the same line: `{% hint style="info" %}text{% endhint %}`.

Such a line is one container of tokens, with a paragraph in it or further tags of that form. What
the line holds has no lines of its own, so nothing of it is taken for a line that was written.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from markdown_it.rules_block import StateBlock

from content.documents.tag_syntax import Tag, parse_tag
from content.markdown.tags import TAGS, rule_for

# How deep tags stand in each other on one line; a line with more is text.
_DEEPEST = 8
# These hold nothing but tags of their own.
_HOLDERS = frozenset(parent for rule in TAGS.values() for parent in rule.parents)
# A block of code needs lines.
_ON_LINES = frozenset({"code"})


@dataclass(frozen=True, slots=True)
class LineTag:
    """A tag on one line: all of it as `source`, and between the tag and its end either a text or
    further tags. `ended`: it has an end, or it needs none."""

    tag: Tag
    source: str
    ended: bool = False
    body: str = ""
    inner: tuple[LineTag, ...] = ()


def line_tag(line: str) -> LineTag | None:
    """The tag that a line is with its body and its end, else None. Takes time in proportion to the
    length of the line."""
    line = line.strip(" \t")
    if not line.startswith("{%") or not line.endswith("%}"):
        return None
    places = list(_tags(line))
    if len(places) < 2:
        return None
    read = _Reader(line, places).read(0, len(places), 0, len(line), "", 0)
    return read[0] if read is not None and len(read) == 1 and read[0].ended else None


def _tags(line: str) -> Iterator[tuple[int, int, Tag]]:
    position = line.find("{%")
    while position >= 0:
        end = line.find("%}", position)
        if end < 0:
            return
        tag = parse_tag(line[position : end + 2])
        if tag is not None:
            yield position, end + 2, tag
        position = line.find("{%", end + 2)


class _Reader:
    def __init__(self, line: str, places: list[tuple[int, int, Tag]]) -> None:
        self.line = line
        self.places = places
        # For the index of a tag that of its end: the nearest of its name that has none yet.
        self.ends: dict[int, int] = {}
        waiting: dict[str, list[int]] = {}
        for index, (_, _, tag) in enumerate(places):
            if not tag.closing:
                waiting.setdefault(tag.name, []).append(index)
            elif waiting.get(tag.name):
                self.ends[waiting[tag.name].pop()] = index

    def read(
        self, index: int, stop: int, start: int, end: int, parent: str, depth: int
    ) -> tuple[LineTag, ...] | None:
        """The tags from one index to another, if nothing else stands between two places."""
        tags: list[LineTag] = []
        while index < stop:
            if self.line[start : self.places[index][0]].strip(" \t"):
                return None
            last = self.ends.get(index, stop)
            last = last if last < stop else index
            line_tag = self._one(index, last, parent, depth)
            if line_tag is None:
                return None
            tags.append(line_tag)
            start, index = self.places[last][1], last + 1
        return None if self.line[start:end].strip(" \t") else tuple(tags)

    def _one(self, index: int, last: int, parent: str, depth: int) -> LineTag | None:
        start, behind, tag = self.places[index]
        rule = rule_for(tag)
        if tag.closing or rule is None or tag.name in _ON_LINES or depth > _DEEPEST:
            return None
        if depth and rule.parents and parent not in rule.parents:
            return None
        if depth and parent in _HOLDERS and parent not in rule.parents:
            return None
        stop, end, _ = self.places[last]
        source = self.line[start:end]
        if last == index:
            # Without an end it is a tag that needs none.
            return None if rule.body == "required" or tag.name in _HOLDERS else LineTag(tag, source)
        if rule.body == "none":
            return None
        body = self.line[behind:stop].strip(" \t")
        inner: tuple[LineTag, ...] | None = ()
        if body.startswith("{%") or tag.name in _HOLDERS:
            inner = self.read(index + 1, last, behind, stop, tag.name, depth + 1)
            body = ""
            if tag.name in _HOLDERS and not inner:
                return None
        return None if inner is None else LineTag(tag, source, True, body, inner)


def tag_line(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A line that is a block tag with its body and its end."""
    if state.is_code_block(start):
        return False
    position = state.bMarks[start] + state.tShift[start]
    if not state.src.startswith("{%", position):
        return False
    tag = line_tag(state.src[position : state.eMarks[start]])
    if tag is None:
        return False
    if not silent:
        _push(state, start, tag, inside=False)
        state.line = start + 1
    return True


def _push(state: StateBlock, line: int, whole: LineTag, *, inside: bool) -> None:
    """The tokens of a tag; `inside`: it stands in another one of the line."""
    lines = [line, line + 1]
    tag = replace(whole.tag, lines=(line, line + 1))
    if not whole.ended:
        token = state.push("tag", "", 0)
        token.block, token.map, token.content, token.meta = True, lines, tag.source, {"tag": tag}
        return
    opening = state.push("tag_line_open", "", 1)
    opening.map, opening.content = lines, whole.source
    opening.meta = {"tag": tag, "inside": inside}
    for further in whole.inner:
        _push(state, line, further, inside=True)
    if whole.body:
        state.push("paragraph_open", "p", 1).map = lines
        text = state.push("inline", "", 0)
        text.map, text.content, text.children = lines, whole.body, []
        state.push("paragraph_close", "p", -1)
    state.push("tag_line_close", "", -1)
