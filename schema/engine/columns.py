"""Projections: which attributes an operation reads of the rows that a source fetches."""

from collections.abc import Callable, Iterable

from graphql import GraphQLObjectType

from resolvers.core.batch_functions import ALL, Columns, Projection
from schema.engine.plan import Completion, Field, Object, innermost
from schema.engine.sources import Attribute, Batch, Constant, Itself, Source

SourcesOf = Callable[[GraphQLObjectType], dict[str, Source]]


def read_of_rows(fields: Iterable[Field]) -> Columns:
    """The attributes that fields read of the rows they are selected on."""
    names: set[str] = set()
    for field in fields:
        match field.source:
            case Constant():
                continue
            case Attribute(name):
                names.add(name)
            case Batch(reads=reads) if reads is not None:
                names |= reads
            case Itself() if field.projection.columns is not None:
                names |= field.projection.columns
            case _:
                return None
    return frozenset(names)


def read_of_items(completion: Completion) -> Projection:
    """What a completion reads of its rows, which may be in lists."""
    inner = innermost(completion)
    return inner.selection.projection if isinstance(inner, Object) else ALL


class ColumnFinder:
    """Finds columns; caches which types are wrappers of the rows that were fetched."""

    def __init__(self, sources_of: SourcesOf) -> None:
        self._sources_of = sources_of
        self._wrappers: dict[GraphQLObjectType, bool] = {}

    def of_rows(self, type_: GraphQLObjectType, fields: tuple[Field, ...]) -> Projection:
        """What a selection on `type_` reads of the rows that are fetched for it."""
        return self._wrapped(fields) if self.wraps(type_) else Projection(read_of_rows(fields))

    def _wrapped(self, fields: tuple[Field, ...]) -> Projection:
        names: frozenset[str] = frozenset()
        wrapper_columns: set[str] = set()
        for field in fields:
            if not isinstance(field.source, Attribute):
                continue
            if not field.source.passes:
                wrapper_columns.add(field.source.name)
                continue
            columns = read_of_items(field.completion).columns
            if columns is None:
                return ALL
            names |= columns
        return Projection(names, frozenset(wrapper_columns))

    def wraps(self, type_: GraphQLObjectType) -> bool:
        """Whether values of the type hold the rows that were fetched, as connections do."""
        wraps = self._wrappers.get(type_)
        if wraps is None:
            wraps = any(
                isinstance(source, Attribute) and source.passes
                for source in self._sources_of(type_).values()
            )
            self._wrappers[type_] = wraps
        return wraps
