"""A Chromium and a running server for the browser tests."""

import asyncio
import os
import shutil
import ssl
import time
from collections import defaultdict
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, Route, expect, sync_playwright

from tests.browser.profiles import Profile
from tests.docstead.demo_data import demo_folder
from tests.docstead.test_serve import run, serving
from tests.node_packages import install, run_node

HAS_PASSED = pytest.StashKey[bool]()
# Milliseconds that pages have on a machine with other work; the picture of the schema is computed.
PATIENCE = 90_000
T = TypeVar("T")
# For clients that ask without TLS: each would read the certificates of all authorities.
NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
DRAWING = 240_000
expect.set_options(timeout=PATIENCE)
ARTIFACTS = Path(__file__).parents[2] / "artifacts"
# No sandbox for root; nothing that would look for hosts of its own.
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # Tabs of one person have one process: what it has compiled for the first is there for all.
    "--process-per-site",
]

DESKTOP, PHONE = {"width": 1400, "height": 860}, {"width": 390, "height": 844}
# Parts of other projects, which bring their own: GraphiQL's editors with their tabs.
FOREIGN = [".graphiql-sidebar", ".graphiql-sessions"]
# Rules about colours: all others find the same in light and dark.
COLOURS = ("color-contrast", "link-in-text-block")
RUN_AXE = """async ([foreign, rules]) => {
  const exclude = foreign.filter((one) => document.querySelector(one)).map((one) => [one]);
  const only = rules.length ? { runOnly: rules } : {};
  const found = await axe.run({ exclude }, { resultTypes: ['violations'], ...only });
  return found.violations
    .filter((one) => ['critical', 'serious'].includes(one.impact))
    .map((one) => [one.id, one.nodes.length, one.nodes[0].html, one.nodes[0].failureSummary]);
}"""


# The first is Chromium without its windows, which takes less of a processor to show the same.
PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


def chromium_path(*, whole: bool = False) -> str:
    """The browser to use, `whole` as people have it where there is one; a clear failure without."""
    programs = PROGRAMS[1:] + PROGRAMS[:1] if whole else PROGRAMS
    found = os.environ.get("DOCSTEAD_CHROMIUM") or next(
        filter(None, map(shutil.which, programs)), None
    )
    if found is None:
        pytest.fail("no Chromium: run tests/install-packages.sh or set DOCSTEAD_CHROMIUM")
    return found


def _patient(make: Callable[..., Any], **options: Any) -> Any:
    """A context or a page whose presses and visits have as much time as what is expected.

    Nothing moves in it: what fades in is there at once, and its colours are those to look at.
    """
    made = make(**{"reduced_motion": "reduce", **options})
    made.set_default_timeout(PATIENCE)
    return made


# Not for the whole session: while it is open, Playwright keeps an event loop running in this
# thread, and no asynchronous test could run after the browser's.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium_path(), args=FLAGS)
        context, page = opened.new_context, opened.new_page
        opened.new_context = partial(_patient, context)  # type: ignore[method-assign]
        opened.new_page = partial(_patient, page)  # type: ignore[method-assign]
        yield opened
        opened.close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Fixtures see whether their test has passed."""
    report = yield
    if report.when == "call":
        item.stash[HAS_PASSED] = report.passed
    return report


@pytest.fixture(scope="module")
def profiles() -> dict[str, list[Profile]]:
    """Those that no test uses now, by the address of who has signed in."""
    return defaultdict(list)


@dataclass(frozen=True)
class Running:
    """A server with one organization."""

    base: str
    token: str


# A server is for one file: which files a test process gets, and in which order, is chance.
@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    data_dir = tmp_path_factory.mktemp("browser") / "data"
    with serving(data_dir) as (base, _):
        made = run(
            "init", "--email", "ada@example.com", "--name", "Ada Lovelace", "--organization",
            "Acme Docs", "--data-dir", str(data_dir),
        )  # fmt: skip
        yield Running(base, made["token"])


@dataclass(frozen=True)
class Shown:
    """The demo's site on a running server, a token of the demo's admin, and the data."""

    base: str
    root: str
    token: str
    data_dir: Path


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shown]:
    """The demo on a server."""
    made = demo_folder(data_dir := tmp_path_factory.mktemp("site") / "data")
    with serving(data_dir) as (base, _):
        yield Shown(base, base + urlsplit(made["site"]).path, made["token"], data_dir)


@pytest.fixture(scope="session")
def axe() -> str:
    # Another event loop may run in this thread.
    with ThreadPoolExecutor(1) as pool:
        modules: Path = pool.submit(asyncio.run, install()).result()
    return (modules / "axe-core" / "axe.min.js").read_text("utf-8")


def in_node(script: str, stdin: str) -> str:
    """What a script of tests/node prints; for a thread without an event loop."""
    return asyncio.run(run_node(script, stdin=stdin))


def wait_until(page: Page, expression: str, argument: Any = None) -> None:
    """Wait until an expression of JavaScript, or what a function of `argument` returns, is true.

    Playwright's own way evaluates a text within the page from the second time on, which our pages
    forbid: it fails wherever the first look is too early.
    """
    end = time.monotonic() + PATIENCE / 1000
    while not page.evaluate(expression, argument):
        assert time.monotonic() < end, f"not in time: {expression}"
        page.wait_for_timeout(50)


def eventually(page: Page, read: Callable[[], T], expected: T) -> None:
    """What is read comes to be what is expected: no text of the page says when that is."""
    end = time.monotonic() + PATIENCE / 1000
    while (now := read()) != expected and time.monotonic() < end:
        page.wait_for_timeout(50)
    assert now == expected


class Held:
    """Requests of one operation that have not gone yet."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self.routes: list[Route] = []

    def wait(self) -> None:
        """Until one of them is there."""
        end = time.monotonic() + PATIENCE / 1000
        while not self.routes:
            assert time.monotonic() < end, "nothing was asked"
            self._page.wait_for_timeout(20)


@contextmanager
def held(page: Page, operation: str) -> Iterator[Held]:
    """What a page asks by this operation goes when the block ends."""
    requests, address = Held(page), "**/graphql"

    def hold(route: Route) -> None:
        if operation in (route.request.post_data or ""):
            requests.routes.append(route)
        else:
            route.continue_()

    page.route(address, hold)
    try:
        yield requests
    finally:
        for route in requests.routes:
            route.continue_()
        page.unroute(address)


def load(page: Page, axe: str) -> None:
    """Have axe in a document, which takes half a megabyte once."""
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(axe)


def findings(page: Page, axe: str, rules: Sequence[str] = ()) -> Any:
    """What axe finds critical or serious on a page as it is now, by all rules or by these."""
    load(page, axe)
    return page.evaluate(RUN_AXE, [FOREIGN, rules])


@contextmanager
def other_colours(page: Page) -> Iterator[None]:
    """A page in the dark that was in the light, and the other way round."""
    is_dark = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    page.emulate_media(color_scheme="light" if is_dark else "dark")
    yield
    page.emulate_media(color_scheme="dark" if is_dark else "light")


def findings_in_both(page: Page, axe: str) -> Any:
    """What axe finds in light and dark: of the other colours, what depends on colours."""
    found = findings(page, axe)
    with other_colours(page):
        return [*found, *findings(page, axe, COLOURS)]


@pytest.fixture(scope="session")
def artifacts() -> Path:
    """Where screenshots are kept."""
    ARTIFACTS.mkdir(exist_ok=True)
    return ARTIFACTS
