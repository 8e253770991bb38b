"""Two server processes on PostgreSQL: what one commits the other delivers, once and in order."""

import asyncio
from pathlib import Path

from db.ids import new_id
from db.session import Database
from resolvers.access.tokens import create_token
from tests import factories
from tests.conftest import make_world
from tests.docstead.subscriptions.followers import Followers, begin, write
from tests.docstead.test_serve import serving
from tests.postgres import TemporaryPostgres

CONNECTIONS, EVENTS = 6, 120


async def test_each_event_reaches_each_subscriber_once_and_in_order(
    postgres_server: TemporaryPostgres, postgres_template: str, tmp_path: Path
) -> None:
    name = f"two_{new_id().lower()}"
    url = postgres_server.create_database(name, template=postgres_template)
    database = Database(url)
    async with database.session() as session:
        await session.begin_write()
        world = await make_world(session)
        spaces = [await factories.make_space(session, world.organization) for _ in range(4)]
        tokens = [
            (await create_token(session, person.id, "test"))[1]
            for person in (world.reader, world.editor, world.admin)
        ]
        await session.commit()
    await database.close()
    settings = {
        "DOCSTEAD_DATABASE_URL": url,
        "DOCSTEAD_REQUESTS_PER_TOKEN": "0",
        "DOCSTEAD_WRITES_PER_SPACE": "0",
    }
    with (
        serving(tmp_path / "data", settings=settings) as (first, _),
        serving(tmp_path / "data", settings=settings) as (second, process),
    ):
        followers = [
            Followers(
                # Whose server is killed goes on with the other one.
                (first,) if number % 2 else (second, first),
                tokens[number % 3],
                world.organization.id,
            )
            for number in range(CONNECTIONS)
        ]
        ids = [space.id for space in spaces]
        following, begun = await begin(followers, (first, second), tokens[2], ids)
        for one in followers:
            one.last = begun + EVENTS
        await write((first, second), tokens[2], ids, EVENTS // 2, first=begun)
        process.kill()
        await write((first,), tokens[2], ids, EVENTS // 2, first=begun + EVENTS // 2)
        async with asyncio.timeout(60):
            await asyncio.gather(*following)
    seen = {id for one in followers for received in one.received for id in received.ids}
    assert EVENTS < len(seen) <= begun + EVENTS
    for one in followers:
        for received in one.received:
            # From the first one that it received on: each once, in order.
            start = received.positions[0]
            assert start <= begun
            assert received.positions == list(range(start, begun + EVENTS + 1))
            assert len(set(received.ids)) == len(received.ids)
    assert [one.connections for one in followers] == [2, 1] * (CONNECTIONS // 2)
