"""The spelling of paragraphs, headings and cells: escapes, entities, emphasis, line breaks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from content.documents.nodes import Node

_HARD_BREAK = re.compile(r"(?:\\| {2,})\n[ \t]*")
_SOFT_BREAK = re.compile(r"( ?)\t*\n[ \t]*")
# Those of them that could begin a block.
_STARTS = frozenset("#+-.)=>")
# Where brackets could make a link.
_LINKED = re.compile(r"\A\s*\[[^\]]*\]:|\A\[[ xX]\](?:\s|\Z)|\]\(|\[\^")
_BOX = re.compile(r"\A\[[ xX]\][ \t]+")
# Characters that pages write as entities by name.
ENTITIES = {
    "<": "&lt;",
    ">": "&gt;",
    "&": "&amp;",
    '"': "&quot;",
    "'": "&apos;",
    "\u00a0": "&nbsp;",
}
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
    """Before escapes become text: which characters have a backslash that nothing needs, and which
    are entities."""
    for token in state.tokens:
        if token.type == "inline" and ("\\" in token.content or "&" in token.content):
            children = token.children or []
            if "\\" in token.content:
                needless = _needless(children)
                if needless:
                    token.meta = {**token.meta, "escapes": needless}
            named = _named(children)
            if named:
                token.meta = {**token.meta, "entities": named}


def _named(children: Sequence[Token]) -> str:
    """The characters that are written as entities by name."""
    names = {
        child.content
        for child in _with_labels(children)
        if child.info == "entity" and ENTITIES.get(child.content) == child.markup
    }
    return "".join(sorted(names))


def _with_labels(children: Sequence[Token]) -> Iterator[Token]:
    """Inline tokens, and those of the labels of images."""
    for child in children:
        yield child
        if child.type == "image":
            yield from child.children or ()


def entities(tokens: Sequence[Token]) -> str:
    """The characters that a block writes as entities by name."""
    return "".join(sorted({c for token in tokens for c in token.meta.get("entities", "")}))


def _needless(listed: Sequence[Token]) -> dict[str, int]:
    counts: Counter[str] = Counter()
    children = list(_with_labels(listed))
    depth = 0
    linked: bool | None = None
    for position, child in enumerate(children):
        depth += {"link_open": 1, "link_close": -1}.get(child.type, 0)
        if child.type != "text_special" or child.info != "escape":
            continue
        character = child.content
        left = children[position - 1].content if position else ""
        right = children[position + 1].content[:1] if position + 1 < len(children) else ""
        if character == "_":
            needless = left[-1:].isalnum() and right.isalnum()
        elif character in "[]":
            if linked is None:
                linked = _LINKED.search("".join(child.content for child in children)) is not None
            needless = not depth and not linked
        elif character == "{":
            needless = right != "%"
        elif character in _STARTS:
            # There it would begin another block, and at the end of a heading end that.
            needless = (right or character != "#") and not _begins_line(children, position)
        else:
            needless = character in _NEVER and character not in (left[-1:], right)
        if needless:
            counts[character] += 1
    return dict(counts)


def _begins_line(children: Sequence[Token], position: int) -> bool:
    """Whether nothing but a number stands before an inline token on its line, or behind the box of
    a task."""
    before = children[position - 1].content if position else ""
    if position == 1:
        before = _BOX.sub("", before)
    if before.strip().isdigit() or (position == 1 and not before):
        position -= 1
    if not position or children[position - 1].type in ("softbreak", "hardbreak"):
        return True
    # A line break that is an entity.
    return children[position - 1].content.endswith("\n")


def escapes(texts: Sequence[TextBlock]) -> tuple[str, list[tuple[Node, str]]]:
    """The characters that a page always has a backslash for without need, and the blocks that do
    otherwise with those they have."""
    escaped: list[Counter[str]] = []
    used: set[str] = set()
    for text in texts:
        counts: Counter[str] = Counter()
        for token in text.tokens:
            counts.update(token.meta.get("escapes", {}))
        escaped.append(counts)
        used.update(counts)
    if not used:
        return "", []
    present = [_present(text, used) for text in texts]
    page = "".join(
        sorted(
            character
            for character in used
            if 2 * sum(character in counts for counts in escaped)
            > sum(character in counts for counts in present)
        )
    )
    others: list[tuple[Node, str]] = []
    for text, have, counts in zip(texts, present, escaped, strict=True):
        own = "".join(sorted(counts))
        if own != "".join(character for character in page if character in have):
            others.append((text.node, own))
    return page, others


def _present(text: TextBlock, characters: set[str]) -> set[str]:
    """The characters of a set that are in the plain text of a block."""
    present: set[str] = characters.intersection(text.plain)
    for token in text.tokens:
        for child in _with_labels(token.children or ()):
            if child.type == "text":
                present.update(characters.intersection(child.content))
    if "_" in present:
        # Only those within words matter.
        joined = " ".join(
            child.content for t in text.tokens for child in t.children or () if child.type == "text"
        )
        if not re.search(r"(?<=[^\W_])_(?=[^\W_])", joined):
            present.discard("_")
    return present


def emphasis_form(children: Sequence[Token], opening: str) -> str | None:
    """The delimiter of all emphasis of a kind; None when there is none or several."""
    forms = {child.markup for child in children if child.type == opening}
    return forms.pop() if len(forms) == 1 else None


def break_form(tokens: Sequence[Token], children: Sequence[Token]) -> str | None:
    """The form of a hard line break: a backslash or two blanks."""
    if not any(child.type == "hardbreak" for child in children):
        return None
    if any("\\\n" in token.content for token in tokens):
        return "\\"
    return "  " if any("  \n" in token.content for token in tokens) else None


def line_words(content: str, start: int = 0) -> list[int] | None:
    """How many words are on each line of a paragraph from `start` on; None for a single line. What
    stands on both sides of a hard line break counts as one word. The number is negative where a
    blank stands behind the line."""
    if "\n" not in content:
        return None
    whole = _HARD_BREAK.sub("\0", content[start:].rstrip(" \t"))
    lines = _SOFT_BREAK.split(whole)
    if not 1 < len(lines) <= 2 * _MOST_LINES:
        return None
    counts = [line.count(" ") + 1 for line in lines[::2]]
    return [
        -count if blank else count for count, blank in zip(counts, [*lines[1::2], ""], strict=True)
    ]
