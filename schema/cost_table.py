"""Weights and list sizes of fields, from which the cost of an operation is estimated."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from math import ceil

from graphql import GraphQLField, GraphQLSchema, IntValueNode

SIZE_ARGUMENTS = ("first", "last", "limit")
# Lists of ids for each of which there is an object in the answer, where `CostTable.by_id` says so.
IDS_ARGUMENT = "ids"


@dataclass(frozen=True, slots=True, kw_only=True)
class CostTable:
    """Assumptions about the schema's fields, by "Type.field"; sizes and weights are >= 0."""

    default_size: int = 50  # of connections and of lists with a size argument that is not given
    list_size: int = 10  # of plain lists without an entry below
    list_sizes: Mapping[str, int] = field(default_factory=dict)
    by_id: frozenset[str] = frozenset()  # lists with an object for each of the argument `ids`
    weights: Mapping[str, int] = field(default_factory=dict)  # points for each object, if not 1
    values: frozenset[str] = frozenset({"PageInfo"})  # object types that are no rows: free


@lru_cache(maxsize=8)
def introspection_sizes(schema: GraphQLSchema) -> Mapping[str, int]:
    """The lists of introspection with their length in this schema, averages rounded up."""
    types = list(schema.type_map.values())
    sizes = {"__Schema.types": len(types), "__Schema.directives": len(schema.directives)}
    fields = [item for named in types for item in (getattr(named, "fields", None) or {}).values()]
    arguments = [argument for item in fields for argument in getattr(item, "args", {})]
    values = [value for named in types for value in getattr(named, "values", {})]
    sizes["__Type.fields"] = sizes["__Type.inputFields"] = ceil(len(fields) / len(types))
    sizes["__Field.args"] = sizes["__Directive.args"] = ceil(len(arguments) / max(1, len(fields)))
    sizes["__Type.enumValues"] = ceil(len(values) / len(types))
    sizes["__Type.interfaces"] = sizes["__Type.possibleTypes"] = 1
    return sizes


def default_numbers(definition: GraphQLField, *names: str) -> list[int]:
    """The numbers that size arguments (or those named) have when they are not given."""
    defaults: list[object] = []
    for name in names or SIZE_ARGUMENTS:
        argument = definition.args.get(name)
        if argument is None:
            continue
        if argument.default is None:
            defaults.append(argument.default_value)
        elif isinstance(argument.default.literal, IntValueNode):
            defaults.append(int(argument.default.literal.value))
        else:
            defaults.append(argument.default.value)
    return [value for value in defaults if type(value) is int]
