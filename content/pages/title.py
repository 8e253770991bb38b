"""The title of a Markdown page: its leading level-1 heading, which is no part of the body."""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.token import Token

from content.documents.anchors import braced_anchor
from content.markdown.engine import bound_links

# Block structure is enough to find headings; their text is parsed when one is found.
_BLOCKS = MarkdownIt("commonmark")
_BLOCKS.core.ruler.disable(["inline", "text_join"])
_INLINE = bound_links(MarkdownIt("commonmark"))
_CLOSING_HASHES = re.compile(r"(?:^|[ \t])#+\Z")
# What a level-1 heading has, at the top level or elsewhere.
_SIGN = re.compile(r"^[ \t]*+(?:#(?:[ \t\r]|$)|=+[ \t]*+\r?$)", re.MULTILINE)
_BLANK = re.compile(r"(?>(?:[ \t]*+\r?\n)*)")
_BLANK_LINE = re.compile(r"\r?\n[ \t]*+\r?\n|\Z")
_LINE_END = re.compile(r"\r\n?|\n")
_COMMENT = re.compile(r" {0,3}<!--")
# Characters in which a leading heading is looked for: definitions of links, which show nothing,
# may stand before it.
_PARSED = 100_000


def split_title(body: str) -> tuple[str | None, str]:
    """(title, body without the heading that gave it).

    The first level-1 heading is the title (None when there is none). It is removed when nothing
    but HTML comments stands before it; further down it stays in the body as well.
    """
    title, rest = leading_title(body)
    if title is not None or rest != body or _SIGN.search(body) is None:
        return title, rest
    tokens = _BLOCKS.parse(body)
    for position, token in enumerate(tokens):
        if token.type == "heading_open" and token.tag == "h1" and token.level == 0:
            return _heading_text(tokens[position + 1].content), body
    return None, body


def leading_title(body: str) -> tuple[str | None, str]:
    """The level-1 heading before which nothing but HTML comments stands, and the body without it.

    (None, the body) without one; of a long body only the beginning is read.
    """
    line, _, rest = body.lstrip("\n").partition("\n")
    if line == "#" or line.startswith(("# ", "#\t")):
        return _heading_text(_CLOSING_HASHES.sub("", line[1:].strip())), rest.lstrip("\n")
    position, parsed = 0, 0
    while parsed < _PARSED:
        position = _behind_comments(body, position)
        end = _BLANK_LINE.search(body, position)
        part = body[position : len(body) if end is None else end.start()]
        if not part or not (_defines(part) or _SIGN.search(part)):
            return None, body
        parsed += len(part)
        if parsed > _PARSED:
            part = part[: -(parsed - _PARSED)]
        tokens = _BLOCKS.parse(part)
        if not tokens:
            position += len(part)
            continue
        first = tokens[0]
        if first.map is None:
            return None, body
        start = _line(part, first.map[0])
        if _is_comment(first) and start > 0:
            # Behind definitions.
            position += start
            continue
        if first.type != "heading_open" or first.tag != "h1":
            return None, body
        behind = position + _line(part, first.map[1])
        behind = _blank_end(body, behind)
        return _heading_text(tokens[1].content), (body[: position + start] + body[behind:]).lstrip(
            "\n"
        )
    return None, body


def _behind_comments(body: str, position: int) -> int:
    """Where blank lines and comments end that stand at a position."""
    while True:
        position = _blank_end(body, position)
        if _COMMENT.match(body, position) is None:
            return position
        end = body.find("-->", position)
        line_end = None if end < 0 else _LINE_END.search(body, end)
        if line_end is None:
            return len(body)
        position = line_end.end()


def _blank_end(body: str, position: int) -> int:
    blank = _BLANK.match(body, position)
    return position if blank is None else blank.end()


def _defines(part: str) -> bool:
    return part.lstrip().startswith("[")


def _line(text: str, number: int) -> int:
    """Where a line of a text begins, by its number."""
    position = 0
    for _ in range(number):
        end = _LINE_END.search(text, position)
        if end is None:
            return len(text)
        position = end.end()
    return position


def _is_comment(token: Token) -> bool:
    return token.type == "html_block" and token.content.lstrip().startswith("<!--")


def _heading_text(source: str) -> str | None:
    """Plain text of an inline source, None when there is no text in it. `{#id}` is none of it."""
    braced = braced_anchor(source)
    tokens = _INLINE.parseInline(source.removesuffix(braced[1]) if braced else source)
    parts: list[str] = []
    for token in tokens[0].children or [] if tokens else []:
        if token.type in ("text", "code_inline"):
            parts.append(token.content)
        elif token.type in ("softbreak", "hardbreak"):
            parts.append(" ")
    return " ".join("".join(parts).split()) or None
