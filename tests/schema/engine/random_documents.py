"""Random documents that are valid for a schema: nearly every feature of selections, mixed.

Fields may only share a response name when they can be merged. That is made sure by name: a
response name stands for one type in the whole document and for one field with one text of
arguments, except for names that start with `either`, which stand for a different field on each
object type.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from typing import Any

from graphql import (
    DocumentNode,
    GraphQLBoolean,
    GraphQLField,
    GraphQLInterfaceType,
    GraphQLNamedType,
    GraphQLNonNull,
    GraphQLObjectType,
    GraphQLSchema,
    GraphQLUnionType,
    SchemaMetaFieldDef,
    TypeMetaFieldDef,
    Undefined,
    get_named_type,
    is_composite_type,
    is_required_argument,
    parse,
)

from tests.schema.engine.random_values import InputWriter, Known, no_known

MOST_DEPTH_OF_INTROSPECTION = 3


@dataclass(frozen=True)
class Taste:
    """What documents look like: sizes, and values that mean something to the schema."""

    depth: int = 5
    width: int = 5
    selections: int = 40
    introspection: float = 0.03
    wrong: float = 0.004
    # Share of fields with selections of their own, where the depth allows them.
    branching: float = 0.5
    # Share of meaningful values where there are any.
    meaning: float = 0.9
    scalars: Mapping[str, Sequence[object]] = field(default_factory=dict)
    known: Known = no_known
    # Fields that are never chosen, as "Type.field".
    without: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Request:
    """A document with one or more operations, and what a client sends with it."""

    text: str
    variables: dict[str, object]
    operation: str | None

    @cached_property
    def document(self) -> DocumentNode:
        return parse(self.text)


@dataclass
class Fragment:
    name: str
    on: GraphQLNamedType
    body: str
    size: int


class DocumentWriter:
    """Writes one document; `random` alone decides what it will be."""

    def __init__(self, schema: GraphQLSchema, random: Random, taste: Taste) -> None:
        self.schema = schema
        self.random = random
        self.taste = taste
        self.inputs = InputWriter(random, taste.scalars, taste.known, taste.meaning, taste.wrong)
        self.fragments: list[Fragment] = []
        self.left = taste.selections
        # What each response name stands for, and the names of each thing.
        self.taken: dict[str, tuple[str, str, str]] = {}
        self.names: dict[tuple[str, str, str], list[str]] = {}
        self.shared: dict[tuple[str, str], tuple[str, str]] = {}
        self.numbers: dict[str, int] = {}

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def request(self, kind: str = "query") -> Request:
        """A document with an operation of this kind on the schema's root type."""
        root: Any = getattr(self.schema, f"{kind}_type")
        selection = self.selection(root, self.taste.depth, least=min(3, self.taste.width))
        variables = self.inputs.variables
        definitions = ", ".join(
            f"${one.name}: {one.type}" + ("" if one.default is None else f" = {one.default}")
            for one in variables
        )
        name = "Main" if self.chance(0.5) else ""
        head = f"{kind} {name}{f'({definitions})' if definitions else ''}"
        parts = [f"{head} {selection}", *(one.body for one in self.fragments)]
        operation = "Main" if name and self.chance(0.5) else None
        if name and self.chance(0.2):
            parts.append("query Other { __typename }")
            operation = "Main"
        self.random.shuffle(parts)
        sent = {one.name: one.value for one in variables if one.value is not Undefined}
        if self.chance(0.1):
            sent["unknown"] = 1
        return Request("\n".join(parts), sent, operation)

    def selection(self, parent: Any, depth: int, least: int = 1) -> str:
        """A selection set on a type, with braces."""
        count = self.random.randint(least, self.taste.width)
        parts = [self._selected(parent, depth) for _ in range(count)]
        return "{ " + " ".join(parts) + " }"

    def _selected(self, parent: Any, depth: int) -> str:
        self.left -= 1
        dice = self.random.random()
        if depth < -1:
            dice = 0.0 if dice < 0.2 or isinstance(parent, GraphQLUnionType) else 1.0
        if dice < 0.08 or (isinstance(parent, GraphQLUnionType) and dice < 0.2):
            return self._typename()
        if dice < 0.16:
            return f"...{self._condition()} {self.selection(parent, depth - 1)}"
        if dice < 0.26 or (isinstance(parent, GraphQLUnionType) and dice < 0.7):
            on = self.random.choice(self._overlapping(parent))
            return f"... on {on.name}{self._condition()} {self.selection(on, depth - 1)}"
        if (dice < 0.38 or isinstance(parent, GraphQLUnionType)) and self.left > 0:
            return f"...{self._fragment(parent, depth)}{self._condition()}"
        return self._field(parent, depth)

    def _typename(self) -> str:
        if self.chance(0.7):
            return f"__typename{self._condition()}"
        return f"its_type: __typename{self._condition()}"

    def _condition(self) -> str:
        """Perhaps directives."""
        found = ""
        for name, share in (("skip", 0.08), ("include", 0.08)):
            if self.chance(share):
                found += f" @{name}(if: {self._boolean()})"
        return found

    def _boolean(self) -> str:
        return self.inputs.literal(GraphQLNonNull(GraphQLBoolean), "if")

    def _overlapping(self, parent: Any) -> list[GraphQLNamedType]:
        """Types that a fragment inside a selection on `parent` may be on."""
        possible = self._possible(parent)
        return [
            one
            for one in self.schema.type_map.values()
            if is_composite_type(one)
            and (one is parent or not one.name.startswith("__"))
            and possible & self._possible(one)
        ]

    def _possible(self, type_: Any) -> set[str]:
        if isinstance(type_, GraphQLObjectType):
            return {type_.name}
        return {one.name for one in self.schema.get_possible_types(type_)}

    def _fragment(self, parent: Any, depth: int) -> str:
        """The name of a fragment that may be spread here: an earlier one or a new one."""
        overlapping = self._overlapping(parent)
        fitting = [one for one in self.fragments if one.on in overlapping and one.size < 12]
        if fitting and self.chance(0.5):
            return self.random.choice(fitting).name
        on = self.random.choice(overlapping)
        before = self.left
        body = self.selection(on, depth - 1)
        name = f"F{len(self.fragments)}"
        text = f"fragment {name} on {on.name} {body}"
        self.fragments.append(Fragment(name, on, text, before - self.left))
        return name

    def _field(self, parent: GraphQLObjectType | GraphQLInterfaceType, depth: int) -> str:
        fields = self._fields(parent, depth)
        if not fields:
            return self._typename()
        name = self._choice(fields)
        chosen = fields[name]
        shared = isinstance(parent, GraphQLObjectType) and self.chance(0.12)
        at = (parent.name, str(chosen.type))
        if shared and at in self.shared:
            name, arguments = self.shared[at]
        else:
            arguments = self._arguments(parent, name, chosen)
        if shared:
            self.shared[at] = (name, arguments)
            response = f"either{self.numbers.setdefault(at[1], len(self.numbers))}"
        else:
            response = self._response_name(name, arguments, at[1])
        text = name if response == name else f"{response}: {name}"
        text += arguments + self._condition()
        named: Any = get_named_type(chosen.type)
        if is_composite_type(named):
            inner = depth - 1
            if named.name.startswith("__"):
                inner = min(inner, MOST_DEPTH_OF_INTROSPECTION)
            text += " " + self.selection(named, inner)
        return text

    def _choice(self, fields: dict[str, GraphQLField]) -> str:
        deep = [name for name, one in fields.items() if is_composite_type(get_named_type(one.type))]
        if deep and self.chance(self.taste.branching):
            return self.random.choice(deep)
        return self.random.choice(list(fields))

    def _fields(self, parent: Any, depth: int) -> dict[str, GraphQLField]:
        if isinstance(parent, GraphQLUnionType):
            return {}
        if parent is self.schema.query_type and self.chance(self.taste.introspection):
            return {"__schema": SchemaMetaFieldDef, "__type": TypeMetaFieldDef}
        deep = depth > 0 and self.left > 0
        return {
            name: one
            for name, one in parent.fields.items()
            if (deep or not is_composite_type(get_named_type(one.type)))
            and f"{parent.name}.{name}" not in self.taste.without
        }

    def _arguments(self, parent: Any, name: str, chosen: GraphQLField) -> str:
        written = []
        for argument, one in chosen.args.items():
            if is_required_argument(one) or self.chance(0.4):
                has_default = one.default is not None or one.default_value is not Undefined
                at = f"{parent.name}.{name}({argument}:)"
                written.append(f"{argument}: {self._argument(one, at, has_default)}")
        return f"({', '.join(written)})" if written else ""

    def _argument(self, one: Any, at: str, has_default: bool) -> str:
        if at == "Query.__type(name:)" or at.endswith(".__type(name:)"):
            names = [*self.schema.type_map, "Nothing"]
            return f'"{self.random.choice(names)}"'
        return self.inputs.literal(one.type, at, default=has_default)

    def _response_name(self, name: str, arguments: str, type_: str) -> str:
        thing = (name, arguments, type_)
        known = self.names.setdefault(thing, [])
        if known and self.chance(0.7):
            return self.random.choice(known)
        plain = name not in self.taken and self.chance(0.8)
        new = name if plain else f"a{len(self.taken)}"
        self.taken[new] = thing
        known.append(new)
        return new


def random_request(
    schema: GraphQLSchema, seed: object, taste: Taste, kind: str = "query"
) -> Request:
    """The document of a seed."""
    return DocumentWriter(schema, Random(str(seed)), taste).request(kind)
