"""From a valid GraphQL operation to a plan."""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from typing import Any

from graphql import (
    FieldNode,
    FragmentDefinitionNode,
    GraphQLError,
    GraphQLField,
    GraphQLList,
    GraphQLNonNull,
    GraphQLObjectType,
    GraphQLOutputType,
    GraphQLSchema,
    SelectionSetNode,
    Undefined,
    get_argument_values,
    is_abstract_type,
    is_leaf_type,
)
from graphql.execution.values import VariableValues

from schema.engine.collect import Collector, variables_of
from schema.engine.columns import ColumnFinder, read_of_items
from schema.engine.leaves import leaf
from schema.engine.plan import (
    Abstract,
    Arguments,
    Completion,
    Definition,
    Field,
    Leaf,
    Listed,
    NonNull,
    Object,
    Selection,
    innermost,
)
from schema.engine.sources import Attribute, Batch, Constant, Resolver, Source

SourceOf = Callable[[GraphQLObjectType, str, GraphQLField], Source]
# Of one field: how many arguments are remembered, by variables of these types.
REMEMBERED = 16
SIMPLE = frozenset((int, bool, type(None), type(Undefined)))
LONGEST_TEXT = 64


class Compiler:
    """Compiles the selections of one operation for one choice of its conditions."""

    def __init__(
        self,
        schema: GraphQLSchema,
        source_of: SourceOf,
        columns: ColumnFinder,
        leaves: dict[str, Leaf],
        fragments: Mapping[str, FragmentDefinitionNode],
        variables: VariableValues,
        *,
        hide_suggestions: bool = False,
    ) -> None:
        self._schema = schema
        self._source_of = source_of
        self._columns = columns
        # Leaves of the schema by name; what they know of enumerations is shared by all plans.
        self._leaves = leaves
        self._collector = Collector(schema, fragments, variables)
        self._hide_suggestions = hide_suggestions

    def selection(
        self,
        type_: GraphQLObjectType,
        sets: Iterable[SelectionSetNode],
        trusted: bool = False,
    ) -> Selection:
        """The selection of these selection sets, merged, on an object type.

        `trusted` says that rows which its values pass on are what their types say.
        """
        selection = Selection()
        try:
            collected = self._collector.collect(type_, sets)
        except GraphQLError as error:
            selection.error = error
            return selection
        fields = []
        for name, nodes in collected.items():
            definition = self._schema.get_field(type_, nodes[0].name.value)
            if definition is not None:
                fields.append(self._field(type_, name, definition, nodes, trusted))
        positional = any(field.positional or isinstance(field.source, Resolver) for field in fields)
        selection.complete(fields, positional=positional)
        selection.projection = self._columns.of_rows(type_, selection.fields)
        return selection

    def _field(
        self,
        type_: GraphQLObjectType,
        name: str,
        definition: GraphQLField,
        nodes: list[FieldNode],
        passed: bool,
    ) -> Field:
        field_name = nodes[0].name.value
        source: Source = (
            Constant(type_.name)
            if field_name == "__typename"
            else self._source_of(type_, field_name, definition)
        )
        if isinstance(source, Attribute):
            trusted = passed and source.passes
        else:
            trusted = isinstance(source, Batch) and source.takes_projection
        completion = self._completion(definition.type, nodes, trusted)
        return Field(
            name,
            source,
            completion,
            arguments=self._arguments(source, definition, nodes[0]),
            projection=read_of_items(completion),
            definition=Definition(type_, field_name, definition, nodes),
            coordinate=f"{type_.name}.{field_name}",
            positional=_positional(completion),
        )

    def _completion(
        self, type_: GraphQLOutputType, nodes: list[FieldNode], trusted: bool
    ) -> Completion:
        if isinstance(type_, GraphQLNonNull):
            return NonNull(self._completion(type_.of_type, nodes, trusted))
        if isinstance(type_, GraphQLList):
            return Listed(self._completion(type_.of_type, nodes, trusted))
        if is_leaf_type(type_):
            compiled_leaf = self._leaves.get(type_.name)
            if compiled_leaf is None:
                compiled_leaf = self._leaves[type_.name] = leaf(type_)
            return compiled_leaf
        sets = [node.selection_set for node in nodes if node.selection_set is not None]
        if is_abstract_type(type_):
            selections: dict[GraphQLObjectType, Selection] = {}

            def selection_on(concrete: GraphQLObjectType) -> Selection:
                if concrete not in selections:
                    selections[concrete] = self.selection(concrete, sets)
                return selections[concrete]

            return Abstract(type_, selection_on)
        assert isinstance(type_, GraphQLObjectType)
        checked = not trusted and type_.is_type_of is not None
        passed = trusted and self._columns.wraps(type_)
        return Object(self.selection(type_, sets, passed), type_ if checked else None)

    def _arguments(
        self, source: Source, definition: GraphQLField, node: FieldNode
    ) -> Arguments | None:
        """The coercion of the source's arguments; equal values are coerced once."""
        if isinstance(source, Batch):
            convert = source.arguments
            if convert is None:
                return None
        elif isinstance(source, Resolver):
            convert = None
            if not definition.args and not node.arguments:
                return None
        else:
            return None
        hide = self._hide_suggestions

        def arguments(variables: VariableValues) -> Any:
            values = get_argument_values(definition, node, variables, hide_suggestions=hide)
            return values if convert is None else convert(values)

        if convert is None or not (isinstance(source, Batch) and source.reusable):
            return arguments
        return _cached(arguments, tuple(sorted(variables_of(node))))


def _cached(arguments: Arguments, names: tuple[str, ...]) -> Arguments:
    """Arguments that are made once for the same values of variables; errors are made each time."""
    cache: OrderedDict[tuple[Any, ...], Any] = OrderedDict()

    def cached(variables: VariableValues) -> Any:
        coerced = variables.coerced
        key: tuple[Any, ...] = ()
        for name in names:
            value = coerced.get(name, Undefined)
            kind = type(value)
            # Equal values of other types are other arguments; what is long is not worth keeping.
            if kind is str:
                if len(value) > LONGEST_TEXT:
                    return arguments(variables)
            elif kind not in SIMPLE and not isinstance(value, Enum):
                return arguments(variables)
            key += (kind, value)
        values = cache.get(key)
        if values is None:
            values = cache[key] = arguments(variables)
            if len(cache) > REMEMBERED:
                cache.popitem(last=False)
        return values

    return cached


def _positional(completion: Completion) -> bool:
    """Whether completing values calls functions that take the path of each."""
    inner = innermost(completion)
    if isinstance(inner, Object):
        return inner.type is not None or inner.selection.positional
    return isinstance(inner, Abstract)
