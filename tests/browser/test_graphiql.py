"""GraphiQL and the schema picture in a real browser: usable, and silent towards other hosts."""

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx2
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import DESKTOP, DRAWING, PATIENCE, PHONE, Running, findings

# A loaded machine may be slow to start a browser's workers.
ATTEMPTS = 20
STATIC = Path(__file__).parents[2] / "docstead" / "static" / "graphiql"


class Visit:
    """One tab that notes what it requests and what it complains about."""

    def __init__(self, browser: Browser, scheme: str) -> None:
        self.context = browser.new_context(
            viewport={"width": 1400, "height": 860}, color_scheme=scheme
        )
        self.page: Page = self.context.new_page()
        self.requests: list[str] = []
        self.problems: list[str] = []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("console", self._note)

    def _note(self, message: object) -> None:
        if getattr(message, "type", "") == "error":
            self.problems.append(str(getattr(message, "text", "")))

    def foreign(self, base: str) -> list[str]:
        """Requests to anything but the server."""
        return [
            url
            for url in self.requests
            if urlsplit(url).scheme not in {"data", "blob"} and not url.startswith(f"{base}/")
        ]


@pytest.fixture
def visit(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Visit]:
    """Light, for what is done is the same in the dark; a parameter is another scheme."""
    opened = Visit(browser, getattr(request, "param", "light"))
    opened.page.set_default_timeout(PATIENCE)
    yield opened
    opened.context.close()


@pytest.mark.parametrize("visit", ["light", "dark"], indirect=True)
def test_type_a_token_run_a_query_and_see_the_answer(
    visit: Visit, running: Running, artifacts: Path, request: pytest.FixtureRequest
) -> None:
    page = visit.page
    page.goto(f"{running.base}/graphql")
    expect(page.get_by_text("There is no token yet")).to_be_visible()
    page.get_by_label("Token", exact=True).fill(running.token)
    page.get_by_label("Token", exact=True).press("Enter")
    page.get_by_role("button", name="Organizations").click()
    page.get_by_role("button", name="Execute query").click()
    response = page.get_by_role("region", name="Result Window")
    expect(response).to_contain_text("Acme Docs")
    expect(page.get_by_text("Token accepted")).to_be_visible()
    scheme = request.node.callspec.params["visit"]
    page.screenshot(path=artifacts / f"graphiql-{scheme}.png")
    assert visit.foreign(running.base) == []
    assert visit.problems == []


def test_token_is_remembered_in_the_tab_and_nowhere_else(visit: Visit, running: Running) -> None:
    page = visit.page
    page.goto(f"{running.base}/graphql")
    page.get_by_label("Token", exact=True).fill(running.token)
    page.get_by_label("Token", exact=True).press("Enter")
    page.reload()
    expect(page.get_by_label("Token", exact=True)).to_have_value(running.token)
    other = visit.context.new_page()
    other.goto(f"{running.base}/graphql")
    expect(other.get_by_label("Token", exact=True)).to_have_value("")


def test_completion_knows_the_schema(visit: Visit, running: Running) -> None:
    page = visit.page
    page.goto(f"{running.base}/graphql")
    page.get_by_label("Token", exact=True).fill(running.token)
    page.get_by_label("Token", exact=True).press("Enter")
    expect(page.get_by_text("Token accepted")).to_be_visible()
    suggestions = page.locator(".suggest-widget")
    # The editor's worker gets the schema a moment after the page does.
    for _ in range(ATTEMPTS):
        page.get_by_label("Operation Editor").click()
        page.keyboard.press("Control+a")
        page.keyboard.type("query { viewer { displ")
        page.keyboard.press("Control+Space")
        try:
            expect(suggestions).to_contain_text("displayName", timeout=3_000)
        except AssertionError:
            page.keyboard.press("Escape")
        else:
            return
    pytest.fail("the editor never offered displayName")


def test_first_visit_asks_for_a_token_and_nothing_of_the_server(
    visit: Visit, running: Running
) -> None:
    visit.page.goto(f"{running.base}/graphql")
    expect(visit.page.get_by_text("No token", exact=True)).to_be_visible()
    visit.page.wait_for_selector(".monaco-editor")
    visit.page.get_by_role("link", name="Schema picture").click()
    expect(visit.page.get_by_text("The schema is drawn once there is a token")).to_be_visible()
    assert f"{running.base}/graphql/schema" in visit.requests
    # The editor's page is the endpoint as well: one request of it, none to it.
    assert visit.requests.count(f"{running.base}/graphql") == 1
    assert visit.problems == []


def test_example_fills_in_its_ids(visit: Visit, running: Running) -> None:
    page = visit.page
    page.goto(f"{running.base}/graphql")
    page.get_by_label("Token", exact=True).fill(running.token)
    page.get_by_label("Token", exact=True).press("Enter")
    expect(page.get_by_text("Token accepted")).to_be_visible()
    page.get_by_role("button", name="Make a space").click()
    variables = page.get_by_role("region", name="Variables")
    expect(variables).to_contain_text("organizationId")
    expect(variables).not_to_contain_text("null")
    page.get_by_role("button", name="Execute query").click()
    response = page.get_by_role("region", name="Result Window")
    expect(response).to_contain_text("New space")
    assert visit.problems == []


def test_subscription_shows_what_happens(visit: Visit, running: Running) -> None:
    """The example of a subscription, over the socket of the editor."""
    page = visit.page
    headers = {"Authorization": f"Bearer {running.token}"}
    lookup = "{ viewer { organizations(first: 1) { nodes { id } } } }"
    with httpx2.Client(base_url=running.base, headers=headers) as client:
        found = client.post("/graphql", json={"query": lookup}).json()["data"]["viewer"]
        organization = found["organizations"]["nodes"][0]["id"]
        client.post(f"/v1/orgs/{organization}/spaces", json={"title": "Followed"})
        # The first one is what the example fills in.
        spaces = client.get(f"/v1/orgs/{organization}/spaces").json()["items"]
        space = spaces[0]["id"]
        page.goto(f"{running.base}/graphql")
        page.get_by_label("Token", exact=True).fill(running.token)
        page.get_by_label("Token", exact=True).press("Enter")
        expect(page.get_by_text("Token accepted")).to_be_visible()
        page.get_by_role("button", name="Follow a space").click()
        variables = page.get_by_role("region", name="Variables")
        expect(variables).to_contain_text(space)
        with page.expect_websocket() as opened:
            page.get_by_role("button", name="Execute query").click()
        assert urlsplit(opened.value.url).path == "/graphql"
        response = page.get_by_role("region", name="Result Window")
        for number in range(ATTEMPTS):
            # When the subscription has begun nobody says.
            title = f"Followed {number}"
            changed = client.patch(f"/v1/spaces/{space}", json={"title": title})
            assert changed.status_code == 200
            try:
                expect(response).to_contain_text(title, timeout=1_500)
            except AssertionError:
                continue
            break
    expect(response).to_contain_text("SPACE_UPDATED")
    assert visit.foreign(running.base) == []
    assert visit.problems == []


def test_refused_token_is_explained_until_another_is_accepted(
    visit: Visit, running: Running
) -> None:
    page = visit.page
    page.goto(f"{running.base}/graphql")
    page.get_by_label("Token", exact=True).fill("docstead_wrong")
    page.get_by_label("Token", exact=True).press("Enter")
    expect(page.locator(".notice.refused")).to_contain_text("did not accept this token")
    response = page.get_by_role("region", name="Result Window")
    expect(response).to_contain_text("UNAUTHENTICATED")
    page.get_by_label("Token", exact=True).fill(running.token)
    page.get_by_label("Token", exact=True).press("Enter")
    expect(page.get_by_text("Token accepted")).to_be_visible()
    expect(page.locator(".notice")).to_have_count(0)
    expect(response).not_to_contain_text("UNAUTHENTICATED")


def test_schema_picture_is_drawn(visit: Visit, running: Running, artifacts: Path, axe: str) -> None:
    """The part around a type is drawn, another one when it is chosen; the address names it."""
    page = visit.page
    page.goto(f"{running.base}/graphql/schema?type=Site&distance=1")
    expect(page.get_by_text("The schema is drawn once there is a token")).to_be_visible()
    for size in (DESKTOP, PHONE):
        for scheme in ("light", "dark"):
            assert_accessible(page, axe, size, scheme)
    page.get_by_label("Token", exact=True).fill(running.token)
    page.get_by_label("Token", exact=True).press("Enter")
    expect(page.locator("svg .node").first).to_be_visible(timeout=DRAWING)
    expect(page.get_by_label("Around")).to_have_value("Site")
    button = page.get_by_role("button", name="Show SiteSpace in the picture", exact=True)
    expect(button).to_have_count(1)
    page.get_by_label("Around").select_option("Comment")
    button = page.get_by_role("button", name="Show CommentReply in the picture", exact=True)
    expect(button).to_have_count(1, timeout=DRAWING)
    expect(page).to_have_url(re.compile(r"\?type=Comment&distance=1$"))
    for size, scheme in ((DESKTOP, "light"), (PHONE, "dark")):
        assert_accessible(page, axe, size, scheme)
        page.screenshot(path=artifacts / f"schema-{size['width']}-{scheme}.png")
    assert visit.foreign(running.base) == []
    assert visit.problems == []


def assert_accessible(page: Page, axe: str, size: dict[str, int], scheme: str) -> None:
    page.set_viewport_size(size)  # type: ignore[arg-type]
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    assert findings(page, axe) == [], (size, scheme)


def test_shipped_files_name_no_other_host_to_load_from() -> None:
    loads = re.compile(
        r"""(?:src|href)=["']https?:|url\(["']?https?:|import\(["']https?:|from\s?["']https?:"""
        r"""|importScripts\(["']https?:|new Worker\(["']https?:"""
    )
    for path in STATIC.rglob("*"):
        if path.suffix in {".js", ".css", ".html"}:
            assert not loads.search(path.read_text()), path.name
