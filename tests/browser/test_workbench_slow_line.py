"""Every view and its dialogs over a slow line: something is seen before the first answer, nothing
is said to be empty before that is known, no field gets another value under somebody's hands, and
what is about to be pressed stays where it is."""

from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser import test_workbench_dialogs, workbench
from tests.browser.conftest import held
from tests.browser.test_workbench_dialogs import BUTTONS, DIALOG, PRESS, REFUSE
from tests.browser.workbench import ADA, Graph, Person

graph, sessions, signed_in = workbench.graph, workbench.sessions, workbench.signed_in
views = test_workbench_dialogs.views

# So long each answer takes.
DELAY_MS = 800
# What is drawn from one moment to another. A thing that has rested so long is aimed at; one that
# stands elsewhere then has jumped.
WATCH = """{
  const RESTED_MS = 150, AWAY = 8;
  const send = window.fetch;
  window.delay = 0;
  window.fetch = async (...all) => {
    const isGraph = String(all[0]?.url ?? all[0]).includes('/graphql');
    if (isGraph) await new Promise((done) => setTimeout(done, window.delay));
    return send(...all);
  };
  const all = (what) => [...document.querySelectorAll(`:is(main, [role=dialog]) :is(${what})`)];
  const nameOf = (one) => (one.getAttribute('aria-label') ?? one.labels?.[0]?.textContent
    ?? one.textContent ?? '').trim().slice(0, 40);
  const emptyNow = () => all('[class*=empty_]').map((one) => one.textContent);
  const valueOf = (one) => (/checkbox|radio/.test(one.type) ? String(one.checked) : one.value);
  let it = null;
  const look = () => {
    if (it === null) return;
    const now = performance.now() - it.begun;
    if (it.first === null && document.body.innerHTML !== it.before) it.first = now;
    for (const words of emptyNow()) it.empty.add(words);
    for (const one of all('input, select, textarea')) {
      const can = !one.disabled && !one.readOnly && one.checkVisibility();
      const before = it.values.get(one);
      if (!can) it.values.delete(one);
      else it.values.set(one, valueOf(one));
      if (can && before !== undefined && before !== valueOf(one))
        it.overwritten.push([nameOf(one), before, valueOf(one)]);
    }
    for (const one of all('a[href], button, input, select, textarea, summary')) {
      const { top, left, bottom } = one.getBoundingClientRect();
      const can = !one.disabled && one.checkVisibility() && bottom > 0 && top < innerHeight;
      const before = it.places.get(one);
      if (!can) { it.places.delete(one); continue; }
      const isSame = before
        && Math.abs(top - before.top) <= AWAY && Math.abs(left - before.left) <= AWAY;
      if (before && !isSame && now - before.since > RESTED_MS)
        it.jumps.push([nameOf(one), Math.round(top - before.top), Math.round(left - before.left)]);
      if (!isSame) it.places.set(one, { top, left, since: now });
    }
    requestAnimationFrame(look);
  };
  window.watch = () => {
    it = {
      begun: performance.now(), before: document.body.innerHTML, first: null, empty: new Set(),
      values: new Map(), overwritten: [], places: new Map(), jumps: [],
    };
    requestAnimationFrame(look);
  };
  window.watched = () => {
    const stays = emptyNow();
    const { first, overwritten, jumps } = it;
    const flashes = [...it.empty].filter((words) => !stays.includes(words));
    it = null;
    return { first, flashes, overwritten, jumps };
  };
}"""
GO = "(path) => { window.watch(); history.pushState(null, '', path); }"
# Presses of one view.
MOST_PRESSES = 8
# A moment in which what was closed goes.
GOING = 150


@dataclass
class Slow:
    """Somebody whose answers are late, and who writes nothing."""

    person: Person

    def __post_init__(self) -> None:
        page = self.person.page
        page.add_init_script(REFUSE)
        page.add_init_script(WATCH)
        self.person.go("/")
        self.person.settle()
        page.evaluate(f"window.delay = {DELAY_MS}")

    def visit(self, path: str) -> Any:
        """A view as a link leads to it, and what was seen until all of it was there."""
        page = self.person.page
        page.evaluate("history.pushState(null, '', '/nowhere')")
        expect(page.get_by_role("main").get_by_text("There is nothing here")).to_be_visible()
        page.evaluate(GO, path)
        return self.watched()

    def press(self, index: int) -> Any:
        self.person.page.evaluate("window.watch()")
        self.person.page.evaluate(PRESS, index)
        return self.watched()

    def watched(self) -> Any:
        # Whatever was asked behind the first answer has come as well.
        for _ in range(2):
            self.person.page.wait_for_timeout(DELAY_MS / 2)
            self.person.settle()
        return self.person.page.evaluate("window.watched()")


@pytest.fixture
def paths(views: list[str], graph: Graph) -> list[str]:
    organization = graph.organization
    space = views[0].split("/")[2]
    site = next(view for view in views if "/sites/" in view)
    of_space = (
        "", "/~/changes/1?tab=changes", "/~/changes/1?tab=conflicts", "/~/changes/1/chapter",
        "/~/revisions", "/~/links", "/~/import", "/~/people", "/~/notifications",
    )  # fmt: skip
    return [
        *views, *(f"/s/{space}{path}" for path in of_space), f"/o/{organization}/~/audit",
        f"{site}?tab=look", f"{site}?tab=insights", "/~/notifications",
    ]  # fmt: skip


@pytest.mark.timeout(600)
def test_every_view_comes_at_once_and_stays(signed_in: Any, paths: list[str]) -> None:
    slow = Slow(signed_in(ADA))
    faults = {}
    for path in paths:
        seen = slow.visit(path)
        is_seen = seen["first"] is not None and seen["first"] < DELAY_MS
        if not is_seen or seen["flashes"] or seen["overwritten"] or seen["jumps"]:
            faults[path] = seen
    assert faults == {}
    slow.person.fine()


@pytest.mark.timeout(600)
def test_what_is_opened_is_filled_in_once(signed_in: Any, paths: list[str]) -> None:
    slow = Slow(signed_in(ADA))
    page = slow.person.page
    faults, opened = [], 0
    for path in paths:
        slow.visit(path)
        names: set[str] = set()
        for one in page.evaluate(BUTTONS):
            name = one["name"].split(" ")[0] if one["row"] else one["name"]
            if one["menu"] or not one["inside"] or name in names or len(names) == MOST_PRESSES:
                continue
            names.add(name)
            seen = slow.press(one["index"])
            if seen["flashes"] or seen["overwritten"]:
                faults.append((path, one["name"], seen))
            if page.locator(DIALOG).count():
                opened += 1
                page.keyboard.press("Escape")
                page.wait_for_timeout(GOING)
            if page.locator(DIALOG).count() or page.url != slow.person.base + path:
                slow.visit(path)
    assert faults == []
    assert opened > 20


def test_a_choice_of_spaces_says_that_it_is_loading(signed_in: Any, graph: Graph) -> None:
    graph.space("To be chosen")
    ada = signed_in(ADA)
    page = ada.page
    ada.go(f"/o/{graph.organization}/~/sites")
    with held(page, " SpacesToShow(") as asked:
        page.get_by_role("button", name="New site").click()
        choice = page.get_by_role("dialog").locator("select")
        asked.wait()
        expect(choice).to_be_disabled()
        expect(choice.locator("option:checked")).to_have_text("Loading")
    expect(choice).to_be_enabled()
    expect(choice.locator("option:checked")).to_have_text("None yet")
    choice.select_option(label="To be chosen")
    ada.fine()
