"""The declarative base, constraint names and column types that every model shares."""

import datetime as dt
import enum
import time
from collections.abc import Mapping
from typing import Annotated, Any

from sqlalchemy import JSON, DateTime, Enum, Integer, MetaData, String, Text, TypeDecorator
from sqlalchemy.engine import Dialect
from sqlalchemy.orm import DeclarativeBase, mapped_column

from db.enums import DefaultLevel, Role

# Deterministic names, so that migrations can alter constraints on every database.
NAMING = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}


def ordered_text(length: int) -> String:
    """Text that sorts bytewise whatever the database's collation (ids, sort keys, cursors)."""
    return String(length).with_variant(String(length, collation="C"), "postgresql")


class Timestamp(TypeDecorator[dt.datetime]):
    """An aware UTC time with milliseconds; SQLite stores it without its zone."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: dt.datetime | None, dialect: Dialect) -> Any:
        if value is None:
            return None
        value = value.astimezone(dt.UTC)
        # Both interfaces show milliseconds; what is beyond them would be lost in cursors.
        value = value.replace(microsecond=value.microsecond // 1000 * 1000)
        return value.replace(tzinfo=None) if dialect.name == "sqlite" else value

    def process_result_value(self, value: Any, dialect: Dialect) -> dt.datetime | None:
        if value is None:
            return None
        moment: dt.datetime = value
        return moment.replace(tzinfo=dt.UTC) if moment.tzinfo is None else moment.astimezone(dt.UTC)


class RoleRank(TypeDecorator[Role]):
    """A role or None ("no access", or "guest" for a membership), stored as its rank.

    Ranks (none 0, read 1 ... admin 6) make "at least edit" and "the highest of" plain SQL.
    """

    impl = Integer
    cache_ok = True

    def process_bind_param(self, value: Role | None, dialect: Dialect) -> int:
        return 0 if value is None else value.rank

    def process_result_value(self, value: Any, dialect: Dialect) -> Role | None:
        return Role.of_rank(value)


class LevelRank(TypeDecorator[DefaultLevel]):
    """A default level (None = no access), stored as its rank; `inherit` is -1."""

    impl = Integer
    cache_ok = True
    # None is a level of its own: without this an INSERT would put the column's default there.
    should_evaluate_none = True

    def process_bind_param(self, value: DefaultLevel | None, dialect: Dialect) -> int:
        return 0 if value is None else value.rank

    def process_result_value(self, value: Any, dialect: Dialect) -> DefaultLevel | None:
        return DefaultLevel.of_rank(value)


Id = Annotated[str, mapped_column(ordered_text(64))]
SortKey = Annotated[str, mapped_column(ordered_text(255))]
Data = Mapping[str, Any]


def enum_type(values: type[enum.Enum]) -> Enum:
    """Enumerations are stored by value in a text column: a new value needs no migration."""
    return Enum(
        values,
        native_enum=False,
        create_constraint=False,
        length=64,
        values_callable=lambda members: [member.value for member in members],
    )


class Base(DeclarativeBase):
    metadata = MetaData(naming_convention=NAMING)
    type_annotation_map = {  # noqa: RUF012 (SQLAlchemy's own protocol)
        str: Text(),
        dt.datetime: Timestamp(),
        Data: JSON(),
        list[str]: JSON(),
    }


def utc_now() -> dt.datetime:
    """The present in UTC, cut to milliseconds as both interfaces show it."""
    # A third of the time that `replace` takes, and each request asks several times.
    return dt.datetime.fromtimestamp(time.time_ns() // 1_000_000 / 1_000, dt.UTC)
