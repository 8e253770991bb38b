"""Writes with the header Idempotency-Key are carried out once, through both doors."""

import asyncio
import datetime as dt
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
import pytest
from sqlalchemy import func, select, update

from db.enums import Role
from db.models.content import Revision
from db.models.idempotency import RememberedAnswer
from db.models.organizations import Token
from db.models.spaces import Space
from db.session import Database, Session
from docstead.asgi import create_app
from docstead.server import Server
from docstead.settings import Settings
from jobs.purge import clear_answers
from resolvers.access.idempotency import LARGEST_ANSWER, PORTION, RETENTION
from resolvers.core.actors import OPERATOR
from tests import factories
from tests.conftest import Api, Queries, World
from tests.docstead.idempotent import CREATE, KEY, REPLAYED, Caller, id_of, titles
from tests.merging import filled_space

DOORS = ("rest", "graphql")
# What a write costs more with a key: looking for the answer, and remembering it.
MORE_STATEMENTS = 2


@pytest.fixture
async def caller(api: Api, world: World, session: Session) -> Caller:
    await session.commit()
    await api.token_of(world.creator)
    # Twenty that wait for each other have as long as a busy machine takes.
    api.server.answers._wait_seconds = 60
    return Caller(api, world, world.creator)


async def revisions(session: Session, space: Space) -> int:
    statement = select(func.count()).select_from(Revision).where(Revision.space_id == space.id)
    found = (await session.execute(statement)).scalar_one()
    await session.commit()
    return found


async def remembered(session: Session) -> int:
    found = (await session.execute(select(func.count()).select_from(RememberedAnswer))).scalar_one()
    await session.commit()
    return found


@pytest.mark.parametrize("door", DOORS)
async def test_a_repetition_gets_the_same_answer(
    caller: Caller, session: Session, door: str
) -> None:
    first = await caller.create(door, "A", "one")
    again = await caller.create(door, "A", "one")
    assert REPLAYED not in first.headers
    assert again.headers[REPLAYED] == "true"
    assert again.content == first.content
    assert again.status_code == first.status_code
    for name in ("location", "content-type", "content-length", "cache-control"):
        assert again.headers.get(name) == first.headers.get(name)
    assert ("location" in first.headers) == (door == "rest")
    assert await titles(session) == ["A"]
    # Another key, and none, are other requests.
    assert id_of(await caller.create(door, "A", "two")) != id_of(first)
    assert id_of(await caller.create(door, "A", None)) != id_of(first)
    assert await titles(session) == ["A", "A", "A"]


@pytest.mark.parametrize("door", DOORS)
async def test_a_key_belongs_to_one_request(caller: Caller, session: Session, door: str) -> None:
    await caller.create(door, "A", "one")
    for other in DOORS:
        for title in ("A", "B"):
            if (other, title) == (door, "A"):
                continue
            refused = await caller.create(other, title, "one")
            assert refused.status_code == 422, refused.text
            assert f"{KEY}: this key has come with another request" in refused.text
            if other == "rest":
                assert refused.json()["error"]["details"][0]["path"] == KEY
            else:
                (error,) = refused.json()["errors"]
                assert error["extensions"]["code"] == "IDEMPOTENCY_KEY_REUSED"
                assert error["extensions"]["fields"][0]["path"] == KEY
    assert await titles(session) == ["A"]


async def test_method_path_query_and_if_match_belong_to_the_request(
    caller: Caller, session: Session
) -> None:
    space = await filled_space(session, caller.world)
    before = await revisions(session, space)
    path = f"/spaces/{space.id}/content"
    change = {"changes": [{"type": "update_page", "page": "p0", "title": "New"}]}
    first = await caller.rest("POST", path, "one", change, If_Match=f'"{space.revision_id}"')
    assert first.status_code == 200, first.text
    for method, other, body, headers in (
        ("POST", path, change, {}),
        ("POST", f"{path}?dryRun=true", change, {"If_Match": f'"{space.revision_id}"'}),
        ("PATCH", f"/spaces/{space.id}", {"title": "B"}, {}),
        ("DELETE", f"/spaces/{space.id}", None, {}),
        # Here a bad body is a 400; a key of another request is not.
        ("POST", f"/spaces/{space.id}/move", {"position": {}}, {}),
    ):
        refused = await caller.rest(method, other, "one", body, **headers)
        assert refused.status_code == 422, (method, other, refused.text)
        assert KEY in refused.text
    # The order of members in a body is no difference.
    change = {"changes": [{"title": "New", "page": "p0", "type": "update_page"}]}
    again = await caller.rest("POST", path, "one", change, If_Match=f'"{space.revision_id}"')
    assert (again.content, again.headers[REPLAYED]) == (first.content, "true")
    assert await revisions(session, space) == before + 1


async def test_answers_without_a_body(caller: Caller, session: Session) -> None:
    id = id_of(await caller.create("rest", "A", None))
    answers = [await caller.rest("DELETE", f"/spaces/{id}", "one") for _ in range(3)]
    assert [(one.status_code, one.content) for one in answers] == [(205, b"")] * 3
    assert [one.headers.get(REPLAYED) for one in answers] == [None, "true", "true"]
    assert (await caller.rest("DELETE", f"/spaces/{id}", "two")).status_code == 204


async def test_reads_take_no_key(caller: Caller, session: Session) -> None:
    query = "{ viewer { id } }"
    for key in ("one", "x" * 300):
        for _ in range(2):
            rest = await caller.rest("GET", "/user", key)
            graphql = await caller.graphql(query, key)
            # Asked with a body, and so by POST.
            asked = await caller.rest("POST", "/urls/published", key, {"url": "http://a.test"})
            assert (rest.status_code, graphql.status_code) == (200, 200)
            assert asked.status_code in (200, 404)
            assert not any(REPLAYED in one.headers for one in (rest, graphql, asked))
    assert await remembered(session) == 0


@pytest.mark.parametrize("door", DOORS)
async def test_bounds_of_a_key(caller: Caller, session: Session, door: str) -> None:
    for key in ("", "x" * 256, "tab\there"):
        refused = await caller.create(door, "A", key)
        assert refused.status_code == 400, refused.text
        assert f"{KEY}: must have 1 to 255 printable ASCII characters" in refused.text
    headers = [("Authorization", f"Bearer {await caller.api.token_of(caller.person)}"),
               (KEY, "a"), (KEY, "b")]  # fmt: skip
    if door == "rest":
        path, body = f"/v1/orgs/{caller.world.organization.id}/spaces", dict[str, Any](title="A")
    else:
        variables = {"organization": caller.world.organization.id, "title": "A"}
        path, body = "/graphql", {"query": CREATE, "variables": variables}
    twice = await caller.api.client.post(path, json=body, headers=headers)
    assert (twice.status_code, f"{KEY}: is given more than once" in twice.text) == (400, True)
    bytes_ = [*headers[:1], (KEY, "ключ".encode())]
    other = await caller.api.client.post(path, json=body, headers=bytes_)
    assert other.status_code == 400
    assert await titles(session) == []
    for key in ("x" * 255, ' ~!"quoted" it\'s', "y"):
        assert (await caller.create(door, "A", key)).is_success
    assert len(await titles(session)) == 3


@pytest.mark.parametrize("door", DOORS)
async def test_what_wrote_nothing_can_be_tried_again(
    caller: Caller, session: Session, door: str
) -> None:
    world = caller.world
    reader = replace(caller, person=world.reader)
    refused = await reader.create(door, "A", "one")
    assert "create" in refused.text
    too_long = await caller.create(door, "x" * 60, "two")
    assert "at most 50" in too_long.text
    assert await remembered(session) == 0
    # The same key, with the body put right or the right given.
    assert id_of(await caller.create(door, "B", "two"))
    await session.begin_write()
    elsewhere = await factories.make_organization(session, title="Third")
    await session.commit()
    missing = Caller(caller.api, replace(world, organization=elsewhere), world.creator)
    assert "does not exist" in (await missing.create(door, "C", "three")).text
    await session.begin_write()
    await factories.make_member(session, elsewhere, Role.ADMIN, world.creator)
    await session.commit()
    assert id_of(await missing.create(door, "C", "three"))
    assert await titles(session) == ["B", "C"]
    unknown = await caller.api.client.post(
        f"/v1/orgs/{world.organization.id}/spaces", json={"title": "D"}, headers={KEY: "four"}
    )
    assert unknown.status_code == 401
    assert await remembered(session) == 2


@pytest.mark.parametrize("door", DOORS)
async def test_each_token_has_its_own_keys(caller: Caller, session: Session, door: str) -> None:
    first = await caller.create(door, "A", "one")
    admin = replace(caller, person=caller.world.admin)
    assert id_of(await admin.create(door, "A", "one")) != id_of(first)
    # Another token of the same person.
    old = caller.api.tokens.pop(caller.person.id)
    assert id_of(await caller.create(door, "A", "one")) != id_of(first)
    caller.api.tokens[caller.person.id] = old
    assert id_of(await caller.create(door, "A", "one")) == id_of(first)
    # A token that was revoked gets nothing again.
    await session.begin_write()
    await session.execute(
        update(Token).where(Token.user_id == caller.person.id).values(revoked_at=func.now())
    )
    await session.commit()
    refused = await caller.create(door, "A", "one")
    assert refused.status_code == 401
    assert REPLAYED not in refused.headers


@pytest.mark.parametrize("door", DOORS)
async def test_many_at_once_write_once(caller: Caller, session: Session, door: str) -> None:
    answers = await asyncio.gather(*(caller.create(door, "A", "one") for _ in range(20)))
    assert len({one.content for one in answers}) == 1
    assert [one.headers.get(REPLAYED) for one in answers].count(None) == 1
    assert await titles(session) == ["A"]
    assert not caller.api.server.answers._turns


@pytest.fixture
async def elsewhere(api: Api, database: Database, tmp_path: Path) -> AsyncIterator[Api]:
    """Another server on the same database: it knows nothing of what the first one is doing."""
    url = database.url.render_as_string(hide_password=False)
    settings = Settings(public_url="http://docs.test", data_dir=tmp_path / "data")
    other = Database(url, durable=False)
    server = Server(settings, other)
    server.answers._wait_seconds = 60
    transport = httpx2.ASGITransport(app=create_app(settings, server))
    async with httpx2.AsyncClient(transport=transport, base_url="http://docs.test") as client:
        yield Api(server, client, api.tokens)
    await other.close()


@pytest.mark.parametrize("door", DOORS)
async def test_two_servers_write_once(
    caller: Caller, elsewhere: Api, session: Session, door: str
) -> None:
    there = replace(caller, api=elsewhere)
    for number in range(5):
        answers = await asyncio.gather(
            *(one.create(door, f"A{number}", f"key {number}") for one in (caller, there) * 4)
        )
        assert len({one.content for one in answers}) == 1
        assert [one.headers.get(REPLAYED) for one in answers].count(None) == 1
    assert await titles(session) == [f"A{number}" for number in range(5)]


async def test_a_repetition_elsewhere_is_not_refused_for_what_the_first_has_done(
    caller: Caller, elsewhere: Api, session: Session
) -> None:
    """The same merge or delete at two servers: one fails on what the other has done."""
    there = replace(caller, api=elsewhere)
    for number in range(5):
        id = id_of(await caller.create("rest", f"A{number}", None))
        answers = await asyncio.gather(
            *(one.rest("DELETE", f"/spaces/{id}", str(number)) for one in (caller, there) * 3)
        )
        assert [one.status_code for one in answers] == [205] * 6


@pytest.mark.parametrize("door", DOORS)
async def test_answers_are_kept_for_a_day(caller: Caller, session: Session, door: str) -> None:
    first = await caller.create(door, "A", "one")
    made = (await session.execute(select(RememberedAnswer.created_at))).scalar_one()

    async def age(kept: dt.timedelta) -> None:
        await session.commit()
        await session.begin_write()
        await session.execute(update(RememberedAnswer).values(created_at=made - kept))
        await session.commit()

    await age(RETENTION - dt.timedelta(minutes=5))
    assert (await caller.create(door, "A", "one")).content == first.content
    assert (await caller.create(door, "B", "one")).status_code == 422
    await age(RETENTION)
    # As if it had never been there, though nobody has swept it yet.
    second = await caller.create(door, "B", "one")
    assert id_of(second) != id_of(first)
    assert (await caller.create(door, "B", "one")).content == second.content
    assert await titles(session) == ["A", "B"]


async def test_old_answers_are_swept_in_portions(
    caller: Caller, session: Session, queries: Queries
) -> None:
    await caller.create("rest", "A", "one")
    now = dt.datetime.now(dt.UTC)
    await session.begin_write()
    for number in range(PORTION + 3):
        session.add(
            RememberedAnswer(
                id=f"{number:064}", request="",
                created_at=now - RETENTION - dt.timedelta(seconds=1),
                status=200, headers={}, size=0, body=b"",
            )
        )  # fmt: skip
    await session.commit()
    async with caller.api.server.context_of(OPERATOR) as ctx:
        ctx.clock = lambda: now
        with queries(2):
            assert await clear_answers(ctx, ctx.now()) == PORTION + 3
        with queries(1):
            assert await clear_answers(ctx, ctx.now()) == 0
    assert await remembered(session) == 1
    assert REPLAYED in (await caller.create("rest", "A", "one")).headers


SEVERAL = """
mutation ($organization: ID!, $space: ID!) {
  first: createSpace(organizationId: $organization, input: {title: "First"}) { id title }
  page: createPage(spaceId: $space, input: {title: "New"}) { revision { id } pages { title } }
  refused: createSpace(organizationId: $organization, input: {title: "Gone", parent: "none"}) { id }
  missing: deletePage(spaceId: $space, input: {page: "nowhere"}) { changed }
  last: updateSpace(id: $space, input: {title: "Last"}) { title revision { id } }
}
"""


async def test_several_mutations_of_a_request_are_remembered_together(
    caller: Caller, session: Session
) -> None:
    space = await filled_space(session, caller.world)
    values = {"organization": caller.world.organization.id, "space": space.id}
    first = await caller.graphql(SEVERAL, "one", **values)
    body = first.json()
    assert body["data"]["first"]["title"] == "First"
    assert body["data"]["page"]["pages"] == [{"title": "New"}]
    assert body["data"]["last"]["title"] == "Last"
    assert body["data"]["last"]["revision"] == body["data"]["page"]["revision"]
    assert (body["data"]["refused"], body["data"]["missing"]) == (None, None)
    assert [error["path"] for error in body["errors"]] == [["refused"], ["missing"]]
    again = await caller.graphql(SEVERAL, "one", **values)
    assert (again.content, again.headers[REPLAYED]) == (first.content, "true")
    assert await titles(session) == ["First", "Last"]
    # Without a key the answers differ in ids only.
    plain = (await caller.graphql(SEVERAL, None, **values)).json()
    assert plain["errors"] == body["errors"]
    assert plain["data"].keys() == body["data"].keys()


async def test_a_mutation_whose_fields_all_failed_can_be_tried_again(
    caller: Caller, session: Session
) -> None:
    failing = 'updateSpace(id: "none", input: {}) { id }'
    query = f"mutation {{ a: {failing} b: {failing} }}"
    for _ in range(2):
        answer = await caller.graphql(query, "one")
        assert REPLAYED not in answer.headers
        assert answer.json()["data"]["b"] is None


async def test_slow_mutations_are_not_made_in_an_open_transaction(
    caller: Caller, session: Session
) -> None:
    space = await filled_space(session, caller.world)
    fetching = """
    f: createFile(spaceId: $space, input: {url: "http://127.0.0.1:1/x.png"}) { changed }
    """
    other = 's: updateSpace(id: $space, input: {title: "T"}) { title }'
    answer = await caller.graphql(f"mutation ($space: ID!) {{ {other} {fetching} }}", "one",
                                  space=space.id)  # fmt: skip
    (error,) = answer.json()["errors"]
    assert error["extensions"]["fields"][0]["path"] == KEY
    assert "has to be the first one" in error["message"]
    # As the first one it is tried, and refused for its address.
    answer = await caller.graphql(f"mutation ($space: ID!) {{ {fetching} {other} }}", "two",
                                  space=space.id)  # fmt: skip
    (error,) = answer.json()["errors"]
    assert KEY not in error["message"]
    assert answer.json()["data"]["s"] == {"title": "T"}


async def test_writes_in_steps(caller: Caller, session: Session) -> None:
    """Bytes come before the transaction; what is remembered is its end."""
    space = await filled_space(session, caller.world)
    change = {"changes": [{"type": "insert_files", "files": [
        {"name": "x.png", "base64": "iVBORw0KGgo=", "contentType": "image/png"}]}]}  # fmt: skip
    path = f"/spaces/{space.id}/content"
    answers = await asyncio.gather(*(caller.rest("POST", path, "one", change) for _ in range(5)))
    assert {one.status_code for one in answers} == {200}, answers[0].text
    assert len({one.content for one in answers}) == 1
    files = (await caller.rest("GET", f"{path}/files", None)).json()
    assert [file["name"] for file in files["items"]] == ["x.png"]


async def test_bodies_that_are_worked_on_before_the_lock(caller: Caller, session: Session) -> None:
    """Also behind another write of the request, in the transaction that is held for it."""
    space = await filled_space(session, caller.world)
    page = """updatePage(spaceId: $space, input: {page: "p0", body: {markdown: $text}}) {
        changed }"""
    other = 'updateSpace(id: $space, input: {title: "T"}) { title }'
    for key, fields in (("one", f"a: {page} b: {other}"), ("two", f"b: {other} a: {page}")):
        text = f"{key}\n\n" * 6_000
        query = f"mutation ($space: ID!, $text: String!) {{ {fields} }}"
        before = await revisions(session, space)
        first = await caller.graphql(query, key, space=space.id, text=text)
        assert "errors" not in first.json(), first.text
        again = await caller.graphql(query, key, space=space.id, text=text)
        assert (again.content, again.headers[REPLAYED]) == (first.content, "true")
        assert await revisions(session, space) == before + 1


async def test_an_answer_that_is_too_large_is_not_given_again(
    caller: Caller, session: Session
) -> None:
    space = await filled_space(session, caller.world)
    query = """
    mutation ($space: ID!, $text: String!) {
      createPage(spaceId: $space, input: {title: "Long", body: {markdown: $text}}) {
        pages { ... on DocumentPage { markdown } }
      }
    }
    """
    before = await revisions(session, space)
    text = "word " * (LARGEST_ANSWER // 5)
    first = await caller.graphql(query, "one", space=space.id, text=text)
    assert "errors" not in first.json()
    assert len(first.content) > LARGEST_ANSWER
    again = await caller.graphql(query, "one", space=space.id, text=text)
    assert again.status_code == 409
    assert "too large to be given again" in again.text
    row = (await session.execute(select(RememberedAnswer))).scalar_one()
    await session.commit()
    assert (row.body, row.size) == (None, len(first.content))
    assert await revisions(session, space) == before + 1


@pytest.mark.parametrize("door", DOORS)
async def test_statements(caller: Caller, session: Session, queries: Queries, door: str) -> None:
    for key in (None, "warm"):
        await caller.create(door, "W", key)
    with queries.at_most(100):
        await caller.create(door, "A", None)
    plain = list(queries.statements)
    assert not [one for one in plain if "remembered_answer" in one]
    with queries(len(plain) + MORE_STATEMENTS):
        await caller.create(door, "A", "one")
    # The token, and the answer.
    with queries(2):
        assert REPLAYED in (await caller.create(door, "A", "one")).headers
    with queries(2):
        await caller.create(door, "B", "one")
