"""Text and inline nodes of a JSON document as Markdown.

Written for `content.markdown.parser` to give the same nodes back, not for beauty: marks that
`*` cannot express where they stand are written as HTML tags.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape as escape_html

from content.json_types import Json, JsonObject
from content.markdown.plain_text import plain_text
from content.reference_urls import reference_url

_ALWAYS = re.compile(r"[\\`*\[\]<>~$&|{}]")
# `_` within a word means nothing.
_UNDERSCORE = re.compile(r"(?<![^\W_])_|_(?![^\W_])")
_LINE_START = re.compile(r"(#|[-+=:]|\d{1,9}(?=[.)]))")
_DELIMITERS = {"bold": "**", "italic": "*", "strikethrough": "~~"}
_TAGS = {
    "bold": "strong",
    "italic": "em",
    "strikethrough": "s",
    "keyboard": "kbd",
    "subscript": "sub",
    "superscript": "sup",
}
# Where several marks meet, one order gives one text; the parser puts code innermost.
_ORDER = ("color", "bold", "italic", "strikethrough", "keyboard", "superscript", "subscript")


@dataclass(frozen=True, slots=True)
class _Piece:
    """A run of text with its marks, or an inline that is written already."""

    text: str
    marks: tuple[str, ...] = ()
    code: bool = False
    written: bool = False


def write_inlines(nodes: Sequence[Json], *, one_line: bool = False) -> str:
    """Markdown of the children of a paragraph, heading or link.

    `one_line` keeps line breaks out, for headings and links.
    """
    pieces: list[_Piece] = []
    for node in nodes:
        if isinstance(node, dict):
            pieces.extend(_pieces(node))
    written = _marked([piece for piece in pieces if piece.text], 0, "", "")
    return _lines(written, one_line)


def _pieces(node: JsonObject) -> list[_Piece]:
    leaves = node.get("leaves")
    if isinstance(leaves, list):
        return [_leaf(leaf) for leaf in leaves if isinstance(leaf, dict)]
    return [_Piece(_inline(node), written=True)]


def _leaf(leaf: JsonObject) -> _Piece:
    marks = leaf.get("marks")
    names: list[str] = []
    for mark in marks if isinstance(marks, list) else []:
        name = _mark_name(mark)
        if name is not None and name not in names:
            names.append(name)
    kept = sorted((name for name in names if name != "code"), key=_rank)
    return _Piece(str(leaf.get("text", "")), tuple(kept), "code" in names)


def _mark_name(mark: Json) -> str | None:
    """The name of a mark that Markdown has; a colour's name holds its two colours."""
    if not isinstance(mark, dict):
        return None
    kind, data = mark.get("type"), mark.get("data")
    if kind == "color":
        colours = data if isinstance(data, dict) else {}
        text, background = colours.get("text", "default"), colours.get("background", "default")
        return f"color:{text};background-color:{background}"
    return kind if isinstance(kind, str) and (kind in _TAGS or kind == "code") else None


def _rank(name: str) -> tuple[int, str]:
    kind = name.partition(":")[0]
    return (_ORDER.index(kind) if kind in _ORDER else len(_ORDER), name)


def _marked(pieces: Sequence[_Piece], depth: int, before: str, after: str) -> str:
    """Pieces as text, their marks from `depth` on; `before` and `after` are the neighbours."""
    result = ""
    index = 0
    while index < len(pieces):
        piece = pieces[index]
        end = index + 1
        mark = piece.marks[depth] if depth < len(piece.marks) else None
        if mark is not None:
            while end < len(pieces) and pieces[end].marks[depth : depth + 1] == (mark,):
                end += 1
        left = result[-1:] or before
        right = pieces[end].text[0] if end < len(pieces) else after
        if mark is None:
            result += _plain(piece, right if end == len(pieces) else _first(pieces[end]))
        else:
            inner = _marked(pieces[index:end], depth + 1, "", "")
            result += _wrap(mark, inner, left, right)
        index = end
    return result


def _first(piece: _Piece) -> str:
    """What follows a text: `[` for whatever is not text."""
    return "[" if piece.written else piece.text[0]


def _plain(piece: _Piece, following: str) -> str:
    if piece.written:
        return piece.text
    if piece.code:
        return _code(piece.text)
    text = _escaped(piece.text)
    # `!` in front of a link would make it an image.
    return f"{text[:-1]}\\!" if text.endswith("!") and following == "[" else text


def _escaped(text: str) -> str:
    escaped = _ALWAYS.sub(r"\\\g<0>", text)
    return _UNDERSCORE.sub(r"\\_", escaped)


def _code(text: str) -> str:
    text = text.replace("\n", " ")
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if text.strip() and (text[0] in " `" or text[-1] in " `") else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def _wrap(mark: str, inner: str, left: str, right: str) -> str:
    delimiter = _DELIMITERS.get(mark)
    if delimiter is not None and inner[0].isalnum() and inner[-1].isalnum():
        free_left = not left or left.isspace() or left.isalnum()
        free_right = not right or right.isspace() or right.isalnum() or right in ".,;"
        if free_left and free_right:
            return f"{delimiter}{inner}{delimiter}"
    if mark.startswith("color:"):
        return f'<mark style="{mark}">{inner}</mark>'
    tag = _TAGS[mark]
    return f"<{tag}>{inner}</{tag}>"


def _inline(node: JsonObject) -> str:
    """An inline node; what Markdown has no form for is written as its text."""
    kind, data = node.get("type"), node.get("data")
    values = data if isinstance(data, dict) else {}
    children = node.get("nodes")
    inner = children if isinstance(children, list) else []
    if kind in ("link", "mention"):
        title = "mention" if kind == "mention" else str(values.get("title", ""))
        label = write_inlines(inner, one_line=True) if inner else _label(values.get("ref"))
        return f"[{label}]({_target(values.get('ref'))}{_title(title)})"
    if kind == "inline-image":
        label = _escaped(str(values.get("alt", ""))).replace("\n", "&#10;")
        caption = _title(str(values.get("caption", "")))
        return f"![{label}]({_target(values.get('ref'))}{caption})"
    if kind == "emoji":
        return _emoji(str(values.get("code", "")))
    if kind == "markdown":
        return str(values.get("source", ""))
    if kind == "inline-math" and "$$" not in str(values.get("formula", "")):
        return f"$${values.get('formula', '')}$$"
    return _escaped(plain_text(node))


def _label(reference: Json) -> str:
    """What stands for a mention where nobody looks up a name."""
    if not isinstance(reference, dict):
        return ""
    named = reference.get(str(reference.get("kind")))
    return _escaped("@" + " ".join(named.split())) if isinstance(named, str) else ""


def _target(reference: Json) -> str:
    url = reference_url(reference) if isinstance(reference, dict) else ""
    return "<" + re.sub(r"[<>\\&]", r"\\\g<0>", url.replace("\n", "%0A")) + ">"


def _title(title: str) -> str:
    flat = re.sub(r'["\\&]', r"\\\g<0>", " ".join(title.split()))
    return f' "{flat}"' if flat else ""


def _emoji(code: str) -> str:
    try:
        return "".join(chr(int(point, 16)) for point in code.split("-"))
    except (ValueError, OverflowError):
        return escape_html(code)


def _lines(text: str, one_line: bool) -> str:
    """Line breaks, and whatever a line would lose or be taken for at its ends."""
    if one_line:
        return _kept_ends(text).replace("\n", "&#10;")
    first = len(text) - len(text.lstrip("\n"))
    last = len(text) - len(text.rstrip("\n"))
    if first == len(text):
        return "&#10;" * len(text)
    middle = text[first : len(text) - last]
    lines = [_line(line) for line in middle.split("\n")]
    return "&#10;" * first + "\\\n".join(lines) + "&#10;" * last


def _line(line: str) -> str:
    kept = _kept_ends(line)
    return _LINE_START.sub(_escape_start, kept, count=1) if _LINE_START.match(kept) else kept


def _escape_start(match: re.Match[str]) -> str:
    found = match.group(0)
    return f"&#{ord(found[0])};{found[1:]}" if found[0].isdigit() else f"\\{found}"


def _kept_ends(line: str) -> str:
    """White space at the two ends as entities: lines lose it otherwise."""
    start = len(line) - len(line.lstrip())
    if start == len(line):
        return _entities(line)
    end = len(line.rstrip())
    return _entities(line[:start]) + line[start:end] + _entities(line[end:])


def _entities(text: str) -> str:
    return "".join(f"&#{ord(character)};" for character in text)
