"""The Workbench on phones, by touch alone: every view has room for fingers, and what has to be done
can be done without a mouse, a hovering pointer and keys that phones do not have."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser import test_workbench as workbench, test_workbench_dialogs as dialogs
from tests.browser.conftest import Shown, wait_until
from tests.browser.test_workbench_administration import CREATE_CHANGE
from tests.browser.workbench import ADA, CHIDI, EVERY_KIND, Graph, Person, page_of

graph, sessions, signed_in = workbench.graph, workbench.sessions, workbench.signed_in
views = dialogs.views
PHONE, SMALL = {"width": 390, "height": 844}, {"width": 360, "height": 740}
# Longer than a finger has to rest to open a menu.
RESTING = 700
# What a keyboard on the screen leaves.
ABOVE_KEYBOARD = {"width": 390, "height": 480}
# WCAG 2.2: targets of 24 pixels or with room around them; links in lines of text are as high as
# their line. What one presses and fills in mainly is as high as a finger. Nothing is there only
# below a pointer, no field makes Safari zoom, and fingers may zoom.
UNFIT = """() => {
  const TARGET = 'a[href], button, input, select, textarea, summary, [role=button], [role=option],' +
    '[role=menuitem], [role=menuitemradio], [role=tab], [role=radio], [role=switch]';
  const [LEAST, FINGER] = [24, 44];
  const open = document.querySelector('[role=dialog], [role=menu]');
  const scope = open ?? document.body;
  const named = (one) => one.outerHTML.slice(0, 160);
  const wrong = [];
  if (!matchMedia('(pointer: coarse) and (hover: none)').matches) wrong.push('this is no phone');
  if (document.documentElement.scrollWidth > innerWidth) wrong.push('scrolls sideways');
  if (/user-scalable\\s*=\\s*no|maximum-scale/.test(document.querySelector('meta[name=viewport]').content)) wrong.push('does not zoom');
  const boxOf = (one) => {
    const label = one.matches('input[type=checkbox], input[type=radio]') ? one.closest('label') : null;
    return (label ?? one).getBoundingClientRect();
  };
  const all = [...scope.querySelectorAll(TARGET)].filter((one) => {
    const box = one.getBoundingClientRect();
    return one.checkVisibility({ visibilityProperty: true }) && box.width > 1 && box.height > 1 &&
      !one.disabled && one.type !== 'hidden' && one.style.width !== '1px' && !one.closest('.hidden-text, [inert], [contenteditable=true] p');
  });
  const small = (box) => box.width < LEAST - 0.5 || box.height < LEAST - 0.5;
  for (const one of all) {
    const box = boxOf(one);
    const style = getComputedStyle(one);
    if (style.opacity === '0' && one.getAttribute('slot') !== 'drag') wrong.push(['only below a pointer', named(one)]);
    if (one.matches('input:not([type=checkbox], [type=radio], [type=color], [type=file]), select, textarea') && parseFloat(style.fontSize) < 16)
      wrong.push(['letters of', style.fontSize, named(one)]);
    const isInLine = style.display === 'inline' || one.matches('button') && one.closest('p, li > bdi');
    if (one.getAttribute('slot') === 'drag' || isInLine) continue;
    if (small(box)) {
      const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
      const near = all.filter((other) => other !== one && !other.contains(one) && !one.contains(other)).some((other) => {
        const its = boxOf(other);
        const dx = Math.max(its.left - x, 0, x - its.right);
        const dy = Math.max(its.top - y, 0, y - its.bottom);
        return Math.hypot(dx, dy) < (small(its) ? LEAST : LEAST / 2);
      });
      if (near) wrong.push(['too small', Math.round(box.width), Math.round(box.height), named(one)]);
    }
    const isMain = one.matches('button, select, textarea, input:not([type=checkbox], [type=radio], [type=color])');
    if (isMain && !one.closest('[contenteditable=true], table') && box.height < FINGER - 4.5)
      wrong.push(['lower than a finger', Math.round(box.height), named(one)]);
  }
  return wrong;
}"""  # noqa: E501


@pytest.fixture
def phone(browser: Browser, site: Shown, sessions: dict[str, Any]) -> Iterator[Callable[..., Any]]:
    people: list[Person] = []

    def sign_in(email: str, size: Any = PHONE) -> Person:
        context = browser.new_context(
            viewport=size, has_touch=True, is_mobile=True, device_scale_factor=3, locale="en-US",
            storage_state=sessions[email], reduced_motion="reduce",
        )  # fmt: skip
        people.append(person := Person(context, site.base))
        return person

    yield sign_in
    for person in people:
        person.context.close()


def fits(page: Page, what: str) -> None:
    assert page.evaluate(UNFIT) == [], what


def test_every_view_has_room_for_fingers(
    phone: Callable[..., Person], graph: Graph, views: list[str]
) -> None:
    space = views[0].split("/")[2]
    graph.apply(space, page_of("Everything", EVERY_KIND.read_text("utf-8")))
    ada = phone(ADA)
    more = [
        f"/s/{space}/everything", f"{views[0]}?tab=changes", f"/s/{space}/~/people",
        f"/s/{space}/~/import", f"/s/{space}/~/links", f"/s/{space}/~/revisions",
        "/~/notifications", f"/o/{graph.organization}/~/audit", f"{views[-5]}?tab=insights",
        f"{views[-5]}?tab=look",
    ]  # fmt: skip
    wrong: dict[str, Any] = {}
    for path in [*views, *more]:
        page = ada.see(path)
        # From left to right on most phones, from right to left on small ones.
        for direction, size in (("ltr", PHONE), ("rtl", SMALL)):
            page.set_viewport_size(size)
            page.evaluate("direction => { document.documentElement.dir = direction }", direction)
            if unfit := page.evaluate(UNFIT):
                wrong[f"{path} {direction}"] = unfit
        page.evaluate("document.documentElement.dir = 'ltr'")
    assert wrong == {}
    ada.fine()


def test_pages_are_read_and_moved_by_touch(phone: Callable[..., Person], graph: Graph) -> None:
    space = graph.space("In a pocket")
    graph.apply(
        space, page_of("First", "One"), page_of("Second", "Two", ref="second"),
        page_of("Below", "Three", parent="ref:second"),
    )  # fmt: skip
    ada = phone(ADA)
    page = ada.see(f"/s/{space}")
    page.get_by_role("button", name="Open navigation").tap()
    drawer = page.get_by_role("dialog", name="Navigation")
    expect(drawer.get_by_role("button", name="Actions for Second")).to_be_visible()
    fits(page, "the drawer")
    # Rows are opened, gone to and moved.
    drawer.get_by_role("row", name="Second").get_by_role("button", name="Open or close").tap()
    drawer.get_by_role("row", name="Below").tap()
    expect(page.get_by_role("heading", level=1, name="Below")).to_be_visible()
    expect(drawer).to_have_count(0)
    page.get_by_role("button", name="Open navigation").tap()
    drawer.get_by_role("button", name="Actions for Second").tap()
    expect(page.get_by_role("menu")).to_be_visible()
    fits(page, "the menu of a page")
    page.get_by_role("menuitem", name="Move up").tap()
    # The page that every space begins with is the first. The drawer stays, with what became of it.
    rows = drawer.get_by_role("row")
    expect(rows.nth(1)).to_contain_text("Second")
    expect(drawer.get_by_text("Second was moved. It is 2 of 3.")).to_be_visible()
    expect(drawer.get_by_role("link", name=re.compile("#1"))).to_be_visible()
    page.wait_for_url(re.compile("/~/changes/1/"))
    fits(page, "the drawer of a change request")

    # A finger that scrolls opens nothing, and drags nothing.
    address = page.url
    with touching(page, drawer.get_by_role("row", name="First")) as touch:
        touch("touchMove", 0, -40)
        page.wait_for_timeout(RESTING)
    expect(page.get_by_role("menu")).to_have_count(0)
    # One that rests opens the menu of the row, and goes nowhere when it is lifted.
    with touching(page, drawer.get_by_role("row", name="First")):
        expect(page.get_by_role("menu", name="Actions for First")).to_be_visible()
    page.wait_for_timeout(RESTING)
    expect(page.get_by_role("menu", name="Actions for First")).to_be_visible()
    assert page.url == address
    page.get_by_role("menuitem", name="Move up").tap()
    expect(rows.nth(1)).to_contain_text("First")
    # Whoever goes to a page sees of which change request it is, and how to go back.
    expect(drawer.get_by_text("First was moved. It is 2 of 3.")).to_be_visible()
    drawer.get_by_role("row", name="Second").tap()
    expect(drawer).to_have_count(0)
    expect(page.get_by_role("main").get_by_text("Pages of change request #1")).to_be_visible()
    fits(page, "a page of a change request")
    page.get_by_role("main").get_by_role("link", name="Back to what readers see").tap()
    expect(page.get_by_text("Pages of change request #1")).to_have_count(0)
    ada.fine()


def test_a_menu_by_keys_behind_a_touch_that_never_ends(
    phone: Callable[..., Person], graph: Graph
) -> None:
    """The browser may lose the end of a touch: a key ends it, and asks for the menu by itself."""
    space = graph.space("Both hands")
    graph.apply(space, page_of("First", "One"), page_of("Second", "Two"))
    page = phone(ADA).see(f"/s/{space}")
    page.get_by_role("button", name="Open navigation").tap()
    drawer = page.get_by_role("dialog", name="Navigation")
    expect(drawer.get_by_role("button", name="Actions for First")).to_be_visible()
    row = drawer.get_by_role("row", name="First")
    menu = page.get_by_role("menu", name="Actions for First")
    with touching(page, row):
        expect(menu).to_be_visible()
        page.keyboard.press("Escape")
        expect(menu).to_have_count(0)
        row.focus()
        page.keyboard.press("Shift+F10")
        if not menu.is_visible():
            # Where the browser makes nothing of the key, it asks as other browsers do.
            ask = "row => row.dispatchEvent(new PointerEvent('contextmenu', { bubbles: true }))"
            row.evaluate(ask)
        expect(menu).to_be_visible()


@contextmanager
def touching(page: Page, target: Locator) -> Iterator[Callable[[str, int, int], None]]:
    """A finger on something until the block ends; the function moves it by so many pixels."""
    target.scroll_into_view_if_needed()
    box = target.bounding_box()
    assert box is not None
    # Beside its buttons.
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    browser = page.context.new_cdp_session(page)

    def touch(kind: str, right: int, down: int) -> None:
        points = [] if kind == "touchEnd" else [{"x": x + right, "y": y + down}]
        browser.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", 0, 0)
    yield touch
    touch("touchEnd", 0, 0)
    browser.detach()


def test_a_page_is_written_by_touch(phone: Callable[..., Person], graph: Graph) -> None:
    space = graph.space("By thumb")
    graph.apply(space, page_of("Notes", "First words\n\n* One\n* Two\n\nLast words\n\n" * 6))
    ada = phone(ADA)
    page = ada.see(f"/s/{space}/notes")
    page.get_by_role("button", name="Edit", exact=True).tap()
    page.get_by_role("menuitem", name="Edit in a new change request").tap()
    text = page.get_by_role("textbox", name="Text of the page")
    expect(text).to_be_visible()
    tools = page.get_by_role("toolbar", name="Tools of the editor")
    fits(page, "the editor")
    last = text.get_by_text("Last words").last
    last.tap()
    page.keyboard.press("End")
    page.keyboard.insert_text(" by thumb")
    # The keyboard takes its place: the tools stand above it, and the caret above them.
    page.set_viewport_size(ABOVE_KEYBOARD)
    expect(tools).to_be_in_viewport(ratio=0.3)
    page.keyboard.insert_text(" and more")
    wait_until(page, f"() => ({CARET})() <= ({TOP_OF_TOOLS})()")
    # A block is inserted by the button, is what it says, and moves.
    tools.get_by_role("button", name="Insert").tap()
    expect(page.get_by_role("listbox")).to_be_visible()
    fits(page, "the menu of blocks")
    page.get_by_role("option", name=re.compile("^Hint ")).tap()
    page.keyboard.insert_text("Mind the gap")
    hint = text.get_by_role("group", name="Hint")
    expect(hint).to_contain_text("Mind the gap")
    tools.get_by_role("button", name="Move").tap()
    page.get_by_role("menuitem", name="Block up").tap()
    expect(text.locator("> :last-child")).not_to_contain_text("Mind the gap")
    # And so do items of a list, into each other.
    text.get_by_text("Two").first.tap()
    tools.get_by_role("button", name="Move").tap()
    page.get_by_role("menuitem", name="List item further in").tap()
    expect(text.locator("li li").get_by_text("Two")).to_be_visible()
    # The menu behind `/` has room, too.
    text.get_by_text("First words").first.tap()
    page.keyboard.press("End")
    page.keyboard.insert_text(" ")
    page.keyboard.type("/")
    menu = page.get_by_role("listbox", name="Insert a block")
    expect(menu).to_be_in_viewport()
    wait_until(
        page,
        f"() => document.getElementById('editor-insert').getBoundingClientRect().bottom <= ({TOP_OF_TOOLS})()",  # noqa: E501
    )
    menu.get_by_role("option", name="Divider").tap()
    expect(text.get_by_role("separator")).to_have_count(1)
    expect(page.get_by_text("Saved", exact=True)).to_be_visible()
    ada.fine()


# Where the caret ends, and where the tools begin.
CARET = """() => { const range = getSelection().getRangeAt(0).cloneRange(); range.collapse(false);
  const { startContainer: at } = range;
  const box = range.getClientRects()[0] ?? at.parentElement.getBoundingClientRect();
  return box.bottom; }"""
TOP_OF_TOOLS = "() => document.querySelector('[role=toolbar]').getBoundingClientRect().top"


def test_a_change_is_talked_about_and_merged_by_touch(
    phone: Callable[..., Person], graph: Graph
) -> None:
    space = graph.space("On the train")
    graph.apply(space, page_of("Guide", "Two seconds"))
    made = graph(CREATE_CHANGE, id=space, input={"subject": "Say more"})["createChangeRequest"]
    graph.apply(space, page_of("New", "A new page"), change=made["id"])
    graph(dialogs.OPEN, id=space, change=made["id"])
    chidi, ada = phone(CHIDI), phone(ADA)
    page = chidi.see(f"/s/{space}/~/changes/1?tab=changes")
    page.get_by_role("button", name=re.compile("^Comment (?!on)")).first.tap()
    page.get_by_label("Comment on this block").fill("Enough?")
    fits(page, "a comment that is written")
    page.get_by_role("button", name="Post comment").tap()
    comment = page.get_by_role("article", name="Comment by Chidi Marais")
    expect(comment).to_contain_text("Enough?")
    comment.get_by_role("button", name="Add a reaction").tap()
    fits(page, "reactions")
    page.get_by_role("button", name="Thumbs up").tap()
    expect(comment.locator("button[aria-pressed=true]")).to_be_visible()
    page.get_by_role("link", name="Conversation").tap()
    page.get_by_role("button", name="Give a review").tap()
    dialog = page.get_by_role("dialog")
    # With a keyboard, all of a dialog can be scrolled to.
    page.set_viewport_size(ABOVE_KEYBOARD)
    fits(page, "a review that is written")
    dialog.get_by_role("button", name="Approve").tap()
    expect(dialog).to_have_count(0)
    expect(page.get_by_text("Approved").first).to_be_visible()

    page = ada.see(f"/s/{space}/~/changes/1")
    page.get_by_role("button", name="Merge", exact=True).tap()
    page.get_by_role("dialog").get_by_role("button", name="Merge").tap()
    expect(page.get_by_text("Merged").first).to_be_visible()
    chidi.fine()
    ada.fine()
