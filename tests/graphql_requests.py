"""The requests of the route table as fields of GraphQL, many of which one document can ask for."""

import datetime as dt
import enum
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import MISSING, dataclass
from typing import Any

from graphql import GraphQLInterfaceType, GraphQLObjectType, get_named_type, is_leaf_type
from strawberry import Some

from resolvers.core.naming import camel
from rest_compat.endpoint import plan_of
from rest_compat.table import Row
from rest_compat.values import Problems
from tests.operation_requests import Asked
from tests.parity import FIELDS_OF, SCHEMA, arguments_text, field_of_batch, root_field

# Of one document; the server allows a few more.
ROOT_FIELDS = 40


@dataclass(frozen=True)
class RootField:
    """A field of Query or Mutation with all that it is given, under a name of its own."""

    alias: str
    field: str
    arguments: Mapping[str, Any]
    # Fields below it, with their arguments as text.
    below: tuple[str, ...] = ()
    writes: bool = False

    @property
    def definition(self) -> Any:
        root = SCHEMA._schema.mutation_type if self.writes else SCHEMA._schema.query_type
        assert root is not None
        return root.fields[self.field]

    @property
    def text(self) -> str:
        passed = ", ".join(f"{name}: ${self.alias}_{name}" for name in self.arguments)
        kind, inner = get_named_type(self.definition.type), ""
        for part in self.below:
            inner += f" {{ {part}"
            assert isinstance(kind, GraphQLObjectType | GraphQLInterfaceType), self
            kind = get_named_type(kind.fields[part.partition("(")[0]].type)
        if not is_leaf_type(kind):
            # What is not asked for is not counted.
            inner += " { totalCount }" if kind.name.endswith("Connection") else " { __typename }"
        closing = " }" * len(self.below)
        given = f"({passed})" if passed else ""
        return f"{self.alias}: {self.field}{given}{inner}{closing}"

    @property
    def declared(self) -> str:
        types = self.definition.args
        return ", ".join(f"${self.alias}_{name}: {types[name].type}" for name in self.arguments)


def document(asked: Iterable[RootField]) -> dict[str, Any]:
    """The body of a request for some fields, which are all of one root."""
    listed = list(asked)
    kind = "mutation" if listed[0].writes else "query"
    declared = ", ".join(filter(None, (one.declared for one in listed)))
    variables = f" ({declared})" if declared else ""
    return {
        "query": f"{kind}{variables} {{ {' '.join(one.text for one in listed)} }}",
        "variables": {
            f"{one.alias}_{name}": value for one in listed for name, value in one.arguments.items()
        },
    }


def parts(asked: list[RootField]) -> Iterator[list[RootField]]:
    """As many fields at a time as a document may have."""
    for start in range(0, len(asked), ROOT_FIELDS):
        yield asked[start : start + ROOT_FIELDS]


def root_field_of(row: Row, asked: Asked) -> RootField | None:
    """What a row is asked for as a field; None where GraphQL has the operation in other words."""
    plan, below = plan_of(row), ()
    values: dict[str, Any] = {
        argument: asked.ids[name] for argument, name in row.path_parameters.items()
    }
    chosen: dict[str, Any] = {"first": 1} if row.arguments is not None else {}
    (chosen if row.arguments is not None else values).update(row.defaults)
    for name, (argument, _, of_children) in plan.query.items():
        if name in asked.parameters:
            (chosen if of_children else values)[argument] = asked.parameters[name]
    if plan.body is not None:
        problems = Problems()
        body = plan.body.parse(asked.body or {}, "", problems)
        assert not problems, problems
        if row.body_arguments is not None:
            chosen |= row.body_arguments(body)
        else:
            values["input"] = body
    if row.operation in FIELDS_OF:
        name, renamed, inner = FIELDS_OF[row.operation]
        values = {renamed.get(key, key): value for key, value in values.items()}
        return RootField(row.operation_id, name, variables_of(values), (inner,))
    name = root_field(row.operation, "Query" if row.reads else "Mutation")
    if name is None:
        return None
    if row.children is not None:
        below = (field_of_batch(row.children) + arguments_text(chosen),)
    return RootField(row.operation_id, name, variables_of(values), below, not row.reads)


def variables_of(values: Mapping[str, Any]) -> dict[str, Any]:
    return {camel(name): variable_of(value) for name, value in values.items() if value is not None}


def variable_of(value: Any) -> Any:
    """The value of an argument in Python as JSON of a variable."""
    if isinstance(value, Some):
        return variable_of(value.value)
    if isinstance(value, enum.Enum):
        return value.name
    if isinstance(value, dt.datetime):
        return value.isoformat()
    if isinstance(value, list | tuple):
        return [variable_of(item) for item in value]
    definition = getattr(value, "__strawberry_definition__", None)
    if definition is None:
        return value
    given = {}
    for part in definition.fields:
        inner = getattr(value, part.python_name)
        # What is absent is None, unless it has to be there.
        if inner is not None or (part.default is MISSING and part.default_factory is MISSING):
            given[part.graphql_name or camel(part.python_name)] = variable_of(inner)
    return given
