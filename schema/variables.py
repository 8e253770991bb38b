"""The variables of one operation: plain values are checked fast, all others by graphql-core.

Whatever the fast way does not take goes to graphql-core's own coercion, so errors are its own.
"""

from collections.abc import Callable
from math import isfinite
from typing import Any, TypeAlias

from graphql import (
    GraphQLError,
    GraphQLFloat,
    GraphQLID,
    GraphQLInputType,
    GraphQLInt,
    GraphQLLeafType,
    GraphQLNonNull,
    GraphQLSchema,
    GraphQLString,
    OperationDefinitionNode,
    Undefined,
    get_variable_values,
    is_leaf_type,
)
from graphql.execution.get_variable_signature import (
    GraphQLVariableSignature,
    get_variable_signature,
)
from graphql.execution.values import VariableValues, VariableValueSource
from graphql.type import GRAPHQL_MAX_INT, GRAPHQL_MIN_INT, GraphQLBoolean

MAX_ERRORS = 20

# A value that is not null to its coerced form; Undefined when it is wrong or unusual.
Check = Callable[[Any], Any]


# A variable's name, signature, check, whether it may be null, its source when it is absent, and
# its default (Undefined without one).
_Checked: TypeAlias = tuple[str, GraphQLVariableSignature, Check, bool, VariableValueSource, Any]


class VariableReader:
    """Coerces the variables of requests for one operation of a valid document."""

    def __init__(
        self, schema: GraphQLSchema, operation: OperationDefinitionNode, hide_suggestions: bool
    ) -> None:
        self._schema = schema
        self._definitions = operation.variable_definitions or ()
        self._hide_suggestions = hide_suggestions
        checks: list[_Checked] = []
        self._checks: list[_Checked] | None = None
        for definition in self._definitions:
            signature = get_variable_signature(schema, definition)
            check = None if isinstance(signature, GraphQLError) else check_of(signature.type)
            if check is None or isinstance(signature, GraphQLError):
                return
            nullable = not isinstance(signature.type, GraphQLNonNull)
            absent = VariableValueSource(signature)
            default = _default(schema, definition) if signature.default else Undefined
            checks.append((signature.name, signature, check, nullable, absent, default))
        self._checks = checks

    def read(self, values: dict[str, Any]) -> VariableValues | list[GraphQLError]:
        """The coerced variables, or what is wrong with those that were given."""
        checks = self._checks
        if checks is None:
            return self._read_slowly(values)
        sources: dict[str, VariableValueSource] = {}
        coerced: dict[str, Any] = {}
        for name, signature, check, nullable, absent, default in checks:
            value = values.get(name, Undefined)
            if value is None:
                if not nullable:
                    return self._read_slowly(values)
                coerced[name] = None
            elif value is Undefined:
                sources[name] = absent
                if default is not Undefined:
                    coerced[name] = default
                elif not nullable:
                    return self._read_slowly(values)
                continue
            else:
                value = coerced[name] = check(value)
                if value is Undefined:
                    return self._read_slowly(values)
                value = values[name]
            sources[name] = VariableValueSource(signature, value)
        return VariableValues(sources, coerced)

    def _read_slowly(self, values: dict[str, Any]) -> VariableValues | list[GraphQLError]:
        return get_variable_values(
            self._schema,
            self._definitions,
            values,
            max_errors=MAX_ERRORS,
            hide_suggestions=self._hide_suggestions,
        )


def _default(schema: GraphQLSchema, definition: Any) -> Any:
    """The default of one variable of a leaf type; leaf values are never changed by anybody."""
    values = get_variable_values(schema, [definition], {})
    return Undefined if isinstance(values, list) else values.coerced[definition.variable.name.value]


def check_of(type_: GraphQLInputType) -> Check | None:
    """The coercion of values of a leaf type, null or not; None for lists and input objects."""
    named = type_.of_type if isinstance(type_, GraphQLNonNull) else type_
    if named in _PLAIN:
        return _PLAIN[named]
    if not is_leaf_type(named):
        return None
    leaf: GraphQLLeafType = named

    def check(value: Any) -> Any:
        try:
            return leaf.coerce_input_value(value)
        except Exception:
            return Undefined

    return check


def _text(value: Any) -> Any:
    return value if type(value) is str else Undefined


def _integer(value: Any) -> Any:
    if type(value) is int and GRAPHQL_MIN_INT <= value <= GRAPHQL_MAX_INT:
        return value
    return Undefined


def _number(value: Any) -> Any:
    return value if type(value) is float and isfinite(value) else Undefined


def _boolean(value: Any) -> Any:
    return value if type(value) is bool else Undefined


_PLAIN: dict[Any, Check] = {
    GraphQLString: _text,
    GraphQLID: _text,
    GraphQLInt: _integer,
    GraphQLFloat: _number,
    GraphQLBoolean: _boolean,
}
