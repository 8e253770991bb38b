"""The engine and graphql-core's executor side by side: the same request, the same answer.

With values that have to be awaited, graphql-core reports, of several failures inside of what
becomes null, those that happen before it does, and cancels the rest: its errors depend on timing,
its data does not. The errors do not either when each failure stands alone in what it makes null.
Hidden failures count as well; they show when the operation is executed without propagation of
errors, where each failure makes its own place null and nothing else.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from inspect import isawaitable
from typing import Any

from graphql import (
    DocumentNode,
    ExecutionResult,
    GraphQLError,
    GraphQLSchema,
    OperationDefinitionNode,
    execute,
    parse,
)

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

    def without_timing(self, stand_alone: bool) -> "Answer":
        """What does not depend on timing: data, and the errors if they stand alone."""
        return self.unordered() if stand_alone else Answer(self.data, ())


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
    looks_ahead: bool = False,
) -> Answer:
    """The answer of the engine; a document that cannot be planned is an answer of errors only."""
    if isinstance(engine, GraphQLSchema):
        engine = Engine(engine)
    try:
        plan = engine.plan(document_of(text), operation)
    except GraphQLError as error:
        return Answer(as_json(None), (described(error),))
    result = await engine.execute(
        plan,
        root_value=root(),
        context=context,
        variables=dict(variables or {}),
        looks_ahead=looks_ahead,
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
    assert ours == theirs, f"graphql-core: {theirs}\nthe engine: {ours}"
    return ours


async def failures_stand_alone(
    answer: Answer, schema: GraphQLSchema, document: DocumentNode, request: Mapping[str, Any]
) -> bool:
    """Whether the errors of an answer of `schema` do not depend on timing."""
    every = await expected(schema, without_propagation(document), **request)
    nulls = [null_of(answer.value, path or []) for path in every.paths]
    return all(
        sum((path or [])[: len(null)] == null for path in every.paths) == 1 for null in nulls
    )


def without_propagation(document: DocumentNode) -> DocumentNode:
    """The document with a directive that makes graphql-core report each failure for itself."""
    (wanted,) = parse("query @experimental_disableErrorPropagation { a }").definitions
    assert isinstance(wanted, OperationDefinitionNode)
    definitions = tuple(
        replace(one, directives=wanted.directives)
        if isinstance(one, OperationDefinitionNode)
        else one
        for one in document.definitions
    )
    return replace(document, definitions=definitions)


def null_of(data: Any, path: list[str | int]) -> list[str | int]:
    """The path of the null that a failure at this path has left."""
    for depth, key in enumerate(path):
        if data is None:
            return path[:depth]
        data = data[key]
    return path
