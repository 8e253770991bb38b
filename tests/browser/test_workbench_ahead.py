"""What the Workbench has ready before somebody asks for it, and what it does not lose meanwhile."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, Request, Route, expect

from tests.browser.conftest import findings
from tests.browser.test_workbench_editor import edited, paste, read, said, saved, text_of
from tests.browser.test_workbench_markdown import markdown_of, opened
from tests.browser.workbench import (
    ADA,
    NARROW,
    WIDE,
    Graph,
    graph,
    page_of,
    sessions,
    signed_in,
)

# Fixtures of the other stories.
__all__ = ["graph", "sessions", "signed_in"]

SEARCH = "Search everything"
FAILED = "The server is busy"
BUSY = {"errors": [{"message": "later", "extensions": {"code": "UNAVAILABLE"}}], "data": None}


def is_part(name: str) -> Any:
    return lambda request: re.search(rf"/assets/{name}-[^/]*\.js$", request.url) is not None


class Failing:
    """Operations of these names fail until they are let through."""

    def __init__(self, page: Page, *names: str) -> None:
        self.is_on = True
        self.count = 0
        self.names = names
        page.route("**/graphql", self._answer)

    def _answer(self, route: Route) -> None:
        body = route.request.post_data or ""
        if not self.is_on or not any(f" {name}(" in body for name in self.names):
            return route.fallback()
        self.count += 1
        # As an answer that browsers write nothing of into their console.
        return route.fulfill(json=BUSY)


def tried_again(page: Page, failing: Failing, place: Any) -> None:
    """It says that it failed, and finds what was sought when it is tried again."""
    expect(place.get_by_role("alert").get_by_text(FAILED)).to_be_visible()
    failing.is_on = False
    place.get_by_role("button", name="Try again").first.click()
    expect(place.get_by_role("alert")).to_have_count(0)


def test_the_search_is_there_before_it_is_opened(signed_in: Any) -> None:
    ada = signed_in(ADA)
    page = ada.page
    with page.expect_request(is_part("palette")):
        ada.go("/")
    page.wait_for_load_state("networkidle")
    # All that can be opened from here is, and nothing has to be asked for when somebody does.
    asked: list[str] = []
    page.on("request", lambda one: "/assets/" in one.url and asked.append(one.url))
    page.keyboard.press("Control+k")
    expect(page.get_by_role("dialog", name=SEARCH).get_by_role("textbox")).to_be_focused()
    page.keyboard.press("Escape")
    page.keyboard.press("g")
    page.keyboard.press("n")
    expect(page.get_by_role("heading", level=1, name="Notifications")).to_be_visible()
    assert not [url for url in asked if re.search(r"/(?:palette|mine|routes)-", url)]
    ada.fine()


@pytest.mark.parametrize("saving", [{"saveData": True}, {"effectiveType": "2g"}])
def test_whoever_saves_data_loads_nothing_ahead(signed_in: Any, saving: dict[str, Any]) -> None:
    ada = signed_in(ADA)
    page = ada.page
    page.add_init_script(
        f"Object.defineProperty(navigator, 'connection', {{ get: () => ({saving!r}) }});".replace(
            "True", "true"
        )
    )
    parts: list[Request] = []
    page.on("request", lambda one: is_part("palette")(one) and parts.append(one))
    ada.go("/")
    expect(page.get_by_role("heading", level=1, name="My work")).to_be_visible()
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(600)
    assert parts == []
    page.keyboard.press("Control+k")
    expect(page.get_by_role("dialog", name=SEARCH)).to_be_visible()
    expect(page.get_by_role("option").or_(page.get_by_role("menuitem")).first).to_be_visible()
    assert len(parts) == 1
    ada.fine()


def test_what_is_typed_before_the_search_is_loaded_stays(signed_in: Any) -> None:
    ada = signed_in(ADA)
    page = ada.page
    held: list[Route] = []
    page.route("**/palette-*.js", lambda route: held.append(route))
    ada.go("/")
    expect(page.get_by_role("heading", level=1, name="My work")).to_be_visible()
    page.keyboard.press("Control+k")
    field = page.get_by_role("dialog", name=SEARCH).get_by_label(SEARCH)
    expect(field).to_be_focused()
    page.keyboard.type("noti")
    expect(field).to_have_value("noti")
    assert held
    held[0].continue_()
    results = page.get_by_role("dialog").get_by_role("menu", name="Results")
    expect(results).to_be_attached()
    expect(field).to_be_focused()
    page.keyboard.type("fic")
    expect(field).to_have_value("notific")
    expect(results.get_by_role("menuitem", name="Notifications")).to_be_visible()
    ada.fine()


def test_a_search_that_fails_says_so(signed_in: Any, axe: str) -> None:
    ada = signed_in(ADA, home=True)
    page = ada.page
    failing = Failing(page, "SearchEverything")
    page.keyboard.press("Control+k")
    dialog = page.get_by_role("dialog", name=SEARCH)
    page.keyboard.type("tide")
    expect(dialog.get_by_role("alert")).to_be_visible()
    expect(dialog.get_by_text("Searching…")).to_have_count(0)
    for size, scheme in ((WIDE, "light"), (NARROW, "dark")):
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        assert findings(page, axe) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    tried_again(page, failing, dialog)
    expect(dialog.get_by_role("menuitem").first).to_be_visible()
    expect(dialog.get_by_label(SEARCH)).to_be_focused()
    ada.fine()


def test_late_answers_of_former_words_are_not_shown(signed_in: Any, graph: Graph) -> None:
    space = graph.space("Late answers")
    graph.apply(space, page_of("Zephyr", "A west wind"), page_of("Quokka", "An animal"))
    ada = signed_in(ADA, home=True)
    page = ada.page
    held: list[Route] = []

    def hold(route: Route) -> None:
        body = route.request.post_data or ""
        if " SearchEverything(" in body and '"zephyr"' in body:
            held.append(route)
        else:
            route.fallback()

    page.route("**/graphql", hold)
    page.keyboard.press("Control+k")
    field = page.get_by_role("dialog", name=SEARCH).get_by_label(SEARCH)
    with page.expect_request(lambda one: '"zephyr"' in (one.post_data or "")):
        field.fill("zephyr")
    field.fill("quokka")
    results = page.get_by_role("menu", name="Results")
    expect(results.get_by_role("menuitem", name=re.compile("Quokka"))).to_be_visible()
    with page.expect_response(lambda one: '"zephyr"' in (one.request.post_data or "")):
        held[0].continue_()
    page.wait_for_timeout(100)
    expect(results.get_by_role("menuitem", name=re.compile("Zephyr"))).to_have_count(0)
    expect(results.get_by_role("menuitem", name=re.compile("Quokka"))).to_be_visible()
    ada.fine()


def test_the_search_of_a_link_that_fails_says_so(signed_in: Any, graph: Graph, axe: str) -> None:
    ada, _, _, _ = edited(signed_in, graph, "Linking", "Linking words")
    page = ada.page
    text_of(page).click()
    page.keyboard.press("Control+a")
    page.keyboard.press("Control+k")
    failing = Failing(page, "PagesToLink")
    dialog = page.get_by_role("dialog", name="Link", exact=True)
    dialog.get_by_role("textbox").fill("Linking")
    expect(dialog.get_by_role("alert")).to_be_visible()
    assert findings(page, axe) == []
    tried_again(page, failing, dialog)
    expect(dialog.get_by_role("button", name=re.compile("^Linking")).first).to_be_visible()
    expect(dialog.get_by_role("textbox")).to_be_focused()
    dialog.get_by_role("textbox").fill("qqxxqq")
    expect(dialog.get_by_text("Nothing found for “qqxxqq”", exact=False)).to_be_visible()
    ada.fine()


def test_people_who_cannot_be_read_are_told_of(signed_in: Any, graph: Graph, axe: str) -> None:
    space = graph.space("Nobody answers")
    graph.apply(space, page_of("First", "Words"))
    ada = signed_in(ADA)
    page = ada.page
    failing = Failing(page, "PeopleOfSpace", "PeopleOfOrganization", "TeamsOfOrganization")
    ada.go(f"/s/{space}/first")
    page.get_by_role("button", name="Comment on this page").click()
    field = page.get_by_role("main").get_by_role("textbox").last
    field.press_sequentially("To @chi")
    main = page.get_by_role("main")
    expect(main.get_by_role("alert")).to_be_visible()
    assert findings(page, axe) == []
    tried_again(page, failing, main)
    expect(page.get_by_role("listbox", name="People to mention").or_(field)).to_have_count(1)
    # What was typed is there.
    expect(field).to_have_value("To @chi")
    expect(field).to_be_focused()
    field.press_sequentially("d")
    expect(page.get_by_role("option", name=re.compile("Chidi"))).to_be_visible()
    # Choosing somebody for a role.
    failing.is_on = True
    ada.go(f"/s/{space}/~/people")
    page.get_by_role("main").locator("input[role=combobox]").first.fill("chi")
    # In the list, which hides all else while it is open, and beside it.
    expect(page.get_by_role("listbox").get_by_text(FAILED)).to_be_visible()
    page.keyboard.press("Escape")
    expect(main.get_by_role("alert").first).to_be_visible()
    failing.is_on = False
    main.get_by_role("button", name="Try again").first.click()
    expect(main.get_by_role("alert")).to_have_count(0)
    ada.fine()


def tree_of(graph: Graph, title: str) -> tuple[str, Any, dict[str, str]]:
    """A space with `Harbour`, which has a page below it, and others beside; a change request."""
    space = graph.space(title)
    graph.apply(space, page_of("Harbour", "x"), page_of("Lock", "x"), page_of("Weir", "x"))
    query = "query ($id: ID!) { space(id: $id) { revision { allPages(first: 20) { nodes { pageId title } } } } }"  # noqa: E501
    nodes = graph(query, id=space)["space"]["revision"]["allPages"]["nodes"]
    pages = {node["title"]: node["pageId"] for node in nodes}
    graph.apply(space, page_of("Basin", "x", parent=pages["Harbour"]))
    create = "mutation ($id: ID!, $input: CreateChangeRequestInput!) { createChangeRequest(spaceId: $id, input: $input) { id number } }"  # noqa: E501
    change = graph(create, id=space, input={"subject": title})["createChangeRequest"]
    return space, change, pages


def test_a_page_that_goes_below_a_closed_one_is_seen_there(
    signed_in: Any, graph: Graph, axe: str
) -> None:
    space, change, _ = tree_of(graph, "Moves of mine")
    ada = signed_in(ADA)
    page = ada.page
    ada.go(f"/s/{space}/~/changes/{change['number']}/weir")
    tree = page.get_by_role("treegrid", name="Pages")
    lock, weir = (tree.get_by_role("row", name=name) for name in ("Lock", "Weir"))
    tree.get_by_role("row", name="Lock").get_by_role("button", name="Actions for Lock").wait_for()
    # Harbour is closed: it has a page below it that is not shown.
    expect(tree.get_by_role("row", name="Basin")).to_have_count(0)
    lock.focus()
    page.keyboard.press("Alt+ArrowRight")
    expect(page.get_by_text("Lock was moved. Lock is below Harbour now.").first).to_be_visible()
    expect(tree.get_by_role("row", name="Basin")).to_be_visible()
    expect(lock).to_have_attribute("aria-level", "2")
    expect(lock).to_be_focused()
    # Below a page that had none: by its menu.
    weir.get_by_role("button", name="Actions for Weir").click()
    page.get_by_role("menuitem", name="Move below the page above").click()
    expect(page.get_by_text("Weir is below Harbour now.").first).to_be_visible()
    expect(weir).to_have_attribute("aria-level", "2")
    # The menu has given the focus to the row, where keys move the page on.
    expect(weir).to_be_focused()
    page.keyboard.press("Alt+ArrowRight")
    expect(page.get_by_text("Weir is below Lock now.").first).to_be_visible()
    expect(weir).to_have_attribute("aria-level", "3")
    expect(weir).to_be_focused()
    # It stays there when the answer has come and everything was read again.
    page.wait_for_timeout(2_500)
    expect(weir).to_have_attribute("aria-level", "3")
    expect(weir).to_be_focused()
    page.keyboard.press("Alt+ArrowLeft")
    expect(page.get_by_text("Weir is below Harbour now.").first).to_be_visible()
    expect(weir).to_be_focused()
    assert findings(page, axe) == []
    ada.fine()


def test_pages_that_others_move_are_seen_where_they_went(signed_in: Any, graph: Graph) -> None:
    space, change, pages = tree_of(graph, "Moves of others")
    ada = signed_in(ADA)
    page = ada.page
    ada.go(f"/s/{space}/~/changes/{change['number']}/harbour")
    tree = page.get_by_role("treegrid", name="Pages")
    lock = tree.get_by_role("row", name="Lock")
    lock.get_by_role("button", name="Actions for Lock").wait_for()
    # The page that is shown is open already; it is closed here.
    harbour = tree.get_by_role("row", name="Harbour")
    harbour.focus()
    if harbour.get_attribute("aria-expanded") == "true":
        page.keyboard.press("ArrowLeft")
    expect(tree.get_by_role("row", name="Basin")).to_have_count(0)
    lock.focus()
    move = {"movePage": {"page": pages["Lock"], "parent": pages["Harbour"]}}
    graph.apply(space, move, change=change["id"])
    expect(lock).to_have_attribute("aria-level", "2")
    expect(page.get_by_role("status").get_by_text("Lock is below Harbour now.")).to_be_attached()
    expect(lock).to_be_focused()
    # One that is removed is gone, and nothing is said of it.
    graph.apply(space, {"deletePage": {"page": pages["Weir"]}}, change=change["id"])
    expect(tree.get_by_role("row", name="Weir")).to_have_count(0)
    ada.fine()


def test_each_tab_has_its_own_markdown(signed_in: Any, graph: Graph) -> None:
    ada, _, change, _ = edited(signed_in, graph, "Tabs", "First words")
    first = ada.page
    field = opened(first, "First words")
    field.fill("# Tabs\n\nFirst words of the first tab\n")
    address = first.url
    second = ada.context.new_page()
    second.goto(address)
    expect(text_of(second)).to_contain_text("First words")
    # Nothing of the first tab, which is open, is here.
    expect(markdown_of(second)).to_have_count(0)
    other = opened(second, "First words")
    other.fill("# Tabs\n\nFirst words of the second tab\n")
    # Reloaded, each has its own.
    first.reload()
    expect(markdown_of(first)).to_have_value(re.compile("of the first tab"))
    # What a closed tab has left goes on in the next one.
    second.close()
    third = ada.context.new_page()
    third.goto(address)
    expect(markdown_of(third)).to_have_value(re.compile("of the second tab"))
    expect(markdown_of(first)).to_have_value(re.compile("of the first tab"))
    # Of two that were left the older one comes when the newer is done with.
    third.close()
    first.close()
    last = ada.context.new_page()
    last.goto(address)
    expect(markdown_of(last)).to_have_value(re.compile("of the (first|second) tab"))
    seen = markdown_of(last).input_value()
    last.get_by_role("button", name="Discard").click()
    rest = "first" if "second" in seen else "second"
    expect(markdown_of(last)).to_have_value(re.compile(f"of the {rest} tab"))
    assert change["id"]
    ada.fine()


def test_each_tab_keeps_what_is_typed_in_its_text(signed_in: Any, graph: Graph) -> None:
    """Both without a connection, both closed: both are offered."""
    ada, space, change, _ = edited(signed_in, graph, "Both", "Begin")
    first = ada.page
    address = first.url
    second = ada.context.new_page()
    second.goto(address)
    expect(text_of(second)).to_contain_text("Begin")
    ada.context.set_offline(True)
    for tab, words in ((first, " one"), (second, " two")):
        text_of(tab).click()
        tab.keyboard.press("Control+End")
        tab.keyboard.type(words)
        expect(tab.get_by_text("Not saved", exact=True)).to_be_visible()
    first.close(run_before_unload=False)
    second.close(run_before_unload=False)
    ada.context.set_offline(False)
    page = ada.context.new_page()
    page.goto(address)
    # When the first one is taken in, the other one is offered.
    take = page.get_by_role("button", name="Take it in")
    for words in ("two", "one"):
        take.click()
        expect(text_of(page)).to_contain_text(words)
    expect(take).to_have_count(0)
    saved(page)
    page.reload()
    for words in ("one", "two"):
        expect(text_of(page)).to_contain_text(words)
    document = said(read(graph, space, "both", change["id"])["document"])
    assert document.count("one") == document.count("two") == document.count("Begin") == 1
    expect(take).to_have_count(0)
    ada.fine()


def test_many_paragraphs_come_in_portions(signed_in: Any, graph: Graph) -> None:
    """What is typed meanwhile is behind them, all of them come, and one step takes them away."""
    ada, space, change, _ = edited(signed_in, graph, "Portions", "Begin")
    page = ada.page
    text_of(page).click()
    page.keyboard.press("Control+End")
    page.evaluate(
        """() => {
          const place = document.querySelector('[role=textbox][contenteditable]');
          window.counts = [];
          new MutationObserver(() => window.counts.push(place.children.length)).observe(
            place, { childList: true });
        }"""
    )
    paste(page, "text/html", "".join(f"<p>Paragraph {number}</p>" for number in range(2_000)))
    page.keyboard.type(" and on")
    blocks = text_of(page).locator("> *")
    expect(blocks).to_have_count(2_000)
    counts = page.evaluate("window.counts")
    # No portion is more than a few hundred of them: sixty at once, then three hundred at most.
    assert len(counts) >= 8
    assert max(b - a for a, b in zip([1, *counts], counts, strict=False)) < 400
    expect(blocks.last).to_have_text("Paragraph 1999 and on")
    expect(blocks.nth(1_000)).to_have_text("Paragraph 1000")
    saved(page)
    nodes = read(graph, space, "portions", change["id"])["document"]["nodes"]
    assert len(nodes) == 2_000
    # What was typed, which is more than one step where keys come slowly, then the paste: one step.
    steps = 0
    while blocks.count() > 1:
        page.keyboard.press("Control+z")
        steps += 1
        assert blocks.count() in (1, 2_000)
        assert steps <= 1 + len(" and on")
    expect(text_of(page)).to_have_text("Begin")
    for _ in range(steps):
        page.keyboard.press("Control+y")
    expect(blocks).to_have_count(2_000)
    expect(blocks.last).to_have_text("Paragraph 1999 and on")
    saved(page)
    ada.fine()


def test_words_that_changed_are_runs(signed_in: Any, graph: Graph) -> None:
    space = graph.space("Runs")
    graph.apply(space, page_of("Runs", "Wait, please, until the tide is high"))
    create = "mutation ($id: ID!, $input: CreateChangeRequestInput!) { createChangeRequest(spaceId: $id, input: $input) { id number } }"  # noqa: E501
    change = graph(create, id=space, input={"subject": "Runs"})["createChangeRequest"]
    page_id = read(graph, space, "runs")["pageId"]
    body = {"markdown": "Let tengo, gracias, until the tide is high"}
    graph.apply(space, {"updatePage": {"page": page_id, "body": body}}, change=change["id"])
    ada = signed_in(ADA)
    ada.go(f"/s/{space}/~/changes/{change['number']}?tab=changes")
    card = ada.page.get_by_role("group", name="Runs").or_(ada.page.locator("details"))
    expect(card.locator("p > del")).to_have_text(["Wait, please"])
    expect(card.locator("p > ins")).to_have_text(["Let tengo, gracias"])
    ada.fine()
