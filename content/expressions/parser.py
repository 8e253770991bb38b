"""Reading expressions: conditions, inline expressions and custom merge rules.

The language is the part of JavaScript that has values only (docs/expressions.md).
Reading is bounded: 1,024 characters, 256 parts, 32 levels; nothing is ever executed here.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NoReturn, TypeVar

from content.errors import ExpressionSyntaxError
from content.expressions.syntax import (
    UNDEFINED,
    Array,
    Binary,
    Call,
    Chain,
    Conditional,
    Expression,
    Function,
    Literal,
    Logical,
    Member,
    Name,
    Part,
    Unary,
)
from content.expressions.tokens import Token, number_value, text_value, tokenize
from content.expressions.values import METHODS, TAKES_FUNCTION

MAX_LENGTH = 1024
MAX_PARTS = 256
MAX_DEPTH = 32

_CONSTANTS = {"true": True, "false": False, "null": None, "undefined": UNDEFINED}

# How tightly operators bind; `??` stands with `||`, with which it cannot be mixed.
_LOGICAL = {"??": 1, "||": 1, "&&": 2}
_BINARY = {
    **dict.fromkeys(("===", "!==", "==", "!="), 3),
    **dict.fromkeys(("<", "<=", ">", ">=", "in"), 4),
    **dict.fromkeys(("+", "-"), 5),
    **dict.fromkeys(("*", "/", "%"), 6),
}

# Words of JavaScript that can be no names; they get an answer of their own.
_REFUSED_WORDS = frozenset(
    (
        *("async", "await", "break", "case", "catch", "class", "const", "continue", "debugger"),
        *("default", "delete", "do", "else", "enum", "export", "extends", "finally", "for"),
        *("function", "if", "import", "in", "instanceof", "let", "new", "return", "static"),
        *("super", "switch", "this", "throw", "try", "typeof", "var", "void", "while", "with"),
        "yield",
    )
)

P = TypeVar("P", bound="Part | Function")


@lru_cache(maxsize=4096)
def _parse(text: str) -> Expression | ExpressionSyntaxError:
    try:
        return Expression(text, _Parser(text).whole())
    except ExpressionSyntaxError as error:
        return error


def parse(text: str) -> Expression:
    """The expression that a text holds; ExpressionSyntaxError says where it is none and why.

    Results are kept, so asking for the same text again costs a look-up.
    """
    if len(text) > MAX_LENGTH:
        raise ExpressionSyntaxError(
            MAX_LENGTH + 1, f"an expression has at most {MAX_LENGTH} characters, not {len(text)}"
        )
    try:
        result = _parse(text)
    except RecursionError as error:
        # Whoever calls stands deep already; the limits above are far below Python's.
        raise ExpressionSyntaxError(1, "the expression is nested too deep to be read") from error
    if isinstance(result, ExpressionSyntaxError):
        # A new one, because raising hangs the places it passed on an error.
        raise ExpressionSyntaxError(result.position, result.problem)
    return result


class _Parser:
    """Reads one text from left to right."""

    def __init__(self, text: str) -> None:
        self._tokens = tokenize(text)
        self._at = 0
        self._parts = 0
        self._depth = 0
        # Parts that stand in parentheses, by identity.
        self._closed: set[int] = set()

    @property
    def _next(self) -> Token:
        return self._tokens[self._at]

    def _take(self) -> Token:
        token = self._tokens[self._at]
        self._at += 1
        return token

    def _is(self, *operators: str) -> bool:
        return self._next.kind == "operator" and self._next.text in operators

    def _expect(self, operator: str, why: str) -> None:
        if not self._is(operator):
            raise ExpressionSyntaxError(
                self._next.position, f"expected {operator!r} {why}, found {self._next}"
            )
        self._at += 1

    def _made(self, part: P) -> P:
        self._parts += 1
        if self._parts > MAX_PARTS:
            raise ExpressionSyntaxError(
                part.position, f"an expression has at most {MAX_PARTS} parts; this is one too many"
            )
        return part

    def _enter(self) -> None:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise ExpressionSyntaxError(
                self._next.position, f"parts may be nested at most {MAX_DEPTH} deep"
            )

    def whole(self) -> Part | None:
        """The value that the text is; None when there is nothing but space."""
        if self._next.kind == "end":
            return None
        root = self._value()
        if self._next.kind != "end":
            if self._is("=>"):
                raise ExpressionSyntaxError(
                    self._next.position, "functions are only allowed as arguments of methods"
                )
            raise ExpressionSyntaxError(
                self._next.position, f"expected an operator or the end, found {self._next}"
            )
        return root

    def _value(self) -> Part:
        self._enter()
        test = self._binary(0)
        if self._is("?"):
            position = self._take().position
            yes = self._value()
            self._expect(":", "between the two values of a condition")
            no = self._value()
            test = self._made(Conditional(position, test, yes, no))
        self._depth -= 1
        return test

    def _binary(self, above: int) -> Part:
        """A value, with all operators behind it that bind more tightly than `above`."""
        left = self._unary()
        entered = 0
        while True:
            token = self._next
            strength = _strength(token)
            if strength <= above:
                break
            if token.text in _LOGICAL:
                left = self._logical(left, strength)
                continue
            self._at += 1
            right = self._binary(strength)
            left = self._made(Binary(token.position, token.text, left, right))
            # Each operator hangs what stands before it one level deeper.
            self._enter()
            entered += 1
        self._depth -= entered
        return left

    def _logical(self, first: Part, strength: int) -> Part:
        start = self._next
        items = [first]
        while self._next.text == start.text and self._next.kind == "operator":
            self._at += 1
            items.append(self._binary(strength))
        operator = self._next
        if operator.kind == "operator" and {start.text, operator.text} == {"??", "||"}:
            self._refuse_mix(operator)
        if start.text == "??" and any(map(self._is_open_and, items)):
            self._refuse_mix(start)
        return self._made(Logical(start.position, start.text, tuple(items)))

    def _is_open_and(self, part: Part) -> bool:
        is_and = isinstance(part, Logical) and part.operator == "&&"
        return is_and and id(part) not in self._closed

    def _refuse_mix(self, operator: Token) -> NoReturn:
        raise ExpressionSyntaxError(
            operator.position, "?? cannot stand beside || or && without parentheses"
        )

    def _unary(self) -> Part:
        if not self._is("!", "-", "+"):
            return self._row()
        token = self._take()
        self._enter()
        part = self._made(Unary(token.position, token.text, self._unary()))
        self._depth -= 1
        return part

    def _row(self) -> Part:
        """A value with the members and calls behind it."""
        start = self._next.position
        part = self._atom()
        has_optional = False
        entered = 0
        while self._is(".", "?.", "[", "("):
            token = self._take()
            optional = token.text == "?."
            has_optional = has_optional or optional
            if token.text == "(":
                raise ExpressionSyntaxError(
                    token.position, f"only methods can be called: {', '.join(sorted(METHODS))}"
                )
            if token.text == "[" or (optional and self._is("[")):
                if optional:
                    self._at += 1
                key = self._value()
                self._expect("]", "behind the key")
                part = self._made(Member(token.position, part, key, optional))
            else:
                part = self._named(token, part, optional)
            self._enter()
            entered += 1
        self._depth -= entered
        return self._made(Chain(start, part)) if has_optional else part

    def _named(self, dot: Token, of: Part, optional: bool) -> Part:
        name = self._take()
        if name.kind != "name":
            raise ExpressionSyntaxError(
                name.position, f"expected a name behind {dot.text!r}, found {name}"
            )
        if not self._is("("):
            return self._made(Member(dot.position, of, Literal(name.position, name.text), optional))
        if name.text not in METHODS:
            raise ExpressionSyntaxError(
                name.position,
                f"there is no method {name.text!r}; there are {', '.join(sorted(METHODS))}",
            )
        self._at += 1
        takes_function = name.text in TAKES_FUNCTION
        arguments = self._arguments(functions=takes_function)
        least, most = METHODS[name.text]
        if not least <= len(arguments) <= most:
            counts = str(least) if least == most else f"{least} to {most}"
            raise ExpressionSyntaxError(
                name.position, f"{name.text} takes {counts} argument(s), not {len(arguments)}"
            )
        if takes_function and not isinstance(arguments[0], Function):
            raise ExpressionSyntaxError(
                arguments[0].position, f"{name.text} takes a function, as in x => x == 1"
            )
        return self._made(Call(name.position, of, name.text, arguments, optional))

    def _arguments(self, *, functions: bool) -> tuple[Part | Function, ...]:
        items: list[Part | Function] = []
        while not self._is(")"):
            position = self._next.position
            parameters = self._parameters()
            if parameters is None:
                items.append(self._value())
            elif not functions:
                raise ExpressionSyntaxError(
                    position,
                    f"functions are arguments of {', '.join(sorted(TAKES_FUNCTION))} only",
                )
            else:
                items.append(self._made(Function(position, parameters, self._value())))
            if not self._is(")"):
                self._expect(",", "or ')' behind an argument")
        self._at += 1
        return tuple(items)

    def _parameters(self) -> tuple[str, ...] | None:
        """The parameters of a function if one starts here; what is behind `=>` comes next."""
        at = self._at
        names: list[Token] = []
        if self._tokens[at].kind == "name":
            names.append(self._tokens[at])
            at += 1
        elif self._is("("):
            at += 1
            while self._tokens[at].kind == "name":
                names.append(self._tokens[at])
                at += 1
                if self._tokens[at].text == ",":
                    at += 1
            if self._tokens[at].text != ")":
                return None
            at += 1
        if self._tokens[at].text != "=>" or self._tokens[at].kind != "operator":
            return None
        if at == self._at:
            return None
        for name in names:
            _check_name(name)
            if name.text in _CONSTANTS:
                raise ExpressionSyntaxError(name.position, f"{name.text!r} cannot be a parameter")
        self._at = at + 1
        return tuple(name.text for name in names)

    def _atom(self) -> Part:
        token = self._take()
        if token.kind == "number":
            return self._made(Literal(token.position, number_value(token)))
        if token.kind == "text":
            return self._made(Literal(token.position, text_value(token)))
        if token.kind == "name":
            if token.text in _CONSTANTS:
                return self._made(Literal(token.position, _CONSTANTS[token.text]))
            _check_name(token)
            return self._made(Name(token.position, token.text))
        if token.text == "(" and token.kind == "operator":
            inner = self._value()
            self._expect(")", "that closes the parenthesis")
            self._closed.add(id(inner))
            return inner
        if token.text == "[" and token.kind == "operator":
            return self._made(Array(token.position, self._items()))
        raise ExpressionSyntaxError(token.position, f"expected a value, found {token}")

    def _items(self) -> tuple[Part, ...]:
        items: list[Part] = []
        while not self._is("]"):
            items.append(self._value())
            if not self._is("]"):
                self._expect(",", "or ']' behind a value of an array")
        self._at += 1
        return tuple(items)


def _strength(token: Token) -> int:
    """How tightly an operator between two values binds; 0 when the token is none."""
    if token.kind not in ("operator", "name"):
        return 0
    return _LOGICAL.get(token.text) or _BINARY.get(token.text) or 0


def _check_name(token: Token) -> None:
    if token.text in _REFUSED_WORDS:
        raise ExpressionSyntaxError(
            token.position, f"{token.text!r} is not supported; an expression is only a value"
        )
