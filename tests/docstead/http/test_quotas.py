"""Limits of searches and writes, of what comes at once, and of large operations, in both doors."""

import asyncio
import hashlib
from pathlib import Path
from typing import Any

import httpx2
import pytest

from db.models.spaces import Space
from db.session import Database, Session
from resolvers.core.errors import RateLimited
from resolvers.core.rate_limits import RateLimit
from tests import factories
from tests.conftest import World
from tests.docstead.http.test_request_limits import QUERY, client_of, token_of

ADDRESS = "192.0.2.1"


@pytest.fixture
async def space(session: Session, world: World) -> Space:
    return await factories.make_space(session, world.organization)


def limited(database: Database, folder: Path, **changes: Any) -> httpx2.AsyncClient:
    return client_of(database, folder, changes.pop("address", ADDRESS), **changes)


def codes(answer: httpx2.Response) -> list[str]:
    return [error["extensions"]["code"] for error in answer.json().get("errors", [])]


async def test_as_many_as_may_come_at_once(
    database: Database, session: Session, world: World, tmp_path: Path
) -> None:
    mine, other = [await token_of(session, world.admin.id) for _ in range(2)]
    await session.commit()
    options = {"requests_per_token": 40, "requests_at_once": 30}
    async with limited(database, tmp_path, **options) as client:
        doors = [client.get("/v1/user", headers=mine) for _ in range(30)]
        doors += [client.post("/graphql", json=QUERY, headers=mine) for _ in range(30)]
        answers = await asyncio.gather(*doors)
        allowed = [answer for answer in answers if answer.status_code == 200]
        refused = [answer for answer in answers if answer.status_code == 429]
        assert len(allowed) == 30
        assert len(refused) == len(answers) - len(allowed)
        assert {answer.headers["x-ratelimit-limit"] for answer in answers} == {"40"}
        assert all(int(answer.headers["retry-after"]) >= 1 for answer in refused)
        assert "at most 30 at once" in refused[0].text
        assert (await client.get("/v1/user", headers=other)).status_code == 200


async def test_requests_count_by_what_they_may_read(
    database: Database, session: Session, world: World, tmp_path: Path
) -> None:
    mine = await token_of(session, world.admin.id)
    await session.commit()
    async with limited(database, tmp_path, requests_per_token=100) as client:

        async def left(answer: httpx2.Response) -> int:
            assert answer.status_code == 200, answer.text
            return int(answer.headers["x-ratelimit-remaining"])

        async def graphql(spaces: int) -> int:
            listed = f"organizations(first: 1) {{ nodes {{ spaces(first: {spaces}) {{ nodes"
            query = f"{{ viewer {{ {listed} {{ id }} }} }} }} }} }}"
            return await left(await client.post("/graphql", json={"query": query}, headers=mine))

        spaces = f"/v1/orgs/{world.organization.id}/spaces"
        # As many objects are one request in both.
        assert await left(await client.get(f"{spaces}?limit=100", headers=mine)) == 99
        assert await graphql(50) == 98
        assert await left(await client.get(f"{spaces}?limit=1000", headers=mine)) == 88
        assert await graphql(997) == 78
        # One that is named is the same one.
        text = "{ viewer { organizations(first: 1000) { nodes { id } } } }"
        sha = hashlib.sha256(text.encode()).hexdigest()
        named = {"extensions": {"persistedQuery": {"version": 1, "sha256Hash": sha}}}
        await client.post("/graphql", json={"query": text, **named}, headers=mine)
        assert await left(await client.post("/graphql", json=named, headers=mine)) <= 58
        for _ in range(5):
            await client.post("/graphql", json=named, headers=mine)
        refused = await client.post("/graphql", json=named, headers=mine)
        assert codes(refused) == ["RATE_LIMITED"]


async def test_searches_of_a_person(
    database: Database, session: Session, world: World, space: Space, tmp_path: Path
) -> None:
    first, second = [await token_of(session, world.admin.id) for _ in range(2)]
    other = await token_of(session, world.reader.id)
    await session.commit()
    field = f'space(id: "{space.id}") {{ search(query: "hello") {{ totalCount }} }}'
    path = f"/v1/spaces/{space.id}/search?query=hello"
    async with limited(database, tmp_path, searches_per_caller=8) as client:

        async def graphql(fields: str, headers: Any = second) -> httpx2.Response:
            body = {"query": f"query Q {{ {fields} }}".replace("$no", "true")}
            return await client.post("/graphql", json=body, headers=headers)

        for _ in range(3):
            assert (await client.get(path, headers=first)).status_code == 200
        # What is not executed is no search.
        skipped = field.replace('"hello")', '"hello") @skip(if: $no)')
        for _ in range(10):
            assert codes(await graphql(skipped)) == []
        aliases = " ".join(f"a{number}: {field}" for number in range(12))
        answer = await graphql(aliases)
        assert codes(answer) == ["RATE_LIMITED"] * 7
        assert answer.json()["errors"][0]["extensions"]["retryAfter"] >= 1
        assert len([one for one in answer.json()["data"].values() if one]) == 5
        # Neither another token of the person nor the other interface gives more.
        refused = await client.get(path, headers=first)
        assert refused.status_code == 429
        assert int(refused.headers["retry-after"]) >= 1
        assert "too many searches: at most 8 a minute" in refused.text
        listed = f'organization(id: "{world.organization.id}")'
        organization = f'{listed} {{ search(query: "hello") {{ totalCount }} }}'
        assert codes(await graphql(organization)) == ["RATE_LIMITED"]
        below = f'{listed} {{ spaces {{ nodes {{ search(query: "hello") {{ totalCount }} }} }} }}'
        assert "RATE_LIMITED" in codes(await graphql(below))
        assert codes(await graphql(f"{listed} {{ title }}")) == []
        assert codes(await graphql(organization, other)) == []
    async with limited(database, tmp_path, address="127.0.0.1", searches_per_caller=1) as client:
        for _ in range(3):
            assert (await client.get(path, headers=first)).status_code == 200


async def test_writes_of_a_person_in_a_space(
    database: Database, session: Session, world: World, space: Space, tmp_path: Path
) -> None:
    second = await factories.make_space(session, world.organization)
    mine, again = [await token_of(session, world.admin.id) for _ in range(2)]
    other, reader = [await token_of(session, person.id) for person in (world.creator, world.reader)]
    await session.commit()
    path = f"/v1/spaces/{space.id}"
    async with limited(database, tmp_path, writes_per_space=4) as client:

        async def title() -> str:
            read: str = (await client.get(path, headers=other)).json()["title"]
            return read

        def renamed(names: str, id: str = space.id) -> dict[str, str]:
            fields = [
                f'{name}: updateSpace(id: "{id}", input: {{title: "{name}"}}) {{ id }}'
                for name in names
            ]
            return {"query": f"mutation {{ {' '.join(fields)} }}"}

        # Those who may not write take nothing from those who may.
        for _ in range(6):
            assert (
                await client.patch(path, json={"title": "x"}, headers=reader)
            ).status_code == 403
        assert (await client.patch(path, json={"title": "one"}, headers=mine)).status_code == 200
        answer = await client.post("/graphql", json=renamed("abcdef"), headers=again)
        assert codes(answer) == ["RATE_LIMITED"] * 3
        assert await title() == "c"
        refused = await client.patch(path, json={"title": "more"}, headers=mine)
        assert refused.status_code == 429
        assert int(refused.headers["retry-after"]) >= 1
        assert "too many writes in this space: at most 4 a minute" in refused.text
        comment = {"body": {"markdown": "Hello"}}
        posted = await client.post(f"{path}/comments", json=comment, headers=mine)
        assert posted.status_code == 429
        assert (await client.get(f"{path}/comments", headers=other)).json()["items"] == []
        assert await title() == "c"
        # Other spaces, other people, and reads go on.
        there = await client.post("/graphql", json=renamed("z", second.id), headers=mine)
        assert codes(there) == []
        assert (await client.patch(path, json={"title": "on"}, headers=other)).status_code == 200
        assert (await client.get(path, headers=mine)).status_code == 200


async def test_a_write_in_steps_is_one(
    database: Database, session: Session, world: World, space: Space, tmp_path: Path
) -> None:
    mine = await token_of(session, world.admin.id)
    await session.commit()
    changes = {"changes": [{"type": "insert_page", "title": "New", "document": {"markdown": "x"}}]}
    path = f"/v1/spaces/{space.id}/change-requests"
    async with limited(database, tmp_path, writes_per_space=3) as client:
        made = await client.post(path, json={"subject": "Steps"}, headers=mine)
        assert made.status_code == 201, made.text
        one = f"{path}/{made.json()['id']}"
        written = await client.post(f"{one}/content", json=changes, headers=mine)
        merged = await client.post(f"{one}/merge", headers=mine)
        assert [written.status_code, merged.status_code] == [200, 200], (written.text, merged.text)
        assert (await client.post(path, json={"subject": "x"}, headers=mine)).status_code == 429


async def test_visitors_of_pages_search_as_often_as_others(
    database: Database, session: Session, world: World, space: Space, tmp_path: Path
) -> None:
    site = await factories.make_site(session, world.organization, space, published=True)
    await session.commit()
    async with limited(database, tmp_path, searches_per_caller=2) as client:
        path = f"/sites/{site.id}/"
        statuses = [(await client.get(f"{path}?q=hello")).status_code for _ in range(4)]
        assert statuses == [200, 200, 429, 429]
        assert (await client.get(path, follow_redirects=True)).status_code != 429


async def test_what_nothing_answers_is_not_counted(
    database: Database, session: Session, world: World, tmp_path: Path
) -> None:
    mine = await token_of(session, world.admin.id)
    await session.commit()
    options = {"requests_per_token": 3, "cors_origins": "https://app.example.com"}
    preflight = {
        "Origin": "https://app.example.com", "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization",
    }  # fmt: skip
    async with limited(database, tmp_path, **options) as client:
        for path in ("/v1/user", "/graphql"):
            for method, headers in (("DELETE", mine), ("OPTIONS", preflight)):
                answers = [await client.request(method, path, headers=headers) for _ in range(4)]
                assert {answer.status_code for answer in answers} <= {204, 405}, (method, path)
        # A request for the head alone is one like others.
        counted = await client.head("/v1/user", headers=mine)
        assert (counted.status_code, counted.headers["x-ratelimit-remaining"]) == (200, "2")


def test_a_clock_that_is_set_back_takes_nothing() -> None:
    moments = [1000.0]
    limit = RateLimit(60, lambda: moments[0], at_once=10)
    assert [limit.take("a", 10), limit.take("a")] == [0, 1]
    moments[0] = 0.0
    assert limit.take("a") == 1
    assert limit.left("a") == 0
    moments[0] = 5.0
    assert limit.left("a") == 5
    moments[0] = 10_000.0
    assert limit.left("a") == 10
    assert limit.take("a", 10) == 0
    with pytest.raises(RateLimited, match="at most 10 at once"):
        limit.must("a", 1, "things")
