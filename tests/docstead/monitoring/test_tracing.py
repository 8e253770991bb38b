"""Traces are for those who may see them, and tell what an operation has cost."""

from pathlib import Path
from typing import Any

import httpx2
import pytest
from sqlalchemy import update

from db.models.organizations import Member, User
from db.session import Database, Session
from docstead.asgi import create_app
from docstead.server import Server
from docstead.settings import Settings
from tests.conftest import Api, World, settle
from tests.factories import make_space

QUERY = """
query ($id: ID!) { organization(id: $id) { spaces(first: 5) { nodes { title urls { app } } } } }
"""


def door(database: Database, folder: Path, **settings: Any) -> Api:
    """A server with settings of its own."""
    chosen = Settings(public_url="http://docs.test", data_dir=folder / "data", **settings)
    server = Server(chosen, database)
    transport = httpx2.ASGITransport(app=create_app(chosen, server))
    return Api(server, httpx2.AsyncClient(transport=transport, base_url="http://docs.test"))


async def asked(
    api: Api, person: User, world: World, *, header: str | None = None, **extensions: Any
) -> dict[str, Any]:
    """The extensions of an answer, which must have data."""
    headers = {"Authorization": f"Bearer {await api.token_of(person)}"}
    if header is not None:
        headers["X-Docstead-Trace"] = header
    body = {
        "query": QUERY,
        "variables": {"id": world.organization.id},
        "extensions": extensions or None,
    }
    answer = (await api.client.post("/graphql", json=body, headers=headers)).json()
    assert answer["data"]["organization"], answer
    found: dict[str, Any] = answer["extensions"]
    return found


@pytest.fixture
async def spaces(session: Session, world: World) -> None:
    for _ in range(3):
        await make_space(session, world.organization)
    await settle(session)


@pytest.mark.usefixtures("spaces")
async def test_the_setting_says_who_may_see_a_trace(
    database: Database, tmp_path: Path, world: World
) -> None:
    may = {"off": set(), "admins": {"admin"}, "everybody": {"admin", "reader"}}
    for tracing, people in may.items():
        api = door(database, tmp_path, tracing=tracing)
        for name in ("admin", "reader"):
            person = world.people()[name]
            for ask in ({"header": "true"}, {"trace": True}):
                found = await asked(api, person, world, **ask)
                assert ("trace" in found) == (name in people), (tracing, name)
            for no in ({}, {"header": "false"}, {"trace": "true"}, {"trace": False}):
                assert "trace" not in await asked(api, person, world, **no)


@pytest.mark.usefixtures("spaces")
async def test_a_disabled_administrator_sees_no_trace(
    database: Database, tmp_path: Path, session: Session, world: World
) -> None:
    api = door(database, tmp_path, tracing="admins")
    assert "trace" in await asked(api, world.admin, world, trace=True)
    await session.begin_write()
    theirs = update(Member).where(Member.user_id == world.admin.id)
    await session.execute(theirs.values(disabled=True))
    await settle(session)
    headers = {"Authorization": f"Bearer {await api.token_of(world.admin)}"}
    body = {"query": "{ __typename }", "extensions": {"trace": True}}
    answer = (await api.client.post("/graphql", json=body, headers=headers)).json()
    assert "trace" not in answer["extensions"]


@pytest.mark.usefixtures("spaces")
async def test_a_trace_tells_calls_rows_and_statements(
    database: Database, tmp_path: Path, world: World
) -> None:
    api = door(database, tmp_path, tracing="everybody")
    trace = (await asked(api, world.reader, world, trace=True))["trace"]
    fields = {one["field"]: one for one in trace["fields"]}
    counts = {
        name: (one["name"], one["calls"], one["rows"], one["statements"])
        for name, one in fields.items()
    }
    assert counts["Query.organization"] == ("organization", 1, 1, 1)
    assert counts["Organization.spaces"] == ("spaces", 1, 1, 1)
    assert counts["Space.urls"][:3] == ("urls", 1, 3)
    assert trace["statements"] == sum(one["statements"] for one in fields.values()) >= 2
    assert 0 < trace["sqlMilliseconds"] <= trace["milliseconds"]
    for one in fields.values():
        assert one["pythonMilliseconds"] >= 0
        assert (one["sqlMilliseconds"] > 0) == (one["statements"] > 0)


async def test_a_trace_counts_the_statements_of_a_write(
    database: Database, tmp_path: Path, session: Session, world: World
) -> None:
    space = await make_space(session, world.organization)
    await settle(session)
    api = door(database, tmp_path, tracing="everybody")
    token = await api.token_of(world.admin)
    text = """
    mutation ($id: ID!, $input: UpdateSpaceInput!) { updateSpace(id: $id, input: $input) { title } }
    """
    body = {
        "query": text,
        "variables": {"id": space.id, "input": {"title": "New"}},
        "extensions": {"trace": True},
    }
    headers = {"Authorization": f"Bearer {token}"}
    answer = (await api.client.post("/graphql", json=body, headers=headers)).json()
    assert answer["data"] == {"updateSpace": {"title": "New"}}, answer
    (field,) = [
        one
        for one in answer["extensions"]["trace"]["fields"]
        if one["field"] == "Mutation.updateSpace"
    ]
    assert field["statements"] >= 2
    assert field["sqlMilliseconds"] > 0
