"""Loading through the context, and what the runners demand."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from sqlalchemy.exc import DataError, OperationalError

from db.enums import TokenScope
from db.models.organizations import Organization
from db.session import Session
from resolvers.access.policy import must
from resolvers.core.actors import NOBODY, Actor
from resolvers.core.context import Context
from resolvers.core.database_errors import expected
from resolvers.core.errors import (
    ApiError,
    BadRequest,
    Forbidden,
    NotFound,
    Unauthenticated,
    Unavailable,
)
from resolvers.core.runners import read, run
from tests.conftest import World, context


@dataclass
class Row:
    value: int


async def values(ctx: Context, rows: Sequence[Row], arguments: Any) -> list[int]:
    CALLS.append(len(rows))
    return [row.value for row in rows]


CALLS: list[int] = []


async def test_rows_of_one_turn_are_loaded_together(session: Session) -> None:
    CALLS.clear()
    ctx = context(session)
    rows = [Row(number) for number in range(30)]
    assert await asyncio.gather(*(ctx.load(values, row) for row in rows)) == list(range(30))
    assert CALLS == [30]


async def test_a_row_never_gets_the_value_of_another_that_was_in_its_place(
    session: Session,
) -> None:
    ctx = context(session)
    for number in range(200):
        # The row before is gone, so this one may stand at the same address.
        assert await ctx.load(values, Row(number)) == number


async def test_runners_demand_scopes(session: Session, world: World) -> None:
    await session.commit()
    person = world.admin.id

    async def look(ctx: Context) -> str:
        return (await must(ctx, Organization, world.organization.id)).id

    with pytest.raises(Forbidden, match="'read' scope"):
        await read(Context(Actor(person), session), look)
    with pytest.raises(Forbidden, match="'write' scope"):
        await run(Context(Actor(person, frozenset({TokenScope.READ})), session), look)
    with pytest.raises(Unauthenticated):
        await run(Context(NOBODY, session), look)
    with pytest.raises(NotFound):
        await read(Context(NOBODY, session), look)


class Refused(Exception):
    """What a PostgreSQL driver raises, as far as it matters here."""

    def __init__(self, sqlstate: str) -> None:
        super().__init__("refused")
        self.sqlstate = sqlstate


@pytest.mark.parametrize(
    ("error", "meaning"),
    [
        (OperationalError("SELECT", {}, Refused("53300")), Unavailable),
        (OperationalError("SELECT", {}, Refused("57P03")), Unavailable),
        (OperationalError("SELECT", {}, Refused("42P01")), None),
        (OperationalError("SELECT", {}, Exception("database is locked")), Unavailable),
        (OperationalError("SELECT", {}, Exception("no such table: x")), None),
        (DataError("SELECT", {}, Refused("22003")), BadRequest),
        (Refused("53300"), Unavailable),
        (ConnectionRefusedError(111, "refused"), Unavailable),
        (NotFound("x"), NotFound),
        (KeyError("x"), None),
        (FileNotFoundError("x"), None),
    ],
)
def test_meaning_of_database_errors(error: BaseException, meaning: type[ApiError] | None) -> None:
    found = expected(error)
    assert found is None if meaning is None else isinstance(found, meaning)
