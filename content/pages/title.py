"""The title of a Markdown page: its leading level-1 heading, which is no part of the body."""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.token import Token

from content.markdown.engine import bound_links

# Block structure is enough to find headings; their text is parsed when one is found.
_BLOCKS = MarkdownIt("commonmark")
_BLOCKS.core.ruler.disable(["inline", "text_join"])
_INLINE = bound_links(MarkdownIt("commonmark"))
_CLOSING_HASHES = re.compile(r"(?:^|[ \t])#+\Z")


def split_title(body: str) -> tuple[str | None, str]:
    """(title, body without the heading that gave it).

    The first level-1 heading is the title (None when there is none). It is removed when nothing
    but HTML comments stands before it; further down it stays in the body as well.
    """
    line, _, rest = body.lstrip("\n").partition("\n")
    if line == "#" or line.startswith(("# ", "#\t")):
        return _heading_text(_CLOSING_HASHES.sub("", line[1:].strip())), rest.lstrip("\n")
    tokens = _BLOCKS.parse(body)
    for position, token in enumerate(tokens):
        if token.type != "heading_open" or token.tag != "h1" or token.level != 0:
            continue
        text = _heading_text(tokens[position + 1].content)
        if not all(_is_comment(earlier) for earlier in tokens[:position]) or token.map is None:
            return text, body
        lines = body.split("\n")
        start, end = token.map
        while end < len(lines) and not lines[end].strip():
            end += 1
        return text, "\n".join(lines[:start] + lines[end:]).lstrip("\n")
    return None, body


def _is_comment(token: Token) -> bool:
    return token.type == "html_block" and token.content.lstrip().startswith("<!--")


def _heading_text(source: str) -> str | None:
    """Plain text of an inline source, None when there is no text in it."""
    tokens = _INLINE.parseInline(source)
    parts: list[str] = []
    for token in tokens[0].children or [] if tokens else []:
        if token.type in ("text", "code_inline"):
            parts.append(token.content)
        elif token.type in ("softbreak", "hardbreak"):
            parts.append(" ")
    return " ".join("".join(parts).split()) or None
