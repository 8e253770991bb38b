"""Execution of one operation; everything about requests and answers is elsewhere."""

from typing import Any

import strawberry
from graphql import ExecutionResult

from schema.engine.engine import Engine
from schema.engine.run import Trace
from schema.operations import Operation
from schema.sources import sources_of


def engine_of(schema: strawberry.Schema, *, hide_suggestions: bool = False) -> Engine:
    """The engine of a Strawberry schema; TypeError for what it cannot run."""
    return Engine(schema._schema, sources_of(schema), hide_suggestions=hide_suggestions)


async def execute(
    engine: Engine, operation: Operation, context: Any, trace: Trace | None = None
) -> ExecutionResult:
    """Execute a query or mutation that has passed all checks.

    Errors of fields are in the result, with their causes as `original_error`. Cancelling the
    caller cancels everything that is still running. Strawberry's schema extensions are not
    called: limits, permissions and transactions are not theirs here.
    """
    prepared = operation.prepared
    plan = prepared.plan
    if plan is None:
        plan = prepared.plan = engine.plan(operation.document.parsed.node, prepared.name)
    result = await engine.execute(plan, None, context, operation.variables, trace)
    if result.errors:
        return ExecutionResult(result.data, operation.located(result.errors))
    return result
