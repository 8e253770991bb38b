"""Writing in the Workbench: what is typed is what the API has, and nothing of it is lost."""

import re
from base64 import b64decode
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.conftest import findings
from tests.browser.workbench import (
    ADA,
    CHIDI,
    EVERY_KIND,
    WIDE,
    Graph,
    Person,
    fine_both_ways,
    graph,
    page_of,
    sessions,
    signed_in,
)

# Fixtures of the other stories.
__all__ = ["graph", "sessions", "signed_in"]

PAGE = """query ($space: ID!, $path: String!, $change: ID) {
  pageByPath(spaceId: $space, path: $path, changeRequestId: $change) {
    pageId title revision { id } ... on DocumentPage { document } } }"""
CHANGE = """mutation ($id: ID!, $input: CreateChangeRequestInput!) {
  createChangeRequest(spaceId: $id, input: $input) { id number } }"""
PICTURE = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJg"
    "gg=="
)


def read(graph: Graph, space: str, path: str, change: str | None = None) -> Any:
    return graph(PAGE, space=space, path=path, change=change)["pageByPath"]


def drafted(graph: Graph, space: str, subject: str) -> Any:
    return graph(CHANGE, id=space, input={"subject": subject})["createChangeRequest"]


def editing(space: str, number: int, page: Any) -> str:
    return f"/s/{space}/~/changes/{number}/any?edit={page['pageId']}"


def edited(
    signed_in: Any, graph: Graph, title: str, markdown: str
) -> tuple[Person, str, dict[str, Any], Any]:
    """Ada, who edits the page of a new space in a change request; the space, the request and the
    page as it is in the space."""
    space = graph.space(title)
    graph.apply(space, page_of(title, markdown))
    change = drafted(graph, space, title)
    there = read(graph, space, title.lower())
    ada = signed_in(ADA)
    ada.go(editing(space, change["number"], there))
    expect(text_of(ada.page)).to_contain_text(markdown)
    return ada, space, change, there


def text_of(page: Page) -> Any:
    return page.get_by_role("textbox", name="Text of the page")


def saved(page: Page) -> None:
    expect(page.get_by_text("Saved", exact=True)).to_be_visible()


def kinds(document: Any) -> list[str]:
    return [block["type"] for block in document["nodes"]]


def said(node: Any) -> str:
    if "leaves" in node:
        return "".join(leaf["text"] for leaf in node["leaves"])
    return "".join(said(child) for child in [*node.get("nodes", ()), *node.get("fragments", ())])


def insert(page: Page, words: str) -> None:
    page.keyboard.type(f"/{words}")
    expect(page.get_by_role("listbox", name="Insert a block")).to_be_visible()
    page.keyboard.press("Enter")


def test_a_page_is_written_with_many_kinds_of_blocks(signed_in: Any, graph: Graph) -> None:
    space = graph.space("Written")
    graph.apply(space, page_of("Guide", "Begin"))
    ada = signed_in(ADA)
    page = ada.page
    ada.go(f"/s/{space}/guide")
    page.get_by_role("button", name="Edit", exact=True).click()
    page.get_by_role("menuitem", name="Edit in a new change request").click()
    text = text_of(page)
    expect(text).to_contain_text("Begin")
    text.focus()
    page.keyboard.press("Control+End")
    page.keyboard.press("Enter")
    page.keyboard.type("## Tides\nLow **water** first\n- one\ntwo\n\n[] done?\n\n> said\n\n")
    page.keyboard.press("Enter")
    for words, typed in (
        ("hint", "Careful"),
        ("code", "let a"),
        ("stepper", "Walk"),
        ("tabs", "In"),
    ):
        insert(page, words)
        page.keyboard.type(typed)
        page.keyboard.press("Control+End")
        expect(text.locator("> p").last).to_have_text("")
    insert(page, "expand")
    page.keyboard.type("More")
    page.keyboard.press("Control+End")
    insert(page, "table")
    page.keyboard.type("Height")
    page.keyboard.press("Tab")
    page.keyboard.type("Time")
    for _ in range(8):
        page.keyboard.press("Tab")
    page.keyboard.type("A new row")
    page.keyboard.press("Control+End")
    insert(page, "formula")
    page.get_by_role("textbox", name="Formula").fill("a^2")
    page.get_by_role("button", name="Apply").click()
    page.keyboard.press("ArrowDown")
    insert(page, "divider")
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Image", exact=True).click()
    chooser.value.set_files(
        [{"name": "dot.png", "mimeType": "image/png", "buffer": b64decode(PICTURE)}]
    )
    expect(text.locator("figure img")).to_be_visible()
    page.get_by_role("textbox", name="Title of the page").fill("Guide to tides")
    page.keyboard.press("Tab")
    saved(page)
    stored = read(graph, space, "guide-to-tides", "1")
    document = stored["document"]
    shown = kinds(document)
    for kind in (
        "heading-2", "paragraph", "list-unordered", "list-tasks", "blockquote", "hint", "code",
        "stepper", "tabs", "expandable", "table", "math", "divider", "images",
    ):  # fmt: skip
        assert kind in shown, (kind, shown)
    words = said(document)
    for typed in ("Begin", "Tides", "water", "Careful", "let a", "Walk", "In", "More", "A new row"):
        assert typed in words
    assert read(graph, space, "guide")["title"] == "Guide", "readers see nothing of it yet"

    # After a reload it is there, and nothing is left to save.
    page.reload()
    expect(text_of(page)).to_contain_text("Careful")
    saved(page)
    assert read(graph, space, "guide-to-tides", "1")["revision"] == stored["revision"]
    page.get_by_role("button", name="Done").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Guide to tides")
    ada.fine()


def test_two_people_in_one_draft(signed_in: Any, graph: Graph) -> None:
    space = graph.space("Together")
    graph.apply(space, page_of("Both", "First\n\nSecond\n\nThird"))
    change = drafted(graph, space, "Two of us")
    there = read(graph, space, "both")
    ada, chidi = signed_in(ADA), signed_in(CHIDI)
    for person in (ada, chidi):
        person.go(editing(space, change["number"], there))
        expect(text_of(person.page)).to_contain_text("Third")
        expect(person.page.get_by_text("Live", exact=True)).to_be_visible()
    ada.page.get_by_text("First", exact=True).click()
    ada.page.keyboard.press("End")
    ada.page.keyboard.type(" of Ada")
    saved(ada.page)
    # What she saved is there, while he goes on typing in another block.
    chidi.page.get_by_text("Third", exact=True).click()
    chidi.page.keyboard.press("End")
    chidi.page.keyboard.type(" of", delay=60)
    expect(chidi.page.get_by_text("First of Ada")).to_be_visible()
    chidi.page.keyboard.type(" Chidi")
    saved(chidi.page)
    expect(ada.page.get_by_text("Third of Chidi")).to_be_visible()
    document = read(graph, space, "both", change["id"])["document"]
    assert [said(block) for block in document["nodes"]] == [
        "First of Ada",
        "Second",
        "Third of Chidi",
    ]
    ada.fine()
    chidi.fine()


def test_both_change_one_block(signed_in: Any, graph: Graph) -> None:
    ada, space, change, there = edited(signed_in, graph, "One", "Old words")
    page = ada.page
    page.get_by_text("Old words").click()
    page.keyboard.press("End")
    page.keyboard.press("Control+Shift+ArrowLeft")
    page.keyboard.type("sentence")
    key = there["document"]["nodes"][0]["key"]
    edit = {"replace": {"key": key, "content": {"markdown": "Words of others"}}}
    update = {"updatePage": {"page": there["pageId"], "body": {"edits": [edit]}}}
    graph.apply(space, update, change=change["id"])
    expect(
        page.get_by_text("Somebody else has changed the same words.", exact=False)
    ).to_be_visible()
    # Both stand in the page, which others see as well, and each apart beside it.
    expect(text_of(page)).to_have_text("Words of others Old sentence")
    saved(page)
    assert "Old sentence" in said(read(graph, space, "one", change["id"])["document"])
    for side in ("Words of others", "Old sentence"):
        expect(page.get_by_role("definition").get_by_text(side, exact=True)).to_be_visible()
    page.get_by_role("button", name="Take theirs").click()
    expect(text_of(page)).to_have_text("Words of others")
    saved(page)
    assert said(read(graph, space, "one", change["id"])["document"]) == "Words of others"
    # The refusal that brought both together is noted by the browser at most.
    assert ada.foreign == []


def test_nothing_typed_is_lost(signed_in: Any, sessions: dict[str, Any], graph: Graph) -> None:
    ada, space, change, there = edited(signed_in, graph, "Notes", "Before")
    page = ada.page
    page.get_by_text("Before").click()
    page.keyboard.press("End")

    # Without a connection it says so, and saves when there is one again.
    ada.context.set_offline(True)
    page.keyboard.type(" offline")
    expect(page.get_by_text("Not saved", exact=True)).to_be_visible()
    expect(page.get_by_text("is kept in this browser", exact=False)).to_be_visible()
    ada.context.set_offline(False)
    saved(page)
    assert said(read(graph, space, "notes", change["id"])["document"]) == "Before offline"

    # The session ends; the tab is closed; the text is offered again.
    ada.context.clear_cookies()
    text_of(page).click()
    page.keyboard.press("Control+End")
    page.keyboard.type(" and more")
    expect(page.get_by_text("You are signed out").first).to_be_visible()
    page.reload()
    expect(page).to_have_title("Sign in | Docstead")
    ada.context.add_cookies(sessions[ADA]["cookies"])
    ada.go(editing(space, change["number"], there))
    expect(page.get_by_text("Text was typed here and not saved.", exact=False)).to_be_visible()
    expect(text_of(page)).to_have_text("Before offline")
    page.get_by_role("button", name="Take it in").click()
    expect(text_of(page)).to_have_text("Before offline and more")
    saved(page)
    assert said(read(graph, space, "notes", change["id"])["document"]) == "Before offline and more"


def test_what_is_pasted(signed_in: Any, graph: Graph) -> None:
    ada, space, change, _ = edited(signed_in, graph, "Paste", "Here")
    page = ada.page
    page.get_by_text("Here").click()
    page.keyboard.press("End")
    paste(page, "text/plain", "## From Markdown\n\n* a\n* b\n\n```js\nlet x\n```\n")
    expect(text_of(page).locator("h2")).to_have_text("From Markdown")
    saved(page)
    page.keyboard.press("Control+End")
    page.keyboard.press("Control+Enter")
    paste(
        page,
        "text/html",
        '<p style="mso-list:l0 level1 lfo1"><span style="mso-list:Ignore">·</span>'
        "Word <b>item</b></p>"
        '<script>alert(1)</script><p onclick="x()">And <a href="https://a.test/">a link</a></p>',
    )
    expect(text_of(page).locator("li", has_text="Word item")).to_be_visible()
    saved(page)
    document = read(graph, space, "paste", change["id"])["document"]
    assert {"heading-1", "list-unordered", "code"} <= set(kinds(document))
    assert "Word item" in said(document)
    assert "alert" not in said(document)
    page.get_by_role("button", name="Markdown", exact=True).click()
    expect(page.get_by_role("textbox", name="Markdown of the page")).to_have_value(
        re.compile("## From Markdown")
    )
    ada.fine()


def paste(page: Page, kind: str, content: str) -> None:
    page.evaluate(
        """([kind, content]) => {
          const data = new DataTransfer();
          data.setData(kind, content);
          const of = { clipboardData: data, bubbles: true, cancelable: true };
          const event = new ClipboardEvent('paste', of);
          document.querySelector('.ProseMirror').dispatchEvent(event);
        }""",
        [kind, content],
    )


def test_every_document_opens_and_is_left_alone(
    signed_in: Any, graph: Graph, axe: str, artifacts: Path
) -> None:
    space = graph.space("Every kind")
    graph.apply(space, page_of("Everything", EVERY_KIND.read_text("utf-8")))
    change = drafted(graph, space, "Look")
    before = read(graph, space, "everything", change["id"])
    ada = signed_in(ADA)
    page = ada.page
    ada.go(editing(space, change["number"], before))
    text = text_of(page)
    expect(text).to_contain_text("In the middle")
    fine_both_ways(page, axe, "editor", artifacts / "workbench-editor")
    page.set_viewport_size(WIDE)
    page.get_by_role("textbox", name="Title of the page").focus()
    assert read(graph, space, "everything", change["id"])["revision"] == before["revision"]
    # The menu and the tools by keyboard alone.
    text.focus()
    page.keyboard.press("Control+End")
    page.keyboard.press("Control+Enter")
    page.keyboard.type("/hi")
    expect(text).to_have_attribute("aria-activedescendant", "editor-insert-hint")
    # The list is drawn behind the letter.
    expect(page.locator("#editor-insert-hint")).to_be_visible()
    assert findings(page, axe) == []
    page.keyboard.press("Escape")
    for _ in range(3):
        page.keyboard.press("Backspace")
    page.keyboard.press("Alt+F10")
    expect(page.get_by_role("button", name="Kind of text: Text")).to_be_focused()
    page.get_by_role("button", name="Done").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Everything")
    after = read(graph, space, "everything", change["id"])
    # What was typed and taken away has left an empty paragraph at the end, and all else alone.
    blocks = before["document"]["nodes"]
    assert after["document"]["nodes"][: len(blocks)] == blocks
    ada.fine()
