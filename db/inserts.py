"""Inserting rows that may be there already; long lists in parts."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar

from sqlalchemy import JSON, ColumnElement, Text, bindparam, cast
from sqlalchemy.dialects import postgresql, sqlite

from db.base import Base
from db.rows import SQLITE
from db.session import Session

T = TypeVar("T")
ROWS_PER_INSERT = 500


def parts(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    """The items in pieces of at most `size`, for statements that take no more at once."""
    for start in range(0, len(items), size):
        yield items[start : start + size]


def json_text(session: Session, name: str) -> ColumnElement[Any]:
    """The parameter of this name, a JSON text, as the value of a column of type JSON."""
    text: ColumnElement[Any] = bindparam(name, type_=Text())
    return text if session.get_bind().dialect.name == SQLITE else cast(text, JSON)


def insert_of(session: Session, model: type[Base]) -> sqlite.Insert | postgresql.Insert:
    """An INSERT that takes `ON CONFLICT`, of the database that the session is of."""
    dialect = session.get_bind().dialect.name
    return sqlite.insert(model) if dialect == SQLITE else postgresql.insert(model)


async def insert_missing(
    session: Session, model: type[Base], rows: Sequence[Mapping[str, Any]]
) -> None:
    """Insert rows, but those whose key is there already."""
    # Otherwise rows of different kinds, with other columns that are null, were apart.
    statement = insert_of(session, model).on_conflict_do_nothing()
    statement = statement.execution_options(render_nulls=True)
    for some in parts(rows, ROWS_PER_INSERT):
        await session.execute(statement, list(some))
