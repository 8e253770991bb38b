"""API reference on a site in a real browser: what readers see, and requests that they send."""

import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx2
import pytest
from playwright.sync_api import Browser, FrameLocator, Page, expect

from tests.browser.conftest import DESKTOP, PHONE, findings_in_both, other_colours
from tests.browser.test_published_site import ACCESSIBLE, CONTRAST
from tests.browser.test_special_blocks import Tab
from tests.docstead.test_serve import run, serving

SUMMARY = """# Table of contents

* [Welcome](README.md)
* ```yaml
  type: builtin:openapi
  props:
    models: true
  dependencies:
    spec:
      ref:
        kind: openapi
        spec: planets
  ```
"""
SPECIFICATION = """
openapi: 3.0.3
info: {title: Planets, version: "1"}
servers:
  - url: "SERVER/{version}"
    variables: {version: {default: v1, enum: [v1, v2]}}
  - url: "OTHER"
tags:
  - {name: planets, x-page-title: All planets, x-page-description: What moves around stars.,
     x-page-icon: globe, description: "Planets are **round**."}
  - {name: moons, parent: planets}
security: [{key: []}]
paths:
  /planets:
    get:
      tags: [planets]
      summary: List planets
      description: "Planets by `name`."
      parameters:
        - {name: kind, in: query, description: Only of one kind,
           schema: {type: string, enum: [rock, gas],
                    x-enumDescriptions: {rock: Of stone, gas: Of gas}}}
        - {name: tags, in: query, schema: {type: array, items: {type: string}}, example: [a, b]}
        - {name: X-Trace, in: header, schema: {type: string}}
      responses:
        "200":
          description: Planets
          headers: {X-Total: {description: How many, schema: {type: integer}}}
          content:
            application/json:
              schema: {type: array, items: {$ref: "#/components/schemas/Planet"}}
              examples:
                one: {summary: A planet, value: [{name: Mars}]}
                none: {summary: No planet, value: []}
        "404": {description: There are none}
    post:
      tags: [planets]
      summary: Add a planet
      deprecated: true
      x-deprecated-sunset: "2027-01-01"
      requestBody:
        required: true
        content:
          application/json: {schema: {$ref: "#/components/schemas/Planet"}}
          application/x-www-form-urlencoded: {schema: {$ref: "#/components/schemas/Planet"}}
      responses: {"201": {description: Added}}
  /planets/{name}/moons:
    get:
      tags: [moons]
      summary: Moons of a planet
      x-stability: beta
      parameters:
        - {name: name, in: path, required: true, schema: {type: string}, example: Mars}
      responses: {"200": {description: Moons}}
  /quiet:
    get:
      tags: [moons]
      summary: Without a panel
      x-hideTryItPanel: true
      x-codeSamples: false
      responses: {"200": {description: Quiet}}
components:
  securitySchemes:
    key: {type: http, scheme: bearer, x-gitbook-token-placeholder: pl_123}
  schemas:
    Planet:
      type: object
      required: [name]
      properties:
        name: {type: string, description: Its name, example: Venus}
        secret: {type: string, x-internal: true}
        star: {$ref: "#/components/schemas/Star"}
        inner: {type: array, items: {$ref: "#/components/schemas/Planet"}}
    Star: {type: object, properties: {name: {type: string}, mass: {type: number, minimum: 0}}}
"""
Sent = tuple[str, str, dict[str, str], bytes]


@dataclass
class Served:
    """A server of an API on loopback that notes what it is sent."""

    base: str
    sent: list[Sent] = field(default_factory=list)
    # Where another address leads to.
    leads_to: str = ""


def api_server(cors: bool = True) -> Iterator[Served]:
    served = Served("")

    class Handler(BaseHTTPRequestHandler):
        def answer(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            body = self.rfile.read(length)
            served.sent.append(
                (self.command, self.path, {n.lower(): v for n, v in self.headers.items()}, body)
            )
            preflight = self.command == "OPTIONS"
            data = b"" if preflight else json.dumps({"path": self.path, "html": "<b>x"}).encode()
            if self.path.startswith("/v1/planets/away") and not preflight:
                self.send_response(307)
                self.send_header("Location", served.leads_to)
            else:
                self.send_response(204 if preflight else 200)
            if cors:
                self.send_header("Access-Control-Allow-Origin", "*")
                self.send_header(
                    "Access-Control-Allow-Headers", "authorization, content-type, x-trace"
                )
                self.send_header("Access-Control-Allow-Methods", "GET, POST")
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_POST = do_OPTIONS = answer

        def log_message(self, *arguments: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    served.base = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield served
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture(scope="module")
def planets() -> Iterator[Served]:
    yield from api_server()


@pytest.fixture(scope="module")
def closed() -> Iterator[Served]:
    """A server that answers no page of others."""
    yield from api_server(cors=False)


@dataclass(frozen=True)
class Reference:
    base: str
    root: str
    page: str


@pytest.fixture(scope="module")
def reference(
    tmp_path_factory: pytest.TempPathFactory, planets: Served, closed: Served
) -> Iterator[Reference]:
    folder = tmp_path_factory.mktemp("reference")
    docs, data_dir = folder / "docs", folder / "data"
    docs.mkdir()
    (docs / "README.md").write_text("# Welcome\n\nTo the planets.\n")
    (docs / "SUMMARY.md").write_text(SUMMARY)
    where = ["--data-dir", str(data_dir)]
    made = run(
        "init", "--email", "ada@example.com", "--name", "Ada", "--organization", "Acme", *where
    )
    organization = made["organization"]["id"]
    imported = run("import-docs", str(docs), "--organization", organization, *where)
    published = run("publish", imported["space"]["id"], *where)
    text = SPECIFICATION.replace("SERVER", planets.base).replace("OTHER", closed.base)
    with serving(data_dir) as (base, _):
        root = f"{base}/sites/{published['site']['id']}"
        with httpx2.Client(
            base_url=base, headers={"Authorization": f"Bearer {made['token']}"}
        ) as api:
            answer = api.put(
                f"/v1/orgs/{organization}/openapi/planets", json={"source": {"text": text}}
            )
            assert answer.status_code == 201, answer.text
            page = f"{root}/all-planets"
            wait_for_page(api, page)
        yield Reference(base, root, page)


def wait_for_page(api: httpx2.Client, address: str) -> None:
    """The pages of a specification are made by jobs."""
    waiting = threading.Event()
    for _ in range(600):
        if api.get(address).status_code == 200:
            return
        waiting.wait(0.2)
    pytest.fail(f"there is no page at {address}")


def panel(page: Page, number: int) -> FrameLocator:
    """The form of an operation, opened by its keyboard."""
    summary = page.locator(".openapi-request > summary").nth(number)
    summary.focus()
    page.keyboard.press("Enter")
    return page.locator(".openapi-request iframe").nth(number).content_frame


def choose(frame: FrameLocator, server: str) -> None:
    frame.get_by_label("Server").select_option(server)
    frame.get_by_role("button", name="Use this server").press("Enter")
    expect(frame.locator("form.request")).to_be_visible()


# Each width and each scheme once: the other colours are looked at as well.
@pytest.mark.parametrize(
    ("size", "scheme"), [(DESKTOP, "light"), (PHONE, "dark")], ids=["desktop-light", "phone-dark"]
)
def test_readers_see_a_reference_and_send_a_request_after_a_choice(
    browser: Browser, reference: Reference, planets: Served, closed: Served, artifacts: Path,
    axe: str, scheme: Any, size: Any,
) -> None:  # fmt: skip
    planets.sent.clear()
    tab = Tab(browser.new_context(viewport=size, color_scheme=scheme))
    page = tab.page
    page.goto(reference.page)
    expect(page.get_by_role("heading", name="List planets")).to_be_visible()
    # No form is loaded before it is opened.
    assert not [url for url in tab.requests if "~gitbook/request" in url]
    page.screenshot(path=artifacts / f"api-{size['width']}-{scheme}.png", full_page=True)
    assert page.evaluate(ACCESSIBLE) == []
    assert page.evaluate(CONTRAST) == []
    with other_colours(page):
        assert page.evaluate(CONTRAST) == []
    assert findings_in_both(page, axe) == []

    frame = panel(page, 0)
    expect(frame.get_by_text("Nothing is sent before")).to_be_visible()
    options = frame.get_by_label("Server").locator("option").all_inner_texts()
    assert options == [f"{planets.base}/v1", closed.base, f"{planets.base}/v2"]
    assert planets.sent == closed.sent == []
    choose(frame, f"{planets.base}/v1")
    assert planets.sent == []
    expect(frame.get_by_label("Token key")).to_be_focused()
    frame.get_by_label("Token key").fill("tok-1")
    frame.get_by_label("kind").select_option("gas")
    frame.get_by_label("tags").fill("a b,c&d")
    frame.get_by_label("X-Trace").fill("t-1")
    frame.get_by_role("button", name="Send request").press("Enter")
    answer = frame.locator(".request-response")
    expect(answer.locator("pre")).to_contain_text('"html": "<b>x"')
    expect(answer.locator("h2")).to_contain_text("200")
    height = page.locator(".openapi-request iframe").first.evaluate(
        "frame => [frame.clientHeight, frame.contentDocument.documentElement.scrollHeight]"
    )
    assert height[0] >= height[1]
    page.screenshot(path=artifacts / f"api-sent-{size['width']}-{scheme}.png", full_page=True)
    assert page.evaluate(ACCESSIBLE) == []
    assert findings_in_both(page, axe) == []
    tab.context.close()
    method, path, headers, _ = planets.sent[-1]
    assert (method, path) == ("GET", "/v1/planets?kind=gas&tags=a%20b&tags=c%26d")
    assert headers["authorization"] == "Bearer tok-1"
    assert headers["x-trace"] == "t-1"
    assert "cookie" not in headers
    assert "referer" not in headers
    assert closed.sent == []
    outside = tab.outside(reference.base)
    assert outside
    assert all(url.startswith(f"{planets.base}/") for url in outside)
    assert tab.problems == []


def test_bodies_and_forms_are_sent(browser: Browser, reference: Reference, planets: Served) -> None:
    planets.sent.clear()
    tab = Tab(browser.new_context(viewport=DESKTOP))
    tab.page.goto(reference.page)
    frame = panel(tab.page, 1)
    choose(frame, f"{planets.base}/v2")
    body = frame.locator("textarea")
    assert json.loads(body.input_value())["name"] == "Venus"
    body.fill('{"name": "Pluto"}')
    frame.get_by_role("button", name="Send request").click()
    expect(frame.locator(".request-response pre")).to_contain_text("/v2/planets")
    method, path, headers, data = planets.sent[-1]
    assert (method, path, data) == ("POST", "/v2/planets", b'{"name": "Pluto"}')
    assert headers["content-type"] == "application/json"
    frame.get_by_label("Content-Type").select_option("application/x-www-form-urlencoded")
    # The answer of before is there already.
    with tab.page.expect_response(f"{planets.base}/v2/planets"):
        frame.get_by_role("button", name="Send request").click()
    expect(frame.locator(".request-response pre")).to_be_visible()
    assert planets.sent[-1][3] == b"name=Pluto"
    # What is no JSON is named, and not sent.
    count = len(planets.sent)
    body.fill("{name")
    frame.get_by_role("button", name="Send request").click()
    expect(frame.locator(".request-problem")).to_contain_text("application/x-www-form-urlencoded")
    assert len(planets.sent) == count
    tab.context.close()
    assert tab.problems == []


def test_servers_that_refuse_or_lead_elsewhere(
    browser: Browser, reference: Reference, planets: Served, closed: Served
) -> None:
    planets.leads_to = f"{closed.base}/elsewhere"
    tab = Tab(browser.new_context(viewport=DESKTOP))
    page = tab.page
    page.goto(f"{reference.root}/all-planets/moons")
    # One operation hides its panel.
    expect(page.get_by_role("heading", name="Without a panel")).to_be_visible()
    assert page.locator(".openapi-request").count() == 1
    frame = panel(page, 0)
    choose(frame, closed.base)
    expect(frame.get_by_label("name")).to_have_value("Mars")
    frame.get_by_role("button", name="Send request").click()
    expect(frame.locator(".request-problem")).to_contain_text("CORS")
    frame.get_by_role("button", name="Choose another server").click()
    choose(frame, f"{planets.base}/v1")
    frame.get_by_label("name").fill("away")
    frame.get_by_role("button", name="Send request").click()
    expect(frame.locator(".request-problem")).to_be_visible()
    # The script could connect to nothing else, nor to the site.
    refused = page.frames[1].evaluate(
        """async (urls) => Promise.all(urls.map(
          (url) => fetch(url, { mode: "no-cors" }).then(() => "sent", () => "refused")))""",
        [reference.base, closed.base, f"{planets.base}/v1/x"],
    )
    assert refused == ["refused", "refused", "sent"]
    tab.context.close()
    assert planets.sent[-2][1] == "/v1/planets/away/moons"
    assert "/elsewhere" not in {path for _, path, *_ in closed.sent}


def test_without_scripts_everything_is_readable(
    browser: Browser, reference: Reference, planets: Served
) -> None:
    context = browser.new_context(viewport=DESKTOP, java_script_enabled=False)
    page = context.new_page()
    page.goto(reference.page)
    expect(page.locator(".openapi-path").first).to_have_text("/planets")
    page.locator(".openapi-request > summary").first.click()
    frame = page.locator(".openapi-request iframe").first.content_frame
    frame.get_by_label("Server").select_option(f"{planets.base}/v1")
    frame.get_by_role("button", name="Use this server").click()
    expect(frame.locator("noscript")).to_be_visible()
    expect(frame.get_by_role("button", name="Send request")).to_be_disabled()
    context.close()


def test_the_form_is_there_for_what_a_page_shows_alone(
    reference: Reference, planets: Served
) -> None:
    with httpx2.Client(base_url=f"{reference.root}/~gitbook") as client:

        def get(**parameters: str) -> httpx2.Response:
            shown = {"page": "all-planets", "spec": "planets", "path": "/planets", "method": "get"}
            return client.get("request", params=shown | parameters)

        before, after = get(), get(server=f"{planets.base}/v2")
        assert before.status_code == after.status_code == 200
        policy = before.headers["Content-Security-Policy"]
        assert "connect-src 'none';" in policy
        assert planets.base not in policy
        assert f"connect-src {planets.base};" in after.headers["Content-Security-Policy"]
        assert "unsafe" not in policy
        assert after.headers["X-Robots-Tag"] == "noindex"
        for wrong in (
            {"server": "https://evil.example"}, {"server": f"{planets.base}/v3"},
            {"spec": "other"}, {"path": "/planets/{name}/moons"}, {"method": "delete"},
            {"page": "welcome"}, {"page": "nowhere"}, {"server": "; script-src *"},
            {"page": "all-planets/moons", "path": "/quiet"},
        ):  # fmt: skip
            assert get(**wrong).status_code == 404, wrong
        assert client.get("request").status_code == 404
