"""Keyset pagination, the only one: orders, cursors and one page of a list (`Slice`).

A cursor holds the sort values of a row and a fingerprint of the list it belongs to (its name,
filters and order), so that it is refused with other filters. It is opaque to clients.
"""

import base64
import binascii
import datetime as dt
import enum
import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from operator import attrgetter
from typing import Any, Generic, TypeVar

import orjson
from sqlalchemy import ColumnElement, Integer, and_, bindparam, or_, tuple_

from db.base import RoleRank, Timestamp
from resolvers.core.arguments import After, Before, First, Last
from resolvers.core.context import Context
from resolvers.core.errors import BadRequest, invalid
from resolvers.core.installation import Settings
from resolvers.core.scalars import read_time

Row = TypeVar("Row")
Values = list[Any]
# Integer columns have 32 bits.
INTEGER_LIMIT = 2**31 - 1
# Behind the end of every list, and still a number of 32 bits when the size of a page is added.
PLACE_LIMIT = 2**30


@dataclass(frozen=True, slots=True, eq=False)
class SortColumn:
    """One column of an order, how its value is read from a row, and the attributes that takes.

    In a list that is in memory the name of an attribute stands for the column.
    """

    column: Any
    of_row: Callable[[Any], Any]
    descending: bool = False
    reads: tuple[str, ...] = ()

    def attributes(self) -> tuple[str, ...]:
        """The attributes that `of_row` reads: the column's own, unless it says others."""
        return self.reads or (self.column.key,)


@dataclass(frozen=True, slots=True)
class Span:
    """Between which cursors a page lies, and whether it is read from the end."""

    after: bool = False
    before: bool = False
    backward: bool = False


class Order:
    """A total order: the last column is unique among the rows of a list."""

    def __init__(self, columns: tuple[SortColumn, ...]) -> None:
        self.columns = columns
        self.reads = frozenset(name for part in columns for name in part.attributes())

    @cached_property
    def reversed(self) -> "Order":
        """The order backwards."""
        columns = (replace(part, descending=not part.descending) for part in self.columns)
        turned = Order(tuple(columns))
        turned.reversed = self
        return turned

    def directed(self, span: Span) -> "Order":
        """The order in which the rows of a page are read."""
        return self.reversed if span.backward else self

    def clauses(self) -> list[Any]:
        return [part.column.desc() if part.descending else part.column for part in self.columns]

    def after(self, values: Values) -> ColumnElement[bool]:
        """Rows behind `values`: (a > x) or (a = x and b > y) or ...

        Where all columns have one direction, that is the comparison of two rows, which databases
        look up in an index.
        """
        if len({part.descending for part in self.columns}) == 1 and len(values) > 1:
            own, cursor = tuple_(*(part.column for part in self.columns)), tuple_(*values)
            return own < cursor if self.columns[0].descending else own > cursor
        alternatives = []
        for index, part in enumerate(self.columns):
            beyond = part.column < values[index] if part.descending else part.column > values[index]
            equal = [
                earlier.column == value
                for earlier, value in zip(self.columns[:index], values, strict=False)
            ]
            alternatives.append(and_(*equal, beyond))
        return or_(*alternatives)

    def within(self, span: Span) -> list[ColumnElement[bool]]:
        """Rows behind the values of the parameters `after_0`, `after_1` ..., and before those of
        `before_0` ..., where the span has such cursors."""
        conditions = []
        if span.after:
            conditions.append(self.after(self._parameters("after")))
        if span.before:
            conditions.append(self.reversed.after(self._parameters("before")))
        return conditions

    def _parameters(self, name: str) -> Values:
        return [
            bindparam(f"{name}_{index}", type_=part.column.type)
            for index, part in enumerate(self.columns)
        ]

    def sort(self, rows: list[Any]) -> None:
        """Put rows into this order; text is compared by its bytes, as in the database."""
        for part in reversed(self.columns):
            rows.sort(key=part.of_row, reverse=part.descending)

    def sorted(self, rows: Sequence[Any]) -> list[Any]:
        """The rows in this order."""
        ordered = list(rows)
        self.sort(ordered)
        return ordered

    @property
    def mark(self) -> tuple[tuple[str, bool], ...]:
        """The identity of this order in fingerprints."""
        return tuple((str(part.column), part.descending) for part in self.columns)

    def values(self, row: Any) -> Values:
        return [part.of_row(row) for part in self.columns]


@cache
def by_id(model: Any, *, descending: bool = False) -> Order:
    """Creation order: ids sort by time."""
    return Order((SortColumn(model.id, attrgetter("id"), descending),))


@dataclass(frozen=True, slots=True)
class PageArguments:
    """Which page of a list is selected: of the rows between the cursors `after` and `before` the
    `first` ones, or the `last` ones."""

    first: First = None
    after: After = None
    last: Last = None
    before: Before = None

    def size(self, settings: Settings) -> int:
        """The number of rows, or Invalid when it is out of bounds."""
        if self.first is not None and self.last is not None:
            raise invalid("last", "is not allowed beside `first`; give one of them")
        name, number = ("first", self.first) if self.last is None else ("last", self.last)
        if number is None:
            return settings.page_size
        if not 1 <= number <= settings.page_limit:
            raise invalid(name, f"{number} is not allowed; it must be 1 to {settings.page_limit}")
        return number

    @property
    def span(self) -> Span:
        """Between which cursors the page lies, and whether it is read from the end."""
        before, alone = self.before is not None, self.first is None and self.after is None
        backward = self.last is not None or (before and alone)
        return Span(self.after is not None, before, backward)


@dataclass(frozen=True, slots=True)
class Edge(Generic[Row]):
    """A row with its cursor."""

    cursor: str
    node: Row


@dataclass(slots=True)
class Slice(Generic[Row]):
    """One page of a list."""

    rows: list[Row]
    # None when it was not selected.
    has_next: bool | None
    has_previous: bool | None
    cursor_of: Callable[[Row], str]
    counter: Any
    parent: str

    @property
    def edges(self) -> list[Edge[Row]]:
        return [Edge(self.cursor_of(row), row) for row in self.rows]

    @property
    def page_info(self) -> "Slice[Row]":
        """The slice itself, which has the members of PageInfo."""
        return self

    @property
    def start_cursor(self) -> str | None:
        """The cursor of the first row."""
        return self.cursor_of(self.rows[0]) if self.rows else None

    @property
    def end_cursor(self) -> str | None:
        """The cursor of the last row."""
        return self.cursor_of(self.rows[-1]) if self.rows else None

    @property
    def next_cursor(self) -> str | None:
        """The cursor to read on with; None on the last page."""
        return self.end_cursor if self.has_next else None


async def total_counts(ctx: Context, slices: Sequence[Slice[Any]], arguments: Any) -> list[int]:
    """How many rows each list has over all its pages: one statement for each kind of list."""
    results: dict[int, int] = {}
    groups: dict[int, list[Slice[Any]]] = {}
    for item in slices:
        groups.setdefault(id(item.counter), []).append(item)
    for group in groups.values():
        counts = await group[0].counter.counts(ctx, [item.parent for item in group])
        results.update((id(item), count) for item, count in zip(group, counts, strict=True))
    return [results[id(item)] for item in slices]


def _plain(value: Any) -> Any:
    return value.value if isinstance(value, enum.Enum) else value


def fingerprint(*parts: object) -> str:
    """Tells lists with other names, filters or orders apart."""
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:8]


def encode_cursor(mark: str, values: Values) -> str:
    data = orjson.dumps([mark, *map(_plain, values)])
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decode_cursor(mark: str, cursor: str, types: Sequence[type]) -> Values:
    """The sort values in a cursor, of these types: str, int or datetime.

    BadRequest when it is not one of this list: values of another type, or out of the range that
    a database compares, would fail there.
    """
    try:
        data = base64.b64decode(
            cursor.encode() + b"=" * (-len(cursor) % 4), altchars=b"-_", validate=True
        )
        parts = orjson.loads(data)
        if not isinstance(parts, list) or parts[:1] != [mark]:
            raise ValueError(cursor)
        return [_sort_value(value, type_) for value, type_ in zip(parts[1:], types, strict=True)]
    except (ValueError, TypeError, binascii.Error, UnicodeError) as error:
        raise BadRequest(
            "the page cursor is not valid for this list; pass one that this list returned, "
            "with the same filters and order"
        ) from error


def _sort_value(value: object, type_: type) -> Any:
    if type_ is dt.datetime and isinstance(value, str):
        return read_time(value)
    if type_ is int and type(value) is int and abs(value) <= INTEGER_LIMIT:
        return value
    if type_ is str and isinstance(value, str) and "\x00" not in value:
        return value
    raise ValueError(f"{value!r} is no {type_.__name__}")


@dataclass(frozen=True, slots=True)
class Places:
    """Which places of a list are selected, where cursors are places: those from `start` on, up to
    the place `stop` where there is one."""

    start: int
    stop: int | None
    size: int
    backward: bool

    @property
    def from_end(self) -> bool:
        """Whether the page is counted from the end, so that it needs the length of the list."""
        return self.backward and self.stop is None

    def range(self, total: int = 0) -> tuple[int, int]:
        """The first place to read, and how many: one more than the page where that tells whether
        others follow. `total` is the length of the list, for pages `from_end`."""
        if not self.backward:
            left = self.size if self.stop is None else self.stop - self.start - 1
            return self.start, max(0, min(self.size, left) + 1)
        stop = total if self.stop is None else self.stop
        begin = max(self.start, stop - self.size)
        return begin, max(0, stop - begin)

    def part(
        self, rows: Sequence[Any], begin: int, counter: Any, parent: str, mark: str, *also: int
    ) -> "Slice[Any]":
        """The page of the rows of such a range; `also` is what else its cursors hold."""
        shown = list(rows[: self.size])
        places = {id(row): begin + index for index, row in enumerate(shown)}
        return Slice(
            rows=shown,
            has_next=self.stop is not None if self.backward else len(rows) > self.size,
            has_previous=begin > self.start if self.backward else self.start > 0,
            cursor_of=lambda row: encode_cursor(mark, [places[id(row)], *also]),
            counter=counter,
            parent=parent,
        )


def places_of(arguments: PageArguments, mark: str, settings: Settings) -> Places:
    """The places that the arguments ask for, in a list whose cursors hold nothing else."""
    after, before = (
        None if cursor is None else decode_cursor(mark, cursor, [int])[0]
        for cursor in (arguments.after, arguments.before)
    )
    return places_between(arguments, after, before, settings)


def places_between(
    arguments: PageArguments, after: int | None, before: int | None, settings: Settings
) -> Places:
    """The places of a page between those that the cursors hold."""
    start = 0 if after is None else _bounded(after + 1)
    stop = None if before is None else _bounded(before)
    return Places(start, stop, arguments.size(settings), arguments.span.backward)


def _bounded(place: int) -> int:
    """A place in the range that a database compares."""
    return min(max(0, place), PLACE_LIMIT)


def cursor_type(column: Any) -> type:
    """The type of a column's value in a cursor: str, int or datetime."""
    if isinstance(column.type, Timestamp):
        return dt.datetime
    return int if isinstance(column.type, Integer | RoleRank) else str
