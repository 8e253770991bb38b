"""Random values of input types: literals with variables inside, and JSON for variables."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from graphql import (
    GraphQLEnumType,
    GraphQLInputField,
    GraphQLInputObjectType,
    GraphQLInputType,
    GraphQLList,
    GraphQLNonNull,
    Undefined,
    get_nullable_type,
    is_required_input_field,
)

Known = Callable[[str], Sequence[object]]

BUILT_IN: Mapping[str, Sequence[object]] = {
    "Int": (0, 1, 2, 3, -5, 2**31 - 1),
    "Float": (0.5, 2, -1e3),
    "String": ("", "text", 'a "quote" and a \n line', "ünï"),
    "Boolean": (True, False),
    "ID": ("1", "abc", 7),
}
WRONG: Sequence[object] = (None, "wrong", 2**31, 1.5, True, [], [None], {}, {"unknown": 1}, [[1]])


@dataclass
class Variable:
    """A variable of the operation; `default` is its literal, `value` what the client sends."""

    name: str
    type: str
    default: str | None
    value: object = Undefined


def no_known(coordinate: str) -> Sequence[object]:
    """No values that mean something."""
    return ()


@dataclass
class InputWriter:
    """Writes literals of any input type, and remembers the variables that it used.

    `scalars` has JSON values for custom scalars by name; `known` gives values that mean something
    at a coordinate like `Query.space(id:)` or `Filter.id`, used in a share `meaning`. `wrong`
    is the share of variables with a value that their type refuses or that are missing though
    required.
    """

    random: Random
    scalars: Mapping[str, Sequence[object]] = field(default_factory=dict)
    known: Known = no_known
    meaning: float = 0.9
    wrong: float = 0.01
    variables: list[Variable] = field(default_factory=list)

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def literal(
        self,
        type_: GraphQLInputType,
        at: str,
        *,
        default: bool = False,
        strict: bool = False,
        depth: int = 3,
    ) -> str:
        """GraphQL text for the position `at`, perhaps a variable or with variables inside.

        `default` says that the position has a default value, so that a variable that may be
        null is allowed though the position may not; `strict` allows no such variable at all.
        """
        if self.chance(0.3):
            return "$" + self.variable(type_, at, default, strict).name
        return self._literal(type_, at, depth, variables=True)

    def _literal(self, type_: Any, at: str, depth: int, *, variables: bool) -> str:
        if not isinstance(type_, GraphQLNonNull) and self.chance(0.08):
            return "null"
        type_ = get_nullable_type(type_)
        if isinstance(type_, GraphQLList):
            if self.chance(0.15):
                # One value where a list is expected is a list of one.
                item: Any = get_nullable_type(type_.of_type)
                return self._literal(GraphQLNonNull(item), at, 0, variables=False)
            items = [type_.of_type] * self.random.randint(0, 3 if depth > 0 else 1)
            return f"[{', '.join(self._inner(item, at, depth, variables) for item in items)}]"
        if isinstance(type_, GraphQLInputObjectType):
            parts = (
                f"{name}: {self._field(type_, name, chosen, depth, variables)}"
                for name, chosen in self._chosen(type_, depth)
            )
            return f"{{{', '.join(parts)}}}"
        value = self.leaf(type_, at)
        return str(value) if isinstance(type_, GraphQLEnumType) else as_literal(value)

    def _inner(
        self,
        type_: Any,
        at: str,
        depth: int,
        variables: bool,
        *,
        default: bool = False,
        strict: bool = False,
    ) -> str:
        if variables:
            return self.literal(type_, at, default=default, strict=strict, depth=depth - 1)
        return self._literal(type_, at, depth - 1, variables=False)

    def _field(
        self,
        type_: GraphQLInputObjectType,
        name: str,
        chosen: GraphQLInputField,
        depth: int,
        variables: bool,
    ) -> str:
        wanted = GraphQLNonNull(get_nullable_type(chosen.type)) if type_.is_one_of else chosen.type
        has_default = chosen.default is not None or chosen.default_value is not Undefined
        at = f"{type_.name}.{name}"
        return self._inner(
            wanted, at, depth, variables, default=has_default, strict=type_.is_one_of
        )

    def _chosen(
        self, type_: GraphQLInputObjectType, depth: int
    ) -> list[tuple[str, GraphQLInputField]]:
        """The fields of an input object to write: those it must have and some others."""
        if type_.is_one_of:
            return [self.random.choice(list(type_.fields.items()))]
        share = 0.5 if depth > 0 else 0.0
        return [
            (name, one)
            for name, one in type_.fields.items()
            if is_required_input_field(one) or self.chance(share)
        ]

    def variable(self, type_: GraphQLInputType, at: str, default: bool, strict: bool) -> Variable:
        """A variable that may stand at a position of this type: an old one or a new one."""
        fitting = [one for one in self.variables if one.type == str(type_)]
        if fitting and self.chance(0.5):
            return self.random.choice(fitting)
        literal = None
        if isinstance(type_, GraphQLNonNull):
            if not strict and self.chance(0.3):
                type_ = type_.of_type
                if not default or self.chance(0.5):
                    literal = self._literal(GraphQLNonNull(type_), at, 2, variables=False)
        elif self.chance(0.2):
            type_ = GraphQLNonNull(type_)
        if literal is None and self.chance(0.3):
            literal = self._literal(type_, at, 2, variables=False)
        made = Variable(f"v{len(self.variables)}", str(type_), literal)
        made.value = self._sent(type_, at, may_lack=literal is not None)
        self.variables.append(made)
        return made

    def _sent(self, type_: GraphQLInputType, at: str, *, may_lack: bool) -> object:
        if self.chance(self.wrong):
            return self.random.choice([Undefined, *WRONG])
        may_be_null = not isinstance(type_, GraphQLNonNull)
        if (may_lack or may_be_null) and self.chance(0.3):
            return Undefined
        return self.json(type_, at, 2)

    def json(self, type_: Any, at: str, depth: int) -> object:
        """A value of this type as a client sends it in JSON."""
        if not isinstance(type_, GraphQLNonNull) and self.chance(0.1):
            return None
        type_ = get_nullable_type(type_)
        if isinstance(type_, GraphQLList):
            if self.chance(0.15):
                return self.json(GraphQLNonNull(get_nullable_type(type_.of_type)), at, 0)
            count = self.random.randint(0, 3 if depth > 0 else 1)
            return [self.json(type_.of_type, at, depth - 1) for _ in range(count)]
        if isinstance(type_, GraphQLInputObjectType):
            found = {}
            for name, chosen in self._chosen(type_, depth):
                wanted: Any = get_nullable_type(chosen.type)
                wanted = GraphQLNonNull(wanted) if type_.is_one_of else chosen.type
                found[name] = self.json(wanted, f"{type_.name}.{name}", depth - 1)
            return found
        return self.leaf(type_, at)

    def leaf(self, type_: Any, at: str) -> object:
        """A JSON value of a scalar or enumeration."""
        known = self.known(at)
        if known and self.chance(self.meaning):
            return self.random.choice(known)
        if isinstance(type_, GraphQLEnumType):
            return self.random.choice(list(type_.values))
        return self.random.choice(self.scalars.get(type_.name) or BUILT_IN[type_.name])


def as_literal(value: object) -> str:
    """GraphQL text of a JSON value."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {as_literal(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list):
        return f"[{', '.join(map(as_literal, value))}]"
    return json.dumps(value, ensure_ascii=False)
