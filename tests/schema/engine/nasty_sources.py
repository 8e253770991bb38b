"""The nasty schema as an engine sees a product: columns, batch functions and rows.

Batch functions are derived from the resolvers, so that graphql-core, which calls those, has the
same values. Some narrow: they give rows of exactly the columns that they are asked for.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from operator import itemgetter
from typing import Any

from graphql import GraphQLField, GraphQLNonNull, GraphQLObjectType, get_nullable_type

from resolvers.core.batch_functions import Columns, Projection
from schema.engine.sources import Attribute, Batch, Source
from tests.schema.engine.dice import Dice
from tests.schema.engine.nasty import serialize_odd
from tests.schema.engine.nasty_types import COLUMN, COLUMN_TYPES
from tests.schema.engine.nature import COLOURS, OBJECTS, TAME, Heap, HeapEdge, Nature, Row

RAW_COLOURS = {value: raw for raw, value in COLOURS.items()}


@dataclass(frozen=True, eq=False)
class RowLayout:
    """What is known of the rows of one class."""

    index: dict[str, int]
    convert: dict[str, Callable[[Any], Any]]
    wire: dict[tuple[str, str], Callable[[Any], Any]]
    types: dict[str, type]
    not_null: frozenset[str]


@dataclass
class RowMaker:
    """Makes rows; one class for the same columns of the same kind."""

    nature: Nature
    classes: dict[tuple[str, Columns], type[tuple[Any, ...]]] = field(default_factory=dict)

    def of(self, row: Row, columns: Columns) -> Any:
        """The row as a tuple of these columns in the form of a database driver."""
        known = self.classes.get((row.kind, columns))
        if known is None:
            known = self.classes[row.kind, columns] = self._class(row.kind, columns)
        layout: RowLayout = known.row_layout  # type: ignore[attr-defined]
        return known(self._raw(row, name) for name in layout.index)

    def _raw(self, row: Row, name: str) -> Any:
        value = getattr(row, name)
        how = self._converted(row.kind, name)
        if how is None or value is None:
            return value
        return RAW_COLOURS[value] if how == COLOURS.__getitem__ else ("raw", value)

    def _converted(self, kind: str, name: str) -> Callable[[Any], Any] | None:
        """How the raw value of a column becomes its value: some columns, by their name."""
        if not name.startswith(COLUMN):
            return None
        if self.is_tame(kind, name) and self._leaf(kind, name) == "Colour":
            return COLOURS.__getitem__
        if not self.is_tame(kind, name) and Dice(self.nature.seed, "raw", name).chance(0.3):
            return itemgetter(1)
        return None

    def _leaf(self, kind: str, name: str) -> str:
        inner: Any = get_nullable_type(COLUMN_TYPES.get((kind, name)))
        return str(inner)

    def is_tame(self, kind: str, name: str) -> bool:
        return self.nature.is_tame(name) and self._leaf(kind, name) in TAME

    def _class(self, kind: str, columns: Columns) -> type[tuple[Any, ...]]:
        if columns is None:
            own = {name for of, name in COLUMN_TYPES if of == kind}
            columns = frozenset({"key", "kind", *own})
        names = sorted(columns, reverse=len(columns) % 2 == 0)
        convert = {name: how for name in names if (how := self._converted(kind, name)) is not None}
        tame = [name for name in names if name.startswith(COLUMN) and self.is_tame(kind, name)]
        types = {name: type(TAME[self._leaf(kind, name)][0]) for name in tame}
        types |= dict.fromkeys(convert.keys() & types.keys(), str)
        layout = RowLayout(
            {name: place for place, name in enumerate(names)},
            convert,
            {(name, "Odd"): serialize_odd for name in tame if self._leaf(kind, name) == "Odd"},
            types | dict.fromkeys({"key", "kind"} & columns, str),
            frozenset(
                name
                for name in names
                if name in ("key", "kind")
                or (name in tame and isinstance(COLUMN_TYPES[kind, name], GraphQLNonNull))
            ),
        )
        members: dict[str, Any] = {
            name: property(partial(read, place, convert.get(name)))
            for name, place in layout.index.items()
        }
        members |= {"row_layout": layout, "__slots__": (), "__inspect__": shown}
        return type(f"{kind}Row", (tuple,), members)


def read(place: int, convert: Callable[[Any], Any] | None, row: Any) -> Any:
    value = row[place]
    return value if convert is None or value is None else convert(value)


def shown(row: Any) -> str:
    return f"<{row.kind} {row.key}>"


@dataclass
class NastySources:
    """Gives the sources of the nasty schema; which field has which is decided by the seed."""

    nature: Nature
    rows: RowMaker = field(init=False)
    # How often batch functions were called, and for how many rows.
    calls: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.rows = RowMaker(self.nature)

    def __call__(self, type_: GraphQLObjectType, name: str, one: GraphQLField) -> Source | None:
        at = f"{type_.name}.{name}"
        if type_.name.startswith("__") or name.startswith("__"):
            return None
        if type_.name.startswith("Heap"):
            return Attribute(name, passes=name in ("nodes", "edges", "node"))
        if type_.name in OBJECTS and name.startswith(COLUMN):
            return Attribute(name)
        dice = Dice(self.nature.seed, "source", at)
        takes_projection = self.nature.is_honest(at)
        if not takes_projection and dice.chance(0.4):
            return None
        reads = frozenset({"key"}) if dice.chance(0.7) else None
        call = (
            self.narrowing(one, at) if takes_projection else self.batch(one, at, dice.chance(0.5))
        )
        arguments = dict if one.args else None
        return Batch(call, arguments, dice.chance(0.5), reads, takes_projection)

    def values(self, one: GraphQLField, at: str, rows: Sequence[Any], arguments: Any) -> list[Any]:
        """What the resolver gives for each row; raises when the field is out of order."""
        self.calls.append(len(rows))
        self.nature.check_outage(at, str(sorted(arguments.items())) if arguments else "")
        found = []
        for row in rows:
            try:
                key = "root" if row is None else row.key
                found.append(self.nature.field(one.type, key, at, arguments))
            except Exception as error:
                found.append(error)
        return found

    def batch(self, one: GraphQLField, at: str, light: bool) -> Any:
        async def call(context: object, rows: Sequence[Any], arguments: Any) -> list[Any]:
            values = self.values(one, at, rows, arguments)
            return self.lighter(values, None, mixed=True) if light else values

        return call

    def narrowing(self, one: GraphQLField, at: str) -> Any:
        async def call(
            context: object, rows: Sequence[Any], arguments: Any, projection: Projection
        ) -> list[Any]:
            values = self.values(one, at, rows, arguments)
            return self.lighter(values, projection.columns, mixed=False)

        return call

    def lighter(self, values: list[Any], columns: Columns, *, mixed: bool) -> list[Any]:
        """The values with rows in place of objects; with `mixed`, of most of them."""
        made: dict[int, Any] = {}

        def as_rows(value: Any) -> Any:
            if isinstance(value, Row):
                if mixed and value.key[-1] in "0a":
                    return value
                if id(value) not in made:
                    made[id(value)] = (value, self.rows.of(value, columns))
                return made[id(value)][1]
            if isinstance(value, list):
                return [as_rows(item) for item in value]
            if isinstance(value, tuple):
                return tuple(as_rows(item) for item in value)
            if isinstance(value, Iterator):
                return map(as_rows, value)
            if isinstance(value, Heap):
                value.nodes = as_rows(value.nodes)
            if isinstance(value, HeapEdge):
                value.node = as_rows(value.node)
            return value

        return [as_rows(value) for value in values]
