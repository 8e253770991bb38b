"""Execution of one operation; everything about requests and answers is elsewhere."""

from inspect import isawaitable
from typing import Any

from graphql import ExecutionResult, GraphQLSchema
from graphql import execute as graphql_execute

from schema.documents import Operation


async def execute(
    schema: GraphQLSchema, operation: Operation, context: object, *, hide_suggestions: bool = False
) -> ExecutionResult:
    """Execute a query or mutation that has passed all checks.

    Errors of fields are in the result, with their causes as `original_error`. Cancelling the
    caller cancels every resolver that is still running. Strawberry's schema extensions are not
    called: limits, permissions and transactions are not theirs here.
    """
    result: Any = graphql_execute(
        schema,
        operation.document.node,
        context_value=context,
        variable_values=operation.variables,
        operation_name=operation.name,
        hide_suggestions=hide_suggestions,
    )
    executed: ExecutionResult = await result if isawaitable(result) else result
    return executed
