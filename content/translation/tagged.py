"""Texts with tags: how what is not to be translated travels through a translator.

A tag is `<x1>…</x1>`, with a number of its own in the text. It stands for something that has to be
there again in the translation, once and in the same other tag: a mark, a link, code, an expression.
What a tag that is `fixed` holds is shown for the context only; whatever comes back in its place is
thrown away. Tags beside each other may change places, for languages order words differently.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

_TAG = re.compile(r"<(/?)[xX](\d{1,6})\s*>")
# Nothing that a text of a document may hold.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
# How much longer a translation may be than its text: times, and characters beside that.
_LONGER, _MORE = 10, 1_000


@dataclass(slots=True)
class Tag:
    """A tag of a translation: its number and what is in it; the whole has the number 0."""

    number: int
    parts: list[Tag | str] = field(default_factory=list)

    def text(self) -> str:
        """All text in it."""
        return "".join(part if isinstance(part, str) else part.text() for part in self.parts)


@dataclass(frozen=True, slots=True)
class Rule:
    """What is known of a tag: the number of the one it is in, whether what it holds is fixed, and
    whether it holds words."""

    parent: int
    fixed: bool
    words: bool


class Writer:
    """Writes a text with tags."""

    def __init__(self) -> None:
        self.rules: dict[int, Rule] = {}
        self._pieces: list[str] = []
        self._open: list[int] = [0]

    def text(self, text: str) -> None:
        """Add text to be translated."""
        self._pieces.append(html.escape(text, quote=False))

    def fixed(self, shown: str) -> int:
        """Add a tag whose content stays as it is; its number."""
        number = self._begin(fixed=True, words=False)
        self.text(shown)
        self.end()
        return number

    def begin(self, *, words: bool) -> int:
        """Begin a tag whose content is translated; its number."""
        return self._begin(fixed=False, words=words)

    def _begin(self, *, fixed: bool, words: bool) -> int:
        number = len(self.rules) + 1
        self.rules[number] = Rule(self._open[-1], fixed, words)
        self._open.append(number)
        self._pieces.append(f"<x{number}>")
        return number

    def end(self) -> None:
        """End the tag that was begun last."""
        self._pieces.append(f"</x{self._open.pop()}>")

    def written(self) -> str:
        """The whole text."""
        return "".join(self._pieces)


def read_answer(template: str, rules: Mapping[int, Rule], answer: str) -> Tag | None:
    """The translation of a text, in which each tag is where it belongs; None for any other answer.

    It takes time in proportion to the length of the answer.
    """
    if len(answer) > _LONGER * len(template) + _MORE or _CONTROL.search(answer):
        return None
    root = Tag(0)
    stack = [root]
    seen: set[int] = set()
    position = 0
    for match in _TAG.finditer(answer):
        number = int(match.group(2))
        if number not in rules:
            # Text of the translator's own: it stays text.
            continue
        _add(stack[-1], answer[position : match.start()])
        position = match.end()
        if match.group(1):
            if stack[-1].number != number:
                return None
            stack.pop()
            continue
        if number in seen or rules[number].parent != stack[-1].number:
            return None
        seen.add(number)
        tag = Tag(number)
        stack[-1].parts.append(tag)
        stack.append(tag)
    _add(root, answer[position:])
    if len(stack) > 1 or len(seen) < len(rules):
        return None
    for tag in _tags(root):
        if rules[tag.number].words and not tag.text().strip():
            return None
    return root


def _add(tag: Tag, piece: str) -> None:
    if piece:
        tag.parts.append(html.unescape(piece))


def _tags(root: Tag) -> Iterator[Tag]:
    stack = [root]
    while stack:
        for part in stack.pop().parts:
            if isinstance(part, Tag):
                yield part
                stack.append(part)
