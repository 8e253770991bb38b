"""The Workbench where a list goes on for very many rows: what is far is not drawn, and nothing
else is lost: the place, the focus, the order, the words that a browser looks for."""

import json
import re
import sqlite3
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from playwright.sync_api import Browser, CDPSession, Locator, Page, expect

from db.ids import new_id
from tests.browser.conftest import Shown, findings
from tests.browser.test_workbench_administration import CREATE_CHANGE
from tests.browser.workbench import (
    NARROW,
    WIDE,
    Graph,
    Person,
    at_browser,
    organization_apart,
    page_of,
)

EMAIL = "long@example.com"
ENTRIES, COMMENTS, REVISIONS, REPLIES = 1_600, 400, 120, 120
# Rows of portions, and those that may be drawn at once: what is near the screen, two or three
# portions. Without that there would be as many as of everything.
OF_LOG, OF_COMMENTS, OF_HISTORY = 40, 40, 25
DRAWN = 160
SEEN = """() => {
  const rows = [...document.querySelectorAll('tr[aria-rowindex]')];
  const row = rows.find((one) => one.getBoundingClientRect().top > 200);
  return row ? [row.getAttribute('aria-rowindex'), row.getBoundingClientRect().top] : null;
}"""
FAR = "document.querySelectorAll('[aria-hidden=true] [hidden=until-found]').length"


@pytest.fixture(scope="module")
def long(site: Shown) -> Graph:
    return organization_apart(site, EMAIL, "Long")


@pytest.fixture
def person(browser: Browser, site: Shown, long: Graph) -> Iterator[Person]:
    with at_browser(browser, site, EMAIL) as person:
        yield person


def copied(
    site: Shown, table: str, key: str, count: int, change: Callable[[int, dict[str, Any]], Any]
) -> None:
    """`count` rows like the one of `table` with this id, each changed by its number."""
    with sqlite3.connect(site.data_dir / "docstead.sqlite3") as database:
        database.row_factory = sqlite3.Row
        row = dict(database.execute(f"SELECT * FROM {table} WHERE id = ?", (key,)).fetchone())
        rows = [{**row, "id": new_id(), **change(number, row)} for number in range(count)]
        names, values = ", ".join(row), ", ".join(f":{name}" for name in row)
        database.executemany(f"INSERT INTO {table} ({names}) VALUES ({values})", rows)


def metrics(session: CDPSession) -> dict[str, float]:
    """What the browser has counted: layouts, styles, nodes."""
    return {one["name"]: one["value"] for one in session.send("Performance.getMetrics")["metrics"]}


def elements(page: Page) -> int:
    count: int = page.evaluate("document.getElementsByTagName('*').length")
    return count


def go_on(
    page: Page, button: Locator, last: Callable[[int], Locator], times: int, done: int
) -> None:
    """Press the button `times`, each time when the portion before is there."""
    for number in range(done, done + times):
        button.click()
        # An `expect` would read the whole page aloud for its message each time it is too early.
        last(number).wait_for(state="attached")


def test_an_audit_log_of_more_than_a_thousand_entries(
    person: Person, long: Graph, site: Shown, axe: str
) -> None:
    long.space("Looked at")
    entry = """query ($id: ID!) { organization(id: $id) { auditLog(first: 1) {
      nodes { id } } } }"""
    key = long(entry, id=long.organization)["organization"]["auditLog"]["nodes"][0]["id"]
    begin = datetime.now(UTC).replace(tzinfo=None) - timedelta(days=1)
    copied(
        site, "audit_entry", key, ENTRIES,
        lambda number, _: {
            "object_name": f"Thing {number:04}", "affected": json.dumps([]), "affected_count": 0,
            "at": str(begin - timedelta(minutes=number)),
        },
    )  # fmt: skip
    page = person.page
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")
    person.go(f"/o/{long.organization}/~/audit")
    rows = page.locator("tbody tr[aria-rowindex]")
    expect(rows).to_have_count(OF_LOG)
    older = page.get_by_role("button", name="Show older")

    def last(portion: int) -> Locator:
        return page.locator(f"tr[aria-rowindex='{(portion + 2) * OF_LOG + 1}']")

    portions = ENTRIES // OF_LOG
    go_on(page, older, last, 5, 0)
    few, begun = elements(page), metrics(session)
    go_on(page, older, last, 10, 5)
    early = metrics(session)
    go_on(page, older, last, portions - 27, 15)
    late = metrics(session)
    go_on(page, older, last, 10, portions - 12)
    ended, many = metrics(session), elements(page)
    # As much work for the 30th portion as for the tenth, and as much that is drawn.
    for name in ("LayoutCount", "RecalcStyleCount"):
        assert ended[name] - late[name] <= 2 * (early[name] - begun[name]) + 20, name
    assert rows.count() <= DRAWN
    assert many <= few + 6 * portions
    # The rest of it, where it ends, and how far one has come.
    while older.count():
        older.click()
        expect(older.and_(page.locator("[aria-disabled=true]"))).to_have_count(0)
    expect(rows.last).to_contain_text(f"Thing {ENTRIES - 1:04}")
    # What is far away has its room and its words.
    assert page.evaluate(FAR) > portions / 2
    assert "Thing 0007" in page.evaluate("document.querySelector('table').textContent")
    height = page.evaluate("document.documentElement.scrollHeight")
    page.evaluate("window.scrollTo(0, 0)")
    expect(page.get_by_text("Thing 0000")).to_be_visible()
    expect(rows.first).to_have_attribute("aria-rowindex", "2")
    page.mouse.move(600, 400)
    page.evaluate("window.scrollTo(0, document.documentElement.scrollHeight / 2)")
    middle = page.locator("tbody tr[aria-rowindex]:not([aria-rowindex='2'])")
    expect(middle.first).to_be_visible()
    after = page.evaluate("document.documentElement.scrollHeight")
    assert abs(after - height) < height / 50
    assert rows.count() <= DRAWN
    # A row stays where it is while others come and go around it.
    seen = None
    for _ in range(100):
        if seen := page.evaluate(SEEN):
            break
        page.wait_for_timeout(50)
    assert seen
    page.wait_for_timeout(400)
    top = page.locator(f"tr[aria-rowindex='{seen[0]}']").evaluate(
        "(row) => row.getBoundingClientRect().top"
    )
    assert abs(top - seen[1]) <= 2
    for size, scheme in ((WIDE, "dark"), (NARROW, "light")):
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=scheme)
        assert findings(page, axe) == [], (size, scheme)
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]


def test_a_conversation_of_hundreds_of_comments(
    person: Person, long: Graph, site: Shown, axe: str
) -> None:
    space = long.space("Talked about")
    change = long(CREATE_CHANGE, id=space, input={"subject": "Discussed"})["createChangeRequest"]
    post = """mutation ($space: ID!, $change: ID!, $input: PostCommentInput!) {
      postComment(spaceId: $space, changeRequestId: $change, input: $input) { id } }"""
    body = {"body": {"markdown": "Word 0000 of it"}}
    key = long(post, space=space, change=change["id"], input=body)["postComment"]["id"]

    def said(number: int, row: dict[str, Any]) -> dict[str, Any]:
        return {"document": row["document"].replace("0000", f"{number + 1:04}")}

    copied(site, "comment", key, COMMENTS - 1, said)
    copied(
        site, "comment", key, REPLIES, lambda number, row: {"parent_id": key} | said(number, row)
    )
    page = person.page
    person.go(f"/s/{space}/~/changes/1")
    talk = page.get_by_role("region", name="Conversation")
    comments = talk.locator("ul > li:has(> article)")
    expect(comments).to_have_count(OF_COMMENTS)
    first = comments.first
    replies = first.locator("ul ul > li, article ul > li")
    expect(replies).to_have_count(8)
    first.get_by_role("button", name="Show more").click()
    expect(first.locator("li[aria-posinset='48']")).to_be_attached()
    expect(first.get_by_text("Word 0008 of it", exact=True).last).to_be_attached()
    # Something is typed, and stays while one reads on.
    field = first.get_by_role("textbox").last
    field.fill("Not sent yet")
    # By what is written: what each of hundreds of buttons is called is computed at length.
    more = talk.locator("button", has_text=re.compile("^Show more$"))

    def last(portion: int) -> Locator:
        return talk.locator(f"li[aria-posinset='{(portion + 2) * OF_COMMENTS}']:has(> article)")

    go_on(page, more, last, 2, 0)
    few = elements(page)
    go_on(page, more, last, COMMENTS // OF_COMMENTS - 3, 2)
    expect(more).to_have_count(0)
    expect(comments.last).to_contain_text(f"{COMMENTS - 1:04}")
    assert elements(page) < 2 * few
    assert comments.count() <= DRAWN
    assert page.evaluate(FAR) > 5
    assert "Word 0100 of it" in page.evaluate("document.body.textContent")
    page.evaluate("window.scrollTo(0, 0)")
    expect(field).to_be_visible()
    expect(field).to_have_value("Not sent yet")
    assert findings(page, axe) == []


def test_the_focus_stays_in_a_long_history(person: Person, long: Graph, site: Shown) -> None:
    space = long.space("Old")
    long.apply(space, page_of("Page", "Text"))
    query = 'query ($id: ID!) { space(id: $id) { pageByPath(path: "page") { pageId } } }'
    key = long(query, id=space)["space"]["pageByPath"]["pageId"]
    for number in range(REVISIONS):
        long.apply(space, {"updatePage": {"page": key, "body": {"markdown": f"Text {number}"}}})
    page = person.page
    person.go(f"/s/{space}/~/revisions")
    rows = page.locator("main ol > li[aria-posinset]")
    expect(rows.first).to_be_visible()
    older = page.get_by_role("button", name="Show older")
    query = "query ($id: ID!) { space(id: $id) { revisions(first: 1) { totalCount } } }"
    count = long(query, id=space)["space"]["revisions"]["totalCount"]
    reached = OF_HISTORY
    while reached < count:
        older.click()
        reached = min(reached + OF_HISTORY, count)
        expect(page.locator(f"li[aria-posinset='{reached}']")).to_be_attached()
    expect(older).to_have_count(0)
    assert rows.count() <= DRAWN
    page.evaluate("window.scrollTo(0, 0)")
    link = page.locator("li[aria-posinset='1'] a")
    expect(link).to_be_visible()
    link.focus()
    page.mouse.move(700, 500)
    for _ in range(30):
        page.mouse.wheel(0, 4_000)
    expect(page.locator(f"li[aria-posinset='{reached}']")).to_be_visible()
    # Whoever is in a row is still there, and goes on from it by key.
    expect(link).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.locator("li[aria-posinset='2'] a")).to_be_focused()
