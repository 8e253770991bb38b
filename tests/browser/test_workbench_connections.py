"""What a space or site is connected with, from the form to its end: a Git repository, a host name.
The end is asked about, said, and leaves the focus where it can be found; so do a form that is
refused and a note in a text."""

from typing import Any

from playwright.sync_api import Page, expect

from tests.browser import workbench
from tests.browser.test_workbench_administration import CREATE_SITE
from tests.browser.workbench import ADA, Graph, page_of

graph, sessions, signed_in = workbench.graph, workbench.sessions, workbench.signed_in
GIT = "query ($id: ID!) { gitConfiguration(spaceId: $id) { ref direction } }"


def end(page: Page, name: str, title: str, back: str) -> None:
    """Press a button that asks: going back leaves all as it is, and the second time it is done."""
    button = page.get_by_role("button", name=name)
    for choice in ("Escape", "Enter"):
        button.focus()
        page.keyboard.press("Enter")
        dialog = page.get_by_role("dialog", name=title)
        expect(dialog).to_be_visible()
        if choice == "Escape":
            page.keyboard.press("Escape")
            expect(dialog).to_have_count(0)
            expect(button).to_be_focused()
        else:
            # The last one is what it asks about.
            dialog.get_by_role("button").last.click()
    expect(button).to_have_count(0)
    expect(page.get_by_role("status").filter(has_text="It is done.")).to_have_count(1)
    expect(page.get_by_role("heading", name=back).first).to_be_focused()


def test_what_is_connected_is_ended(signed_in: Any, graph: Graph) -> None:
    space = graph.space("Tied up")
    graph.apply(space, page_of("Ropes", "Two of them"))
    made = graph(CREATE_SITE, id=graph.organization, input={"title": "Tied up", "spaces": [space]})
    ada = signed_in(ADA)
    page = ada.page

    ada.go(f"/s/{space}/~/git")
    page.get_by_role("button", name="Connect").click()
    dialog = page.get_by_role("dialog", name="Connect")
    dialog.get_by_label("Address of the repository").fill("https://git.example/ropes.git")
    # A branch has its name; what the graph calls it is nobody's matter.
    expect(dialog.get_by_label("Branch")).to_have_value("main")
    dialog.get_by_label("Synchronise by itself").uncheck()
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_role("textbox", name="Secret for the webhook")).to_be_visible()
    dialog.get_by_role("button", name="Close").last.click()
    expect(page.get_by_text("https://git.example/ropes.git")).to_be_visible()
    assert graph(GIT, id=space)["gitConfiguration"]["ref"] == "refs/heads/main"
    page.get_by_role("button", name="Change").click()
    expect(page.get_by_role("dialog").get_by_label("Branch")).to_have_value("main")
    page.keyboard.press("Escape")
    end(page, "Disconnect", "Disconnect from the repository?", "Git")
    expect(page.get_by_text("It is not connected to a repository.")).to_be_visible()

    ada.go(f"/o/{graph.organization}/sites/{made['createSite']['id']}?tab=domain")
    page.get_by_label("Host name").fill("ropes.nowhere.invalid")
    page.get_by_role("button", name="Use a host name").click()
    end(page, "Give up", "Give up ropes.nowhere.invalid?", "Tied up")
    expect(page.get_by_text("The site has no host name of its own.")).to_be_visible()

    ada.go(f"/o/{graph.organization}/~/translations")
    page.get_by_role("button", name="New translation").click()
    dialog = page.get_by_role("dialog", name="New translation")
    dialog.get_by_label("Space").select_option(label="Tied up")
    dialog.get_by_label("Into").select_option(label="French")
    dialog.get_by_role("button", name="Add").click()
    # This server has no translator: it says so, and what was chosen is still there.
    expect(dialog.get_by_role("alert")).to_contain_text("DOCSTEAD_TRANSLATION_PROVIDER")
    expect(dialog.get_by_label("Into")).to_have_value("FR")
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="New translation")).to_be_focused()
    ada.fine()


def test_a_note_is_read_and_left_by_keys(signed_in: Any, graph: Graph) -> None:
    space = graph.space("Notes of a keeper")
    graph.apply(space, page_of("Lamp", "The lamp[^1] burns.\n\n[^1]: It burns **oil**.\n"))
    ada = signed_in(ADA)
    page = ada.page
    ada.go(f"/s/{space}/lamp")
    note = page.get_by_role("button", name="lamp (Note)")
    note.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name="Note")).to_contain_text("It burns oil.")
    page.keyboard.press("Escape")
    expect(note).to_be_focused()
    ada.fine()
