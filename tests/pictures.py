"""docs/images/workbench*.png: the Workbench with the demo. `python -m tests.pictures` takes them.

A Chromium and an emoji font are needed (Debian packages `chromium`, `fonts-noto-color-emoji`).
"""

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Page, sync_playwright

from tests.browser.conftest import FLAGS, chromium_path
from tests.docstead.demo_data import demo_folder, share_demo
from tests.docstead.test_serve import serving

IMAGES = Path(__file__).parent.parent / "docs" / "images"
SIZE = {"width": 1280, "height": 800}


def _page(page: Page, demo: Any) -> None:
    page.get_by_role("link", name="Gauge G2 manual").first.click()
    page.get_by_role("heading", level=1).wait_for()
    page.get_by_role("button", name="Edit", exact=True).wait_for()


def _editor(page: Page, demo: Any) -> None:
    page.get_by_role("button", name="Edit", exact=True).click()
    page.get_by_role("menuitem", name="Edit in a new change request").click()
    page.get_by_role("textbox", name="Text of the page").click()
    page.keyboard.press("Control+End")
    page.keyboard.press("Control+Enter")
    page.keyboard.type("/")
    page.get_by_role("listbox", name="Insert a block").wait_for()


def _change(page: Page, demo: Any) -> None:
    page.keyboard.press("Escape")
    page.goto("/")
    page.get_by_role("link", name="Gauge G2 manual").first.click()
    page.get_by_role("link", name="Change requests").first.click()
    page.get_by_role("main").get_by_role("link", name="Explain the battery test").first.click()
    page.get_by_role("heading", level=1).wait_for()
    page.goto(f"{page.url}?tab=changes")
    page.get_by_text("ten seconds").first.wait_for()


def _people(page: Page, demo: Any) -> None:
    page.goto(f"/o/{demo['organization']['id']}/~/people")
    page.get_by_role("button", name="Invite people").wait_for()


PICTURES: dict[str, Callable[[Page, Any], None]] = {
    "workbench": _page,
    "workbench-editor": _editor,
    "workbench-changes": _change,
    "workbench-people": _people,
}


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, share_demo():
        data_dir = Path(folder) / "data"
        demo = demo_folder(data_dir)
        with (
            serving(data_dir) as (base, _),
            sync_playwright() as playwright,
            playwright.chromium.launch(
                executable_path=chromium_path(whole=True), args=FLAGS
            ) as browser,
        ):
            page = browser.new_page(viewport=SIZE, base_url=base)  # type: ignore[arg-type]
            page.set_default_timeout(20_000)
            page.goto(f"{urlsplit(demo['people'][0]['signInLink']).path}?next=/")
            page.get_by_role("button", name="Sign in").click()
            page.get_by_role("link", name="My work").first.wait_for()
            for name, show in PICTURES.items():
                show(page, demo)
                # Nothing is below the pointer.
                page.mouse.move(SIZE["width"] - 1, SIZE["height"] - 1)
                page.wait_for_timeout(1500)
                page.screenshot(path=IMAGES / f"{name}.png")


if __name__ == "__main__":
    main()
