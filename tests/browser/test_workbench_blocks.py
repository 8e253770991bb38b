"""Blocks that ask for something: drawings, updates, prompts, conditions, reusable contents."""

import datetime as dt
from base64 import b64decode
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import held
from tests.browser.test_workbench_editor import (
    PICTURE,
    drafted,
    edited,
    editing,
    insert,
    kinds,
    read,
    said,
    saved,
    text_of,
)
from tests.browser.workbench import (
    ADA,
    WIDE,
    Graph,
    fine_both_ways,
    graph,
    page_of,
    sessions,
    signed_in,
)

# Fixtures of the other stories.
__all__ = ["graph", "sessions", "signed_in"]

DOT = {"name": "plan.png", "mimeType": "image/png", "buffer": b64decode(PICTURE)}
MARKDOWN = """query ($space: ID!, $page: ID!, $change: ID) {
  page(spaceId: $space, id: $page, changeRequestId: $change) {
    ... on DocumentPage { markdown } } }"""
REUSABLE = "mutation ($space: ID!, $input: CreateReusableContentInput!) { createReusableContent(spaceId: $space, input: $input) { changed } }"  # noqa: E501


def block_of(document: Any, kind: str) -> Any:
    return next(block for block in document["nodes"] if block["type"] == kind)


def said_last(page: Page) -> str:
    return text_of(page).locator("> *").last.inner_text().strip()


def at_the_end(page: Page) -> None:
    """A paragraph behind everything, to insert in."""
    text_of(page).focus()
    page.keyboard.press("Control+End")
    page.keyboard.press("Control+Enter")
    # It goes behind what no paragraph is.
    if said_last(page):
        page.keyboard.press("Enter")
    expect(text_of(page).locator("> p").last).to_have_text("")


def shared(graph: Graph, space: str, *titles: str) -> None:
    for title in titles:
        body = {"title": title, "body": {"markdown": f"Text of {title}"}}
        graph(REUSABLE, space=space, input=body)


def test_a_drawing_is_inserted_described_and_exchanged(signed_in: Any, graph: Graph) -> None:
    ada, space, change, _ = edited(signed_in, graph, "Drawn", "Here")
    page = ada.page
    at_the_end(page)
    with page.expect_file_chooser() as chooser:
        insert(page, "drawing")
    chooser.value.set_files([DOT])
    # Its text is asked for at once.
    dialog = page.get_by_role("dialog", name="Drawing")
    dialog.get_by_label("Text for those who do not see it").fill("A plan of the harbour")
    dialog.get_by_role("button", name="Apply").click()
    shown = text_of(page).get_by_role("img", name="A plan of the harbour")
    expect(shown).to_be_visible()
    address = shown.get_attribute("src") or ""
    saved(page)
    before = block_of(read(graph, space, "drawn", change["id"])["document"], "drawing")
    assert before["data"]["alt"] == "A plan of the harbour"
    text_of(page).get_by_role("button", name="Edit: Drawing").click()
    with page.expect_file_chooser() as chooser:
        dialog.get_by_role("button", name="Another file").click()
    chooser.value.set_files([{**DOT, "name": "other.png"}])
    expect(shown).not_to_have_attribute("src", address)
    saved(page)
    after = block_of(read(graph, space, "drawn", change["id"])["document"], "drawing")
    assert after["data"]["alt"] == "A plan of the harbour"
    assert after["key"] == before["key"]
    assert after["data"]["ref"] != before["data"]["ref"]
    ada.fine()


def test_updates_have_dates_titles_and_tags(signed_in: Any, graph: Graph) -> None:
    ada, space, change, _ = edited(signed_in, graph, "News", "Here")
    page = ada.page
    at_the_end(page)
    insert(page, "updates")
    page.keyboard.type("Ferries at night")
    page.keyboard.press("ArrowDown")
    page.keyboard.type("From May on.")
    text_of(page).get_by_role("button", name="Edit: Update").click()
    dialog = page.get_by_role("dialog", name="Update")
    today = dt.date.fromisoformat(dialog.get_by_label("Date").input_value())
    assert abs((today - dt.datetime.now(dt.UTC).date()).days) <= 1
    dialog.get_by_label("Date").fill("2026-05-01")
    dialog.get_by_label("Tags").fill("boats, night , boats")
    dialog.get_by_role("button", name="Apply").click()
    expect(text_of(page)).to_contain_text("boats, night")
    # The next one stands above it.
    text_of(page).get_by_role("button", name="Edit: Update").click()
    dialog.get_by_role("button", name="Add a newer one above it").click()
    expect(text_of(page).locator("[data-block=update]")).to_have_count(2)
    date = text_of(page).get_by_label("Update: Date").first
    date.fill("2026-06-01")
    saved(page)
    # One that is taken away in its form leaves the focus in the text.
    text_of(page).get_by_role("button", name="Edit: Update").first.click()
    dialog.get_by_role("button", name="Add a newer one above it").click()
    expect(text_of(page).locator("[data-block=update]")).to_have_count(3)
    text_of(page).get_by_role("button", name="Edit: Update").first.click()
    dialog.get_by_role("button", name="Delete the block").click()
    expect(text_of(page).locator("[data-block=update]")).to_have_count(2)
    expect(text_of(page)).to_be_focused()
    saved(page)
    document = read(graph, space, "news", change["id"])["document"]
    newer, older = block_of(document, "updates")["nodes"]
    assert newer["data"] == {"date": "2026-06-01"}
    assert older["data"] == {"date": "2026-05-01", "tags": ["boats", "night"]}
    assert [block["type"] for block in older["nodes"]] == ["heading-1", "paragraph"]
    assert said(older) == "Ferries at nightFrom May on."
    page.get_by_role("button", name="Done").click()
    expect(page.get_by_role("heading", name="Ferries at night")).to_be_visible()
    expect(page.get_by_text("May 1, 2026")).to_be_visible()
    ada.fine()


def test_prompts_and_conditions(signed_in: Any, graph: Graph) -> None:
    """What is no expression is refused in the server's words, in the form and in the block."""
    ada, space, change, _ = edited(signed_in, graph, "Asked", "Here")
    page = ada.page
    at_the_end(page)
    insert(page, "prompt")
    page.keyboard.type("Write a timetable.")
    text_of(page).get_by_label("Prompt: Description").fill("A timetable")
    at_the_end(page)
    insert(page, "condit")
    dialog = page.get_by_role("dialog", name="Shown if")
    field = dialog.get_by_label("Expression")
    field.fill("visitor.claims.(")
    dialog.get_by_role("button", name="Apply").click()
    expect(dialog.get_by_role("alert")).to_have_text(
        "Character 16: expected a name behind '.', found '('."
    )
    expect(field).to_have_attribute("aria-invalid", "true")
    assert read(graph, space, "asked", change["id"])["title"] == "Asked"
    field.fill('visitor.claims.plan == "pro"')
    # Pressed again before the server has read it, it is one block all the same.
    with held(page, "RehearseEdit") as reading:
        field.press("Enter")
        reading.wait()
        field.press("Enter")
    expect(dialog).to_have_count(0)
    expect(text_of(page).locator('[data-block="if"]')).to_have_count(1)
    page.keyboard.type("For members.")
    inside = text_of(page).get_by_label("Shown if: Expression")
    expect(inside).to_have_value('visitor.claims.plan == "pro"')
    inside.fill("visitor.claims.plan ==")
    expect(inside).to_have_attribute("aria-invalid", "true")
    expect(text_of(page).locator(".block-problem")).to_contain_text("Character")
    inside.fill("visitor.claims.beta")
    expect(inside).to_have_attribute("aria-invalid", "false")
    expect(text_of(page).locator(".block-problem")).to_have_text("")
    saved(page)
    document = read(graph, space, "asked", change["id"])["document"]
    prompt, condition = block_of(document, "prompt"), block_of(document, "if")
    assert (prompt["data"], said(prompt)) == (
        {"description": "A timetable"},
        "Write a timetable.",
    )
    assert (condition["data"], said(condition)) == (
        {"expression": "visitor.claims.beta"},
        "For members.",
    )
    assert ada.foreign == []


def test_reusable_contents_of_this_space_and_of_others(signed_in: Any, graph: Graph) -> None:
    other = graph.space("Elsewhere")
    shared(graph, other, "Opening hours")
    space = graph.space("Reused")
    graph.apply(space, page_of("Reused", "Here"))
    shared(graph, space, "Address", "Notice")
    change = drafted(graph, space, "Reused")
    ada = signed_in(ADA)
    page = ada.page
    ada.go(editing(space, change["number"], read(graph, space, "reused")))
    expect(text_of(page)).to_contain_text("Here")
    at_the_end(page)
    insert(page, "reusable")
    dialog = page.get_by_role("dialog", name="Reusable content")
    rows = dialog.get_by_role("list", name="Results").get_by_role("button")
    expect(rows).to_have_text(["Address", "Notice"])
    page.keyboard.type("noti")
    expect(rows).to_have_text(["Notice"])
    page.keyboard.press("Enter")
    expect(dialog).to_have_count(0)
    block = text_of(page).locator("[data-atom=block]")
    expect(block).to_contain_text("Notice")
    saved(page)
    mine = block_of(read(graph, space, "reused", change["id"])["document"], "reusable-content")
    assert mine["data"]["ref"].keys() == {"kind", "reusableContent"}
    # Another one in its place, of another space.
    block.get_by_role("button", name="Edit: Reusable content").click()
    dialog.get_by_role("button", name="Another content").click()
    dialog.get_by_label("Space").select_option(label="Elsewhere")
    rows.get_by_text("Opening hours").click()
    expect(block).to_contain_text("Opening hours")
    saved(page)
    theirs = block_of(read(graph, space, "reused", change["id"])["document"], "reusable-content")
    assert theirs["key"] == mine["key"]
    assert theirs["data"]["ref"]["space"] == other
    page.get_by_role("button", name="Done").click()
    expect(page.get_by_text("Text of Opening hours")).to_be_visible()
    ada.fine()


def test_operations_of_a_specification(signed_in: Any, graph: Graph) -> None:
    ada, space, change, _ = edited(signed_in, graph, "Interface", "Here")
    page = ada.page
    at_the_end(page)
    insert(page, "api op")
    dialog = page.get_by_role("dialog", name="API operation")
    row = dialog.get_by_role("list", name="Results").get_by_role("button").first
    slug = row.locator("small").inner_text()
    row.click()
    # Which one of them is asked for at once.
    dialog.get_by_label("Path").fill("/boats/{id}")
    dialog.get_by_label("Method").select_option("get")
    dialog.get_by_role("button", name="Apply").click()
    expect(text_of(page).locator("[data-atom=block]")).to_contain_text("get /boats/{id}")
    saved(page)
    block = block_of(read(graph, space, "interface", change["id"])["document"], "openapi-operation")
    reference = {"kind": "openapi", "spec": slug}
    assert block["data"] == {"ref": reference, "path": "/boats/{id}", "method": "get"}
    ada.fine()


@pytest.mark.parametrize("locale", ["en", "de"])
def test_forms_of_blocks(
    signed_in: Any, graph: Graph, axe: str, artifacts: Path, locale: str
) -> None:
    """Without findings, in both languages, light and dark, wide and narrow; by keys alone."""
    title = f"Forms{locale}"
    space = graph.space(title)
    updates = '{% updates %}\n{% update date="2026-05-01" tags="boats" %}\n## One\n\nText\n{% endupdate %}\n{% endupdates %}'  # noqa: E501
    rest = '{% prompt description="Ask" %}\nText\n{% endprompt %}\n\n{% if visitor.claims.a %}\nText\n{% endif %}'  # noqa: E501
    graph.apply(space, page_of(title, f"Here\n\n{updates}\n\n{rest}"))
    shared(graph, space, "Address")
    change = drafted(graph, space, title)
    ada = signed_in(ADA)
    page = ada.page
    page.add_init_script(f"localStorage.setItem('docstead-language', '{locale}')")
    ada.go(editing(space, change["number"], read(graph, space, title.lower())))
    text = page.locator(".ProseMirror")
    expect(text).to_contain_text("Here")

    def fine(what: str) -> None:
        fine_both_ways(page, axe, what, artifacts / f"workbench-block-{what}-{locale}")
        page.set_viewport_size(WIDE)

    fine("page")
    text.locator("[data-block=update] .block-edit").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    fine("update")
    page.keyboard.press("Escape")
    for words, what in (
        ("condition", "condition"),
        ("reusable", "reusable"),
        ("apiop", "specification"),
    ):
        text.focus()
        page.keyboard.press("Control+End")
        page.keyboard.press("Control+Enter")
        page.keyboard.type(f"/{words}")
        expect(page.get_by_role("listbox")).to_be_visible()
        page.keyboard.press("Enter")
        expect(page.get_by_role("dialog")).to_be_visible()
        if what == "reusable":
            expect(page.get_by_role("dialog").get_by_role("listitem")).to_have_text(["Address"])
        fine(what)
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)
        expect(text).to_be_focused()
    assert kinds(read(graph, space, title.lower(), change["id"])["document"])[:2] == [
        "paragraph",
        "updates",
    ]
    ada.fine()


def test_expressions_are_read_with_their_values(signed_in: Any, graph: Graph) -> None:
    """On the landing page, whose row in the tree says so; the editor shows what they are."""
    space = graph.space("Named")
    variables = {"id": space, "input": {"set": {"company": "Kelpline"}}}
    graph(
        "mutation ($id: ID!, $input: SetVariablesInput!)"
        " { setSpaceVariables(spaceId: $id, input: $input) { changed } }", **variables,
    )  # fmt: skip
    landing = graph(
        "query ($id: ID!) { revision(spaceId: $id) { landingPage { pageId title } } }", id=space
    )["revision"]["landingPage"]
    of_company = '<code class="expression">space.vars.company</code>'
    of_claim = '<code class="expression">visitor.claims.name</code>'
    body = (
        f"Made by {of_company} for {of_claim}\n\n"
        f"{{% if space.vars.company == 'Other' %}}\nNot {of_company}\n{{% endif %}}\n"
    )
    graph.apply(
        space, {"updatePage": {"page": landing["pageId"], "body": {"markdown": body}}},
        page_of("Other", "Text"),
    )  # fmt: skip
    ada = signed_in(ADA)
    page = ada.page
    ada.go(f"/s/{space}")
    main = page.get_by_role("main")
    expect(main.get_by_text("Made by Kelpline for visitor.claims.name")).to_be_visible()
    # Whoever works on it sees what readers do not, and why.
    expect(main.get_by_text("Not Kelpline")).to_be_visible()
    expect(main.get_by_text("space.vars.company == 'Other'")).to_be_visible()
    tree = page.get_by_role("treegrid")
    expect(tree.get_by_role("row", name=landing["title"])).to_contain_text("(shown)")
    expect(tree.get_by_role("row", name="Other")).not_to_contain_text("(shown)")
    ada.go(f"/s/{space}/other")
    expect(tree.get_by_role("row", name="Other")).to_contain_text("(shown)")
    expect(tree.get_by_role("row", name=landing["title"])).not_to_contain_text("(shown)")
    change = drafted(graph, space, "Names")
    ada.go(editing(space, change["number"], landing))
    shown = text_of(page).get_by_title("Expression: readers see its value here")
    expect(shown.first).to_have_text("Expression: space.vars.company")
    ada.fine()


ALERTS = (
    "> [!WARNING]\n> Mind the *tide*.\n\n> [!TIP]\n>\n> - Low water\n\n> [!NOTE] as text\n\n"
    '{% hint style="danger" %}\nA hint\n{% endhint %}\n\n'
    "{% stepper %}\n{% step %}\n> [!CAUTION]  \n> Deep\n{% endstep %}\n{% endstepper %}\n"
)
STYLES = ["warning", "success", "danger"]


def test_alerts_are_hints_to_whoever_reads_writes_and_reviews(
    signed_in: Any, graph: Graph, axe: str, artifacts: Path
) -> None:
    space = graph.space("Alerts")
    graph.apply(space, page_of("Alerts", ALERTS), page_of("Other", "Other"))
    change = drafted(graph, space, "Alerts")
    there = read(graph, space, "alerts")
    ada = signed_in(ADA)
    page = ada.page
    ada.go(f"/s/{space}/alerts")
    notes = page.get_by_role("article").get_by_role("note")
    expect(notes).to_have_text(["Mind the tide.", "Low water", "A hint", "Deep"])
    fine_both_ways(page, axe, "alerts", artifacts / "workbench-alerts")
    # In the editor the marker is there, small; what is no alert is a quote.
    page.set_viewport_size(WIDE)
    ada.go(editing(space, change["number"], there))
    drawn = text_of(page).get_by_role("note")
    expect(drawn).to_have_text(["[!WARNING] Mind the tide.", "[!TIP]Low water", "[!CAUTION]Deep"])
    styles = drawn.evaluate_all("all => all.map((one) => one.dataset.style)")
    assert styles == STYLES
    expect(text_of(page).locator("blockquote")).to_have_count(4)
    fine_both_ways(page, axe, "alerts-edited", artifacts / "workbench-alerts-edited")
    # Nothing has been changed by looking at it; words are typed behind the marker, and it stays.
    page.set_viewport_size(WIDE)
    page.emulate_media(color_scheme="light")
    page.get_by_role("button", name="Done", exact=True).click()
    expect(page.get_by_role("heading", level=1, name="Alerts")).to_be_visible()
    draft = read(graph, space, "alerts", change["id"])
    assert draft["document"] == there["document"]
    ada.go(editing(space, change["number"], there))
    drawn.first.get_by_text("Mind the").click()
    page.keyboard.press("End")
    page.keyboard.type(" And the wind.")
    expect(drawn.first).to_have_text("[!WARNING] Mind the tide. And the wind.")
    # A quote becomes an alert while it is typed, and none when its marker goes.
    at_the_end(page)
    page.keyboard.type("> [!important]\nNew")
    expect(drawn).to_have_count(4)
    expect(drawn.last).to_have_attribute("data-style", "warning")
    page.keyboard.press("Home")
    page.keyboard.press("Backspace")
    expect(drawn).to_have_count(3)
    page.keyboard.press("Control+z")
    expect(drawn).to_have_count(4)
    saved(page)
    markdown = graph(MARKDOWN, space=space, page=draft["pageId"], change=change["id"])["page"]
    assert "> [!WARNING]\n> Mind the *tide*. And the wind.\n" in markdown["markdown"]
    assert "> [!important]\n>\n> New\n" in markdown["markdown"]
    # Reviewers see hints as well, and the marker where it is among the words that have changed.
    page.get_by_role("button", name="Done", exact=True).click()
    ada.go(f"/s/{space}/~/changes/{change['number']}?tab=changes")
    added = page.get_by_role("group", name="Block added", exact=True)
    expect(added.get_by_role("note")).to_have_text("New")
    expect(page.get_by_role("group", name="Block edited", exact=True)).to_contain_text("[!WARNING]")
    page.locator("summary").filter(has_text="unchanged").first.click()
    expect(page.get_by_role("note").filter(has_text="Low water")).to_be_visible()
    page.screenshot(path=artifacts / "workbench-alerts-changes.png", full_page=True)
    ada.fine()
