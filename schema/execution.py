"""Execution of one operation; everything about requests and answers is elsewhere."""

from collections.abc import Sequence
from functools import cache
from typing import Any

import strawberry
from graphql import ExecutionResult, GraphQLError

from resolvers.core.context import Context
from resolvers.core.declarations import declaration_of, model_of_one_statement
from resolvers.core.installation import Settings
from resolvers.core.nesting import nesting
from schema.engine.engine import Engine, Plan
from schema.engine.lookahead import prefetches_all, projection_of
from schema.engine.plan import Completion, Field, Leaf, NonNull, Object, innermost
from schema.engine.run import Trace
from schema.engine.sources import Attribute, Batch, Constant, Itself, Source
from schema.operations import Operation
from schema.sources import StreamCall, root_operation, sources_of


@cache
def engine_of(schema: strawberry.Schema, *, hide_suggestions: bool = False) -> Engine:
    """The engine of a Strawberry schema; TypeError for what it cannot run."""
    return Engine(schema._schema, sources_of(schema), hide_suggestions=hide_suggestions)


def plan_of(engine: Engine, operation: Operation) -> Plan:
    """The plan of an operation, cached with its document."""
    prepared = operation.prepared
    plan = prepared.plan
    if plan is None:
        plan = prepared.plan = engine.plan(operation.document.parsed.node, prepared.name)
    return plan


def is_one_statement(
    engine: Engine, operation: Operation, settings: Settings, dialect: str
) -> bool:
    """Whether one statement answers an operation.

    That depends on the sizes of pages, which `settings` give where the operation does not.
    """
    plan = plan_of(engine, operation)
    selection = engine.selection(plan, operation.variables)
    if selection is None or len(selection.fetched) != 1:
        return False
    (field,) = selection.fetched
    completion = (
        field.completion.inner if isinstance(field.completion, NonNull) else field.completion
    )
    if not (isinstance(field.source, Batch) and isinstance(completion, Object)):
        return False
    root = root_operation(field.source)
    model = None if root is None else model_of_one_statement(root)
    if model is None:
        return False
    if not completion.selection.fetched:
        return True
    if not field.source.looks_ahead:
        return False
    if field.prefetches_all is None:
        field.prefetches_all = prefetches_all(field)
    if not field.prefetches_all:
        return False
    projection = projection_of(field, operation.variables)
    if projection.columns is None:
        return False
    return nesting(settings, dialect, model, projection).is_one_statement


def is_open_to_all(engine: Engine, operation: Operation) -> bool:
    """Whether all root fields of an operation are open to callers without a token."""
    selection = engine.selection(plan_of(engine, operation), operation.variables)
    return selection is not None and all(
        isinstance(field.source, Constant) or _is_open(field.source) for field in selection.fields
    )


@cache
def open_names(engine: Engine) -> frozenset[str]:
    """The names of the root fields that are open to callers without a token."""
    roots = (engine.schema.query_type, engine.schema.mutation_type)
    return frozenset(
        name
        for root in roots
        if root is not None
        for name, field in root.fields.items()
        if _is_open(engine.source(root, name, field))
    )


def _is_open(source: Source) -> bool:
    """Whether a root field is open to callers without a token."""
    operation = root_operation(source)
    return operation is not None and declaration_of(operation).open_to_all


async def follow(engine: Engine, operation: Operation, context: Any, *, again: bool = False) -> Any:
    """What a subscription follows; its operation's error where the caller may not.

    `again` is for one that is under way: where it began does not matter any more. GraphQLError for
    arguments that are wrong.
    """
    field = _stream_field(engine, operation)
    assert isinstance(field.source, Batch)
    assert isinstance(field.source.call, StreamCall)
    arguments = {} if field.arguments is None else field.arguments(operation.variables)
    if again:
        arguments.pop("after", None)
    return await field.source.call.follow(context, arguments)


def _stream_field(engine: Engine, operation: Operation) -> Field:
    """The one field of a subscription, as validation has made sure."""
    selection = engine.selection(plan_of(engine, operation), operation.variables)
    streams = (
        []
        if selection is None
        else [field for field in selection.fields if not isinstance(field.source, Constant)]
    )
    if len(streams) != 1:
        raise GraphQLError("A subscription has to have one field, which is not left out.")
    return streams[0]


def shows_rows_alone(engine: Engine, operation: Operation) -> bool:
    """Whether what a subscription shows is made of its events alone: then it is the same for all
    who may read these."""
    return _is_of_row(_stream_field(engine, operation).completion)


def _is_of_row(completion: Completion) -> bool:
    inner = innermost(completion)
    if isinstance(inner, Leaf):
        return True
    if not isinstance(inner, Object) or inner.selection.withholds:
        return False
    return all(
        isinstance(field.source, Attribute | Itself | Constant) and _is_of_row(field.completion)
        for field in inner.selection.fields
    )


async def deliver(
    engine: Engine, operation: Operation, context: Any, events: Sequence[Any]
) -> list[ExecutionResult]:
    """The results of a subscription for events that the caller may read, in order."""
    plan = plan_of(engine, operation)
    results = await engine.execute_events(plan, events, context, operation.variables)
    return [
        ExecutionResult(result.data, operation.located(result.errors)) if result.errors else result
        for result in results
    ]


async def execute(
    engine: Engine,
    operation: Operation,
    context: Any,
    trace: Trace | None = None,
    *,
    alone: bool = False,
    fragments: bool = False,
) -> ExecutionResult:
    """Execute a query or mutation that has passed all checks.

    `alone` is what `is_one_statement` says of it; `fragments` is as in `Engine.execute`.
    Errors of fields are in the result, with their causes as `original_error`. Cancelling the
    caller cancels everything that is still running. Strawberry's schema extensions are not
    called: limits, permissions and transactions are not theirs here.
    """
    plan = plan_of(engine, operation)
    if isinstance(context, Context):
        context.alone = alone
    result = await engine.execute(
        plan, None, context, operation.variables, trace, fragments=fragments, looks_ahead=True
    )
    if result.errors:
        return ExecutionResult(result.data, operation.located(result.errors))
    return result
