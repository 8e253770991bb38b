"""What readers expect beside the text of a page, on a phone and a desk, light and dark."""

import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Request, Route, expect

from tests.browser.conftest import PATIENCE, Shown, findings_in_both, in_node, wait_until

PHONE, DESK = {"width": 390, "height": 844}, {"width": 1280, "height": 860}
TABS, IMAGE, OUTLINE = "/install/connect", "", "/install/mount"
CODE = "/data-api/start/quickstart"
MISSING = "/old/mount-gauge"
PAGES = (IMAGE, TABS, OUTLINE, CODE, "/data-api/endpoints/levels", "?q=battery", MISSING)
# Of what is loaded, as it is sent: HTML, style sheet, script, icon, and pictures of the text.
MOST_REQUESTS, MOST_BYTES, MOST_SHIFT = 5, 45_000, 0.02
SCRIPT_BYTES = 30_000
# In the order in which they are pressed, each with the tab that it leads to.
KEYS = (
    ("ArrowRight", "LTE-M"), ("End", "Cable"), ("ArrowRight", "LoRaWAN"), ("ArrowLeft", "Cable"),
    ("Home", "LoRaWAN"), ("End", "Cable"),
)  # fmt: skip
# Notes what moves and which theme the first frame has, from the beginning of each page.
WATCH = """() => {
  window.shifts = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifts += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
  const first = () => document.body ? (window.firstTheme = document.documentElement.dataset.theme
    ?? 'system') : requestAnimationFrame(first);
  requestAnimationFrame(first);
}"""


# Each width and each scheme once: axe looks at the other colours as well (`findings_in_both`).
@pytest.fixture(params=["light", "dark"], ids=["phone-light", "desk-dark"])
def scheme(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def page(browser: Browser, scheme: str) -> Iterator[Page]:
    """A tab in which nothing goes wrong and nothing is asked of other hosts."""
    context = browser.new_context(
        viewport=PHONE if scheme == "light" else DESK,
        color_scheme=scheme,  # type: ignore[arg-type]
        permissions=["clipboard-read", "clipboard-write"],
    )
    context.add_init_script(f"({WATCH})()")
    opened = context.new_page()
    opened.set_default_timeout(PATIENCE)
    problems: list[str] = []
    opened.on("pageerror", lambda error: problems.append(str(error)))
    opened.on(
        "console",
        lambda said: (
            problems.append(said.text)
            if said.type == "error" and "status of" not in said.text
            else None
        ),
    )
    yield opened
    context.close()
    assert problems == []


def clipboard(page: Page) -> Any:
    return page.evaluate("navigator.clipboard.readText()")


def focused(page: Page) -> Any:
    return page.evaluate("document.activeElement.textContent")


def test_what_a_page_costs(page: Page, site: Shown) -> None:
    """Few requests, few bytes, and nothing moves while it loads."""
    for path in PAGES:
        requests: list[Request] = []
        page.on("requestfinished", lambda one, into=requests: into.append(one))
        page.goto(site.root + path, wait_until="networkidle")
        own = [one for one in requests if "/files/" not in one.url]
        sizes = [one.sizes() for one in requests]
        total = sum(size["responseBodySize"] + size["responseHeadersSize"] for size in sizes)
        assert len(own) <= MOST_REQUESTS, [one.url for one in own]
        assert total <= MOST_BYTES, (path, total)
        assert page.evaluate("window.shifts") <= MOST_SHIFT, path
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
    script = page.evaluate("document.querySelector('script[src]').src")
    answer = page.request.get(script, headers={"Accept-Encoding": "gzip"})
    assert int(answer.headers["content-length"]) < SCRIPT_BYTES
    assert answer.headers["content-encoding"] == "gzip"


def test_tabs(page: Page, site: Shown, axe: str) -> None:
    page.goto(site.root + TABS)
    tabs = page.get_by_role("tab")
    expect(tabs).to_have_text(["LoRaWAN", "LTE-M", "Cable"])
    expect(page.get_by_role("tabpanel")).to_have_count(1)
    expect(tabs.first).to_have_attribute("aria-selected", "true")
    tabs.first.focus()
    for key, chosen in KEYS:
        page.keyboard.press(key)
        assert focused(page) == chosen
        expect(page.get_by_role("tab", selected=True)).to_have_text(chosen)
        expect(page.get_by_role("tabpanel")).to_have_accessible_name(chosen)
    expect(page).to_have_url(f"{site.root}{TABS}#tab:cable")
    expect(page.get_by_text("speed = 9600")).to_be_visible()
    expect(page.get_by_text("Insert a SIM")).to_be_hidden()
    assert findings_in_both(page, axe) == []
    # On paper there are all of them, with their titles.
    page.emulate_media(media="print")
    expect(page.get_by_text("Insert a SIM")).to_be_visible()
    assert page.locator(".tab > .tab-title").filter(visible=True).count() == 3
    page.emulate_media(media="screen")
    # It is remembered by its title; an address with another one wins.
    page.goto(site.root + TABS)
    expect(page.get_by_role("tab", selected=True)).to_have_text("Cable")
    page.goto(f"{site.root}{TABS}?again#tab:lte-m")
    expect(page.get_by_text("Insert a SIM")).to_be_visible()
    expect(page.get_by_role("tab", selected=True)).to_have_text("LTE-M")


def test_tabs_with_the_same_title_change_together(page: Page, site: Shown) -> None:
    page.goto(site.root + CODE)
    # A second group on this page, as an author would have written it.
    assert page.get_by_role("tab").count() == 2
    plain = page.request.get(site.root + CODE).text()
    start = plain.index('<div class="tabs">')
    end = plain.index("</section></div>", start) + len("</section></div>")
    twice = plain[start:end].replace("tab:", "tab:second-")
    page.route(
        f"**{CODE}",
        lambda route: route.fulfill(
            response=(answer := route.fetch()),
            body=answer.text().replace(plain[start:end], plain[start:end] + twice),
        ),
    )
    page.goto(site.root + CODE)
    page.get_by_role("tab", name="Python").last.click()
    chosen = page.get_by_role("tab", selected=True)
    expect(chosen).to_have_text(["Python", "Python"])
    # What the reader looks at stays where it was.
    expect(page.get_by_role("tab", name="Python").last).to_be_in_viewport()


def test_code_is_copied(page: Page, site: Shown, axe: str) -> None:
    page.goto(site.root + TABS)
    page.get_by_role("tab", name="Cable").click()
    copy = page.get_by_role("button", name="Copy")
    copy.click()
    expect(page.get_by_role("status")).to_have_text("Copied")
    assert clipboard(page) == "[serial]\nport = /dev/ttyS1\nspeed = 9600"
    assert findings_in_both(page, axe) == []
    # Where the page may not write to the clipboard, the way of before.
    page.evaluate("navigator.clipboard.writeText('')")
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject('no'); }")
    page.get_by_role("button", name="Cop").press("Enter")
    wait_until(page, "navigator.clipboard.readText().then((text) => text.length > 0)")
    assert clipboard(page) == "[serial]\nport = /dev/ttyS1\nspeed = 9600"


def test_images_are_enlarged(page: Page, site: Shown, axe: str) -> None:
    page.goto(site.root + IMAGE)
    image = page.locator(".document .image img").first
    assert image.evaluate("(one) => one.hasAttribute('width') && one.hasAttribute('height')")
    enlarge = page.get_by_role("button", name="Enlarge image")
    enlarge.first.focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    expect(dialog.get_by_role("img")).to_be_visible()
    assert findings_in_both(page, axe) == []
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(enlarge.first).to_be_focused()
    image.click()
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_have_count(0)
    expect(enlarge.first).to_be_focused()


def test_light_and_dark_are_chosen(page: Page, site: Shown, axe: str, scheme: str) -> None:
    other = "dark" if scheme == "light" else "light"

    def ground() -> bool:
        colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
        return sum(map(int, colour.removeprefix("rgb(").rstrip(")").split(","))) > 380

    page.goto(site.root + OUTLINE)
    assert ground() == (scheme == "light")
    choice = page.get_by_role("group", name="Colours")
    expect(choice.get_by_role("radio", checked=True)).to_have_attribute("value", "system")
    page.locator(f"label[for='site:theme-{other}']").click()
    assert ground() == (other == "light")
    assert findings_in_both(page, axe) == []
    # The next page has it in its first frame.
    page.goto(site.root + TABS)
    wait_until(page, "window.firstTheme")
    assert page.evaluate("window.firstTheme") == other
    assert ground() == (other == "light")
    assert findings_in_both(page, axe) == []
    choice.get_by_role("radio", checked=True).focus()
    for _ in range({"light": 1, "dark": 2}[other]):
        page.keyboard.press("ArrowLeft")
    expect(choice.get_by_role("radio", checked=True)).to_have_attribute("value", "system")
    assert ground() == (scheme == "light")


def test_search_while_typing(page: Page, site: Shown, axe: str) -> None:
    page.goto(site.root + OUTLINE)
    asked: list[str] = []
    page.on("request", lambda one: asked.append(one.url) if "/~docs/search" in one.url else None)
    page.keyboard.press("Control+k")
    field = page.get_by_role("combobox", name="Search")
    expect(field).to_be_focused()
    page.keyboard.type("battery", delay=10)
    options = page.get_by_role("option")
    expect(options.first).to_contain_text("Test the battery")
    expect(options.last).to_have_text("See all results for “battery”")
    expect(page.get_by_role("status")).to_contain_text("Results: ")
    # Not one for each key.
    assert len(asked) < 5
    assert findings_in_both(page, axe) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    expect(field).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("ArrowDown")
    expect(options.first).to_have_attribute("aria-selected", "true")
    first = options.first.get_attribute("id") or ""
    expect(field).to_have_attribute("aria-activedescendant", first)
    page.keyboard.press("Escape")
    expect(field).to_have_attribute("aria-expanded", "false")
    expect(options.first).to_be_hidden()
    page.keyboard.press("ArrowUp")
    expect(options.last).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{site.root}?q=battery")
    # Nothing listens to keys before.
    page.wait_for_load_state()
    page.keyboard.press("/")
    field.fill("battery")
    options.first.click()
    expect(page).to_have_url(f"{site.root}/use/battery")
    page.wait_for_load_state()
    page.keyboard.press("Control+k")
    page.keyboard.type("zzzzqqqq")
    expect(page.locator(".search-note")).to_have_text("Nothing was found for “zzzzqqqq”.")
    assert findings_in_both(page, axe) == []


def test_a_search_that_is_refused_or_overtaken(page: Page, site: Shown) -> None:
    page.goto(site.root + OUTLINE)
    field = page.get_by_role("combobox", name="Search")
    note = page.locator(".search-note")
    page.route("**/~docs/search?q=many", lambda route: route.fulfill(status=429))
    field.fill("many")
    expect(note).to_contain_text("Wait a moment")
    page.route("**/~docs/search?q=broken", lambda route: route.fulfill(status=500))
    field.fill("broken")
    expect(note).to_contain_text("does not answer")

    def answer(route: Route) -> None:
        # The first answer never comes; what it would say must not be shown.
        if "q=first" not in route.request.url:
            result = {"title": "Second", "href": "/", "place": None, "section": None}
            data = {"results": [{**result, "excerpt": [["<b>text</b>", True]]}]}
            route.fulfill(status=200, content_type="application/json", body=json.dumps(data))

    page.route(re.compile("/~docs/search\\?q=(first|second)"), answer)
    with page.expect_request("**/~docs/search?q=first"):
        field.fill("first")
    field.fill("second")
    expect(page.get_by_role("option").first).to_contain_text("Second")
    # Texts of results are texts.
    expect(page.get_by_role("option").first).to_contain_text("<b>text</b>")


def test_where_no_page_is(page: Page, site: Shown, axe: str) -> None:
    answer = page.goto(site.root + MISSING)
    assert answer is not None
    assert answer.status == 404
    expect(page.get_by_role("heading", level=1)).to_have_text("Page not found")
    expect(page.locator(".brand")).to_have_text("Kelpline documentation")
    assert findings_in_both(page, axe) == []
    page.get_by_role("main").get_by_role("link", name="Mount the gauge").click()
    expect(page).to_have_url(f"{site.root}/install/mount")


def test_the_outline_says_where_the_reader_is(browser: Browser, site: Shown) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 260})
    page = context.new_page()
    page.goto(site.root + OUTLINE)
    outline = page.get_by_role("navigation", name="On this page")
    expect(outline.locator("[aria-current]")).to_have_count(0)
    page.get_by_role("heading", name="Hang the gauge").evaluate("(one) => one.scrollIntoView()")
    expect(outline.locator("[aria-current]")).to_have_text("Hang the gauge")
    context.close()


@pytest.mark.parametrize("viewport", [PHONE, DESK], ids=["phone", "desk"])
def test_everything_is_there_without_a_script(
    browser: Browser, site: Shown, viewport: dict[str, int]
) -> None:
    context = browser.new_context(viewport=viewport, java_script_enabled=False)  # type: ignore[arg-type]
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(site.root + TABS)
    for text in ("Enter the keys", "Insert a SIM", "speed = 9600"):
        expect(page.get_by_text(text)).to_be_visible()
    expect(page.locator(".tab-title")).to_have_text(["LoRaWAN", "LTE-M", "Cable"])
    # What cannot work is not offered.
    expect(page.get_by_role("button", name="Copy")).to_have_count(0)
    expect(page.get_by_role("radio")).to_have_count(0)
    page.goto(f"{site.root}{TABS}#tab:cable")
    expect(page.locator("[id='tab:cable']")).to_be_in_viewport()
    page.goto(site.root)
    expect(page.locator(".document .image img").first).to_be_visible()
    page.get_by_role("searchbox", name="Search").fill("battery")
    page.get_by_role("searchbox", name="Search").press("Enter")
    page.get_by_role("main").get_by_role("link", name="Test the battery").first.click()
    page.get_by_role("link", name="Next").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("When something is wrong")
    page.goto(site.root + MISSING)
    page.get_by_role("main").get_by_role("link", name="Mount the gauge").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Mount the gauge")
    context.close()


def test_pages_are_valid_html(browser: Browser, site: Shown) -> None:
    request = browser.new_context().request
    pages = {path: request.get(site.root + path).text() for path in (*PAGES, "/use/display")}
    # Another event loop runs in this thread.
    with ThreadPoolExecutor(1) as pool:
        wrong = pool.submit(in_node, "html_validate.js", json.dumps(pages)).result()
    assert json.loads(wrong) == []
