"""One execution of a plan: what its levels share."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from copy import copy
from dataclasses import KW_ONLY, dataclass, field as member
from typing import Any, Protocol

from graphql import (
    FragmentDefinitionNode,
    GraphQLAbstractType,
    GraphQLObjectType,
    GraphQLResolveInfo,
    GraphQLResolveInfoHelpers,
    GraphQLSchema,
    OperationDefinitionNode,
    default_type_resolver,
)
from graphql.execution.values import VariableValues
from graphql.pyutils import Path, is_awaitable

from schema.engine.plan import Field, Selection

Json = dict[str, Any]
NO_VARIABLES = VariableValues({}, {})


class Trace(Protocol):
    """Records what each node of the plan has cost."""

    def meter(self) -> Any:
        """Costs outside of the engine so far, such as statements."""

    def record(self, field: Field, rows: int, seconds: float, before: Any) -> None:
        """A source was called for so many rows; `before` is what `meter` gave before it."""


@dataclass(slots=True, eq=False)
class Run:
    """The state of one execution."""

    context: Any
    variables: VariableValues = NO_VARIABLES
    _: KW_ONLY
    root: Any = None
    schema: GraphQLSchema | None = None
    operation: OperationDefinitionNode | None = None
    fragments: dict[str, FragmentDefinitionNode] = member(default_factory=dict)
    trace: Trace | None = None
    # Whether the answer is written as JSON at once, so that text of JSON may stand in it.
    fragments_allowed: bool = False
    # Whether projections have the calls that follow, so that sources may prefetch them.
    looks_ahead: bool = False
    # Whether there is any Failure in the answer.
    failed: bool = member(default=False, init=False)
    # Objects whose selection depends on their value, for the walk that settles failures.
    groups: list[tuple[Selection, list[Json]]] = member(default_factory=list, init=False)

    def within(self, context: Any) -> "Run":
        """A copy of the execution with another context, for a field that `enters` one.

        The caller carries over `failed` from it.
        """
        inner = copy(self)
        inner.context = context
        inner.failed = inner.looks_ahead = False
        return inner

    def info(self, field: Field, path: Path | None) -> GraphQLResolveInfo[Any]:
        """The `info` that a resolver gets."""
        definition = field.definition
        assert definition is not None
        assert self.schema is not None
        assert self.operation is not None
        return GraphQLResolveInfo(
            definition.name,
            definition.nodes,
            definition.field.type,
            definition.parent,
            path,  # type: ignore[arg-type]
            self.schema,
            self.fragments,
            self.root,
            self.operation,
            self.variables,
            self.context,
            is_awaitable,
            None,
            HELPERS,
        )


_background: set[asyncio.Future[Any]] = set()


def _gather(values: Sequence[Awaitable[Any]]) -> Awaitable[list[Any]]:
    return asyncio.gather(*values)


def _track(values: Sequence[Any]) -> None:
    """Let awaitables that nobody awaits any more finish, whatever their outcome."""
    waiting = [value for value in values if is_awaitable(value)]
    if waiting:
        future = asyncio.gather(*waiting, return_exceptions=True)
        _background.add(future)
        future.add_done_callback(_background.discard)


HELPERS = GraphQLResolveInfoHelpers(_gather, _track)


def type_resolver_of(type_: GraphQLAbstractType) -> Callable[..., Any]:
    """The function that resolves the type of a value of an abstract type."""
    return type_.resolve_type or default_type_resolver


# The key in the extensions of an abstract type for a function from a value to the name of its type,
# or None where `resolve_type` and `is_type_of` decide.
NAMING = "engine-naming"


def named_types(
    run: Run, abstract: GraphQLAbstractType, values: Sequence[Any]
) -> list[GraphQLObjectType] | None:
    """The type of each value, if the abstract type names them all; they are not asked again.

    Asking `resolve_type` and `is_type_of` for each value costs more than showing it.
    """
    naming = abstract.extensions.get(NAMING)
    if naming is None:
        return None
    by_name: dict[str | None, Any] = {None: None}
    types = []
    for value in values:
        name = naming(value)
        if name not in by_name:
            assert run.schema is not None
            by_name[name] = run.schema.get_type(name)
        type_ = by_name[name]
        if type_ is None:
            return None
        types.append(type_)
    return types
