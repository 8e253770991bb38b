"""Scripts of integrations in a real browser: after the reader's consent, and in no other place."""

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import httpx2
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.conftest import findings
from tests.docstead.demo_data import demo_folder
from tests.docstead.test_serve import serving
from tests.runtime.scripts import bundle

HOST = "docs.localhost"
SCRIPT = bundle(
    """
    if (event.type !== "fetch_published_script") return new Response("OK");
    const { message } = environment.siteInstallation.configuration;
    return new Response(`
      document.body.dataset.ran = ${JSON.stringify(message)};
      document.cookie = "foreign=1";
      const inline = document.createElement("script");
      inline.textContent = "document.body.dataset.inline = 'yes'";
      document.body.append(inline);
      fetch("/sites/").catch(() => {});
    `, { headers: { "Content-Type": "application/javascript" } });
    """
)


@dataclass(frozen=True)
class Sites:
    """A site on a host name of its own, and its administrator."""

    base: str
    host: str
    token: str
    organization: str
    site: str

    def call(self, method: str, path: str, body: object = None) -> httpx2.Response:
        answer = httpx2.request(
            method, f"{self.base}/v1{path}", json=body,
            headers={"Authorization": f"Bearer {self.token}"}, timeout=30,
        )  # fmt: skip
        assert answer.status_code < 300, answer.text
        return answer


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sites]:
    data_dir: Path = tmp_path_factory.mktemp("scripts") / "data"
    made = demo_folder(data_dir)
    with sqlite3.connect(data_dir / "docstead.sqlite3") as database:
        site, organization = database.execute(
            "SELECT id, organization_id FROM site WHERE published LIMIT 1"
        ).fetchone()
        database.execute("UPDATE site SET hostname = ? WHERE id = ?", (HOST, site))
    with serving(data_dir) as (base, _):
        port = urlsplit(base).port
        found = Sites(base, f"http://{HOST}:{port}", made["token"], organization, site)
        found.call("POST", "/integrations/marks", {
            "organization": organization, "title": "Marks", "description": "Marks the page",
            "script": SCRIPT, "scopes": ["site:script:inject", "site:script:cookies"],
            "target": "site", "contentSecurityPolicy": "connect-src https://stats.example",
            "configurations": {"site": {"properties": {"message": {"type": "string"}},
                                        "required": ["message"]}},
        })  # fmt: skip
        installed = found.call(
            "POST", "/integrations/marks/installations", {"organization": organization}
        ).json()["id"]
        place = f"/integrations/marks/installations/{installed}/sites"
        found.call("POST", place, {"siteId": site})
        found.call("PATCH", f"{place}/{site}", {"configuration": {"message": "</script>hi"}})
        yield found


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    opened = browser.new_context()
    yield opened
    opened.close()


def ran(page: Page) -> object:
    return page.evaluate("document.body.dataset.ran ?? null")


def test_a_script_runs_after_consent(sites: Sites, context: BrowserContext, axe: str) -> None:
    page = context.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto(sites.host, wait_until="networkidle")
    banner = page.get_by_role("region", name="Cookies")
    expect(banner).to_contain_text("would like to set cookies")
    assert ran(page) is None
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        assert findings(page, axe) == []
    # Who says no is not asked again, and nothing is loaded.
    banner.get_by_role("button", name="Reject").click()
    expect(banner).to_have_count(0)
    page.reload(wait_until="networkidle")
    expect(banner).to_have_count(0)
    assert ran(page) is None
    # Who changes their mind finds it below.
    page.get_by_role("button", name="Cookies").click()
    banner.get_by_role("button", name="Accept").click()
    expect(page.locator("body")).to_have_attribute("data-ran", "</script>hi")
    # What it says itself runs, and nothing else: no text that it puts into the page.
    assert page.evaluate("document.body.dataset.inline ?? null") is None
    cookies = {cookie["name"]: cookie["value"] for cookie in context.cookies()}
    assert cookies["__gitbook_cookie_granted"] == "yes"
    page.reload()
    expect(page.locator("body")).to_have_attribute("data-ran", "</script>hi")
    # Consent that is withdrawn ends it.
    page.get_by_role("button", name="Cookies").click()
    banner.get_by_role("button", name="Reject").click()
    expect(page.locator("body")).not_to_have_attribute("data-ran", "</script>hi")
    page.wait_for_load_state("networkidle")
    assert ran(page) is None
    assert problems == []


def test_the_policy_names_one_address_and_the_hosts_of_the_manifest(sites: Sites) -> None:
    answer = httpx2.get(sites.base, headers={"Host": urlsplit(sites.host).netloc})
    policy = {
        part.split()[0]: part.split()[1:]
        for part in answer.headers["content-security-policy"].split(";")
    }
    (foreign,) = [source for source in policy["script-src"] if source.startswith("http")]
    assert foreign.endswith(f"/sites/{sites.site}/script")
    assert policy["connect-src"] == ["'self'", "https://stats.example"]
    assert "'unsafe-inline'" not in policy["script-src"]
    script = httpx2.get(foreign)
    assert script.headers["content-type"] == "text/javascript; charset=utf-8"
