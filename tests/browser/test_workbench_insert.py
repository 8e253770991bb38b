"""The menu behind `/`: groups, descriptions, other words, what was used last; in each language."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import findings, wait_until
from tests.browser.test_workbench_blocks import at_the_end
from tests.browser.test_workbench_editor import edited, paste, read, said, saved, text_of
from tests.browser.workbench import NARROW, WIDE, Graph, graph, sessions, signed_in

# Fixtures of the other stories.
__all__ = ["graph", "sessions", "signed_in"]

WORDS = {
    "callout": "Hint", "Hinweis": "Hint", "todo": "Task list", "akkordeon": "Expandable",
    "uberschrift 2": "Heading 2", "video": "Embed",
}  # fmt: skip
INSIDE = """() => {
  const menu = document.getElementById('editor-insert').parentElement;
  const { left, right, top, bottom } = menu.getBoundingClientRect();
  return left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight; }"""


def menu_of(page: Page) -> Locator:
    return page.get_by_role("listbox", name="Insert a block")


def marked(page: Page, name: str) -> Locator:
    """The option that is shown as chosen; it is the one that the text names as the active one."""
    chosen = menu_of(page).get_by_role("option", selected=True)
    expect(chosen).to_have_accessible_name(re.compile(f"^{name} "))
    key = chosen.get_attribute("id") or ""
    expect(text_of(page)).to_have_attribute("aria-activedescendant", key)
    return chosen


def begin(page: Page, words: str = "") -> None:
    at_the_end(page)
    page.keyboard.type(f"/{words}")
    expect(menu_of(page)).to_be_visible()


def test_what_can_be_inserted_is_in_groups_and_found_by_other_words(
    signed_in: Any, graph: Graph, axe: str, artifacts: Path
) -> None:
    ada, *_ = edited(signed_in, graph, "Groups", "Here")
    page = ada.page
    begin(page)
    menu = menu_of(page)
    names = ["Text", "Blocks and media", "Structure", "From elsewhere"]
    groups = menu.get_by_role("group")
    expect(groups).to_have_count(len(names))
    for name in names:
        expect(menu.get_by_role("group", name=name)).to_be_attached()
    options = menu.get_by_role("option")
    hint = menu.get_by_role("option", name="Hint A box for a note, a tip or a warning", exact=True)
    expect(hint.locator("svg")).to_have_count(1)
    assert options.count() == 29
    # Round by keys, past both ends; the marked one is in view.
    page.keyboard.press("ArrowUp")
    expect(marked(page, "API schemas")).to_be_in_viewport(ratio=1)
    page.keyboard.press("ArrowDown")
    marked(page, "Text")
    expect(menu.get_by_text("Text", exact=True).first).to_be_in_viewport()
    # In front of the end of a long page, in any width and colour, in either direction.
    for size, scheme in ((WIDE, "light"), (NARROW, "dark")):
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        page.keyboard.press("ArrowDown")
        for way in ("rtl", "ltr"):
            page.evaluate("(way) => { document.documentElement.dir = way }", way)
            page.keyboard.press("ArrowDown")
            wait_until(page, INSIDE)
            assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
            page.screenshot(path=artifacts / f"workbench-insert-{size['width']}-{way}.png")
        assert findings(page, axe) == [], (size, scheme)
    page.set_viewport_size(WIDE)
    # By other words, by those of the other language, by those without accents.
    for words, name in WORDS.items():
        page.keyboard.press("Escape")
        expect(menu).to_have_count(0)
        begin(page, words)
        expect(groups).to_have_count(1)
        marked(page, name)
        for _ in f"/{words}":
            page.keyboard.press("Backspace")
        expect(menu).to_have_count(0)
    at_the_end(page)
    page.keyboard.type("/none such")
    expect(page.get_by_text("Nothing is called so.")).to_be_visible()
    expect(options).to_have_count(0)
    expect(text_of(page)).not_to_have_attribute("aria-activedescendant", re.compile("."))
    ada.fine()


def test_what_was_used_last_comes_first(signed_in: Any, graph: Graph) -> None:
    ada, *_ = edited(signed_in, graph, "Recent", "Here")
    page = ada.page
    begin(page, "callout")
    page.keyboard.press("Enter")
    expect(text_of(page).locator("[data-block=hint]")).to_have_count(1)
    begin(page)
    # With the mouse it is marked before it is chosen.
    table = page.locator("#editor-insert-table")
    table.hover()
    marked(page, "Table")
    table.click()
    expect(text_of(page).locator("table")).to_have_count(1)
    begin(page)
    recent = menu_of(page).get_by_role("group", name="Recently used")
    labels = [one.get_attribute("id") for one in recent.get_by_role("option").all()]
    assert labels == ["editor-insert-table", "editor-insert-hint"]
    # Each is there once.
    assert menu_of(page).get_by_role("option").count() == 29
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(text_of(page).locator("[data-block=hint]")).to_have_count(2)
    # It is kept by the browser, for whoever writes next time.
    page.reload()
    expect(text_of(page)).to_contain_text("Here")
    begin(page)
    labels = [one.get_attribute("id") for one in recent.get_by_role("option").all()]
    assert labels == ["editor-insert-hint", "editor-insert-table"]
    ada.fine()


@pytest.mark.parametrize("words", ["callout", "Hinweis", "anmerkung"])
def test_the_menu_in_german(signed_in: Any, graph: Graph, words: str) -> None:
    ada, *_ = edited(signed_in, graph, f"German{words}", "Here")
    page = ada.page
    page.evaluate("localStorage.setItem('docstead-language', 'de')")
    page.reload()
    text = page.locator("[contenteditable=true].ProseMirror")
    expect(text).to_contain_text("Here")
    text.focus()
    page.keyboard.press("Control+End")
    page.keyboard.press("Enter")
    page.keyboard.type(f"/{words}")
    option = page.get_by_role("option").first
    expect(option).to_have_accessible_name("Hinweis Ein Kasten für Anmerkung, Tipp oder Warnung")
    page.keyboard.press("Tab")
    expect(text.locator("[data-block=hint]")).to_have_count(1)
    ada.fine()


def test_the_button_has_what_the_slash_has(signed_in: Any, graph: Graph, axe: str) -> None:
    ada, *_ = edited(signed_in, graph, "Button", "Here")
    page = ada.page
    at_the_end(page)
    button = page.get_by_role("button", name="Insert", exact=True)
    button.click()
    field = page.get_by_role("combobox", name="Insert a block")
    expect(field).to_be_focused()
    options = menu_of(page).get_by_role("option")
    expect(options).to_have_count(29)
    expect(menu_of(page).get_by_role("group", name="Structure")).to_be_attached()
    assert findings(page, axe) == []
    field.fill("callout")
    expect(options.first).to_have_accessible_name(re.compile("^Hint A box"))
    field.fill("no such thing")
    expect(options).to_have_count(0)
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    expect(field).to_have_count(0)
    button.click()
    page.keyboard.type("accordion")
    page.keyboard.press("Enter")
    expect(text_of(page)).to_be_focused()
    page.keyboard.type("Said more")
    expect(text_of(page).get_by_role("group", name="Expandable")).to_contain_text("Said more")
    # What was used last is first, in both.
    begin(page)
    expect(
        menu_of(page).get_by_role("group").first.get_by_role("option").first
    ).to_have_accessible_name(re.compile("^Expandable"))
    ada.fine()


def test_signs_and_keys_that_other_editors_have(signed_in: Any, graph: Graph) -> None:
    ada, space, change, _ = edited(signed_in, graph, "Signs", "Here")
    page = ada.page
    at_the_end(page)
    page.keyboard.type("*slanted* and **strong** and [words](https://example.org/a)")
    page.keyboard.press("Enter")
    page.keyboard.type("some words")
    page.keyboard.press("Shift+Home")
    # Keys come behind what the browser says of the selection; this paste is no key.
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)))")
    paste(page, "text/plain", "https://example.org/b")
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    page.keyboard.type("---")
    page.keyboard.press("Enter")
    page.keyboard.type("## Title")
    page.keyboard.press("Home")
    page.keyboard.press("Backspace")
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    page.keyboard.type("```python")
    page.keyboard.press("Enter")
    page.keyboard.type("if high:")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.type("wait()")
    page.keyboard.press("Enter")
    page.keyboard.type("go()")
    page.keyboard.press("Shift+ArrowUp")
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Shift+Tab")
    expect(text_of(page)).to_be_focused()
    saved(page)
    nodes = read(graph, space, "signs", change["id"])["document"]["nodes"][1:6]
    assert [node["type"] for node in nodes] == [
        "paragraph", "paragraph", "divider", "paragraph", "code",
    ]  # fmt: skip
    leaves = [leaf for node in nodes[0]["nodes"] for leaf in node.get("leaves", ())]
    marks = {leaf["text"]: [mark["type"] for mark in leaf["marks"]] for leaf in leaves}
    assert (marks["slanted"], marks["strong"]) == (["italic"], ["bold"])
    for node, words, address in zip(nodes, ("words", "some words"), "ab", strict=False):
        (link,) = [inline for inline in node["nodes"] if inline.get("type") == "link"]
        assert said(link) == words
        assert link["data"]["ref"]["url"] == f"https://example.org/{address}"
    assert said(nodes[3]) == "Title"
    assert [said(line) for line in nodes[4]["nodes"]] == ["if high:", "wait()", "go()"]
    ada.fine()


def test_signs_around_what_is_no_letter(signed_in: Any, graph: Graph) -> None:
    """Breaks, formulas and other marks between signs stay what they are."""
    ada, space, change, _ = edited(signed_in, graph, "Between", "Here")
    page = ada.page
    at_the_end(page)
    page.keyboard.type("**one")
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("two** and *it*")
    page.keyboard.press("Enter")
    page.keyboard.type("[**bold** words](https://example.org/c)")
    page.keyboard.press("Enter")
    math = {"object": "inline", "type": "inline-math", "isVoid": True, "data": {"formula": "x"}}
    atom = f"<span data-atom=inline data-attributes='{json.dumps({'json': math})}'></span>"
    paste(page, "text/html", atom)
    page.keyboard.press("End")
    page.keyboard.type("---")
    page.keyboard.press("Enter")
    page.keyboard.type("end")
    saved(page)
    nodes = read(graph, space, "between", change["id"])["document"]["nodes"][1:]
    assert [node["type"] for node in nodes] == ["paragraph"] * 4
    leaves = [leaf for node in nodes[0]["nodes"] for leaf in node.get("leaves", ())]
    marks = {leaf["text"]: [mark["type"] for mark in leaf["marks"]] for leaf in leaves}
    assert said(nodes[0]) == "one\ntwo and it"
    assert {text: types for text, types in marks.items() if types} == {
        "one\ntwo": ["bold"], "it": ["italic"],
    }  # fmt: skip
    (link,) = [inline for inline in nodes[1]["nodes"] if inline.get("type") == "link"]
    assert said(link) == "bold words"
    assert [mark["type"] for mark in link["nodes"][0]["leaves"][0]["marks"]] == ["bold"]
    assert "inline-math" in [inline.get("type") for inline in nodes[2]["nodes"]]
    assert said(nodes[2]) == "---"
    ada.fine()


def test_a_long_sheet_goes_into_the_cells_of_a_table(signed_in: Any, graph: Graph) -> None:
    """Also where what is pasted is so long that it is read in parts elsewhere."""
    table = "<table><tr><th>A</th><th>B</th></tr><tr><td>one</td><td>two</td></tr></table>"
    ada, space, change, _ = edited(signed_in, graph, "Sheet", "Here")
    page = ada.page
    at_the_end(page)
    paste(page, "text/html", table)
    text_of(page).get_by_text("one", exact=True).click()
    style = "height:12.75pt;font-family:Arial;" * 4
    rows = [
        f"<tr style='{style}'><td style='{style}'>x{row}</td><td style='{style}'>y{row}</td></tr>"
        for row in range(150)
    ]
    paste(page, "text/html", f"<table>{''.join(rows)}</table>")
    expect(text_of(page).locator("tr")).to_have_count(151)
    expect(text_of(page).locator("table table")).to_have_count(0)
    saved(page)
    nodes = read(graph, space, "sheet", change["id"])["document"]["nodes"]
    (stored,) = [node for node in nodes if node["type"] == "table"]
    assert len(stored["data"]["records"]) == 150
    ada.fine()


PASTED = {
    # Google Docs: a bold element that is not bold, lines that break between blocks.
    "<b style='font-weight:normal' id=docs-internal-guid-1><h2><span>Docs</span></h2><p>"
    "<span style='font-weight:700'>bold</span> words</p><br /><ul><li><p>one</p></li>"
    "<ul><li><p>in</p></li></ul></ul></b>": "## Docs\n\n**bold** words\n\n* one\n  * in",
    # GitHub: the language around the code, boxes with a title.
    "<div class='highlight highlight-source-shell'><pre>npm <span>start</span>\n</pre></div>"
    "<div class='markdown-alert markdown-alert-warning'><p class=markdown-alert-title>Warning</p>"
    "<p>Mind it</p></div>": "```shell\nnpm start\n```\n\n"
    '{% hint style="warning" %}\nMind it\n{% endhint %}',
    # Notion: what opens, tasks whose boxes are elements.
    "<details open><summary>More</summary><p>inside</p></details><ul class=to-do-list><li>"
    "<div class='checkbox checkbox-on'></div>done</li></ul>": "<details>\n\n"
    "<summary>More</summary>\n\ninside\n\n</details>\n\n* [x] done",
}  # fmt: skip
MARKDOWN = """query ($space: ID!, $change: ID) {
  pageByPath(spaceId: $space, path: "others", changeRequestId: $change) {
    ... on DocumentPage { markdown } } }"""


def test_what_other_editors_copy_comes_as_blocks(signed_in: Any, graph: Graph) -> None:
    ada, space, change, _ = edited(signed_in, graph, "Others", "Here")
    page = ada.page
    at_the_end(page)
    for html in PASTED:
        paste(page, "text/html", html)
        page.keyboard.press("Control+End")
        page.keyboard.press("Control+Enter")
    saved(page)
    written = graph(MARKDOWN, space=space, change=change["id"])["pageByPath"]["markdown"]
    for markdown in PASTED.values():
        assert markdown in written, written
    ada.fine()
