"""Turning the literals of a valid document into variables, so that it serves other literals too.

A literal is lifted when it is an argument's value, or stands in lists and input objects that are
one, where a scalar or an enumeration is expected. Not lifted, so that everything that can be said
of the document holds for every text of its skeleton:

- literals of fields that are merged with others, for merged fields need equal arguments;
- what is not an argument of a field: defaults of variables, directives, descriptions.

The variables have numbers for names, which no client can write.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from graphql import (
    DocumentNode,
    FieldNode,
    FloatValueNode,
    FragmentDefinitionNode,
    GraphQLFloat,
    GraphQLID,
    GraphQLInputType,
    GraphQLInt,
    GraphQLNamedType,
    GraphQLNonNull,
    GraphQLSchema,
    GraphQLString,
    InlineFragmentNode,
    IntValueNode,
    ListValueNode,
    NameNode,
    ObjectValueNode,
    OperationDefinitionNode,
    OperationType,
    SelectionNode,
    SelectionSetNode,
    StringValueNode,
    Undefined,
    ValueNode,
    VariableDefinitionNode,
    VariableNode,
    get_named_type,
    is_input_object_type,
    is_leaf_type,
    is_list_type,
    parse_type,
    parse_value,
)
from graphql.type import GRAPHQL_MAX_INT, GRAPHQL_MIN_INT
from graphql.utilities import coerce_input_literal

from schema.limits import fields_of, fragments_of, operations_of
from schema.literals import starts

# A literal as it is written to its value; Undefined when it does not fit.
Coerce = Callable[[str], Any]


@dataclass(frozen=True, slots=True)
class Slot:
    """A literal that became a variable: its place among the document's literals, and its type."""

    index: int
    name: str
    type: GraphQLInputType
    coerce: Coerce


@dataclass(frozen=True, slots=True)
class LiftedDocument:
    """A document whose literals have become variables, but for those at the places `fixed`."""

    node: DocumentNode
    slots: tuple[Slot, ...]
    fixed: tuple[int, ...]

    def values(self, literals: tuple[str, ...]) -> dict[str, Any] | None:
        """The values of the variables for the literals of a text; None if one does not fit."""
        values: dict[str, Any] = {}
        for slot in self.slots:
            value = values[slot.name] = slot.coerce(literals[slot.index])
            if value is Undefined or value is None:
                return None
        return values


def lift(schema: GraphQLSchema, document: DocumentNode, text: str) -> LiftedDocument | None:
    """Lift the literals of a valid document; None when there is nothing to gain.

    Errors about subscriptions are located in the document as it is, so those are left alone.
    """
    operations = operations_of(document)
    if any(operation.operation is OperationType.SUBSCRIPTION for operation in operations):
        return None
    walk = _Walk(schema, text, merged_fields(document))
    lifted = walk.document(document)
    if not walk.slots:
        return None
    places = {slot.index for slot in walk.slots}
    fixed = tuple(index for index in range(len(walk.places)) if index not in places)
    return LiftedDocument(lifted, tuple(walk.slots), fixed)


def merged_fields(document: DocumentNode) -> frozenset[int]:
    """The ids of field nodes that may be merged with another; the limits bound the work."""
    fragments = fragments_of(document)
    merged: set[int] = set()
    levels: list[list[SelectionSetNode]] = [
        [operation.selection_set] for operation in operations_of(document)
    ]
    while levels:
        groups: dict[str, list[FieldNode]] = {}
        for node in fields_of(levels.pop(), fragments):
            groups.setdefault((node.alias or node.name).value, []).append(node)
        for nodes in groups.values():
            if len(nodes) > 1:
                merged.update(map(id, nodes))
            nested = [node.selection_set for node in nodes if node.selection_set]
            if nested:
                levels.append(nested)
    return frozenset(merged)


class _Walk:
    """Copies a document where literals become variables; what has none is shared."""

    def __init__(self, schema: GraphQLSchema, text: str, merged: frozenset[int]) -> None:
        self.schema = schema
        self.places = {start: index for index, start in enumerate(starts(text))}
        self.merged = merged
        self.slots: list[Slot] = []

    def document(self, document: DocumentNode) -> DocumentNode:
        definitions: list[Any] = []
        for definition in document.definitions:
            if isinstance(definition, OperationDefinitionNode):
                root = self.schema.get_root_type(definition.operation)
            elif isinstance(definition, FragmentDefinitionNode):
                root = self.schema.type_map[definition.type_condition.name.value]  # type: ignore[assignment]
            else:
                root = None
            if root is not None:
                selection_set = self.selection_set(root, definition.selection_set)  # type: ignore[attr-defined]
                definition = replace(definition, selection_set=selection_set)  # type: ignore[call-arg]
            definitions.append(definition)
        added = tuple(
            VariableDefinitionNode(
                variable=VariableNode(name=NameNode(value=slot.name)),
                type=parse_type(str(slot.type), no_location=True),
            )
            for slot in self.slots
        )
        return replace(
            document,
            definitions=tuple(
                replace(node, variable_definitions=(*(node.variable_definitions or ()), *added))
                if isinstance(node, OperationDefinitionNode)
                else node
                for node in definitions
            ),
        )

    def selection_set(self, parent: GraphQLNamedType, node: SelectionSetNode) -> SelectionSetNode:
        return replace(
            node, selections=tuple(self.selection(parent, child) for child in node.selections)
        )

    def selection(self, parent: GraphQLNamedType, node: SelectionNode) -> SelectionNode:
        if isinstance(node, InlineFragmentNode):
            condition = node.type_condition
            type_ = self.schema.type_map[condition.name.value] if condition else parent
            return replace(node, selection_set=self.selection_set(type_, node.selection_set))
        if not isinstance(node, FieldNode) or not (node.arguments or node.selection_set):
            return node
        field = self.schema.get_field(parent, node.name.value)  # type: ignore[arg-type]
        if field is None:
            return node
        arguments = node.arguments
        if arguments and id(node) not in self.merged:
            arguments = tuple(
                replace(leaf, value=self.value(field.args[leaf.name.value].type, leaf.value))
                for leaf in arguments
            )
        selection_set = node.selection_set and self.selection_set(
            get_named_type(field.type), node.selection_set
        )
        return replace(node, arguments=arguments, selection_set=selection_set)

    def value(self, type_: GraphQLInputType, node: ValueNode) -> ValueNode:
        inner = type_.of_type if isinstance(type_, GraphQLNonNull) else type_
        if isinstance(node, ListValueNode) and is_list_type(inner):
            return replace(
                node, values=tuple(self.value(inner.of_type, item) for item in node.values)
            )
        if isinstance(node, ObjectValueNode) and is_input_object_type(inner):
            fields = tuple(
                replace(field, value=self.value(inner.fields[field.name.value].type, field.value))
                for field in node.fields
            )
            return replace(node, fields=fields)
        if isinstance(node, IntValueNode | FloatValueNode | StringValueNode):
            return self.literal(type_, node)
        return node

    def literal(
        self, type_: GraphQLInputType, node: IntValueNode | FloatValueNode | StringValueNode
    ) -> ValueNode:
        index = self.places.get(node.loc.start) if node.loc else None
        if index is None or not is_leaf_type(get_named_type(type_)):
            return node  # a block string, or an item of a scalar that takes any JSON
        name = str(index)
        self.slots.append(Slot(index, name, type_, coercion(type_, node)))
        return VariableNode(name=NameNode(value=name, loc=node.loc), loc=node.loc)


def coercion(type_: GraphQLInputType, node: ValueNode) -> Coerce:
    """The coercion of literals of the kind of `node` to a type, with graphql-core's results."""

    def coerce(literal: str) -> Any:
        try:
            return coerce_input_literal(parse_value(literal, no_location=True), type_)
        except Exception:
            return Undefined

    def text(literal: str) -> Any:
        return coerce(literal) if "\\" in literal else literal[1:-1]

    def integer(literal: str) -> Any:
        value = int(literal) if len(literal) < 12 else GRAPHQL_MAX_INT + 1
        return value if GRAPHQL_MIN_INT <= value <= GRAPHQL_MAX_INT else Undefined

    inner = type_.of_type if isinstance(type_, GraphQLNonNull) else type_
    if isinstance(node, StringValueNode):
        return text if inner in (GraphQLString, GraphQLID) else coerce
    if inner is GraphQLFloat:
        return float
    if isinstance(node, IntValueNode) and inner is GraphQLInt:
        return integer
    return str if inner is GraphQLID else coerce
