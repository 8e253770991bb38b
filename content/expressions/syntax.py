"""The parts of an expression once it is read. Every part knows where it starts in the text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


class Undefined:
    """The value of what is missing; there is one, `UNDEFINED`."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "undefined"


UNDEFINED = Undefined()


@dataclass(frozen=True, slots=True)
class Literal:
    """Text, a number, true, false, null or undefined."""

    position: int
    value: str | float | bool | Undefined | None


@dataclass(frozen=True, slots=True)
class Name:
    """A name of the context or of a parameter."""

    position: int
    name: str


@dataclass(frozen=True, slots=True)
class Array:
    """Values in brackets."""

    position: int
    items: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Member:
    """`of.key`, `of["key"]` or `of[0]`; `optional` for the forms with `?.`."""

    position: int
    of: Part
    key: Part
    optional: bool


@dataclass(frozen=True, slots=True)
class Function:
    """`(a, b) => body`; only ever an argument of a call."""

    position: int
    parameters: tuple[str, ...]
    body: Part


@dataclass(frozen=True, slots=True)
class Call:
    """`of.method(arguments)`; `optional` when it was written `of?.method(...)`."""

    position: int
    of: Part
    method: str
    arguments: tuple[Part | Function, ...]
    optional: bool


@dataclass(frozen=True, slots=True)
class Chain:
    """A row of members and calls with a `?.` in it: all of it is undefined where that stops."""

    position: int
    of: Part


@dataclass(frozen=True, slots=True)
class Unary:
    """`!a`, `-a` or `+a`."""

    position: int
    operator: str
    of: Part


@dataclass(frozen=True, slots=True)
class Binary:
    """Arithmetic, comparison or `in`: both sides are always evaluated."""

    position: int
    operator: str
    left: Part
    right: Part


@dataclass(frozen=True, slots=True)
class Logical:
    """`a && b && c`, `a || b` or `a ?? b`: evaluated from the left until one decides."""

    position: int
    operator: str
    items: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Conditional:
    """`test ? yes : no`."""

    position: int
    test: Part
    yes: Part
    no: Part


Part: TypeAlias = (
    Literal | Name | Array | Member | Call | Chain | Unary | Binary | Logical | Conditional
)


@dataclass(frozen=True, slots=True)
class Expression:
    """A whole expression; `root` is None when the text is blank."""

    text: str
    root: Part | None
