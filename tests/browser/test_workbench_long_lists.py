"""Writing in a list of thousands of items: what is kept and sent is what was written, and not the
list."""

from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.test_workbench_editor import read, said, saved, text_of
from tests.browser.test_workbench_together import opened
from tests.browser.workbench import ADA, Graph, graph, sessions, signed_in

# Fixtures of the other stories.
__all__ = ["graph", "sessions", "signed_in"]

FEW, MANY, KEYS = 300, 3_000, 6
# How long the texts are that the page makes of JSON, and those that it sends; which it has read.
COUNT = """() => {
  const [write, send] = [JSON.stringify, window.fetch];
  Object.assign(window, { written: [], sent: [] });
  JSON.stringify = (...all) => {
    const text = write(...all);
    window.written.push(text?.length ?? 0);
    return text;
  };
  window.fetch = (...all) => {
    window.sent.push(all[1]?.body ?? '');
    return send(...all);
  };
}"""
# Characters of one name of a block that was not changed, in what is kept of three versions.
OF_A_NAME = 3 * 30
# A write and its frame, of whatever list.
OF_A_WRITE = 3_000


def listed(count: int) -> str:
    return "\n".join(f"- Item {number:04} with **some** words" for number in range(count))


def shown(page: Page) -> None:
    """What stands there is saved: the state above the text is that of before for a moment."""
    page.wait_for_timeout(300)
    saved(page)


def typed(page: Page, middle: str) -> dict[str, Any]:
    item = text_of(page).locator("li", has_text=middle)
    item.click()
    page.keyboard.press("End")
    page.evaluate(COUNT)
    for _ in range(KEYS):
        page.keyboard.type("x")
        # As long as it takes until it is kept.
        page.wait_for_timeout(400)
    saved(page)
    return page.evaluate("({ written, sent })")  # type: ignore[no-any-return]


def test_a_key_in_a_long_list_is_kept_and_sent_alone(signed_in: Any, graph: Graph) -> None:
    for count in (FEW, MANY):
        title = f"List{count}"
        (ada,), space, change, there = opened(signed_in, graph, title, listed(count), ADA)
        page, middle = ada.page, f"Item {count // 2:04}"
        noted = typed(page, middle)
        assert max(noted["written"]) <= OF_A_WRITE + OF_A_NAME * count
        assert max(len(body) for body in noted["sent"]) <= OF_A_WRITE
        # What was written here is not read again.
        assert not any("query EditedPage(" in body for body in noted["sent"])
        document = read(graph, space, title.lower(), change["id"])["document"]
        (whole,) = document["nodes"]
        before = there["document"]["nodes"][0]["nodes"]
        assert [item["key"] for item in whole["nodes"]] == [item["key"] for item in before]
        assert said(whole["nodes"][count // 2]) == f"{middle} with some words" + KEYS * "x"
        ada.fine()


def test_items_are_made_nested_and_taken_away(signed_in: Any, graph: Graph) -> None:
    (ada,), space, change, _ = opened(signed_in, graph, "Items", listed(8), ADA)
    page = ada.page

    def go_to(item: str) -> None:
        text_of(page).get_by_text(item, exact=False).first.click()
        page.keyboard.press("End")

    def check(*texts: str) -> None:
        shown(page)
        document = read(graph, space, "items", change["id"])["document"]
        found = [said(item) for item in document["nodes"][0]["nodes"]]
        assert [text.removesuffix(" with some words") for text in found] == list(texts)
        rows = text_of(page).locator("> ul > li")
        assert [row.replace("\n", "") for row in rows.all_inner_texts()] == found

    go_to("Item 0002")
    page.keyboard.press("Enter")
    page.keyboard.type("New")
    numbers = [f"Item {number:04}" for number in range(8)]
    check(*numbers[:3], "New", *numbers[3:])
    # A part of the one above it, and of the list again.
    page.keyboard.press("Tab")
    page.keyboard.type("er")
    shown(page)
    inner = read(graph, space, "items", change["id"])["document"]["nodes"][0]["nodes"][2]
    assert said(inner) == "Item 0002 with some wordsNewer"
    page.keyboard.press("Shift+Tab")
    check(*numbers[:3], "Newer", *numbers[3:])
    go_to("Item 0005")
    for _ in range(len("Item 0005 with some words") + 1):
        page.keyboard.press("Backspace")
    page.keyboard.press("Backspace")
    shown(page)
    page.keyboard.type("!")
    shown(page)
    document = read(graph, space, "items", change["id"])["document"]
    visible = text_of(page).inner_text().replace("\n", "")
    assert "".join(said(node) for node in document["nodes"]) == visible
    assert "Item 0005" not in visible
    expect(page.get_by_role("alert")).to_have_count(0)
    ada.fine()
