"""The engine: plans of GraphQL operations, and their execution.

It follows the execution chapter of the GraphQL specification, with the results of graphql-core's
executor for synchronous resolvers, which is the oracle of its tests. Middleware, `@defer`,
`@stream` and directives that disable the propagation of errors are not supported: a schema with one
of these directives is refused when the engine is made. Of subscriptions it executes the events;
what brings them is elsewhere.
"""

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from graphql import (
    DocumentNode,
    ExecutionResult,
    FragmentDefinitionNode,
    GraphQLError,
    GraphQLField,
    GraphQLObjectType,
    GraphQLSchema,
    OperationDefinitionNode,
    OperationType,
    assert_valid_schema,
    default_field_resolver,
    get_variable_values,
    is_object_type,
)
from graphql.execution.values import VariableValues

from schema.engine.collect import conditions
from schema.engine.columns import ColumnFinder
from schema.engine.compiler import Compiler
from schema.engine.executor import select, select_serially
from schema.engine.failures import Settlement
from schema.engine.plan import Leaf, Selection
from schema.engine.run import Run, Trace
from schema.engine.sources import Batch, Resolver, Source

SourceOf = Callable[[GraphQLObjectType, str, GraphQLField], Source | None]
UNSUPPORTED = ("defer", "stream", "experimental_disableErrorPropagation")
# Choices of conditions that one plan keeps compiled.
VARIANTS = 16


def no_sources(type_: GraphQLObjectType, name: str, field: GraphQLField) -> None:
    """All fields have ordinary resolvers."""


class Plan:
    """One operation of a document: its selections, for the conditions met so far."""

    __slots__ = (
        "conditions",
        "document",
        "errors",
        "fragments",
        "operation",
        "variants",
    )

    def __init__(self, document: DocumentNode, operation_name: str | None) -> None:
        self.document = document
        self.errors: list[GraphQLError] = []
        self.operation: OperationDefinitionNode | None = None
        self.fragments: dict[str, FragmentDefinitionNode] = {}
        self.variants: OrderedDict[tuple[Any, ...], Selection] = OrderedDict()
        self._choose(operation_name)
        sets = [fragment.selection_set for fragment in self.fragments.values()]
        if self.operation is not None:
            sets.append(self.operation.selection_set)
        self.conditions = tuple(sorted(conditions(sets)))

    def _choose(self, name: str | None) -> None:
        for definition in self.document.definitions:
            if isinstance(definition, FragmentDefinitionNode):
                self.fragments[definition.name.value] = definition
            elif isinstance(definition, OperationDefinitionNode):
                if name is None and self.operation is not None:
                    problem = "Must provide operation name if query contains multiple operations."
                    self.errors = [GraphQLError(problem)]
                    return
                if name is None or (definition.name is not None and definition.name.value == name):
                    self.operation = definition
        if self.operation is None:
            problem = "Must provide an operation."
            if name is not None:
                problem = f"Unknown operation named '{name}'."
            self.errors = [GraphQLError(problem)]


class Engine:
    """Executes operations on one schema.

    `source_of` gives the source of a field; where it gives None, the field's resolver is one.
    """

    def __init__(
        self,
        schema: GraphQLSchema,
        source_of: SourceOf = no_sources,
        *,
        hide_suggestions: bool = False,
    ) -> None:
        assert_valid_schema(schema)
        for directive in schema.directives:
            if directive.name in UNSUPPORTED:
                raise TypeError(f"the directive @{directive.name} is not supported")
        self.schema = schema
        self.hide_suggestions = hide_suggestions
        self._source_of = source_of
        # By names of type and field; with the definition, for introspection has several.
        self._sources: dict[tuple[str, str], tuple[GraphQLField, Source]] = {}
        self._columns = ColumnFinder(self._sources_of)
        self._leaves: dict[str, Leaf] = {}
        # Every source is looked at now, so that what cannot be run stops the start.
        for type_ in schema.type_map.values():
            if is_object_type(type_):
                for name, source in self._sources_of(type_).items():
                    if isinstance(source, Batch) and not callable(source.call):
                        raise TypeError(f"{type_.name}.{name}: its batch function is no function")

    def source(self, type_: GraphQLObjectType, name: str, field: GraphQLField) -> Source:
        """The source of a field."""
        key = (type_.name, name)
        cached = self._sources.get(key)
        if cached is None or cached[0] is not field:
            declared = self._source_of(type_, name, field)
            source = declared or Resolver(field.resolve or default_field_resolver)
            cached = self._sources[key] = field, source
        return cached[1]

    def _sources_of(self, type_: GraphQLObjectType) -> dict[str, Source]:
        return {name: self.source(type_, name, field) for name, field in type_.fields.items()}

    def plan(self, document: DocumentNode, operation_name: str | None = None) -> Plan:
        """The plan of an operation of a valid document; keep it with the document."""
        return Plan(document, operation_name)

    def variables(
        self, plan: Plan, values: Mapping[str, Any] | None
    ) -> VariableValues | list[GraphQLError]:
        """The coerced variables of an operation, or what is wrong with them."""
        assert plan.operation is not None
        return get_variable_values(
            self.schema,
            plan.operation.variable_definitions or (),
            dict(values or {}),
            max_errors=50,
            hide_suggestions=self.hide_suggestions,
        )

    def selection(
        self, plan: Plan, variables: Mapping[str, Any] | VariableValues | None
    ) -> Selection | None:
        """The selection of an operation on the root type; None when it cannot be executed."""
        prepared = self._prepare(plan, variables)
        return None if isinstance(prepared, ExecutionResult) else prepared[0]

    async def execute(
        self,
        plan: Plan,
        root_value: Any = None,
        context: Any = None,
        variables: Mapping[str, Any] | VariableValues | None = None,
        trace: Trace | None = None,
        *,
        fragments: bool = False,
        looks_ahead: bool = False,
    ) -> ExecutionResult:
        """Execute an operation. Errors are in the result, with their causes as `original_error`.

        `variables` are as they were sent, or coerced already. With `fragments` the answer is to be
        written as JSON at once, and may hold text of JSON as the layouts of rows make it. With
        `looks_ahead` sources get, with the columns, the batch calls that follow (lookahead.py).
        Cancelling the caller cancels the sources that are at work.
        """
        prepared = self._prepare(plan, variables)
        if isinstance(prepared, ExecutionResult):
            return prepared
        selection, coerced = prepared
        run = Run(
            context,
            coerced,
            root=root_value,
            schema=self.schema,
            operation=plan.operation,
            fragments=plan.fragments,
            trace=trace,
            fragments_allowed=fragments,
            looks_ahead=looks_ahead,
        )
        assert run.operation is not None
        if run.operation.operation is OperationType.MUTATION:
            data = await select_serially(run, selection, root_value, None)
        else:
            (data,) = await select(run, selection, [root_value], [None])
        if not run.failed:
            return ExecutionResult(data, None)
        settlement = Settlement(run.groups)
        data = settlement.root(selection, data)
        return ExecutionResult(data, settlement.errors or None)

    async def execute_events(
        self,
        plan: Plan,
        events: Sequence[Any],
        context: Any = None,
        variables: Mapping[str, Any] | VariableValues | None = None,
    ) -> list[ExecutionResult]:
        """The results of a subscription for several events, which are executed as one level.

        An event whose result has errors is executed by itself, to find where they belong.
        """
        prepared = self._prepare(plan, variables)
        if isinstance(prepared, ExecutionResult):
            return [prepared for _ in events]
        selection, coerced = prepared
        run = Run(
            context, coerced, schema=self.schema, operation=plan.operation,
            fragments=plan.fragments,
        )  # fmt: skip
        data = await select(run, selection, events, [None] * len(events))
        if not run.failed:
            return [ExecutionResult(result, None) for result in data]
        return [await self.execute(plan, event, context, coerced) for event in events]

    def _prepare(
        self, plan: Plan, variables: Mapping[str, Any] | VariableValues | None
    ) -> tuple[Selection, VariableValues] | ExecutionResult:
        """The selection to execute and its variables, or the answer to what cannot be executed."""
        if plan.errors:
            return ExecutionResult(None, plan.errors)
        operation = plan.operation
        assert operation is not None
        if not isinstance(variables, VariableValues):
            coerced = self.variables(plan, variables)
            if isinstance(coerced, list):
                return ExecutionResult(None, coerced)
            variables = coerced
        root_type = self.schema.get_root_type(operation.operation)
        if root_type is None:
            problem = f"Schema is not configured to execute {operation.operation.value} operation."
            return ExecutionResult(None, [GraphQLError(problem, operation)])
        return self._selection(plan, root_type, variables), variables

    def _selection(
        self, plan: Plan, root_type: GraphQLObjectType, variables: VariableValues
    ) -> Selection:
        """The compiled selection for the conditions that the variables choose."""
        coerced = variables.coerced
        key = tuple([coerced.get(name, Ellipsis) for name in plan.conditions])
        selection = plan.variants.get(key)
        if selection is None:
            compiler = Compiler(
                self.schema,
                self.source,
                self._columns,
                self._leaves,
                plan.fragments,
                variables,
                hide_suggestions=self.hide_suggestions,
            )
            assert plan.operation is not None
            selection = compiler.selection(root_type, [plan.operation.selection_set])
            plan.variants[key] = selection
            if len(plan.variants) > VARIANTS:
                plan.variants.popitem(last=False)
        return selection
