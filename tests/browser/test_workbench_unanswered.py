"""What becomes of words, and of whoever has written them, where answers fail or never come."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import eventually, held
from tests.browser.test_workbench_ahead import Failing
from tests.browser.test_workbench_editor import (
    edited, kinds, paste, read, said, saved, text_of,
)  # fmt: skip
from tests.browser.workbench import ADA, Graph, graph, page_of, sessions, signed_in

# Fixtures of the other stories.
__all__ = ["graph", "sessions", "signed_in"]

FEW, MANY = 3, 250


def written(signed_in: Any, graph: Graph, title: str) -> tuple[Any, Any]:
    """A page with one paragraph in its editor, and how it is read as it is stored."""
    ada, space, change, _ = edited(signed_in, graph, title, "Begin")
    text_of(ada.page).get_by_text("Begin").click()
    ada.page.keyboard.press("End")

    def now() -> Any:
        return read(graph, space, title.lower(), change["id"])["document"]

    return ada, now


def pasted(page: Page, count: int) -> list[str]:
    words = [f"word{number:03}end" for number in range(count)]
    paste(page, "text/plain", f"# Head\n\n* item\n* another {words[0]}\n\n" + "\n\n".join(words[1:]))
    return words


@pytest.mark.parametrize("count", [FEW, MANY])
def test_what_was_pasted_stands_once_where_its_page_is_not_read(
    signed_in: Any, graph: Graph, count: int
) -> None:
    """Somebody goes on typing in Markdown that the server has read already."""
    ada, now = written(signed_in, graph, f"Pasted{count}")
    page = ada.page
    failing = Failing(page, "EditedPage")
    words = pasted(page, count)
    page.wait_for_timeout(2_500)
    page.keyboard.type(" typed")
    page.wait_for_timeout(500)
    failing.is_on = False
    saved(page)
    page.keyboard.type(" behind")
    saved(page)
    eventually(page, lambda: "heading-1" in kinds(now()), True)
    saved(page)
    text = said(now())
    assert [word for word in ["Begin", *words, "typed", "behind"] if text.count(word) != 1] == []
    expect(text_of(page)).to_contain_text("typed behind")
    ada.fine()


@pytest.mark.parametrize("count", [FEW, MANY])
def test_markdown_is_read_with_what_is_typed_meanwhile(
    signed_in: Any, graph: Graph, count: int
) -> None:
    ada, now = written(signed_in, graph, f"Meanwhile{count}")
    page = ada.page
    with held(page, " RehearseEdit(") as asked:
        words = pasted(page, count)
        asked.wait()
        page.keyboard.type(" and **bold**")
        saved(page)
    eventually(page, lambda: "heading-1" in kinds(now()), True)
    # The caret goes on behind it.
    page.keyboard.type(" behind")
    saved(page)
    text = said(now())
    assert [word for word in ["Begin", *words, "bold", "behind"] if text.count(word) != 1] == []
    expect(text_of(page).locator("strong")).to_have_text("bold")
    expect(text_of(page)).to_contain_text("and bold behind")
    ada.fine()
