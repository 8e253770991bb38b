"""The Markdown of a page beside its text: what is edited there comes into the page by blocks."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import held
from tests.browser.test_workbench_editor import (
    drafted,
    edited,
    editing,
    read,
    said,
    saved,
    text_of,
)
from tests.browser.workbench import (
    ADA,
    EVERY_KIND,
    Graph,
    fine_both_ways,
    graph,
    page_of,
    sessions,
    signed_in,
)

# Fixtures of the other stories.
__all__ = ["graph", "sessions", "signed_in"]


def blocks_of(signed_in: Any, graph: Graph, title: str, *texts: str) -> Any:
    """Ada, who edits a page of these paragraphs, as `edited` has it."""
    space = graph.space(title)
    graph.apply(space, page_of(title, "\n\n".join(texts)))
    change = drafted(graph, space, title)
    there = read(graph, space, title.lower())
    ada = signed_in(ADA)
    ada.go(editing(space, change["number"], there))
    expect(text_of(ada.page)).to_contain_text(texts[-1])
    return ada, space, change, there


def markdown_of(page: Page) -> Any:
    return page.get_by_role("textbox", name="Markdown of the page")


def opened(page: Page, containing: str) -> Any:
    page.get_by_role("button", name="Markdown", exact=True).click()
    field = markdown_of(page)
    expect(field).to_have_value(re.compile(re.escape(containing)))
    return field


def replaced(field: Any, old: str, new: str) -> None:
    value = field.input_value()
    assert old in value
    field.fill(value.replace(old, new))


def apply(page: Page) -> None:
    page.get_by_role("button", name="Apply to the page").click()
    expect(page.get_by_text("It is in the page.")).to_be_visible()
    saved(page)


def test_only_the_blocks_that_changed(signed_in: Any, graph: Graph) -> None:
    """All others are as they were, key by key and letter by letter, whatever they are."""
    space = graph.space("Everything")
    graph.apply(
        space, page_of("Everything", EVERY_KIND.read_text("utf-8") + "\n\nThe last words\n")
    )
    change = drafted(graph, space, "Everything")
    there = read(graph, space, "everything")
    ada = signed_in(ADA)
    page = ada.page
    ada.go(editing(space, change["number"], there))
    field = opened(page, "The last words")
    sent: list[str] = []
    page.on(
        "request",
        lambda one: "EditContent" in (one.post_data or "") and sent.append(one.post_data or ""),
    )
    replaced(field, "The last words", "The very last words\n\n## New heading")
    expect(page.get_by_text("Not in the page yet.")).to_be_visible()
    # With the keys of the field itself.
    field.press("Control+Enter")
    expect(page.get_by_text("It is in the page.")).to_be_visible()
    expect(text_of(page)).to_contain_text("The very last words")
    saved(page)
    before = there["document"]["nodes"]
    after = read(graph, space, "everything", change["id"])["document"]["nodes"]
    assert after[: len(before) - 1] == before[:-1]
    assert after[len(before) - 1]["key"] == before[-1]["key"]
    assert [said(block) for block in after[len(before) - 1 :]] == [
        "The very last words",
        "New heading",
    ]
    # One write, of that block and the new one alone.
    assert len(sent) == 1
    assert sent[0].count('"replace":') == sent[0].count('"insert":') == 1
    assert '"expectedRevision"' in sent[0]
    # What is said already is no change.
    revision = read(graph, space, "everything", change["id"])["revision"]
    expect(field).to_have_value(re.compile("## New heading"))
    value = field.input_value()
    field.fill(value + "\n")
    page.get_by_role("button", name="Apply to the page").click()
    expect(
        page.get_by_text(re.compile("It is in the page|It says what the page has"))
    ).to_be_visible()
    saved(page)
    assert read(graph, space, "everything", change["id"])["revision"] == revision
    ada.fine()


def test_the_title_in_the_markdown_is_that_of_the_page(signed_in: Any, graph: Graph) -> None:
    ada, space, change, _ = edited(signed_in, graph, "Heading", "Here")
    page = ada.page
    field = opened(page, "# Heading")
    replaced(field, "# Heading", "# Another heading")
    apply(page)
    expect(page.get_by_role("textbox", name="Title of the page")).to_have_value("Another heading")
    stored = read(graph, space, "another-heading", change["id"])
    assert (stored["title"], said(stored["document"])) == ("Another heading", "Here")
    ada.fine()


def test_what_is_not_known_is_said(signed_in: Any, graph: Graph) -> None:
    ada, space, change, _ = blocks_of(signed_in, graph, "Unknown", "First", "Second")
    page = ada.page
    field = opened(page, "Second")
    replaced(field, "Second", "{% hnt style='info' %}\nCareful\n{% endhnt %}")
    page.get_by_role("button", name="Apply to the page").click()
    said_of_it = "2 parts are not known, and stay as written: {% hnt style='info' %}"
    expect(page.get_by_text(said_of_it, exact=False)).to_be_visible()
    saved(page)
    document = read(graph, space, "unknown", change["id"])["document"]
    assert said(document["nodes"][0]) == "First"
    assert any(block["type"] == "markdown" for block in document["nodes"][1:])
    replaced(field, "{% hnt style='info' %}", '{% hint style="info" %}')
    replaced(field, "{% endhnt %}", "{% endhint %}")
    apply(page)
    document = read(graph, space, "unknown", change["id"])["document"]
    assert [block["type"] for block in document["nodes"]] == ["paragraph", "hint"]
    ada.fine()


def test_what_others_save_meanwhile_stays(signed_in: Any, graph: Graph) -> None:
    ada, space, change, there = blocks_of(signed_in, graph, "Meanwhile", "One", "Two", "Three")
    page = ada.page
    keys = [block["key"] for block in there["document"]["nodes"]]
    field = opened(page, "Three")
    replaced(field, "One", "One of mine")
    edits = [
        {"replace": {"key": keys[2], "content": {"markdown": "Three of theirs"}}},
        {"insert": {"content": {"markdown": "Between"}, "place": {"after": keys[0]}}},
        {"delete": {"keys": [keys[1]]}},
    ]
    update = {"updatePage": {"page": there["pageId"], "body": {"edits": edits}}}
    graph.apply(space, update, change=change["id"])
    expect(text_of(page)).to_contain_text("Three of theirs")
    expect(page.get_by_text("The page has changed meanwhile", exact=False)).to_be_visible()
    # What is being typed stays as it is.
    assert "Three of theirs" not in field.input_value()
    apply(page)
    document = read(graph, space, "meanwhile", change["id"])["document"]
    words = ["One of mine", "Between", "Three of theirs"]
    assert [said(block) for block in document["nodes"]] == words
    assert [document["nodes"][at]["key"] for at in (0, 2)] == [keys[0], keys[2]]
    expect(field).to_have_value(re.compile("One of mine\n\nBetween\n\nThree of theirs"))
    ada.fine()


def test_the_same_words_of_both_are_shown(signed_in: Any, graph: Graph) -> None:
    ada, space, change, there = edited(signed_in, graph, "Both", "The old words of it")
    page = ada.page
    field = opened(page, "old words")
    replaced(field, "old", "my own")
    key = there["document"]["nodes"][0]["key"]
    edit = {"replace": {"key": key, "content": {"markdown": "The others' words of it"}}}
    update = {"updatePage": {"page": there["pageId"], "body": {"edits": [edit]}}}
    graph.apply(space, update, change=change["id"])
    expect(text_of(page)).to_contain_text("others'")
    page.get_by_role("button", name="Apply to the page").click()
    expect(
        page.get_by_text("Somebody else has changed the same words.", exact=False)
    ).to_be_visible()
    page.get_by_role("button", name="Keep mine").click()
    saved(page)
    document = read(graph, space, "both", change["id"])["document"]
    assert said(document) == "The my own words of it"
    assert ada.foreign == []


def test_nothing_typed_there_is_lost(signed_in: Any, graph: Graph) -> None:
    """By a reload, without a connection, when it is refused, or when somebody is done."""
    ada, space, change, there = blocks_of(signed_in, graph, "Kept", "First", "Second")
    page = ada.page
    address = editing(space, change["number"], there)
    field = opened(page, "Second")
    replaced(field, "First", "First again")
    # Somebody writes before it is applied, and the tab is loaded anew.
    key = there["document"]["nodes"][1]["key"]
    edit = {"replace": {"key": key, "content": {"markdown": "Second of theirs"}}}
    update = {"updatePage": {"page": there["pageId"], "body": {"edits": [edit]}}}
    graph.apply(space, update, change=change["id"])
    ada.go(address)
    expect(field).to_have_value(re.compile("First again\n\nSecond\n"))
    expect(page.get_by_text("This was typed before and not applied.", exact=False)).to_be_visible()
    apply(page)
    document = read(graph, space, "kept", change["id"])["document"]
    assert [said(block) for block in document["nodes"]] == ["First again", "Second of theirs"]
    page.reload()
    expect(text_of(page)).to_contain_text("First again")
    expect(field).to_have_count(0)

    field = opened(page, "First again")
    ada.context.set_offline(True)
    replaced(field, "again", "offline")
    page.get_by_role("button", name="Apply to the page").click()
    expect(
        page.get_by_role("region", name="Markdown of the page").get_by_role("alert")
    ).to_contain_text("stays here")
    expect(field).to_have_value(re.compile("First offline"))
    ada.context.set_offline(False)
    apply(page)

    # What is refused is said in words, and stays.
    replaced(field, "Second of theirs", "[run](javascript:run)")
    page.get_by_role("button", name="Done").click()
    alert = page.get_by_role("region", name="Markdown of the page").get_by_role("alert")
    expect(alert).to_contain_text("run")
    expect(field).to_have_value(re.compile("javascript:run"))
    field.fill("---\ndescription: x\n---\n" + field.input_value())
    page.get_by_role("button", name="Apply to the page").click()
    expect(alert).to_contain_text("the page has these fields elsewhere")
    page.get_by_role("button", name="Discard").click()
    expect(field).to_have_value(re.compile("First offline\n\nSecond of theirs"))
    # Whoever is done has it in the page.
    replaced(field, "First offline", "First and last")
    page.get_by_role("button", name="Done").click()
    expect(page.get_by_role("heading", level=1, name="Kept", exact=True)).to_be_visible()
    document = read(graph, space, "kept", change["id"])["document"]
    assert [said(block) for block in document["nodes"]] == ["First and last", "Second of theirs"]
    assert ada.foreign == []


def test_typing_goes_on_while_it_is_applied(signed_in: Any, graph: Graph) -> None:
    """While the page is saved, and before it is read again: nothing is lost or comes twice."""
    ada, space, change, _ = blocks_of(signed_in, graph, "Going", "First", "Second")
    page = ada.page
    field = opened(page, "Second")

    def typed(words: str) -> None:
        field.press("Control+End")
        page.keyboard.type(words)

    typed("\nThird\n")
    with held(page, "EditContent") as saving:
        field.press("Control+Enter")
        saving.wait()
        typed("\nFourth\n")
    saved(page)
    expect(page.get_by_text("Not in the page yet.")).to_be_visible()
    assert field.input_value().endswith("Third\n\nFourth\n")
    with held(page, "MarkdownOfPage"):
        field.press("Control+Enter")
        expect(page.get_by_text("It is in the page.")).to_be_visible()
        replaced(field, "Third", "Third and more")
        typed("\nFifth\n")
    apply(page)
    expect(field).to_have_value(re.compile("Third and more\n\nFourth\n\nFifth\n"))
    document = read(graph, space, "going", change["id"])["document"]
    words = ["First", "Second", "Third and more", "Fourth", "Fifth"]
    assert [said(block) for block in document["nodes"]] == words
    ada.fine()


def test_what_is_hidden_comes_into_the_page_when_somebody_is_done(
    signed_in: Any, graph: Graph
) -> None:
    ada, space, change, _ = blocks_of(signed_in, graph, "Hidden", "First", "Second")
    page = ada.page
    field = opened(page, "Second")
    replaced(field, "Second", "[run](javascript:run)")
    button = page.get_by_role("button", name="Markdown", exact=True)
    button.click()
    expect(field).to_have_count(0)
    # What is refused is shown again.
    page.get_by_role("button", name="Done").click()
    expect(page.get_by_role("region", name="Markdown of the page")).to_contain_text("run")
    replaced(field, "[run](javascript:run)", "Second again")
    button.click()
    page.get_by_role("button", name="Done").dblclick()
    expect(page.get_by_role("button", name="Edit", exact=True)).to_be_visible()
    document = read(graph, space, "hidden", change["id"])["document"]
    assert [said(block) for block in document["nodes"]] == ["First", "Second again"]
    # Done once, however often it was pressed.
    page.go_back()
    expect(text_of(page)).to_contain_text("Second again")
    # Whoever closes it goes on in the text.
    opened(page, "Second again")
    page.get_by_role("button", name="Close", exact=True).click()
    expect(text_of(page)).to_be_focused()
    assert ada.foreign == []


def test_it_is_live_where_the_space_is(signed_in: Any, graph: Graph) -> None:
    mutation = "mutation ($id: ID!) { updateSpace(id: $id, input: { editMode: LIVE }) { id } }"
    space = graph.space("Live words")
    graph(mutation, id=space)
    graph.apply(space, page_of("Live", "Here"))
    there = read(graph, space, "live")
    ada = signed_in(ADA)
    page = ada.page
    ada.go(f"/s/{space}/live?edit={there['pageId']}")
    expect(text_of(page)).to_contain_text("Here")
    field = opened(page, "Here")
    replaced(field, "Here", "Here, *at once*")
    apply(page)
    assert said(read(graph, space, "live")["document"]) == "Here, at once"
    # It goes on where the text is edited: both are one page.
    text_of(page).focus()
    page.keyboard.press("Control+End")
    page.keyboard.type(" and on")
    saved(page)
    expect(field).to_have_value(re.compile("at once.* and on"))
    ada.fine()


@pytest.mark.parametrize("locale", ["en", "de"])
def test_it_is_for_everybody(
    signed_in: Any, graph: Graph, axe: str, artifacts: Path, locale: str
) -> None:
    title = f"Beside{locale}"
    space = graph.space(title)
    graph.apply(
        space, page_of(title, "One\n\n> Said\n\n| A |\n| --- |\n| mast |\n" + "\n\nMore" * 30)
    )
    change = drafted(graph, space, title)
    ada = signed_in(ADA)
    page = ada.page
    page.add_init_script(f"localStorage.setItem('docstead-language', '{locale}')")
    ada.go(editing(space, change["number"], read(graph, space, title.lower())))
    text = page.locator(".ProseMirror")
    expect(text).to_contain_text("mast")
    page.get_by_role("button", name="Markdown", exact=True).click()
    field = page.locator("textarea")
    expect(field).to_have_value(re.compile("mast"))
    field.fill("---\na: b\n---\n" + field.input_value())
    field.press("Control+Enter")
    expect(page.get_by_role("alert")).to_be_visible()
    field.evaluate("field => field.scrollTo(0, 0)")
    fine_both_ways(page, axe, "markdown", artifacts / f"workbench-markdown-{locale}")
    # By keys: from the field to the text, and from the text to the tools.
    field.focus()
    page.keyboard.press("Escape")
    expect(text).to_be_focused()
    ada.fine()
