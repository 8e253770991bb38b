"""Texts with marks and inlines as tokens, edits of tokens, and tokens as texts again."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from content.merge.nodes import Node, derived_key, digest

# A word, a sign or blanks; letters of scripts without blanks stand alone.
_ALONE = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_TOKEN = re.compile(rf"[{_ALONE}]|[^\W{_ALONE}]+|[^\w\s]|\s+")


@dataclass(frozen=True, slots=True)
class Token:
    """A word, a sign, blanks or an inline. `value` tells what it is, apart from its marks."""

    value: str | bytes
    marks: dict[str, Node] = field(default_factory=dict)
    inline: Node | None = None
    key: str | None = None
    """Key of the text node it stood in."""

    @property
    def size(self) -> int:
        """Characters of the text; an inline counts as a word."""
        return len(self.value) if isinstance(self.value, str) else 6

    @property
    def is_blank(self) -> bool:
        return isinstance(self.value, str) and self.value.isspace()

    def equals(self, other: Token) -> bool:
        """Whether two tokens have the same text and the same marks."""
        return self.value == other.value and self.marks == other.marks


def tokens_of(nodes: Iterable[Node]) -> list[Token]:
    """The tokens of the children of a paragraph, heading, line of code or link."""
    tokens: list[Token] = []
    for node in nodes:
        if node.get("object") != "text":
            tokens.append(Token(digest(node), inline=node))
            continue
        for leaf in node.get("leaves") or []:
            marks = {str(mark.get("type")): mark for mark in leaf.get("marks") or []}
            for text in _TOKEN.findall(leaf.get("text", "")):
                tokens.append(Token(text, marks, key=node.get("key")))
    return tokens


def nodes_of(tokens: Iterable[Token], seed: str) -> list[Node]:
    """Text nodes and inlines for tokens; at least one text node.

    A text node keeps the key of the first token's node, if no other one before it has that.
    """
    nodes: list[Node] = []
    text: Node | None = None
    taken: set[str | None] = {None}
    for token in tokens:
        if token.inline is not None:
            nodes.append(token.inline)
            text = None
            continue
        if text is None:
            key = token.key
            if key in taken:
                key = derived_key("text", seed, len(nodes))
            taken.add(key)
            text = {"object": "text", "key": key, "leaves": []}
            nodes.append(text)
        _append(text["leaves"], str(token.value), list(token.marks.values()))
    if not nodes:
        leaf = {"object": "leaf", "text": "", "marks": []}
        nodes = [{"object": "text", "key": derived_key("text", seed, 0), "leaves": [leaf]}]
    return nodes


def _append(leaves: list[Any], text: str, marks: list[Node]) -> None:
    if leaves and leaves[-1]["marks"] == marks:
        leaves[-1]["text"] += text
    else:
        leaves.append({"object": "leaf", "text": text, "marks": marks})


class OverlapError(Exception):
    """Both sides changed the same words, or one word's marks that the other replaced."""


@dataclass(frozen=True, slots=True)
class Edit:
    """The tokens `start` to `end` of base become `instead`."""

    start: int
    end: int
    instead: list[Token]

    def meets(self, other: Edit) -> bool:
        """Whether the ranges overlap; two insertions at one place do, neighbours do not."""
        if self.start == self.end and other.start == other.end:
            return self.start == other.start
        if self.start == self.end:
            return other.start < self.start < other.end
        if other.start == other.end:
            return self.start < other.start < self.end
        return max(self.start, other.start) < min(self.end, other.end)
