"""Which subscriptions get the same: those whose documents and variables differ in nothing but where
they begin."""

from functools import lru_cache
from typing import Any

import orjson
from graphql import OperationDefinitionNode, VariableNode, visit
from graphql.language import Visitor

from schema.operations import Operation


def identity_of(operation: Operation) -> tuple[Any, ...]:
    """What two operations have in common that give the same to the same caller."""
    values = dict(operation.variables.coerced)
    for name in _beginnings(operation.prepared.node):
        values.pop(name, None)
    text = operation.document.parsed.text
    return text, operation.name, orjson.dumps(values, option=orjson.OPT_SORT_KEYS, default=str)


class _Variables(Visitor):
    def __init__(self) -> None:
        super().__init__()
        self.uses: list[str] = []

    def enter_variable(self, node: VariableNode, *_: Any) -> None:
        self.uses.append(node.name.value)

    def enter_variable_definition(self, node: Any, *_: Any) -> Any:
        return False


@lru_cache(maxsize=1024)
def _beginnings(node: OperationDefinitionNode) -> tuple[str, ...]:
    """The variables that say behind which event a subscription begins, and nothing else."""
    variables = _Variables()
    visit(node, variables)
    return tuple(
        argument.value.name.value
        for field in node.selection_set.selections
        for argument in getattr(field, "arguments", None) or ()
        if argument.name.value == "after"
        and isinstance(argument.value, VariableNode)
        and variables.uses.count(argument.value.name.value) == 1
    )
