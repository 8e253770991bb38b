"""What holds for every HTTP answer: bodies of errors, headers, methods, an unavailable database."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx2
import pytest
from sqlalchemy import text

from db.migrate import migrate
from db.session import Database, Session
from db.standing import head
from docstead.asgi import create_app
from docstead.server import Server
from docstead.settings import Settings
from tests.conftest import STRICT, Api, World


def message_of(response: httpx2.Response) -> str:
    body = response.json()
    assert body["error"]["code"] == response.status_code
    assert response.headers["x-content-type-options"] == "nosniff"
    return str(body["error"]["message"])


@pytest.mark.parametrize(
    "path",
    ["/nowhere", "/v1", "/v1/nowhere", "/v1/user%0A", "/v1/spaces/a%0Ab",
     "/v1/%0A", "/v1/spaces%00", "/files/a/b", "/graphql%0A", "/v1//user", "/v1/spaces/%E2%80%A8"],
)  # fmt: skip
async def test_unknown_paths(api: Api, path: str) -> None:
    response = await api.client.get(path)
    assert response.status_code == 404
    assert message_of(response)


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("PUT", "/v1/user", "GET, HEAD"),
        ("POST", "/v1/spaces/x", "DELETE, GET, HEAD, PATCH"),
        ("OPTIONS", "/v1/spaces/x", "DELETE, GET, HEAD, PATCH"),
        ("GET", "/v1/spaces/x/restore", "POST"),
        ("POST", "/health", "GET, HEAD"),
        ("DELETE", "/files/a/b/c", "GET, HEAD"),
    ],
)
async def test_wrong_methods(api: Api, method: str, path: str, allowed: str) -> None:
    response = await api.client.request(method, path)
    assert response.status_code == 405
    assert response.headers["allow"] == allowed
    assert "not allowed" in message_of(response)


async def test_head_is_answered_like_get(api: Api, world: World, session: Session) -> None:
    await session.commit()
    assert (await api.rest("HEAD", "/user", world.admin)).status_code == 200
    assert (await api.rest("HEAD", "/user", None)).status_code == 401


async def test_credentials_come_before_everything_else(api: Api) -> None:
    for headers in ({}, {"Authorization": "Bearer docstead_wrong"}, {"Authorization": "Basic x"}):
        response = await api.client.patch(
            "/v1/users/x?limit=x", content=b"{", headers={"Content-Type": "text/plain", **headers}
        )
        assert response.status_code == 401
        assert response.headers["www-authenticate"] == 'Bearer realm="docstead"'
        assert "token" in message_of(response)


@pytest.mark.parametrize(
    ("body", "type_", "status"),
    [
        (b"", "application/json", 422),
        (b"null", "application/json", 400),
        (b"[]", "application/json", 422),
        (b'"x"', "application/json", 422),
        (b"{", "application/json", 400),
        (b"\xff", "application/json", 400),
        (b"{}", "text/plain", 415),
        (b'{"displayName": 5}', "application/json", 422),
        (b'{"displayName": "\\u0000"}', "application/json", 400),
        (b'{"displayName": null}', "application/json", 422),
        (b'{"nickname": "x"}', "application/json", 422),
        (b'{"photoURL": "javascript:x"}', "application/json", 422),
    ],
)
async def test_bodies_that_are_refused(
    api: Api, world: World, session: Session, body: bytes, type_: str, status: int
) -> None:
    await session.commit()
    response = await api.rest(
        "PATCH", f"/users/{world.reader.id}", world.reader, content=body,
        headers={"Content-Type": type_, **STRICT},
    )  # fmt: skip
    assert response.status_code == status
    assert message_of(response)
    unchanged = await api.rest("GET", "/user", world.reader)
    assert unchanged.json()["displayName"] == "Reader"


async def _stand_at(database: Database, standing: str) -> None:
    async with database.connection() as connection:
        change = text("UPDATE alembic_version SET version_num = :standing")
        await connection.execute(change, {"standing": standing})
        await connection.commit()


async def test_a_database_at_another_migration_is_not_ready(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path}/docs.sqlite3")
    try:
        async with served(database, tmp_path) as api:
            for standing in ("none", "0001_first_release", "9999_of_a_newer_version"):
                if standing != "none":
                    await migrate(database)
                    await _stand_at(database, standing)
                response = await api.client.get("/readyz")
                assert response.status_code == 503
                assert f"at migration {standing}, this version needs {head()}" in response.text
                assert (await api.client.get("/livez")).json() == {"status": "ok"}
                if standing != "none":
                    await _stand_at(database, head())
            assert (await api.client.get("/readyz")).status_code == 200
    finally:
        await database.close()


async def test_a_migrated_database_is_ready(api: Api) -> None:
    for path in ("/readyz", "/health", "/livez"):
        response = await api.client.get(path)
        assert (response.status_code, response.json()) == (200, {"status": "ok"})
        assert response.headers["cache-control"] == "no-store"
        assert (await api.client.head(path)).status_code == 200


@pytest.mark.parametrize("url", ["/v1/openapi.json", "/health", "/graphql", "/v1/user"])
async def test_browsers_may_not_guess_types(api: Api, url: str) -> None:
    response = await api.client.get(url)
    assert response.headers.get_list("x-content-type-options") == ["nosniff"]
    assert "access-control-allow-origin" not in response.headers


@asynccontextmanager
async def served(database: Database, folder: Path) -> AsyncIterator[Api]:
    settings = Settings(public_url="http://docs.test", data_dir=folder)
    server = Server(settings, database)
    transport = httpx2.ASGITransport(app=create_app(settings, server))
    async with httpx2.AsyncClient(transport=transport, base_url="http://docs.test") as client:
        yield Api(server, client)


async def assert_unavailable(api: Api, token: str) -> None:
    """Every part of the service says 503 and when to come back."""
    headers = {"Authorization": f"Bearer {token}"}
    for response in (
        await api.client.get("/v1/user", headers=headers),
        await api.client.get("/health"),
        await api.client.get("/readyz"),
        await api.client.get("/files/a/b/c?expires=1&signature=x"),
    ):
        assert response.status_code == 503, response.text
        assert response.headers["retry-after"] == "1"
        assert "try again" in message_of(response)
    assert (await api.client.get("/livez")).status_code == 200
    response = await api.client.post("/graphql", json={"query": "{viewer{id}}"}, headers=headers)
    assert response.status_code == 503
    assert response.headers["retry-after"] == "1"
    assert response.json()["errors"][0]["extensions"]["code"] == "UNAVAILABLE"


async def test_all_connections_in_use(
    api: Api, world: World, session: Session, database: Database, tmp_path: Path
) -> None:
    await session.commit()
    token = await api.token_of(world.admin)
    url = database.url.render_as_string(hide_password=False)
    small = Database(url, pool_size=1, pool_seconds=0.05)
    async with served(small, tmp_path) as other:
        async with small.session() as hog:
            await hog.execute(text("SELECT 1"))
            await assert_unavailable(other, token)
        answer = await other.client.get("/v1/user", headers={"Authorization": f"Bearer {token}"})
        assert answer.status_code == 200
    await small.close()


@pytest.mark.parametrize(
    "url", ["postgresql://nobody@127.0.0.1:1/none", "sqlite:////nonexistent/folder/docs.sqlite3"]
)
async def test_database_that_is_not_there(url: str, tmp_path: Path) -> None:
    database = Database(url)
    async with served(database, tmp_path) as api:
        await assert_unavailable(api, "docstead_x")
    await database.close()


async def test_a_client_that_hangs_up_is_no_fault(
    api: Api, caplog: pytest.LogCaptureFixture
) -> None:
    """Its body never comes; nobody has to read a traceback for that."""
    sent: list[int] = []
    headers = [
        (b"host", b"docs.test"),
        (b"content-type", b"application/json"), (b"content-length", b"100"),
    ]  # fmt: skip
    path = "/v1/urls/published"
    scope = {
        "type": "http", "http_version": "1.1", "method": "POST", "scheme": "http", "path": path,
        "raw_path": path.encode(), "query_string": b"", "root_path": "", "headers": headers,
        "client": ("127.0.0.1", 1), "server": ("docs.test", 80),
    }  # fmt: skip

    async def receive() -> dict[str, str]:
        return {"type": "http.disconnect"}

    async def send(message: dict[str, int]) -> None:
        if message["type"] == "http.response.start":
            sent.append(message["status"])

    await create_app(api.server.settings, api.server)(scope, receive, send)
    assert sent == [499]
    assert not [record for record in caplog.records if record.levelname == "ERROR"]
