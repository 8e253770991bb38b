"""The log: one record for each request, levels, both forms, and nothing that forges a record."""

import io
import json
import logging
import logging.config
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from hypothesis import given, strategies as st

from db.session import Database, Session
from docstead.asgi import create_app
from docstead.monitoring.logs import (
    OFF,
    REQUESTS,
    STATEMENTS,
    JsonLines,
    Lines,
    RequestIds,
    log_configuration,
    read_levels,
    without_literals,
)
from docstead.server import Server
from docstead.settings import SettingError, Settings, load_settings
from tests.conftest import Api, World, settle
from tests.docstead.test_serve import log_of, serving


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """What the log of a server has, as JSON."""
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(JsonLines())
    handler.addFilter(RequestIds())
    loggers = [logging.getLogger(name) for name in (REQUESTS, STATEMENTS)]
    for logger in loggers:
        logger.addHandler(handler)
        logger.setLevel(logging.INFO)
    yield written
    for logger in loggers:
        logger.removeHandler(handler)
        logger.setLevel(logging.NOTSET)


def records(log: io.StringIO) -> list[dict[str, object]]:
    return [json.loads(line) for line in log.getvalue().splitlines()]


async def test_one_record_for_each_request(
    log: io.StringIO, database: Database, session: Session, world: World, tmp_path: Path
) -> None:
    await settle(session)
    settings = Settings(public_url="http://docs.test", data_dir=tmp_path)
    server = Server(settings, database)
    transport = httpx2.ASGITransport(app=create_app(settings, server))
    client = httpx2.AsyncClient(transport=transport, base_url="http://docs.test")
    api = Api(server, client)
    token = await api.token_of(world.reader)
    headers = {"Authorization": f"Bearer {token}", "X-Request-Id": "the-one"}
    async with client:
        query = "query Mine { viewer { id } __typename }"
        await client.post("/graphql", json={"query": query}, headers=headers)
        await client.get("/v1/user?token=abc", headers=headers)
        await client.get("/v1/user")
        await client.get("http://nothing.docs.test/key%0Ax")
        await client.request("X" * 50, "/livez%0d%0aforged")
    actor = await server.authenticate(f"Bearer {token}")
    graphql, rest, nobody, site, odd = records(log)
    assert all(record["milliseconds"] > 0 for record in (graphql, rest))  # type: ignore[operator]
    of_all = {"logger": REQUESTS, "level": "info"}
    assert of_all.items() <= rest.items()
    assert graphql["requestId"] == rest["requestId"] == "the-one" != nobody["requestId"]
    assert graphql["tokenId"] == rest["tokenId"] == actor.token_id
    assert "tokenId" not in nobody
    assert (graphql["operation"], graphql["fields"]) == ("Mine", ["viewer", "__typename"])
    assert {"door": "rest", "method": "GET", "path": "/v1/user", "status": 200}.items() <= (
        rest.items()
    )
    assert rest["operation"] == nobody["operation"] == "getAuthenticatedUser"
    assert nobody["status"] == 401
    assert (site["door"], site["path"], site["status"]) == ("sites", "/…", 404)
    assert (odd["method"], odd["path"]) == ("X" * 10, "/…")
    assert token not in log.getvalue()


async def test_slow_statements_have_no_values(
    log: io.StringIO, database: Database, session: Session, world: World, tmp_path: Path
) -> None:
    """Of reads and of writes."""
    await settle(session)
    settings = Settings(
        public_url="http://docs.test", data_dir=tmp_path, slow_statement_milliseconds=1
    )
    own = Database(database.url.render_as_string(hide_password=False), pool_size=2)
    server = Server(settings, own)
    create_app(settings, server)
    for reads in (own.reads,):
        ended = reads.ended if hasattr(reads, "ended") else reads._workers[0].ended
    assert ended is not None
    ended("SELECT 'a''secret', $1, ?2, :name_3 FROM page WHERE n > 42", 0.0009)
    assert not log.getvalue()
    ended("SELECT 'a''secret', $1, ?2, :name_3\n FROM page2 WHERE n > 42", 0.0011)
    (record,) = records(log)
    assert record["statement"] == "SELECT …, $1, ?2, :name_3 FROM page2 WHERE n > …"
    assert (record["milliseconds"], record["level"]) == (1.1, "warning")
    # Both ways report to it.
    seen: list[str] = []
    own.time_statements(lambda text, seconds: seen.append(text))
    async with own.connection() as connection:
        await connection.exec_driver_sql("SELECT 17")
    actor = world.reader.id
    async with server.context_of(
        await server.authenticate(
            f"Bearer {await Api(server, httpx2.AsyncClient()).token_of(world.reader)}"
        )
    ) as ctx:
        assert ctx.actor.user_id == actor
    assert "SELECT 17" in seen
    assert len(seen) > 2
    await own.close()


def test_literals() -> None:
    assert without_literals("a  =\n'x' AND b1 = 1.5") == "a = … AND b1 = …"


TEXTS = st.text(st.characters(codec=None) | st.sampled_from("\n\r\x1b\u2028\x85"), max_size=60)


@given(message=TEXTS, fault=TEXTS)
def test_nothing_forges_a_record(message: str, fault: str) -> None:
    """A text is a record, and lines below it begin with blanks; JSON is one line."""
    try:
        raise ValueError(fault)
    except ValueError as error:
        caught = (ValueError, error, error.__traceback__)
    record = logging.LogRecord("a", logging.ERROR, "", 1, "%s", (message,), caught)
    RequestIds().filter(record)
    first, *others = Lines().format(record).splitlines()
    assert " ERROR a [-] " in first
    assert others
    assert all(line.startswith("  ") for line in others)
    assert all(line.isprintable() or "\t" in line for line in others if line.isascii())
    (line,) = JsonLines().format(record).splitlines() or [""]
    value = json.loads(line)
    assert value["error"]["type"] == "ValueError"
    assert "ValueError" in value["error"]["trace"]


def test_levels() -> None:
    assert read_levels("") == {}
    assert read_levels("info, docstead.mail = DEBUG,docstead.requests=off,") == {
        "": logging.INFO, "docstead.mail": logging.DEBUG, REQUESTS: OFF,
    }  # fmt: skip
    for bad in ("loud", "a=loud", "=info", "a b=info", "a=b=info"):
        with pytest.raises(SettingError, match="DOCSTEAD_LOG_LEVELS"):
            load_settings({"DOCSTEAD_LOG_LEVELS": bad})
    with pytest.raises(SettingError, match="text, json"):
        load_settings({"DOCSTEAD_LOG_FORMAT": "xml"})
    configuration = log_configuration("json", "error,docstead.requests=warning")
    assert configuration["root"]["level"] == logging.ERROR
    assert configuration["loggers"] == {REQUESTS: {"level": logging.WARNING}}


def test_the_log_of_a_server_is_json(tmp_path: Path) -> None:
    settings = {"DOCSTEAD_LOG_FORMAT": "json", "DOCSTEAD_SLOW_STATEMENT_MILLISECONDS": "600000"}
    with serving(tmp_path / "data", settings=settings) as (base, process):
        secret = "docstead_" + "a" * 32
        headers = {"Authorization": f"Bearer {secret}", "Cookie": "session=abcdefgh1234"}
        with httpx2.Client(base_url=base, headers=headers) as client:
            client.get("/v1/user?password=hunter22")
            client.post("/graphql", json={"query": "{ viewer { id } }"})
        process.terminate()
        process.wait(timeout=60)
        written = log_of(tmp_path / "data").read_text()
    lines = [json.loads(line) for line in written.splitlines() if line.startswith("{")]
    assert [line["status"] for line in lines if line.get("door") in ("rest", "graphql")] == [
        401
    ] * 2
    for hidden in (secret, "abcdefgh1234", "hunter22"):
        assert hidden not in written
