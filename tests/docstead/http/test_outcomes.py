"""What became of a write when the database or the disk has failed: the answers tell the truth."""

import asyncio
import random
import resource
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import asyncpg
from sqlalchemy import Connection, event, func, select

from db.models.spaces import Space
from db.session import Database, Session
from tests.conftest import Api, World, settle
from tests.databases import OWN
from tests.docstead.http.test_file_uploads import PNG, send, ticket
from tests.seeds import sow

CREATE = """mutation ($o: ID!, $t: String!) {
  createSpace(organizationId: $o, input: {title: $t}) { id title } }"""


class Writers:
    """People who make spaces through both doors, and note what they are answered."""

    def __init__(self, api: Api, world: World) -> None:
        self._api, self._world = api, world
        # Title -> what the answer says of it.
        self.outcomes: dict[str, str] = {}

    async def v1(self, title: str, key: str | None = None) -> str:
        headers = {} if key is None else {"Idempotency-Key": key}
        path = f"/orgs/{self._world.organization.id}/spaces"
        answer = await self._api.rest(
            "POST", path, self._world.admin, {"title": title}, headers=headers
        )
        body = answer.json()
        self.outcomes[title] = self._outcome(
            answer.status_code, body.get("error", {}), answer.headers
        )
        return self.outcomes[title]

    async def graphql(self, title: str) -> None:
        answer = await self._api.graphql(
            CREATE, self._world.admin, o=self._world.organization.id, t=title
        )
        if "errors" not in answer:
            self.outcomes[title] = "written"
            return
        extensions = answer["errors"][0]["extensions"]
        self.outcomes[title] = self._outcome(extensions["status"], extensions, None)

    def _outcome(self, status: int, error: Any, headers: Any) -> str:
        if status < 300:
            return "written"
        assert status in (503, 507), error
        outcome: str = error.get("outcome", "not-written")
        if headers is not None:
            # Only what is certain not to be stored may be repeated unasked.
            assert ("retry-after" in headers) == (outcome == "not-written"), error
        if outcome == "unknown":
            assert "Idempotency-Key" in error.get("message", "Idempotency-Key")
        return outcome


async def stored_titles(database: Database) -> dict[str, int]:
    async with database.session() as session:
        rows = await session.execute(select(Space.title, func.count()).group_by(Space.title))
        return {title: number for title, number in rows if title.startswith("W")}


async def test_answers_are_true_while_connections_are_ended(
    api: Api, world: World, session: Session, database: Database
) -> None:
    """Connections to PostgreSQL end at random moments; then all answers are compared."""
    if database.is_sqlite:
        return
    await settle(session)
    await session.close()
    await api.token_of(world.admin)
    writers, chance = Writers(api, world), random.Random(11)
    operator = await asyncpg.connect(
        database.url.set(drivername="postgresql").render_as_string(False)
    )

    async def end_connections() -> None:
        for _ in range(30):
            await asyncio.sleep(chance.uniform(0.01, 0.2))
            await operator.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid() "
                "AND application_name <> $1 AND random() < 0.5",
                OWN,
            )

    async def write(writer: int) -> None:
        for number in range(8):
            title = f"W{writer}-{number}"
            if writer % 3 == 0:
                await writers.graphql(title)
            elif writer % 3 == 1:
                await writers.v1(title)
            else:
                # With a key whoever got no answer repeats it until there is an answer.
                for _ in range(200):
                    if await writers.v1(title, key=title) == "written":
                        break

    ending = asyncio.create_task(end_connections())
    try:
        await asyncio.gather(*map(write, range(6)))
    finally:
        ending.cancel()
        with suppress(asyncio.CancelledError):
            await ending
        await operator.close()
        await database.engine.dispose()
        await database.reads.close()
    stored = await stored_titles(database)
    assert max(stored.values()) == 1
    wrong = {
        title: outcome
        for title, outcome in writers.outcomes.items()
        if (outcome == "written") != (title in stored) and outcome != "unknown"
    }
    assert wrong == {}
    assert all(writers.outcomes[f"W{writer}-0"] == "written" for writer in (2, 5))


@contextmanager
def full_database(database: Database) -> Iterator[None]:
    """SQLite's file may not grow; nothing else is different."""

    def limit(connection: Connection) -> None:
        connection.exec_driver_sql("PRAGMA max_page_count = 1")

    def free(connection: Connection) -> None:
        connection.exec_driver_sql("PRAGMA max_page_count = 1000000000")

    event.listen(database.engine.sync_engine, "begin", limit)
    try:
        yield
    finally:
        event.remove(database.engine.sync_engine, "begin", limit)
        event.listen(database.engine.sync_engine, "begin", free)


async def test_a_full_database_is_507(
    api: Api, world: World, session: Session, database: Database
) -> None:
    if not database.is_sqlite:
        return
    await settle(session)
    await api.token_of(world.admin)
    writers = Writers(api, world)
    with full_database(database):
        large = {"title": "W-1", "defaultLevel": None}
        for number in range(400):
            # Until the last free page is used.
            if await writers.v1(f"W{number}") == "not-written":
                break
        else:
            raise AssertionError("the file has grown")
        answer = await api.rest("POST", f"/orgs/{world.organization.id}/spaces", world.admin, large)
        assert (answer.status_code, answer.headers["retry-after"]) == (507, "60")
        assert "no space left" in answer.json()["error"]["message"]
        refused = await api.graphql(CREATE, world.admin, o=world.organization.id, t="W-2")
        extensions = refused["errors"][0]["extensions"]
        assert (extensions["code"], extensions["status"]) == ("STORAGE_FULL", 507)
    stored = await stored_titles(database)
    written = {title for title, outcome in writers.outcomes.items() if outcome == "written"}
    assert stored.keys() == written
    await writers.v1("W-3")
    assert writers.outcomes["W-3"] == "written"


@contextmanager
def largest_file(size: int) -> Iterator[None]:
    """No file of this process may become larger, which is what a full disk is to whoever writes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


async def test_an_upload_to_a_full_disk_is_507(api: Api, world: World, session: Session) -> None:
    seed = await sow(session, world)
    upload = await ticket(api, world, seed)
    bytes_of_file = PNG + bytes(24_000_000)
    with largest_file(16_000_000):
        answer = await send(api, upload["url"], bytes_of_file)
    assert (answer.status_code, answer.headers.get("retry-after")) == (507, "60"), answer.text
    folder = api.server.settings.data_dir / "files"
    assert [path for path in folder.rglob("*") if path.is_file()] == []
    assert (await send(api, upload["url"], bytes_of_file)).status_code == 200
