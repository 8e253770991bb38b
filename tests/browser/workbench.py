"""People at the Workbench, what happens elsewhere meanwhile, and looking at a view."""

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import httpx2
import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Page, Request, expect

from account_pages.requests import FORM
from tests.browser.conftest import HAS_PASSED, NO_TLS, PATIENCE, Shown, findings, wait_until
from tests.browser.profiles import Profile
from tests.browser.test_account_pages import new_link
from tests.docstead.test_serve import run

# Texts of all answers from now on. The browser does not keep bodies that a page reads in parts.
HEAR = """() => {
  window.answers = [];
  window.fetchedBy = window.fetch;
  window.fetch = async (...all) => {
    const answer = await window.fetchedBy(...all);
    answer.clone().text().then((text) => window.answers.push(text), () => {});
    return answer;
  };
}"""

ADA, CHIDI = "ada@kelpline.example", "chidi@kelpline.example"
EVERY_KIND = Path(__file__).parents[1] / "rest_compat" / "every_kind.md"
NARROW, WIDE = {"width": 390, "height": 844}, {"width": 1280, "height": 860}
APPLY = """mutation ($input: ApplyContentChangesInput!) {
  applyContentChanges(input: $input) { changed } }"""
# As a link does: what the application has loaded and read stays, and only the view is another one.
# An address without a view comes between, for a view that only gets other data keeps its heading.
VISIT = """async ([path, patience]) => {
  const end = performance.now() + patience;
  const current = () => [...document.querySelectorAll('main h1')].filter((one) => !one.dataset.former);
  for (const address of ['/nowhere', path]) {
    for (const one of current()) one.dataset.former = 'yes';
    history.pushState(null, '', address);
    while (!current().some((one) => one.checkVisibility())) {
      if (performance.now() > end) throw new Error(`no heading at ${address}`);
      await new Promise((done) => setTimeout(done, 10));
    }
  }
}"""  # noqa: E501
IS_OPEN = "document.querySelector('#workbench main') !== null"
# Nothing is drawn for a moment, nor said to be on its way.
DRAWN = """([moment, patience]) => new Promise((done, fail) => {
  const end = performance.now() + patience;
  let timer;
  const later = () => { clearTimeout(timer); timer = setTimeout(look, moment); };
  const look = () => {
    if (performance.now() > end) fail(new Error('it is still being drawn'));
    else if (document.querySelector('[aria-label=Loading], [aria-label="Wird geladen"]')) later();
    else { watch.disconnect(); done(); }
  };
  const watch = new MutationObserver(later);
  watch.observe(document, { childList: true, subtree: true, attributes: true, characterData: true });
  later();
})"""  # noqa: E501
# Milliseconds; what is loaded is shown as late as this after it has begun to be waited for.
MOMENT, LATE = 60, 350
# What parts of a view are made of.
PARTS = ("script", "stylesheet", "fetch", "xhr")


@dataclass
class Graph:
    """The public graph with the token of the demo's admin: what happens elsewhere."""

    site: Shown
    organization: str = ""

    def __call__(self, query: str, **variables: Any) -> Any:
        answer = httpx2.post(
            f"{self.site.base}/graphql", json={"query": query, "variables": variables},
            headers={"Authorization": f"Bearer {self.site.token}"}, timeout=60, verify=NO_TLS,
        ).json()  # fmt: skip
        assert "errors" not in answer, answer
        return answer["data"]

    def apply(self, space: str, *operations: Any, change: str | None = None) -> None:
        target = {"space": space, "changeRequest": change}
        data = self(APPLY, input={"target": target, "operations": list(operations)})
        assert data["applyContentChanges"]["changed"]

    def space(self, title: str) -> str:
        query = "mutation ($id: ID!, $input: CreateSpaceInput!) { createSpace(organizationId: $id, input: $input) { id } }"  # noqa: E501
        data = self(query, id=self.organization, input={"title": title})
        made: str = data["createSpace"]["id"]
        return made


@pytest.fixture(scope="module")
def graph(site: Shown) -> Graph:
    graph = Graph(site)
    viewer = graph("{ viewer { organizations(first: 1) { nodes { id } } } }")["viewer"]
    graph.organization = viewer["organizations"]["nodes"][0]["id"]
    return graph


def organization_apart(site: Shown, email: str, title: str) -> Graph:
    """An organization of its own on the same server, with its administrator: nobody else has what
    is in it."""
    made = run(
        "init", "--email", email, "--name", f"{title} Admin", "--organization", title,
        "--data-dir", str(site.data_dir),
    )  # fmt: skip
    graph = Graph(replace(site, token=made["token"]))
    viewer = graph("{ viewer { organizations(first: 1) { nodes { id } } } }")["viewer"]
    graph.organization = viewer["organizations"]["nodes"][0]["id"]
    return graph


def page_of(title: str, markdown: str, **more: Any) -> dict[str, Any]:
    body = {"markdown": markdown}
    return {"createPage": {"type": "DOCUMENT", "title": title, "body": body, **more}}


@dataclass
class Person:
    """Somebody at a browser; what the page complains about, and what it asks of others."""

    context: BrowserContext
    base: str
    page: Page = field(init=False)
    problems: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)
    # What was asked for and has not come yet.
    awaited: set[Request] = field(default_factory=set)
    # Whether parts of the application have been loaded since they were waited for.
    has_loaded: bool = False

    def __post_init__(self) -> None:
        self.page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("console", self._note)
        self.page.on("request", self._look)
        self.page.on("requestfinished", lambda request: self.awaited.discard(request))
        self.page.on("requestfailed", lambda request: self.awaited.discard(request))

    def _note(self, message: Any) -> None:
        # Offline, the browser itself says so of each request, and of each frame with a preview that
        # it runs none of the scripts of its page.
        expected = re.search("ERR_INTERNET_DISCONNECTED|Blocked script.*/~preview/", message.text)
        if message.type == "error" and expected is None:
            self.problems.append(message.text)

    def _look(self, request: Request) -> None:
        if not request.url.startswith((f"{self.base}/", "data:", "blob:")):
            self.foreign.append(request.url)
        if request.resource_type in PARTS:
            self.awaited.add(request)
            self.has_loaded |= request.resource_type == "script"
        elif request.is_navigation_request():
            # What the document before has asked for comes no more.
            self.awaited.clear()

    def go(self, path: str) -> None:
        self.page.goto(self.base + path)

    def settle(self) -> None:
        """Until all that was asked for is there, and drawn."""
        end = time.monotonic() + PATIENCE / 1000
        self._drawn(MOMENT)
        while self.awaited or self.has_loaded:
            assert time.monotonic() < end, [request.url for request in self.awaited]
            if self.awaited:
                self._drawn(MOMENT)
            else:
                self.has_loaded = False
                self._drawn(LATE)

    def _drawn(self, moment: int) -> None:
        try:
            self.page.evaluate(DRAWN, [moment, PATIENCE])
        except Error as error:
            # Another document has begun meanwhile.
            if "context was destroyed" not in str(error):
                raise
            self.page.wait_for_load_state()
            self.page.evaluate(DRAWN, [LATE, PATIENCE])

    def see(self, path: str) -> Page:
        """A view with all of its parts; the application is loaded for the first one alone."""
        if self.page.url.startswith(f"{self.base}/") and self.page.evaluate(IS_OPEN):
            self.page.evaluate(VISIT, [path, PATIENCE])
        else:
            self.awaited.clear()
            self.go(path)
            expect(self.page.locator("main h1").first).to_be_visible()
        self.settle()
        return self.page

    @contextmanager
    def received(self, words: str) -> Iterator[None]:
        """When the block ends, the page has got an answer with these words and done with it what it
        does: by then, what waits for something else is known to wait."""
        self.page.evaluate(HEAR)
        yield
        wait_until(self.page, "(words) => window.answers.some((one) => one.includes(words))", words)
        self.page.evaluate("() => { window.fetch = window.fetchedBy; }")
        self.settle()

    def fine(self) -> None:
        assert self.problems == [], self.problems
        assert self.foreign == []


def signed_in_by_link(site: Shown, email: str) -> Any:
    """What a browser keeps of somebody who has signed in by a link of the operator; that its page
    does so is told in `test_account_pages.py`."""
    headers = {"Content-Type": FORM, "Sec-Fetch-Site": "same-origin"}
    link = site.base + new_link(site, email)
    answer = httpx2.post(link, content="next=", headers=headers, timeout=60, verify=NO_TLS)
    assert answer.status_code == 303, answer.text
    kept = {"domain": "127.0.0.1", "path": "/", "expires": -1, "httpOnly": True, "secure": False}
    cookies = [
        {"name": name, "value": value, "sameSite": "Lax", **kept}
        for name, value in answer.cookies.items()
    ]
    assert len(cookies) == 1
    return {"cookies": cookies, "origins": []}


@contextmanager
def at_browser(browser: Browser, site: Shown, email: str) -> Iterator[Person]:
    """Somebody who has signed in and loaded nothing yet; in the end nothing was wrong."""
    state = signed_in_by_link(site, email)
    context = browser.new_context(viewport=WIDE, locale="en-US", storage_state=state)
    person = Person(context, site.base)
    yield person
    person.fine()
    context.close()


@pytest.fixture(scope="module")
def sessions(site: Shown) -> dict[str, Any]:
    """What browsers keep of people who have signed in, by their address."""
    return {email: signed_in_by_link(site, email) for email in (ADA, CHIDI)}


@pytest.fixture
def signed_in(
    request: pytest.FixtureRequest,
    browser: Browser,
    site: Shown,
    sessions: dict[str, Any],
    profiles: dict[str, list[Profile]],
) -> Iterator[Any]:
    used: list[tuple[str, Profile]] = []

    def sign_in(email: str, *, home: bool = False) -> Person:
        """Somebody at a browser that has loaded nothing yet, or what they have to do."""
        state = sessions[email]
        if profiles[email]:
            profile = profiles[email].pop()
        else:
            context = browser.new_context(viewport=WIDE, locale="en-US", storage_state=state)
            profile = Profile(context, site.base, state["cookies"])
        used.append((email, profile))
        person = Person(profile.context, site.base)
        if home:
            person.go("/")
            expect(person.page.get_by_role("heading", level=1, name="My work")).to_be_visible()
        return person

    yield sign_in
    for email, profile in used:
        # A test that fails may leave a process that answers nobody.
        if request.node.stash.get(HAS_PASSED, False):
            profile.clear()
            profiles[email].append(profile)
        else:
            profile.context.close()


def fine_both_ways(page: Page, axe: str, what: str, picture: Path | None = None) -> None:
    """Wide and light, then narrow and dark: axe finds nothing, and nothing is cut off."""
    # Each width and each scheme once: what depends on both is nothing that axe looks at.
    for size, scheme in ((WIDE, "light"), (NARROW, "dark")):
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=scheme)
        assert findings(page, axe) == [], (what, size, scheme)
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"], what
        if picture is not None:
            name = f"{picture.name}-{size['width']}-{scheme}.png"
            page.screenshot(path=picture.with_name(name))


def look_at(person: Person, path: str, title: str, name: str, axe: str, artifacts: Path) -> None:
    """A view, wide and narrow, light and dark."""
    page = person.page
    page.set_viewport_size(WIDE)
    person.see(path)
    expect(page.get_by_role("heading", level=1, name=title)).to_be_visible()
    expect(page.get_by_role("status", name="Loading")).to_have_count(0)
    fine_both_ways(page, axe, name, artifacts / f"workbench-{name}")
