"""A page of another origin in a real browser: its scripts call both doors and upload bytes."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx2
import pytest
from playwright.sync_api import Browser

from tests.browser.conftest import Running
from tests.docstead.test_serve import run, serving

CALLS = """
async ([base, token, organization]) => {
  const bearer = { Authorization: `Bearer ${token}` };
  const json = { ...bearer, "Content-Type": "application/json" };
  const seen = {};
  const note = async (name, response) => {
    const text = await response.text();
    seen[name] = {
      status: response.status,
      body: text ? JSON.parse(text) : null,
      headers: Object.fromEntries(response.headers),
    };
    return seen[name];
  };
  const graphql = (query, variables, headers = {}) => fetch(`${base}/graphql`, {
    method: "POST",
    headers: { ...json, ...headers },
    body: JSON.stringify({ query, variables }),
  });
  await note("query", await graphql("{ viewer { email } }"));
  const make = `mutation ($organization: ID!) {
    createSpace(organizationId: $organization, input: { title: "From afar" }) { id } }`;
  for (const name of ["created", "repeated"])
    await note(name, await graphql(make, { organization }, { "Idempotency-Key": "once" }));
  const space = seen.created.body.data.createSpace.id;
  await note("space", await fetch(`${base}/v1/spaces/${space}`, { headers: bearer }));
  await note("changed", await fetch(`${base}/v1/spaces/${space}`, {
    method: "PATCH",
    headers: { ...json, Prefer: "handling=strict", "X-Request-Id": "from-afar" },
    body: JSON.stringify({ title: "Changed" }),
  }));
  const content = `${base}/v1/spaces/${space}/content`;
  const first = await note("content", await fetch(content, { headers: bearer }));
  await note("known", await fetch(content, {
    headers: { ...bearer, "If-None-Match": first.headers.etag },
    cache: "no-store",
  }));
  const start = `mutation ($space: ID!) {
    createFileUpload(spaceId: $space, input: { name: "a.txt", size: 3 }) { url } }`;
  const upload = await note("upload", await graphql(start, { space }));
  await note("uploaded", await fetch(upload.body.data.createFileUpload.url, {
    method: "PUT",
    headers: { "Content-Type": "text/plain" },
    body: "abc",
  }));
  await note("refused", await fetch(`${base}/v1/user`, { headers: { Authorization: "Bearer x" } }));
  return seen;
}
"""
# What a page that is not allowed can do: each way to read an answer, and to change something.
ATTEMPTS = """
async ([base, token, organization]) => {
  const bearer = { Authorization: `Bearer ${token}` };
  const tried = {
    graphql: [`${base}/graphql`, { method: "POST", headers: { ...bearer,
      "Content-Type": "application/json" }, body: JSON.stringify({ query: `mutation {
        createSpace(organizationId: "${organization}", input: { title: "Evil" }) { id } }` }) }],
    rest: [`${base}/v1/user`, { headers: bearer }],
    simple: [`${base}/v1/user`, {}],
    cookies: [`${base}/v1/user`, { credentials: "include" }],
    put: [`${base}/uploads/x`, { method: "PUT", body: "abc" }],
  };
  const outcomes = {};
  for (const [name, [url, options]] of Object.entries(tried))
    try { outcomes[name] = (await fetch(url, options)).status; }
    catch (error) { outcomes[name] = error.name; }
  return outcomes;
}
"""


class Silent(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        """Nothing is said about requests."""


@contextmanager
def page_server(folder: Path) -> Iterator[str]:
    """The origin of a page that is served by somebody else."""
    (folder / "index.html").write_text("<!doctype html><title>Front end</title>")
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Silent, directory=folder))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def outcome(browser: Browser, origin: str, script: str, *arguments: str) -> Any:
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{origin}/index.html")
    found = page.evaluate(script, list(arguments))
    context.close()
    return found


@pytest.fixture
def organization(running: Running) -> str:
    found = httpx2.get(
        f"{running.base}/v1/orgs", headers={"Authorization": f"Bearer {running.token}"}
    )
    return str(found.json()["items"][0]["id"])


def test_a_page_of_an_allowed_origin(browser: Browser, tmp_path: Path) -> None:
    data, front = tmp_path / "data", tmp_path / "front"
    front.mkdir()
    with (
        page_server(front) as origin,
        page_server(front) as other,
        serving(data, settings={"DOCSTEAD_CORS_ORIGINS": origin}) as (base, _),
    ):
        made = run(
            "init", "--email", "ada@example.com", "--name", "Ada", "--organization", "Acme",
            "--data-dir", str(data),
        )  # fmt: skip
        given = (base, made["token"], made["organization"]["id"])
        seen = outcome(browser, origin, CALLS, *given)
        attempts = outcome(browser, other, ATTEMPTS, *given)
        with_cookies = outcome(browser, origin, ATTEMPTS, *given)
    assert seen["query"]["body"]["data"] == {"viewer": {"email": "ada@example.com"}}
    assert seen["repeated"]["body"] == seen["created"]["body"]
    assert seen["repeated"]["headers"]["idempotent-replayed"] == "true"
    assert seen["space"]["body"]["title"] == "From afar"
    assert seen["changed"]["body"]["title"] == "Changed"
    assert seen["changed"]["headers"]["x-request-id"] == "from-afar"
    assert seen["content"]["headers"]["etag"]
    assert seen["known"]["status"] == 304
    assert seen["uploaded"]["body"]["size"] == 3
    assert seen["refused"]["status"] == 401
    assert seen["refused"]["headers"]["www-authenticate"]
    assert attempts == dict.fromkeys(attempts, "TypeError")
    assert with_cookies["cookies"] == "TypeError"
    assert with_cookies["simple"] == 401


def test_no_other_origin_is_allowed_by_default(
    browser: Browser, tmp_path: Path, running: Running, organization: str
) -> None:
    with page_server(tmp_path) as origin:
        attempts = outcome(browser, origin, ATTEMPTS, running.base, running.token, organization)
    assert attempts == dict.fromkeys(attempts, "TypeError")
    spaces = httpx2.get(
        f"{running.base}/v1/orgs/{organization}/spaces",
        headers={"Authorization": f"Bearer {running.token}"},
    )
    assert [space["title"] for space in spaces.json()["items"] if space["title"] == "Evil"] == []
