"""The values of the nasty schema: right, null, wrong and failing, as a function of a seed.

What a field gives depends on the seed, the key of its row, the field and its arguments, and on
nothing else: so an executor may call resolvers in any order, once or twice, for one row or for
many, and graphql-core and the engine see the same.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from graphql import (
    GraphQLError,
    GraphQLList,
    GraphQLNonNull,
    GraphQLOutputType,
    Undefined,
    get_nullable_type,
)

from tests.schema.engine.dice import Dice
from tests.schema.engine.nasty_types import COLUMN, COLUMN_TYPES

OBJECTS = {
    "Plant": ("Plant",),
    "Animal": ("Animal",),
    "Stone": ("Stone",),
    "Thing": ("Plant", "Animal", "Stone"),
    "Living": ("Plant", "Animal"),
    "Item": ("Plant", "Animal", "Stone"),
}


class Shade(Enum):
    """The internal values of the enumeration Colour."""

    RED = 1
    GREEN = 2
    BLUE = 3


# By the raw values that rows have.
COLOURS = dict(zip("rgb", Shade, strict=True))
RIGHT: dict[str, tuple[object, ...]] = {
    "Int": (0, 7, -1, "12", 3.0, True),
    "Float": (0.5, 1, "2.5", -3),
    "String": ("", "word", 5, 1.5, False),
    "Boolean": (True, False, 1, 0),
    "ID": ("a", "b", 3),
    "Colour": tuple(COLOURS.values()),
    "Odd": (1, 3, 5),
}
# Values of tame columns, all of one type.
TAME: dict[str, tuple[object, ...]] = {
    **RIGHT,
    "Int": (0, 7, -1, 2**31 - 1),
    "Float": (0.5, -2.0),
    "String": ("", "word"),
    "Boolean": (True, False),
    "ID": ("a", "b"),
}
WRONG: tuple[object, ...] = (
    2**40, 1.5, "text", float("inf"), [], {}, {"a": [1]}, b"bytes", object(), 2, 4, "RED",
    Undefined,
)  # fmt: skip
NO_LISTS = ("text", 5, {"a": 1}, b"12", object())


class Refusal(Exception):
    """An error with extensions and a message of its own."""

    def __init__(self, message: str) -> None:
        super().__init__(f"not the message: {message}")
        self.message = message
        self.extensions = {"code": "REFUSED", "detail": [message]}


@dataclass(frozen=True)
class Nature:
    """How nasty a schema is: shares of all values, 0 to 1."""

    seed: object
    failing: float = 0.02
    null: float = 0.05
    wrong: float = 0.02
    # Values that have to be awaited.
    waiting: float = 0.0
    # Fields that fail for every row, as when a batch function raises.
    outage: float = 0.01
    # Rows that several parents have, the same objects each time.
    shared: dict[str, "Row"] = field(default_factory=dict)

    def row(self, kind: str, dice: Dice, honest: bool) -> "Row":
        if not honest and dice.chance(self.wrong):
            kind = dice.pick(("Plant", "Animal", "Stone", "Wrong"))
        key = f"{'honest' if honest else ''}{kind}"
        if dice.chance(0.3):
            key += str(dice.below(3))
            return self.shared.setdefault(key, Row(self, kind, key))
        return Row(self, kind, f"{key}{dice.state:x}")

    def field(self, type_: GraphQLOutputType, key: str, at: str, arguments: Any) -> Any:
        """The value of a field of the row with this key; raises as a resolver does."""
        shown = str(sorted(arguments.items())) if arguments else ""
        self.check_outage(at, shown)
        dice = Dice(self.seed, key, at, shown)
        if at.endswith(".echo"):
            return shown if not dice.chance(self.failing) else failure(dice)
        # The fields of the root fail less: what they give is all that there is to look at.
        calm = 0.2 if at.startswith(("Query", "Mutation")) else 1.0
        return self.value(type_, dice, calm, self.is_honest(at))

    def is_honest(self, at: str) -> bool:
        """Whether a field gives rows of no other types than its own."""
        return Dice(self.seed, "honest", at).chance(0.3)

    def check_outage(self, at: str, shown: str) -> None:
        """Raise the error of all rows if this field is out of order."""
        if Dice(self.seed, "outage", at, shown).chance(self.outage):
            raise RuntimeError(f"{at} is out of order")

    def value(
        self, type_: GraphQLOutputType, dice: Dice, calm: float = 1.0, honest: bool = False
    ) -> Any:
        """A value for a position of this type; exceptions are raised or given as values."""
        if dice.chance(self.failing * calm):
            error = failure(dice)
            if dice.chance(0.5):
                return error
            raise error
        strict = isinstance(type_, GraphQLNonNull)
        if dice.chance(self.null * calm / (4 if strict else 1)):
            return None if dice.chance(0.7) else Undefined
        inner: Any = get_nullable_type(type_)
        wrong = dice.chance(self.wrong * calm)
        if isinstance(inner, GraphQLList):
            return dice.pick(NO_LISTS) if wrong else self.many(inner.of_type, dice, honest)
        if inner.name in OBJECTS:
            if wrong and not honest:
                return self.row("Wrong", dice, honest)
            return self.row(dice.pick(OBJECTS[inner.name]), dice, honest)
        if inner.name == "Heap":
            return Heap(self, dice)
        return dice.pick(WRONG) if wrong else dice.pick(RIGHT[inner.name])

    def many(self, item: GraphQLOutputType, dice: Dice, honest: bool) -> Any:
        """A list of zero to six items: a list, a tuple or a generator."""
        count = dice.pick((0, 1, 1, 2, 2, 3, 6))
        items = self.lazily(item, [Dice(dice.below(2**31)) for _ in range(count)], honest)
        if dice.chance(0.3):
            return items
        return tuple(list_of(items)) if dice.chance(0.3) else list_of(items)

    def lazily(self, item: GraphQLOutputType, dice: list[Dice], honest: bool) -> Iterator[Any]:
        """Items one by one, which may fail half-way."""
        for one in dice:
            yield self.value(item, one, honest=honest)

    def is_tame(self, name: str) -> bool:
        """Whether a column has values of one type, and no null where its type allows none."""
        return Dice(self.seed, "tame", name).chance(0.5)

    def column(self, kind: str, key: str, name: str) -> Any:
        """The value of a column of a row; an exception is a value as any other."""
        type_ = COLUMN_TYPES.get((kind, name))
        if type_ is None:
            return None
        dice = Dice(self.seed, key, name)
        inner: Any = get_nullable_type(type_)
        if self.is_tame(name) and not isinstance(inner, GraphQLList):
            if type_ is inner and dice.chance(self.null):
                return None
            return dice.pick(TAME[inner.name])
        try:
            value = self.value(type_, dice)
        except Exception as error:
            return error
        return without_generators(value)


def failure(dice: Dice) -> Exception:
    """An exception as resolvers raise them."""
    number = dice.below(1000)
    kind = dice.below(6)
    if kind == 0:
        return GraphQLError(f"refused {number}", extensions={"number": number})
    if kind == 1:
        return Refusal(f"no {number}")
    if kind == 2:
        return KeyError(number)
    if kind == 3:
        return ValueError()
    return RuntimeError(f"broken {number}")


def list_of(values: Iterator[Any]) -> list[Any]:
    """The items of a generator up to its failure, which becomes the last item."""
    found = []
    try:
        for value in values:
            found.append(value)
    except Exception as error:
        found.append(error)
    return found


def without_generators(value: Any) -> Any:
    """A value that can be read many times."""
    if isinstance(value, list | tuple | Iterator):
        items = list_of(value) if isinstance(value, Iterator) else value
        return [without_generators(item) for item in items]
    return value


class Row:
    """A row of the nasty world; its columns are attributes with names that start with `column`."""

    def __init__(self, nature: Nature, kind: str, key: str) -> None:
        self.nature = nature
        self.kind = kind
        self.key = key

    def __getattr__(self, name: str) -> Any:
        if not name.startswith(COLUMN):
            raise AttributeError(name)
        return self.nature.column(self.kind, self.key, name)

    def __inspect__(self) -> str:
        return f"<{self.kind} {self.key}>"


class Heap:
    """A page of stones, with a flag that may be null though its type does not allow it."""

    def __init__(self, nature: Nature, dice: Dice) -> None:
        self.more = None if dice.chance(nature.null / 4) else dice.chance(0.5)
        self.nodes: Any = [nature.row("Stone", dice, honest=True) for _ in range(dice.below(4))]
        if self.nodes and dice.chance(nature.null / 4):
            self.nodes[-1] = None

    @property
    def edges(self) -> list["HeapEdge"]:
        return [HeapEdge(number, node) for number, node in enumerate(self.nodes)]


@dataclass
class HeapEdge:
    """A stone and its number."""

    cursor: int
    node: Any
