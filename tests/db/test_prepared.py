"""Prepared statements: one text whatever the values, and rows that read like ORM rows."""

import datetime as dt
from typing import Any

import orjson
import pytest
from sqlalchemy import DateTime, Integer, bindparam, func, inspect, select

from db.base import Base
from db.content_enums import ChangeRequestStatus
from db.models.all import metadata
from db.models.change_requests import ChangeRequest
from db.models.organizations import User
from db.models.spaces import Space
from db.prepared import KEY, POSTGRESQL, Prepared, among
from db.reading import SessionReader
from db.rows import JSON_SCALAR, SQLITE, TIME_SCALAR, model_of
from db.session import Database, Session
from resolvers.core.scalars import write_time
from tests.conftest import World
from tests.seeds import sow


def test_the_length_of_a_list_does_not_change_the_text() -> None:
    statement = select(User.id).where(among(User.id, "ids")).limit(bindparam("n", 1, Integer()))
    on_postgresql = Prepared(statement, POSTGRESQL)
    on_sqlite = Prepared(statement, SQLITE)
    assert "= ANY ($1::VARCHAR[])" in on_postgresql.text
    assert "IN (SELECT value FROM json_each(?))" in on_sqlite.text
    # A comparison of the condition would hide it from the index.
    assert "= 1" not in on_sqlite.text
    assert on_postgresql.parameters({"ids": ("a", "b")})[0] == ["a", "b"]
    assert on_sqlite.parameters({"ids": {"a"}})[0] == '["a"]'


def test_values_are_bound_as_their_type_wants() -> None:
    statement = select(ChangeRequest.id).where(
        among(ChangeRequest.status, "statuses"),
        ChangeRequest.status != ChangeRequestStatus.DRAFT,
        ChangeRequest.created_at > bindparam("since", type_=ChangeRequest.created_at.type),
    )
    since = dt.datetime(2026, 1, 1, tzinfo=dt.timezone(dt.timedelta(hours=2)))
    values = {"statuses": [ChangeRequestStatus.OPEN], "since": since}
    assert Prepared(statement, POSTGRESQL).parameters(values) == [["open"], "draft", since]
    assert Prepared(statement, SQLITE).parameters(values) == [
        '["open"]', "draft", "2025-12-31 22:00:00.000000",
    ]  # fmt: skip


def test_a_missing_value_is_named() -> None:
    prepared = Prepared(select(User.id).where(User.id == bindparam("id", type_=KEY)), SQLITE)
    with pytest.raises(KeyError, match="id"):
        prepared.parameters({})


def test_texts_that_depend_on_values_are_refused() -> None:
    with pytest.raises(ValueError, match="depends on values"):
        Prepared(select(User.id).where(User.id.in_(["a", "b"])), SQLITE)


def test_names_of_columns_are_unique() -> None:
    with pytest.raises(ValueError, match="one name: id, id"):
        Prepared(select(User.id, Space.id), SQLITE, None, ["id", "id"])


def test_row_classes_are_shared() -> None:
    first = Prepared(select(User.id, User.email), SQLITE, User)
    second = Prepared(select(User.id, User.email).where(User.id == "a"), SQLITE, User)
    assert first.classes is second.classes
    assert first.layout.not_null == {"id", "email"}


async def test_rows_read_like_orm_rows(database: Database, session: Session, world: World) -> None:
    await sow(session, world)
    compared = 0
    async with database.reader() as reader:
        for mapper in Base.registry.mappers:
            model: Any = mapper.class_
            keys = [attribute.key for attribute in inspect(model).column_attrs]
            statement = select(*(getattr(model, key) for key in keys)).order_by(
                *inspect(model).primary_key
            )
            prepared = Prepared(statement, reader.dialect, model)
            orm = (await session.execute(select(model).order_by(*mapper.primary_key))).scalars()
            expected = [{key: getattr(row, key) for key in keys} for row in orm]
            for source in (reader, SessionReader(session)):
                rows = await source.fetch(prepared, {})
                assert [{key: getattr(row, key) for key in keys} for row in rows] == expected
                compared += len(rows)
                for row in rows:
                    assert model_of(row) is model
                    _check_layout(row)
    assert compared > 40 * 2
    assert len(metadata.tables) >= 15


def _check_layout(row: Any) -> None:
    """What the layout says of the driver's values is so."""
    layout = type(row).row_layout
    for name, place in layout.index.items():
        raw = row[place]
        if raw is None:
            assert name not in layout.not_null
            continue
        if name in layout.types:
            assert type(raw) is layout.types[name]
        if name not in layout.convert:
            assert getattr(row, name) == raw
        if (name, JSON_SCALAR) in layout.fragments:
            shown = orjson.dumps(layout.fragments[name, JSON_SCALAR](raw))
            assert orjson.loads(shown) == getattr(row, name)
        if (name, TIME_SCALAR) in layout.wire:
            wire = layout.wire[name, TIME_SCALAR]
            assert (raw if wire is None else wire(raw)) == write_time(getattr(row, name))


@pytest.mark.parametrize("microseconds", [0, 1000, 999_999])
async def test_times_are_written_alike(
    session: Session, database: Database, microseconds: int
) -> None:
    moment = dt.datetime(2026, 2, 3, 4, 5, 6, microseconds, tzinfo=dt.UTC)
    column = bindparam("moment", type_=User.created_at.type)
    statement = select(func.coalesce(column, column).label("moment"))
    reader = SessionReader(session)
    (row,) = await reader.fetch(Prepared(statement, reader.dialect), {"moment": moment})
    write = row.row_layout.wire["moment", TIME_SCALAR]
    assert row.moment == moment.replace(microsecond=microseconds // 1000 * 1000)
    assert (row[0] if write is None else write(row[0])) == write_time(moment)
    assert isinstance(User.created_at.type.load_dialect_impl(database.engine.dialect), DateTime)
