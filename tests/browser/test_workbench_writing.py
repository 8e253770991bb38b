"""What else the editor and views around it do: files, tables by keys, links, copies, previews."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import eventually, findings
from tests.browser.test_workbench_editor import (
    PICTURE,
    drafted,
    edited,
    editing,
    kinds,
    paste,
    read,
    said,
    saved,
    text_of,
)
from tests.browser.workbench import (
    ADA,
    CHIDI,
    NARROW,
    WIDE,
    Graph,
    fine_both_ways,
    graph,
    look_at,
    page_of,
    sessions,
    signed_in,
)

# Fixtures of the other stories.
__all__ = ["graph", "sessions", "signed_in"]

GIVE_FILE = """([kind, picture]) => {
  const bytes = Uint8Array.from(atob(picture), (letter) => letter.charCodeAt(0));
  const data = new DataTransfer();
  data.items.add(new File([bytes], `${kind}.png`, { type: 'image/png' }));
  const target = document.querySelector('.ProseMirror');
  const box = target.getBoundingClientRect();
  const at = { bubbles: true, cancelable: true, clientX: box.left + 40, clientY: box.top + 20 };
  target.dispatchEvent(kind === 'drop'
    ? new DragEvent('drop', { ...at, dataTransfer: data })
    : new ClipboardEvent('paste', { ...at, clipboardData: data }));
}"""
COPIED = """query ($space: ID!, $path: String!, $change: ID) {
  pageByPath(spaceId: $space, path: $path, changeRequestId: $change) {
    title hidden ... on DocumentPage {
      markdown description variables cover layout { width outline cover }
      pages(first: 10) { nodes { title } } } } }"""


def test_pictures_are_dropped_and_pasted(signed_in: Any, graph: Graph) -> None:
    ada, space, change, _ = edited(signed_in, graph, "Pictures", "Here")
    page = ada.page
    text_of(page).click()
    for count, kind in enumerate(("drop", "paste"), 1):
        page.evaluate(GIVE_FILE, [kind, PICTURE])
        expect(text_of(page).locator("figure img")).to_have_count(count)
    saved(page)
    document = read(graph, space, "pictures", change["id"])["document"]
    assert kinds(document).count("images") == 2
    ada.fine()


def test_a_file_comes_to_where_it_was_dropped(signed_in: Any, graph: Graph) -> None:
    """Whoever goes on writing elsewhere while it is sent stays there."""
    ada, _, _, _ = edited(signed_in, graph, "Dropped", "First")
    page = ada.page
    text_of(page).click()
    page.keyboard.press("Control+End")
    page.keyboard.press("Enter")
    page.keyboard.type("Second")
    waiting: list[Any] = []
    page.route(
        "**/*",
        lambda route: waiting.append(route) if route.request.method == "PUT" else route.continue_(),
    )
    with page.expect_request(lambda request: request.method == "PUT"):
        page.evaluate(GIVE_FILE, ["drop", PICTURE])
    page.keyboard.press("Control+End")
    page.keyboard.type(" goes on")
    waiting[0].continue_()
    expect(text_of(page).locator("figure img")).to_have_count(1)
    page.keyboard.type(" here")
    blocks = text_of(page).locator("> *")
    expect(blocks.nth(1).locator("img")).to_have_count(1)
    expect(blocks.nth(2)).to_have_text("Second goes on here")
    saved(page)
    ada.fine()


def test_a_web_page_is_pasted(signed_in: Any, graph: Graph) -> None:
    ada, space, change, _ = edited(signed_in, graph, "Web", "Here")
    page = ada.page
    text_of(page).click()
    page.keyboard.press("Control+End")
    page.keyboard.press("Enter")
    paste(
        page,
        "text/html",
        "<meta charset='utf-8'><style>p { color: red }</style><article><h2>Tides</h2>"
        "<p>High <em>and</em> low, <span style='font-weight:700'>twice</span> a day.</p>"
        "<ol start='3'><li>one<ul><li>inner</li></ul></li></ol>"
        "<table><thead><tr><th>Name</th></tr></thead><tbody><tr><td>mast</td></tr></tbody></table>"
        "<pre><code class='language-js'>let a\nlet b</code></pre>"
        "<ul><li><input type='checkbox' checked>done</li></ul><iframe src='x'></iframe></article>",
    )
    saved(page)
    document = read(graph, space, "web", change["id"])["document"]
    for kind in ("heading-1", "paragraph", "list-ordered", "table", "code", "list-tasks"):
        assert kind in kinds(document), (kind, kinds(document))
    for words in ("Tides", "twice", "inner", "mast", "let b", "done"):
        assert words in said(document)
    page.reload()
    expect(text_of(page).locator("th")).to_have_text("Name")
    saved(page)
    ada.fine()


def test_markdown_that_is_pasted_is_text_until_there_is_an_answer(
    signed_in: Any, graph: Graph
) -> None:
    """Then it is blocks, with what was typed in it meanwhile."""
    ada, space, change, _ = edited(signed_in, graph, "Offline", "Here")
    page = ada.page
    text_of(page).click()
    page.keyboard.press("Control+End")
    ada.context.set_offline(True)
    paste(page, "text/plain", "## Heading\n\n* one\n* two\n")
    expect(text_of(page)).to_contain_text("## Heading")
    page.keyboard.type(" and on")
    expect(page.get_by_text("Not saved", exact=True)).to_be_visible()
    ada.context.set_offline(False)
    expect(text_of(page).locator("h2")).to_have_text("Heading")
    expect(text_of(page).locator("li").last).to_have_text("two and on")

    def stored() -> Any:
        document = read(graph, space, "offline", change["id"])["document"]
        return kinds(document)[-2:], said(document).count("and on")

    eventually(page, stored, (["heading-1", "list-unordered"], 1))
    saved(page)


def test_paragraphs_that_are_pasted_into_a_title_are_words_of_it(
    signed_in: Any, graph: Graph
) -> None:
    """A title is one line, and its table stays one."""
    table = "| Name | Height |\n| --- | --- |\n| mast | 12 |"
    space = graph.space("Titles")
    graph.apply(space, page_of("Titles", table))
    change = drafted(graph, space, "Titles")
    ada = signed_in(ADA)
    page = ada.page
    ada.go(editing(space, change["number"], read(graph, space, "titles")))
    text_of(page).locator("th").last.click()
    page.keyboard.press("End")
    paste(page, "text/html", "<p>in <b>metres</b></p><p>above</p><ul><li>the keel</li></ul>")
    expect(text_of(page).locator("th").last).to_have_text("Heightin metres above the keel")
    page.keyboard.press("End")
    paste(page, "text/plain", " or\n\nbelow")
    expect(text_of(page).locator("th").last).to_have_text("Heightin metres above the keel or below")
    saved(page)
    document = read(graph, space, "titles", change["id"])["document"]
    assert kinds(document) == ["table"]
    ada.fine()


def chosen(page: Page, button: str, item: str) -> None:
    """A choice of the tools by keys alone."""
    page.keyboard.press("Alt+F10")
    for _ in range(20):
        if page.evaluate("document.activeElement.textContent.trim()") == button:
            break
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    if button == "Insert":
        field = page.get_by_role("combobox", name="Insert a block")
        expect(field).to_be_focused()
        page.keyboard.type(item[:3])
        marked = page.get_by_role("listbox").get_by_role("option", selected=True)
        expect(marked).to_have_accessible_name(re.compile(f"^{item} "))
        expect(field).to_have_attribute("aria-activedescendant", marked.get_attribute("id") or "")
    else:
        expect(page.get_by_role("menu")).to_be_visible()
        for _ in range(20):
            if page.evaluate("document.activeElement.textContent.trim()") == item:
                break
            page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    # What is typed next is typed into the text.
    expect(text_of(page)).to_be_focused()


def test_a_table_by_keys_alone(signed_in: Any, graph: Graph) -> None:
    ada, space, change, _ = edited(signed_in, graph, "Table", "Here")
    page = ada.page
    text_of(page).focus()
    page.keyboard.press("Control+End")
    chosen(page, "Insert", "Table")
    page.keyboard.type("Name")
    page.keyboard.press("Tab")
    page.keyboard.type("Height")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.type("mast")
    chosen(page, "Table", "Insert a row above")
    chosen(page, "Table", "Insert a column after")
    page.keyboard.press("Tab")
    page.keyboard.type("new")
    chosen(page, "Table", "Delete the column")
    saved(page)
    table = text_of(page).locator("tr")
    expect(table).to_have_count(4)
    expect(table.nth(0).locator("th")).to_have_count(3)
    expect(table.nth(2).locator("td").first).to_have_text("mast")
    # The titles are the first row: nothing comes above them, and they stay.
    text_of(page).get_by_text("Name", exact=True).click()
    page.get_by_role("button", name="Table", exact=True).click()
    expect(page.get_by_role("menuitem", name="Insert a row below")).to_be_visible()
    expect(page.get_by_role("menuitem", name="Insert a row above")).to_have_count(0)
    expect(page.get_by_role("menuitem", name="Delete the row")).to_have_count(0)
    page.keyboard.press("Escape")
    document = read(graph, space, "table", change["id"])["document"]
    assert "new" not in said(document)
    ada.fine()


@pytest.mark.parametrize("locale", ["en-US", "de-DE"])
def test_all_that_the_editor_asks_with(signed_in: Any, graph: Graph, axe: str, locale: str) -> None:
    """Menus and dialogs: by keys, without findings, in both languages, narrow and dark."""
    title = f"Asked{locale[:2]}"
    space = graph.space(title)
    graph.apply(space, page_of(title, "One\n\n> Said\n\n| A |\n| --- |\n| mast |\n"))
    change = drafted(graph, space, title)
    there = read(graph, space, title.lower())
    ada = signed_in(ADA)
    page = ada.page
    page.add_init_script(f"localStorage.setItem('docstead-language', '{locale[:2]}')")
    ada.go(editing(space, change["number"], there))
    text = page.locator(".ProseMirror")
    expect(text).to_contain_text("mast")

    def fine(what: str) -> None:
        fine_both_ways(page, axe, what)
        page.set_viewport_size(WIDE)

    text.get_by_text("One", exact=True).click()
    page.keyboard.press("End")
    # In a text the keys of the search make a link.
    page.keyboard.press("Control+k")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.type(title)
    expect(page.get_by_role("dialog").get_by_role("listitem").first).to_be_visible()
    fine("link")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(text.locator("a")).to_have_text(title)
    page.keyboard.press("Control+End")
    page.keyboard.press("Control+Enter")
    page.keyboard.type("/")
    expect(page.get_by_role("listbox")).to_be_visible()
    fine("insert")
    page.keyboard.press("Escape")
    page.keyboard.press("Backspace")
    text.get_by_text("mast").click()
    menus = page.locator("[role=toolbar] button[aria-haspopup]")
    expect(menus).to_have_count(4)
    menus.nth(1).click()
    expect(page.get_by_role("menuitem")).to_have_count(6)
    fine("table")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Markdown", exact=True).click()
    expect(page.locator("textarea")).to_have_value(re.compile("mast"))
    fine("markdown")
    ada.fine()


def test_a_copy_has_all_that_the_page_has(signed_in: Any, graph: Graph) -> None:
    space = graph.space("Copies")
    graph.apply(
        space,
        page_of(
            "Chapter", "Text", ref="chapter", description="About it", variables={"unit": "m"},
            cover={"ref": {"kind": "url", "url": "https://a.example/cover.png"}, "yPos": 4},
            layout={"width": "WIDE", "outline": False},
        ),
        page_of("Section", "Inner", parent="ref:chapter", ref="section"),
        page_of("Part", "Innermost", parent="ref:section"),
    )  # fmt: skip
    change = drafted(graph, space, "Copies")
    ada = signed_in(ADA)
    page = ada.page
    ada.go(f"/s/{space}/~/changes/{change['number']}/chapter")
    for item, below in (("Duplicate with the pages below", ["Section"]), ("Duplicate", [])):
        page.get_by_role("button", name="Actions for Chapter", exact=True).click()
        page.get_by_role("menuitem", name=item, exact=True).click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Chapter (copy)")
        path = page.url.rpartition("/")[2]
        copy = graph(COPIED, space=space, path=path, change=change["id"])["pageByPath"]
        whole = graph(COPIED, space=space, path="chapter", change=change["id"])["pageByPath"]
        assert [one["title"] for one in copy.pop("pages")["nodes"]] == below
        whole.pop("pages")
        title = {"title": "Chapter (copy)"}
        markdown = whole["markdown"].replace("# Chapter\n", "# Chapter (copy)\n")
        assert copy == {**whole, **title, "markdown": markdown}
        ada.go(f"/s/{space}/~/changes/{change['number']}/chapter")
    inner = "chapter-copy/section/part"
    assert graph(COPIED, space=space, path=inner, change=change["id"])["pageByPath"]["markdown"]
    ada.fine()


def test_many_pages_are_copied_by_few_requests(signed_in: Any, graph: Graph) -> None:
    """With progress, until it is cancelled; and the copy is undone as a whole."""
    space = graph.space("Many copies")
    parts = [page_of(f"Part {at:02}", f"Text {at}", parent="ref:book") for at in range(60)]
    graph.apply(space, page_of("Book", "All of it", ref="book"), *parts)
    change = drafted(graph, space, "Many copies")
    ada = signed_in(ADA)
    page = ada.page
    reads: list[str] = []
    page.on("request", lambda one: reads.append(one.post_data or ""))
    page.add_init_script(
        "const send = window.fetch; window.fetch = async (...all) => {"
        " await new Promise((done) => setTimeout(done, window.late ?? 0)); return send(...all); }"
    )
    address = f"/s/{space}/~/changes/{change['number']}/book"

    def copy() -> None:
        page.get_by_role("button", name="Actions for Book", exact=True).click()
        page.get_by_role("menuitem", name="Duplicate with the pages below", exact=True).click()

    def titles() -> list[str]:
        query = "query ($space: ID!, $change: ID) { revision(spaceId: $space, changeRequestId: $change) { allPages(first: 300) { nodes { title } } } }"  # noqa: E501
        nodes = graph(query, space=space, change=change["id"])["revision"]["allPages"]["nodes"]
        return [one["title"] for one in nodes]

    before = titles()
    ada.go(address)
    page.evaluate("window.late = 600")
    copy()
    bar = page.get_by_role("progressbar", name="Reading what is copied")
    expect(bar).to_be_visible()
    expect(bar).to_have_attribute("max", "61")
    page.get_by_role("button", name="Cancel", exact=True).click()
    expect(page.get_by_text("Nothing was copied.").first).to_be_visible()
    assert titles() == before

    page.evaluate("window.late = 0")
    reads.clear()
    copy()
    expect(page.get_by_role("heading", level=1)).to_have_text("Book (copy)")
    assert len([one for one in reads if "PagesToCopy" in one]) == 4
    at = before.index("Book")
    whole = before[at : at + 61]
    assert titles() == [
        *before[: at + 61], "Book (copy)", *whole[1:], *before[at + 61 :]
    ]  # fmt: skip
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("It is as it was before.").first).to_be_visible()
    assert titles() == before
    ada.problems[:] = [one for one in ada.problems if "404" not in one]
    ada.fine()


def test_broken_links_are_mended_page_by_page(
    signed_in: Any, graph: Graph, axe: str, artifacts: Path
) -> None:
    space = graph.space("Broken")
    missing = [f"docstead:page?page=gone{at}" for at in range(70)]
    lines = "\n\n".join(f"Line {at} has [a link]({to})." for at, to in enumerate(missing))
    graph.apply(
        space,
        page_of("One", f"It has [a link]({missing[0]})."),
        page_of("Many", f"{'Before. ' * 30}\n\n{lines}"),
        page_of("Fine", "No link at all."),
    )
    ada = signed_in(ADA)
    page = ada.page
    ada.go(f"/s/{space}/~/links")
    # More than one portion: all of them are counted, page by page, most of them first.
    expect(page.get_by_text("70 broken links on 2 pages.")).to_be_visible()
    groups = page.get_by_role("heading", level=2)
    expect(groups.nth(0)).to_have_text(re.compile("^Many 70 broken links"))
    expect(groups.nth(1)).to_have_text(re.compile("^One 1 broken link"))
    page.get_by_label("Page or target").fill("gone69")
    expect(page.get_by_text("1 broken link on 1 page.")).to_be_visible()
    look_at(ada, f"/s/{space}/~/links", "Broken links", "broken-links", axe, artifacts)
    page.set_viewport_size(WIDE)
    # It leads to the block, which is in sight and marked.
    page.get_by_label("Page or target").fill("gone69")
    page.get_by_role("link", name="Go there", exact=False).click()
    expect(page.get_by_role("heading", level=1, name="Many")).to_be_visible()
    block = page.locator("[data-found]")
    expect(block).to_contain_text("Line 69")
    expect(block).to_be_in_viewport()
    ada.fine()


def test_somebody_is_mentioned_by_name(signed_in: Any, graph: Graph, axe: str) -> None:
    space = graph.space("Mentions")
    graph.apply(space, page_of("Chapter", "Text"))
    change = drafted(graph, space, "Mentions")
    chidi = signed_in(CHIDI)
    ada = signed_in(ADA)
    page = ada.page
    ada.go(f"/s/{space}/~/changes/{change['number']}")
    field = page.get_by_role("textbox", name="Comment", exact=True)
    # Not in an address; in a word that begins with @.
    field.press_sequentially("Ask me@ch or @chi")
    people = page.get_by_role("listbox", name="People to mention")
    expect(people.get_by_role("option")).to_have_count(1)
    assert findings(page, axe) == []
    name = people.get_by_role("option").inner_text()
    page.keyboard.press("Enter")
    expect(people).to_have_count(0)
    expect(field).to_have_value(f"Ask me@ch or @{name} ")
    field.press_sequentially("about it.")
    # It outlasts a reload, as the text does.
    page.reload()
    expect(field).to_have_value(f"Ask me@ch or @{name} about it.")
    field.press("Control+Enter")
    expect(field).to_have_value("")
    expect(page.get_by_text(f"@{name}").last).to_be_visible()
    chidi.go("/")
    expect(chidi.page.get_by_role("link", name="Mentions").first).to_be_visible()
    chidi.go("/~/notifications")
    expect(chidi.page.get_by_role("listitem").filter(has_text="Mentions").first).to_be_visible()
    # Escape leaves the letters as they are, and a click chooses as well.
    field.press_sequentially("@a")
    expect(people).to_be_visible()
    page.keyboard.press("Escape")
    expect(people).to_have_count(0)
    expect(field).to_have_value("@a")
    field.press_sequentially("d")
    people.get_by_role("option").first.click()
    expect(field).to_have_value("@Ada Okafor ")
    expect(field).to_be_focused()
    ada.fine()
    chidi.fine()


def test_people_of_one_name_are_mentioned_where_one_writes(
    signed_in: Any, graph: Graph, axe: str
) -> None:
    """In the description of a change request as in comments; each mention is of whom was chosen."""
    space = graph.space("Namesakes")
    graph.apply(space, page_of("Chapter", "Text"))
    change = drafted(graph, space, "Namesakes")
    ada, chidi = signed_in(ADA), signed_in(CHIDI)
    page = ada.page
    viewer = "{ viewer { id displayName } }"
    me = graph(viewer)["viewer"]
    rename = "mutation ($id: ID!, $name: String!) { updateUser(id: $id, input: { displayName: $name }) { id } }"  # noqa: E501
    people = page.get_by_role("listbox", name="People to mention")
    ada.go(f"/s/{space}/~/changes/{change['number']}")
    field = page.get_by_role("textbox", name="Comment", exact=True)
    field.press_sequentially("@chi")
    name = people.get_by_role("option").inner_text()
    page.keyboard.press("Enter")
    field.fill("")
    graph(rename, id=me["id"], name=name)
    try:
        page.reload()
        page.get_by_role("button", name="Describe").click()
        about = page.get_by_role("textbox", name="Description")
        about.press_sequentially("Ask @chi")
        expect(people.get_by_role("option")).to_have_count(2)
        assert findings(page, axe) == []
        people.get_by_role("option", name=f"{name} {CHIDI}").click()
        expect(about).to_have_value(f"Ask @{name} ({CHIDI}) ")
        about.press_sequentially("or @chi")
        people.get_by_role("option", name=f"{name} {ADA}").click()
        about.press("Control+Enter")
        expect(about).to_have_count(0)
        shown = page.get_by_text(f"@{name}", exact=True)
        expect(shown).to_have_count(2)
        expect(shown.nth(0)).to_have_attribute("title", CHIDI)
        expect(shown.nth(1)).to_have_attribute("title", ADA)
        chidi.go("/~/notifications")
        expect(chidi.page.get_by_role("listitem").filter(has_text="Namesakes")).to_have_count(1)
        # Written on: the description is a text still, and both are who they were.
        page.get_by_role("button", name="Describe").click()
        about.press("End")
        about.press_sequentially(" soon")
        about.press("Control+Enter")
        expect(page.get_by_text(f"Ask @{name} or @{name} soon")).to_be_visible()
        # A comment of one's own is written on as well.
        field.press_sequentially("@chi")
        people.get_by_role("option", name=f"{name} {CHIDI}").click()
        field.press("Control+Enter")
        comment = page.get_by_role("article").filter(has_text=f"@{name}")
        comment.get_by_role("button", name="Edit").click()
        again = comment.get_by_role("textbox", name="Comment", exact=True)
        again.press("End")
        again.press_sequentially("said so")
        assert findings(page, axe) == []
        again.press("Control+Enter")
        expect(comment).to_contain_text(f"@{name} said so")
        expect(comment.get_by_text(f"@{name}", exact=True)).to_have_attribute("title", CHIDI)
    finally:
        graph(rename, id=me["id"], name=me["displayName"])
    ada.fine()
    chidi.fine()


def test_a_change_request_is_previewed_on_a_site(signed_in: Any, graph: Graph) -> None:
    spaces = """{ viewer { organizations(first: 1) { nodes { spaces(first: 50) { nodes {
      id title sites(first: 5) { nodes { published visibility } } } } } } } }"""
    nodes = graph(spaces)["viewer"]["organizations"]["nodes"][0]["spaces"]["nodes"]
    space = next(
        one["id"]
        for one in nodes
        for site in one["sites"]["nodes"]
        if site["published"] and site["visibility"] == "PUBLIC"
    )
    change = drafted(graph, space, "To be looked at")
    graph.apply(space, page_of("Only in the draft", "New words"), change=change["id"])
    ada = signed_in(ADA)
    page = ada.page
    ada.go(f"/s/{space}/~/changes/{change['number']}")
    page.get_by_role("button", name="Preview on", exact=False).first.click()
    expect(page.get_by_role("link", name="Open the preview on", exact=False)).to_be_visible()
    for size in (WIDE, NARROW):
        page.set_viewport_size(size)
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    with page.expect_popup() as opened:
        page.get_by_role("link", name="Open the preview on", exact=False).click()
    shown = opened.value
    expect(shown.get_by_text("Only in the draft").first).to_be_visible()
    ada.fine()
