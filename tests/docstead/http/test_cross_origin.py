"""Permission for pages of other origins: for those that are named, and never with cookies."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest

from db.session import Database, Session
from docstead.asgi import create_app
from docstead.http.cross_origin import EXPOSED
from docstead.http.origins import read_origins
from docstead.server import Server
from docstead.settings import SettingError, Settings, load_settings
from tests import factories
from tests.conftest import Api, World
from tests.events import event

APP = "https://app.example"
GRANTS = ("access-control-allow-origin", "access-control-expose-headers",
          "access-control-allow-methods", "access-control-allow-headers",
          "access-control-allow-credentials", "access-control-max-age")  # fmt: skip


@asynccontextmanager
async def allowing(origins: str, database: Database, folder: Path) -> AsyncIterator[Api]:
    settings = Settings(public_url="http://docs.test", data_dir=folder, cors_origins=origins)
    server = Server(settings, database)
    transport = httpx2.ASGITransport(app=create_app(settings, server))
    async with httpx2.AsyncClient(transport=transport, base_url="http://docs.test") as client:
        yield Api(server, client)


def grants(response: httpx2.Response) -> dict[str, str]:
    return {name: response.headers[name] for name in GRANTS if name in response.headers}


async def preflight(api: Api, url: str, origin: str, method: str, names: str = "") -> Any:
    headers = {"Origin": origin, "Access-Control-Request-Method": method}
    if names:
        headers["Access-Control-Request-Headers"] = names
    return await api.client.options(url, headers=headers)


@pytest.mark.parametrize(
    ("url", "method", "methods"),
    [
        ("/graphql", "POST", "GET, POST"),
        ("/v1/spaces/x", "PATCH", "GET, HEAD, POST, PUT, PATCH, DELETE"),
        ("/v1/nothing", "DELETE", "GET, HEAD, POST, PUT, PATCH, DELETE"),
        ("/uploads/x?expires=1&signature=2", "PUT", "PUT"),
    ],
)
async def test_preflights(
    database: Database, tmp_path: Path, url: str, method: str, methods: str
) -> None:
    names = "authorization,content-type,if-none-match,prefer,idempotency-key,traceparent"
    async with allowing(f"{APP}, http://localhost:3000", database, tmp_path) as api:
        allowed = await preflight(api, url, APP, method, names)
        assert (allowed.status_code, allowed.content) == (204, b"")
        assert grants(allowed) == {
            "access-control-allow-origin": APP,
            "access-control-allow-methods": methods,
            "access-control-allow-headers": names,
            "access-control-max-age": "7200",
        }
        assert "Origin" in allowed.headers["vary"].split(", ")
        assert allowed.headers["x-request-id"]
        for wrong in ("a b", "a:b", "<x>", "x, ,y" * 300, "x" * 1001, "a,"):
            usual = await preflight(api, url, APP, method, wrong)
            assert "Authorization" in usual.headers["access-control-allow-headers"]
            assert wrong not in usual.headers["access-control-allow-headers"]
        for origin in ("https://evil.example", "null", "", "https://app.example.evil.example",
                       "http://app.example", "https://app.example:8443", "*"):  # fmt: skip
            refused = await preflight(api, url, origin, method, names)
            assert refused.status_code in (404, 405)
            assert grants(refused) == {}
            assert "Origin" in refused.headers["vary"]


async def test_answers(database: Database, tmp_path: Path, world: World, session: Session) -> None:
    site = await factories.make_site(session, world.organization, published=True)
    await session.commit()
    async with allowing(APP, database, tmp_path) as api:
        token = {"Authorization": f"Bearer {await api.token_of(world.admin)}"}
        for method, url, more, status in (
            ("POST", "/graphql", {"json": {"query": "{ viewer { id } }"}}, 200),
            ("POST", "/graphql", {"json": {}}, 400),
            ("GET", "/v1/user", {}, 200),
            ("GET", "/v1/nothing", {}, 404),
            ("GET", "/v1/user%0A", {}, 404),
            ("PUT", "/uploads/x?expires=1&signature=2", {}, 404),
        ):  # fmt: skip
            sent = {**token, "Origin": APP}
            response = await api.client.request(method, url, headers=sent, **more)
            assert response.status_code == status
            assert grants(response) == {
                "access-control-allow-origin": APP,
                "access-control-expose-headers": EXPOSED,
            }
            assert "Origin" in response.headers["vary"]
            for origin in ({"Origin": "https://evil.example"}, {"Origin": "null"}, {}):
                response = await api.client.request(method, url, headers=token | origin, **more)
                assert response.status_code == status
                assert grants(response) == {}
                assert "Origin" in response.headers["vary"]
        # Pages for people, and the sites' own hosts, whose readers have cookies.
        for url in ("/graphql/schema", f"/sites/{site.id}", "/health", "/files/a/b/c",
                    "http://acme.docs.test/v1/user", "/v1x", "/graphqlx"):  # fmt: skip
            response = await api.client.get(url, headers={"Origin": APP})
            assert grants(response) == {}
            refused = await preflight(api, url, APP, "GET")
            assert grants(refused) == {}
        unauthenticated = await api.client.get("/v1/user", headers={"Origin": APP})
        assert unauthenticated.status_code == 401
        assert unauthenticated.headers["access-control-allow-origin"] == APP
        assert "WWW-Authenticate" in unauthenticated.headers["access-control-expose-headers"]


async def test_all_origins(database: Database, tmp_path: Path) -> None:
    async with allowing("*", database, tmp_path) as api:
        for origin in (APP, "null", "app://x"):
            assert (await preflight(api, "/graphql", origin, "POST")).status_code == 204
            response = await api.client.get("/v1/user", headers={"Origin": origin})
            assert grants(response) == {
                "access-control-allow-origin": "*",
                "access-control-expose-headers": EXPOSED,
            }


async def test_what_any_page_may_send_has_one_permission(
    database: Database, tmp_path: Path, world: World, session: Session
) -> None:
    site = await factories.make_site(session, world.organization, published=True)
    await session.commit()
    url = f"/v1/orgs/{world.organization.id}/sites/{site.id}/insights/events"
    for origins, origin, granted in (
        (APP, APP, APP), (APP, "https://reader.example", "*"), ("*", APP, "*"),
    ):  # fmt: skip
        async with allowing(origins, database, tmp_path) as api:
            headers = {"Origin": origin}
            sent = await api.client.post(url, json={"events": [event()]}, headers=headers)
            asked = await preflight(api, url, origin, "POST", "content-type")
            for answer in (sent, asked):
                assert answer.status_code == 204
                # Browsers refuse an answer with two of them.
                assert answer.headers.get_list("access-control-allow-origin") == [granted]


async def test_nobody_is_allowed_unless_it_is_set(api: Api) -> None:
    for url in ("/graphql", "/v1/user", "/uploads/x"):
        refused = await preflight(api, url, APP, "PUT")
        assert refused.status_code == 405
        assert grants(refused) == {}
        assert grants(await api.client.get(url, headers={"Origin": APP})) == {}


def test_which_origins_can_be_named() -> None:
    text = "HTTPS://App.Example , http://localhost:3000,capacitor://localhost,http://[::1]:5173,"
    assert read_origins(text) == {
        "https://app.example", "http://localhost:3000", "capacitor://localhost", "http://[::1]:5173",
    }  # fmt: skip
    assert read_origins("https://a.example:443,http://b.example:80") == {
        "https://a.example", "http://b.example",
    }  # fmt: skip
    assert read_origins("") == frozenset()
    for wrong in ("null", "app.example", "https://app.example/", "https://*.example", "https://",
                  "https://a b", "https://u@h", "https://a.example:port", "**"):  # fmt: skip
        with pytest.raises(SettingError, match=r"DOCSTEAD_CORS_ORIGINS.*is no origin"):
            load_settings({"DOCSTEAD_CORS_ORIGINS": f"{APP},{wrong}"})
