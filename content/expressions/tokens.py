"""Cutting the text of an expression into tokens."""

from __future__ import annotations

import re
from dataclasses import dataclass

from content.errors import ExpressionSyntaxError

# Longer ones first, so that `===` is not read as `==` and `=`.
OPERATORS = (
    "===", "!==", "??", "=>", "==", "!=", "<=", ">=", "&&", "||",
    "<", ">", "!", "+", "-", "*", "/", "%", "?", ":", "(", ")", "[", "]", ",", ".",
)  # fmt: skip

_TOKEN = re.compile(
    r"""
      (?P<space>[\s\ufeff]+)
    | (?P<number>0[xX][0-9a-fA-F]+|(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)
    | (?P<name>[^\W\d][\w$]*|\$[\w$]*)
    | (?P<text>"(?:[^"\\\r\n]|\\.)*"|'(?:[^'\\\r\n]|\\.)*')
    | (?P<operator>\?\.(?![0-9])|"""
    + "|".join(re.escape(operator) for operator in OPERATORS)
    + ")",
    re.VERBOSE,
)

_ESCAPE = re.compile(
    r"\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([ux])|([0-9])|([^\r\n]))"
)
_PLAIN_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v"}

# What people write who expect all of JavaScript, with what to say to them.
_FOREIGN = {
    "`": "templates in backticks are not supported; join texts with +",
    "{": "braces are not supported: an expression has no objects, blocks or function bodies",
    "}": "braces are not supported: an expression has no objects, blocks or function bodies",
    ";": "an expression is one value; statements and ';' are not supported",
    "=": "values cannot be assigned; compare with == or ===",
    "&": "only && is supported",
    "|": "only || is supported",
    '"': 'the text that starts here has no closing "',
    "'": "the text that starts here has no closing '",
}


@dataclass(frozen=True, slots=True)
class Token:
    """One token. `kind`: number, name, text, operator or end; `position` counts from 1."""

    kind: str
    text: str
    position: int

    def __str__(self) -> str:
        return "the end" if self.kind == "end" else repr(self.text)


def tokenize(text: str) -> list[Token]:
    """The tokens of a text, with one of kind `end` behind them."""
    tokens: list[Token] = []
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            problem = _FOREIGN.get(text[at], f"{text[at]!r} is not part of the language")
            raise ExpressionSyntaxError(at + 1, problem)
        kind = match.lastgroup or ""
        if kind != "space":
            tokens.append(Token(kind, match.group(), at + 1))
        if kind == "number" and match.end() < len(text) and _starts_name(text[match.end()]):
            raise ExpressionSyntaxError(match.end() + 1, "a number and a name must be apart")
        at = match.end()
    tokens.append(Token("end", "", len(text) + 1))
    return tokens


def _starts_name(char: str) -> bool:
    return char.isalnum() or char in "_$"


def text_value(token: Token) -> str:
    """The string that a literal in quotes denotes."""

    def unescaped(match: re.Match[str]) -> str:
        point, unit, byte, broken, digit, char = match.groups()
        where = token.position + 1 + match.start()
        if broken is not None:
            raise ExpressionSyntaxError(where, f"\\{broken} must be followed by hexadecimal digits")
        if digit is not None:
            if digit == "0":
                return "\0"
            raise ExpressionSyntaxError(where, "digits cannot be escaped; use \\x or \\u")
        if char is not None:
            return _PLAIN_ESCAPES.get(char, char)
        number = int(point or unit or byte, 16)
        if number > 0x10FFFF:
            raise ExpressionSyntaxError(where, "there is no character above \\u{10ffff}")
        return chr(number)

    inner = _ESCAPE.sub(unescaped, token.text[1:-1])
    try:
        # Two escapes may be the halves of one character; a half alone is none.
        return inner.encode("utf-16", "surrogatepass").decode("utf-16")
    except UnicodeDecodeError as error:
        raise ExpressionSyntaxError(
            token.position, "a text must not hold half a surrogate pair"
        ) from error


def number_value(token: Token) -> float:
    """The number that a literal denotes."""
    if token.text[:2] in ("0x", "0X"):
        return float(int(token.text, 16)) if len(token.text) < 200 else float("inf")
    if len(token.text) > 1 and token.text[0] == "0" and token.text[1].isdigit():
        raise ExpressionSyntaxError(token.position, "a number must not start with 0")
    return float(token.text)
