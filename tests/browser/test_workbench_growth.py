"""What one action of the Workbench costs does not grow with the page around it: counted are the
elements whose style the browser works out anew, and the blocks of the editor, never seconds."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Shown
from tests.browser.workbench import Graph, Person, at_browser, organization_apart, page_of

EMAIL = "growth@example.com"
FEW, MANY = 20, 400
# Tools that are drawn anew in one of the two, and not in the other.
CLOSE = 60
FRAMES = """() => new Promise((done) => {
  const next = (left) => (left ? requestAnimationFrame(() => next(left - 1)) : setTimeout(done, 100));
  next(3);
})"""  # noqa: E501
CHILDREN = "document.querySelector('.ProseMirror').childElementCount"
# How many blocks there are as soon as it was pasted.
PASTE = """async (count) => {
  const text = document.querySelector('.ProseMirror');
  const data = new DataTransfer();
  data.setData('text/html', Array.from({ length: count }, (_, one) => `<p>Part ${one}</p>`).join(''));
  text.dispatchEvent(
    new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  return text.childElementCount;
}"""  # noqa: E501


@pytest.fixture(scope="module")
def much(site: Shown) -> Graph:
    return organization_apart(site, EMAIL, "Growth")


@pytest.fixture
def person(browser: Browser, site: Shown, much: Graph) -> Iterator[Person]:
    with at_browser(browser, site, EMAIL) as person:
        yield person


def restyled(browser: Browser, page: Page, act: Callable[[], object], trace: Path) -> int:
    """For so many elements the browser works out a style while something is done."""
    page.evaluate(FRAMES)
    browser.start_tracing(page=page, path=trace, categories=["devtools.timeline"])
    act()
    page.evaluate(FRAMES)
    browser.stop_tracing()
    events = json.loads(trace.read_text(encoding="utf-8"))["traceEvents"]
    return sum(
        one["args"].get("elementCount", 0) for one in events if one["name"] == "UpdateLayoutTree"
    )


def test_an_action_restyles_what_it_changes(
    browser: Browser, person: Person, much: Graph, tmp_path: Path
) -> None:
    page, keyboard = person.page, person.page.keyboard
    actions: dict[str, list[int]] = {}
    for count in (FEW, MANY):
        space = much.space(f"Page of {count}")
        lines = "\n\n".join(f"Paragraph {number} of a page" for number in range(count))
        much.apply(space, page_of("Long", lines))
        person.go(f"/s/{space}/long")
        expect(page.get_by_text("Paragraph 3 of a page", exact=True)).to_be_visible()

        def note(
            name: str, act: Callable[[], object], trace: Path = tmp_path / f"{count}.json"
        ) -> None:
            actions.setdefault(name, []).append(restyled(browser, page, act, trace))

        page.get_by_role("button", name="Edit", exact=True).click()
        page.get_by_role("menuitem", name="Edit in a new change request").click()
        text = page.get_by_role("textbox", name="Text of the page")
        text.get_by_text("Paragraph 3 of a page", exact=True).click()
        keyboard.press("End")
        note("letter", lambda: keyboard.press("x"))
        for name in ("first new block", "new block"):
            note(name, lambda: keyboard.press("Enter"))
        before = page.evaluate(CHILDREN)
        # Portions would each be drawn with the whole page.
        assert page.evaluate(PASTE, 500) >= before + 499
        page.get_by_text("Saved", exact=True).wait_for()
        person.go("/")
    # The first one makes what the second finds.
    few, many = actions["new block"]
    assert few > 0, actions
    assert many < few + CLOSE, actions
    assert actions["letter"][1] < actions["letter"][0] + CLOSE, actions
    person.fine()
