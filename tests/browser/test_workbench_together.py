"""Several people and several ways to type in one page of the Workbench: no word of anybody goes."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import findings
from tests.browser.test_workbench_editor import (
    drafted,
    edited,
    editing,
    paste,
    read,
    said,
    saved,
    text_of,
)
from tests.browser.workbench import (
    ADA,
    CHIDI,
    NARROW,
    Graph,
    Person,
    graph,
    page_of,
    sessions,
    signed_in,
)

# Fixtures of the other stories.
__all__ = ["graph", "sessions", "signed_in"]

LIST = "Before all\n\n* one\n* two\n* three\n\n| Name | Height |\n| --- | --- |\n| mast | 12 |\n"


def opened(
    signed_in: Any, graph: Graph, title: str, markdown: str, *emails: str
) -> tuple[list[Person], str, Any, Any]:
    """People who edit one page of a change request; the space, the request and the page."""
    space = graph.space(title)
    graph.apply(space, page_of(title, markdown))
    change = drafted(graph, space, title)
    there = read(graph, space, title.lower())
    people = [signed_in(email) for email in emails]
    for person in people:
        person.go(editing(space, change["number"], there))
        expect(text_of(person.page)).to_contain_text(said(there["document"])[:8])
        expect(person.page.get_by_text("Live", exact=True)).to_be_visible()
    return people, space, change, there


def at_end_of(page: Page, text: str) -> None:
    text_of(page).get_by_text(text, exact=True).click()
    page.keyboard.press("End")


def test_one_list_one_table_and_one_sentence_of_two_people(signed_in: Any, graph: Graph) -> None:
    people, space, change, _ = opened(signed_in, graph, "Blocks", LIST, ADA, CHIDI)
    ada, chidi = (person.page for person in people)
    # At once, before either has seen anything of the other.
    for person in people:
        person.context.set_offline(True)
    for page, item, cell, where in ((ada, "one", "mast", "Home"), (chidi, "three", "12", "End")):
        name = "Ada" if page is ada else "Chidi"
        at_end_of(page, item)
        page.keyboard.type(f" of {name}")
        page.keyboard.press("Enter")
        page.keyboard.type(f"new of {name}")
        at_end_of(page, cell)
        page.keyboard.type(f" of {name}")
        text_of(page).get_by_text("Before all").click()
        page.keyboard.press(where)
        page.keyboard.type(f" {name} ")
    for person in people:
        person.context.set_offline(False)
        saved(person.page)
    for page in (ada, chidi):
        text = text_of(page)
        expect(text.locator("> p").first).to_have_text(re.compile(r"Ada Before all Chidi"))
        expect(text.locator("li")).to_have_text(
            ["one of Ada", "new of Ada", "two", "three of Chidi", "new of Chidi"]
        )
        expect(text.locator("td")).to_have_text(["mast of Ada", "12 of Chidi"])
        # Nobody is asked anything: both have all.
        expect(page.get_by_role("button", name="Take theirs")).to_have_count(0)
        saved(page)
    document = read(graph, space, "blocks", change["id"])["document"]
    assert [block["type"] for block in document["nodes"]] == [
        "paragraph",
        "list-unordered",
        "table",
    ]
    for words in ("one of Ada", "new of Ada", "three of Chidi", "new of Chidi", "12 of Chidi"):
        assert said(document).count(words) == 1, words


def test_both_change_the_title(signed_in: Any, graph: Graph, axe: str) -> None:
    (ada,), space, change, there = opened(signed_in, graph, "Titled", "Text", ADA)
    page = ada.page
    title = page.get_by_role("textbox", name="Title of the page")
    title.fill("Of mine")
    graph.apply(
        space, {"updatePage": {"page": there["pageId"], "title": "Of others"}}, change=change["id"]
    )
    question = page.get_by_text("Somebody else has changed the title, too.", exact=False)
    expect(question).to_be_visible()
    expect(title).to_have_value("Of mine")
    expect(page.get_by_text("Not saved yet")).to_be_visible()
    assert findings(page, axe) == []
    assert read(graph, space, "of-others", change["id"])["title"] == "Of others"
    page.get_by_role("button", name="Keep mine").click()
    expect(question).to_have_count(0)
    saved(page)
    assert read(graph, space, "of-mine", change["id"])["title"] == "Of mine"


def test_leaving_with_a_title_that_both_have_changed(signed_in: Any, graph: Graph) -> None:
    (ada,), space, change, there = opened(signed_in, graph, "Left", "Text", ADA)
    page = ada.page
    page.get_by_role("textbox", name="Title of the page").fill("Of mine")
    graph.apply(
        space, {"updatePage": {"page": there["pageId"], "title": "Of others"}}, change=change["id"]
    )
    question = page.get_by_text("Somebody else has changed the title, too.", exact=False)
    expect(question).to_be_visible()
    page.get_by_role("button", name="Done").click()
    expect(question).to_be_visible()
    page.get_by_role("button", name="Take theirs").click()
    expect(page.get_by_role("textbox", name="Title of the page")).to_have_value("Of others")
    page.get_by_role("button", name="Done").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Of others")


def test_another_person_signs_in_elsewhere(
    signed_in: Any, sessions: dict[str, Any], graph: Graph
) -> None:
    """The window keeps the focus, so it notices nothing by itself."""
    ada, space, change, _ = edited(signed_in, graph, "Whose", "Begin")
    page = ada.page
    at_end_of(page, "Begin")
    # Her own event comes back, and all that is shown is read anew: whoever is signed in as well.
    with page.expect_request(lambda one: "query Viewer" in (one.post_data or "")):
        page.keyboard.type(" with Ada")
        saved(page)
    ada.settle()
    before = read(graph, space, "whose", change["id"])["revision"]
    ada.context.clear_cookies()
    ada.context.add_cookies(sessions[CHIDI]["cookies"])
    page.keyboard.type(" and more of Ada")
    expect(page.get_by_text("Somebody else is signed in").first).to_be_visible()
    expect(text_of(page)).to_have_text("Begin with Ada and more of Ada")
    assert read(graph, space, "whose", change["id"])["revision"] == before
    ada.context.clear_cookies()
    ada.context.add_cookies(sessions[ADA]["cookies"])
    page.get_by_role("button", name="Save now").click()
    saved(page)
    document = read(graph, space, "whose", change["id"])["document"]
    assert said(document) == "Begin with Ada and more of Ada"


@pytest.mark.parametrize("where", ["elsewhere", "here"])
def test_others_write_while_letters_are_composed(signed_in: Any, graph: Graph, where: str) -> None:
    title = f"Composed{where}"
    (ada,), space, change, there = opened(signed_in, graph, title, "Said: \n\nOther words", ADA)
    path = title.lower()
    page = ada.page
    keyboard = ada.context.new_cdp_session(page)
    text_of(page).get_by_text("Said:").click()
    page.keyboard.press("End")

    def compose(text: str) -> None:
        at = {"text": text, "selectionStart": len(text), "selectionEnd": len(text)}
        keyboard.send("Input.imeSetComposition", at)

    for letters in ("n", "に", "にh", "にほ", "にほn", "にほん"):
        compose(letters)
    first, second = there["document"]["nodes"]
    key, words = (first["key"], "They said:") if where == "here" else (second["key"], "New words")
    edit = {"replace": {"key": key, "content": {"markdown": words}}}
    update = {"updatePage": {"page": there["pageId"], "body": {"edits": [edit]}}}
    # Their words are known here, and wait for the letters.
    with ada.received(words):
        graph.apply(space, update, change=change["id"])
    compose("日本")
    keyboard.send("Input.insertText", {"text": "日本語"})
    keyboard.send("Input.insertText", {"text": " and on"})
    first_line = "They said:日本語 and on" if where == "here" else "Said:日本語 and on"
    expect(text_of(page).locator("> p").first).to_have_text(first_line)
    expect(text_of(page)).to_contain_text(words)
    saved(page)
    document = read(graph, space, path, change["id"])["document"]
    assert said(document["nodes"][0]).replace(" ", "") == first_line.replace(" ", "")
    page.reload()
    expect(text_of(page).locator("> p").first).to_have_text(first_line)
    saved(page)


def test_a_title_is_composed(signed_in: Any, graph: Graph) -> None:
    (ada,), *_ = opened(signed_in, graph, "Heights", "Text", ADA)
    page = ada.page
    page.get_by_role("textbox", name="Title of the page").click()
    page.keyboard.press("End")
    keyboard = ada.context.new_cdp_session(page)
    for letters in ("k", "か", "かn"):
        at = {"text": letters, "selectionStart": len(letters), "selectionEnd": len(letters)}
        keyboard.send("Input.imeSetComposition", at)
    keyboard.send("Input.insertText", {"text": "漢字"})
    page.keyboard.press("Tab")
    saved(page)
    expect(page.get_by_role("textbox", name="Title of the page")).to_have_value("Heights漢字")
    page.reload()
    expect(page.get_by_role("textbox", name="Title of the page")).to_have_value("Heights漢字")


def test_a_page_is_written_by_touch(signed_in: Any, graph: Graph) -> None:
    (ada,), space, change, _ = opened(signed_in, graph, "Touched", "First\n\nSecond", ADA)
    page = ada.page
    fingers = ada.context.new_cdp_session(page)
    fingers.send("Emulation.setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": 1})
    page.set_viewport_size(NARROW)

    def tap(target: Any) -> None:
        # A list shows itself when the keyboard of a phone is up: sooner, what lies behind is hit.
        target.click(trial=True)
        box = target.bounding_box()
        at = [{"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}]
        fingers.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": at})
        fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    text = text_of(page)
    tap(text.get_by_text("Second", exact=True))
    expect(text).to_be_focused()
    page.keyboard.press("End")
    # As keyboards of phones do: each word is composed, and then there.
    for word in (" words", " of", " a", " thumb"):
        for end in range(1, len(word) + 1):
            at = {"text": word[:end], "selectionStart": end, "selectionEnd": end}
            fingers.send("Input.imeSetComposition", at)
        fingers.send("Input.insertText", {"text": word})
    expect(text.get_by_text("Second words of a thumb", exact=True)).to_be_visible()
    tap(page.get_by_role("button", name="Insert", exact=True))
    tap(page.get_by_role("option", name=re.compile("^Hint ")))
    expect(text.locator("[data-block=hint]")).to_be_visible()
    fingers.send("Input.insertText", {"text": "Careful"})
    expect(text.locator("[data-block=hint]")).to_contain_text("Careful")
    saved(page)
    document = read(graph, space, "touched", change["id"])["document"]
    assert [said(block) for block in document["nodes"]][:3] == [
        "First",
        "Second words of a thumb",
        "Careful",
    ]
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]


CHIDI_IN = """query ($id: ID!) {
  organization(id: $id) { members(first: 2, search: "chidi") { nodes { userId } } } }"""
MENTIONED = """mutation ($id: ID!, $input: PostCommentInput!) {
  postComment(spaceId: $id, input: $input) { id } }"""
PULL = """mutation ($space: ID!, $id: ID!) {
  pullChangeRequest(spaceId: $space, id: $id) { result } }"""


def test_a_conflict_says_which_words_each_side_has_changed(
    signed_in: Any, graph: Graph, axe: str
) -> None:
    space = graph.space("Sides")
    graph.apply(space, page_of("Sides", "The tide is high at noon"))
    change = drafted(graph, space, "Sides")
    there = read(graph, space, "sides")
    key = there["document"]["nodes"][0]["key"]
    for words, request in (("The tide is low at noon", change["id"]), ("The tide is even", None)):
        edit = {"replace": {"key": key, "content": {"markdown": words}}}
        update = {"updatePage": {"page": there["pageId"], "body": {"edits": [edit]}}}
        graph.apply(space, update, change=request)
    graph(PULL, space=space, id=change["id"])
    ada = signed_in(ADA)
    ada.go(f"/s/{space}/~/changes/{change['number']}?tab=conflicts")
    changed = ada.page.get_by_role("group", name="What has changed")
    expect(changed).to_have_count(2)
    expect(changed.first.locator("del")).to_have_text(["high"])
    expect(changed.first.locator("ins")).to_have_text(["low"])
    expect(changed.last.locator("ins")).to_have_text(["even"])
    assert findings(ada.page, axe) == []
    ada.fine()


def test_mentions_stand_in_my_work(signed_in: Any, graph: Graph, axe: str) -> None:
    chidi = signed_in(CHIDI, home=True)
    page = chidi.page
    expect(page.get_by_role("heading", name="Mentions of me")).to_have_count(0)
    (member,) = graph(CHIDI_IN, id=graph.organization)["organization"]["members"]["nodes"]
    me = member["userId"]
    space = graph.space("Asking")
    said = f'Look: [@Chidi](/v1/users/{me} "mention")'
    graph(MENTIONED, id=space, input={"body": {"markdown": said}})
    # It comes by itself.
    expect(page.get_by_role("heading", name="Mentions of me")).to_be_visible()
    mention = page.get_by_role("link", name="mentioned you in Asking")
    assert findings(page, axe) == []
    mention.click()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    chidi.fine()


def test_undoing_leaves_what_others_have_written(signed_in: Any, graph: Graph) -> None:
    """Also in the middle of what is taken back."""
    people, space, change, _ = opened(signed_in, graph, "Undone", "Begin", ADA, CHIDI)
    ada, chidi = (person.page for person in people)
    at_end_of(chidi, "Begin")
    html = "".join(f"<p>Pasted {number}</p>" for number in ("one", "two", "three", "four"))
    paste(chidi, "text/html", html)
    saved(chidi)
    at_end_of(ada, "Pasted two")
    ada.keyboard.type(" of others")
    saved(ada)
    at_end_of(ada, "Pasted three")
    ada.keyboard.type(" and more")
    saved(ada)
    expect(text_of(chidi)).to_contain_text("Pasted two of others")
    expect(text_of(chidi)).to_contain_text("Pasted three and more")
    chidi.keyboard.press("Control+z")
    expect(text_of(chidi)).not_to_contain_text("Pasted")
    expect(text_of(chidi)).to_contain_text("of others")
    saved(chidi)
    expect(text_of(ada)).not_to_contain_text("Pasted")
    text = said(read(graph, space, "undone", change["id"])["document"])
    assert re.search("of others.*and more", text, re.DOTALL)
    assert "Pasted" not in text
    chidi.keyboard.press("Control+y")
    expect(text_of(chidi)).to_contain_text("Pasted four")
    saved(chidi)
    text = said(read(graph, space, "undone", change["id"])["document"])
    assert all(words in text for words in ("of others", "Pasted two", "Begin"))
    for person in people:
        person.fine()
