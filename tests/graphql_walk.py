"""Queries for every field of every type that can be read, each at the end of a way to its type."""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

from graphql import (
    GraphQLArgument,
    GraphQLEnumType,
    GraphQLField,
    GraphQLInputObjectType,
    GraphQLInterfaceType,
    GraphQLNamedType,
    GraphQLNonNull,
    GraphQLObjectType,
    GraphQLSchema,
    GraphQLUnionType,
    get_named_type,
    is_leaf_type,
)

# Fields of one query, and items of each list on the way.
TOGETHER, ITEMS = 6, 20
# Every object can be found by them, so they say nothing about where a type is.
EVERYTHING = ("node", "nodes")
# Types that lead to nearly everything: other ways come first.
LEADS_ANYWHERE = ("Event",)
LITERALS = {
    "Boolean": "true", "Int": "20", "Float": "1.5", "JSONObject": "{}", "JSONValue": "1",
    "URL": '"http://docs.test/x"', "DateTime": '"2026-01-01T00:00:00Z"',
}  # fmt: skip


def _literal(kind: GraphQLNamedType) -> str:
    """Some value of a type; of an input what it cannot do without."""
    if isinstance(kind, GraphQLEnumType):
        return next(iter(kind.values))
    if isinstance(kind, GraphQLInputObjectType):
        parts = [
            f"{name}: {_literal(get_named_type(one.type))}"
            for name, one in kind.fields.items()
            if isinstance(one.type, GraphQLNonNull)
        ]
        return f"{{{', '.join(parts)}}}"
    return LITERALS.get(kind.name, '"home"')


def _narrowness(entry: tuple[str, GraphQLField]) -> int:
    """Lists lead to more than what needs an id does."""
    return sum(isinstance(one.type, GraphQLNonNull) for one in entry[1].args.values())


@dataclass(frozen=True)
class Way:
    """How a type is reached: the fields from the query on, each with the type it belongs to."""

    steps: tuple[tuple[str, str, GraphQLField], ...] = ()

    def then(self, owner: str, name: str, one: GraphQLField) -> "Way":
        return Way((*self.steps, (owner, name, one)))


@dataclass
class FieldWalk:
    """`known` are ids by the names that /v1 gives them, such as `spaceId`."""

    schema: GraphQLSchema
    known: Mapping[str, Sequence[str]]
    # Values that are tried for the arguments of one field at the root.
    tried: int = 8
    # The field of the query where all ways begin, through nodes of lists and not their edges;
    # empty = each way to a type begins with another one.
    root: str = ""
    # Ways to one type.
    most: int = 3
    # Fields of one query.
    together: int = TOGETHER
    ways: dict[str, list[Way]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        assert self.schema.query_type is not None
        waiting = deque([(self.schema.query_type, Way())])
        last: deque[tuple[GraphQLObjectType, Way]] = deque()
        while waiting or last:
            owner, way = (waiting or last).popleft()
            for name, one in sorted(owner.fields.items(), key=_narrowness):
                if not way.steps and (name in EVERYTHING or self.root not in ("", name)):
                    continue
                if self.root and name == "edges" and len(self.ways.get(owner.name, ())) > 1:
                    continue
                for kind in self._objects(get_named_type(one.type)):
                    ways = self.ways.setdefault(kind.name, [])
                    # The first way to a type, and the first from another field of the query.
                    roots = {known.steps[0][1] for known in ways}
                    further = way.then(owner.name, name, one)
                    is_new = bool(self.root) or further.steps[0][1] not in roots
                    if is_new and len(ways) < self.most:
                        ways.append(further)
                        (last if kind.name in LEADS_ANYWHERE else waiting).append((kind, further))

    def fields(self) -> set[tuple[str, str]]:
        """Every field that can be asked for."""
        return {(name, one) for name in self.ways for one in self._object(name).fields}

    def queries(self) -> Iterator[tuple[set[tuple[str, str]], str]]:
        """Fields, and a query for them; every field is in some query."""
        for name, ways in self.ways.items():
            parts = [*self.selections(name).items()]
            for start in range(0, len(parts), self.together):
                few = parts[start : start + self.together]
                asked = {(name, one) for one, _ in few}
                for way in ways:
                    for query in self.at(way, name, *(text for _, text in few)):
                        yield asked, query

    def selections(self, name: str) -> dict[str, str]:
        """The text of each field of a type, with what it needs."""
        return {
            one: self._shown(one, definition)
            for one, definition in self._object(name).fields.items()
        }

    def at(self, way: Way, name: str, *selections: str) -> Iterator[str]:
        """Queries that select this of the type at the end of a way."""
        yield from self._queries(way, f"... on {name} {{ __typename {' '.join(selections)} }}")

    def _object(self, name: str) -> GraphQLObjectType:
        kind = self.schema.type_map[name]
        assert isinstance(kind, GraphQLObjectType)
        return kind

    def _objects(self, kind: GraphQLNamedType) -> Sequence[GraphQLObjectType]:
        if isinstance(kind, GraphQLObjectType):
            return [kind]
        if isinstance(kind, GraphQLInterfaceType | GraphQLUnionType):
            return self.schema.get_possible_types(kind)
        return []

    def _shown(self, name: str, one: GraphQLField) -> str:
        arguments = self._arguments(name, one)[0]
        below = "" if is_leaf_type(get_named_type(one.type)) else " { __typename }"
        # Members of a union may have fields of one name and other types.
        return f"{name}{arguments}{below}"

    def _queries(self, way: Way, inner: str) -> Iterator[str]:
        """The selection at the end of a way, for each value that its root may be given."""
        text = f"{{ {inner} }}"
        for position in range(len(way.steps) - 1, 0, -1):
            owner, name, one = way.steps[position]
            text = f"{{ ... on {owner} {{ {name}{self._arguments(name, one)[0]} {text} }} }}"
        _, name, one = way.steps[0]
        for arguments in self._arguments(name, one):
            yield f"{{ {name}{arguments} {text} }}"

    def _arguments(self, name: str, one: GraphQLField) -> list[str]:
        """What a field may be given: all that it needs, with some values."""
        choices: dict[str, Sequence[str]] = {}
        for argument, definition in one.args.items():
            if argument == "first":
                choices[argument] = [str(ITEMS)]
            elif isinstance(definition.type, GraphQLNonNull):
                choices[argument] = self._values(name, argument, definition)
        found = []
        for chosen in product(*choices.values()):
            pairs = ", ".join(f"{key}: {value}" for key, value in zip(choices, chosen, strict=True))
            found.append(f"({pairs})" if pairs else "")
        return found[: self.tried]

    def _values(self, name: str, argument: str, definition: GraphQLArgument) -> list[str]:
        kind = get_named_type(definition.type)
        names = (argument, f"{name}Id") if argument == "id" else (argument, f"{argument}Id")
        values = [f'"{id}"' for one in names for id in self.known.get(one, ())][: self.tried]
        if not values:
            values = [_literal(kind)]
        if "[" in str(definition.type):
            values = [f"[{value}]" for value in values]
        return values
