"""Where the values of a field come from.

An executor that works level by level needs more than a resolver for each field: whether the value
is an attribute of the row, or which batch function gives the values for all rows of a level.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from resolvers.core.batch_functions import Columns


@dataclass(frozen=True, slots=True)
class Constant:
    """One value for every row: `__typename`."""

    value: object


@dataclass(frozen=True, slots=True)
class Attribute:
    """The attribute `name` of the row.

    `passes` says that its values hold the very rows that the parent's batch function fetched, as
    the nodes of a connection do: what is read of them is then asked of that function.

    Where the context of the run `withholds`, the value of `withheld_as`, if there is one, is shown
    in place of the attribute's.
    """

    name: str
    passes: bool = False
    withheld_as: Constant | None = None


@dataclass(frozen=True, slots=True)
class Itself:
    """The row itself, seen as another type: what is read of that is read of the row."""


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
    # `call` takes a Projection as a fourth argument and fetches no more than that. Its values are
    # what the field's type says, so they are not asked what type they are.
    takes_projection: bool = False
    # `call` may prefetch the calls in its projection.
    looks_ahead: bool = False
    # The values of `call` may be prefetched with the rows.
    prefetchable: bool = False
    # The values of `call` are made of what it reads of the rows, but for exceptions.
    computes: bool = False
    # From the context and a row to the context with which `call` and the fields of its value are
    # executed for that row; without it that is the context of the run.
    enters: Callable[[Any, Any], Any] | None = None


@dataclass(frozen=True, slots=True)
class Resolver:
    """A function for one row at a time, `resolve(row, info, **arguments)`, awaitable or not."""

    resolve: Callable[..., Any]


Source: TypeAlias = Attribute | Itself | Constant | Batch | Resolver
