"""Diagrams, players, feedback and page actions in a real browser, with and without scripts."""

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from published.assets import FOLDER as SCRIPTS
from tests.browser.conftest import (
    DESKTOP,
    PATIENCE,
    PHONE,
    findings_in_both,
    other_colours,
    wait_until,
)
from tests.browser.test_published_site import ACCESSIBLE, CONTRAST
from tests.docstead.test_serve import run, serving

START = """# Special blocks

Diagrams, videos and a changelog.

## How it works

```mermaid
flowchart LR
  accTitle: From sensor to reader
  sensor[Sensor] --> gateway{Gateway}
  gateway -->|radio| base[(Base)]
  gateway -->|cable| reader([Reader])
```

{% code title="Calls" %}
```mermaid
sequenceDiagram
  Reader->>Gauge: level?
  Gauge-->>Reader: 42 cm
```
{% endcode %}

## Watch it

{% embed url="https://www.youtube.com/watch?v=dQw4w9WgXcQ" %}
Mounting the gauge
{% endembed %}

{% embed url="https://vimeo.com/123456789" %}

{% embed url="https://example.com/article" %}

## Rust

```rust
fn main() {}
```
"""
HOSTILE = """# Hostile

```mermaid
flowchart TD
  a["<img src=x onerror=alert(1)>"] --> b["<script>alert(2)</script>"]
  click a "javascript:alert(3)"
  click b call alert(4)
  c@{ img: "https://evil.example/track.png", label: "x" }
```

```mermaid
%%{init: {"securityLevel": "loose", "themeCSS": "@import url(https://evil.example/a.css)"}}%%
flowchart TD
  a["<b onmouseover=alert(5)>b</b>"]
```

```mermaid
this is no diagram at all
```

```mermaid
LONG
```
"""
UPDATES = """# Changes

{% updates format="full" %}
{% update date="2025-12-25" tags="sensors,base" %}
## Version 3

Longer **range**.
{% endupdate %}

{% update date="2025-11-02" %}
Fixes.
{% endupdate %}
{% endupdates %}
"""
SUMMARY = """# Table of contents

* [Special blocks](README.md)
* [Hostile](hostile.md)
* [Changes](changes.md)
"""
LOOK: dict[str, Any] = {
    "feedback": {"enabled": True},
    "footer": {"copyright": "Acme"},
    "pageActions": {"items": ["markdown", "external-ai", "mcp", "pdf"]},
}


@dataclass(frozen=True)
class Special:
    base: str
    root: str
    data_dir: Path


@pytest.fixture(scope="module")
def special(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Special]:
    folder = tmp_path_factory.mktemp("special")
    docs, data_dir = folder / "docs", folder / "data"
    docs.mkdir()
    long = "flowchart TD\n" + "\n".join(f"  n{number} --> n{number + 1}" for number in range(2000))
    for name, text in (
        ("README.md", START), ("hostile.md", HOSTILE.replace("LONG", long)),
        ("changes.md", UPDATES), ("SUMMARY.md", SUMMARY),
    ):  # fmt: skip
        (docs / name).write_text(text)
    where = ["--data-dir", str(data_dir)]
    made = run(
        "init", "--email", "ada@example.com", "--name", "Ada", "--organization", "Acme", *where
    )
    imported = run("import-docs", str(docs), "--organization", made["organization"]["id"], *where)
    published = run("publish", imported["space"]["id"], *where)
    with serving(data_dir) as (base, _):
        with httpx2.Client(
            base_url=base, headers={"Authorization": f"Bearer {made['token']}"}
        ) as api:
            site = f"/v1/orgs/{made['organization']['id']}/sites/{published['site']['id']}"
            answer = api.put(f"{site}/customization", json=LOOK)
            assert answer.status_code == 200, answer.text
        yield Special(base, f"{base}/sites/{published['site']['id']}", data_dir)


class Tab:
    """A tab that notes its requests and what the browser complains about."""

    def __init__(self, context: BrowserContext) -> None:
        self.context = context
        self.page: Page = context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.requests: list[str] = []
        self.problems: list[str] = []
        context.on("request", lambda request: self.requests.append(request.url))
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on(
            "console",
            lambda message: self.problems.append(message.text) if message.type == "error" else None,
        )

    def outside(self, base: str) -> list[str]:
        return [url for url in self.requests if not url.startswith((f"{base}/", "data:", "blob:"))]


# Each width and each scheme once: the other colours are looked at as well.
@pytest.mark.parametrize(
    ("size", "scheme"), [(DESKTOP, "light"), (PHONE, "dark")], ids=["desktop-light", "phone-dark"]
)
def test_diagrams_are_drawn_and_players_wait(
    browser: Browser, special: Special, artifacts: Path, axe: str, scheme: Any, size: Any
) -> None:
    tab = Tab(browser.new_context(viewport=size, color_scheme=scheme))
    page = tab.page
    page.goto(special.root)
    drawings = page.locator(".diagram .drawing")
    for number, name in enumerate(("From sensor to reader", "Calls")):
        page.locator(".diagram").nth(number).scroll_into_view_if_needed()
        expect(drawings.nth(number)).to_have_attribute("alt", name)
    # The source is there, folded away.
    expect(page.locator(".diagram-source pre").first).to_be_hidden()
    sizes = drawings.evaluate_all(
        "images => images.map(one => [one.naturalWidth, one.naturalHeight])"
    )
    assert all(width > 50 and height > 50 for width, height in sizes), sizes
    expect(page.get_by_role("button", name="Load from YouTube: Mounting the gauge")).to_be_visible()
    expect(page.get_by_role("button", name="Load from Vimeo")).to_be_visible()
    expect(page.locator(".player")).to_have_count(2)
    page.evaluate("scrollTo(0, 0)")
    page.screenshot(path=artifacts / f"special-{size['width']}-{scheme}.png", full_page=True)
    assert page.evaluate(ACCESSIBLE) == []
    assert page.evaluate(CONTRAST) == []
    with other_colours(page):
        assert page.evaluate(CONTRAST) == []
    assert findings_in_both(page, axe) == []
    tab.context.close()
    assert tab.outside(special.base) == []
    assert tab.problems == []


def test_a_player_loads_its_host_when_it_is_asked_for(browser: Browser, special: Special) -> None:
    tab = Tab(browser.new_context(viewport=DESKTOP))
    seen: list[dict[str, str]] = []

    def play(route: Route) -> None:
        seen.append({"url": route.request.url, **route.request.headers})
        route.fulfill(body="<!doctype html><title>Player</title>", content_type="text/html")

    # Nothing leaves the machine: what would is answered here.
    tab.context.route(lambda url: not url.startswith(special.base), play)
    page = tab.page
    page.goto(special.root)
    button = page.get_by_role("button", name="Load from YouTube: Mounting the gauge")
    expect(button).to_be_visible()
    assert seen == []
    button.focus()
    page.keyboard.press("Enter")
    frame = page.locator("iframe.player-frame")
    expect(frame).to_have_attribute("title", "Mounting the gauge (YouTube)")
    expect(frame).to_be_focused()
    page.frame_locator("iframe.player-frame").locator("title").wait_for(state="attached")
    (request,) = seen
    assert request["url"] == "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ"
    # It learns the host of the site, not the page.
    assert request.get("referer", "") in ("", f"{special.base}/")
    # The policy lets in what is on the page, and no other host.
    policy = httpx2.get(special.root).headers["content-security-policy"]
    assert "frame-src https://player.vimeo.com https://www.youtube-nocookie.com 'self'" in policy
    page.evaluate(
        "() => new Promise((blocked) => { const other = document.createElement('iframe');"
        " document.addEventListener('securitypolicyviolation', () => blocked());"
        " other.src = 'https://evil.example/'; document.body.append(other); })"
    )
    assert len(seen) == 1
    tab.context.close()


def test_hostile_diagrams_do_nothing(browser: Browser, special: Special) -> None:
    tab = Tab(browser.new_context(viewport=DESKTOP))
    page = tab.page
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    # What the policy forbids is seen as a request, and does not come here.
    sent: list[str] = []
    tab.context.route(
        lambda url: not url.startswith((special.base, "data:")),
        lambda route: (sent.append(route.request.url), route.abort()),
    )
    page.goto(f"{special.root}/hostile")
    # The last one is too long to be drawn at all.
    places = page.locator(".diagram")
    expect(places).to_have_count(3)
    assert page.locator("pre").count() == 4
    for number in range(3):
        places.nth(number).scroll_into_view_if_needed()
    # The broken one is told to be so, and its source is there.
    expect(places.nth(2).locator(".diagram-failed")).to_be_visible()
    expect(places.nth(2)).to_contain_text("this is no diagram at all")
    expect(places.nth(1).locator(".drawing")).to_be_visible()
    for drawing in page.locator(".drawing").all():
        assert (drawing.get_attribute("src") or "").startswith("data:image/svg+xml")
        drawing.click()
    sandbox = page.locator("iframe.diagram-studio")
    assert sandbox.get_attribute("sandbox") == "allow-scripts"
    assert page.locator(".document script, .document [onerror], .document [onclick]").count() == 0
    tab.context.close()
    assert dialogs == []
    assert sent == []


def test_diagrams_follow_the_theme(browser: Browser, special: Special) -> None:
    tab = Tab(browser.new_context(viewport=DESKTOP, color_scheme="light"))
    page = tab.page
    page.goto(special.root)
    drawing = page.locator(".drawing").first
    expect(drawing).to_be_visible()
    light = drawing.get_attribute("src") or ""
    page.emulate_media(color_scheme="dark")
    expect(drawing).not_to_have_attribute("src", light)
    page.evaluate("() => { document.documentElement.dataset.theme = 'light' }")
    wait_until(
        page, "(before) => !document.querySelector('.drawing').src.includes('fill:#ccc')", light
    )
    tab.context.close()
    assert tab.problems == []


def test_pages_without_diagrams_load_nothing_of_them(browser: Browser, special: Special) -> None:
    tab = Tab(browser.new_context(viewport=DESKTOP))
    tab.page.goto(f"{special.root}/changes")
    expect(tab.page.get_by_text("Longer range.")).to_be_visible()
    feed = tab.page.locator("link[type='application/rss+xml']").get_attribute("href") or ""
    assert feed.endswith("/changes/rss.xml")
    tab.page.get_by_role("link", name="2025-11-02").click()
    expect(tab.page).to_have_url(f"{special.root}/changes#update:2025-11-02")
    tab.context.close()
    scripts = [url for url in tab.requests if "/~assets/" in url]
    assert scripts
    assert not [url for url in scripts if "mermaid" in url or "players" in url]
    # What no other page needs comes with a page of its own, or with an integration.
    apart = {"request-panel.js", "site-scripts.js", "blocks.js"}
    total = sum(path.stat().st_size for path in SCRIPTS.glob("*.js") if path.name not in apart)
    assert total < 12_000
    assert (SCRIPTS / "blocks.js").stat().st_size < 12_000
    assert tab.problems == []


def test_without_scripts_all_is_readable(browser: Browser, special: Special) -> None:
    context = browser.new_context(viewport=DESKTOP, java_script_enabled=False)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(special.root)
    expect(page.locator(".diagram pre").first).to_contain_text("flowchart LR")
    link = page.get_by_role("link", name="https://www.youtube.com/watch?v=dQw4w9WgXcQ")
    expect(link).to_be_visible()
    assert page.locator("iframe").count() == 0
    page.get_by_text("Use this page").click()
    menu = page.locator(".page-actions")
    # What needs a script is not offered.
    assert menu.locator("button:visible").count() == 0
    expect(menu.get_by_role("link", name="View as Markdown")).to_be_visible()
    page.locator("form.feedback").get_by_role("button", name="Yes").click()
    expect(page.get_by_text("Thank you for your answer.")).to_be_visible()
    page.get_by_label("What should we know?").fill("It is clear.\nAll of it.")
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_text("Thank you, that was sent.")).to_be_visible()
    page.get_by_role("link", name="Back to").click()
    expect(page).to_have_url(special.root)
    context.close()
    assert _feedback(special)[-2:] == [
        ("page_post_feedback", "good", None),
        ("page_post_feedback_comment", "good", "It is clear.\nAll of it."),
    ]


def test_pages_of_feedback_are_accessible(browser: Browser, special: Special, axe: str) -> None:
    """Those that a reader sees whose browser has not loaded the script."""
    context = browser.new_context(viewport=PHONE)
    context.route("**/*.js", lambda route: route.abort())
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(special.root)
    page.locator("form.feedback").get_by_role("button", name="Yes").click()
    expect(page.get_by_text("Thank you for your answer.")).to_be_visible()
    assert findings_in_both(page, axe) == []
    page.get_by_label("What should we know?").fill("Nothing.")
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_text("Thank you, that was sent.")).to_be_visible()
    assert findings_in_both(page, axe) == []
    context.close()


def test_with_scripts_feedback_is_given_in_place(browser: Browser, special: Special) -> None:
    tab = Tab(browser.new_context(viewport=PHONE))
    page = tab.page
    page.goto(special.root)
    page.locator("form.feedback").get_by_role("button", name="No", exact=True).click()
    expect(page.get_by_text("Thank you for your answer.")).to_be_visible()
    page.get_by_label("What should we know?").fill("Too short.")
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_text("Thank you, that was sent.")).to_be_visible()
    assert page.url == special.root
    tab.context.close()
    assert tab.problems == []
    assert _feedback(special)[-1] == ("page_post_feedback_comment", "bad", "Too short.")


def test_actions_copy_the_page(browser: Browser, special: Special) -> None:
    context = browser.new_context(viewport=DESKTOP)
    context.grant_permissions(["clipboard-read", "clipboard-write"], origin=special.base)
    tab = Tab(context)
    page = tab.page
    page.goto(f"{special.root}/changes")
    page.get_by_text("Use this page").click()
    page.get_by_role("button", name="Copy as Markdown").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == httpx2.get(f"{special.root}/changes.md").text
    page.get_by_role("button", name="Copy the address of the MCP server").click()
    wait_until(page, "async () => (await navigator.clipboard.readText()).endsWith('/~gitbook/mcp')")
    question = page.get_by_role("link", name="Open in Claude").get_attribute("href") or ""
    assert question.startswith("https://claude.ai/new?q=Read%20")
    assert "changes.md" in question
    page.keyboard.press("Escape")
    expect(page.get_by_role("link", name="View as Markdown")).to_be_hidden()
    tab.context.close()
    assert tab.problems == []


def _feedback(special: Special) -> list[tuple[str, str | None, str | None]]:
    """Type, rating and words of the feedback that was kept, oldest first."""
    with sqlite3.connect(special.data_dir / "docstead.sqlite3") as database:
        rows = database.execute("SELECT type, data FROM insights_event ORDER BY id").fetchall()
    found = [(kind, json.loads(data)) for kind, data in rows]
    return [
        (kind, data.get("eventPageFeedbackRating"), data.get("eventPageFeedbackComment"))
        for kind, data in found
    ]
