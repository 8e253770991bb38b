"""Where the values of a field come from.

An executor that works level by level needs more than a resolver for each field: whether the value
is an attribute of the row, or which batch function gives the values for all rows of a level.
"""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

# Attributes that will be read of rows; None = not known, so all of them.
Columns: TypeAlias = frozenset[str] | None


class Projection(frozenset[str]):
    """The columns of rows that wrappers hold.

    `wrapper_columns` are the attributes that will be read of the wrapper itself, such as
    `page_info` of a page; None where the rows have no wrapper.
    """

    wrapper_columns: frozenset[str] | None

    def __new__(
        cls, columns: Iterable[str], wrapper_columns: Iterable[str] | None = None
    ) -> "Projection":
        projection = super().__new__(cls, columns)
        projection.wrapper_columns = None if wrapper_columns is None else frozenset(wrapper_columns)
        return projection


class Lookahead(Projection):
    """A projection with the calls of batch functions that follow with its rows.

    Whoever fetches the rows may prefetch the values of those calls. One object serves all requests
    with the same selection and arguments, so plans that depend on it are cached in `cache`.
    """

    calls: tuple["BatchCall", ...]
    cache: dict[Any, Any]

    def __new__(
        cls,
        columns: Iterable[str],
        wrapper_columns: Iterable[str] | None = None,
        calls: tuple["BatchCall", ...] = (),
    ) -> "Lookahead":
        lookahead = super().__new__(cls, columns, wrapper_columns)
        assert isinstance(lookahead, Lookahead)
        lookahead.calls = calls
        lookahead.cache = {}
        return lookahead


@dataclass(frozen=True, slots=True)
class BatchCall:
    """A call of a batch function with rows that are yet to be fetched."""

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
    # Whether the result of `arguments` may be cached and passed to `call` again.
    reusable: bool = True
    # Attributes that `call` reads of its rows; None = not known.
    reads: Columns = None
    # `call` takes Columns as a fourth argument and fetches no more than that. Its values are what
    # the field's type says, so they are not asked what type they are.
    takes_columns: bool = False
    # `call` also takes a `Lookahead` as its columns, and may prefetch the calls in it.
    looks_ahead: bool = False
    # The values of `call` may be prefetched with the rows.
    prefetchable: bool = False
    # From the context and a row to the context with which `call` and the fields of its value are
    # executed for that row; without it that is the context of the run.
    enters: Callable[[Any, Any], Any] | None = None


@dataclass(frozen=True, slots=True)
class Resolver:
    """A function for one row at a time, `resolve(row, info, **arguments)`, awaitable or not."""

    resolve: Callable[..., Any]


Source: TypeAlias = Attribute | Itself | Constant | Batch | Resolver
