"""Rows: tuples of what a statement selected, as the driver gave it, read like ORM rows.

`row.title` is the Python value that the model's attribute would have, `row[0]` is the driver's
own value. The class of a row holds its `row_layout`, which says how the one becomes the other; it
is made once for the same columns of the same model, whatever the statement.
"""

import datetime as dt
import enum
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from operator import attrgetter, itemgetter
from types import NoneType
from typing import Any, TypeVar, get_args, get_type_hints

import orjson
from sqlalchemy import JSON, Boolean, Enum, Integer, String
from sqlalchemy.types import TypeEngine

from db.base import LevelRank, RoleRank, Timestamp
from db.enums import DefaultLevel, Role

Convert = Callable[[Any], Any]
SQLITE = "sqlite"
# The scalars of both interfaces that objects and times become.
JSON_SCALAR = "JSONObject"
TIME_SCALAR = "DateTime"


class Nested(JSON):
    """Values of other rows that belong to a row, as JSON."""

    cache_ok = True


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """One selected column: the attribute that it becomes, its type, whether it may be null."""

    name: str
    type: TypeEngine[Any]
    nullable: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """Where the attributes of a kind of row stand, and what has to be done with their values."""

    # The ORM class that the attributes belong to; None for rows of no class.
    model: Any
    names: tuple[str, ...]
    index: Mapping[str, int]
    # Driver's value -> Python value; absent where they are the same.
    convert: Mapping[str, Convert]
    # Driver's value -> JSON, by attribute and name of the scalar; None where they are the same,
    # and never called with None.
    wire: Mapping[tuple[str, str], Convert | None]
    # The same for values that the driver gives as text of JSON: what writes that text as it is.
    fragments: Mapping[tuple[str, str], Convert]
    # What the driver's values are, where that is known and they are not null.
    types: Mapping[str, type]
    not_null: frozenset[str]
    # Whether all values of the driver are texts, whole numbers and nulls.
    plain: bool
    # Columns with the values of other rows.
    nested: frozenset[str]


def model_of(row: Any) -> Any:
    """The ORM class of a row, be it an object of that class or a tuple of its columns."""
    layout = getattr(type(row), "row_layout", None)
    return type(row) if layout is None else layout.model


def values_of(rows: Sequence[Any], name: str) -> list[Any]:
    """An attribute of each row: in one step where all have the same layout."""
    kinds = set(map(type, rows))
    layout = getattr(kinds.pop(), "row_layout", None) if len(kinds) == 1 else None
    if layout is None or name not in layout.index:
        return list(map(attrgetter(name), rows))
    raw = map(itemgetter(layout.index[name]), rows)
    convert = layout.convert.get(name)
    return list(raw if convert is None else map(convert, raw))


# ------------------------------------------------------------------ values


def _json(raw: Any) -> Any:
    # SQLAlchemy's PostgreSQL driver reads JSON itself; no column holds a bare text.
    return orjson.loads(raw) if isinstance(raw, str) else raw


def _fragment(raw: Any) -> Any:
    if not isinstance(raw, str):
        return raw
    # None is stored as the JSON null.
    return None if raw == "null" else orjson.Fragment(raw)


def _time(raw: str | None) -> dt.datetime | None:
    # SQLite's text has no zone, and is in UTC.
    return None if raw is None else dt.datetime.fromisoformat(raw).replace(tzinfo=dt.UTC)


def _sqlite_wire(raw: str) -> str:
    # 2026-01-01 00:00:00.000000
    return f"{raw[:10]}T{raw[11:23]}Z"


def _ranks(of_rank: Callable[[Any], Any], ranks: Sequence[int]) -> Convert:
    values: dict[int | None, Any] = {rank: of_rank(rank) for rank in ranks}
    return {**values, None: None}.__getitem__


_ROLE = _ranks(Role.of_rank, range(len(Role) + 1))
_LEVEL = _ranks(DefaultLevel.of_rank, range(-1, len(Role) + 1))
_TRUTH: Convert = {0: False, 1: True, None: None}.__getitem__


@lru_cache(maxsize=256)
def _members(values: type[enum.Enum]) -> Convert:
    members: dict[str | None, Any] = {member.value: member for member in values}
    return {**members, None: None}.__getitem__


def converter(type_: TypeEngine[Any], dialect: str) -> Convert | None:
    """The conversion of a driver's values of this type to Python's; None when they are those."""
    if isinstance(type_, RoleRank):
        return _ROLE
    if isinstance(type_, LevelRank):
        return _LEVEL
    if isinstance(type_, Timestamp):
        return _time
    if isinstance(type_, Enum) and type_.enum_class is not None:
        return _members(type_.enum_class)
    if isinstance(type_, JSON):
        return _json
    if isinstance(type_, Boolean) and dialect == SQLITE:
        return _TRUTH
    return None


def driver_type(type_: TypeEngine[Any], dialect: str) -> type | None:
    """The class of a driver's values of this type; None when it is not known."""
    if isinstance(type_, Integer | RoleRank | LevelRank):
        return int
    if isinstance(type_, Boolean):
        return int if dialect == SQLITE else bool
    return str if isinstance(type_, String | Enum) else None


def _is_plain(type_: TypeEngine[Any]) -> bool:
    plain = (String, Enum, Integer, Boolean, RoleRank, LevelRank, Timestamp, JSON)
    return isinstance(type_, plain)


def _layout(model: Any, columns: Sequence[Column], dialect: str) -> Layout:
    convert: dict[str, Convert] = {}
    wire: dict[tuple[str, str], Convert | None] = {}
    fragments: dict[tuple[str, str], Convert] = {}
    types: dict[str, type] = {}
    for column in columns:
        how = converter(column.type, dialect)
        if how is not None:
            convert[column.name] = how
        type_ = driver_type(column.type, dialect)
        if type_ is not None:
            types[column.name] = type_
        if isinstance(column.type, JSON):
            fragments[column.name, JSON_SCALAR] = _fragment
        if isinstance(column.type, Timestamp):
            # Statements on PostgreSQL have made the text (db/prepared.py).
            wire[column.name, TIME_SCALAR] = _sqlite_wire if dialect == SQLITE else None
    # A rank that is not null may still say "no role", which is None.
    ranks = (RoleRank, LevelRank)
    return Layout(
        model,
        tuple(column.name for column in columns),
        {column.name: place for place, column in enumerate(columns)},
        convert,
        wire,
        fragments,
        types,
        frozenset(
            column.name
            for column in columns
            if not (column.nullable or isinstance(column.type, ranks))
        ),
        all(_is_plain(column.type) for column in columns),
        frozenset(column.name for column in columns if isinstance(column.type, Nested)),
    )


# ------------------------------------------------------------------ classes


def _attribute(place: int, convert: Convert | None) -> property:
    if convert is None:
        return property(itemgetter(place))

    def read(row: Any) -> Any:
        return convert(row[place])

    return property(read)


@dataclass(frozen=True, slots=True, eq=False)
class RowClasses:
    """The classes of one layout: a tuple, and a record that PostgreSQL's driver fills itself."""

    layout: Layout
    of_tuple: type[tuple[Any, ...]]
    of_record: type[Any] | None


def row_classes(model: Any, columns: Sequence[Column], dialect: str) -> RowClasses:
    """The row classes for these columns; ValueError when two of them have one name."""
    layout = _layout(model, columns, dialect)
    if len(layout.index) != len(columns):
        raise ValueError(f"two columns of a row have one name: {', '.join(layout.names)}")
    members: dict[str, Any] = {
        name: _attribute(place, layout.convert.get(name)) for name, place in layout.index.items()
    }
    members |= {"row_layout": layout, "__slots__": ()}
    name = f"{getattr(model, '__name__', '')}Row"
    record = None
    if dialect != SQLITE:
        # The driver is there by now, and is loaded on PostgreSQL only.
        record = type(name, (import_module("asyncpg").Record,), dict(members))
    return RowClasses(layout, type(name, (tuple,), dict(members)), record)


Tuples = TypeVar("Tuples", bound=type[tuple[Any, ...]])


def with_row_layout(kind: Tuples) -> Tuples:
    """Give a class of named tuples the layout of rows, which the engine reads without conversions.

    Strings and booleans are shown without a check, so their annotations have to be true.
    """
    hints = get_type_hints(kind)
    types: dict[str, type] = {}
    not_null = set()
    for name in kind._fields:  # type: ignore[attr-defined]
        inner = [hint for hint in get_args(hints[name]) or (hints[name],) if hint is not NoneType]
        if len(inner) == 1 and inner[0] in (str, bool):
            types[name] = inner[0]
        if NoneType not in get_args(hints[name]):
            not_null.add(name)
    names = kind._fields  # type: ignore[attr-defined]
    index = {name: place for place, name in enumerate(names)}
    kind.row_layout = Layout(  # type: ignore[attr-defined]
        None, names, index, {}, {}, {}, types, frozenset(not_null), False, frozenset()
    )
    return kind


_shared: dict[tuple[Any, str, tuple[str, ...]], RowClasses] = {}
_SHARED_LIMIT = 4096


def model_row_classes(model: Any, columns: Sequence[Column], dialect: str) -> RowClasses:
    """The row classes for columns of `model`; the same ones for the same columns."""
    key = (model, dialect, tuple(column.name for column in columns))
    classes = _shared.get(key)
    if classes is None:
        if len(_shared) >= _SHARED_LIMIT:
            _shared.clear()
        classes = _shared[key] = row_classes(model, columns, dialect)
    return classes
