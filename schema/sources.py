"""The sources of the engine behind the fields of the Strawberry schema.

`schema/wiring.py` notes in each field's metadata what it is made of; this says it in the engine's
words. Fields without a note are attributes, or ordinary resolvers where they have one.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import strawberry
from graphql import GraphQLField, GraphQLObjectType
from strawberry.exceptions import StrawberryInputCoercionError
from strawberry.types.arguments import StrawberryArgument, convert_arguments
from strawberry.types.base import StrawberryMaybe, StrawberryOptional
from strawberry.types.field import StrawberryField

from resolvers.core import inputs
from resolvers.core.batch_functions import ALL, Projection, declared
from resolvers.core.context import Context
from resolvers.core.declarations import declaration_of
from schema.engine import sources as engine
from schema.engine.engine import SourceOf
from schema.nulls import refused_nulls
from schema.wiring import FOLLOWED, OPERATION, SOURCE, Operation, Root, Source, arguments_of

DEFINITION = "strawberry-definition"
Convert = Callable[[dict[str, Any]], dict[str, Any]]


def sources_of(schema: strawberry.Schema) -> SourceOf:
    """The sources of a schema's fields.

    TypeError for a field whose extensions or permissions the engine would not run.
    """

    def source_of(type_: GraphQLObjectType, name: str, field: GraphQLField) -> engine.Source | None:
        definition: StrawberryField | None = field.extensions.get(DEFINITION)
        if definition is None:
            # Introspection.
            return None
        followed: Root | None = definition.metadata.get(FOLLOWED)
        if followed is not None:
            return _stream(schema, definition, followed)
        root: Root | None = definition.metadata.get(OPERATION)
        source: Source | None = definition.metadata.get(SOURCE)
        if root is None and source is None and definition.base_resolver is not None:
            return None
        if definition.extensions or definition.permission_classes:
            raise TypeError(f"{type_.name}.{name}: extensions and permissions are not supported")
        if root is not None:
            return _operation(schema, definition, root)
        if source is None:
            return engine.Attribute(definition.python_name)
        if source.itself:
            return engine.Itself()
        if source.batch is None:
            return attribute_source(source, definition.python_name)
        return batch_source(source, _converter(schema, definition))

    return source_of


def attribute_source(source: Source, name: str = "") -> engine.Attribute:
    """The attribute of the row behind a field, `name` where its source gives none."""
    return engine.Attribute(source.attribute or name, source.passes, source.withheld_as)


def batch_source(source: Source, convert: Any = None) -> engine.Batch:
    """A batch function; `convert` makes Python values of GraphQL's arguments."""
    function, argument_class = source.batch, source.arguments
    assert function is not None
    declaration = declared(function)

    def arguments(values: dict[str, Any]) -> Any:
        assert argument_class is not None
        return arguments_of(argument_class, values if convert is None else convert(values))

    return engine.Batch(
        function,
        arguments=None if argument_class is None else arguments,
        reads=declaration.reads,
        takes_projection=declaration.takes_projection,
        looks_ahead=declaration.looks_ahead,
        # In another context other values may be there.
        prefetchable=declaration.prefetchable and source.enters is None,
        computes=declaration.computes and source.enters is None,
        enters=source.enters,
    )


@dataclass(frozen=True, slots=True, eq=False)
class RootCall:
    """The operation of a root field, as the batch function of the one root."""

    root: Root

    async def __call__(
        self,
        ctx: Context,
        rows: Sequence[Any],
        python: dict[str, Any],
        projection: Projection = ALL,
    ) -> list[Any]:
        root = self.root
        if root.takes_projection:
            return [await root.runner(ctx, root.operation, **python, projection=projection)]
        return [await root.runner(ctx, root.operation, **python)]


def root_operation(source: engine.Source) -> Operation | None:
    """The operation behind a source; None for those that are no root fields of ours."""
    if isinstance(source, engine.Batch) and isinstance(source.call, RootCall):
        return source.call.root.operation
    return None


def _operation(schema: strawberry.Schema, definition: StrawberryField, root: Root) -> engine.Batch:
    convert = _converter(schema, definition)

    def arguments(values: dict[str, Any]) -> dict[str, Any]:
        python = convert(values)
        inputs.check(python)
        return python

    return engine.Batch(
        RootCall(root),
        arguments=arguments,
        # Other values may be changed by the operation.
        reusable=all(map(_is_plain, definition.arguments)),
        reads=frozenset(),
        takes_projection=root.takes_projection,
        looks_ahead=declaration_of(root.operation).one_statement,
    )


@dataclass(frozen=True, slots=True, eq=False)
class StreamCall:
    """A field of subscriptions: each row is an event that was delivered, and its own value."""

    root: Root

    async def __call__(self, ctx: Context, rows: Sequence[Any], python: Any) -> list[Any]:
        return list(rows)

    async def follow(self, ctx: Context, python: dict[str, Any]) -> Any:
        """What the field follows; the operation's error where the caller may not."""
        return await self.root.runner(ctx, self.root.operation, **python)


def _stream(schema: strawberry.Schema, definition: StrawberryField, root: Root) -> engine.Batch:
    convert = _converter(schema, definition)

    def arguments(values: dict[str, Any]) -> dict[str, Any]:
        python = convert(values)
        inputs.check(python)
        return python

    return engine.Batch(StreamCall(root), arguments=arguments)


def _converter(schema: strawberry.Schema, definition: StrawberryField) -> Convert:
    registry, config = schema.schema_converter.scalar_registry, schema.config
    arguments = definition.arguments
    public = config.name_converter.from_argument
    names = [(public(argument), argument.python_name) for argument in arguments]

    def rename(values: dict[str, Any]) -> dict[str, Any]:
        return {own: values[name] for name, own in names if name in values}

    def convert(values: dict[str, Any]) -> dict[str, Any]:
        try:
            return convert_arguments(values, arguments, registry, config)
        except StrawberryInputCoercionError as error:
            # It does not say which field it is about.
            refused = refused_nulls(values, arguments, config)
            raise error if refused is None else refused from error

    return rename if all(map(_is_plain, arguments)) else convert


def _is_plain(argument: StrawberryArgument) -> bool:
    """Whether values of an argument stay as they are: those of the built-in scalars do."""
    type_ = argument.type
    if isinstance(type_, StrawberryOptional) and not isinstance(type_, StrawberryMaybe):
        type_ = type_.of_type
    return type_ in (str, int, float, bool, strawberry.ID)
