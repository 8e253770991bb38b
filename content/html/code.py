"""Code blocks: title, line numbers, highlighted lines, colours; formulas on their own.

Pygments finds the kinds of words: it is the one highlighter with hundreds of languages that needs
no JavaScript. Its many kinds of tokens become the few classes of `CLASSES`, which the style sheet
has colours for.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from time import thread_time

from pygments.lexer import Lexer
from pygments.lexers import get_all_lexers, get_lexer_by_name
from pygments.token import Token, _TokenType

from content.documents.nodes import children_of, data_of, flag_of, objects_in, text_of
from content.html.markup import Html, classes, element, escape, escape_breakable, joined
from content.html.rendering import HighlightingTime, Rendering
from content.json_types import JsonObject

# Languages with slow patterns must not hold up a page.
LENGTH_LIMIT = 40_000
LINE_LIMIT = 2_000

CLASSES: dict[_TokenType, str] = {
    Token.Comment: "c",
    Token.Comment.Preproc: "k",
    Token.Keyword: "k",
    Token.Keyword.Constant: "n",
    Token.Keyword.Type: "t",
    Token.Literal.String: "s",
    Token.Literal.Number: "n",
    Token.Literal.Date: "n",
    Token.Name.Attribute: "a",
    Token.Name.Builtin: "f",
    Token.Name.Class: "t",
    Token.Name.Constant: "n",
    Token.Name.Decorator: "f",
    Token.Name.Entity: "n",
    Token.Name.Exception: "t",
    Token.Name.Function: "f",
    Token.Name.Label: "a",
    Token.Name.Tag: "k",
    Token.Name.Variable: "v",
    Token.Operator.Word: "k",
    Token.Generic.Deleted: "d",
    Token.Generic.Inserted: "i",
    Token.Generic.Heading: "k",
    Token.Generic.Prompt: "c",
}
Piece = tuple[str, str]


@lru_cache(maxsize=1)
def _languages() -> frozenset[str]:
    """Every name of a language; without what other packages may have added."""
    return frozenset(name for _, names, _, _ in get_all_lexers(plugins=False) for name in names)


@lru_cache(maxsize=64)
def _lexer(language: str) -> Lexer | None:
    if language not in _languages():
        return None
    return get_lexer_by_name(language, stripnl=False, ensurenl=False)


def highlighted(
    lines: list[str], language: str, time: HighlightingTime | None = None
) -> list[list[Piece]]:
    """Each line as (text, class) pieces; whole lines without a class where nothing is known, or
    the lexer takes more of the `time` than there is."""
    plain: list[list[Piece]] = [[(line, "")] for line in lines]
    source = "\n".join(lines)
    if len(source) > LENGTH_LIMIT or any(len(line) > LINE_LIMIT for line in lines):
        return plain
    lexer = _lexer(language.strip().lower())
    if lexer is None:
        return plain
    tokens = _tokens(lexer, source, time or HighlightingTime())
    if tokens is None:
        return plain
    result: list[list[Piece]] = [[]]
    for kind, text in tokens:
        name = _class_of(kind)
        for number, part in enumerate(text.split("\n")):
            if number:
                result.append([])
            line = result[-1]
            if part and line and line[-1][1] == name:
                line[-1] = (line[-1][0] + part, name)
            elif part:
                line.append((part, name))
    # Lexers may normalize white space; what is shown must be what was written.
    same = ["".join(text for text, _ in line) for line in result] == lines
    return result if same else plain


def _tokens(
    lexer: Lexer, source: str, time: HighlightingTime
) -> list[tuple[_TokenType, str]] | None:
    """All tokens of a text; None when they take too long. Patterns of some lexers look to the end
    of the text at each of its places, or at several."""
    tokens, began = [], thread_time()
    try:
        for token in lexer.get_tokens(source):
            tokens.append(token)
            if thread_time() - began > time.left:
                return None
        return tokens
    finally:
        time.left = max(0.0, time.left - (thread_time() - began))


def _class_of(kind: _TokenType) -> str:
    ancestor: _TokenType | None = kind
    while ancestor is not None:
        name = CLASSES.get(ancestor)
        if name is not None:
            return name
        ancestor = ancestor.parent
    return ""


# So many lines stay on one sheet of paper.
SHORT = 30
_LANGUAGE = re.compile(r"[A-Za-z0-9+#._-]{1,40}")


def code(rendering: Rendering, node: JsonObject) -> Html:
    data = data_of(node)
    lines = children_of(node)
    syntax = text_of(data, "syntax")
    plain = [_plain_line(line) for line in lines]
    if all(text is not None for text in plain):
        pieces = highlighted([text or "" for text in plain], syntax, rendering.highlighting)
        written = escape_breakable if rendering.options.paper else escape
        contents = [joined(_piece(piece, written) for piece in line) for line in pieces]
    else:
        contents = [rendering.inlines(children_of(line)) for line in lines]
    rows = [
        element(
            "span",
            # The end of the line is part of it, for those who copy: a line is a block.
            joined([content, Html("\n")]),
            class_=classes("line", "highlighted" if flag_of(data_of(line), "highlighted") else ""),
        )
        for line, content in zip(lines, contents, strict=True)
    ]
    name = classes(
        "code-lines",
        "numbered" if flag_of(data, "lineNumbers") else "",
        "wrap" if data.get("overflow") == "wrap" else "",
    )
    language = f"language-{syntax}" if _LANGUAGE.fullmatch(syntax) else None
    body = element("code", joined(rows), class_=language)
    shown = element("pre", body, class_=name, tabindex=None if rendering.options.paper else 0)
    title = escape(text_of(data, "title"))
    caption = element("figcaption", title) if title else title
    size = "short" if len(lines) <= SHORT else ""
    return element("figure", joined([caption, shown]), class_=classes("code", size))


def code_line(rendering: Rendering, node: JsonObject) -> Html:
    """A line outside of any code block."""
    return element("pre", element("code", rendering.inlines(children_of(node))))


def _plain_line(line: JsonObject) -> str | None:
    """The text of a line; None when anything in it is more than text."""
    parts: list[str] = []
    for child in children_of(line):
        if child.get("object") != "text":
            return None
        for leaf in objects_in(child.get("leaves")):
            text = text_of(leaf, "text")
            if leaf.get("marks") or "\n" in text or "\r" in text:
                return None
            parts.append(text)
    return "".join(parts)


def _piece(piece: Piece, written: Callable[[str], Html]) -> Html:
    text, name = piece
    return element("span", written(text), class_=name) if name else written(text)


def math(rendering: Rendering, node: JsonObject) -> Html:
    formula = rendering.options.formula(text_of(data_of(node), "formula"), True)
    return element("div", formula, class_="math-block")
