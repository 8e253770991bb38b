"""Which fields a selection set has for an object type (specification, "CollectFields")."""

from collections.abc import Iterable, Mapping
from typing import Any

from graphql import (
    FieldNode,
    FragmentDefinitionNode,
    GraphQLAbstractType,
    GraphQLIncludeDirective,
    GraphQLObjectType,
    GraphQLSchema,
    GraphQLSkipDirective,
    InlineFragmentNode,
    SelectionNode,
    SelectionSetNode,
    VariableNode,
    Visitor,
    get_directive_values,
    is_abstract_type,
    type_from_ast,
    visit,
)
from graphql.execution.values import VariableValues

Collected = dict[str, list[FieldNode]]


class Collector:
    """Collects the fields of one operation, with the variables that skip and include depend on."""

    def __init__(
        self,
        schema: GraphQLSchema,
        fragments: Mapping[str, FragmentDefinitionNode],
        variables: VariableValues,
    ) -> None:
        self._schema = schema
        self._fragments = fragments
        self._variables = variables

    def collect(self, type_: GraphQLObjectType, sets: Iterable[SelectionSetNode]) -> Collected:
        """Field nodes by response name, in the order in which the names first appear.

        GraphQLError when the condition of a skip or include is null.
        """
        collected: Collected = {}
        entered: set[str] = set()
        for selection_set in sets:
            self._visit(type_, selection_set, collected, entered)
        return collected

    def _visit(
        self,
        type_: GraphQLObjectType,
        selection_set: SelectionSetNode,
        collected: Collected,
        entered: set[str],
    ) -> None:
        for selection in selection_set.selections:
            if not self._included(selection):
                continue
            if isinstance(selection, FieldNode):
                name = (selection.alias or selection.name).value
                collected.setdefault(name, []).append(selection)
                continue
            if isinstance(selection, InlineFragmentNode):
                if self._applies(selection, type_):
                    self._visit(type_, selection.selection_set, collected, entered)
                continue
            name = selection.name.value  # type: ignore[attr-defined]
            fragment = self._fragments.get(name)
            if name in entered or fragment is None or not self._applies(fragment, type_):
                continue
            entered.add(name)
            self._visit(type_, fragment.selection_set, collected, entered)

    def _included(self, selection: SelectionNode) -> bool:
        if not selection.directives:
            return True
        skip = get_directive_values(GraphQLSkipDirective, selection, self._variables)
        if skip and skip["if"]:
            return False
        include = get_directive_values(GraphQLIncludeDirective, selection, self._variables)
        return not (include and not include["if"])

    def _applies(
        self, fragment: InlineFragmentNode | FragmentDefinitionNode, type_: GraphQLObjectType
    ) -> bool:
        condition = fragment.type_condition
        if condition is None:
            return True
        conditional = type_from_ast(self._schema, condition)
        if conditional is type_:
            return True
        if is_abstract_type(conditional):
            abstract: GraphQLAbstractType = conditional
            return self._schema.is_sub_type(abstract, type_)
        return False


def conditions(sets: Iterable[SelectionSetNode]) -> frozenset[str]:
    """The variables that decide which fields these selection sets have."""
    names: set[str] = set()
    stack = list(sets)
    while stack:
        for selection in stack.pop().selections:
            for directive in selection.directives or ():
                if directive.name.value in ("skip", "include"):
                    names.update(
                        argument.value.name.value  # type: ignore[attr-defined]
                        for argument in directive.arguments or ()
                        if argument.value.kind == "variable"
                    )
            nested = getattr(selection, "selection_set", None)
            if nested is not None:
                stack.append(nested)
    return frozenset(names)


class _VariableFinder(Visitor):
    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()

    def enter_variable(self, node: VariableNode, *_: Any) -> None:
        self.names.add(node.name.value)


def variables_of(node: FieldNode) -> set[str]:
    """The variables in the arguments of a field."""
    finder = _VariableFinder()
    for argument in node.arguments or ():
        visit(argument, finder)
    return finder.names
