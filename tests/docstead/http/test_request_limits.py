"""Limits of requests: for tokens and addresses, in both interfaces; headers say what is left."""

import tracemalloc
from pathlib import Path
from typing import Any

import httpx2
import pytest
from starlette.types import Scope

from db.session import Database, Session
from docstead.asgi import create_app
from docstead.http.request_limits import RequestLimits
from docstead.server import Server
from docstead.settings import Settings
from resolvers.access.tokens import create_token
from resolvers.core import rate_limits
from resolvers.core.actors import NOBODY, Actor
from resolvers.core.errors import RateLimited
from resolvers.core.rate_limits import RateLimit
from runtime.script_requests import MARK
from tests.conftest import World

QUERY = {"query": "{ viewer { id } }"}
# Of some 400 objects.
SPACES = "spaces(first: 20) { nodes { id } }"
LARGE = {"query": f"{{ viewer {{ organizations(first: 20) {{ nodes {{ {SPACES} }} }} }} }}"}


def client_of(database: Database, folder: Path, address: str, **changes: Any) -> httpx2.AsyncClient:
    """A client whose limits are those of one moment, however long a test takes."""
    settings = Settings(public_url="http://docs.test", data_dir=folder, **changes)
    app = create_app(settings, Server(settings, database))
    for limit in vars(app.state.v1._request_limits).values():
        if isinstance(limit, RateLimit):
            limit._clock = lambda: 0.0
    transport = httpx2.ASGITransport(app=app, client=(address, 1))
    return httpx2.AsyncClient(transport=transport, base_url="http://docs.test")


async def token_of(session: Session, user_id: str) -> dict[str, str]:
    _, text = await create_token(session, user_id, "t")
    return {"Authorization": f"Bearer {text}"}


async def test_tokens_have_one_budget_in_both_interfaces(
    database: Database, session: Session, world: World, tmp_path: Path
) -> None:
    mine = await token_of(session, world.admin.id)
    other = await token_of(session, world.admin.id)
    await session.commit()
    async with client_of(database, tmp_path, "192.0.2.1", requests_per_token=10) as client:
        first = await client.get("/v1/user", headers=mine)
        assert first.status_code == 200
        assert first.headers["x-ratelimit-limit"] == "10"
        assert first.headers["x-ratelimit-remaining"] == "9"
        assert int(first.headers["x-ratelimit-reset"]) > 1_700_000_000
        second = await client.post("/graphql", json=QUERY, headers=mine)
        assert second.headers["x-ratelimit-remaining"] == "8"
        # Errors say it, too.
        missing = await client.get("/v1/spaces/none", headers=mine)
        assert missing.status_code == 404
        assert missing.headers["x-ratelimit-remaining"] == "7"
        large = await client.post("/graphql", json=LARGE, headers=mine)
        assert large.status_code == 200
        left = int(large.headers["x-ratelimit-remaining"])
        assert left < 6
        for _ in range(left):
            assert (await client.get("/v1/user", headers=mine)).status_code == 200
        refused = await client.get("/v1/user", headers=mine)
        assert refused.status_code == 429
        assert int(refused.headers["retry-after"]) >= 1
        assert refused.headers["x-ratelimit-remaining"] == "0"
        graphql = await client.post("/graphql", json=QUERY, headers=mine)
        assert graphql.status_code == 429
        assert graphql.json()["errors"][0]["extensions"]["code"] == "RATE_LIMITED"
        assert int(graphql.headers["retry-after"]) >= 1
        # Another token has a budget of its own, from the same address.
        assert (await client.get("/v1/user", headers=other)).status_code == 200


async def test_addresses_without_tokens(database: Database, tmp_path: Path) -> None:
    path = "/v1/urls/published?url=http://x.test/"
    async with client_of(database, tmp_path, "192.0.2.1", requests_per_address=3) as client:
        answers = [await client.get("/v1/user"), await client.get(path)]
        answers += [await client.post("/graphql", json=QUERY) for _ in range(3)]
    assert answers[0].status_code == 401
    assert [answer.status_code for answer in answers[3:]] == [429, 429]
    assert [answer.headers["x-ratelimit-remaining"] for answer in answers] == list("21000")


async def test_wrong_tokens_are_slowed(
    database: Database, session: Session, world: World, tmp_path: Path
) -> None:
    right = await token_of(session, world.admin.id)
    await session.commit()
    wrong = {"Authorization": "Bearer docstead_wrong"}
    async with client_of(database, tmp_path, "192.0.2.1") as client:
        statuses = [(await client.get("/v1/user", headers=wrong)).status_code for _ in range(32)]
        assert statuses == [401] * 30 + [429] * 2
        graphql = await client.post("/graphql", json=QUERY, headers=wrong)
        assert graphql.status_code == 429
        assert int(graphql.headers["retry-after"]) >= 1
        # Whoever has a token may share the address with whoever guesses.
        assert (await client.get("/v1/user", headers=right)).status_code == 200


@pytest.mark.parametrize("address", ["127.0.0.1", "::1"])
async def test_the_machine_itself_is_not_limited(
    address: str, database: Database, tmp_path: Path
) -> None:
    async with client_of(database, tmp_path, address, requests_per_address=1) as client:
        answers = [await client.get("/v1/user") for _ in range(3)]
    assert {answer.status_code for answer in answers} == {401}
    assert "x-ratelimit-limit" not in answers[0].headers
    # Scripts of integrations run there, and are strangers.
    async with client_of(database, tmp_path, address, requests_per_address=1) as client:
        mark = {MARK: "1"}
        answers = [await client.get("/v1/user", headers=mark) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [401, 429]
    limited = {"requests_per_address": 1, "limit_loopback": True}
    async with client_of(database, tmp_path, address, **limited) as client:
        answers = [await client.get("/v1/user") for _ in range(2)]
    assert [answer.status_code for answer in answers] == [401, 429]


async def test_proxies_say_who_the_client_is(database: Database, tmp_path: Path) -> None:
    options = {"requests_per_address": 1, "client_address_header": "X-Forwarded-For"}
    async with client_of(database, tmp_path, "127.0.0.1", **options) as client:
        for address, status in (("192.0.2.1", 401), ("192.0.2.2", 401), ("192.0.2.1", 429)):
            headers = {"X-Forwarded-For": address}
            assert (await client.get("/v1/user", headers=headers)).status_code == status


async def test_memory_stays_constant_under_many_addresses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A tenth of them, for what is traced takes long.
    assert rate_limits.CALLERS == 20_000
    monkeypatch.setattr(rate_limits, "CALLERS", 2_000)
    limits = RequestLimits(Settings(data_dir=tmp_path))

    async def nobody() -> Actor:
        return NOBODY

    async def flood(start: int, count: int) -> None:
        for number in range(start, start + count):
            address = f"2001:db8:{number >> 16:x}:{number & 0xFFFF:x}::1"
            scope: Scope = {"type": "http", "client": (address, 1), "headers": []}
            await limits.admit(scope, nobody)

    await flood(0, 2_500)
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    await flood(2_500, 2_500)
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert limits._addresses is not None
    assert len(limits._addresses._buckets) <= 2_000
    # As many entries as before stand in for those that went.
    assert after - before < 2_000 * 1_000
    scope: Scope = {"type": "http", "client": ("192.0.2.9", 1), "headers": []}
    for _ in range(60):
        await limits.admit(scope, nobody)
    with pytest.raises(RateLimited):
        await limits.admit(scope, nobody)
