"""Roles on collections, and replies that are written on: two people at two browsers."""

import re
from typing import Any

from playwright.sync_api import expect

from tests.browser import workbench
from tests.browser.conftest import held
from tests.browser.test_workbench_administration import COLLECTION, CREATE_CHANGE
from tests.browser.test_workbench_dialogs import COMMENT
from tests.browser.workbench import ADA, CHIDI, Graph, page_of

graph, sessions, signed_in = workbench.graph, workbench.sessions, workbench.signed_in
SPACE = "mutation ($id: ID!, $input: CreateSpaceInput!) { createSpace(organizationId: $id, input: $input) { id } }"  # noqa: E501


def test_roles_on_a_collection_are_given_and_say_why(signed_in: Any, graph: Graph) -> None:
    made = graph(COLLECTION, id=graph.organization, input={"title": "Harbour papers"})
    collection = made["createCollection"]["id"]
    given = {"title": "Tide tables", "parent": collection}
    space = graph(SPACE, id=graph.organization, input=given)["createSpace"]["id"]
    ada, chidi = signed_in(ADA), signed_in(CHIDI)
    page = ada.see(f"/c/{collection}")
    page.get_by_role("link", name="People and roles").click()
    expect(page.get_by_role("heading", level=1, name="People and roles")).to_be_visible()
    page.get_by_label("Role to give").select_option(label="Comment")
    team = page.get_by_role("combobox", name="Give it to a team")
    team.fill("no such team")
    expect(page.get_by_text("No team found.")).to_be_visible()
    team.fill("platf")
    page.get_by_role("option", name="Platform").click()
    expect(page.get_by_label("Role of Platform")).to_have_value("COMMENT")
    page.get_by_role("button", name="Why Chidi Marais").click()
    reasons = page.get_by_role("listitem").filter(has_text="Platform").filter(has_text="Comment")
    expect(reasons.filter(has_text="this one decides").last).to_be_visible()
    # A person has more, which is nearer; then it is taken back.
    page.get_by_label("Role to give").select_option(label="Review")
    page.get_by_role("combobox", name="Give it to a person").fill("Chidi")
    page.get_by_role("option", name="Chidi Marais").click()
    expect(page.get_by_label("Role of Chidi Marais")).to_have_value("REVIEW")
    page.get_by_label("Role of everybody in the organization").select_option(label="No access")
    expect(page.get_by_role("button", name="Why Farah Haddad")).to_have_count(0)
    # In a space of the collection he has it from there.
    theirs = chidi.see(f"/s/{space}/~/people")
    mine = theirs.locator("main").get_by_role("listitem").filter(has_text="given to them")
    expect(mine).to_contain_text("Harbour papers")
    expect(mine).to_contain_text("this one decides")
    theirs = chidi.see(f"/c/{collection}/~/people")
    expect(theirs.get_by_text("Your role here")).to_be_visible()
    expect(theirs.get_by_text("Who may create content here")).to_be_visible()
    expect(theirs.get_by_role("combobox")).to_have_count(0)
    # Taken back: who may give roles sees it at once, without a reload.
    other = signed_in(ADA)
    also = other.see(f"/c/{collection}/~/people")
    expect(also.get_by_label("Role of Chidi Marais")).to_have_value("REVIEW")
    page.get_by_role("button", name="Remove Chidi Marais").click()
    expect(page.get_by_label("Role of Chidi Marais")).to_have_count(0)
    expect(also.get_by_label("Role of Chidi Marais")).to_have_count(0)
    theirs = chidi.see(f"/c/{collection}/~/people")
    expect(
        theirs.locator("main").get_by_role("listitem").filter(has_text="given to a team").first
    ).to_contain_text("this one decides")
    ada.fine()
    chidi.fine()
    other.fine()


def test_a_reply_is_written_on(signed_in: Any, graph: Graph) -> None:
    space = graph.space("Written on")
    graph.apply(space, page_of("Tides", "High water"))
    change = graph(CREATE_CHANGE, id=space, input={"subject": "Say more"})["createChangeRequest"]
    graph(COMMENT, id=space, change=change["id"], input={"body": {"markdown": "Enough?"}})
    ada, chidi = signed_in(ADA), signed_in(CHIDI)
    path = f"/s/{space}/~/changes/1"
    theirs, page = chidi.see(path), ada.see(path)
    theirs.get_by_role("textbox", name="Reply to").fill("Not **yet**")
    theirs.get_by_role("textbox", name="Reply to").press("Control+Enter")
    edit = theirs.get_by_role("button", name=re.compile("^Edit Comment by Chidi"))
    expect(edit).to_be_visible()
    expect(page.get_by_text("Not yet", exact=True)).to_be_visible()

    # By keys alone; given up, the focus is where it was.
    edit.focus()
    theirs.keyboard.press("Enter")
    field = theirs.get_by_role("textbox", name="Reply", exact=True)
    expect(field).to_be_focused()
    expect(field).to_have_value("Not **yet**")
    field.fill("Something else")
    theirs.get_by_role("button", name="Cancel").press("Enter")
    expect(edit).to_be_focused()
    expect(theirs.get_by_text("Not yet", exact=True)).to_be_visible()

    # What is typed outlives a reload, nothing is no reply, and who is mentioned is mentioned.
    theirs.keyboard.press("Enter")
    expect(field).to_have_value("Not **yet**")
    field.fill("Not before ")
    theirs.reload()
    theirs.get_by_role("button", name=re.compile("^Edit Comment by Chidi")).click()
    expect(field).to_have_value("Not before ")
    field.fill("")
    field.press("Control+Enter")
    expect(theirs.get_by_text("Write something first.")).to_be_visible()
    field.press_sequentially("Not before @Ada")
    expect(theirs.get_by_role("option", name="Ada Okafor")).to_be_visible()
    field.press("Enter")
    field.press("Control+Enter")
    expect(theirs.locator("p", has_text="Not before @Ada Okafor")).to_be_visible()
    expect(edit).to_be_focused()
    # Ada sees it at once, and that it was edited; she administers, so she may edit it as well.
    expect(page.locator("p", has_text="Not before @Ada Okafor")).to_be_visible()
    expect(page.get_by_text("· edited")).to_be_visible()
    ada.fine()
    chidi.fine()


def test_buttons_of_a_comment(signed_in: Any, graph: Graph) -> None:
    space = graph.space("Twice pressed")
    change = graph(CREATE_CHANGE, id=space, input={"subject": "Say more"})["createChangeRequest"]
    graph(COMMENT, id=space, change=change["id"], input={"body": {"markdown": "Enough?"}})
    ada = signed_in(ADA)
    page = ada.see(f"/s/{space}/~/changes/1")
    comment = page.get_by_role("article", name="Comment by Ada Okafor: Enough?")
    # A button that was pressed has the focus also when it was busy.
    comment.get_by_role("button", name=re.compile("^Resolve")).focus()
    with held(page, "ResolveComment") as resolving:
        page.keyboard.press("Enter")
        resolving.wait()
        page.wait_for_timeout(100)
    expect(comment.get_by_role("button", name=re.compile("^Reopen"))).to_be_focused()
    delete = comment.get_by_role("button", name=re.compile("^Delete"))
    delete.dblclick()
    expect(delete).to_have_text(re.compile("^Delete for good"))
    delete.press("Escape")
    expect(delete).to_have_text(re.compile("^Delete Comment"))
    delete.click()
    page.wait_for_timeout(600)
    delete.click()
    expect(comment).to_have_count(0)
    ada.fine()


def test_who_types_and_chooses_at_once_gets_what_was_typed(signed_in: Any, graph: Graph) -> None:
    """Enter comes before the answer: those who were shown first are not meant."""
    made = graph(COLLECTION, id=graph.organization, input={"title": "At once"})
    collection = made["createCollection"]["id"]
    ada = signed_in(ADA)
    page = ada.see(f"/c/{collection}/~/people")
    box = page.get_by_role("combobox", name="Give it to a person")
    box.click()
    expect(page.get_by_role("option", name="Ada Okafor")).to_be_visible()
    with held(page, "PeopleOfOrganization"):
        page.keyboard.type("bru")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Remove Bruno Lindqvist")).to_be_visible()
    expect(page.get_by_role("button", name="Remove Ada Okafor")).to_have_count(0)
    ada.fine()
