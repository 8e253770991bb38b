"""A Chromium and a running server for the browser tests."""

import asyncio
import os
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.docstead.test_serve import run, serving
from tests.node_packages import install, run_node

# Milliseconds that pages have on a machine with other work; the picture of the schema is computed.
PATIENCE = 90_000
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
]

DESKTOP, PHONE = {"width": 1400, "height": 860}, {"width": 390, "height": 844}
# Parts of other projects, which bring their own: GraphiQL's editors with their tabs.
FOREIGN = [".graphiql-sidebar", ".graphiql-sessions"]
RUN_AXE = """async (foreign) => {
  const exclude = foreign.filter((one) => document.querySelector(one)).map((one) => [one]);
  const found = await axe.run({ exclude }, { resultTypes: ['violations'] });
  return found.violations
    .filter((one) => ['critical', 'serious'].includes(one.impact))
    .map((one) => [one.id, one.nodes.length, one.nodes[0].html, one.nodes[0].failureSummary]);
}"""


def chromium_path() -> str:
    """The browser to use; a clear failure when there is none."""
    found = os.environ.get("DOCSTEAD_CHROMIUM") or next(
        filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
    )
    if found is None:
        pytest.fail("no Chromium: run tests/install-packages.sh or set DOCSTEAD_CHROMIUM")
    return found


# Not for the whole session: while it is open, Playwright keeps an event loop running in this
# thread, and no asynchronous test could run after the browser's.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium_path(), args=FLAGS)
        yield opened
        opened.close()


@dataclass(frozen=True)
class Running:
    """A server with one organization."""

    base: str
    token: str


@pytest.fixture(scope="session")
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


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shown]:
    data_dir = tmp_path_factory.mktemp("site") / "data"
    made = run("demo", "--no-serve", "--data-dir", str(data_dir))
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


def findings(page: Page, axe: str) -> Any:
    """What axe finds critical or serious on a page as it is now."""
    page.evaluate(axe)
    return page.evaluate(RUN_AXE, FOREIGN)


@pytest.fixture(scope="session")
def artifacts() -> Path:
    """Where screenshots are kept."""
    ARTIFACTS.mkdir(exist_ok=True)
    return ARTIFACTS
