"""The difference of a change request: what it says of changes that no word shows."""

from typing import Any

from playwright.sync_api import expect

from tests.browser.conftest import findings
from tests.browser.test_workbench_editor import drafted, read
from tests.browser.workbench import ADA, Graph, graph, page_of, sessions, signed_in

# Fixtures of the other stories.
__all__ = ["graph", "sessions", "signed_in"]

FORMS = (
    "* [tides](https://old.example)\n* plain\n\n| Name | Height |\n| --- | --- |\n| mast | keel |\n"
)
OTHER_FORMS = (
    "* [tides](https://new.example)\n* plain\n",
    "| Name | Height |\n| --- | --- |\n| mast | **keel** |\n",
)
ONLY_FORM = "Only links, marks or settings have changed, no words."


def test_marks_and_links_alone_count_in_items_and_cells(
    signed_in: Any, graph: Graph, axe: str
) -> None:
    space = graph.space("Forms")
    graph.apply(space, page_of("Forms", FORMS))
    change = drafted(graph, space, "Forms")
    there = read(graph, space, "forms")
    edits = [
        {"replace": {"key": node["key"], "content": {"markdown": markdown}}}
        for node, markdown in zip(there["document"]["nodes"], OTHER_FORMS, strict=True)
    ]
    update = {"updatePage": {"page": there["pageId"], "body": {"edits": edits}}}
    graph.apply(space, update, change=change["id"])
    ada = signed_in(ADA)
    page = ada.page
    ada.go(f"/s/{space}/~/changes/{change['number']}?tab=changes")
    edited = page.get_by_role("group", name="Block edited", exact=True)
    expect(edited).to_have_count(2)
    items, cells = edited.first, edited.last
    for layout in ("Inline", "Side by side"):
        page.get_by_role("radio", name=layout).click()
        # It is said at the item and the cell that have changed, and at no other one.
        lines = items.locator("li")
        expect(lines.filter(has_text=ONLY_FORM)).to_have_text([f"•tides {ONLY_FORM}"])
        fields = cells.get_by_role("cell")
        expect(fields.filter(has_text=ONLY_FORM)).to_have_text([f"keel {ONLY_FORM}"])
        expect(fields.filter(has_text="mast").first).to_have_text("mast")
        # No word has come or gone.
        expect(page.get_by_role("main").locator("ins, del")).to_have_count(0)
    assert findings(page, axe) == []
    ada.fine()
