"""How the text of paragraphs, headings and cells is spelled."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from content.markdown.nodes import Node

_HARD_BREAK = re.compile(r"(?:\\| {2,})\n[ \t]*")
_SOFT_BREAK = re.compile(r"[ \t]*\n[ \t]*")
# Texts of more lines are not worth it.
_MOST_LINES = 200
# Characters that canonical Markdown never has a backslash for in the middle of a text. For the
# others it depends on what is around them.
_NEVER = frozenset("\"#%'()+,-./;=>?@^{}~")


@dataclass(frozen=True, slots=True)
class TextBlock:
    """A block with the tokens of its text."""

    node: Node
    tokens: Sequence[Token]
    # Of text without any syntax, which is no tokens.
    plain: str = ""


def note_escapes(state: StateCore) -> None:
    """Before escapes become text: which characters have a backslash that nothing needs."""
    for token in state.tokens:
        if token.type == "inline" and "\\" in token.content:
            found = _needless(token.children or [])
            if found:
                token.meta = {**token.meta, "escapes": found}


def _needless(children: Sequence[Token]) -> dict[str, int]:
    found: Counter[str] = Counter()
    for position, child in enumerate(children):
        if child.type != "text_special" or child.info != "escape":
            continue
        character = child.content
        if character in _NEVER or character in "[]":
            found[character] += 1
        elif character == "_":
            left = children[position - 1].content[-1:] if position else ""
            right = children[position + 1].content[:1] if position + 1 < len(children) else ""
            if left.isalnum() and right.isalnum():
                found[character] += 1
    return dict(found)


def escapes(texts: Sequence[TextBlock]) -> tuple[str, list[tuple[Node, str]]]:
    """The characters that a page always has a backslash for without need, and the blocks that do
    otherwise with those they have."""
    escaped: list[Counter[str]] = []
    used: set[str] = set()
    for text in texts:
        found: Counter[str] = Counter()
        for token in text.tokens:
            found.update(token.meta.get("escapes", {}))
        escaped.append(found)
        used.update(found)
    if not used:
        return "", []
    present = [_present(text, used) for text in texts]
    page = "".join(
        sorted(
            character
            for character in used
            if 2 * sum(character in found for found in escaped)
            > sum(character in found for found in present)
        )
    )
    others: list[tuple[Node, str]] = []
    for text, have, found in zip(texts, present, escaped, strict=True):
        own = "".join(sorted(found))
        if own != "".join(character for character in page if character in have):
            others.append((text.node, own))
    return page, others


def _present(text: TextBlock, wanted: set[str]) -> set[str]:
    """Which of some characters are in the plain text of a block."""
    found: set[str] = wanted.intersection(text.plain)
    for token in text.tokens:
        for child in token.children or ():
            if child.type == "text":
                found.update(wanted.intersection(child.content))
    if "_" in found:
        # Only those within words matter.
        joined = " ".join(child.content for t in text.tokens for child in t.children or () if child.type == "text")
        if not re.search(r"(?<=[^\W_])_(?=[^\W_])", joined):
            found.discard("_")
    return found


def emphasis_form(children: Sequence[Token], opening: str) -> str | None:
    """The delimiter of all emphasis of a kind; None when there is none or several."""
    forms = {child.markup for child in children if child.type == opening}
    return forms.pop() if len(forms) == 1 else None


def break_form(tokens: Sequence[Token], children: Sequence[Token]) -> str | None:
    """What ends a line that is broken: a backslash or two blanks."""
    if not any(child.type == "hardbreak" for child in children):
        return None
    if any("\\\n" in token.content for token in tokens):
        return "\\"
    return "  " if any("  \n" in token.content for token in tokens) else None


def line_words(content: str, start: int = 0) -> list[int] | None:
    """How many words are on each line of a paragraph from `start` on; None for a single line. What
    stands on both sides of a hard line break counts as one word."""
    if "\n" not in content:
        return None
    whole = _HARD_BREAK.sub("\0", content[start:])
    lines = _SOFT_BREAK.split(whole)
    if not 1 < len(lines) <= _MOST_LINES:
        return None
    return [line.count(" ") + 1 for line in lines]
