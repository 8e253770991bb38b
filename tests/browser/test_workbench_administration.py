"""Administration in the Workbench: people, sites, work that runs, and changing the page tree."""

import re
from pathlib import Path
from typing import Any

from playwright.sync_api import expect

from tests.browser import test_workbench as workbench
from tests.browser.test_workbench import ADA, CHIDI, NARROW, Graph, look_at, page_of

graph, sessions, signed_in = workbench.graph, workbench.sessions, workbench.signed_in

CREATE_SITE = "mutation ($id: ID!, $input: CreateSiteInput!) { createSite(organizationId: $id, input: $input) { id } }"  # noqa: E501
CREATE_CHANGE = "mutation ($id: ID!, $input: CreateChangeRequestInput!) { createChangeRequest(spaceId: $id, input: $input) { id } }"  # noqa: E501


def test_every_view_of_administration_is_accessible_and_fits(
    signed_in: Any, graph: Graph, axe: str, artifacts: Path
) -> None:
    space = graph.space("Run")
    graph.apply(space, page_of("Page", "Text"))
    site = graph(CREATE_SITE, id=graph.organization, input={"title": "Run", "spaces": [space]})
    organization = f"/o/{graph.organization}"
    address = f"{organization}/sites/{site['createSite']['id']}"
    areas = {
        "people": "Members", "teams": "Teams", "invitations": "Invitations", "sites": "Sites",
        "jobs": "Jobs", "specifications": "API specifications", "translations": "Translations",
        "webhooks": "Webhooks", "integrations": "Integrations", "audit": "Audit log",
    }  # fmt: skip
    tabs = ("overview", "content", "sharing", "redirects", "domain", "look", "insights")
    views = {
        **{area: (f"{organization}/~/{area}", title) for area, title in areas.items()},
        **{f"site-{tab}": (f"{address}?tab={tab}", "Run") for tab in tabs},
        "notifications": ("/~/notifications", "Notifications"),
        "tokens": ("/~/tokens", "Tokens"),
        "git": (f"/s/{space}/~/git", "Git"),
        "import": (f"/s/{space}/~/import", "Import"),
        "level": (f"/s/{space}/~/notifications", "Notifications of this space"),
    }
    ada = signed_in(ADA)
    page = ada.page
    for name, (path, title) in views.items():
        look_at(ada, path, title, name, axe, artifacts)
        # From right to left nothing is cut off, either.
        page.evaluate("document.documentElement.dir = 'rtl'")
        assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"], name
    ada.fine()


def test_an_administrator_runs_an_organization(signed_in: Any, graph: Graph) -> None:
    space = graph.space("Harbour")
    graph.apply(space, page_of("Tides", "Low water"))
    ada = signed_in(ADA)
    page = ada.page

    # She invites two people, whose links she may hand over herself.
    page.get_by_role("link", name="Administration").first.click()
    expect(page.get_by_role("heading", level=1, name="Members")).to_be_visible()
    page.get_by_role("button", name="Invite people").click()
    dialog = page.get_by_role("dialog", name="Invite people")
    dialog.get_by_label("Addresses").fill("ines@harbour.example, jonas@harbour.example")
    # What was typed is there again after a reload.
    page.reload()
    page.get_by_role("button", name="Invite people").click()
    expect(dialog.get_by_label("Addresses")).to_have_value(
        "ines@harbour.example, jonas@harbour.example"
    )
    dialog.get_by_role("button", name="Invite", exact=True).click()
    expect(dialog.get_by_text("2 people are invited.")).to_be_visible()
    dialog.get_by_role("button", name="Close").last.click()
    page.get_by_role("link", name="Invitations").click()
    expect(page.get_by_text("ines@harbour.example").first).to_be_visible()
    expect(page.get_by_text("jonas@harbour.example").first).to_be_visible()
    page.get_by_role("button", name="Revoke jonas@harbour.example").click()
    page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
    expect(page.get_by_text("jonas@harbour.example")).to_have_count(0)

    # She changes a role; giving up the last one that administers is refused, and taken back.
    page.get_by_role("link", name="Members").click()
    role = page.get_by_label("Role of Grete Jansen")
    role.select_option("COMMENT")
    expect(role).to_be_enabled()
    page.reload()
    expect(role).to_have_value("COMMENT")
    own = page.get_by_label("Role of Ada Okafor")
    own.select_option("READ")
    expect(page.get_by_text("It was set back to what it was:")).to_be_visible()
    expect(page.get_by_role("alert")).to_contain_text("admin")
    expect(own).to_have_value("ADMIN")
    page.get_by_role("button", name="Details Grete Jansen").click()
    expect(page.get_by_text("What they may do in spaces")).to_be_visible()

    # She makes a site, publishes it, and gives a link to a circle of readers.
    page.keyboard.press("g")
    page.keyboard.press("s")
    expect(page.get_by_role("heading", level=1, name="Sites")).to_be_visible()
    page.get_by_role("button", name="New site").click()
    dialog = page.get_by_role("dialog", name="New site")
    dialog.get_by_label("Title").fill("Harbour guide")
    dialog.get_by_label("First space").select_option(space)
    dialog.get_by_role("button", name="Create").click()
    expect(page.get_by_role("heading", level=1, name="Harbour guide")).to_be_visible()
    page.get_by_role("button", name="Publish", exact=True).click()
    expect(page.get_by_text("Published", exact=True)).to_be_visible()
    page.get_by_label("Audience").select_option("SHARE_LINK")
    expect(page.get_by_label("Audience")).to_be_enabled()
    page.get_by_role("link", name="Sharing").click()
    page.get_by_role("button", name="New share link").click()
    page.get_by_role("dialog").get_by_label("For whom").fill("Pilots")
    page.get_by_role("dialog").get_by_role("button", name="Create").click()
    link = page.get_by_label("Pilots", exact=True)
    expect(link).to_have_value(re.compile("^http"))
    reader = ada.context.new_page()
    answer = reader.goto(link.input_value())
    assert answer is not None
    assert answer.status == 200
    expect(reader.get_by_role("heading", level=1)).to_have_text("Harbour")
    reader.close()

    # Its look: what she does not change stays as it was.
    page.get_by_role("link", name="Look").click()
    page.get_by_label("Copyright line at the foot").fill("© The harbour")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved. Readers see it from now on.")).to_be_visible()
    page.reload()
    expect(page.get_by_label("Copyright line at the foot")).to_have_value("© The harbour")

    # A token is shown once.
    ada.go("/~/tokens")
    page.get_by_role("button", name="New token").click()
    page.get_by_role("dialog").get_by_label("Label").fill("night import")
    page.get_by_role("dialog").get_by_role("button", name="Create").click()
    secret = page.get_by_label("The new token", exact=True)
    expect(secret).to_have_value(re.compile("^docstead_"))
    page.reload()
    expect(page.get_by_text("night import").first).to_be_visible()
    expect(secret).to_have_count(0)

    # All of it is in the audit log, and can be looked for.
    ada.go(f"/o/{graph.organization}/~/audit")
    table = page.get_by_role("table")
    expect(table.get_by_text("create share link").first).to_be_visible()
    page.get_by_label("Action", exact=True).fill("updateMember")
    page.get_by_role("button", name="Filter").click()
    expect(table.get_by_text("create share link")).to_have_count(0)
    expect(table.get_by_role("row").filter(has_text="Grete Jansen").first).to_contain_text(
        "comment"
    )
    ada.fine()


def test_the_tree_is_changed_in_a_change_request(signed_in: Any, graph: Graph) -> None:
    space = graph.space("Pilot book")
    graph.apply(space, *(page_of(title, title) for title in ("Alpha", "Bravo", "Charlie")))
    ada = signed_in(ADA)
    page = ada.page
    ada.go(f"/s/{space}/alpha")
    tree = page.get_by_role("treegrid", name="Pages")
    page.get_by_role("button", name="New page").click()
    page.get_by_role("menuitem", name="New page").click()
    page.get_by_role("dialog", name="New page").get_by_label("Title").fill("Delta")
    page.get_by_role("dialog", name="New page").get_by_role("button", name="Create").click()
    # It is in a change request that began with it; readers have the space as it was.
    expect(page.get_by_role("heading", level=1, name="Delta")).to_be_visible()
    expect(page.get_by_text("Pages of change request #1")).to_be_visible()
    expect(tree.get_by_role("row", name="Delta")).to_be_visible()

    # By keys: up, then by dragging: behind the last one again.
    tree.get_by_role("row", name="Delta").focus()
    page.keyboard.press("Alt+ArrowUp")
    expect(page.get_by_text("Delta was moved.")).to_be_visible()
    # The page that every space begins with is the first.
    expect(tree.get_by_role("row").nth(3)).to_contain_text("Delta")
    tree.get_by_role("row", name="Charlie").hover()
    tree.get_by_role("row", name="Charlie").get_by_role(
        "button", name="Actions for Charlie"
    ).click()
    page.get_by_role("menuitem", name="Move below the page above").click()
    expect(page.get_by_text("Charlie was moved.")).to_be_visible()
    expect(tree.get_by_role("row")).to_have_count(4)

    # Renamed by its key, removed with a question, and back again.
    tree.get_by_role("row", name="Bravo").focus()
    page.keyboard.press("F2")
    page.get_by_role("dialog", name="Rename").get_by_label("Title").fill("Bravissimo")
    page.get_by_role("dialog", name="Rename").get_by_role("button", name="Save").click()
    expect(tree.get_by_role("row", name="Bravissimo")).to_be_visible()
    tree.get_by_role("row", name="Bravissimo").focus()
    page.keyboard.press("Delete")
    page.get_by_role("dialog", name="Remove Bravissimo?").get_by_role(
        "button", name="Remove"
    ).click()
    expect(page.get_by_text("Bravissimo was removed.")).to_be_visible()
    expect(tree.get_by_role("row", name="Bravissimo")).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(tree.get_by_role("row").nth(2)).to_contain_text("Bravissimo")

    # What somebody else has removed meanwhile cannot be renamed: it is taken back, with the reason.
    query = 'query ($id: ID!) { space(id: $id) { changeRequest(id: "1") { id } pageByPath(path: "alpha") { pageId } } }'  # noqa: E501
    there = graph(query, id=space)["space"]
    tree.get_by_role("row", name="Alpha").focus()
    page.keyboard.press("F2")
    dialog = page.get_by_role("dialog", name="Rename")
    dialog.get_by_label("Title").fill("Omega")
    graph.apply(
        space,
        {"deletePage": {"page": there["pageByPath"]["pageId"]}},
        change=there["changeRequest"]["id"],
    )
    dialog.get_by_role("button", name="Save").click()
    expect(page.get_by_text("It was taken back:")).to_be_visible()
    expect(tree.get_by_role("row", name="Omega")).to_have_count(0)
    expect(tree.get_by_role("row", name="Alpha")).to_have_count(0)

    # By dragging without a mouse: the handle, Enter, arrows, Enter.
    tree.get_by_role("row", name="Delta").focus()
    page.keyboard.press("ArrowRight")
    handle = tree.get_by_role("row", name="Delta").get_by_role("button", name="Drag Delta")
    handle.focus()
    page.keyboard.press("Enter")
    for _ in range(3):
        page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Delta was moved.")).to_be_visible()
    ada.fine()


def test_documentation_is_imported_and_people_are_told(
    signed_in: Any, graph: Graph, tmp_path: Path
) -> None:
    space = graph.space("Imported")
    graph.apply(space, page_of("First", "Here before"))
    ada, chidi = signed_in(ADA), signed_in(CHIDI)
    page = ada.page
    source = tmp_path / "buoys.md"
    source.write_text("# Buoys\n\nThey mark the fairway.\n", encoding="utf-8")
    ada.go(f"/s/{space}/~/import")
    page.get_by_label("File", exact=True).set_input_files(source)
    page.get_by_label("Into").select_option("space")
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_text("1 page was made or updated.")).to_be_visible()
    page.get_by_role("treegrid", name="Pages").get_by_role("row", name="Buoys").click()
    expect(page.get_by_text("They mark the fairway.")).to_be_visible()
    ada.go(f"/o/{graph.organization}/~/jobs")
    expect(page.get_by_text("Import: Imported").first).to_be_visible()

    # Chidi is asked for a review, and sees it without a reload; reading it takes it off the count.
    change = graph(CREATE_CHANGE, id=space, input={"subject": "Look at the buoys"})
    asked = "mutation ($id: ID!, $change: ID!, $input: RequestReviewersInput!) { requestReviewers(spaceId: $id, changeRequestId: $change, input: $input) { changeRequest { id } } }"  # noqa: E501
    people = graph(
        "query ($id: ID!) { organization(id: $id) { members(first: 20) { nodes { userId user { email } } } } }",  # noqa: E501
        id=graph.organization,
    )
    who = {
        one["user"]["email"]: one["userId"] for one in people["organization"]["members"]["nodes"]
    }
    graph(
        asked, id=space, change=change["createChangeRequest"]["id"],
        input={"users": [who[CHIDI]]},
    )  # fmt: skip
    bell = chidi.page.get_by_role("link", name="unread").first
    expect(bell).to_be_visible()
    bell.click()
    notice = chidi.page.get_by_role("listitem").filter(has_text="buoys").first
    expect(notice).to_be_visible()
    chidi.page.get_by_role("button", name="Mark all as read").click()
    expect(chidi.page.get_by_role("link", name="Notifications", exact=True).first).to_be_visible()
    expect(chidi.page.get_by_role("button", name="Mark all as read")).to_have_count(0)
    ada.fine()
    chidi.fine()
