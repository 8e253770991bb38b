"""Plans: what is computed once for a selection, whichever door it came through.

A `Selection` says what is shown of rows of one type; each of its fields has a source and a
completion, which mirrors the field's type. A GraphQL operation compiles to selections
(compiler.py), and so may anything else that shows a fixed choice of fields.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from graphql import (
    FieldNode,
    GraphQLAbstractType,
    GraphQLError,
    GraphQLField,
    GraphQLObjectType,
)

from resolvers.core.batch_functions import ALL, Projection
from schema.engine.sources import Attribute, Constant, Resolver, Source

# Coerced variables in, the arguments of a source out; raises for arguments that are wrong.
Arguments: TypeAlias = Callable[[Any], Any]


@dataclass(slots=True, eq=False)
class Leaf:
    """A scalar or an enumeration. `coerce` makes a value that is not null ready for JSON."""

    name: str
    coerce: Callable[[Any], Any]
    # A value of exactly this type is ready as it is (an int that has 32 bits).
    ready: type | None = None
    # `coerce` gives the same for equal values, of which there are few: an enumeration.
    few: bool = False
    cached: dict[Any, Any] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class Object:
    """An object of one type."""

    selection: "Selection"
    # The type whose `is_type_of` each value is asked; None where it has none, or where the source
    # can be trusted.
    type: GraphQLObjectType | None = None


@dataclass(slots=True, eq=False)
class Abstract:
    """An interface or a union: each value is of one of its types."""

    type: GraphQLAbstractType
    # The selection on one of its types; compiled when a value of that type is first met.
    selection_on: Callable[[GraphQLObjectType], "Selection"]


@dataclass(slots=True, eq=False)
class Choice:
    """A value whose selection is found by a function: what a union is outside of GraphQL."""

    choose: Callable[[Any], "Selection"]


@dataclass(slots=True, eq=False)
class Listed:
    """A list. `items` finds the items of a value that is no list itself."""

    item: "Completion"
    items: Callable[[Any], Sequence[Any]] | None = None


@dataclass(slots=True, eq=False)
class NonNull:
    """Completes a non-null type: null fails."""

    inner: "Completion"


Completion: TypeAlias = Leaf | Object | Abstract | Choice | Listed | NonNull


@dataclass(slots=True, eq=False)
class Definition:
    """The GraphQL side of a field: what its resolvers get as `info` and its errors point at."""

    parent: GraphQLObjectType
    name: str
    field: GraphQLField
    nodes: list[FieldNode]


@dataclass(slots=True, eq=False)
class FieldLookahead:
    """The children of a field that can be prefetched (lookahead.py)."""

    fields: tuple["Field", ...]
    # The variables in their arguments, and the projection for values of those.
    variables: tuple[str, ...]
    cached: dict[tuple[Any, ...], Any] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class Field:
    """One member of the answer."""

    name: str
    source: Source
    completion: Completion
    # None when the source takes no arguments.
    arguments: Arguments | None = None
    # What will be read of the rows that its source fetches.
    projection: Projection = ALL
    # Left out of the answer when it is null.
    optional: bool = False
    definition: Definition | None = None
    coordinate: str = ""
    # Its completion calls functions that take the path of each value.
    positional: bool = False
    # Computed when it is first needed.
    lookahead: FieldLookahead | None = None
    # Whether all descendants can be prefetched with its rows, likewise.
    prefetches_all: bool | None = None
    # Whether its parent is null without it.
    required: bool = field(init=False)
    # Whether its value is made from the row alone.
    plain: bool = field(init=False)
    # What is shown in place of an attribute where the context withholds it.
    shown_as: Constant | None = field(init=False)

    def __post_init__(self) -> None:
        self.required = isinstance(self.completion, NonNull)
        self.plain = isinstance(self.source, Constant) or (
            isinstance(self.source, Attribute) and leaf_of(self.completion) is not None
        )
        self.shown_as = self.source.withheld_as if isinstance(self.source, Attribute) else None
        if self.shown_as is not None and not self.plain:
            raise TypeError(f"{self.coordinate} is no leaf, so it cannot be withheld")


def leaf_of(completion: Completion) -> Leaf | None:
    """The leaf of a completion that is nothing else, whether it may be null or not."""
    inner = completion.inner if isinstance(completion, NonNull) else completion
    return inner if isinstance(inner, Leaf) else None


def innermost(completion: Completion) -> Leaf | Object | Abstract | Choice:
    """The completion of the named type, without lists and non-null."""
    while isinstance(completion, NonNull | Listed):
        completion = completion.inner if isinstance(completion, NonNull) else completion.item
    return completion


@dataclass(slots=True, eq=False)
class Selection:
    """The fields selected on rows of one type."""

    fields: tuple[Field, ...] = ()
    # Something below calls functions that take the path of each value.
    positional: bool = False
    # What is read of the rows, or of those that they wrap.
    projection: Projection = ALL
    # Why it cannot be executed: the error of every value that it is selected on.
    error: GraphQLError | None = None
    # Builders of dictionaries by layout of the rows.
    builders: dict[Any, Any] = field(default_factory=dict)
    fetched: tuple[Field, ...] = ()
    # Whether ordinary resolvers are among their sources.
    resolves: bool = False
    # Whether some attributes are shown as something else where the context withholds them.
    withholds: bool = False

    def complete(self, fields: Sequence[Field], *, positional: bool = False) -> None:
        """Set the fields; selections may contain themselves, so they are made empty first."""
        self.fields = tuple(fields)
        self.fetched = tuple(field for field in self.fields if not field.plain)
        self.resolves = any(isinstance(field.source, Resolver) for field in self.fetched)
        self.withholds = any(field.shown_as is not None for field in self.fields)
        self.positional = positional
