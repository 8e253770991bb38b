"""Where the values of a field come from.

An executor that goes level by level needs to know more of a field than a resolver tells: whether
its value is an attribute of the row, and which one function gives it for all rows of a level.
"""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

# Attributes that will be read of rows; None = not known, so all of them.
Columns: TypeAlias = frozenset[str] | None


class Wanted(frozenset[str]):
    """Columns of rows, and what else will be asked for with them.

    `beside` are the attributes that will be read of what holds the rows, such as a page of a
    list, apart from its rows; None where nothing holds them.
    """

    beside: frozenset[str] | None

    def __new__(cls, columns: Iterable[str], beside: Iterable[str] | None = None) -> "Wanted":
        made = super().__new__(cls, columns)
        made.beside = None if beside is None else frozenset(beside)
        return made


class Foreseen(Wanted):
    """Columns of rows, and the batch functions that will be called with those rows.

    Whoever fetches the rows may fetch with them what those functions would give. One object
    stands for one way to ask, so that what is worked out about it may be kept with it, in `kept`.
    """

    below: tuple["Below", ...]
    kept: dict[Any, Any]

    def __new__(
        cls,
        columns: Iterable[str],
        beside: Iterable[str] | None = None,
        below: tuple["Below", ...] = (),
    ) -> "Foreseen":
        made = super().__new__(cls, columns, beside)
        assert isinstance(made, Foreseen)
        made.below = below
        made.kept = {}
        return made


@dataclass(frozen=True, slots=True)
class Below:
    """A batch function that will be called with rows that are not there yet."""

    call: Callable[..., Awaitable[Sequence[Any]]]
    arguments: Any
    columns: Columns


@dataclass(frozen=True, slots=True)
class Attribute:
    """The attribute `name` of the row.

    `passes` says that its values hold the very rows that the parent's batch function fetched, as
    the nodes of a connection do: what is read of them is then asked of that function.
    """

    name: str
    passes: bool = False


@dataclass(frozen=True, slots=True)
class Itself:
    """The row itself, seen as another type: what is read of that is read of the row."""


@dataclass(frozen=True, slots=True)
class Constant:
    """The same value for every row: `__typename`."""

    value: object


@dataclass(frozen=True, slots=True)
class Batch:
    """One call for all rows of a level: `await call(context, rows, arguments)`.

    It gives one value for each row, in order; an exception as a value is the error of that row,
    an exception that is raised is the error of all.
    """

    call: Callable[..., Awaitable[Sequence[Any]]]
    # From the field's coerced arguments to what `call` takes; without it `call` gets None.
    arguments: Callable[[dict[str, Any]], Any] | None = None
    # Whether what `arguments` made may be given to `call` again, for the same arguments.
    reusable: bool = True
    # Attributes that `call` reads of its rows; None = not known.
    reads: Columns = None
    # `call` takes Columns as a fourth argument and fetches no more than that. Its values are what
    # the field's type says, so they are not asked what type they are.
    narrows: bool = False
    # `call` also looks at what will be asked of its rows (`Wanted.below`).
    foresees: bool = False
    # Whoever fetches the rows may fetch with them what `call` would give.
    foreseen: bool = False
    # From the context and a row to the context with which `call`, and all that is below what it
    # gives, works for that row; without it they have the context of the run.
    enters: Callable[[Any, Any], Any] | None = None


@dataclass(frozen=True, slots=True)
class Resolver:
    """A function for one row at a time, `resolve(row, info, **arguments)`, awaitable or not."""

    resolve: Callable[..., Any]


Source: TypeAlias = Attribute | Itself | Constant | Batch | Resolver
