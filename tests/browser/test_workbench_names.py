"""What a screen reader has of every view: names that say what a control does with what, one heading
to begin at, a title, and the focus that comes along to another view."""

import re
from collections import Counter
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser import test_workbench_dialogs as dialogs, workbench
from tests.browser.spoken import UNSAID
from tests.browser.test_workbench_administration import COLLECTION
from tests.browser.test_workbench_dialogs import COMMENT, NAMELESS
from tests.browser.workbench import ADA, CHIDI, EVERY_KIND, NARROW, Graph, page_of

graph, sessions, signed_in = workbench.graph, workbench.sessions, workbench.signed_in
views = dialogs.views
CONTROL = re.compile(
    r"^\s*- (button|checkbox|combobox|textbox|searchbox|radio) \"((?:[^\"\\]|\\.)*)\""
)
# Rows of a tree have their own buttons, whose name is followed by that of the row.
LINKS = """() => [...document.querySelectorAll('main a[href]')]
  .filter((one) => one.checkVisibility())
  .map((one) => [one.getAttribute('aria-label') ?? one.innerText, one.getAttribute('href')])"""


def alike(page: Page) -> dict[str, int]:
    """Controls of a view that are called the same."""
    spoken = page.locator("body").aria_snapshot()
    names = [
        f"{kind} {name}" for line in spoken.splitlines() for kind, name in CONTROL.findall(line)
    ]
    return {name: count for name, count in Counter(names).items() if count > 1}


def test_every_control_says_what_it_does_with_what(
    signed_in: Any, graph: Graph, views: list[str]
) -> None:
    # More of what there is one of: only then it can be called the same.
    space = views[0].split("/")[2]
    changes = graph(
        'query ($id: ID!) { space(id: $id) { changeRequest(id: "1") { id } } }', id=space
    )
    variables = {"id": space, "change": changes["space"]["changeRequest"]["id"]}
    for text in ("First things first", "Then the second"):
        graph(COMMENT, **variables, input={"body": {"markdown": text}})
    graph.apply(space, page_of("Everything", EVERY_KIND.read_text("utf-8")))
    made = graph(COLLECTION, id=graph.organization, input={"title": "Charts"})
    collection = made["createCollection"]["id"]
    ada = signed_in(ADA)
    wrong: dict[str, Any] = {}
    titles: dict[str, str] = {}
    more = [
        f"{views[0]}?tab=changes",
        f"/s/{space}/~/people",
        f"/c/{collection}/~/people",
        f"/s/{space}/~/import",
        "/~/notifications",
    ]
    query = 'query ($id: ID!) { space(id: $id) { pageByPath(path: "everything") { pageId } } }'
    everything = graph(query, id=space)["space"]["pageByPath"]["pageId"]
    written = f"/s/{space}/everything"
    for path in (written, f"{written}?edit={everything}", f"/s/{space}/~/revisions"):
        if unsaid := ada.see(path).evaluate(UNSAID):
            wrong[path] = unsaid
    for path in [*views, *more]:
        page = ada.see(path)
        spoken = page.locator("body").aria_snapshot()
        found: list[Any] = [*NAMELESS.findall(spoken), *alike(page).items()]
        places: dict[str, set[str]] = {}
        for name, href in page.evaluate(LINKS):
            places.setdefault(name.strip(), set()).add(href)
        found += [(name, hrefs) for name, hrefs in places.items() if len(hrefs) > 1 or not name]
        found += page.evaluate(UNSAID)
        headings = page.locator("h1").count()
        if headings != 1:
            found.append(f"{headings} headings of the first level")
        title = page.title()
        if title in titles.values() and "tab=" not in path:
            found.append(f"has the title of another view: {title}")
        titles[path] = title
        if found:
            wrong[path] = found
    assert wrong == {}
    ada.fine()


def test_the_focus_goes_to_the_heading_of_a_view(signed_in: Any, graph: Graph) -> None:
    space = graph.space("Harbour lights")
    graph.apply(space, page_of("Green", "Starboard"), page_of("Red", "Port"))
    ada = signed_in(ADA)
    page = ada.see(f"/s/{space}")
    side = page.get_by_role("navigation", name="Navigation")
    for name in ("Change requests", "History", "Broken links", "Import", "Git", "People and roles"):
        side.get_by_role("link", name=name).focus()
        page.keyboard.press("Enter")
        heading = page.get_by_role("heading", level=1, name=name)
        expect(heading).to_be_focused()
        expect(page).to_have_title(f"{name} | Harbour lights | Docstead")
    # Back is another view, too.
    page.go_back()
    expect(page.get_by_role("heading", level=1, name="Git")).to_be_focused()
    # From page to page by their links, also to those that were read before.
    content = page.locator("main")
    page.get_by_role("row", name="Green").focus()
    page.keyboard.press("Enter")
    for _ in range(2):
        for name, link in (("Red", "Next"), ("Green", "Previous")):
            content.get_by_role("link", name=f"{link} {name}").focus()
            page.keyboard.press("Enter")
            expect(page.get_by_role("heading", level=1, name=name)).to_be_focused()
    # Who goes through the tree stays in it, and hears where they are.
    page.get_by_role("row", name="Red").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1, name="Red")).to_be_visible()
    expect(page.get_by_role("status").filter(has_text="Red | Harbour lights")).to_have_count(1)
    expect(page.get_by_role("row", name="Red")).to_be_focused()
    # By the search, and where there is nothing.
    page.keyboard.press("Control+k")
    page.get_by_role("searchbox", name="Search everything").or_(
        page.get_by_role("textbox", name="Search everything")
    ).fill("Audit")
    page.get_by_role("menuitem", name="Audit log").first.click()
    expect(page.get_by_role("heading", level=1, name="Audit log")).to_be_focused()
    ada.fine()


def test_who_goes_back_from_a_dialog_is_where_they_were(signed_in: Any, graph: Graph) -> None:
    """Also when what opened it is gone: then at the heading of the part that it stood in."""
    space = graph.space("Give and take")
    graph.apply(space, page_of("Page", "Words"))
    ada = signed_in(ADA)
    page = ada.see(f"/s/{space}/~/people")
    box = page.get_by_role("combobox", name="Give it to a person")
    box.fill("Grete")
    page.get_by_role("option", name="Grete").click()
    taking = page.get_by_role("button", name="Remove Grete Jansen")
    expect(taking).to_be_visible()
    expect(page.get_by_role("status").filter(has_text="It is done.")).to_have_count(1)
    taking.focus()
    page.keyboard.press("Enter")
    expect(taking).to_have_count(0)
    expect(page.get_by_role("heading", name="Given here")).to_be_focused()

    page = ada.see("/~/tokens")
    page.get_by_role("button", name="New token").focus()
    page.keyboard.press("Enter")
    page.get_by_label("Label").fill("For a dialog")
    page.keyboard.press("Enter")
    expect(page.get_by_role("textbox", name="The new token")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="New token", exact=True)).to_be_focused()
    # The button that asks goes with the token that it revokes.
    asking = page.get_by_role("button", name="Revoke For a dialog")
    asking.focus()
    page.keyboard.press("Enter")
    page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
    expect(asking).to_have_count(0)
    expect(page.get_by_role("heading", level=1, name="Tokens")).to_be_focused()

    # The drawer of a narrow window: by keys alone, and back.
    page.set_viewport_size(NARROW)
    page.get_by_role("button", name="Open navigation").focus()
    page.keyboard.press("Enter")
    drawer = page.get_by_role("dialog", name="Navigation")
    expect(drawer.get_by_role("link", name="My work")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Open navigation")).to_be_focused()
    page.keyboard.press("Enter")
    drawer.get_by_role("link", name="My work").focus()
    page.keyboard.press("Enter")
    expect(drawer).to_have_count(0)
    expect(page.get_by_role("heading", level=1, name="My work")).to_be_focused()
    ada.fine()


def test_roles_are_given_and_say_why(signed_in: Any, graph: Graph) -> None:
    space = graph.space("Harbour office")
    graph.apply(space, page_of("Hours", "Nine to five"))
    ada, chidi = signed_in(ADA), signed_in(CHIDI)
    page = ada.see(f"/s/{space}/~/people")
    expect(
        page.get_by_role("listitem").filter(has_text="administers the organization")
    ).to_contain_text("this one decides")
    page.get_by_label("Role to give").select_option(label="Comment")
    page.get_by_role("combobox", name="Give it to a team").fill("platf")
    page.get_by_role("option", name="Platform").click()
    expect(page.get_by_label("Role of Platform")).to_have_value("COMMENT")
    # What a team was given is nearer than the role in the organization.
    page.get_by_role("button", name="Why Chidi Marais").click()
    reasons = page.get_by_role("listitem").filter(has_text="Platform").filter(has_text="Comment")
    expect(reasons.filter(has_text="this one decides").last).to_be_visible()
    page.get_by_label("Role of Platform").select_option(label="Review")
    expect(page.get_by_role("status").filter(has_text="It is done.")).to_have_count(1)
    # Everybody else has no access, and a person has more than others.
    page.get_by_label("Role of everybody in the organization").select_option(label="No access")
    expect(page.get_by_role("button", name="Why Farah Haddad")).to_have_count(0)
    theirs = chidi.see(f"/s/{space}/~/people")
    expect(theirs.get_by_text("Your role here")).to_be_visible()
    expect(
        theirs.locator("main").get_by_role("listitem").filter(has_text="given to a team")
    ).to_be_visible()
    expect(theirs.get_by_text("Who may create content here")).to_be_visible()
    ada.fine()
    chidi.fine()
