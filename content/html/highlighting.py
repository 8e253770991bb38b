"""Colours of code: the kinds of its words, found by Pygments.

Pygments is the one highlighter with hundreds of languages that needs no JavaScript. Its many kinds
of tokens become the few classes of `CLASSES`, which the style sheet has colours for.
"""

from __future__ import annotations

from functools import lru_cache

from pygments.lexer import Lexer
from pygments.lexers import get_all_lexers, get_lexer_by_name
from pygments.token import Token, _TokenType

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


def highlighted(lines: list[str], language: str) -> list[list[Piece]]:
    """Each line as (text, class) pieces; whole lines without a class where nothing is known."""
    plain: list[list[Piece]] = [[(line, "")] for line in lines]
    source = "\n".join(lines)
    if len(source) > LENGTH_LIMIT or any(len(line) > LINE_LIMIT for line in lines):
        return plain
    lexer = _lexer(language.strip().lower())
    if lexer is None:
        return plain
    result: list[list[Piece]] = [[]]
    for kind, text in lexer.get_tokens(source):
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


def _class_of(kind: _TokenType) -> str:
    found: _TokenType | None = kind
    while found is not None:
        name = CLASSES.get(found)
        if name is not None:
            return name
        found = found.parent
    return ""
