"""Headers of GraphiQL, of the schema picture and of what they load."""

import re
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.routing import Route
from starlette.testclient import TestClient

from docstead.graphql.pages import STATIC, graphiql, page_routes

LOADED = re.compile(r'(?:src|href)="([^"]+)"')


@pytest.fixture
def client() -> TestClient:
    return TestClient(Starlette(routes=[Route("/graphql", graphiql()), *page_routes()]))


def policy(client: TestClient, path: str) -> dict[str, str]:
    """The Content-Security-Policy of a page, by directive."""
    text = client.get(path).headers["content-security-policy"]
    return dict(part.split(" ", 1) for part in text.split("; "))


@pytest.mark.parametrize("path", ["/graphql", "/graphql/schema"])
def test_page_allows_nothing_but_its_own_server(client: TestClient, path: str) -> None:
    allowed = policy(client, path)
    for closed in ("default-src", "base-uri", "form-action", "frame-ancestors"):
        assert allowed[closed] == "'none'"
    for word in " ".join(allowed.values()).split():
        assert word in {
            "'none'", "'self'", "'unsafe-inline'", "'wasm-unsafe-eval'", "data:", "blob:",
        }  # fmt: skip
    assert "unsafe-inline" not in allowed["script-src"]


def test_only_the_picture_may_run_web_assembly_and_inlined_workers(client: TestClient) -> None:
    assert policy(client, "/graphql")["script-src"] == "'self'"
    assert policy(client, "/graphql")["worker-src"] == "'self'"
    assert policy(client, "/graphql/schema")["script-src"] == "'self' 'wasm-unsafe-eval'"
    assert policy(client, "/graphql/schema")["worker-src"] == "'self' blob:"


@pytest.mark.parametrize("path", ["/graphql", "/graphql/schema"])
def test_page_is_asked_for_again_and_its_assets_are_not(client: TestClient, path: str) -> None:
    page = client.get(path)
    assert page.headers["cache-control"] == "no-cache"
    assert page.headers["vary"] == "Accept"
    assert page.headers["referrer-policy"] == "no-referrer"
    addresses = LOADED.findall(page.text)
    assert len(addresses) >= 4
    for address in addresses:
        # Relative to the page, so that a proxy may serve both below a prefix.
        assert not address.startswith(("/", "http"))
        asset = client.get(f"{path.rpartition('/')[0]}/{address}")
        assert asset.status_code == 200
        assert asset.headers["cache-control"] == "public, max-age=31536000, immutable"


@pytest.mark.parametrize("name", ["missing.js", "../graphiql.html", "%2e%2e/graphiql.html"])
def test_nothing_but_assets_is_served(client: TestClient, name: str) -> None:
    answer = client.get(f"/graphql/assets/{name}")
    assert answer.status_code == 404
    assert "cache-control" not in answer.headers


def test_shipped_files_hold_no_source_maps_and_stay_small() -> None:
    files = [path for path in STATIC.rglob("*") if path.is_file()]
    assert not [path.name for path in files if path.suffix == ".map"]
    assert sum(path.stat().st_size for path in files) < 9_000_000


def test_licences_of_what_is_bundled_are_shipped() -> None:
    text = (STATIC / "THIRD-PARTY-LICENCES.txt").read_text(encoding="utf-8")
    for name in ("graphiql 5", "monaco-editor 0", "react 19", "graphql-voyager 2", "Graphviz 5"):
        assert re.search(rf"^{name}", text, re.MULTILINE), name


def test_lock_file_names_no_registry() -> None:
    lock = Path(__file__).parents[3] / "docstead" / "graphiql" / "package-lock.json"
    assert '"resolved"' not in lock.read_text(encoding="utf-8")
