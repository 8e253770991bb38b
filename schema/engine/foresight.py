"""What will be asked of rows before they are there: the batch functions of the next levels.

A function that fetches rows and knows that it will be asked for their relations may fetch all of it
at once. It is told by the columns it gets; whether it does so is its own affair, and the batch
functions are called in any case.
"""

from collections.abc import Iterator
from typing import Any

from graphql import VariableNode, Visitor, visit
from graphql.execution.values import VariableValues

from schema.engine.plan import Field, Foresight, Object, Selection, innermost
from schema.engine.sources import Attribute, Batch, Below, Columns, Foreseen, Itself

# Levels that are looked ahead: selections that are no GraphQL may contain themselves.
DEPTH = 8
# Values of variables for which one field keeps what it has foreseen.
KEPT = 32
# What callers send is kept up to this length.
LONGEST_TEXT = 64


def foreseen_columns(field: Field, variables: VariableValues, depth: int = DEPTH) -> Columns:
    """What will be read of the rows that a field's source fetches, with the batches below."""
    if field.columns is None or not foresees(field) or not depth:
        return field.columns
    foresight = field.foresight
    if foresight is None:
        foresight = field.foresight = _foresight(field)
    if not foresight.below:
        return field.columns
    known = variables.coerced
    key = tuple([known.get(name, Ellipsis) for name in foresight.variables])
    if any(isinstance(value, str) and len(value) > LONGEST_TEXT for value in key):
        return _foreseen(field, foresight, variables, depth)
    try:
        found = foresight.known.get(key)
    except TypeError:
        # A list or an object is among the values.
        return _foreseen(field, foresight, variables, depth)
    if found is None:
        if len(foresight.known) >= KEPT:
            foresight.known.clear()
        found = foresight.known[key] = _foreseen(field, foresight, variables, depth)
    return found


def _foreseen(
    field: Field, foresight: Foresight, variables: VariableValues, depth: int
) -> Foreseen:
    assert field.columns is not None
    below = []
    for one in foresight.below:
        assert isinstance(one.source, Batch)
        try:
            arguments = None if one.arguments is None else one.arguments(variables)
        except Exception:  # noqa: S112 (it will be raised again where the function is called)
            continue
        inner = foreseen_columns(one, variables, depth - 1)
        below.append(Below(one.source.call, arguments, inner))
    return Foreseen(field.columns, getattr(field.columns, "beside", None), tuple(below))


def _foresight(field: Field) -> Foresight:
    below = tuple(
        one for one in batches_below(field) if isinstance(one.source, Batch) and one.source.foreseen
    )
    return Foresight(below, tuple(sorted(_variables(below, DEPTH))))


def _variables(fields: tuple[Field, ...], depth: int) -> set[str]:
    """The variables in the arguments of fields and of what is below them."""
    finder = _VariableFinder()
    for one in fields:
        for node in one.definition.nodes if one.definition else ():
            for argument in node.arguments or ():
                visit(argument, finder)
        if depth:
            finder.names |= _variables(tuple(batches_below(one)), depth - 1)
    return finder.names


class _VariableFinder(Visitor):
    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()

    def enter_variable(self, node: VariableNode, *_: Any) -> None:
        self.names.add(node.name.value)


def foresees(field: Field) -> bool:
    """Whether a field's source is told what is asked of its rows."""
    return isinstance(field.source, Batch) and field.source.foresees


def foresees_all(field: Field) -> bool:
    """Whether all that is fetched below a field can be fetched with its rows."""
    for one in batches_below(field):
        if isinstance(one.source, Attribute):
            # Part of what was fetched; what it shows has to be part of that, too.
            if any(True for _ in batches_below(one)):
                return False
        elif not (isinstance(one.source, Batch) and one.source.foreseen and foresees_all(one)):
            return False
        elif not one.source.foresees and any(True for _ in batches_below(one)):
            # Its own rows are fetched without looking further.
            return False
    return True


def batches_below(field: Field) -> Iterator[Field]:
    """The fetched fields on the rows of a field, whatever holds those rows."""
    shown = innermost(field.completion)
    return _fetched(shown.selection) if isinstance(shown, Object) else iter(())


def _fetched(selection: Selection) -> Iterator[Field]:
    for field in selection.fetched:
        passes = isinstance(field.source, Attribute) and field.source.passes
        if passes or isinstance(field.source, Itself):
            yield from batches_below(field)
        else:
            yield field
