"""The events behind a subscription (specification, "Source Stream")."""

from collections.abc import AsyncIterable
from typing import Any

from graphql import (
    FieldNode,
    GraphQLError,
    OperationDefinitionNode,
    default_field_resolver,
    located_error,
)
from graphql.pyutils import Path, inspect, is_awaitable

from schema.engine.plan import Field, Selection
from schema.engine.run import Run


def event_field(operation: OperationDefinitionNode, selection: Selection) -> Field:
    """The root field of a subscription; GraphQLError for a document that has none."""
    if selection.fields:
        return selection.fields[0]
    nodes = [one for one in operation.selection_set.selections if isinstance(one, FieldNode)]
    if not nodes:
        raise GraphQLError("The subscription has no field.", operation)
    problem = f"The subscription field '{nodes[0].name.value}' is not defined."
    raise GraphQLError(problem, [nodes[0]])


async def source_stream(run: Run, field: Field) -> AsyncIterable[Any]:
    """The events of the one root field of a subscription; GraphQLError says why there are none."""
    definition = field.definition
    assert definition is not None
    path = Path(None, field.name, definition.parent.name)
    subscribe = definition.field.subscribe or default_field_resolver
    try:
        arguments = {} if field.arguments is None else field.arguments(run.variables)
        events = subscribe(run.root, run.info(field, path), **arguments)
        if is_awaitable(events):
            events = await events
        if isinstance(events, Exception):
            raise events
        if not isinstance(events, AsyncIterable):
            raise GraphQLError(
                f"Subscription field must return AsyncIterable. Received: {inspect(events)}."
            )
    except Exception as error:
        raise located_error(error, definition.nodes, path.as_list()) from error
    return events
