"""The engine and graphql-core's executor side by side: the same request, the same answer."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from inspect import isawaitable
from typing import Any

from graphql import DocumentNode, ExecutionResult, GraphQLError, GraphQLSchema, execute, parse

from schema.engine.engine import Engine

Values = Mapping[str, object]
Root = Callable[[], object]


@dataclass(frozen=True)
class Answer:
    """What a client and a log see of one execution, in comparable form.

    `data` is JSON text, so the order of keys and the types of numbers count. Each error is the
    JSON text of its message, path, locations, extensions and of the exception that caused it.
    """

    data: str
    errors: tuple[str, ...]

    @property
    def value(self) -> Any:
        """The data again."""
        return json.loads(self.data)

    @property
    def messages(self) -> list[str]:
        """The messages of the errors, in order."""
        return [json.loads(error)["message"] for error in self.errors]

    @property
    def paths(self) -> list[list[str | int] | None]:
        """The paths of the errors, in order."""
        return [json.loads(error)["path"] for error in self.errors]

    def unordered(self) -> "Answer":
        """The same answer when the order of errors means nothing."""
        return Answer(self.data, tuple(sorted(self.errors)))


def described(error: GraphQLError) -> str:
    """Everything of an error that has to be the same."""
    cause = error.original_error
    return as_json(
        {
            "message": error.message,
            "path": error.path,
            "locations": [[place.line, place.column] for place in error.locations or ()],
            "extensions": error.extensions,
            "cause": None if cause is None else f"{type(cause).__name__}: {cause}",
        }
    )


def as_json(value: object) -> str:
    """JSON text that keeps the order of keys and tells 1, 1.0 and true apart."""
    return json.dumps(value, default=lambda other: f"{type(other).__name__} {other!r}")


def answer(result: ExecutionResult) -> Answer:
    return Answer(as_json(result.data), tuple(map(described, result.errors or ())))


def document_of(text: str | DocumentNode) -> DocumentNode:
    return parse(text) if isinstance(text, str) else text


async def expected(
    schema: GraphQLSchema,
    text: str | DocumentNode,
    root: Root = lambda: None,
    *,
    context: object = None,
    variables: Values | None = None,
    operation: str | None = None,
) -> Answer:
    """The answer of graphql-core's executor."""
    result: Any = execute(
        schema,
        document_of(text),
        root_value=root(),
        context_value=context,
        variable_values=dict(variables or {}),
        operation_name=operation,
    )
    executed: ExecutionResult = await result if isawaitable(result) else result
    return answer(executed)


async def actual(
    engine: Engine | GraphQLSchema,
    text: str | DocumentNode,
    root: Root = lambda: None,
    *,
    context: object = None,
    variables: Values | None = None,
    operation: str | None = None,
) -> Answer:
    """The answer of the engine; a document that cannot be planned is an answer of errors only."""
    if isinstance(engine, GraphQLSchema):
        engine = Engine(engine)
    try:
        plan = engine.plan(document_of(text), operation)
    except GraphQLError as error:
        return Answer(as_json(None), (described(error),))
    result = await engine.execute(
        plan, root_value=root(), context=context, variables=dict(variables or {})
    )
    return answer(result)


async def same(
    schema: GraphQLSchema,
    text: str | DocumentNode,
    root: Root = lambda: None,
    *,
    engine: Engine | None = None,
    ordered: bool = True,
    **request: Any,
) -> Answer:
    """Execute a request both ways, compare, and give the answer.

    `root` is called for each, as values like generators can be read once. `ordered=False` is for
    awaitable values: graphql-core then reports errors in the order in which they happen.
    """
    document = document_of(text)
    theirs = await expected(schema, document, root, **request)
    ours = await actual(engine or schema, document, root, **request)
    if not ordered:
        theirs, ours = theirs.unordered(), ours.unordered()
    assert ours == theirs
    return ours
