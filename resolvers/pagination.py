"""Keyset pagination, the only one: `Slice` for one parent, in one statement for many.

A cursor holds the sort values of a row and a fingerprint of the list it belongs to (its name,
filters and order), so that it is refused with other filters. It is opaque to clients.
"""

import base64
import binascii
import datetime as dt
import enum
import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import orjson
from sqlalchemy import ColumnElement, Integer, Select, and_, func, or_, select
from sqlalchemy.orm import aliased

from db.base import RoleRank, Timestamp
from resolvers.arguments import After, First
from resolvers.context import Context
from resolvers.errors import BadRequest, invalid
from resolvers.scalars import read_time

Row = TypeVar("Row")
Values = list[Any]
# Integer columns have 32 bits.
INTEGER_LIMIT = 2**31 - 1


@dataclass(frozen=True, slots=True)
class SortColumn:
    """One column of an order, and how its value is read from a row."""

    column: Any
    of_row: Callable[[Any], Any]
    descending: bool = False


@dataclass(frozen=True, slots=True)
class Order:
    """A total order: the last column is unique among the rows of a list."""

    columns: tuple[SortColumn, ...]

    def clauses(self) -> list[Any]:
        return [part.column.desc() if part.descending else part.column for part in self.columns]

    def after(self, values: Values) -> ColumnElement[bool]:
        """Rows behind `values`: (a > x) or (a = x and b > y) or ..."""
        alternatives = []
        for index, part in enumerate(self.columns):
            beyond = part.column < values[index] if part.descending else part.column > values[index]
            equal = [
                earlier.column == value
                for earlier, value in zip(self.columns[:index], values, strict=False)
            ]
            alternatives.append(and_(*equal, beyond))
        return or_(*alternatives)

    def values(self, row: Any) -> Values:
        return [part.of_row(row) for part in self.columns]


def by_id(model: Any, *, descending: bool = False) -> Order:
    """Creation order: ids sort by time."""
    return Order((SortColumn(model.id, lambda row: row.id, descending),))


@dataclass(frozen=True, slots=True)
class PageArguments:
    """How much of a list is wanted: `first` rows after the cursor `after`."""

    first: First = None
    after: After = None

    def size(self, ctx: Context) -> int:
        """The number of rows, or Invalid when it is out of bounds."""
        if self.first is None:
            return ctx.settings.page_size
        if not 1 <= self.first <= ctx.settings.page_limit:
            raise invalid(
                "first", f"{self.first} is not allowed; it must be 1 to {ctx.settings.page_limit}"
            )
        return self.first


class Counter:
    """Counts the rows of a list for many parents in one statement, when somebody asks."""

    def __init__(self, statement: Select[Any], parent: Any) -> None:
        self._statement = statement
        self._parent = parent

    async def counts(self, ctx: Context, parents: Sequence[str]) -> list[int]:
        rows = (
            self._statement.where(self._parent.in_(set(parents)))
            .with_only_columns(self._parent.label("parent"))
            .order_by(None)
            .subquery()
        )
        statement = select(rows.c.parent, func.count()).group_by(rows.c.parent)
        found = dict((await ctx.session.execute(statement)).all())
        return [found.get(parent, 0) for parent in parents]


@dataclass(frozen=True, slots=True)
class Edge(Generic[Row]):
    """A row with its cursor."""

    cursor: str
    node: Row


@dataclass(slots=True)
class Slice(Generic[Row]):
    """One page of a list."""

    rows: list[Row]
    has_next: bool
    has_previous: bool
    cursor_of: Callable[[Row], str]
    counter: Any
    parent: str

    @property
    def edges(self) -> list[Edge[Row]]:
        return [Edge(self.cursor_of(row), row) for row in self.rows]

    @property
    def page_info(self) -> "Slice[Row]":
        """Where the page stands: the slice knows that itself."""
        return self

    @property
    def start_cursor(self) -> str | None:
        return self.cursor_of(self.rows[0]) if self.rows else None

    @property
    def end_cursor(self) -> str | None:
        return self.cursor_of(self.rows[-1]) if self.rows else None

    @property
    def next_cursor(self) -> str | None:
        return self.cursor_of(self.rows[-1]) if self.has_next else None


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
            "with the same filters"
        ) from error


def _sort_value(value: object, type_: type) -> Any:
    if type_ is dt.datetime and isinstance(value, str):
        return read_time(value)
    if type_ is int and type(value) is int and abs(value) <= INTEGER_LIMIT:
        return value
    if type_ is str and isinstance(value, str) and "\x00" not in value:
        return value
    raise ValueError(f"{value!r} is no {type_.__name__}")


def _type_of(column: Any) -> type:
    """What a cursor holds for a column: str, int or datetime."""
    if isinstance(column.type, Timestamp):
        return dt.datetime
    return int if isinstance(column.type, Integer | RoleRank) else str


@dataclass(frozen=True, slots=True)
class Listing:
    """A paged list of `model` under a parent column: what `pages` needs besides the statement."""

    model: Any
    parent: Any
    order: Order
    # Name and filters of the list: a cursor of another list is refused.
    identity: tuple[object, ...]

    def mark(self) -> str:
        return fingerprint(
            self.identity, [(str(part.column), part.descending) for part in self.order.columns]
        )


async def pages(
    ctx: Context,
    listing: Listing,
    statement: Select[Any],
    parents: Sequence[str],
    page: PageArguments,
) -> list[Slice[Any]]:
    """One page for each parent, in one statement.

    `statement` selects the rows the actor may see, with all filters but the parent's.
    """
    size = page.size(ctx)
    order, mark = listing.order, listing.mark()
    counter = Counter(statement, listing.parent)
    if page.after is not None:
        types = [_type_of(part.column) for part in order.columns]
        statement = statement.where(order.after(decode_cursor(mark, page.after, types)))
    unique = list(dict.fromkeys(parents))
    if len(unique) == 1:
        limited = statement.where(listing.parent == unique[0]).order_by(*order.clauses())
        found = (await ctx.session.execute(limited.limit(size + 1))).scalars().all()
        rows = {unique[0]: list(found)}
    else:
        rows = await _pages_of_many(ctx, listing, statement, unique, size)

    def cursor_of(row: Any) -> str:
        return encode_cursor(mark, order.values(row))

    return [
        Slice(
            rows=rows.get(parent, [])[:size],
            has_next=len(rows.get(parent, [])) > size,
            has_previous=page.after is not None,
            cursor_of=cursor_of,
            counter=counter,
            parent=parent,
        )
        for parent in parents
    ]


async def _pages_of_many(
    ctx: Context, listing: Listing, statement: Select[Any], parents: list[str], size: int
) -> dict[str, list[Any]]:
    place = func.row_number().over(partition_by=listing.parent, order_by=listing.order.clauses())
    numbered = (
        statement.where(listing.parent.in_(parents))
        .add_columns(listing.parent.label("parent_key"), place.label("place"))
        .subquery()
    )
    model = aliased(listing.model, numbered)
    wanted = (
        select(numbered.c.parent_key, model)
        .where(numbered.c.place <= size + 1)
        .order_by(numbered.c.parent_key, numbered.c.place)
    )
    rows: dict[str, list[Any]] = {}
    for parent, row in await ctx.session.execute(wanted):
        rows.setdefault(parent, []).append(row)
    return rows
