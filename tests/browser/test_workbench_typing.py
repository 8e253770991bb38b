"""Typing that something comes between: input methods, others in the same words, tabs that end."""

import time
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import wait_until
from tests.browser.test_workbench_editor import editing, paste, read, said, saved, text_of
from tests.browser.test_workbench_together import opened
from tests.browser.workbench import ADA, CHIDI, Graph, graph, sessions, signed_in

# Fixtures of the other stories.
__all__ = ["graph", "sessions", "signed_in"]

# What input methods show one after the other, and what becomes of it.
COMPOSED: dict[str, list[tuple[tuple[str, ...], str]]] = {
    "Korean": [(("ㅎ", "하", "한"), "한"), (("ㄱ", "그", "글"), "글"), (("ㅇ", "으", "은"), "은")],
    "Japanese": [(("k", "か", "かn", "かんj", "かんじ", "漢字"), "漢字"), (("w", "を"), "を")],
    "Chinese": [(("c", "ch", "chao", "chao xi", "潮汐"), "潮汐"), (("biao",), "表")],
    "Vietnamese": [(("t", "ti", "tiê", "tiêng", "tiếng"), "tiếng")],
    "dead keys": [(("´",), "é"), (("^",), "ô")],
}
LOSE_ENDS = """() => addEventListener(
  'compositionend', (event) => event.stopImmediatePropagation(), { capture: true })"""


class Keys:
    """An input method over the protocol of the browser."""

    def __init__(self, page: Page) -> None:
        self.session = page.context.new_cdp_session(page)

    def compose(self, text: str) -> None:
        at = {"text": text, "selectionStart": len(text), "selectionEnd": len(text)}
        self.session.send("Input.imeSetComposition", at)

    def commit(self, text: str) -> None:
        self.session.send("Input.insertText", {"text": text})


def replaced(graph: Graph, space: str, change: Any, page: Any, key: str, words: str) -> None:
    edit = {"replace": {"key": key, "content": {"markdown": words}}}
    update = {"updatePage": {"page": page["pageId"], "body": {"edits": [edit]}}}
    graph.apply(space, update, change=change["id"])


@pytest.mark.parametrize("language", COMPOSED)
def test_letters_that_are_composed_while_others_write(
    signed_in: Any, graph: Graph, language: str
) -> None:
    title = f"Typed{language}".replace(" ", "")
    (ada,), space, change, there = opened(signed_in, graph, title, "Said: \n\nOther", ADA)
    path = title.lower()
    page, keys = ada.page, Keys(ada.page)
    text_of(page).get_by_text("Said:").click()
    page.keyboard.press("End")
    page.keyboard.type(" ")
    first, second = there["document"]["nodes"]
    for number, (steps, result) in enumerate(COMPOSED[language]):
        for step in steps:
            keys.compose(step)
        # In the same text and in another one, while the letters are not there yet.
        with ada.received(f"words {number}"):
            replaced(graph, space, change, there, second["key"], f"Other words {number}")
        expect(text_of(page)).not_to_contain_text(f"words {number}")
        expect(text_of(page)).to_contain_text(steps[-1])
        keys.commit(result)
        expect(text_of(page)).to_contain_text(f"words {number}")
    whole = "".join(result for _, result in COMPOSED[language])
    page.keyboard.type(" end")
    expect(text_of(page).locator("> p").first).to_have_text(f"Said: {whole} end")
    saved(page)
    document = read(graph, space, path, change["id"])["document"]
    assert said(document["nodes"][0]) == f"Said: {whole} end"
    assert first["key"] == document["nodes"][0]["key"]


AT_ONCE = """() => {
  const [, second] = document.querySelectorAll('.ProseMirror > p');
  getSelection().collapse(second.firstChild, 4);
  const key = { key: 'Enter', keyCode: 13, bubbles: true, cancelable: true };
  second.dispatchEvent(new KeyboardEvent('keydown', key));
}"""


def test_a_key_at_once_behind_one_that_moves_the_caret(signed_in: Any, graph: Graph) -> None:
    """Browsers say in a later task that the caret has moved; macros and dictation do not wait."""
    (ada,), space, change, _ = opened(signed_in, graph, "AtOnce", "First\n\nOne two", ADA)
    page = ada.page
    text_of(page).get_by_text("First").click()
    page.keyboard.press("End")
    page.evaluate(AT_ONCE)
    expect(text_of(page).locator("> p")).to_have_text(["First", "One ", "two"])
    saved(page)
    nodes = read(graph, space, "atonce", change["id"])["document"]["nodes"]
    assert [said(node) for node in nodes] == ["First", "One ", "two"]


@pytest.mark.parametrize("how", ["blur", "lost"])
def test_what_is_composed_ends_in_another_way(signed_in: Any, graph: Graph, how: str) -> None:
    """The focus goes elsewhere in the middle of a letter, or the browser never says so."""
    title = f"Ended{how}"
    (ada,), space, change, there = opened(signed_in, graph, title, "Said\n\nOther", ADA)
    page, keys = ada.page, Keys(ada.page)
    if how == "lost":
        page.evaluate(LOSE_ENDS)
    text_of(page).get_by_text("Said").click()
    page.keyboard.press("End")
    for step in ("に", "にほ", "にほん"):
        keys.compose(step)
    with ada.received("Other words"):
        replaced(graph, space, change, there, there["document"]["nodes"][1]["key"], "Other words")
    expect(text_of(page)).not_to_contain_text("words")
    if how == "blur":
        page.get_by_role("textbox", name="Title of the page").click()
    else:
        keys.commit("日本")
        page.keyboard.type(" on")
    expect(text_of(page)).to_contain_text("Other words")
    saved(page)
    document = read(graph, space, title.lower(), change["id"])["document"]
    assert said(document["nodes"][0]) == ("Saidにほん" if how == "blur" else "Said日本 on")


@pytest.mark.parametrize("meddled", [False, True])
@pytest.mark.parametrize("stored", [True, False])
def test_a_tab_that_ends_before_the_answer(
    signed_in: Any, graph: Graph, stored: bool, meddled: bool
) -> None:
    """The server has it, or has not; no answer comes, and more is typed. It is there once."""
    title = f"Ends{stored}{meddled}"
    (ada,), space, change, there = opened(signed_in, graph, title, "Before", ADA)
    path = title.lower()
    page = ada.page
    arrived: list[str] = []

    def hold(route: Route) -> None:
        # Nothing comes back: the connection hangs until the tab is closed, or there is none.
        if "EditContent" not in (route.request.post_data or ""):
            route.continue_()
        else:
            if stored:
                route.fetch()
            else:
                route.abort()
            arrived.append(route.request.headers["idempotency-key"])

    page.route("**/graphql", hold)
    text_of(page).get_by_text("Before").click()
    page.keyboard.press("End")
    page.keyboard.type(" sent")
    page.keyboard.press("Enter")
    page.keyboard.type("a new one")
    page.keyboard.press("Control+s")
    for _ in range(1_000):
        if arrived:
            break
        page.wait_for_timeout(50)
    assert len(set(arrived)) == 1
    page.keyboard.type(" and more")
    wait_until(page, "Object.values(localStorage).some((kept) => kept.includes(' and more'))")
    page.close()
    now = read(graph, space, path, change["id"])["document"]["nodes"]
    assert len(now) == (2 if stored else 1)
    if meddled:
        replaced(graph, space, change, there, now[0]["key"], f"Theirs {said(now[0])}")
    ada.page = page = ada.context.new_page()
    ada.go(editing(space, change["number"], there))
    expect(page.get_by_text("Text was typed here and not saved.", exact=False)).to_be_visible()
    page.get_by_role("button", name="Take it in").click()
    first = "Theirs Before sent" if meddled else "Before sent"
    expect(text_of(page).locator("> p")).to_have_text([first, "a new one and more"])
    saved(page)
    document = read(graph, space, path, change["id"])["document"]
    assert [said(block) for block in document["nodes"]] == [first, "a new one and more"]
    page.reload()
    expect(text_of(page)).to_contain_text("and more")
    expect(page.get_by_text("Text was typed here and not saved.", exact=False)).to_have_count(0)


def test_both_do_the_same_at_once(signed_in: Any, graph: Graph) -> None:
    """Splitting, joining, headings, lists, a new block: what both do is done once."""
    markdown = "The tide is high\n\nFirst\n\nsecond\n\nTitle\n\nthing\n\nlast"
    people, space, change, _ = opened(signed_in, graph, "Same", markdown, ADA, CHIDI)
    for person in people:
        person.context.set_offline(True)
    for person, words in zip(people, (" of Ada", " of Chidi"), strict=True):
        page, text = person.page, text_of(person.page)
        text.get_by_text("Title", exact=True).click()
        page.keyboard.press("Control+Alt+2")
        text.get_by_text("thing", exact=True).click()
        page.keyboard.press("Home")
        page.keyboard.type("- ")
        text.get_by_text("second", exact=True).click()
        page.keyboard.press("Home")
        page.keyboard.press("Backspace")
        text.get_by_text("last", exact=True).click()
        page.keyboard.press("End")
        page.keyboard.type(" /divider")
        page.keyboard.press("Enter")
        text.get_by_text("The tide is high", exact=True).click()
        page.keyboard.press("Home")
        for _ in range(len("The tide ")):
            page.keyboard.press("ArrowRight", delay=30)
        page.wait_for_timeout(200)
        page.keyboard.press("Enter")
        page.keyboard.press("End")
        page.keyboard.type(words)
    for person in people:
        person.context.set_offline(False)
        saved(person.page)
    for person in people:
        text = text_of(person.page)
        expect(text.locator("> p").first).to_have_text("The tide ")
        expect(text.locator("> p").nth(1)).to_have_text("is high of Ada of Chidi")
        expect(text.locator("> p").nth(2)).to_have_text("Firstsecond")
        expect(text.locator("h3")).to_have_text(["Title"])
        expect(text.locator("li")).to_have_text(["thing"])
        expect(text.locator("hr")).to_have_count(1)
        saved(person.page)
        # The caret is where it was: what is typed next goes on there.
        person.page.keyboard.type("!")
    saved(people[0].page)
    saved(people[1].page)
    document = read(graph, space, "same", change["id"])["document"]
    assert said(document["nodes"][1]).count("is high") == 1
    assert said(document["nodes"][1]).count("!") == 2
    kinds = [block["type"] for block in document["nodes"]]
    assert kinds[:5] == [*["paragraph"] * 3, "heading-2", "list-unordered"]
    assert kinds.count("divider") == 1


def test_a_form_of_a_block_while_others_write_before_it(signed_in: Any, graph: Graph) -> None:
    markdown = "One and more\n\n$$\na^2\n$$\n\n$$\nb^2\n$$\n\nLast"
    (ada,), space, change, there = opened(signed_in, graph, "Formulas", markdown, ADA)
    page = ada.page
    page.get_by_role("button", name="Edit: Formula").last.click()
    page.get_by_role("textbox", name="Formula").fill("c^2")
    key = there["document"]["nodes"][0]["key"]
    place = {"insert": {"content": {"markdown": "Theirs\n\nand theirs"}, "place": {"after": key}}}
    update = {"updatePage": {"page": there["pageId"], "body": {"edits": [place]}}}
    graph.apply(space, update, change=change["id"])
    expect(text_of(page)).to_contain_text("and theirs")
    page.get_by_role("button", name="Apply").click()
    saved(page)
    document = read(graph, space, "formulas", change["id"])["document"]
    formulas = [one["data"]["formula"] for one in document["nodes"] if one["type"] == "math"]
    assert formulas == ["a^2", "c^2"]


# As Word writes it: a frame, styles in each paragraph, elements of its own.
OF_WORD = "".join(
    f"<p class=MsoNormal style='margin:0cm;line-height:normal'><b style='font-size:12.0pt'>Line "
    f"{number}</b><span lang=EN-US style='font-size:12.0pt'> of Word<o:p></o:p></span></p>\n"
    for number in range(1_200)
)
WORD = (
    f"<html><head><style>p {{ margin: 0 }}</style></head><body><div>{OF_WORD}</div></body></html>"
)
PLAIN = "\n".join(f"Line {number} of Word" for number in range(2_200))


@pytest.mark.parametrize("kind", ["text/html", "text/plain"])
def test_letters_that_are_composed_while_much_is_pasted(
    signed_in: Any, graph: Graph, kind: str
) -> None:
    """Nothing comes as long as letters are composed; then all of it does, and others' words."""
    title = f"Pasted{kind[5:]}"
    (ada,), space, change, there = opened(signed_in, graph, title, "Said: \n\nOther", ADA)
    page, keys = ada.page, Keys(ada.page)
    count = 1_200 if kind == "text/html" else 2_200
    text_of(page).get_by_text("Said:").click()
    page.keyboard.press("End")
    page.keyboard.type(" ")
    paste(page, kind, WORD if kind == "text/html" else PLAIN)
    for step in ("に", "にほ", "にほん"):
        keys.compose(step)
    with ada.received("Other words"):
        key = there["document"]["nodes"][1]["key"]
        replaced(graph, space, change, there, key, "Other words")
    before = text_of(page).locator("> *").count()
    expect(text_of(page)).to_contain_text("にほん")
    page.wait_for_timeout(300)
    assert text_of(page).locator("> *").count() == before
    keys.commit("日本")
    page.keyboard.type(" on")
    blocks = text_of(page).locator("> p")
    expect(blocks).to_have_count(count + 1)
    expect(blocks.last).to_have_text("Other words")
    saved(page)
    nodes = read(graph, space, title.lower(), change["id"])["document"]["nodes"]
    words = [said(node) for node in nodes]
    lines = [f"Line {number} of Word" for number in range(count)]
    lines = [f"Said: {lines[0]}", *lines[1:-1], f"{lines[-1]}日本 on", "Other words"]
    assert words == lines
    if kind == "text/html":
        bold = [leaf for leaf in nodes[600]["nodes"][0]["leaves"] if leaf["marks"]]
        assert [leaf["text"] for leaf in bold] == ["Line 600"]


def test_whoever_leaves_while_much_is_pasted_keeps_it(signed_in: Any, graph: Graph) -> None:
    """One step takes it away; a page that is left at once has all of it."""
    (ada,), space, change, _ = opened(signed_in, graph, "Leaving", "Begin", ADA)
    page = ada.page
    text_of(page).click()
    page.keyboard.press("Control+End")
    paste(page, "text/html", WORD)
    expect(text_of(page).locator("> p")).to_have_count(1_200)
    page.keyboard.press("Control+z")
    expect(text_of(page)).to_have_text("Begin")
    paste(page, "text/html", WORD)
    page.evaluate("history.pushState(null, '', '/nowhere')")
    expect(text_of(page)).to_have_count(0)
    wait_until_said(graph, space, "leaving", change["id"], "Line 1199 of Word")
    nodes = read(graph, space, "leaving", change["id"])["document"]["nodes"]
    assert [said(node) for node in nodes][1:] == [
        f"Line {number} of Word" for number in range(1, 1_200)
    ]
    ada.fine()


def wait_until_said(graph: Graph, space: str, path: str, change: str, words: str) -> None:
    for _ in range(300):
        if words in said(read(graph, space, path, change)["document"]):
            return
        time.sleep(0.2)
    raise AssertionError(words)
