"""Executes selections level by level.

`select` makes the dictionaries of all rows of a level: first it asks the source of each fetched
field once for all rows and completes what that gave, which is the next level; then one generated
comprehension builds the dictionaries. What fails leaves a Failure in its place.
"""

import asyncio
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any

from graphql.pyutils import Path

from schema.engine import builders
from schema.engine.completion import Completer
from schema.engine.failures import Failure, first_error, reaches_parent
from schema.engine.gathering import gather_values
from schema.engine.lookahead import projection_of
from schema.engine.plan import Field, Selection
from schema.engine.run import Json, Run
from schema.engine.sources import Attribute, Batch, Itself, Resolver

# Rows that are built without letting other tasks run: about 10 ms of work.
SLICE = 2_000
Paths = Sequence[Path | None]


async def select(
    run: Run, selection: Selection, rows: Sequence[Any], paths: Paths | None = None
) -> list[Any]:
    """The dictionary of each row, or a Failure; `paths` are those of the rows, where needed."""
    if selection.error is not None:
        run.failed = True
        return [Failure(selection.error) for _ in rows]
    if not rows:
        return []
    started: dict[Field, list[Any]] = {}
    if selection.resolves:
        started = _start_resolvers(run, selection, rows, paths)
        await _await_values(started)
    outputs: list[Sequence[Any]] = []
    values: Sequence[Any]
    for field in selection.fetched:
        if isinstance(field.source, Batch) and field.source.enters is not None:
            outputs.append(await _entered(run, field, field.source.enters, rows, paths))
            continue
        values = started[field] if field in started else await _values(run, field, rows)
        outputs.append(await _complete(run, field, values, paths))
    return await _build(run, selection, rows, outputs)


async def execute_selection(
    context: Any, selection: Selection | Field, rows: Sequence[Any]
) -> list[Json]:
    """The dictionaries of rows in a selection that was not compiled from GraphQL.

    A Field in its place completes the rows as its items. The first error is raised. The answer
    is to be written as JSON: it may hold fragments of its text.
    """
    run = Run(context, fragments_allowed=True)
    if isinstance(selection, Selection):
        value = await select(run, selection, rows)
    else:
        (value,) = await Completer(run, select, selection).complete(
            selection.completion, [rows], None
        )
    if run.failed:
        raise first_error(value)
    return value


async def select_serially(run: Run, selection: Selection, row: Any, root: Path | None) -> Any:
    """The dictionary of one row whose fields are executed one after the other, in order."""
    if selection.error is not None:
        run.failed = True
        return Failure(selection.error)
    outputs: list[Sequence[Any]] = []
    values: Sequence[Any]
    for field in selection.fetched:
        if isinstance(field.source, Resolver):
            started = {field: _call(run, field, [row], [root])}
            await _await_values(started)
            values = started[field]
        else:
            values = await _values(run, field, [row])
        outputs.append(await _complete(run, field, values, [root]))
        if field.required and run.failed and reaches_parent(run.groups, field, outputs[-1][0]):
            # Nothing after it is executed or looked at, for the whole answer is null.
            outputs += [[None]] * (len(selection.fetched) - len(outputs))
            break
    (object_,) = await _build(run, selection, [row], outputs)
    return object_


async def _entered(
    run: Run,
    field: Field,
    enters: Callable[[Any, Any], Any],
    rows: Sequence[Any],
    paths: Paths | None,
) -> list[Any]:
    """The completed values of a field whose rows each have a context of their own."""
    completed = []
    for index, row in enumerate(rows):
        try:
            inner = run.within(enters(run.context, row))
        except Exception as error:
            completed.append(Failure(error))
            run.failed = True
            continue
        values = await _values(inner, field, [row])
        own = None if paths is None else [paths[index]]
        completed += await _complete(inner, field, values, own)
        run.failed = run.failed or inner.failed
    return completed


async def _build(
    run: Run, selection: Selection, rows: Sequence[Any], outputs: list[Sequence[Any]]
) -> list[Json]:
    layout = builders.layout_of(set(map(type, rows)))
    form = builders.Form(
        layout, run.fragments_allowed, selection.withholds and run.context.withholds
    )
    if len(rows) <= SLICE:
        objects, failed = builders.build(selection, form, rows, outputs)
    else:
        objects, failed = [], False
        for start in range(0, len(rows), SLICE):
            part = slice(start, start + SLICE)
            some, wrong = builders.build(
                selection, form, rows[part], [output[part] for output in outputs]
            )
            objects += some
            failed = failed or wrong
            await asyncio.sleep(0)
    run.failed = run.failed or failed
    return objects


async def _complete(
    run: Run, field: Field, values: Sequence[Any], paths: Paths | None
) -> Sequence[Any]:
    own: list[Path] | None = None
    if field.positional:
        assert paths is not None
        parent = field.definition.parent.name if field.definition else None
        own = [Path(path, field.name, parent) for path in paths]
    return await Completer(run, select, field).complete(field.completion, values, own)


async def _values(run: Run, field: Field, rows: Sequence[Any]) -> Sequence[Any]:
    """The value of a field's source for each row."""
    source = field.source
    if isinstance(source, Attribute):
        return builders.read_attribute(rows, source.name)
    if isinstance(source, Itself):
        return rows
    assert isinstance(source, Batch)
    trace = run.trace
    if trace is None:
        return await _batch(run, field, source, rows)
    before, start = trace.meter(), perf_counter()
    try:
        return await _batch(run, field, source, rows)
    finally:
        trace.record(field, len(rows), perf_counter() - start, before)


async def _batch(run: Run, field: Field, source: Batch, rows: Sequence[Any]) -> Sequence[Any]:
    try:
        arguments = None if field.arguments is None else field.arguments(run.variables)
        if source.takes_projection:
            projection = field.projection
            if run.looks_ahead:
                projection = projection_of(field, run.variables)
            values = await source.call(run.context, rows, arguments, projection)
        else:
            values = await source.call(run.context, rows, arguments)
        if len(values) != len(rows):
            raise RuntimeError(
                f"the batch function of {field.coordinate} gave {len(values)} values "
                f"for {len(rows)} rows"
            )
    except Exception as error:
        return [Failure(error) for _ in rows]
    return values


def _start_resolvers(
    run: Run, selection: Selection, rows: Sequence[Any], paths: Paths | None
) -> dict[Field, list[Any]]:
    """Call the resolvers of a level; what they await is awaited together."""
    return {
        field: _call(run, field, rows, paths)
        for field in selection.fetched
        if isinstance(field.source, Resolver)
    }


def _call(run: Run, field: Field, rows: Sequence[Any], paths: Paths | None) -> list[Any]:
    assert isinstance(field.source, Resolver)
    resolve, definition = field.source.resolve, field.definition
    assert definition is not None
    values: list[Any] = []
    for index, row in enumerate(rows):
        above = paths[index] if paths is not None else None
        try:
            arguments = {} if field.arguments is None else field.arguments(run.variables)
            path = Path(above, field.name, definition.parent.name)
            values.append(resolve(row, run.info(field, path), **arguments))
        except Exception as error:
            values.append(Failure(error))
    return values


async def _await_values(started: dict[Field, list[Any]]) -> None:
    """Await what resolvers of a level gave, in place."""
    values = await gather_values([value for column in started.values() for value in column])
    position = 0
    for column in started.values():
        column[:] = values[position : position + len(column)]
        position += len(column)
