"""What comes late at the Workbench, when whoever has asked for it has gone on."""

import re
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from tests.browser.conftest import eventually, held
from tests.browser.test_workbench_ahead import FAILED, Failing, tree_of
from tests.browser.test_workbench_editor import drafted, editing, read, said, saved, text_of
from tests.browser.workbench import ADA, Graph, graph, page_of, sessions, signed_in

# Fixtures of the other stories.
__all__ = ["graph", "sessions", "signed_in"]


def test_whoever_asks_for_a_review_goes_on_where_they_were(signed_in: Any, graph: Graph) -> None:
    space, change, _ = tree_of(graph, "Nobody to ask")
    ada = signed_in(ADA)
    page = ada.page
    failing = Failing(page, "PeopleToAsk")
    ada.go(f"/s/{space}/~/changes/{change['number']}")
    box = page.get_by_role("combobox", name="Ask for a review")
    box.fill("chi")
    expect(page.get_by_role("listbox").get_by_text(FAILED)).to_be_visible()
    page.keyboard.press("Escape")
    failing.is_on = False
    page.get_by_role("main").get_by_role("button", name="Try again").click()
    expect(box).to_be_focused()
    page.keyboard.type("d")
    expect(page.get_by_role("option", name=re.compile("Chidi"))).to_be_visible()
    ada.fine()


def test_nothing_stays_open_for_a_page_that_has_gone_on(signed_in: Any, graph: Graph) -> None:
    space, change, pages = tree_of(graph, "Moved twice")
    ada = signed_in(ADA)
    page = ada.page
    ada.go(f"/s/{space}/~/changes/{change['number']}/weir")
    tree = page.get_by_role("treegrid", name="Pages")
    harbour, basin = (tree.get_by_role("row", name=name) for name in ("Harbour", "Basin"))
    lock = tree.get_by_role("row", name="Lock")
    lock.get_by_role("button", name="Actions for Lock").wait_for()
    expect(basin).to_have_count(0)
    routes: list[Route] = []

    def hold(route: Route) -> None:
        if " TreeBelow(" in (route.request.post_data or ""):
            routes.append(route)
        else:
            route.fallback()

    page.route("**/graphql", hold)

    def move(parent: str) -> None:
        to = {"movePage": {"page": pages["Lock"], "parent": pages[parent]}}
        graph.apply(space, to, change=change["id"])

    # It is sought below Harbour, and has gone on before the pages there are read.
    with page.expect_request(lambda request: " TreeBelow(" in (request.post_data or "")):
        move("Harbour")
    move("Weir")
    page.unroute("**/graphql", hold)
    for route in routes:
        route.fallback()
    expect(basin).to_be_visible()
    # As long as one that has moved is sought.
    page.wait_for_timeout(8_500)
    harbour.focus()
    page.keyboard.press("ArrowLeft")
    expect(basin).to_have_count(0)
    page.wait_for_timeout(500)
    expect(basin).to_have_count(0)
    ada.fine()


def test_whoever_goes_elsewhere_after_a_move_stays_there(signed_in: Any, graph: Graph) -> None:
    space, _, _ = tree_of(graph, "Gone before it was written")
    ada = signed_in(ADA)
    page = ada.page
    ada.go(f"/s/{space}/harbour")
    tree = page.get_by_role("treegrid", name="Pages")
    lock = tree.get_by_role("row", name="Lock")
    lock.get_by_role("button", name="Actions for Lock").wait_for()
    routes: list[Route] = []

    def hold(route: Route) -> None:
        if " TreeWrite(" in (route.request.post_data or ""):
            routes.append(route)
        else:
            route.fallback()

    page.route("**/graphql", hold)
    lock.focus()
    with page.expect_request(lambda request: " TreeWrite(" in (request.post_data or "")):
        page.keyboard.press("Alt+ArrowDown")
    tree.get_by_role("row", name="Weir").click()
    expect(page.get_by_role("heading", level=1, name="Weir")).to_be_visible()
    routes[0].fallback()
    # What is said leads to the change request.
    expect(page.get_by_text("Lock was moved.").first).to_be_visible()
    page.wait_for_timeout(300)
    assert page.url.endswith(f"/s/{space}/weir")
    ada.fine()


def test_a_list_that_fails_has_no_heading_of_a_page(signed_in: Any, graph: Graph) -> None:
    ada = signed_in(ADA)
    page = ada.page
    failing = Failing(page, "AuditLog")
    ada.go(f"/o/{graph.organization}/~/audit")
    main = page.get_by_role("main")
    expect(main.get_by_role("alert").get_by_text(FAILED)).to_be_visible()
    expect(main.get_by_role("heading", level=1)).to_have_text(["Audit log"])
    expect(main.locator("table").get_by_role("heading")).to_have_count(0)
    failing.is_on = False
    main.get_by_role("button", name="Try again").click()
    expect(main.get_by_role("alert")).to_have_count(0)
    expect(main.locator("tbody").get_by_role("row").first).to_be_visible()
    # In a part of a view its heading is below that of the part.
    failing = Failing(page, "Webhooks")
    ada.go(f"/o/{graph.organization}/~/webhooks")
    expect(main.get_by_role("alert").get_by_text(FAILED)).to_be_visible()
    expect(main.get_by_role("heading", level=1)).to_have_count(1)
    expect(main.get_by_role("alert").get_by_role("heading", level=2)).to_have_count(1)
    ada.fine()


@pytest.mark.parametrize("is_sent", [False, True])
def test_what_is_typed_before_the_form_of_a_link_is_loaded(
    signed_in: Any, graph: Graph, is_sent: bool
) -> None:
    """It goes to the field and not into the text, also the key that sends it."""
    title = "Sent" if is_sent else "Asked"
    space = graph.space(title)
    graph.apply(space, page_of(title, "Words"))
    change = drafted(graph, space, title)
    ada = signed_in(ADA)
    page = ada.page
    routes: list[Route] = []
    page.route("**/link-targets-*.js", lambda route: routes.append(route))
    ada.go(editing(space, change["number"], read(graph, space, title.lower())))
    text_of(page).get_by_text("Words").click()
    page.keyboard.press("Control+a")
    page.keyboard.press("Control+k")
    page.keyboard.type("https://tides.example/")
    field = page.get_by_role("dialog").get_by_role("textbox")
    expect(field).to_have_value("https://tides.example/")
    expect(field).to_be_focused()
    expect(text_of(page)).to_have_text("Words")
    if is_sent:
        page.keyboard.press("Enter")
    assert routes
    for route in routes:
        route.continue_()
    if not is_sent:
        expect(page.get_by_role("button", name="https://tides.example/")).to_be_visible()
        expect(field).to_be_focused()
        page.keyboard.type("low")
        page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)
    saved(page)
    document = read(graph, space, title.lower(), change["id"])["document"]
    (link,) = [node for node in document["nodes"][0]["nodes"] if node.get("type") == "link"]
    assert said(link) == "Words"
    url = "https://tides.example/" + ("" if is_sent else "low")
    assert link["data"]["ref"] == {"kind": "url", "url": url}
    ada.fine()


def test_a_title_behind_a_refused_change_is_not_lost(signed_in: Any, graph: Graph) -> None:
    space, change, _ = tree_of(graph, "Refused before")
    ada = signed_in(ADA)
    page = ada.page
    ada.go(f"/s/{space}/~/changes/{change['number']}/weir")
    tree = page.get_by_role("treegrid", name="Pages")
    tree.get_by_role("row", name="Lock").get_by_role("button", name="Actions for Lock").wait_for()
    held: list[Route] = []

    def hold(route: Route) -> None:
        if " TreeWrite(" in (route.request.post_data or "") and not held:
            held.append(route)
        else:
            route.fallback()

    page.route("**/graphql", hold)
    tree.get_by_role("row", name="Lock").focus()
    page.keyboard.press("Alt+ArrowUp")
    tree.get_by_role("row", name="Weir").focus()
    page.keyboard.press("F2")
    dialog = page.get_by_role("dialog", name="Rename")
    dialog.get_by_label("Title").fill("Floodgate")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.locator("form[aria-busy=true]")).to_be_visible()
    # It is shown in the tree already, and waits for the move before it.
    expect(page.locator("[role=row]", has_text="Floodgate")).to_be_attached()
    assert len(held) == 1
    refusal = {"errors": [{"message": "Not now", "extensions": {"code": "CONFLICT"}}]}
    held[0].fulfill(json=refusal)
    expect(dialog.get_by_role("alert")).to_contain_text("Not now")
    expect(dialog.get_by_text("It was not sent, because a change before it")).to_be_visible()
    expect(dialog.get_by_label("Title")).to_have_value("Floodgate")
    expect(page.locator("[role=row]", has_text="Floodgate")).to_have_count(0)
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_have_count(0)
    expect(tree.get_by_role("row", name="Floodgate")).to_be_visible()
    expect(page.get_by_text("It is called Floodgate now.").first).to_be_visible()
    ada.fine()


@pytest.mark.parametrize("held_back", ["TreeTop", "TreeBelow"])
def test_a_page_that_moves_while_one_level_is_late_stands_once(
    signed_in: Any, graph: Graph, held_back: str
) -> None:
    """Levels are read by themselves: until both are, it would stand in both, or in none."""
    space, change, pages = tree_of(graph, f"Late {held_back}")
    ada = signed_in(ADA)
    page = ada.page
    ada.go(f"/s/{space}/~/changes/{change['number']}/harbour/basin")
    tree = page.get_by_role("treegrid", name="Pages")
    row = tree.get_by_role("row", name="Lock")
    expect(tree.get_by_role("row", name="Basin")).to_be_visible()
    expect(row.get_by_role("button", name="Actions for Lock")).to_be_visible()

    def move(to: dict[str, Any]) -> None:
        graph.apply(space, {"movePage": {"page": pages["Lock"], **to}}, change=change["id"])

    def level(number: int) -> None:
        expect(row).to_have_count(1)
        expect(row).to_have_attribute("aria-level", str(number))

    if held_back == "TreeBelow":
        move({"parent": pages["Harbour"]})
        level(2)
    with held(page, f" {held_back}(") as reads:
        move({"parent": pages["Harbour"]} if held_back == "TreeTop" else {"parent": None})
        reads.wait()
        level(2 if held_back == "TreeTop" else 1)
        # It can go on.
        row.focus()
        page.keyboard.press("ArrowUp")
        expect(tree.get_by_role("row", name="Weir")).to_be_visible()
    level(2 if held_back == "TreeTop" else 1)
    ada.fine()


# The row gets the focus so many turns behind the first button for what can be changed.
FOCUS_BEHIND = """(turns) => {
  const turn = () => new Promise((done) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = done;
    port2.postMessage(null);
  });
  new MutationObserver(async (_, observer) => {
    const buttons = [...document.querySelectorAll('nav button')];
    if (!buttons.some((one) => one.textContent === 'New page')) return;
    observer.disconnect();
    for (let done = 0; done < turns; done += 1) await turn();
    document.querySelectorAll('[role=treegrid] [role=row]')[1].focus();
  }).observe(document.body, { childList: true, subtree: true });
}"""


def test_the_focus_is_not_lost_while_the_tree_is_made_anew(signed_in: Any, graph: Graph) -> None:
    """Its rows are other ones when it can be changed. Whoever comes to them just then stays, and
    so do those who have been there."""
    space, _, _ = tree_of(graph, "Made anew")
    ada = signed_in(ADA)
    page = ada.page
    parts: list[Route] = []
    page.route("**/assets/tree-editing-*.js", lambda route: parts.append(route))
    tree = page.get_by_role("treegrid", name="Pages")
    for turns in range(5):
        parts.clear()
        ada.go(f"/s/{space}/weir")
        expect(tree.get_by_role("row", name="Harbour")).to_be_visible()
        eventually(page, lambda: len(parts), 1)
        page.evaluate(FOCUS_BEHIND, turns)
        parts[0].continue_()
        expect(tree.get_by_role("button", name="Drag Harbour")).to_be_attached()
        expect(tree.get_by_role("row", name="Harbour"), f"{turns} turns").to_be_focused()
        page.keyboard.press("ArrowDown")
        expect(tree.get_by_role("row", name="Lock")).to_be_focused()
    ada.fine()


def test_who_goes_from_a_page_that_is_moved_is_not_brought_back(
    signed_in: Any, graph: Graph
) -> None:
    """Without a key, as programs that read the screen do; the next key is for the other page."""
    space, change, _ = tree_of(graph, "Left behind")
    ada = signed_in(ADA)
    page = ada.page
    ada.go(f"/s/{space}/~/changes/{change['number']}/weir")
    tree = page.get_by_role("treegrid", name="Pages")
    rows = {name: tree.get_by_role("row", name=name) for name in ("Lock", "Weir")}
    expect(rows["Lock"].get_by_role("button", name="Drag Lock")).to_be_attached()
    order = ["Left behind", "Harbour", "Lock", "Weir"]

    def press(name: str, step: int) -> None:
        page.keyboard.press("Alt+ArrowUp" if step < 0 else "Alt+ArrowDown")
        place = order.index(name)
        order.insert(min(max(place + step, 0), 3), order.pop(place))

    # Whether a frame is drawn between the two is chance.
    for step in (-1, 1) * 5:
        with held(page, "TreeWrite") as sent:
            rows["Lock"].focus()
            press("Lock", step)
            sent.wait()
            press("Lock", step)
            rows["Weir"].focus()
            press("Weir", step)
        ada.settle()
        expect(rows["Weir"]).to_be_focused()
        texts = [row.inner_text() for row in tree.get_by_role("row").all()]
        assert [text.partition("\n")[0] for text in texts] == order
    ada.fine()
