"""Lookahead: the batch functions that will be called with rows which are yet to be fetched.

A source that fetches rows may prefetch the relations of the next levels with them. It gets the
calls that follow as a `Lookahead` in place of its columns. Whether it prefetches is its decision;
the batch functions are called in any case.
"""

from collections.abc import Iterator
from typing import Any

from graphql import VariableNode, Visitor, visit
from graphql.execution.values import VariableValues

from schema.engine.plan import Field, FieldLookahead, Object, Selection, innermost
from schema.engine.sources import Attribute, Batch, BatchCall, Columns, Itself, Lookahead

# Levels of lookahead: selections outside of GraphQL may contain themselves.
DEPTH = 8
# Values of variables for which one field caches its lookahead.
MAX_CACHED = 32
# Text in variables up to this length may be part of a key of the cache.
LONGEST_TEXT = 64


def lookahead_columns(field: Field, variables: VariableValues, depth: int = DEPTH) -> Columns:
    """The columns of the rows that a field's source fetches, with the batch calls that follow."""
    if field.columns is None or not looks_ahead(field) or not depth:
        return field.columns
    lookahead = field.lookahead
    if lookahead is None:
        lookahead = field.lookahead = _field_lookahead(field)
    if not lookahead.fields:
        return field.columns
    coerced = variables.coerced
    key = tuple([coerced.get(name, Ellipsis) for name in lookahead.variables])
    if any(isinstance(value, str) and len(value) > LONGEST_TEXT for value in key):
        return _lookahead(field, lookahead, variables, depth)
    try:
        columns = lookahead.cached.get(key)
    except TypeError:
        # A list or an object is among the values.
        return _lookahead(field, lookahead, variables, depth)
    if columns is None:
        if len(lookahead.cached) >= MAX_CACHED:
            lookahead.cached.clear()
        columns = lookahead.cached[key] = _lookahead(field, lookahead, variables, depth)
    return columns


def _lookahead(
    field: Field, lookahead: FieldLookahead, variables: VariableValues, depth: int
) -> Lookahead:
    assert field.columns is not None
    calls = []
    for child in lookahead.fields:
        assert isinstance(child.source, Batch)
        try:
            arguments = None if child.arguments is None else child.arguments(variables)
        except Exception:  # noqa: S112 (it will be raised again where the function is called)
            continue
        columns = lookahead_columns(child, variables, depth - 1)
        calls.append(BatchCall(child.source.call, arguments, columns))
    return Lookahead(field.columns, getattr(field.columns, "wrapper_columns", None), tuple(calls))


def _field_lookahead(field: Field) -> FieldLookahead:
    fields = tuple(
        child
        for child in fetched_children(field)
        if isinstance(child.source, Batch) and child.source.prefetchable
    )
    return FieldLookahead(fields, tuple(sorted(_variables(fields, DEPTH))))


def _variables(fields: tuple[Field, ...], depth: int) -> set[str]:
    """The variables in the arguments of fields and of their descendants."""
    finder = _VariableFinder()
    for field in fields:
        for node in field.definition.nodes if field.definition else ():
            for argument in node.arguments or ():
                visit(argument, finder)
        if depth:
            finder.names |= _variables(tuple(fetched_children(field)), depth - 1)
    return finder.names


class _VariableFinder(Visitor):
    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()

    def enter_variable(self, node: VariableNode, *_: Any) -> None:
        self.names.add(node.name.value)


def looks_ahead(field: Field) -> bool:
    """Whether a field's source takes a `Lookahead`."""
    return isinstance(field.source, Batch) and field.source.looks_ahead


def prefetches_all(field: Field) -> bool:
    """Whether every descendant of a field can be prefetched with its rows."""
    for child in fetched_children(field):
        source = child.source
        if isinstance(source, Attribute):
            # Part of what was fetched; what it shows has to be part of that, too.
            if any(True for _ in fetched_children(child)):
                return False
        elif not (isinstance(source, Batch) and source.prefetchable and prefetches_all(child)):
            return False
        elif not source.looks_ahead and any(True for _ in fetched_children(child)):
            # Its own rows are fetched without lookahead.
            return False
    return True


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
