"""Point reads of one turn of the event loop are one statement; each gets its own row."""

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest
from sqlalchemy import bindparam, select

from db.models.organizations import User
from db.prepared import KEY, Prepared, among
from db.session import Database, Session
from db.sharing import KEYS, SHARED_KEY, TOGETHER, PointReads
from tests.conftest import Api, World

USERS = (
    select(User.display_name, User.id.label(SHARED_KEY))
    .where(among(User.id, KEYS))
    .where(User.id != bindparam("but", type_=KEY))
)


class Counted:
    """The point reads of a database, and how many keys each statement had."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.sizes: list[int] = []
        self.dialect = database.points.dialect
        self.points = PointReads(self.dialect, self.fetch)
        self.prepared = Prepared(USERS, self.dialect)
        self.failing: Exception | None = None

    async def fetch(self, prepared: Prepared, values: Mapping[str, Any]) -> list[Any]:
        self.sizes.append(len(values[KEYS]))
        if self.failing is not None:
            raise self.failing
        async with self.database.reader() as reader:
            return await reader.fetch(prepared, values, alone=True)

    async def name(self, key: str, but: str = "") -> str | None:
        row = await self.points.one(self.prepared, key, (("but", but),))
        return None if row is None else str(row.display_name)


@pytest.fixture
async def counted(api: Api, database: Database) -> Counted:
    return Counted(database)


async def test_reads_of_one_turn_share_a_statement(counted: Counted, world: World) -> None:
    people = [world.admin, world.reader, world.admin]
    names = await asyncio.gather(
        *(counted.name(person.id) for person in people), counted.name("nobody")
    )
    assert names == [*(person.display_name for person in people), None]
    assert counted.sizes == [3]
    assert await counted.name(world.admin.id) == world.admin.display_name
    assert counted.sizes == [3, 1]


async def test_other_values_are_another_statement(counted: Counted, world: World) -> None:
    id = world.admin.id
    assert await asyncio.gather(counted.name(id), counted.name(id, but=id)) == [
        world.admin.display_name,
        None,
    ]
    assert counted.sizes == [1, 1]


async def test_a_statement_takes_no_more_than_its_share(counted: Counted, world: World) -> None:
    keys = [f"nobody-{number}" for number in range(TOGETHER)]
    found = await asyncio.gather(*map(counted.name, [*keys, world.admin.id]))
    assert found == [*[None] * TOGETHER, world.admin.display_name]
    assert counted.sizes == [TOGETHER, 1]


async def test_whoever_is_cancelled_leaves_the_others_alone(counted: Counted, world: World) -> None:
    gone = asyncio.create_task(counted.name(world.admin.id))
    kept = asyncio.create_task(counted.name(world.admin.id))
    await asyncio.sleep(0)
    gone.cancel()
    assert await kept == world.admin.display_name
    assert gone.cancelled()


async def test_an_error_is_everybodys_and_the_next_read_is_new(
    counted: Counted, world: World
) -> None:
    counted.failing = ConnectionError("lost")
    found = await asyncio.gather(
        counted.name(world.admin.id), counted.name("x"), return_exceptions=True
    )
    assert [str(error) for error in found] == ["lost", "lost"]
    counted.failing = None
    assert await counted.name(world.admin.id) == world.admin.display_name


async def test_requests_of_one_turn_share_tokens_and_objects(
    api: Api, world: World, session: Session
) -> None:
    await session.commit()
    texts: list[str] = []
    api.server.database.watch = texts.append
    query = "query($id: ID!) { organization(id: $id) { id title } }"
    body = {"query": query, "variables": {"id": world.organization.id}}
    headers = {"Authorization": f"Bearer {await api.token_of(world.admin)}"}
    answers = await asyncio.gather(
        *(api.client.post("/graphql", json=body, headers=headers) for _ in range(8))
    )
    assert {answer.json()["data"]["organization"]["id"] for answer in answers} == {
        world.organization.id
    }
    # Eight requests with two statements each, in a few turns.
    assert len(texts) < 10
