"""How operations and batch functions become GraphQL fields.

Each maker leaves in the field's metadata what it is made of: that is what the engine executes, for
GraphQL and /v1 (schema/sources.py). The resolvers of the fields serve other executors of the same
schema, by loaders on the same batch functions.
"""

import dataclasses
import inspect
import typing
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import strawberry
from sqlalchemy import ColumnElement

import resolvers.core.enumerations  # noqa: F401 (before any type: a type that finds an enumeration first names it)
from db.rows import model_of
from resolvers.core import inputs
from resolvers.core.context import Batch, Context
from resolvers.core.declarations import check_runs
from resolvers.core.pagination import total_counts
from resolvers.core.runners import read, run
from resolvers.lists.batches import by_key, visible_by_key
from schema.engine.sources import Constant

T = TypeVar("T")
SOURCE = "source"
OPERATION = "operation"
FOLLOWED = "followed"
Operation = Callable[..., Awaitable[Any]]
# The parameter with what will be read of the row; no argument of the field.
PROJECTION = "projection"


@dataclass(frozen=True, slots=True)
class Source:
    """Where a field's value comes from: an attribute of the row, or a batch function."""

    attribute: str | None = None
    batch: Batch | None = None
    # The dataclass of the field's arguments; None when it takes none.
    arguments: type[Any] | None = None
    # Its values hold the very rows that the parent's batch function fetched.
    passes: bool = False
    # What is shown where the context withholds the attribute.
    withheld_as: Constant | None = None
    # Its value is the row itself, seen as another type.
    itself: bool = False
    # From the context and a row to the context with which the batch function, and all below it,
    # work for that row: another actor, for instance.
    enters: Callable[[Any, Any], Any] | None = None
    # For a relation to what is visible with the row: the attribute with the other row's id, which
    # may be shown without reading that row.
    key: str | None = None


@dataclass(frozen=True, slots=True)
class Root:
    """The operation of a root field, and the `runner` that gives it a transaction."""

    operation: Operation
    runner: Callable[..., Awaitable[Any]]
    # Whether the operation takes what will be read of its row.
    takes_projection: bool

    def __post_init__(self) -> None:
        check_runs(self.operation, writes=self.runner is run)


def source_of(strawberry_field: Any) -> Source:
    """The Source of a field; a plain field reads the attribute of its own name."""
    source: Source | None = strawberry_field.metadata.get(SOURCE)
    return source or Source(attribute=strawberry_field.python_name)


def column(
    description: str,
    *,
    attribute: str | None = None,
    deprecated: str | None = None,
    passes: bool = False,
) -> Any:
    """A field that is an attribute of the row, under its own name unless `attribute` is given.

    `passes` is for what holds the rows that the parent's batch function fetched.
    """
    options: dict[str, Any] = {}
    if attribute is not None:
        name = attribute

        def resolver(root: Any) -> Any:
            return getattr(root, name)

        resolver.__annotations__ = {}
        options["resolver"] = resolver
        options["metadata"] = {SOURCE: Source(attribute=attribute, passes=passes)}
    return strawberry.field(description=description, deprecation_reason=deprecated, **options)


def member_column(attribute: str, description: str, *, to_visitors: Any) -> Any:
    """A field that is the attribute of the row, about members: visitors of sites get a constant."""

    def resolver(root: Any, info: strawberry.Info) -> Any:
        return to_visitors if info.context.withholds else getattr(root, attribute)

    resolver.__annotations__ = {"info": strawberry.Info}
    source = Source(attribute=attribute, withheld_as=Constant(to_visitors))
    return strawberry.field(resolver=resolver, description=description, metadata={SOURCE: source})


def itself(description: str) -> Any:
    """A field whose value is the row itself, seen as another type with fields of its own."""

    def resolver(root: Any) -> Any:
        return root

    resolver.__annotations__ = {}
    return strawberry.field(
        resolver=resolver, description=description, metadata={SOURCE: Source(itself=True)}
    )


def batch(
    function: Batch,
    description: str,
    *,
    arguments: type[Any] | None = None,
    key: str | None = None,
    deprecated: str | None = None,
    name: str | None = None,
    enters: Callable[[Any, Any], Any] | None = None,
) -> Any:
    """A relation or computed field: one call of `function` for all parents of a level.

    Where it `enters` another context, it is one call for each parent.
    """

    async def resolver(root: Any, info: strawberry.Info, **values: Any) -> Any:
        ctx: Context = info.context
        chosen = None if arguments is None else arguments_of(arguments, values)
        own = ctx if enters is None else enters(ctx, root)
        return await own.load(function, root, chosen)

    parameters = [
        inspect.Parameter("root", inspect.Parameter.POSITIONAL_OR_KEYWORD),
        inspect.Parameter(
            "info", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=strawberry.Info
        ),
        *(_argument_parameters(arguments) if arguments is not None else ()),
    ]
    _set_signature(resolver, parameters)
    return strawberry.field(
        resolver=resolver,
        description=description,
        deprecation_reason=deprecated,
        name=name,
        metadata={SOURCE: Source(batch=function, arguments=arguments, key=key, enters=enters)},
    )


def related(model: Any, key: str, description: str, *, required: bool = False) -> Any:
    """A relation by the id in the attribute `key`, to what is visible with its parent."""
    return batch(by_key(model, key, required=required), description, key=key)


def visible_related(
    model: Any, key: str, description: str, *conditions: ColumnElement[bool]
) -> Any:
    """The same to what has access of its own: null where the caller may not see it, or where the
    conditions do not hold."""
    return batch(visible_by_key(model, key, *conditions), description, key=key)


def query(operation: Operation, description: str | None = None) -> Any:
    """A root query field for an operation."""
    return _operation(operation, read, description)


def mutation(operation: Operation, *, deprecated: str | None = None) -> Any:
    """A root mutation field for an operation: one transaction, committed before the answer."""
    return _operation(operation, run, None, deprecated)


def subscription(operation: Operation) -> Any:
    """A root subscription field for an operation that says what is followed."""
    return _operation(operation, read, None, kind=FOLLOWED)


def summary(function: Callable[..., Any]) -> str:
    """The first paragraph of a docstring: the description in GraphQL and OpenAPI."""
    text = inspect.getdoc(function) or ""
    return " ".join(text.split("\n\n", 1)[0].split())


def _operation(
    operation: Operation,
    runner: Callable[..., Awaitable[Any]],
    description: str | None,
    deprecated: str | None = None,
    kind: str = OPERATION,
) -> Any:
    async def resolver(info: strawberry.Info, **values: Any) -> Any:
        inputs.check(values)
        return await runner(info.context, operation, **values)

    hints = typing.get_type_hints(operation, include_extras=True)
    taken = [
        parameter
        for parameter in list(inspect.signature(operation).parameters.values())[1:]
        if parameter.name != PROJECTION
    ]
    takes_projection = len(taken) + 1 < len(inspect.signature(operation).parameters)
    parameters = [
        inspect.Parameter(
            "info", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=strawberry.Info
        )
    ]
    for parameter in taken:
        hint = hints[parameter.name]
        if parameter.name == "input":
            hint = _described_input(hint)
        parameters.append(parameter.replace(annotation=hint, kind=inspect.Parameter.KEYWORD_ONLY))
    _set_signature(resolver, parameters)
    resolver.__name__ = operation.__name__
    return strawberry.field(
        resolver=resolver,
        description=description or summary(operation),
        deprecation_reason=deprecated,
        metadata={kind: Root(operation, runner, takes_projection)},
    )


def _described_input(input_class: Any) -> Any:
    """The one input of a mutation is described by its type."""
    description = input_class.__strawberry_definition__.description
    return typing.Annotated[input_class, inputs.argument(description)]


def _set_signature(function: Any, parameters: Sequence[inspect.Parameter]) -> None:
    function.__signature__ = inspect.Signature(list(parameters))
    function.__annotations__ = {
        parameter.name: parameter.annotation
        for parameter in parameters
        if parameter.annotation is not inspect.Parameter.empty
    }


def _argument_parameters(arguments: type[Any]) -> list[inspect.Parameter]:
    hints = typing.get_type_hints(arguments, include_extras=True)
    parameters = []
    for attribute in dataclasses.fields(arguments):
        default: Any = attribute.default
        parameters.append(
            inspect.Parameter(
                attribute.name,
                inspect.Parameter.KEYWORD_ONLY,
                annotation=hints[attribute.name],
                default=inspect.Parameter.empty if default is dataclasses.MISSING else default,
            )
        )
    return parameters


def arguments_of(kind: type[T], values: Mapping[str, Any]) -> T:
    """The checked arguments of a field. They are keys of caches, so lists become tuples."""
    frozen = {
        name: tuple(value) if isinstance(value, list) else value for name, value in values.items()
    }
    chosen = kind(**frozen)
    inputs.check({"": chosen})
    return chosen


def source_rows(model: type[Any]) -> Any:
    """`is_type_of` for a type whose values are rows of `model`."""

    def is_type_of(value: Any, info: Any) -> bool:
        return model_of(value) is model

    return is_type_of


def instances_of(kind: type[Any]) -> Any:
    """`is_type_of` for a type whose values are objects of a class."""

    def is_type_of(value: Any, info: Any) -> bool:
        return isinstance(value, kind)

    return is_type_of


def of_kind(of: type[Any], kind: str) -> Any:
    """`is_type_of` for a type whose values are those of a class with one `kind`."""

    def is_type_of(value: Any, info: Any) -> bool:
        return isinstance(value, of) and value.kind == kind

    return is_type_of


@strawberry.type(description="Where a page of a list stands.")
class PageInfo:
    has_next_page: bool = column(
        "Whether more nodes follow; read backward, true when `before` was given.",
        attribute="has_next",
    )
    has_previous_page: bool = column(
        "Whether nodes come before; read forward, true when `after` was given.",
        attribute="has_previous",
    )
    start_cursor: str | None = column("Cursor of the first node.")
    end_cursor: str | None = column("Cursor of the last node.")


@strawberry.type(description="A node with its cursor.")
class Edge(Generic[T]):
    cursor: str = column("Pass it as `after` to read on behind this node.")
    node: T = column("The node.", attribute="node", passes=True)


@strawberry.type(description="One page of a list, and how to read on.")
class Connection(Generic[T]):
    nodes: list[T] = column("The nodes of this page.", attribute="rows", passes=True)
    edges: list[Edge[T]] = column(
        "The nodes of this page with their cursors.", attribute="edges", passes=True
    )
    page_info: PageInfo = column("Where this page stands.", attribute="page_info")
    total_count: int = batch(
        total_counts, "Number of nodes over all pages; counted only when asked for."
    )
