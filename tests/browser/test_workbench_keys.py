"""What the Workbench says about keys is so: every hint of the catalogue of texts is tried."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.browser import workbench
from tests.browser.test_workbench_administration import CREATE_CHANGE, CREATE_SITE, SECTION
from tests.browser.test_workbench_dialogs import OPEN
from tests.browser.workbench import ADA, CHIDI, Graph, page_of

graph, sessions, signed_in = workbench.graph, workbench.sessions, workbench.signed_in
SOURCES = Path(__file__).parents[2] / "app" / "src"
TEXT = re.compile(r"(\w+): (?:\([^)]*\) => )?(['`])((?:(?!\2).)*)\2")
KEY = re.compile(
    r"\b(?:Ctrl|Strg|Alt|Enter|Eingabe|Esc|Del|Entf|F\d+)\b|\b(?:[Aa]rrows?|Pfeile?n?)\b|[↑↓←→]"
    r"|^/(?= )"
)
NAMES = {"Strg": "Ctrl", "Eingabe": "Enter", "Entf": "Del"}
# Texts that name keys, by the file of the English ones, and the test below that presses them.
HINTS = {
    ("en.ts", "tree"): "test_the_list_of_keys",
    ("en.ts", "markdownHint"): "test_what_was_written_is_sent",
    ("en.ts", "reviewHint"): "test_a_review_is_sent",
    ("en.ts", "mentionHint"): "test_what_was_written_is_sent",
    ("en.ts", "mentionOf"): "test_what_was_written_is_sent",
    ("en.ts", "keys"): "test_keys_of_the_editor",
    ("en.ts", "markdownKeys"): "test_keys_of_the_editor",
    ("admin/sites-en.ts", "keys"): "test_keys_of_the_structure_of_a_site",
    **{("tree/en.ts", way): "test_the_list_of_keys" for way in ("up", "down", "in", "out")},
}
# Names of rows of the list of keys; `test_the_list_of_keys` presses each.
ROW = re.compile(r"^  \['(\w+)', \[(.*)\]\],$", re.MULTILINE)


def texts_of(path: Path) -> dict[str, set[str]]:
    """Keys that texts of a file name, by the name of the text."""
    said: dict[str, set[str]] = {}
    for name, _, text in TEXT.findall(path.read_text("utf-8")):
        keys = {
            NAMES.get(key, re.sub("Pfeil.*|[Aa]rrow.*", "arrow", key)) for key in KEY.findall(text)
        }
        if keys:
            said.setdefault(name, set()).update(keys)
    return said


def test_every_hint_has_a_test_and_is_the_same_in_each_language() -> None:
    folder = SOURCES / "texts"
    english = sorted([*folder.rglob("en.ts"), *folder.rglob("*-en.ts")])
    said = {
        (path.relative_to(folder).as_posix(), name): keys
        for path in english
        for name, keys in texts_of(path).items()
    }
    assert said.keys() == HINTS.keys()
    assert set(HINTS.values()) <= globals().keys()
    for path in english:
        german = path.with_name(re.sub(r"en\.ts$", "de.ts", path.name))
        assert texts_of(german) == texts_of(path), path


def test_fields_that_promise_a_key_have_one() -> None:
    """Whoever writes a hint beside a field for texts says what its keys do."""
    fields = [
        field
        for path in SOURCES.rglob("*.tsx")
        for field in re.findall(r"<MentionArea\b.*?/>", path.read_text("utf-8"), re.DOTALL)
    ]
    assert len(fields) >= 3
    assert [field for field in fields if "hint" in field and "onSend=" not in field] == []


def test_what_was_written_is_sent(signed_in: Any, graph: Graph) -> None:
    space = graph.space("Sent by keys")
    graph.apply(space, page_of("Tides", "High water"))
    graph(CREATE_CHANGE, id=space, input={"subject": "Say more"})
    ada = signed_in(ADA)
    page = ada.page
    asked: list[str] = []
    page.on("request", lambda one: asked.append(one.post_data or ""))
    ada.go(f"/s/{space}/~/changes/1")

    def send(field: Locator, text: str) -> None:
        expect(field).to_be_visible()
        field.fill(text)
        field.press("Control+Enter")

    # A comment, with somebody whom arrows choose and Enter takes.
    field = page.get_by_role("textbox", name="Comment", exact=True)
    field.press_sequentially("Look @c")
    choices = page.get_by_role("option")
    expect(choices.first).to_be_visible()
    expect(page.get_by_text("to mention: arrows choose, Enter takes.")).to_be_attached()
    first = choices.nth(0).inner_text()
    field.press("ArrowDown")
    expect(choices.nth(min(1, choices.count() - 1))).to_have_attribute("aria-selected", "true")
    field.press("ArrowUp")
    field.press("Enter")
    expect(field).to_have_value(f"Look @{first} ")
    field.press("Control+Enter")
    comment = page.get_by_role("article", name="Comment by Ada Okafor")
    expect(comment.locator("p", has_text=f"@{first}")).to_be_visible()
    expect(field).to_have_value("")
    expect(field).to_be_focused()

    send(comment.get_by_role("textbox", name="Reply to"), "Seen")
    reply = comment.get_by_role("listitem").filter(has_text="Seen")
    expect(reply).to_be_visible()
    comment.get_by_role("button", name=re.compile("^Edit .*Look")).click()
    send(comment.get_by_role("textbox", name="Comment", exact=True), "Look again")
    expect(comment.locator("p", has_text="Look again")).to_be_visible()
    reply.get_by_role("button", name=re.compile("^Edit")).click()
    send(comment.get_by_role("textbox", name="Reply", exact=True), "Seen twice")
    expect(comment.locator("p", has_text="Seen twice")).to_be_visible()

    page.get_by_role("button", name="Describe").click()
    send(page.get_by_role("textbox", name="Description"), "About tides")
    expect(page.get_by_text("About tides", exact=True)).to_be_visible()
    ada.go(f"/s/{space}/tides")
    page.get_by_role("button", name="Comment on this page").click()
    send(page.get_by_role("textbox", name="Comment on this page"), "Here, too")
    expect(page.locator("p", has_text="Here, too")).to_be_visible()
    # Who may be mentioned was read once for all fields of a view.
    assert len([one for one in asked if "query PeopleOfSpace" in one]) == 1
    ada.fine()


def test_a_review_is_sent(signed_in: Any, graph: Graph) -> None:
    space = graph.space("Reviewed by keys")
    change = graph(CREATE_CHANGE, id=space, input={"subject": "Say"})["createChangeRequest"]["id"]
    graph.apply(space, page_of("Tides", "High water"), change=change)
    graph(OPEN, id=space, change=change)
    chidi = signed_in(CHIDI)
    chidi.go(f"/s/{space}/~/changes/1")
    chidi.page.get_by_role("button", name="Give a review").click()
    field = chidi.page.get_by_role("dialog").get_by_role("textbox")
    expect(chidi.page.get_by_text("Ctrl+Enter approves.")).to_be_visible()
    field.fill("Well said")
    field.press("Control+Enter")
    expect(chidi.page.get_by_role("dialog")).to_have_count(0)
    expect(chidi.page.get_by_text("Approved", exact=True)).to_be_visible()
    expect(chidi.page.get_by_text("Well said", exact=True)).to_be_visible()
    chidi.fine()


def test_the_list_of_keys(signed_in: Any, graph: Graph) -> None:
    space = graph.space("Keys")
    graph.apply(
        space, page_of("Alpha", "A", ref="alpha"), page_of("Below", "B", parent="ref:alpha"),
        page_of("Gamma", "G"), page_of("Delta", "D"),
    )  # fmt: skip
    ada = signed_in(ADA)
    page: Page = ada.page
    tree = page.get_by_role("treegrid", name="Pages")

    def begin() -> None:
        ada.see(f"/s/{space}/gamma")
        expect(page.get_by_role("heading", level=1, name="Gamma")).to_be_visible()
        page.get_by_role("button", name="Drag Gamma").wait_for(state="attached")

    def goes(keys: str, title: str | re.Pattern[str]) -> Callable[[], None]:
        def press() -> None:
            for key in keys.split(" "):
                page.keyboard.press(key)
            expect(page.get_by_role("heading", level=1, name=title)).to_be_visible()

        return press

    def opens(key: str, dialog: str) -> None:
        page.keyboard.press(key)
        expect(page.get_by_role("dialog", name=dialog)).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)

    def search() -> None:
        for key in ("Control+k", "/"):
            page.keyboard.press(key)
            expect(page.get_by_role("textbox", name="Search everything")).to_be_focused()
            page.keyboard.press("Escape")
            expect(page.get_by_role("dialog")).to_have_count(0)

    def move_in_tree() -> None:
        tree.get_by_role("row", name="Alpha").focus()
        page.keyboard.press("ArrowRight")
        expect(tree.get_by_role("row", name="Below")).to_be_visible()
        page.keyboard.press("ArrowDown")
        expect(tree.get_by_role("row", name="Below")).to_be_focused()
        page.keyboard.press("ArrowUp")
        page.keyboard.press("ArrowLeft")
        expect(tree.get_by_role("row", name="Below")).to_have_count(0)
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", level=1, name="Alpha")).to_be_visible()

    def move_page() -> None:
        delta, gamma = (tree.get_by_role("row", name=name) for name in ("Delta", "Gamma"))

        def move(way: str) -> None:
            delta.focus()
            page.keyboard.press(f"Alt+Arrow{way}")
            expect(page.get_by_text("Delta was moved.").first).to_be_visible()

        last = tree.get_by_role("row").last
        move("Up")
        expect(last).to_contain_text("Gamma")
        move("Down")
        expect(last).to_contain_text("Delta")
        move("Right")
        # It is below the page above now, which is open.
        gamma.get_by_role("button", name="Open or close").wait_for()
        gamma.focus()
        page.keyboard.press("ArrowRight")
        expect(delta).to_have_attribute("aria-level", "2")
        move("Left")
        expect(delta).to_have_attribute("aria-level", "1")

    def of_row(key: str, dialog: str) -> Callable[[], None]:
        def press() -> None:
            tree.get_by_role("row", name="Gamma").focus()
            opens(key, dialog)

        return press

    presses: dict[str, Callable[[], None]] = {
        "search": search,
        "keys": lambda: opens("?", "Keyboard"),
        "home": goes("g h", "My work"),
        "notifications": goes("g n", "Notifications"),
        "administration": goes("g a", re.compile("Members|Teams|Sites")),
        "sites": goes("g s", "Sites"),
        "pages": goes("g p", "Keys"),
        "changes": goes("g c", "Change requests"),
        "history": goes("g r", "History"),
        "links": goes("g l", "Broken links"),
        "tree": move_in_tree,
        "treeRename": of_row("F2", "Rename"),
        "treeRemove": of_row("Delete", "Remove Gamma?"),
        # Pages move in a change request, so this is the last.
        "treeMove": move_page,
        "close": lambda: opens("?", "Keyboard"),
    }
    rows = dict(ROW.findall((SOURCES / "shell" / "shortcuts.ts").read_text("utf-8")))
    assert rows.keys() == presses.keys()
    for press in presses.values():
        begin()
        press()
    ada.fine()


def test_keys_of_the_editor(signed_in: Any, graph: Graph) -> None:
    space = graph.space("Edited by keys")
    graph.apply(space, page_of("Log", "First line\n\nSecond line"))
    ada = signed_in(ADA)
    page = ada.page
    ada.go(f"/s/{space}/log")
    page.get_by_role("button", name="Edit", exact=True).click()
    started = page.get_by_role("menuitem").first
    editor = page.locator("[contenteditable=true].ProseMirror")
    expect(editor.or_(started).first).to_be_visible()
    if editor.count() == 0:
        started.click()
    expect(editor).to_be_visible()
    editor.get_by_text("Second line").click()
    page.keyboard.press("Alt+ArrowUp")
    expect(editor.locator("p").first).to_have_text("Second line")
    page.keyboard.press("Alt+ArrowDown")
    expect(editor.locator("p").first).to_have_text("First line")
    page.keyboard.press("Alt+F10")
    expect(page.get_by_role("toolbar").locator(":focus")).to_have_count(1)
    editor.get_by_text("Second line").click()
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    page.keyboard.type("/quote")
    expect(page.get_by_role("option", name="Quote")).to_be_visible()
    page.keyboard.press("Enter")
    expect(editor.locator("blockquote")).to_have_count(1)
    page.get_by_role("button", name="Markdown", exact=True).click()
    field = page.get_by_role("textbox", name="Markdown of the page")
    expect(field).to_have_value(re.compile("First line"))
    field.fill(field.input_value().replace("First line", "First of all"))
    field.press("Control+Enter")
    expect(editor.locator("p").first).to_have_text("First of all")
    field.press("Escape")
    expect(editor).to_be_focused()
    ada.fine()


def test_keys_of_the_structure_of_a_site(signed_in: Any, graph: Graph) -> None:
    made = graph(CREATE_SITE, id=graph.organization, input={"title": "By keys", "spaces": []})
    site = made["createSite"]["id"]
    for title in ("Charts", "Logs"):
        graph(SECTION, site=site, input={"spaceId": graph.space(title), "title": f"{title} here"})
    ada = signed_in(ADA)
    page = ada.page
    ada.go(f"/o/{graph.organization}/sites/{site}?tab=content")
    tree = page.get_by_role("treegrid", name="Structure of the site")
    tree.get_by_role("row", name="Logs here").focus()
    page.keyboard.press("Alt+ArrowUp")
    expect(page.get_by_text("Logs here was moved.").first).to_be_visible()
    expect(tree.get_by_role("row").first).to_contain_text("Logs here")
    for key in ("F2", "Delete"):
        tree.get_by_role("row", name="Logs here").focus()
        page.keyboard.press(key)
        expect(page.get_by_role("dialog")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)
    ada.fine()
