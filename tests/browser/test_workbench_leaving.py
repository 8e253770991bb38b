"""A page of the Workbench that is left while much is on its way: all of it is in the document."""

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import held, wait_until
from tests.browser.test_workbench_editor import editing, paste, read, said, saved, text_of
from tests.browser.test_workbench_together import opened
from tests.browser.test_workbench_typing import PLAIN, WORD, wait_until_said
from tests.browser.workbench import ADA, Graph, graph, sessions, signed_in

# Fixtures of the other stories.
__all__ = ["graph", "sessions", "signed_in"]

# More than the editor takes in at once, of others or of Markdown that was read.
MANY = [f"Line {number}" for number in range(300)]


@pytest.mark.parametrize("whose", ["theirs", "pasted"])
def test_much_that_comes_behind_a_page_that_was_left(
    signed_in: Any, graph: Graph, whose: str
) -> None:
    title = f"Left{whose}"
    (ada,), space, change, there = opened(signed_in, graph, title, "Begin", ADA)
    page = ada.page
    text_of(page).click()
    page.keyboard.press("Control+End")
    # What is read behind the write is on its way when the page is left.
    with held(page, "EditContent") as writes:
        if whose == "theirs":
            page.keyboard.type(" of mine")
            key = there["document"]["nodes"][0]["key"]
            place = {"content": {"markdown": "\n\n".join(MANY)}, "place": {"after": key}}
            body = {"edits": [{"insert": place}]}
            update = {"updatePage": {"page": there["pageId"], "body": body}}
            page.keyboard.press("Control+s")
            writes.wait()
            graph.apply(space, update, change=change["id"])
        else:
            paste(page, "text/plain", "# Pasted\n\n" + "\n\n".join(MANY))
            writes.wait()
        page.evaluate("history.pushState(null, '', '/nowhere')")
        expect(text_of(page)).to_have_count(0)
    path = title.lower()
    if whose == "theirs":
        wait_until_said(graph, space, path, change["id"], "of mine")
    else:
        wait_until_said(graph, space, path, change["id"], "PastedLine 0Line 1")
    # Whatever is written behind that.
    page.wait_for_timeout(2_500)
    nodes = read(graph, space, path, change["id"])["document"]["nodes"]
    before = ["Begin of mine"] if whose == "theirs" else ["Begin", "Pasted"]
    assert [said(node) for node in nodes] == [*before, *MANY]
    ada.fine()


# As a browser that ends: the page hears nothing of it.
UNHEARD = """() => {
  for (const name of ['pagehide', 'visibilitychange', 'beforeunload'])
    for (const place of [window, document])
      place.addEventListener(name, (event) => event.stopImmediatePropagation(), { capture: true });
}"""
KEPT = """(words) => Object.keys(localStorage).some(
  (key) => key.startsWith('docstead-edit ') &&
    words.every((one) => localStorage[key].includes(one)))
"""
# What comes in portions stops in the middle: its turns have no delay, and all else has one.
WHILE_COMING = """() => {
  const later = window.setTimeout.bind(window);
  const isHere = () => document.querySelectorAll('.ProseMirror > p').length > 70;
  window.setTimeout = (work, delay, ...more) =>
    delay === undefined && isHere() ? 0 : later(work, delay, ...more);
}"""


@pytest.mark.parametrize("kind", ["text/html", "text/plain"])
def test_a_browser_ends_in_the_middle_of_a_paste(signed_in: Any, graph: Graph, kind: str) -> None:
    """What has come is offered as it was pasted, and the words of what was still coming."""
    title = f"Ends{kind[5:]}"
    (ada,), space, change, there = opened(signed_in, graph, title, "Begin", ADA)
    page = ada.page
    text_of(page).click()
    page.keyboard.press("Control+End")
    is_plain = kind == "text/plain"
    lines = PLAIN.split("\n") if is_plain else [f"Line {n} of Word" for n in range(1_200)]
    page.evaluate(WHILE_COMING)
    paste(page, kind, PLAIN if is_plain else WORD)
    page.keyboard.type(" typed")
    expect(text_of(page)).to_contain_text(f"{lines[-1]} typed")
    assert text_of(page).locator("> p").count() < len(lines)
    wait_until(page, KEPT, ["Line 0", f"Line {len(lines) // 2}", " typed"])
    page.evaluate(UNHEARD)
    page.close()
    assert said(read(graph, space, title.lower(), change["id"])["document"]) == "Begin"
    ada.page = page = ada.context.new_page()
    ada.go(editing(space, change["number"], there))
    page.get_by_role("button", name="Take it in").click()
    expect(text_of(page).locator("> p")).to_have_count(len(lines))
    saved(page)
    nodes = read(graph, space, title.lower(), change["id"])["document"]["nodes"]
    first, *between, last = [said(node) for node in nodes]
    assert first == f"Begin{lines[0]}"
    assert between == lines[1:-1]
    assert last == f"{lines[-1]} typed"
    if kind == "text/html":
        assert nodes[1]["nodes"][0]["leaves"][0]["marks"]
