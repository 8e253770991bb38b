"""Administration in the Workbench: people, sites, work that runs, and changing the page tree."""

import re
from pathlib import Path
from typing import Any

from playwright.sync_api import expect

from tests.browser import workbench
from tests.browser.conftest import eventually, findings, wait_until
from tests.browser.workbench import ADA, CHIDI, NARROW, Graph, look_at, page_of
from tests.events import event

graph, sessions, signed_in = workbench.graph, workbench.sessions, workbench.signed_in

CREATE_SITE = "mutation ($id: ID!, $input: CreateSiteInput!) { createSite(organizationId: $id, input: $input) { id } }"  # noqa: E501
CREATE_CHANGE = "mutation ($id: ID!, $input: CreateChangeRequestInput!) { createChangeRequest(spaceId: $id, input: $input) { id } }"  # noqa: E501

COLLECTION = "mutation ($id: ID!, $input: CreateCollectionInput!) { createCollection(organizationId: $id, input: $input) { id } }"  # noqa: E501


def mutation_of(name: str, type: str) -> str:
    call = f"{name}(id: $id, input: $input) {{ __typename }}"
    return f"mutation ($id: ID!, $input: {type}!) {{ {call} }}"


def test_every_view_of_administration_is_accessible_and_fits(
    signed_in: Any, graph: Graph, axe: str, artifacts: Path
) -> None:
    space = graph.space("Run")
    graph.apply(space, page_of("Page", "Text"))
    site = graph(CREATE_SITE, id=graph.organization, input={"title": "Run", "spaces": [space]})
    made = graph(COLLECTION, id=graph.organization, input={"title": "Papers"})
    collection = made["createCollection"]["id"]
    for kind, on in (("Space", space), ("Collection", collection)):
        given = {"users": [CHIDI], "role": "REVIEW"}
        graph(mutation_of(f"inviteTo{kind}", "InviteInput"), id=on, input=given)
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
        "access": (f"/s/{space}/~/people", "People and roles"),
        "access-collection": (f"/c/{collection}/~/people", "People and roles"),
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
    ada = signed_in(ADA, home=True)
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
    dialog.get_by_label("Title", exact=True).fill("Harbour guide")
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
    expect(page.get_by_text("Delta was moved.").first).to_be_visible()
    # The page that every space begins with is the first.
    expect(tree.get_by_role("row").nth(3)).to_contain_text("Delta")
    tree.get_by_role("row", name="Charlie").hover()
    tree.get_by_role("row", name="Charlie").get_by_role(
        "button", name="Actions for Charlie"
    ).click()
    page.get_by_role("menuitem", name="Move below the page above").click()
    expect(page.get_by_text("Charlie was moved. Charlie is below Delta now.").first).to_be_visible()
    expect(tree.get_by_role("row")).to_have_count(5)
    expect(tree.get_by_role("row", name="Charlie")).to_have_attribute("aria-level", "2")

    # Renamed by its key, removed with a question, and back again.
    tree.get_by_role("row", name="Bravo").focus()
    page.keyboard.press("F2")
    page.get_by_role("dialog", name="Rename").get_by_label("Title").fill("Bravissimo")
    page.get_by_role("dialog", name="Rename").get_by_role("button", name="Save").click()
    expect(page.get_by_role("dialog", name="Rename")).to_have_count(0)
    expect(tree.get_by_role("row", name="Bravissimo")).to_be_visible()
    tree.get_by_role("row", name="Bravissimo").focus()
    page.keyboard.press("Delete")
    page.get_by_role("dialog", name="Remove Bravissimo?").get_by_role(
        "button", name="Remove"
    ).click()
    expect(page.get_by_text("Bravissimo was removed.").first).to_be_visible()
    expect(tree.get_by_role("row", name="Bravissimo")).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(tree.get_by_role("row").nth(2)).to_contain_text("Bravissimo")

    # What somebody else has removed meanwhile cannot be renamed: the dialog says why, with what was
    # typed, and the tree is as it was.
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
    expect(dialog.get_by_role("alert")).to_be_visible()
    expect(dialog.get_by_label("Title")).to_have_value("Omega")
    dialog.get_by_role("button", name="Cancel").click()
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
    expect(page.get_by_text("Delta was moved.").first).to_be_visible()
    ada.fine()


def test_documentation_is_imported_and_people_are_told(
    signed_in: Any, graph: Graph, tmp_path: Path
) -> None:
    space = graph.space("Imported")
    graph.apply(space, page_of("First", "Here before"))
    ada, chidi = signed_in(ADA), signed_in(CHIDI, home=True)
    page = ada.page
    source = tmp_path / "buoys.md"
    source.write_text("# Buoys\n\nThey mark the fairway.\n", encoding="utf-8")
    ada.go(f"/s/{space}/~/import")
    page.get_by_label("File", exact=True).set_input_files(source)
    page.get_by_label("Into").select_option("space")
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_text("1 page or file was taken over.")).to_be_visible()
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


# Everything that can be reached from what the view shows: states and properties of its components,
# without the copies of an earlier drawing.
HOLDS = """(words) => {
  const root = document.querySelector('[id]:has(main), body > div');
  const key = Object.getOwnPropertyNames(root).find((one) => one.startsWith('__reactContainer'));
  const seen = new Set();
  const open = [root[key].stateNode.current];
  const left = new Set(['alternate', 'return', 'stateNode', '_owner', 'deletions']);
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === 'string' && value.includes(words)) return true;
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    if (value instanceof Node || value === window) continue;
    seen.add(value);
    if (value instanceof Map) open.push(...value.keys(), ...value.values());
    else if (value instanceof Set) open.push(...value);
    else for (const name of Object.keys(value)) if (!left.has(name)) open.push(value[name]);
  }
  return false;
}"""
SECTION = "mutation ($site: ID!, $input: AddSiteSectionInput!) { addSiteSection(siteId: $site, input: $input) { id } }"  # noqa: E501
ORDER = """query ($id: ID!) { site(id: $id) {
  sections(first: 20) { nodes { title sectionGroup { title } siteSpaces(first: 20) { nodes { title } } } }
  redirects(first: 9) { nodes { source destination { kind page { title } siteSpace { title } } } } } }"""  # noqa: E501


def test_a_secret_is_nowhere_when_it_was_shown(signed_in: Any) -> None:
    ada = signed_in(ADA)
    page = ada.page
    ada.go("/~/tokens")
    page.get_by_role("button", name="New token").click()
    page.get_by_role("dialog").get_by_label("Label").fill("shown once")
    page.get_by_role("dialog").get_by_role("button", name="Create").click()
    secret = page.get_by_label("The new token", exact=True).input_value()
    assert page.evaluate(HOLDS, secret), "while it is shown it is there"
    page.get_by_role("dialog").get_by_role("button", name="Close").last.click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    # React has the last drawing beside the present one: after the next two it is gone.
    for _ in range(2):
        page.get_by_role("button", name="New token").click()
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)
    assert not page.evaluate(HOLDS, secret)
    assert secret not in page.evaluate("JSON.stringify([{...sessionStorage}, {...localStorage}])")
    ada.fine()


CHOOSE_AT_ONCE = """(id) => new MutationObserver((_, observer) => {
  const option = document.querySelector(`option[value="${id}"]`);
  if (option === null) return;
  observer.disconnect();
  option.selected = true;
  option.parentElement.dispatchEvent(new Event("change", { bubbles: true }));
}).observe(document.body, { childList: true, subtree: true })"""


def test_a_site_is_put_in_order(signed_in: Any, graph: Graph, axe: str) -> None:
    spaces = {title: graph.space(title) for title in ("North", "South", "West", "Spare", "Late")}
    graph.apply(spaces["South"], page_of("Piers", "Where ships lie"))
    made = graph(CREATE_SITE, id=graph.organization, input={"title": "Coast", "spaces": []})
    site = made["createSite"]["id"]
    for title in ("North", "South", "West"):
        graph(SECTION, site=site, input={"spaceId": spaces[title], "title": f"{title} coast"})

    def order() -> list[tuple[str, list[str]]]:
        nodes = graph(ORDER, id=site)["site"]["sections"]["nodes"]
        return [
            (one["title"], [space["title"] for space in one["siteSpaces"]["nodes"]])
            for one in nodes
        ]

    ada = signed_in(ADA)
    page = ada.page
    ada.go(f"/o/{graph.organization}/sites/{site}?tab=content")
    tree = page.get_by_role("treegrid", name="Structure of the site")
    expect(tree.get_by_role("row")).to_have_count(6)
    # Chosen in the moment in which it is there: the first of the list does not take its place.
    page.evaluate(CHOOSE_AT_ONCE, spaces["Spare"])
    page.get_by_role("button", name="Add a space").click()
    dialog = page.get_by_role("dialog", name="Add a space")
    expect(dialog.get_by_label(re.compile("^Space"))).to_have_value(spaces["Spare"])
    dialog.get_by_role("button", name="Add").click()
    expect(tree.get_by_role("row")).to_have_count(7)
    assert order()[0] == ("North coast", ["North", "Spare"])

    # By keys: on into the section below, and undone.
    tree.get_by_role("row", name="Spare").focus()
    page.keyboard.press("Alt+ArrowDown")
    expect(page.get_by_text("Spare was moved.").first).to_be_visible()
    assert order()[:2] == [("North coast", ["North"]), ("South coast", ["Spare", "South"])]
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("It is as it was before.").first).to_be_visible()
    assert order()[:2] == [("North coast", ["North", "Spare"]), ("South coast", ["South"])]
    # A section by its menu; at the end it says that there is no further.
    row = tree.get_by_role("row", name="North coast")
    row.hover()
    row.get_by_role("button", name="Actions for North coast").click()
    page.get_by_role("menuitem", name="Move down").click()
    expect(page.get_by_text("North coast was moved.").first).to_be_visible()
    assert [title for title, _ in order()] == ["South coast", "North coast", "West coast"]
    tree.get_by_role("row", name="South coast").focus()
    page.keyboard.press("Alt+ArrowUp")
    expect(page.get_by_text("It cannot move further that way.").first).to_be_visible()

    # With the mouse: the last section before the first.
    tree.get_by_role("row", name="West coast").hover()
    tree.get_by_role("row", name="West coast").drag_to(
        tree.get_by_role("row", name="South coast"), target_position={"x": 200, "y": 3}
    )
    expect(page.get_by_text("West coast was moved.").first).to_be_visible()
    assert [title for title, _ in order()] == ["West coast", "South coast", "North coast"]

    # A group, into which a section goes; what is refused is taken back.
    page.get_by_role("button", name="Add a group").click()
    page.get_by_role("dialog", name="Add a group").get_by_label("Title").fill("All coasts")
    page.get_by_role("dialog", name="Add a group").get_by_role("button", name="Add").click()
    expect(tree.get_by_role("row", name="All coasts")).to_be_visible()
    tree.get_by_role("row", name="All coasts").focus()
    page.keyboard.press("Alt+ArrowUp")
    expect(page.get_by_text("All coasts was moved.").first).to_be_visible()
    tree.get_by_role("row", name="North coast").focus()
    page.keyboard.press("Alt+ArrowRight")
    expect(page.get_by_text("North coast was moved.").first).to_be_visible()
    grouped = graph(ORDER, id=site)["site"]["sections"]["nodes"]
    assert [one["title"] for one in grouped if one["sectionGroup"]] == ["North coast"]
    assert findings(page, axe) == []

    # A space goes into the section that is shown, also where another one stands first.
    page.get_by_role("button", name="Add a space").click()
    dialog = page.get_by_role("dialog", name="Add a space")
    dialog.get_by_label(re.compile("^Space")).select_option(spaces["Late"])
    into = dialog.get_by_label("Into").evaluate("choice => choice.selectedOptions[0].label")
    dialog.get_by_role("button", name="Add").click()
    expect(tree.get_by_role("row", name="Late")).to_be_visible()
    assert "Late" in dict(order())[into]

    # A redirect to a page, which is chosen by a word of it.
    page.get_by_role("link", name="Redirects").click()
    page.get_by_role("button", name="New redirect").click()
    dialog = page.get_by_role("dialog", name="New redirect")
    dialog.get_by_label("Former path").fill("/old/piers")
    dialog.get_by_label(re.compile("^Space")).select_option(label="South")
    dialog.get_by_role("button", name="Add").click()
    expect(dialog.get_by_text("Choose a page from the list.")).to_be_visible()
    dialog.get_by_role("combobox", name="Page").fill("piers")
    page.get_by_role("option", name="Piers").click()
    dialog.get_by_role("button", name="Add").click()
    expect(page.get_by_role("link", name="Piers (South)")).to_be_visible()
    (redirect,) = graph(ORDER, id=site)["site"]["redirects"]["nodes"]
    assert redirect["destination"] == {
        "kind": "SITE_PAGE", "page": {"title": "Piers"}, "siteSpace": {"title": "South"}
    }  # fmt: skip
    ada.fine()


def test_a_host_name_says_what_dns_needs(signed_in: Any, graph: Graph) -> None:
    made = graph(CREATE_SITE, id=graph.organization, input={"title": "Named", "spaces": []})
    ada = signed_in(ADA)
    page = ada.page
    ada.go(f"/o/{graph.organization}/sites/{made['createSite']['id']}?tab=domain")
    page.get_by_label("Host name").fill("docs.nowhere.invalid")
    page.get_by_role("button", name="Use a host name").click()
    row = page.get_by_role("region", name="What DNS needs").get_by_role("row").nth(1)
    expect(row).to_contain_text("CNAME")
    expect(row).to_contain_text("docs.nowhere.invalid")
    expect(row).to_contain_text("127.0.0.1")
    ada.fine()


KEEPS = "query ($id: ID!) { site(id: $id) { customization { title styling { primaryColor { light } font { name } } } } }"  # noqa: E501


def test_a_look_is_seen_before_it_is_saved(
    signed_in: Any, graph: Graph, axe: str, artifacts: Path
) -> None:
    space = graph.space("Lights")
    graph.apply(space, page_of("Buoys", "They blink."), page_of("Towers", "They turn."))
    made = graph(CREATE_SITE, id=graph.organization, input={"title": "Lights", "spaces": [space]})
    site = made["createSite"]["id"]
    ada = signed_in(ADA)
    page = ada.page
    address = f"/o/{graph.organization}/sites/{site}?tab=look"
    ada.go(address)
    # Nothing is shown of a site that nobody can see.
    expect(page.get_by_text("Publish the site to see here")).to_be_visible()
    graph("mutation ($id: ID!) { publishSite(id: $id) { id } }", id=site)
    ada.go(address)
    frame = page.frame_locator("iframe:not([data-coming])")
    expect(frame.get_by_role("heading", level=1, name="Lights")).to_be_visible()

    # She goes to a page of it, and stays there while she changes a colour, a font, the title.
    frame.get_by_role("link", name="Towers").first.click()
    expect(frame.get_by_role("heading", level=1, name="Towers")).to_be_visible()
    page.get_by_label("Title, if not that of the site").fill("Lights of the coast")
    expect(frame.get_by_role("link", name="Lights of the coast").first).to_be_visible()
    expect(frame.get_by_role("heading", level=1, name="Towers")).to_be_visible()
    page.get_by_label("Main colour, light").fill("#8a1f5c")
    page.get_by_label("Light or dark in the preview").select_option("LIGHT")
    accent = "getComputedStyle(document.documentElement).getPropertyValue('--accent').trim()"
    shown = frame.locator("html")
    expect(shown).to_have_attribute("data-theme", "light")
    wait_until(
        page,
        f"""() => {{ const document = window.document.querySelector('iframe:not([data-coming])')
        .contentDocument; return {accent} === '#8a1f5c' }}""",
    )
    page.get_by_label(re.compile("^Font")).select_option("MERRIWEATHER")
    wait_until(
        page,
        """() => { const { contentDocument } = document.querySelector('iframe:not([data-coming])');
        return getComputedStyle(contentDocument.body).fontFamily.includes('Merriweather') }""",
    )
    page.get_by_label("Light or dark in the preview").select_option("DARK")
    expect(shown).to_have_attribute("data-theme", "dark")
    expect(frame.get_by_role("heading", level=1, name="Towers")).to_be_visible()
    # It runs nothing, and reaches nothing of the page around it.
    assert page.locator("iframe").first.get_attribute("sandbox") == "allow-same-origin"
    assert findings(page, axe) == []
    page.screenshot(path=artifacts / "workbench-look-preview.png")
    page.set_viewport_size(NARROW)
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
    assert findings(page, axe) == []
    page.screenshot(path=artifacts / "workbench-look-preview-narrow.png", full_page=True)

    # Nobody else sees any of it; when it is saved, everybody does.
    assert graph(KEEPS, id=site)["site"]["customization"]["title"] is None
    page.reload()
    expect(page.get_by_label("Title, if not that of the site")).to_have_value("Lights of the coast")
    with page.expect_popup() as tab:
        page.get_by_role("link", name="Open in a tab").click()
    expect(tab.value.get_by_role("link", name="Lights of the coast").first).to_be_visible()
    tab.value.close()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved. Readers see it from now on.")).to_be_visible()
    look = graph(KEEPS, id=site)["site"]["customization"]
    assert look["title"] == "Lights of the coast"
    assert look["styling"] == {
        "primaryColor": {"light": "#8a1f5c"}, "font": {"name": "MERRIWEATHER"}
    }  # fmt: skip
    ada.fine()


def test_keys_are_written_in_their_order(signed_in: Any, graph: Graph) -> None:
    """Also when they come faster than answers: none is lost, in either tree."""
    titles = ("North", "South", "West", "East", "Centre")
    spaces = {title: graph.space(title) for title in titles}
    made = graph(CREATE_SITE, id=graph.organization, input={"title": "Quick", "spaces": []})
    site = made["createSite"]["id"]
    for title in titles:
        graph(SECTION, site=site, input={"spaceId": spaces[title], "title": title * 2})
    pages = graph.space("Quick pages")
    graph.apply(pages, *(page_of(title, title) for title in titles))
    ada = signed_in(ADA)
    page = ada.page
    sent: list[str] = []
    page.on(
        "request", lambda one: sent.append(one.post_data or "") if one.method == "POST" else None
    )

    # Answers take longer than keys.
    page.add_init_script(
        "const send = window.fetch; window.fetch = async (...all) => {"
        " await new Promise((done) => setTimeout(done, 120)); return send(...all); }"
    )
    ada.go(f"/o/{graph.organization}/sites/{site}?tab=content")
    tree = page.get_by_role("treegrid", name="Structure of the site")
    tree.get_by_role("row", name="CentreCentre").focus()
    for _ in range(4):
        page.keyboard.press("Alt+ArrowUp")
    expect(tree.get_by_role("row").first).to_contain_text("CentreCentre")
    expect(page.get_by_text("CentreCentre was moved.").first).to_be_visible()

    def sections() -> dict[str, list[str]]:
        """The spaces of the sections, in order."""
        nodes = graph(ORDER, id=site)["site"]["sections"]["nodes"]
        return {
            one["title"]: [space["title"] for space in one["siteSpaces"]["nodes"]] for one in nodes
        }

    order = ["CentreCentre", "NorthNorth", "SouthSouth", "WestWest", "EastEast"]
    eventually(page, lambda: list(sections()), order)
    assert len([one for one in sent if "sortSiteStructure" in one]) == 4
    # A space goes into the section above, and to its top: each step is one write.
    sent.clear()
    tree.get_by_role("row").filter(has=page.get_by_role("link", name="East")).last.focus()
    for _ in range(2):
        page.keyboard.press("Alt+ArrowUp")
    expect(page.get_by_text("East was moved.").first).to_be_visible()
    eventually(page, lambda: sections()["WestWest"], ["East", "West"])
    moves = [one for one in sent if "sortSiteStructure" in one or "updateSiteSpace" in one]
    assert len(moves) == 2

    # In the page tree, too: all of them go into one change request.
    ada.go(f"/s/{pages}")
    tree = page.get_by_role("treegrid", name="Pages")
    page.get_by_role("button", name="Drag Centre").wait_for(state="attached")
    tree.get_by_role("row", name="Centre").focus()
    # The first is written before the next key: the view changes when nothing more comes.
    with page.expect_response(lambda answer: "TreeWrite" in (answer.request.post_data or "")):
        page.keyboard.press("Alt+ArrowUp")
    for _ in range(2):
        page.keyboard.press("Alt+ArrowUp")
    expect(page.get_by_text("Pages of change request #1")).to_be_visible()
    expect(tree.get_by_role("row").nth(2)).to_contain_text("Centre")
    query = "query ($id: ID!) { space(id: $id) { changeRequests(first: 9) { nodes { number revision { pages(first: 9) { nodes { title } } } } } } }"  # noqa: E501

    def written() -> list[list[str]]:
        """The pages of each change request behind the one that every space begins with."""
        return [
            [one["title"] for one in change["revision"]["pages"]["nodes"]][1:]
            for change in graph(query, id=pages)["space"]["changeRequests"]["nodes"]
        ]

    eventually(page, written, [["North", "Centre", "South", "West", "East"]])
    ada.fine()


TRACK = "mutation ($id: ID!, $input: TrackInsightsEventsInput!) { trackInsightsEvents(siteId: $id, input: $input) }"  # noqa: E501


def test_what_readers_did_is_a_chart_with_words(
    signed_in: Any, graph: Graph, axe: str, artifacts: Path
) -> None:
    space = graph.space("Counted")
    made = graph(CREATE_SITE, id=graph.organization, input={"title": "Counted", "spaces": [space]})
    site = made["createSite"]["id"]
    graph("mutation ($id: ID!) { publishSite(id: $id) { id } }", id=site)
    events = []
    for at, path in enumerate(("guide", "guide", "guide", "guide", "api")):
        seen = event(location={"url": f"https://docs.example.com/{path}"},
                     session={"visitorId": f"reader {at % 3}"})  # fmt: skip
        events.append({**seen, "type": "PAGE_VIEW"})
    graph(TRACK, id=site, input={"events": events})
    ada = signed_in(ADA)
    page = ada.page
    address = f"/o/{graph.organization}/sites/{site}?tab=insights"
    look_at(ada, address, "Counted", "chart", axe, artifacts)
    page.get_by_label("Count").select_option("EVENTS_COUNT")
    chart = page.get_by_role("img", name="Events by day")
    expect(chart).to_have_accessible_name(re.compile("At most 5 on a day"))
    # On a phone its words are as large as others.
    size = "one => parseFloat(getComputedStyle(one.lastElementChild).fontSize)"
    assert chart.evaluate(size) >= 12
    page.get_by_label("Time").select_option("LAST_YEAR")
    expect(chart.locator("[title$=': 5']")).to_have_count(1)
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
    # The same numbers in tables, the address with most of them first.
    rows = page.get_by_role("table", name="Addresses with most events").get_by_role("row")
    expect(rows.nth(1)).to_contain_text("https://docs.example.com/guide")
    expect(rows.nth(1)).to_contain_text("4")
    ada.fine()
