"""The Workbench where there is much of everything: what is beyond the first portion can be reached,
and no view draws all of it at once."""

import sqlite3
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from db.ids import new_id
from db.text_order import sort_key
from tests.browser.conftest import Shown
from tests.browser.test_workbench_administration import CREATE_CHANGE
from tests.browser.workbench import Graph, Person, at_browser, organization_apart, page_of

EMAIL = "many@example.com"
# More than a view draws of one list, and than the graph gives of it at once.
TEAMS, CHANGED = 1_070, 1_045
# More than the choice of a space lists, than my work shows first, and than a difference draws.
SPACES, REQUESTS, BLOCKS = 105, 24, 400
PRESS_OFTEN = """async (button, times) => {
  for (let time = 0; time < times; time++) {
    button.click();
    await new Promise(requestAnimationFrame);
  }
}"""


@pytest.fixture(scope="module")
def much(site: Shown) -> Graph:
    return organization_apart(site, EMAIL, "Many")


@pytest.fixture
def person(browser: Browser, site: Shown, much: Graph) -> Iterator[Person]:
    with at_browser(browser, site, EMAIL) as person:
        yield person


def test_many_spaces_and_change_requests(person: Person, much: Graph) -> None:
    spaces = [much.space(f"Space {number:03}") for number in range(SPACES)]
    for number in range(REQUESTS):
        much(CREATE_CHANGE, id=spaces[0], input={"subject": f"Request {number:02}"})
    page = person.page
    person.go("/")
    mine = page.locator("section").filter(
        has=page.get_by_role("heading", name="My change requests")
    )
    requests = mine.last.get_by_role("link", name="Request")
    expect(requests).to_have_count(20)
    page.get_by_role("button", name="Show more My change requests").click()
    expect(requests).to_have_count(REQUESTS)

    person.go(f"/o/{much.organization}")
    cards = page.locator("main").get_by_role("link", name="Space ")
    expect(cards).to_have_count(50)
    page.get_by_role("button", name="Show more Spaces").click()
    expect(cards).to_have_count(100)

    # A list of so many is no list to choose from: what is looked for is typed.
    person.go(f"/o/{much.organization}/~/sites")
    page.get_by_role("button", name="New site").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Title").fill("Of many")
    # Until it is known how many there are, it is a list of none.
    box = dialog.locator("input[role=combobox]")
    expect(box).to_have_accessible_name("First space")
    box.fill("space 07")
    page.get_by_role("option", name="Space 077").click()
    dialog.get_by_role("button", name="Create").click()
    expect(page.get_by_role("heading", level=1, name="Of many")).to_be_visible()
    query = (
        "query ($id: ID!) { site(id: $id) { siteSpaces(first: 5) { nodes { space { title } } } } }"
    )
    made = much(query, id=page.url.rpartition("/")[2])["site"]["siteSpaces"]["nodes"]
    assert [one["space"]["title"] for one in made] == ["Space 077"]

    # What is typed and not chosen is no space.
    page.get_by_role("link", name="Content", exact=True).click()
    page.get_by_role("button", name="Add a space").click()
    dialog.get_by_role("combobox", name="Space").fill("Space 08")
    page.keyboard.press("Escape")
    if dialog.count() == 0:
        page.get_by_role("button", name="Add a space").click()
    dialog.get_by_role("button", name="Add").click()
    expect(dialog.get_by_role("alert").filter(has_text="Choose a space")).to_be_visible()
    dialog.get_by_role("combobox", name="Space").fill("Space 088")
    page.get_by_role("option", name="Space 088").click()
    dialog.get_by_role("button", name="Add").click()
    expect(page.get_by_role("treegrid").get_by_role("link", name="Space 088")).to_be_visible()


def test_a_difference_of_hundreds_of_blocks(person: Person, much: Graph) -> None:
    space = much.space("Long")
    # Each block stays like itself, and is like no other.
    lines = [
        f"Paragraph {number} of {number * 7919} words {number * 104729}" for number in range(BLOCKS)
    ]
    much.apply(space, page_of("Long", "\n\n".join(lines)))
    query = 'query ($id: ID!) { space(id: $id) { pageByPath(path: "long") { pageId } } }'
    change = much(CREATE_CHANGE, id=space, input={"subject": "All of it"})["createChangeRequest"][
        "id"
    ]
    page_id = much(query, id=space)["space"]["pageByPath"]["pageId"]
    edit = {"page": page_id, "body": {"markdown": "\n\n".join(f"{line} more" for line in lines)}}
    much.apply(space, {"updatePage": edit}, change=change)
    page = person.page
    person.go(f"/s/{space}/~/changes/1?tab=changes")
    blocks = page.get_by_role("group", name="Block edited")
    expect(blocks.first).to_be_visible()
    assert blocks.count() < BLOCKS / 2
    while (more := page.get_by_role("button", name="Show more:")).count():
        more.click()
    expect(blocks).to_have_count(BLOCKS)


def copied(site: Shown, table: str, key: str, count: int) -> None:
    """`count` rows like the one of `table` with this id, whose titles are numbered."""
    with sqlite3.connect(site.data_dir / "docstead.sqlite3") as database:
        database.row_factory = sqlite3.Row
        row = dict(database.execute(f"SELECT * FROM {table} WHERE id = ?", (key,)).fetchone())
        rows = []
        for number in range(count):
            title = f"Crew {number:04}"
            rows.append({**row, "id": new_id(), "title": title, "title_key": sort_key(title)})
        names = ", ".join(row)
        values = ", ".join(f":{name}" for name in row)
        database.executemany(f"INSERT INTO {table} ({names}) VALUES ({values})", rows)


def test_lists_go_on_in_parts(person: Person, much: Graph, site: Shown) -> None:
    create = """mutation ($id: ID!, $input: CreateTeamInput!) {
      createTeam(organizationId: $id, input: $input) { id } }"""
    team = much(create, id=much.organization, input={"title": "First of all"})["createTeam"]["id"]
    copied(site, "team", team, TEAMS - 1)
    page = person.page
    person.go(f"/o/{much.organization}/~/teams")
    # By what is written: to compute what each of a thousand buttons is called takes seconds.
    rows = page.locator("main ul > li").filter(has=page.locator("button", has_text="Rename"))
    expect(rows).to_have_count(50)
    more = page.get_by_role("button", name="Show more")
    for shown in (100, 150):
        more.click()
        expect(rows).to_have_count(shown)
    # Pressed before the answers come, which take the longer the more is shown.
    more.evaluate(PRESS_OFTEN, (1_000 - 150) // 50)
    expect(rows).to_have_count(1_000)
    expect(more).to_have_count(0)
    first = set(rows.locator("bdi").all_inner_texts())
    # The part behind these stands in their place, and whoever asked for it is above it.
    page.get_by_role("button", name="Go to part 2").click()
    expect(rows).to_have_count(50)
    expect(page.get_by_role("heading", level=1, name="Teams")).to_be_focused()
    expect(page.get_by_text("Part 2 of the list")).to_be_visible()
    more.click()
    expect(rows).to_have_count(TEAMS - 1_000)
    second = set(rows.locator("bdi").all_inner_texts())
    assert len(first | second) == TEAMS
    expect(more).to_have_count(0)
    page.get_by_role("button", name="Go to part 1").click()
    expect(rows).to_have_count(1_000)
    assert set(rows.locator("bdi").all_inner_texts()) == first
    # Any of them can be given a role, also those that no list of 500 has.
    space = much.space("For crews")
    person.go(f"/s/{space}/~/people")
    page.get_by_role("combobox", name="Give it to a team").fill("crew 1066")
    page.get_by_role("option", name="Crew 1066").click()
    expect(page.get_by_label("Role of Crew 1066")).to_have_value("EDIT")


def test_all_changes_of_a_change_request_are_reached(person: Person, much: Graph) -> None:
    space = much.space("Changed")
    change = much(CREATE_CHANGE, id=space, input={"subject": "A lot"})["createChangeRequest"]["id"]
    for start in range(0, CHANGED, 200):
        numbers = range(start, min(start + 200, CHANGED))
        much.apply(space, *(page_of(f"Page {one:04}", "Text") for one in numbers), change=change)
    page = person.page
    person.go(f"/s/{space}/~/changes/1?tab=changes")
    changes = page.get_by_role("list", name="What has changed").get_by_role("listitem")
    expect(changes).to_have_count(500)
    expect(page.get_by_text(f"{CHANGED} changes", exact=True)).to_be_visible()
    expect(page.get_by_text(f"{CHANGED - 500} more changes are not shown.")).to_be_visible()
    page.get_by_role("button", name="Show more Changes").click()
    expect(changes).to_have_count(1_000)
    page.get_by_role("button", name="Go to part 2").click()
    expect(changes).to_have_count(CHANGED - 1_000)
    expect(changes.last).to_contain_text(f"Page {CHANGED - 1:04}")
    # Each can be looked at.
    last = page.get_by_role("group", name=f"Page {CHANGED - 1:04}")
    last.locator("summary").click()
    expect(last.get_by_role("link", name="Read the page")).to_be_visible()
    page.get_by_role("button", name="Go to part 1").click()
    expect(changes).to_have_count(1_000)
