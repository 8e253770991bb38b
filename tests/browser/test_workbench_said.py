"""What the Workbench says by itself, to who does not see it: once, and not more; of changes that
are made right behind each other what they have become."""

from typing import Any

from playwright.sync_api import Page, expect

from tests.browser import workbench
from tests.browser.conftest import held
from tests.browser.test_workbench_dialogs import REFUSE
from tests.browser.workbench import ADA, Graph, page_of

graph, sessions, signed_in = workbench.graph, workbench.sessions, workbench.signed_in
# Texts of live parts of the page, one after the other as they come.
LISTEN = """() => {
  window.said = [];
  const LIVE = '[role=status], [role=alert], [aria-live]';
  const silent = (part) => part.closest('[aria-live=off]') !== null;
  new MutationObserver((changes) => {
    const parts = new Set();
    for (const { target, addedNodes } of changes) {
      const at = target instanceof Element ? target : target.parentElement;
      if (at?.closest(LIVE)) parts.add(at.closest(LIVE));
      for (const node of addedNodes)
        if (node instanceof Element) for (const part of [node, ...node.querySelectorAll('[role=alert]')]) if (part.matches('[role=alert]')) parts.add(part);
    }
    for (const part of parts) {
      const text = part.textContent.trim();
      if (text && !silent(part)) window.said.push(text);
    }
  }).observe(document.body, { childList: true, subtree: true, characterData: true });
}"""  # noqa: E501


def said(page: Page) -> list[str]:
    """What was said since one listens or has asked last."""
    page.wait_for_timeout(500)
    heard: list[str] = page.evaluate("() => window.said.splice(0)")
    return heard


def test_what_happens_is_said_once(signed_in: Any, graph: Graph) -> None:
    space = graph.space("Said")
    graph.apply(space, *(page_of(title, f"{title} words\n\nMore") for title in ("One", "Two")))
    query = 'query ($id: ID!) { space(id: $id) { pageByPath(path: "one") { pageId } } }'
    page_id = graph(query, id=space)["space"]["pageByPath"]["pageId"]
    ada = signed_in(ADA)
    page = ada.see(f"/s/{space}/one")
    page.evaluate(LISTEN)
    # Another view is its heading, which has the focus: its title is not said besides.
    page.get_by_role("navigation", name="Navigation").get_by_role("link", name="History").click()
    expect(page.get_by_role("heading", level=1, name="History")).to_be_focused()
    assert [text for text in said(page) if "History" in text] == []
    # Whoever stays in the tree hears where they have come to.
    page.get_by_role("row", name="Two").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1, name="Two")).to_be_visible()
    assert [text for text in said(page) if "Two" in text] == ["Two | Said | Docstead"]

    # Of moves that are made before the first is written each page is said once, where it is then.
    with held(page, "TreeWrite") as sent:
        page.keyboard.press("Alt+ArrowUp")
        sent.wait()
        page.keyboard.press("Alt+ArrowUp")
        page.get_by_role("row", name="One").focus()
        page.keyboard.press("Alt+ArrowUp")
    both = "Two was moved. It is 1 of 3. One was moved. It is 2 of 3."
    expect(page.get_by_text(both).first).to_be_visible()
    assert [text for text in said(page) if "was moved" in text] == [
        f"{both} It is in the new change request #1."
    ]
    # And undone together.
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("It is as it was before.").first).to_be_visible()
    expect(page.get_by_role("row").last).to_contain_text("Two")

    # Writing is not interrupted by its saving; whoever asks hears of it.
    ada.see(f"/s/{space}/one?edit={page_id}")
    text = page.get_by_role("textbox", name="Text of the page")
    text.get_by_text("One words").click()
    said(page)
    page.keyboard.type("Words ")
    expect(page.get_by_text("Saved", exact=True)).to_be_visible()
    expect(page.get_by_text("Not saved yet")).to_have_count(0)
    assert said(page) == []
    # Where a block is that was moved.
    page.keyboard.press("Alt+ArrowDown")
    page.keyboard.press("Alt+ArrowUp")
    assert said(page)[-1:] == ["Block 1 of 2"]
    expect(page.get_by_text("Saved", exact=True)).to_be_visible()
    page.keyboard.type("more ")
    with held(page, "mutation") as sent:
        page.keyboard.press("Control+s")
        sent.wait()
    expect(page.get_by_text("Saved", exact=True)).to_be_visible()
    assert said(page)[-1:] == ["Saved"]
    ada.fine()


def test_a_refused_write_is_said_once_with_its_reason(signed_in: Any, graph: Graph) -> None:
    ada = signed_in(ADA)
    ada.page.add_init_script(REFUSE)
    page = ada.see(f"/o/{graph.organization}")
    page.evaluate(LISTEN)
    page.get_by_role("button", name="New space").first.click()
    page.get_by_role("dialog").get_by_label("Title").fill("Refused")
    page.get_by_role("dialog").get_by_role("button", name="Create").click()
    expect(page.get_by_role("alert")).to_contain_text("Not in this test")
    heard = said(page)
    assert [text for text in heard if "Not in this test" in text] == heard
    assert len(heard) == 1
