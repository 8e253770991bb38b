"""Every operation of /v1 has one answer that is committed, and that somebody has read.

Other tests compare both interfaces with each other, which does not tell that both are wrong. Here
each row of the route table is asked once, on content that is always the same, and its whole answer
is the one in `answers/`. `make answers` writes those that are not as committed; read the
difference before you commit it, for this test believes it.
"""

import asyncio
import itertools
import json
import os
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import pytest

from db.session import Database, Session
from resolvers.content.computed import SOURCES
from rest_compat.routes.all import ROUTES
from rest_compat.table import Row
from tests import factories
from tests.callers import FOR_INTEGRATIONS, tokens_of_programs
from tests.conftest import Api, Stored, World, make_world
from tests.operation_requests import Requests, contents, one_request_each
from tests.rest_compat.answers import FOLDER, Names, file_of, ids_of_rows, shown, text_of
from tests.seeds import SAMPLE_SOURCE, SampleSource
from tests.test_authorization import WEAKEST

READS = [row for row in ROUTES if row.reads]
WRITES = [row for row in ROUTES if not row.reads]
# Whose answers are written: names of operations, or `1` for all.
WRITING = os.environ.get("DOCSTEAD_TEST_WRITE_ANSWERS", "").split()


@dataclass
class Asking:
    """Asks each operation for the same, and shows answers as they are committed."""

    api: Api
    database: Database
    requests: Requests
    names: dict[str, str]
    # Of an integration, which asks for what only it may ask for.
    program: str

    async def __call__(self, row: Row, caller: str) -> dict[str, Any]:
        """A request and its answer."""
        path, body = self.requests.of[row.operation_id]
        names = Names(dict(self.names))
        headers = {}
        if row.operation_id in FOR_INTEGRATIONS:
            caller, headers = "integration", {"Authorization": f"Bearer {self.program}"}
        asked = {"caller": caller, "request": f"{row.method} {path}"}
        if body is not None:
            asked["body"] = body
        person = self.requests.people.get(caller)
        response = await self.api.rest(row.method, path, person, body, headers=headers)
        if not row.reads:
            names.add_rows(await ids_of_rows(self.database), "new ")
        exchange: dict[str, Any] = names.put_into(asked)
        return exchange | {"answer": shown(response, names)}


@pytest.fixture
def _numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Factories count from 1, and there is a source of computed content."""
    monkeypatch.setattr(factories, "_number", itertools.count(1))
    monkeypatch.setitem(SOURCES, SAMPLE_SOURCE["type"], SampleSource())


@pytest.fixture
async def world(_numbers: None, session: Session) -> World:
    """One whose rows are numbered, too, whatever this process has made before."""
    return await make_world(session)


@pytest.fixture
async def ask(
    _numbers: None, api: Api, world: World, session: Session, database: Database
) -> AsyncIterator[Asking]:
    async with one_request_each(api, world, session) as requests:
        people = {person.id: f"{{{name}}}" for name, person in requests.people.items()}
        pages = {requests.page: "{page}", quote(requests.page, ""): "{page}"}
        # Compressed, it names a space in other words.
        render = requests.of["renderIntegrationUIWithGet"][0].partition("request=")[2]
        names = Names(pages | people | {render: "{compressed}"})
        names.add_rows(await ids_of_rows(database))
        programs = await tokens_of_programs(api, session, requests.seed)
        await session.commit()
        # Times of the seed are past by a millisecond.
        await asyncio.sleep(0.002)
        yield Asking(api, database, requests, names.known, programs["integration"])


def compare(found: dict[str, dict[str, Any]]) -> None:
    """Each operation's request and answer is the one that is committed."""
    wrong, right = {}, {}
    for operation_id, exchange in found.items():
        file = file_of(operation_id)
        committed = json.loads(file.read_text()) if file.exists() else None
        if exchange == committed:
            continue
        if WRITING:
            file.write_text(text_of(exchange))
        else:
            wrong[operation_id], right[operation_id] = exchange, committed
    assert wrong == right, "if it is right so: make answers"


async def test_reads(ask: Asking) -> None:
    compare({row.operation_id: await ask(row, "admin") for row in READS})


async def test_writes(ask: Asking, stored: Stored, database: Database) -> None:
    before, saved = await contents(database), await stored.save()
    found, idle = {}, set()
    for row in WRITES:
        if WRITING not in ([], ["1"]) and row.operation_id not in WRITING:
            continue
        found[row.operation_id] = await ask(row, WEAKEST[row.operation_id])
        if await contents(database) == before:
            idle.add(row.operation_id)
        await stored.restore(saved)
    compare(found)
    # There is nothing to pull.
    assert idle == {"updateChangeRequest"} & found.keys()


def test_every_operation_has_an_answer_and_no_other() -> None:
    assert {file.stem for file in FOLDER.iterdir()} == {row.operation_id for row in ROUTES}
