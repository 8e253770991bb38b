"""All rows of a database, read from one snapshot of it and written into an empty one.

Rows are lists of what JSON can hold, the same on both databases. What can be made again from them
is left out (`DERIVED`).
"""

import base64
import datetime as dt
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    JSON,
    ColumnElement,
    Enum,
    Integer,
    LargeBinary,
    String,
    Table,
    Text,
    TypeDecorator,
    bindparam,
    cast,
    delete,
    func,
    insert,
    select,
    type_coerce,
)
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.schema import AddConstraint, DropConstraint, ForeignKeyConstraint

from db.base import LevelRank, RoleRank, Timestamp
from db.models.all import metadata
from db.session import Database

Scalar = str | int | float | bool | None
Row = list[Scalar]

BATCH = 500
# Made again from the other rows, by `jobs.reindex`; versions of sites by triggers as rows come in.
DERIVED = frozenset(
    {"content_index", "indexed_page", "indexed_section", "content_link", "content_link_use",
     "site_version"}
)  # fmt: skip


class NotEmptyError(Exception):
    """The database that rows should go into has some already."""


def copied_tables() -> list[Table]:
    """The tables whose rows are copied, each behind those that it refers to."""
    return [table for table in metadata.sorted_tables if table.name not in DERIVED]


@dataclass(frozen=True, slots=True)
class _Form:
    """How a column is read and written."""

    # What a statement reads and writes in place of the type of the model.
    type: Any
    to_json: Callable[[Any], Scalar] | None = None
    of_json: Callable[[Any], Any] | None = None


def _form(column: Any) -> _Form:
    match column.type:
        case Timestamp():
            return _Form(column.type, dt.datetime.isoformat, dt.datetime.fromisoformat)
        case LargeBinary():
            return _Form(column.type, lambda value: base64.b64encode(value).decode(), _bytes_of)
        case RoleRank() | LevelRank():
            return _Form(Integer())
        case Enum():
            return _Form(String())
        # As it is written: the null of JSON stays another one than that of SQL.
        case JSON():
            return _Form(Text())
        case TypeDecorator():
            raise TypeError(f"{column}: no form for {column.type!r}")
    return _Form(column.type)


def _bytes_of(text: str) -> bytes:
    return base64.b64decode(text, validate=True)


def _read(column: Any, is_sqlite: bool) -> ColumnElement[Any]:
    form = _form(column)
    if isinstance(column.type, JSON) and not is_sqlite:
        return cast(column, form.type)
    return type_coerce(column, form.type)


def _written(column: Any, is_sqlite: bool) -> ColumnElement[Any]:
    value = bindparam(f"v_{column.name}", type_=_form(column).type)
    if isinstance(column.type, JSON) and not is_sqlite:
        return cast(value, column.type)
    return value


class Snapshot:
    """One state of a database, whatever is written meanwhile."""

    def __init__(self, connection: AsyncConnection, is_sqlite: bool) -> None:
        self._connection, self._is_sqlite = connection, is_sqlite

    async def count(self, table: Table) -> int:
        """How many rows a table has."""
        rows = await self._connection.execute(select(func.count()).select_from(table))
        return int(rows.scalar_one())

    async def rows(
        self,
        table: Table,
        where: ColumnElement[bool] | None = None,
        order: Sequence[ColumnElement[Any]] = (),
    ) -> AsyncIterator[list[Row]]:
        """The rows of a table, or those that satisfy a condition, in batches; their values in the
        order of its columns."""
        columns = list(table.columns)
        forms = [_form(column).to_json for column in columns]
        statement = select(*(_read(column, self._is_sqlite) for column in columns))
        if where is not None:
            statement = statement.where(where)
        if order:
            statement = statement.order_by(*order)
        result = await self._connection.stream(statement)
        async for batch in result.partitions(BATCH):
            yield [
                [
                    value if form is None or value is None else form(value)
                    for form, value in zip(forms, row, strict=True)
                ]
                for row in batch
            ]


@asynccontextmanager
async def open_snapshot(database: Database) -> AsyncIterator[Snapshot]:
    """A snapshot of a database that may be served meanwhile."""
    async with database.connection() as connection, connection.begin():
        yield Snapshot(connection, database.is_sqlite)


class Loading:
    """A transaction that rows are written in."""

    def __init__(self, connection: AsyncConnection, is_sqlite: bool) -> None:
        self.connection, self._is_sqlite = connection, is_sqlite

    async def write(self, table: Table, names: Sequence[str], rows: Sequence[Row]) -> None:
        """Write rows with values of these columns."""
        columns = [table.columns[name] for name in names]
        forms = [(f"v_{column.name}", _form(column).of_json) for column in columns]
        values = {column.name: _written(column, self._is_sqlite) for column in columns}
        await self.connection.execute(
            insert(table).values(values),
            [
                {
                    name: value if form is None or value is None else form(value)
                    for (name, form), value in zip(forms, row, strict=True)
                }
                for row in rows
            ],
        )


@asynccontextmanager
async def open_addition(database: Database) -> AsyncIterator[Loading]:
    """A transaction that adds rows to a database that is served: all of them, or none. Rows come
    behind those that they refer to."""
    async with database.connection() as connection, connection.begin():
        yield Loading(connection, database.is_sqlite)


# Written by migrations, with values of its own in every database.
_MIGRATED = "instance_secret"


@asynccontextmanager
async def open_loading(database: Database) -> AsyncIterator[Loading]:
    """Fill an empty migrated database: committed at the end, and nothing when that fails.

    Rows may come before those of the same table that they refer to. NotEmptyError when there are
    rows already.
    """
    async with database.connection() as connection, connection.begin():
        for table in copied_tables():
            if table.name != _MIGRATED and (await connection.execute(select(table).limit(1))).all():
                raise NotEmptyError(f"the table {table.name} has rows")
        await connection.execute(delete(metadata.tables[_MIGRATED]))
        own = [
            constraint
            for table in copied_tables()
            for constraint in table.foreign_key_constraints
            if constraint.referred_table is table
        ]
        if database.is_sqlite:
            await connection.exec_driver_sql("PRAGMA defer_foreign_keys = ON")
        else:
            await _each(connection, DropConstraint, own)
        yield Loading(connection, database.is_sqlite)
        if not database.is_sqlite:
            await _each(connection, AddConstraint, own)
            # Before the commit: after it nothing may fail.
            await connection.exec_driver_sql("ANALYZE")


async def _each(
    connection: AsyncConnection, change: Any, constraints: Sequence[ForeignKeyConstraint]
) -> None:
    for constraint in constraints:
        await connection.execute(change(constraint))
