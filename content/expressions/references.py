"""The names of its context that an expression reads."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from content.errors import ExpressionSyntaxError
from content.expressions.syntax import (
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

Path = tuple[str, ...]


def references(expression: Expression) -> frozenset[Path]:
    """The paths that an expression may read, as far as its text alone tells.

    `space.vars.x == 1` reads ("space", "vars", "x"); a key that is worked out ends the path, so
    `visitor.claims[space.vars.x]` reads ("visitor", "claims") and ("space", "vars", "x").
    """
    if expression.root is None:
        return frozenset()
    return frozenset(path for _, path in _paths(expression.root, frozenset()))


def require_roots(expression: Expression, roots: Collection[str]) -> None:
    """ExpressionSyntaxError when an expression names something that is not in its context."""
    if expression.root is None:
        return
    for position, path in _paths(expression.root, frozenset()):
        if path[0] not in roots:
            raise ExpressionSyntaxError(
                position, f"{path[0]!r} is unknown here; there are {', '.join(sorted(roots))}"
            )


def _paths(part: Part | Function, bound: frozenset[str]) -> Iterator[tuple[int, Path]]:
    """Paths read by a part and where their first names stand; `bound` holds parameters."""
    if isinstance(part, Function):
        yield from _paths(part.body, bound | set(part.parameters))
        return
    read = _path(part)
    if read is not None:
        position, path, rest = read
        if path[0] not in bound:
            yield position, path
        for other in rest:
            yield from _paths(other, bound)
        return
    for inner in _inner(part):
        yield from _paths(inner, bound)


def _path(part: Part) -> tuple[int, Path, list[Part]] | None:
    """The path that a row of members is, with the keys in it that are not known from the text."""
    keys: list[str] = []
    rest: list[Part] = []
    while isinstance(part, Member | Chain):
        if isinstance(part, Member):
            if isinstance(part.key, Literal):
                keys.insert(0, _key(part.key))
            else:
                keys = []
                rest.append(part.key)
        part = part.of
    if not isinstance(part, Name):
        return None
    return part.position, (part.name, *keys), rest


def _key(literal: Literal) -> str:
    value = literal.value
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def _inner(part: Part) -> tuple[Part | Function, ...]:
    match part:
        case Member():
            return (part.of, part.key)
        case Call():
            return (part.of, *part.arguments)
        case Chain() | Unary():
            return (part.of,)
        case Binary():
            return (part.left, part.right)
        case Logical() | Array():
            return part.items
        case Conditional():
            return (part.test, part.yes, part.no)
        case _:
            return ()
