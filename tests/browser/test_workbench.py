"""The Workbench in a browser: two people, all that it shows, and what it does not lose."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Route, expect

from tests.browser.conftest import Shown, findings, wait_until
from tests.browser.workbench import (
    ADA,
    CHIDI,
    EVERY_KIND,
    NARROW,
    Graph,
    graph,
    look_at,
    page_of,
    sessions,
    signed_in,
)

# Fixtures of all that is about the Workbench.
__all__ = ["graph", "sessions", "signed_in"]

# More than any window shows.
MANY = 300
FAR = "Line\n\n" * 60


def test_every_view_is_accessible_and_fits(
    signed_in: Any, graph: Graph, axe: str, artifacts: Path
) -> None:
    ada = signed_in(ADA)
    space = graph.space("Every view")
    graph.apply(
        space, page_of("Everything", EVERY_KIND.read_text("utf-8")), page_of("Other", "One\n\nTwo")
    )
    query = "mutation ($id: ID!, $input: CreateChangeRequestInput!) { createChangeRequest(spaceId: $id, input: $input) { id } }"  # noqa: E501
    change = graph(query, id=space, input={"subject": "Say more"})["createChangeRequest"]["id"]
    other = graph(
        'query ($id: ID!) { space(id: $id) { pageByPath(path: "other") { pageId }'
        " revision { id } } }",
        id=space,
    )
    page_id, revision = other["space"]["pageByPath"]["pageId"], other["space"]["revision"]["id"]
    edit = {
        "updatePage": {
            "page": page_id,
            "title": "Others",
            "body": {"markdown": "One\n\nTwo and three"},
        }
    }
    graph.apply(space, edit, page_of("New", "## Here\n\nA new page"), change=change)
    comment = "mutation ($id: ID!, $change: ID, $input: PostCommentInput!) { postComment(spaceId: $id, changeRequestId: $change, input: $input) { id } }"  # noqa: E501
    graph(comment, id=space, change=change, input={"body": {"markdown": "Is **this** enough?"}})
    views = {
        "home": ("/", "My work"),
        "organization": (f"/o/{graph.organization}", "Kelpline"),
        "page": (f"/s/{space}/everything", "Everything"),
        "changes": (f"/s/{space}/~/changes?status=draft", "Change requests"),
        "change": (f"/s/{space}/~/changes/1", "Say more"),
        "difference": (f"/s/{space}/~/changes/1?tab=changes", "Say more"),
        "change-page": (f"/s/{space}/~/changes/1/other", "Others"),
        "history": (f"/s/{space}/~/revisions", "History"),
        "revision": (f"/s/{space}/~/revisions/{revision}", "Edited"),
        "links": (f"/s/{space}/~/links", "Broken links"),
    }
    for name, (path, title) in views.items():
        look_at(ada, path, title, name, axe, artifacts)
    ada.fine()


def test_every_kind_of_block_is_shown(signed_in: Any, graph: Graph) -> None:
    space = graph.space("Blocks")
    markdown = EVERY_KIND.read_text("utf-8")
    graph.apply(space, page_of("Everything", markdown))
    query = 'query ($id: ID!) { space(id: $id) { pageByPath(path: "everything") { ... on DocumentPage { document } } } }'  # noqa: E501
    document = graph(query, id=space)["space"]["pageByPath"]["document"]
    ada = signed_in(ADA)
    ada.go(f"/s/{space}/everything")
    article = ada.page.get_by_role("article")
    expect(article.get_by_role("heading", level=1)).to_have_text("Everything")
    # All that is written, but in parts that are closed, is there to be read.
    shown = article.evaluate("element => element.textContent")
    for words in set(texts_of(document)):
        assert words in shown, words
    # Formulas are loaded and drawn; a block of no known type is shown as what it is.
    expect(article.locator("math").first).to_be_attached()
    ada.fine()


def test_no_document_and_no_address_breaks_a_view(signed_in: Any, graph: Graph) -> None:
    space = graph.space("Hard to show")
    reference = {"kind": "reusable-content", "reusableContent": "ref:note"}
    said = {
        "object": "block", "type": "paragraph", "isVoid": False, "data": {},
        "nodes": [{"object": "text", "leaves": [{"object": "leaf", "text": "Said", "marks": []}]}],
    }  # fmt: skip
    itself = {
        "object": "block",
        "type": "reusable-content",
        "isVoid": True,
        "data": {"ref": reference},
    }
    document = {"object": "document", "data": {"schemaVersion": 1}, "nodes": [said, itself]}
    stars = '<table><thead><tr><th data-type="rating" data-max="5">R</th></tr></thead><tbody><tr><td>-3</td></tr></tbody></table>'  # noqa: E501
    graph.apply(
        space,
        {"createReusableContent": {"ref": "note", "title": "Note", "body": {"document": document}}},
        {"createPage": {"type": "DOCUMENT", "title": "Holds", "body": {"document": document}}},
        page_of("Rated", f"{stars}\n\n{FAR}\n\n## Down\n\nThere"),
    )
    ada = signed_in(ADA)
    page = ada.page
    # A reusable content that holds itself is shown once: the page's own paragraph, and its.
    ada.go(f"/s/{space}/holds")
    expect(page.get_by_role("article").get_by_text("Said", exact=True)).to_have_count(2)
    # A fragment that encodes nothing, and a rating below nothing.
    ada.go(f"/s/{space}/rated#100%")
    expect(page.get_by_role("img", name="0 of 5")).to_be_visible()
    # The same page with another fragment: nothing is loaded, and its heading is gone to.
    ada.go(f"/s/{space}/rated#down")
    expect(page.get_by_role("heading", name="Down")).to_be_in_viewport()
    # The title is a place of its page, and spellings do not matter.
    ada.go(f"/s/{space}/rated#rated")
    expect(page.get_by_role("heading", name="Rated")).to_be_in_viewport()
    ada.go(f"/s/{space}/rated#D_own")
    expect(page.get_by_role("heading", name="Down")).to_be_in_viewport()
    # Links of a comment lead somewhere; two presses of its keys are one comment.
    query = "mutation ($id: ID!, $input: CreateChangeRequestInput!) { createChangeRequest(spaceId: $id, input: $input) { id } }"  # noqa: E501
    graph(query, id=space, input={"subject": "Talk"})
    ada.go(f"/s/{space}/~/changes/1")
    box = page.get_by_role("textbox", name="Comment")
    box.fill("See [it](https://elsewhere.example/x)")
    box.press("Control+Enter")
    box.press("Control+Enter")
    expect(page.get_by_role("link", name="it", exact=True)).to_have_attribute(
        "href", "https://elsewhere.example/x"
    )
    expect(box).to_have_value("")
    expect(page.get_by_role("button", name="Add a reaction")).to_have_count(1)
    ada.fine()


def texts_of(node: Any) -> Iterator[str]:
    """Texts of leaves outside of tabs that are not shown and of notes, which are opened first."""
    for leaf in node.get("leaves", ()):
        if leaf["text"].strip():
            yield leaf["text"].strip()
    children = [*node.get("nodes", ()), *node.get("fragments", ())]
    if node.get("type") == "tabs":
        children = children[:1]
    for child in children:
        if child.get("type") != "annotation-body":
            yield from texts_of(child)


def test_two_people_review_and_merge(signed_in: Any, graph: Graph) -> None:
    space = graph.space("Shared work")
    graph.apply(space, page_of("Guide", "## Keys\n\nHold the key down for two seconds."))
    ada, chidi = signed_in(ADA), signed_in(CHIDI, home=True)
    subject = f"Say how long, {space[-6:]}"

    # Ada begins a change request; what she writes in it comes from another client.
    ada.go(f"/s/{space}/~/changes")
    ada.page.get_by_role("button", name="New change request").click()
    ada.page.get_by_label("Subject").fill(subject)
    ada.page.get_by_role("button", name="Create").click()
    expect(ada.page.get_by_role("heading", level=1)).to_have_text(subject)
    query = 'query ($id: ID!) { space(id: $id) { changeRequest(id: "1") { id } pageByPath(path: "guide") { pageId } } }'  # noqa: E501
    there = graph(query, id=space)["space"]
    body = {"markdown": "## Keys\n\nHold the key down for five seconds."}
    edit = {"updatePage": {"page": there["pageByPath"]["pageId"], "body": body}}
    graph.apply(space, edit, change=there["changeRequest"]["id"])

    # She describes it and asks Chidi, who sees it at once, without a reload.
    ada.page.get_by_role("button", name="Describe").click()
    ada.page.get_by_label("Description").fill("Two seconds are not enough.")
    ada.page.get_by_role("button", name="Save").click()
    expect(ada.page.get_by_text("Two seconds are not enough.")).to_be_visible()
    expect(chidi.page.get_by_role("link", name=subject)).to_have_count(0)
    ada.page.get_by_role("combobox", name="Ask for a review").fill("Chidi")
    ada.page.get_by_role("option", name="Chidi Marais").click()
    expect(ada.page.get_by_text("Was asked")).to_be_visible()
    chidi.page.get_by_role("link", name=subject).click()
    expect(chidi.page.get_by_role("heading", level=1)).to_have_text(subject)

    # He looks at what has changed, word by word, and asks about a block.
    chidi.page.get_by_role("link", name="Changes", exact=True).click()
    expect(chidi.page.locator("del", has_text="two")).to_be_visible()
    expect(chidi.page.locator("ins", has_text="five")).to_be_visible()
    chidi.page.get_by_role("radio", name="Side by side").click()
    expect(chidi.page.get_by_role("heading", name="Before")).to_be_visible()
    chidi.page.get_by_role("button", name=re.compile("^Comment (?!on)")).click()
    chidi.page.get_by_label("Comment on this block").fill("Five, or more?")
    chidi.page.get_by_role("button", name="Post comment").click()
    comment = ada.page.get_by_role("article", name="Comment by Chidi Marais")
    expect(comment).to_contain_text("Five, or more?")

    # Ada answers and reacts; Chidi approves; Ada sees it and merges.
    comment.get_by_label("Reply").fill("Five, I measured it.")
    comment.get_by_role("button", name="Reply").click()
    expect(comment.get_by_text("Five, I measured it.", exact=True)).to_be_visible()
    comment.get_by_role("button", name="Add a reaction").first.click()
    ada.page.get_by_role("button", name="Thumbs up").click()
    expect(comment.locator("button[aria-pressed=true]")).to_be_visible()
    chidi.page.get_by_role("link", name="Conversation").click()
    expect(chidi.page.get_by_text("Five, I measured it.", exact=True)).to_be_visible()
    chidi.page.get_by_role("button", name="Give a review").click()
    chidi.page.get_by_role("button", name="Approve").click()
    expect(ada.page.get_by_text("Approved")).to_be_visible()
    comment.get_by_role("button", name="Resolve").click()
    expect(comment.get_by_text("Resolved")).to_be_visible()

    # A reader has the page open when it is merged.
    chidi.go(f"/s/{space}/guide")
    expect(chidi.page.get_by_text("for two seconds")).to_be_visible()
    ada.page.get_by_role("button", name="Merge").click()
    ada.page.get_by_role("dialog").get_by_role("button", name="Merge").click()
    expect(ada.page.get_by_text("This change request is merged.")).to_be_visible()
    expect(chidi.page.get_by_text("for five seconds")).to_be_visible()
    chidi.page.keyboard.press("g")
    chidi.page.keyboard.press("r")
    expect(chidi.page.get_by_role("heading", level=1)).to_have_text("History")
    chidi.page.get_by_role("link", name=subject).click()
    expect(chidi.page.locator("ins", has_text="five")).to_be_visible()
    ada.fine()
    chidi.fine()


def test_what_happens_meanwhile_is_there_after_a_lost_connection(
    signed_in: Any, graph: Graph
) -> None:
    space = graph.space("Comes and goes")
    graph.apply(space, page_of("Tides", "Low water"))
    ada = signed_in(ADA)
    page = ada.page
    ada.go(f"/s/{space}/tides")
    expect(page.get_by_text("Low water")).to_be_visible()
    expect(page.get_by_text("Live", exact=True)).to_be_visible()
    ada.context.set_offline(True)
    expect(page.get_by_text("The connection is lost.")).to_be_visible()
    query = 'query ($id: ID!) { space(id: $id) { pageByPath(path: "tides") { pageId } } }'
    there = graph(query, id=space)["space"]["pageByPath"]["pageId"]
    graph.apply(space, {"updatePage": {"page": there, "body": {"markdown": "High water"}}})
    expect(page.get_by_text("Low water")).to_be_visible()
    ada.context.set_offline(False)
    expect(page.get_by_text("High water")).to_be_visible()
    expect(page.get_by_text("Live", exact=True)).to_be_visible()
    ada.fine()


def test_a_large_tree_by_keyboard(signed_in: Any, graph: Graph) -> None:
    space = graph.space("Large")
    pages = [page_of(f"Page {number:04}", f"Text {number}") for number in range(MANY)]
    for begin in range(0, MANY, 100):
        graph.apply(space, *pages[begin : begin + 100])
    graph.apply(space, page_of("Last of all", "The end"))
    query = 'query ($id: ID!) { space(id: $id) { pageByPath(path: "last-of-all") { pageId } } }'
    parent = graph(query, id=space)["space"]["pageByPath"]["pageId"]
    graph.apply(space, page_of("Below", "Deep", parent=parent))
    ada = signed_in(ADA)
    page = ada.page
    waiting: list[Route] = []
    hold = waiting.append
    page.route("**/tree-editing-*.js", lambda route: hold(route))
    ada.go(f"/s/{space}")
    tree = page.get_by_role("treegrid", name="Pages")
    expect(tree.get_by_role("row", name="Page 0000")).to_be_visible()
    assert tree.get_by_role("row").count() < 100, "only what is seen is there"
    tree.get_by_role("row", name="Page 0000").focus()
    page.keyboard.press("End")
    expect(tree.get_by_role("row", name="Last of all")).to_be_focused()
    # Whoever is in the tree stays where they are when it can be changed.
    hold = Route.continue_
    for route in waiting:
        route.continue_()
    expect(tree.get_by_role("button", name="Drag Last of all")).to_be_attached()
    expect(tree.get_by_role("row", name="Last of all")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(tree.get_by_role("row", name="Below")).to_be_visible()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Below")
    # An address of a page opens the tree down to it.
    ada.go(f"/s/{space}/page-0003")
    expect(page.get_by_role("heading", level=1)).to_have_text("Page 0003")
    ada.go(f"/s/{space}/last-of-all/below")
    expect(page.get_by_role("heading", level=1)).to_have_text("Below")
    ada.fine()


# Presses a key at the very moment a view is there, before the browser has painted it.
AT_FIRST_SIGHT = """
new MutationObserver((_, watch) => {
  if (!document.querySelector('h1')) return;
  watch.disconnect();
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '?', bubbles: true }));
}).observe(document, { childList: true, subtree: true });
"""


def test_a_key_pressed_at_first_sight_counts(signed_in: Any) -> None:
    ada = signed_in(ADA)
    ada.page.add_init_script(AT_FIRST_SIGHT)
    ada.go("/")
    expect(ada.page.get_by_role("dialog", name="Keyboard")).to_be_visible()


def test_search_keys_language_and_narrow_screens(signed_in: Any, graph: Graph, axe: str) -> None:
    space = graph.space("Findable")
    graph.apply(space, page_of("Barnacles", "They grow on the gauge."))
    ada = signed_in(ADA, home=True)
    page = ada.page
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard")).to_be_visible()
    assert findings(page, axe) == []
    page.keyboard.press("Escape")
    page.keyboard.press("Control+k")
    expect(page.get_by_role("dialog", name="Search everything")).to_be_visible()
    page.keyboard.type("barnacles")
    expect(page.get_by_role("menuitem", name="Barnacles").first).to_be_visible()
    # While answers come in, the marked one may be of those before.
    wait_until(
        page,
        "() => [...document.querySelectorAll('[aria-activedescendant]')].every("
        "(one) => document.getElementById(one.getAttribute('aria-activedescendant')))",
    )
    assert findings(page, axe) == []
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Barnacles")
    page.set_viewport_size(NARROW)
    page.get_by_role("button", name="Open navigation").click()
    drawer = page.get_by_role("dialog", name="Navigation")
    expect(drawer.get_by_role("link", name="History")).to_be_visible()
    assert findings(page, axe) == []
    drawer.get_by_role("button", name="Ada Okafor").click()
    page.get_by_role("menuitemradio", name="Deutsch").click()
    expect(page.get_by_role("link", name="Verlauf")).to_be_attached()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    # What the library says to screen readers is in that language, too.
    drawer.get_by_role("button", name="Ada Okafor").click()
    expect(page.get_by_role("button", name="Schließen").first).to_be_attached()
    assert page.get_by_role("button", name="Dismiss").count() == 0
    ada.fine()


def test_errors_say_what_to_do(signed_in: Any, sessions: dict[str, Any], graph: Graph) -> None:
    space = graph.space("Errors")
    graph.apply(space, page_of("Here", "Something"))
    ada = signed_in(ADA)
    page = ada.page
    ada.go(f"/s/{space}/no/such/page")
    expect(page.get_by_role("heading", name="There is nothing here")).to_be_visible()
    ada.go("/s/nothing")
    expect(page.get_by_role("heading", name="There is nothing here")).to_be_visible()
    ada.problems.clear()  # The browser notes the status of both addresses.
    query = "mutation ($id: ID!, $input: CreateChangeRequestInput!) { createChangeRequest(spaceId: $id, input: $input) { id } }"  # noqa: E501
    graph(query, id=space, input={"subject": "Kept"})
    ada.go(f"/s/{space}/~/changes/1")
    page.get_by_label("Comment").fill("Typed for a long time")
    # The session ends elsewhere; what was typed stays, and the view says what to do.
    ada.context.clear_cookies()
    page.get_by_role("button", name="Post comment").click()
    expect(page.get_by_text("You are signed out").first).to_be_visible()
    expect(page.get_by_label("Comment")).to_have_value("Typed for a long time")
    page.reload()
    expect(page).to_have_title("Sign in | Docstead")
    ada.context.add_cookies(sessions[ADA]["cookies"])
    ada.go(f"/s/{space}/~/changes/1")
    expect(page.get_by_label("Comment")).to_have_value("Typed for a long time")
    assert ada.foreign == []


def test_without_scripts_there_are_the_simple_pages(
    browser: Browser, sessions: dict[str, Any], graph: Graph, site: Shown
) -> None:
    space = graph.space("Plain")
    graph.apply(space, page_of("First", "Text"))
    context = browser.new_context(java_script_enabled=False, storage_state=sessions[ADA])
    page = context.new_page()
    page.goto(f"{site.base}/s/{space}")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Plain")
    page.get_by_role("link", name="First").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("First")
    context.close()
