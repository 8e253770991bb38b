"""Inserting rows that may be there already."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy.dialects import postgresql, sqlite

from db.base import Base
from db.rows import SQLITE
from db.session import Session

ROWS_PER_INSERT = 500


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
    for start in range(0, len(rows), ROWS_PER_INSERT):
        await session.execute(statement, list(rows[start : start + ROWS_PER_INSERT]))
