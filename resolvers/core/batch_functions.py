"""Batch functions: what is declared of them, and what they are asked for.

A batch function takes all rows of a level and gives one value for each, in order. The engine calls
it (schema/engine), and so do the loaders of ordinary resolvers (`Context.load`). A plain function
may be one; what the engine has to know of others is in a `BatchFunction`.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any

from db.enums import TokenScope

# Names of attributes of rows; None = not known, so all of them.
Columns = frozenset[str] | None


@dataclass(frozen=True, slots=True)
class BatchCall:
    """A call of a batch function with rows that are yet to be fetched."""

    function: Any
    arguments: Any
    projection: "Projection"


@dataclass(frozen=True, slots=True)
class Projection:
    """What will be done with the rows that an operation or a batch function fetches."""

    # Attributes that will be read of them.
    columns: Columns = None
    # Attributes that will be read of what wraps them, such as `page_info` of a page; None where
    # nothing does, or that is not known.
    wrapper_columns: Columns = None
    # Batch functions that will be called with them. Whoever fetches the rows may prefetch the
    # values of these calls; they are made in any case.
    calls: tuple[BatchCall, ...] = field(default=(), compare=False)
    # One projection serves all requests with the same selection and arguments, so plans that
    # depend on its calls are cached here.
    cache: dict[Hashable, Any] = field(default_factory=dict, compare=False, repr=False)

    def columns_with(self, *names: str) -> Columns:
        """The columns and these."""
        return None if self.columns is None else self.columns.union(names)


ALL = Projection()


def only(*names: str) -> Projection:
    """Nothing but these columns."""
    return Projection(frozenset(names))


class BatchFunction:
    """What is declared of a batch function."""

    __name__: str
    # What a token needs for its values; None where they are part of the rows it is called with.
    scope: TokenScope | None = None
    # Attributes that it reads of the rows it is called with.
    reads: Columns = None
    # It takes a Projection as its fourth argument and fetches no more than that. Its values are
    # what the field's type says, so they are not asked what type they are.
    takes_projection: bool = False
    # It may prefetch the calls in its projection.
    looks_ahead: bool = False
    # Its values may be prefetched with the rows.
    prefetchable: bool = False
    # Its values are made of what it reads of the rows; only exceptionally does it run statements.
    computes: bool = False


UNDECLARED = BatchFunction()


def declared(function: Callable[..., Any] | None) -> BatchFunction:
    """What is declared of a batch function: nothing of a plain one."""
    return function if isinstance(function, BatchFunction) else UNDECLARED
