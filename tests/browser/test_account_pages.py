"""Account pages in a real browser: by keyboard, in light and dark, at 390 pixels; GraphiQL too."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import DESKTOP, PATIENCE, PHONE, Shown, findings
from tests.docstead.test_serve import run


@pytest.fixture(params=[("light", DESKTOP), ("dark", PHONE)], ids=["desktop", "phone"])
def page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    scheme, viewport = request.param
    context = browser.new_context(viewport=viewport, color_scheme=scheme)
    opened = context.new_page()
    opened.set_default_timeout(PATIENCE)
    yield opened
    context.close()


class Watch:
    """What a page complains about, and a check of each page that is shown."""

    def __init__(self, page: Page, rules: str, folder: Path) -> None:
        self.page, self._rules, self._folder = page, rules, folder
        self.problems: list[str] = []
        page.on("console", self._note)
        page.on("pageerror", lambda error: self.problems.append(str(error)))

    def _note(self, message: Any) -> None:
        if message.type == "error":
            self.problems.append(message.text)

    def check(self, name: str) -> None:
        width = self.page.viewport_size["width"]  # type: ignore[index]
        assert findings(self.page, self._rules) == [], name
        assert self.page.evaluate("document.documentElement.scrollWidth") <= width, name
        shot = self._folder / f"account-{name}-{width}.png"
        self.page.screenshot(path=shot, full_page=True)


def new_link(site: Shown, email: str) -> str:
    """The path of a new link of the operator."""
    url: str = run("user", "sign-in-link", email, "--data-dir", str(site.data_dir))["url"]
    return url[url.index("/sign-in/link/") :]


def press_to(page: Page, label: str) -> None:
    """Come to a button by the keyboard alone, and press it."""
    button = page.get_by_role("button", name=label).first
    for _ in range(60):
        page.keyboard.press("Tab")
        if button.evaluate("element => element === document.activeElement"):
            outline = button.evaluate("element => getComputedStyle(element).outlineStyle")
            assert outline != "none", "the focus is seen"
            page.keyboard.press("Enter")
            return
    raise AssertionError(f"{label} is not reached by the keyboard")


def test_account_pages(page: Page, site: Shown, axe: str, artifacts: Path) -> None:
    watch = Watch(page, axe, artifacts)
    page.goto(f"{site.base}/")
    expect(page).to_have_title("Docstead")
    watch.check("home")
    page.get_by_role("link", name="Sign in").click()
    expect(page).to_have_title("Sign in | Docstead")
    page.goto(f"{site.base}/account/sessions")
    expect(page).to_have_title("Sign in | Docstead")
    watch.check("sign-in")
    page.goto(f"{site.base}{new_link(site, 'grete@kelpline.example')}?next=/account/sessions")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Grete Jansen")
    watch.check("link")
    press_to(page, "Sign in")
    expect(page.get_by_text("This browser")).to_be_visible()
    watch.check("sessions")
    page.get_by_role("link", name="Profile").click()
    expect(page.get_by_label("Name")).to_have_value("Grete Jansen")
    watch.check("profile")
    page.get_by_label("Address of a picture").fill("http:nowhere")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_label("Address of a picture")).to_be_focused()
    watch.check("profile-error")
    page.get_by_role("link", name="Tokens").click()
    page.get_by_label("What it is for").fill("laptop")
    page.get_by_text("Show scopes").click()
    watch.check("tokens")
    press_to(page, "Make a token")
    text = page.get_by_label("Text of the token laptop").input_value()
    assert text.startswith("docstead_")
    watch.check("token")
    page.get_by_role("link", name="Tokens").click()
    expect(page.get_by_role("button", name="Revoke laptop")).to_be_visible()
    assert text not in page.content()
    press_to(page, "Revoke laptop")
    expect(page.get_by_text("The token is revoked")).to_be_visible()
    # What was wrong in the form before is the one request that was refused.
    assert all("422" in problem for problem in watch.problems), watch.problems
    page.get_by_role("link", name="Notifications").click()
    page.get_by_label("Once a week").check()
    watch.check("notifications")
    press_to(page, "Save")
    expect(page.get_by_text("Your settings are saved.")).to_be_visible()
    expect(page.get_by_label("Once a week")).to_be_checked()
    page.get_by_role("link", name="GraphiQL").click()
    page.wait_for_selector(".monaco-editor")
    expect(page.locator(".bar a.person")).to_have_text("Grete Jansen")
    expect(page.get_by_text("There is no token yet")).to_have_count(0)
    page.get_by_role("button", name="Execute query").click()
    result = page.get_by_role("region", name="Result Window")
    expect(result).to_contain_text("Grete Jansen")
    page.screenshot(path=artifacts / "graphiql-session.png")
    page.goto(f"{site.base}/account")
    press_to(page, "Sign out")
    expect(page).to_have_title("Sign in | Docstead")
    page.go_back()
    expect(page).to_have_title("Sign in | Docstead")
    page.goto(f"{site.base}/graphql")
    expect(page.get_by_role("link", name="Sign in")).to_have_attribute(
        "href", "/sign-in?next=%2Fgraphql"
    )


def test_pages_of_others_cannot_use_the_session(browser: Browser, site: Shown) -> None:
    """A page of another origin, which the person opens while signed in."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{site.base}{new_link(site, 'hugo@kelpline.example')}")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Hugo Silva")
    form = (
        f'<form method="post" action="{site.base}/account"><input name="displayName" value="Evil">'
        f'<input name="photoURL"></form><script>document.forms[0].submit()</script>'
    )
    evil = context.new_page()
    evil.route("http://evil.localhost/**", lambda route: route.fulfill(
        body=form, content_type="text/html"))  # fmt: skip
    evil.goto("http://evil.localhost/")
    expect(evil.get_by_role("heading", level=1)).to_have_text("Forbidden")
    frame = f'<iframe src="{site.base}/account"></iframe>'
    evil.unroute("http://evil.localhost/**")
    evil.route("http://evil.localhost/**", lambda route: route.fulfill(
        body=frame, content_type="text/html"))  # fmt: skip
    evil.goto("http://evil.localhost/frame")
    assert "Hugo" not in (evil.frames[1].content() if len(evil.frames) > 1 else "")
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("Hugo Silva")
    context.close()
