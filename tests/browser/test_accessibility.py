"""axe finds nothing critical or serious in what is ours: pages for people, light and dark."""

from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import DESKTOP, PATIENCE, PHONE, Shown, findings_in_both

PUBLISHED = ("", "/install/mount", "/data-api/endpoints/levels", "?q=battery", "?q=zzzz",
             "/nowhere", "/install/power")  # fmt: skip


# Each width and each scheme once: axe looks at the other colours as well (`findings_in_both`).
@pytest.fixture(params=["light", "dark"], ids=["desktop-light", "phone-dark"])
def scheme(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def page(browser: Browser, scheme: str) -> Iterator[Page]:
    context = browser.new_context(
        viewport=DESKTOP if scheme == "light" else PHONE,
        color_scheme=scheme,  # type: ignore[arg-type]
        has_touch=scheme == "dark",
    )
    opened = context.new_page()
    opened.set_default_timeout(PATIENCE)
    yield opened
    context.close()


def sign_in(page: Page, site: Shown) -> None:
    page.get_by_label("Token", exact=True).fill(site.token)
    page.get_by_label("Token", exact=True).press("Enter")


def test_graphiql(page: Page, site: Shown, axe: str, artifacts: Path, scheme: str) -> None:
    """On a phone, too, its results are there to be read."""
    page.goto(f"{site.base}/graphql")
    page.wait_for_selector(".monaco-editor")
    assert findings_in_both(page, axe) == []
    sign_in(page, site)
    expect(page.get_by_text("Token accepted")).to_be_visible()
    width = page.viewport_size["width"]  # type: ignore[index]
    if width == PHONE["width"]:
        page.get_by_role("button", name="Show Examples").click()
    expect(page.get_by_role("heading", name="Examples")).to_be_visible()
    assert findings_in_both(page, axe) == []
    page.get_by_role("button", name="Viewer", exact=False).first.click()
    page.get_by_role("button", name="Execute query").click()
    result = page.get_by_role("region", name="Result Window")
    expect(result).to_contain_text("Ada Okafor")
    box = result.bounding_box()
    assert box is not None
    assert box["width"] >= 300
    assert box["height"] >= 150
    assert 0 <= box["x"] <= box["x"] + box["width"] <= width
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    result.scroll_into_view_if_needed()
    expect(result.get_by_text("Okafor").first).to_be_in_viewport()
    page.screenshot(path=artifacts / f"graphiql-{width}-{scheme}.png")


def test_refused_token(page: Page, site: Shown, axe: str) -> None:
    page.goto(f"{site.base}/graphql")
    page.get_by_label("Token", exact=True).fill("docstead_wrong")
    page.get_by_label("Token", exact=True).press("Enter")
    expect(page.locator(".notice.refused")).to_be_visible()
    # What is still loading has nothing to focus.
    page.wait_for_selector(".monaco-editor")
    if page.viewport_size != PHONE:
        expect(page.get_by_role("heading", name="Examples")).to_be_visible()
    assert findings_in_both(page, axe) == []


def test_published_pages_and_their_errors(
    page: Page, site: Shown, axe: str, artifacts: Path, scheme: str
) -> None:
    width = page.viewport_size["width"]  # type: ignore[index]
    for path in PUBLISHED:
        page.goto(site.root + path)
        assert findings_in_both(page, axe) == [], path
        if path == "/install/mount":
            page.screenshot(path=artifacts / f"axe-page-{width}-{scheme}.png", full_page=True)
    page.goto(f"{site.base}/sites/nothing")
    assert findings_in_both(page, axe) == []


def test_a_site_that_asks_for_signing_in(page: Page, site: Shown, axe: str) -> None:
    """Who is not signed in, or with a bad token, reads why."""
    address = closed_site(site)
    for query in ("", "?jwt_token=bad", "~gitbook/auth/logout"):
        response = page.goto(f"{address}/{query}")
        assert response is not None
        assert response.status == 403
        assert findings_in_both(page, axe) == []


def closed_site(site: Shown) -> str:
    """The address of a published site that only signed-in visitors may read."""
    headers = {"Authorization": f"Bearer {site.token}"}
    with httpx2.Client(base_url=site.base, headers=headers) as client:
        (organization, *_) = client.get("/v1/orgs").json()["items"]
        sites = f"/v1/orgs/{organization['id']}/sites"
        (space, *_) = client.get(f"/v1/orgs/{organization['id']}/spaces").json()["items"]
        wanted = {"title": "Closed", "visibility": "visitor-auth", "type": "ultimate"}
        made = client.post(sites, json={**wanted, "spaces": [space["id"]]}).json()
        assert client.post(f"{sites}/{made['id']}/publish").status_code < 300
        return f"{site.base}/sites/{made['id']}"
