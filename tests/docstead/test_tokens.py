"""Tokens at the doors: scopes, revocation, expiry, last use."""

import datetime as dt

import httpx2
import pytest
from sqlalchemy import select, update

from db.base import utc_now
from db.enums import FULL_ACCESS, TokenScope
from db.models.organizations import Token
from db.reading import SessionReader
from db.session import Session
from db.sharing import PointReads
from resolvers.access.tokens import PREFIX, authenticate, create_token, digest
from tests.conftest import Api, World

CHANGE = 'mutation($id: ID!) { updateUser(id: $id, input: {displayName: "New"}) { displayName } }'


def _points(session: Session) -> PointReads:
    reader = SessionReader(session)
    return PointReads(reader.dialect, reader.fetch)


async def ask(api: Api, token: str, method: str, path: str, **options: object) -> httpx2.Response:
    headers = {"Authorization": f"Bearer {token}"}
    return await api.client.request(method, f"/v1{path}", headers=headers, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("scopes", "reads", "writes"),
    [
        ({TokenScope.READ}, 200, 403),
        ({TokenScope.WRITE}, 200, 200),
        (FULL_ACCESS, 200, 200),
        (set(), 403, 403),
    ],
)
async def test_scopes(
    api: Api, world: World, session: Session, scopes: set[TokenScope], reads: int, writes: int
) -> None:
    person = world.reader
    _, token = await create_token(session, person.id, "t", scopes=frozenset(scopes))
    await session.commit()
    assert (await ask(api, token, "GET", "/user")).status_code == reads
    answer = await ask(api, token, "PATCH", f"/users/{person.id}", json={"displayName": "New"})
    assert answer.status_code == writes
    headers = {"Authorization": f"Bearer {token}"}
    for query, status in (("{ viewer { id } }", reads), (CHANGE, writes)):
        body = {"query": query, "variables": {"id": person.id}}
        found = (await api.client.post("/graphql", json=body, headers=headers)).json()
        if status == 200:
            assert "errors" not in found
        else:
            assert found["errors"][0]["extensions"]["code"] == "FORBIDDEN"


async def test_unknown_scopes_grant_nothing(world: World, session: Session) -> None:
    row, token = await create_token(session, world.admin.id, "t")
    row.scopes = ["admin", "everything"]
    await session.flush()
    actor = await authenticate(_points(session), token, utc_now())
    assert actor.scopes == frozenset()


async def test_revocation_and_expiry_take_effect_at_once(
    api: Api, world: World, session: Session
) -> None:
    row, token = await create_token(session, world.admin.id, "t")
    await session.commit()
    assert (await ask(api, token, "GET", "/user")).status_code == 200
    for change, word in (
        ({"revoked_at": utc_now()}, "revoked"),
        ({"revoked_at": None, "expires_at": utc_now() - dt.timedelta(seconds=1)}, "expired"),
    ):
        await session.begin_write()
        await session.execute(update(Token).where(Token.id == row.id).values(**change))
        await session.commit()
        refused = await ask(api, token, "GET", "/user")
        assert refused.status_code == 401
        assert word in refused.json()["error"]["message"]
        answer = await api.client.post(
            "/graphql",
            json={"query": "{ viewer { id } }"},
            headers={"Authorization": f"Bearer {token}"},
        )
        assert answer.status_code == 401


async def test_last_use_is_written_and_never_goes_back(
    api: Api, world: World, session: Session
) -> None:
    row, token = await create_token(session, world.admin.id, "t")
    await session.commit()
    started = utc_now()
    await ask(api, token, "GET", "/user")
    await api.server.flush_uses()
    statement = select(Token.last_used_at).where(Token.id == row.id)
    used = (await session.execute(statement)).scalar_one()
    assert used is not None
    assert started <= used <= utc_now()
    await session.commit()
    api.server._uses[row.id] = started - dt.timedelta(days=1)
    await api.server.flush_uses()
    assert (await session.execute(statement)).scalar_one() == used


async def test_only_the_digest_is_kept(world: World, session: Session) -> None:
    row, token = await create_token(session, world.admin.id, "t")
    assert token.startswith(PREFIX)
    assert len(token) == len(PREFIX) + 43
    assert row.digest == digest(token)
    values = [str(value) for value in vars(row).values()]
    assert not any(token in value for value in values)
