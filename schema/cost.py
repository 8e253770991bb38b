"""What an operation may cost, estimated before it is executed: one point per object.

An object field costs a point for each of its parents. A list costs a point for each item it may
hold: `first`, `last` or `limit` where given, as a literal or a variable, else the size this table
declares, else a default. A list of objects by their ids costs a point for each id. A connection
costs the items of its edges and nodes, however both are selected, and a point when it is asked for
neither. Root fields cost at least a point.
Fields merged by response name count once. Of alternatives in types that exclude each other all
are counted, so the estimate is an upper bound.

Introspection reads no rows, so it costs its root field only, but has a budget of its own: twice
the objects that the complete standard introspection query stands for in this schema.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

from graphql import (
    ArgumentNode,
    BooleanValueNode,
    DirectiveNode,
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLError,
    GraphQLField,
    GraphQLNamedType,
    GraphQLNonNull,
    GraphQLSchema,
    InlineFragmentNode,
    IntValueNode,
    ListValueNode,
    OperationDefinitionNode,
    SelectionNode,
    SelectionSetNode,
    VariableNode,
    get_introspection_query,
    get_named_type,
    is_composite_type,
    is_list_type,
    parse,
)

from schema.cost_table import (
    IDS_ARGUMENT,
    SIZE_ARGUMENTS,
    CostTable,
    default_numbers,
    introspection_sizes,
)
from schema.limits import Limits, exceeded, fragments_of, operations_of

Variables: TypeAlias = Mapping[str, object]
# A selection set together with the type it selects from.
Selected: TypeAlias = tuple[GraphQLNamedType, SelectionSetNode]


@dataclass(slots=True)
class Estimate:
    """Points of an operation, objects of introspection, and what is wrong with its list sizes."""

    cost: int = 0
    introspection: int = 0
    errors: list[GraphQLError] = field(default_factory=list)


class CostEstimator:
    """Estimates operations of one schema; documents must be valid and within their limits."""

    def __init__(self, schema: GraphQLSchema, limits: Limits, table: CostTable) -> None:
        self.schema = schema
        self.limits = limits
        self.table = table
        self.sizes = {**table.list_sizes, **introspection_sizes(schema)}

    @cached_property
    def introspection_limit(self) -> int:
        """Objects of introspection that one operation may ask for."""
        standard = parse(get_introspection_query(input_value_deprecation=True, one_of=True))
        complete = self.estimate(standard, operations_of(standard)[0], {})
        return 2 * complete.introspection

    def check(
        self, document: DocumentNode, operation: OperationDefinitionNode, variables: Variables
    ) -> Estimate:
        """Estimate an operation with its coerced variables and note the limits it passes."""
        estimate = self.estimate(document, operation, variables)
        if estimate.cost > self.limits.cost:
            estimate.errors.append(
                exceeded("cost", estimate.cost, self.limits.cost, "Cost in points", operation)
            )
        # Few operations ask for any, so the limit is worked out for the first one that does.
        if estimate.introspection and estimate.introspection > self.introspection_limit:
            what = "Objects of introspection"
            error = exceeded(
                "introspection", estimate.introspection, self.introspection_limit, what, operation
            )
            estimate.errors.append(error)
        return estimate

    def estimate(
        self, document: DocumentNode, operation: OperationDefinitionNode, variables: Variables
    ) -> Estimate:
        """Estimate an operation without comparing it to the limits of the operation."""
        root = self.schema.get_root_type(operation.operation)
        if root is None:
            return Estimate()
        walk = _Walk(self, fragments_of(document), variables)
        walk.estimate.cost = walk.root([(root, operation.selection_set)])
        return walk.estimate


class _Walk:
    """One walk over an operation with its fragments and variables."""

    def __init__(
        self,
        estimator: CostEstimator,
        fragments: dict[str, FragmentDefinitionNode],
        variables: Variables,
    ) -> None:
        self.schema = estimator.schema
        self.table = estimator.table
        self.limits = estimator.limits
        self.sizes = estimator.sizes
        self.fragments = fragments
        self.variables = variables
        self.estimate = Estimate()

    def root(self, selected: list[Selected]) -> int:
        total = 0
        for fields in self.merged(selected).values():
            name = fields[0][1].name.value
            if name in ("__schema", "__type"):
                self.estimate.introspection += self.field(fields, 1, 1)
                total += 1
            elif name != "__typename":
                total += max(1, self.field(fields, 1, 1))
        return total

    def selection(self, selected: list[Selected], parents: int, rows: int) -> int:
        """Points below `parents` objects; `rows` are the items where these are connections."""
        groups = self.merged(selected)
        total = 0
        if rows_of_connection(selected):
            listed = any(name in ("edges", "nodes") for name in names_of(groups))
            total = rows if listed else parents
        return total + sum(self.field(fields, parents, rows) for fields in groups.values())

    def field(
        self, fields: list[tuple[GraphQLNamedType, FieldNode]], parents: int, rows: int
    ) -> int:
        """Points of the fields that are merged into one, and of everything below."""
        own = below = below_rows = 0
        selected: list[Selected] = []
        for parent, node in fields:
            definition = self.schema.get_field(parent, node.name.value)  # type: ignore[arg-type]
            if definition is None or node.selection_set is None:
                continue
            named = get_named_type(definition.type)
            if not is_composite_type(named):
                continue
            selected.append((named, node.selection_set))
            coordinate = f"{parent.name}.{node.name.value}"
            weight = self.table.weights.get(coordinate, named.name not in self.table.values)
            if node.name.value in wrapped_fields(parent):
                count, items = rows, rows
                weight = 0
            elif named.name.endswith("Connection"):
                count, items = parents, parents * self.size(coordinate, definition, node)
                weight = 0
            else:
                count = items = parents * self.size(coordinate, definition, node)
            own = max(own, count * weight)
            below, below_rows = max(below, count), max(below_rows, items)
        return own + self.selection(selected, below, below_rows) if selected else 0

    def size(self, coordinate: str, definition: GraphQLField, node: FieldNode) -> int:
        """The largest number of objects that the field holds below one parent."""
        if coordinate in self.table.by_id:
            return self.ids(node)
        listed = is_list_type(nullable(definition.type))
        connection = get_named_type(definition.type).name.endswith("Connection")
        if not listed and not connection:
            return 1
        sizes = [
            number
            for argument in node.arguments or ()
            if argument.name.value in SIZE_ARGUMENTS
            and argument.name.value in definition.args
            and (number := self.number(argument, definition)) is not None
        ]
        if not sizes and not any(a.name.value in SIZE_ARGUMENTS for a in node.arguments or ()):
            sizes = default_numbers(definition)
        if sizes:
            number = max(0, *sizes)
            if number > self.limits.list_size:
                what = f"Size of the list '{node.name.value}'"
                self.estimate.errors.append(
                    exceeded("list_size", number, self.limits.list_size, what, node)
                )
            return min(number, self.limits.list_size)
        if coordinate in self.sizes:
            return self.sizes[coordinate]
        sized = connection or any(name in definition.args for name in SIZE_ARGUMENTS)
        return self.table.default_size if sized else self.table.list_size

    def ids(self, node: FieldNode) -> int:
        """The number of ids in a field's arguments."""
        for argument in node.arguments or ():
            if argument.name.value != IDS_ARGUMENT:
                continue
            if isinstance(argument.value, ListValueNode):
                return len(argument.value.values)
            if isinstance(argument.value, VariableNode):
                value = self.variables.get(argument.value.name.value)
                return len(value) if isinstance(value, list) else 1
        # One id stands for a list of one.
        return 1

    def number(self, argument: ArgumentNode, definition: GraphQLField) -> int | None:
        """The number given as an argument, by a variable perhaps; None for null."""
        value: object = None
        if isinstance(argument.value, IntValueNode):
            value = int(argument.value.value)
        elif isinstance(argument.value, VariableNode):
            name = argument.value.name.value
            if name not in self.variables:  # as if the argument was not given
                return max(default_numbers(definition, argument.name.value), default=None)
            value = self.variables[name]
        return value if type(value) is int else None

    def merged(
        self, selected: list[Selected]
    ) -> dict[str, list[tuple[GraphQLNamedType, FieldNode]]]:
        """The fields of merged selection sets by response name, each fragment entered once."""
        groups: dict[str, list[tuple[GraphQLNamedType, FieldNode]]] = {}
        entered: set[str] = set()
        stack = list(selected)
        while stack:
            parent, selection_set = stack.pop()
            for selection in selection_set.selections:
                if self.left_out(selection):
                    continue
                match selection:
                    case FieldNode():
                        name = (selection.alias or selection.name).value
                        groups.setdefault(name, []).append((parent, selection))
                    case InlineFragmentNode():
                        condition = selection.type_condition
                        name = condition.name.value if condition else parent.name
                        stack.append((self.schema.type_map[name], selection.selection_set))
                    case FragmentSpreadNode():
                        name = selection.name.value
                        if name not in entered:
                            entered.add(name)
                            fragment = self.fragments[name]
                            condition_type = self.schema.type_map[
                                fragment.type_condition.name.value
                            ]
                            stack.append((condition_type, fragment.selection_set))
        return groups

    def left_out(self, selection: SelectionNode) -> bool:
        """Whether @skip or @include leaves this selection out."""
        return any(
            directive.name.value in ("skip", "include")
            and self.condition(directive) is (directive.name.value == "skip")
            for directive in selection.directives or ()
        )

    def condition(self, directive: DirectiveNode) -> bool | None:
        for argument in directive.arguments or ():
            if isinstance(argument.value, BooleanValueNode):
                return argument.value.value
            if isinstance(argument.value, VariableNode):
                return self.variables.get(argument.value.name.value) is True
        return None


def nullable(type_: object) -> object:
    """The type without its non-null mark."""
    return type_.of_type if isinstance(type_, GraphQLNonNull) else type_


def rows_of_connection(selected: list[Selected]) -> bool:
    """Whether these selection sets select from a connection."""
    return any(parent.name.endswith("Connection") for parent, _ in selected)


def names_of(groups: dict[str, list[tuple[GraphQLNamedType, FieldNode]]]) -> set[str]:
    """The names of the selected fields, whatever their aliases."""
    return {node.name.value for fields in groups.values() for _, node in fields}


def wrapped_fields(parent: GraphQLNamedType) -> tuple[str, ...]:
    """Fields that lead from a connection to its items; the connection has counted those."""
    if parent.name.endswith("Connection"):
        return ("edges", "nodes")
    return ("node",) if parent.name.endswith("Edge") else ()


SIZING = (*SIZE_ARGUMENTS, IDS_ARGUMENT)


def sizing_variables(document: DocumentNode) -> frozenset[str]:
    """The variables an estimate depends on: those in size arguments, `ids`, @skip and @include."""
    names: set[str] = set()
    stack: list[SelectionSetNode] = [
        definition.selection_set
        for definition in document.definitions
        if isinstance(definition, OperationDefinitionNode | FragmentDefinitionNode)
    ]
    while stack:
        for selection in stack.pop().selections:
            arguments = [
                argument
                for directive in selection.directives or ()
                if directive.name.value in ("skip", "include")
                for argument in directive.arguments or ()
            ]
            if isinstance(selection, FieldNode):
                sized = (a for a in selection.arguments or () if a.name.value in SIZING)
                arguments.extend(sized)
            if isinstance(selection, FieldNode | InlineFragmentNode) and selection.selection_set:
                stack.append(selection.selection_set)
            names.update(a.value.name.value for a in arguments if isinstance(a.value, VariableNode))
    return frozenset(names)
