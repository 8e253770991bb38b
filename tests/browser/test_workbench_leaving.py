"""A page of the Workbench that is left while much is on its way: all of it is in the document."""

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import held
from tests.browser.test_workbench_editor import paste, read, said, text_of
from tests.browser.test_workbench_together import opened
from tests.browser.test_workbench_typing import wait_until_said
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
