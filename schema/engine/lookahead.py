"""Lookahead: the batch functions that will be called with rows which are yet to be fetched.

A source that fetches rows may prefetch the relations of the next levels with them, so it gets the
calls that follow in its projection. Whether it prefetches is its decision; the batch functions are
called in any case.
"""

from collections.abc import Iterator

from graphql.execution.values import VariableValues

from resolvers.core.batch_functions import BatchCall, Projection
from schema.engine.collect import variables_of
from schema.engine.plan import Field, FieldLookahead, Leaf, Object, Selection, innermost
from schema.engine.sources import Attribute, Batch, Itself

# Levels of lookahead: selections outside of GraphQL may contain themselves.
DEPTH = 8
# Values of variables for which one field caches its lookahead.
MAX_CACHED = 32
# Text in variables up to this length may be part of a key of the cache.
LONGEST_TEXT = 64


def projection_of(field: Field, variables: VariableValues, depth: int = DEPTH) -> Projection:
    """What will be done with the rows that a field's source fetches, calls included."""
    source = field.source
    if not (isinstance(source, Batch) and source.looks_ahead and depth):
        return field.projection
    if field.projection.columns is None:
        return field.projection
    lookahead = field.lookahead
    if lookahead is None:
        lookahead = field.lookahead = _field_lookahead(field)
    if not lookahead.fields:
        return field.projection
    coerced = variables.coerced
    key = tuple([coerced.get(name, Ellipsis) for name in lookahead.variables])
    if any(isinstance(value, str) and len(value) > LONGEST_TEXT for value in key):
        return _with_calls(field, lookahead, variables, depth)
    try:
        projection = lookahead.cached.get(key)
    except TypeError:
        # A list or an object is among the values.
        return _with_calls(field, lookahead, variables, depth)
    if projection is None:
        if len(lookahead.cached) >= MAX_CACHED:
            lookahead.cached.clear()
        projection = lookahead.cached[key] = _with_calls(field, lookahead, variables, depth)
    return projection


def _with_calls(
    field: Field, lookahead: FieldLookahead, variables: VariableValues, depth: int
) -> Projection:
    calls = []
    for child in lookahead.fields:
        assert isinstance(child.source, Batch)
        try:
            arguments = None if child.arguments is None else child.arguments(variables)
        except Exception:  # noqa: S112 (it will be raised again where the function is called)
            continue
        projection = projection_of(child, variables, depth - 1)
        calls.append(BatchCall(child.source.call, arguments, projection))
    return Projection(field.projection.columns, field.projection.wrapper_columns, tuple(calls))


def _field_lookahead(field: Field) -> FieldLookahead:
    fields = tuple(
        child
        for child in fetched_children(field)
        if isinstance(child.source, Batch) and child.source.prefetchable
    )
    return FieldLookahead(fields, tuple(sorted(_variables(fields, DEPTH))))


def _variables(fields: tuple[Field, ...], depth: int) -> set[str]:
    """The variables in the arguments of fields and of their descendants."""
    names: set[str] = set()
    for field in fields:
        for node in field.definition.nodes if field.definition else ():
            names |= variables_of(node)
        if depth:
            names |= _variables(tuple(fetched_children(field)), depth - 1)
    return names


def prefetches_all(field: Field) -> bool:
    """Whether nothing but the rows of a field has to be fetched for all of its descendants."""
    for child in fetched_children(field):
        source = child.source
        if not (isinstance(source, Batch) and source.prefetchable):
            if not _is_at_hand(child):
                return False
        elif source.looks_ahead:
            if not prefetches_all(child):
                return False
        elif not all(map(_is_at_hand, fetched_children(child))):
            # Its own rows are fetched without lookahead.
            return False
    return True


def _is_at_hand(field: Field) -> bool:
    """Whether a field and its descendants are parts of a row, or computed from those."""
    source = field.source
    if not (isinstance(source, Attribute) or (isinstance(source, Batch) and source.computes)):
        return False
    if not isinstance(innermost(field.completion), Leaf | Object):
        return False
    return all(map(_is_at_hand, fetched_children(field)))


def fetched_children(field: Field) -> Iterator[Field]:
    """The fetched fields on the rows of a field; a connection or a page may wrap those rows."""
    completion = innermost(field.completion)
    return _fetched(completion.selection) if isinstance(completion, Object) else iter(())


def _fetched(selection: Selection) -> Iterator[Field]:
    for field in selection.fetched:
        passes = isinstance(field.source, Attribute) and field.source.passes
        if passes or isinstance(field.source, Itself):
            yield from fetched_children(field)
        else:
            yield field
