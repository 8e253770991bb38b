"""Blocks of integrations that readers act in, in a real browser: controls, frames, dark screens."""

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx2
import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.conftest import PHONE, findings
from tests.docstead.demo_data import demo_folder
from tests.docstead.test_serve import serving
from tests.runtime.scripts import bundle

# The page in its frame: it says that it is there, shows what it is told, and has a button.
FRAME = """<!doctype html><title>Frame</title><p id=told>-</p><p id=times>0</p>
<button onclick="send({action: 'add', by: 10})">Ten</button><script>
let times = 0;
const send = (action) => parent.postMessage({ action }, '*');
addEventListener('message', (event) => {
  told.textContent = 'told ' + event.data.state.count;
  document.getElementById('times').textContent = 'messages ' + ++times;
});
send({ action: '@webframe.ready' });
send({ action: '@webframe.resize', size: { aspectRatio: 5 } });
</script>"""
SCRIPT = bundle(
    """
    if (event.type === "fetch" && new URL(event.request.url).pathname.endsWith("/options")) {
      const of = new URL(event.request.url).searchParams.get("of");
      return Response.json({ selected: [{ id: "none", label: "None" }],
        items: [1, 2].map((n) => ({ id: `${of}${n}`, label: `${of} ${n}`, icon: "star" })) });
    }
    if (event.type === "fetch") {
      return new Response(FRAME, { headers: { "Content-Type": "text/html" } });
    }
    if (event.type !== "ui_render") return new Response("OK");
    if (event.action?.action === "fail") throw new Error("as pressed");
    const { count: before = 0, name = "", color = "red", on = false } = event.state ?? {};
    const { action } = event;
    if (event.componentId === "asking") {
      if (action?.action === "finish") {
        return Response.json({ type: "complete", returnValue: { by: 1000 } });
      }
      const { colour } = event.props;
      return Response.json({ element: { type: "modal", title: `How much of ${colour}?`,
        subtitle: [{ type: "text", children: "Think first." }], returnValue: { by: 7 }, children: [
          { type: "text", children: `Now ${event.state?.much ?? "nothing"}` },
          { type: "input", label: "Much", element: { type: "textinput", state: "much" } },
          { type: "button", label: "Look", onPress: { action: "look" } },
          { type: "button", label: "Finish", onPress: { action: "finish" } },
          { type: "button", label: "Deeper", onPress: { action: "@ui.modal.open",
            componentId: "asking", props: { colour: { $state: "much" } } } },
        ], submit: { type: "button", label: "Save", style: "primary", onPress: {
          action: "@ui.modal.close", returnValue: { by: { $state: "much" } } } } },
        state: event.state ?? {}, props: event.props });
    }
    const count = before + Number(action?.by ?? action?.returnValue?.by ?? 0);
    const told = environment.integration.urls.publicEndpoint;
    return Response.json({ element: { type: "block", children: [
      { type: "text", children: `Count ${count} of ${name || "nobody"} in ${color} ${on} (${
        event.context.theme})` },
      { type: "button", label: "More", style: "primary", icon: "star",
        onPress: { action: "add", by: 1 } },
      { type: "button", label: "Fail", onPress: { action: "fail" } },
      { type: "button", label: "Ask", onPress: { action: "@ui.modal.open",
        componentId: "asking", props: { colour: { $state: "color" } } } },
      { type: "input", label: "Part", element: { type: "select", state: "part", options: { url: {
        host: new URL(told).host, pathname: new URL(told).pathname + "/options",
        query: { of: { $state: "color" } } } } } },
      { type: "input", label: "Typed", element: { type: "select", state: "typed", acceptInput: true,
        options: [{ id: "one", label: "One" }] } },
      { type: "button", label: "Say", onPress: { action: "say", by: { $state: "typed" } } },
      { type: "button", label: "Edit", onPress: { action: "@editor.node.updateProps", props: {} } },
      { type: "input", label: "Name", element: { type: "textinput", state: "name" } },
      { type: "input", label: "Colour", element: { type: "select", state: "color",
        initialValue: "red", onValueChange: { action: "chosen" },
        options: [{ id: "red", label: "Red" }, { id: "blue", label: "Blue" }] } },
      { type: "input", label: "Turned on", element: { type: "switch", state: "on",
        onValueChange: { action: "turned" },
        confirm: { title: "Sure?", text: "", confirm: "Yes" } } },
      { type: "webframe", source: { url: told }, data: { count: { $state: "shown" } },
        aspectRatio: 4 },
    ] }, state: { color, ...event.state, count, shown: String(count) }, props: {} });
    """.replace("FRAME", "`" + FRAME + "`")
)
TEXT = "Before.\n\n{% @counter/box %}\n\nBehind.\n"


@dataclass(frozen=True)
class Site:
    """A published page with a block."""

    address: str


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    data_dir: Path = tmp_path_factory.mktemp("blocks") / "data"
    made = demo_folder(data_dir)
    with sqlite3.connect(data_dir / "docstead.sqlite3") as database:
        site, organization, space = database.execute(
            "SELECT site.id, site.organization_id, space_id FROM site "
            "JOIN site_space ON site_space.site_id = site.id WHERE published LIMIT 1"
        ).fetchone()
    settings = {"DOCSTEAD_INTEGRATION_CPU_MILLISECONDS": "2000"}
    with serving(data_dir, settings=settings) as (base, _):

        def call(method: str, path: str, body: object = None) -> httpx2.Response:
            answer = httpx2.request(
                method, f"{base}/v1{path}", json=body,
                headers={"Authorization": f"Bearer {made['token']}"}, timeout=30,
            )  # fmt: skip
            assert answer.status_code < 300, answer.text
            return answer

        call("POST", "/integrations/counter", {
            "organization": organization, "title": "Counter", "description": "Counts",
            "script": SCRIPT, "scopes": [], "blocks": [{"id": "box", "title": "Box"}],
        })  # fmt: skip
        path = "/integrations/counter/installations"
        installed = call("POST", path, {"organization": organization}).json()["id"]
        call("POST", f"{path}/{installed}/spaces", {"space": space})
        page = {"type": "insert_page", "slug": "counted", "title": "Counted",
                "document": {"markdown": TEXT}}  # fmt: skip
        call("POST", f"/spaces/{space}/content", {"changes": [page]})
        address = f"{base}/sites/{site}/counted"
        with httpx2.Client(follow_redirects=True, timeout=30) as client:
            for _ in range(100):
                shown = client.get(address)
                if "Count 0" in shown.text:
                    break
        assert "Count 0" in shown.text, shown.text
        yield Site(str(shown.url))


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    opened = browser.new_page(color_scheme="light")
    yield opened
    opened.close()


def test_a_reader_acts(site: Site, page: Page, axe: str) -> None:
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto(site.address)
    block = page.locator(".integration-block.for-light")
    expect(block).to_contain_text("Count 0 of nobody in red false (light)")
    block.get_by_role("button", name="More").click()
    expect(block).to_contain_text("Count 1 of nobody")
    block.get_by_label("Name").fill("Ada")
    block.get_by_role("button", name="More").click()
    expect(block).to_contain_text("Count 2 of Ada")
    block.get_by_label("Colour").select_option("blue")
    expect(block).to_contain_text("in blue false")
    expect(block.get_by_label("Name")).to_have_value("Ada")
    # A question that is declined leaves all as it was.
    question = page.get_by_role("alertdialog", name="Sure?")
    block.get_by_role("switch").click()
    question.get_by_role("button", name="Cancel").click()
    expect(question).to_have_count(0)
    expect(block.get_by_role("switch")).not_to_be_checked()
    block.get_by_role("switch").click()
    assert findings(page, axe) == []
    question.get_by_role("button", name="Yes").click()
    expect(block).to_contain_text("in blue true")
    # What editors alone have stays out of use.
    expect(block.get_by_role("button", name="Edit")).to_be_disabled()
    # What fails is said, and the block stays.
    block.get_by_role("button", name="Fail").click()
    expect(block.get_by_role("alert")).to_contain_text("failed")
    expect(block).to_contain_text("Count 2 of Ada")
    block.get_by_role("button", name="More").press("Enter")
    expect(block.get_by_role("alert")).to_have_count(0)
    assert findings(page, axe) == []
    assert problems == []


def test_what_a_reader_changes_meanwhile_stays(site: Site, page: Page) -> None:
    page.goto(site.address)
    block = page.locator(".integration-block.for-light")
    held: list[Route] = []

    def hold_first_post(route: Route) -> None:
        if route.request.method == "POST" and not held:
            held.append(route)
        else:
            route.continue_()

    page.route("**/*", hold_first_post)
    with page.expect_request(lambda request: request.method == "POST"):
        block.get_by_role("button", name="More").click()
    block.get_by_label("Name").fill("Ada")
    block.get_by_label("Typed").fill("two")
    held[0].continue_()
    expect(block).to_contain_text("Count 1 of nobody in red")
    expect(block.get_by_label("Name")).to_have_value("Ada")
    block.get_by_role("button", name="More").click()
    expect(block).to_contain_text("Count 2 of Ada in red")
    assert json.loads(block.get_attribute("data-state") or "")["typed"] == "two"


def test_a_window_is_a_dialog(site: Site, page: Page, axe: str) -> None:
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda said: problems.append(said.text) if said.type == "error" else None)
    page.goto(site.address)
    block = page.locator(".integration-block.for-light")
    opening = block.get_by_role("button", name="Ask")
    opening.press("Enter")
    window = page.get_by_role("dialog", name="How much of red?")
    expect(window).to_contain_text("Think first.")
    assert findings(page, axe) == []
    # It acts within itself, with a state of its own.
    window.get_by_label("Much").fill("5")
    window.get_by_role("button", name="Look").click()
    expect(window).to_contain_text("Now 5")
    expect(block).to_contain_text("Count 0")
    # What stands behind it is out of reach of the keyboard.
    for _ in range(12):
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.closest('dialog, body').localName") in (
            "dialog", "body",
        )  # fmt: skip
        assert not page.evaluate("Boolean(document.activeElement.closest('main'))")
    # What it returns goes to the block, with what its own state has.
    window.get_by_role("button", name="Save").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(block).to_contain_text("Count 5")
    expect(opening).to_be_focused()
    # One within another, which ends by itself.
    opening.click()
    window.get_by_label("Much").fill("gold")
    window.get_by_role("button", name="Deeper").click()
    deeper = page.get_by_role("dialog", name="How much of gold?")
    deeper.get_by_role("button", name="Finish").click()
    expect(deeper).to_have_count(0)
    expect(window).to_be_visible()
    # The keyboard leaves it; what it has to return then is returned.
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(block).to_contain_text("Count 12")
    opening.click()
    window.get_by_role("button", name="Close").click()
    expect(block).to_contain_text("Count 19")
    assert problems == []


def test_options_come_from_an_address(site: Site, page: Page) -> None:
    page.goto(site.address)
    block = page.locator(".integration-block.for-light")
    part = block.get_by_label("Part")
    expect(part.locator("option")).to_have_text(["", "None", "★ red 1", "★ red 2"])
    # They follow the state that their address names.
    block.get_by_label("Colour").select_option("blue")
    expect(part.locator("option")).to_have_text(["", "None", "★ blue 1", "★ blue 2"])
    part.select_option("blue2")
    # What is typed may be none of those that are proposed.
    block.get_by_label("Typed").fill("40")
    block.get_by_label("Typed").press("Tab")
    block.get_by_role("button", name="Say").click()
    expect(block).to_contain_text("Count 40")
    expect(part).to_have_value("blue2")


def test_a_page_in_a_frame_takes_part(site: Site, page: Page) -> None:
    page.goto(site.address)
    block = page.locator(".integration-block.for-light")
    frame = block.frame_locator("iframe")
    expect(frame.locator("#told")).to_have_text("told 0")
    expect(block.locator("iframe")).to_have_css("aspect-ratio", "5 / 1")
    block.get_by_role("button", name="More").click()
    expect(frame.locator("#told")).to_have_text("told 1")
    frame.get_by_role("button", name="Ten").click()
    expect(block).to_contain_text("Count 11 of")
    expect(frame.locator("#told")).to_have_text("told 11")
    # It was never loaded again.
    expect(frame.locator("#times")).to_have_text("messages 3")


def test_a_dark_screen_has_what_was_drawn_for_it(site: Site, browser: Browser, axe: str) -> None:
    page = browser.new_page(color_scheme="dark", viewport=PHONE)
    page.goto(site.address)
    dark = page.locator(".integration-block.for-dark")
    expect(dark).to_be_visible()
    expect(page.locator(".integration-block.for-light")).to_be_hidden()
    dark.get_by_role("button", name="More").click()
    expect(dark).to_contain_text("Count 1 of nobody in red false (dark)")
    assert findings(page, axe) == []
    page.close()


def test_without_scripts_nothing_seems_to_be_usable(site: Site, browser: Browser) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(site.address)
    block = page.locator(".integration-block.for-light")
    expect(block).to_contain_text("Count 0")
    expect(block.get_by_role("button", name="More")).to_be_disabled()
    context.close()
