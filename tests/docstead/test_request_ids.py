"""X-Request-Id: on every answer, whoever gives it, and in the lines of the log."""

import asyncio
import io
import logging
import logging.config
import re
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx2
import pytest
from sqlalchemy import text

from db.session import Database, Session
from docstead.asgi import create_app
from docstead.monitoring.logs import Lines, RequestIds, log_configuration
from tests import factories
from tests.conftest import Api, World
from tests.docstead.http.test_file_downloads import stored
from tests.docstead.test_serve import log_of, run, serving

OWN = re.compile("[0-9a-f]{32}")


@pytest.fixture
def lines() -> Iterator[io.StringIO]:
    """What the log of a server would have."""
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(Lines())
    handler.addFilter(RequestIds())
    logging.getLogger().addHandler(handler)
    yield written
    logging.getLogger().removeHandler(handler)


async def test_every_answer_has_one(api: Api, world: World, session: Session) -> None:
    site = await factories.make_site(session, world.organization, published=True)
    await session.commit()
    token = await api.token_of(world.admin)
    bearer = {"Authorization": f"Bearer {token}"}
    seen = set()
    for method, url, status, more in (
        ("POST", "/graphql", 200, {"json": {"query": "{ viewer { id } }"}, "headers": bearer}),
        ("POST", "/graphql", 401, {"json": {"query": "{ viewer { id } }"}}),
        ("POST", "/graphql", 413, {"content": b" " * 10_000_001, "headers": bearer | {
            "Content-Type": "application/json"}}),
        ("POST", "/graphql", 415, {"content": b"{}", "headers": bearer}),
        ("PUT", "/graphql", 405, {}),
        ("GET", "/graphql", 200, {"headers": {"Accept": "text/html"}}),
        ("GET", "/graphql/schema", 200, {}),
        ("GET", "/graphql/assets/nothing.js", 404, {}),
        ("GET", "/v1/user", 200, {"headers": bearer}),
        ("HEAD", "/v1/user", 200, {"headers": bearer}),
        ("GET", "/v1/user", 401, {}),
        ("GET", "/v1/nothing", 404, {}),
        ("OPTIONS", "/v1/user", 405, {}),
        ("PATCH", f"/v1/users/{world.admin.id}", 413, {"content": b" " * 10_000_001,
            "headers": bearer | {"Content-Type": "application/json"}}),
        ("GET", "/v1/user%0A", 404, {}),
        ("GET", await stored(api), 200, {}),
        ("GET", "/files/a/b/c", 404, {}),
        ("PUT", "/uploads/nothing", 404, {}),
        ("GET", "/pdf/a/b/c", 404, {}),
        ("GET", f"/sites/{site.id}", 404, {}),
        ("GET", "/sites/nothing", 404, {}),
        ("GET", "http://nothing.docs.test/", 404, {}),
        ("POST", "http://nothing.docs.test/", 405, {}),
        ("GET", "/favicon.ico", 200, {}),
        ("GET", "/health", 200, {}),
        ("GET", "/nowhere", 404, {}),
    ):  # fmt: skip
        response = await api.client.request(method, url, **more)
        assert response.status_code == status, (method, url, response.text)
        (id,) = response.headers.get_list("x-request-id")
        assert OWN.fullmatch(id)
        seen.add(id)
        again = await api.client.request(
            method, url, **{**more, "headers": {**more.get("headers", {}), "X-Request-Id": "mine"}}
        )
        assert again.headers.get_list("x-request-id") == ["mine"], (method, url)
    assert len(seen) == 26


@pytest.mark.parametrize(
    ("given", "taken"),
    [
        (["a"], True),
        (["x" * 128], True),
        (["7b2a9f0e-0c52-4b5e-9d4c-1f2e3d4c5b6a"], True),
        (["Root=1-67891233-abcdef012345678912345678"], True),
        (["a/b+c==:1@host~2_.3"], True),
        (["x" * 129], False),
        ([""], False),
        (["a b"], False),
        (["a\tb"], False),
        (['a"b'], False),
        (["<script>"], False),
        (["a\\nb"], False),
        (["%0A"], False),
        (["\u00e9"], False),
        (["a,b"], False),
        (["a", "b"], False),
        (["a", "a", "b"], False),
    ],
)
async def test_which_ids_are_taken(api: Api, given: list[str], taken: bool) -> None:
    sent = [(b"X-Request-Id", one.encode("latin-1")) for one in given]
    response = await api.client.get("/v1/user", headers=sent)
    (id,) = response.headers.get_list("x-request-id")
    assert (id == given[0]) if taken else OWN.fullmatch(id)


ORGANIZATIONS = "{ viewer { organizations { nodes { title } } } }"


@asynccontextmanager
async def broken(database: Database) -> AsyncIterator[None]:
    """A table is not where it was: a fault that nobody expects."""
    async with database.engine.begin() as connection:
        await connection.execute(text("ALTER TABLE organization RENAME TO hidden"))
    yield
    async with database.engine.begin() as connection:
        await connection.execute(text("ALTER TABLE hidden RENAME TO organization"))


async def test_failures_are_logged_with_it(
    api: Api, world: World, session: Session, database: Database, lines: io.StringIO
) -> None:
    """Each line with its own, whatever happens at the same time and in whichever thread."""
    await session.commit()
    await session.close()
    bearer = {"Authorization": f"Bearer {await api.token_of(world.admin)}"}
    app = create_app(api.server.settings, api.server)
    transport = httpx2.ASGITransport(app=app, raise_app_exceptions=False)
    client = httpx2.AsyncClient(transport=transport, base_url="http://docs.test")

    async def call(number: int) -> tuple[str, str]:
        headers = {**bearer, "X-Request-Id": f"call-{number}"}
        if number % 2:
            response = await client.get("/v1/orgs", headers=headers)
            assert response.status_code == 500, response.text
            found = response.json()["error"]["message"].rpartition(" ")[2]
        else:
            response = await client.post("/graphql", json={"query": ORGANIZATIONS}, headers=headers)
            found = response.json()["errors"][0]["extensions"]["id"]
        return response.headers["x-request-id"], found

    async with broken(database), client:
        answers = await asyncio.gather(*(call(number) for number in range(10)))
    written = [line for line in lines.getvalue().splitlines() if " ERROR docstead." in line]
    assert len(written) == len(answers)
    for number, (id, error) in enumerate(answers):
        assert id == f"call-{number}"
        assert [line for line in written if error in line and f"[{id}]" in line]


def test_the_log_of_a_server(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with serving(data) as (base, process):
        made = run(
            "init", "--email", "ada@example.com", "--name", "Ada", "--organization", "Acme",
            "--data-dir", str(data),
        )  # fmt: skip
        with sqlite3.connect(data / "docstead.sqlite3") as connection:
            connection.execute("ALTER TABLE organization RENAME TO hidden")
        headers = {"X-Request-Id": "the-one", "Authorization": f"Bearer {made['token']}"}
        response = httpx2.get(f"{base}/v1/orgs", headers=headers)
        process.terminate()
        process.wait(timeout=60)
        written = log_of(data).read_text()
    assert (response.status_code, response.headers["x-request-id"]) == (500, "the-one")
    number = response.json()["error"]["message"].rpartition(" ")[2]
    assert re.search(rf"ERROR docstead\.v1 \[the-one\] GET /v1/orgs failed \({number}\)", written)


def test_logging_is_what_python_takes() -> None:
    kept = logging.getLogger().handlers[:]
    try:
        logging.config.dictConfig(log_configuration("text", ""))
        (handler,) = logging.getLogger().handlers
        record = logging.LogRecord("a.b", logging.ERROR, "", 1, "said %s", ("once",), None)
        assert handler.filter(record)
        assert handler.format(record).endswith(" ERROR a.b [-] said once")
    finally:
        logging.getLogger().handlers[:] = kept
