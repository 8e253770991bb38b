"""Both interfaces give the same values: every read of /v1 is asked in GraphQL, field by field.

Rows come from the route table and what is compared from their shapes, so a new row is covered as
soon as it is registered and `tests/seeds.py` makes what its path names.
"""

import itertools
import re
from collections.abc import AsyncIterator
from pathlib import Path

import httpx2
import pytest
from sqlalchemy import select

from db.models.organizations import User
from db.session import Database, Session
from docstead.asgi import create_app
from docstead.server import Server
from docstead.settings import Settings
from fetching.addresses import Allowance
from fetching.client import Fetcher
from resolvers.core.installation import ImportAccess
from resolvers.published import operations as published_lookup
from resolvers.writing import batches as content_batches, operations as content_writes
from rest_compat.endpoint import plan_of
from rest_compat.routes.all import ROUTES
from rest_compat.table import Row
from tests.callers import FOR_INTEGRATIONS, tokens_of_programs
from tests.conftest import Api, World
from tests.fetching.servers import serving
from tests.operation_requests import make_runnable
from tests.parity import Question, field_of_batch, root_field
from tests.seeds import needed, sow

READS = [row for row in ROUTES if row.method == "GET"]
COMBINATIONS = 8


@pytest.fixture
async def api(database: Database, tmp_path: Path) -> AsyncIterator[Api]:
    """Both doors, with room for selections as large as the whole page tree."""
    settings = Settings(
        public_url="http://docs.test", data_dir=tmp_path / "data", query_cost=1_000_000
    )
    server = Server(settings, database)
    transport = httpx2.ASGITransport(app=create_app(settings, server))
    async with httpx2.AsyncClient(transport=transport, base_url="http://docs.test") as client:
        yield Api(server, client)


def questions(row: Row, known: dict[str, list[str]], page: str) -> list[Question]:
    """The row with some of the known ids, and with each value of each choice."""
    names = re.findall(r"{(\w+)(?::\w+)?}", row.path)
    paths = [
        dict(zip(names, values, strict=True))
        for values in itertools.islice(
            itertools.product(*(known[name] for name in names)), COMBINATIONS
        )
    ]
    parameters = needed(row, known, page)
    asked = [Question(row, path, {}, parameters) for path in paths]
    for name, kind in row.choices.items():
        values = {bool: [True, False], str: ["text"]}.get(kind) or list(kind)
        asked += [Question(row, paths[0], {name: value}, parameters) for value in values]
    return asked


@pytest.fixture
async def page(api: Api) -> AsyncIterator[str]:
    """The address of a page on loopback that the server is allowed to fetch."""
    body = b"<title>Page</title><link rel=icon href=/icon.png>"
    async with serving({"/page": ("text/html", body)}) as server:
        allowance = Allowance(frozenset({("127.0.0.1", server.port)}))
        api.server.imports = ImportAccess(Fetcher(allowance))
        yield f"{server.url}page"


@pytest.mark.usefixtures("fixed_clock", "shared_documents")
async def test_every_read_has_the_same_values(
    api: Api, world: World, session: Session, page: str
) -> None:
    seed = await sow(session, world)
    program = await session.scalar(select(User).where(User.display_name == "notes"))
    assert program is not None
    api.tokens[program.id] = (await tokens_of_programs(api, session, seed))["integration"]
    await make_runnable(api, session)
    await session.close()
    compared = set()
    for row in READS:
        callers = (world.admin, world.guest)
        if row.operation_id in FOR_INTEGRATIONS:
            callers = (world.admin, program)
        for question in questions(row, seed.known, page):
            text = question.graphql()
            shown = f"{question.path}\n{text[:2000]}"
            for person in callers:
                rest = await api.rest("GET", question.path, person)
                answer = await api.graphql(text, person)
                if rest.status_code != 200:
                    error = answer["errors"][0]
                    assert error["extensions"]["status"] == rest.status_code, shown
                    assert error["message"] == rest.json()["error"]["message"], shown
                    continue
                assert "errors" not in answer, f"{shown}\n{answer}"
                assert rest.json() == question.answer(answer["data"]), shown
                compared.add(row.operation_id)
    assert compared == {row.operation_id for row in READS}
    await api.server.runner.close()


# Forms of /v1 that are translated to the steps of another operation.
TRANSLATED = {
    content_batches.write_space_content: content_writes.apply_content_changes,
    content_batches.write_change_request_content: content_writes.apply_content_changes,
    published_lookup.resolve_published_url: published_lookup.get_published_site,
}


@pytest.mark.parametrize("row", ROUTES, ids=lambda row: str(row.operation_id))
def test_v1_has_no_door_of_its_own(row: Row) -> None:
    """Whatever a row calls is in the GraphQL schema as well."""
    if row.method == "GET":
        path = dict.fromkeys(re.findall(r"{(\w+)", row.path), "x")
        Question(row, path, {}, dict.fromkeys(plan_of(row).required, "x")).graphql()
    else:
        root = "Query" if row.reading else "Mutation"
        assert root_field(TRANSLATED.get(row.operation, row.operation), root), row.operation_id
    if row.children is not None:
        assert field_of_batch(row.children)
