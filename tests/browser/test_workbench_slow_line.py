"""Every view over a slow line: what is pressed is answered at once, nothing is said to be empty before
it is known, no form is filled in anew under somebody's hands, and what is about to be pressed stays
where it is."""

from typing import Any

from tests.browser import test_workbench_dialogs, workbench
from tests.browser.workbench import ADA, Graph

graph, sessions, signed_in = workbench.graph, workbench.sessions, workbench.signed_in
views = test_workbench_dialogs.views

# So long each answer takes, and so soon something is seen.
DELAY_MS, SEEN_MS = 800, 100
WATCH = """{
  const send = window.fetch;
  window.delay = 0;
  window.fetch = async (...all) => {
    if (String(all[0]?.url ?? all[0]).includes('/graphql')) await new Promise((done) => setTimeout(done, window.delay));
    return send(...all);
  };
  const THINGS = ':is(main, [role=dialog]) :is(a[href], button, input, select, textarea, summary)';
  const nameOf = (one) => (one.getAttribute('aria-label') ?? one.labels?.[0]?.textContent ?? one.textContent ?? one.name).trim().slice(0, 40);
  let it = null;
  const look = () => {
    if (it === null) return;
    const now = performance.now() - it.begun;
    const main = document.querySelector('main');
    if (main !== null) {
      if (it.first === null && document.body.innerHTML !== it.before) it.first = now;
      for (const one of document.querySelectorAll(':is(main, [role=dialog]) [class*=empty_]')) it.empty.set(one.textContent, Math.min(now, it.empty.get(one.textContent) ?? Infinity));
      for (const one of document.querySelectorAll(':is(main, [role=dialog]) :is(input, select, textarea)')) {
        if (one.disabled || one.readOnly || !one.checkVisibility()) { it.values.delete(one); continue; }
        const value = one.type === 'checkbox' || one.type === 'radio' ? String(one.checked) : one.value;
        const before = it.values.get(one);
        if (before !== undefined && before !== value) it.overwritten.push([nameOf(one), before, value]);
        it.values.set(one, value);
      }
      for (const one of document.querySelectorAll(THINGS)) {
        if (one.disabled || !one.checkVisibility()) { it.places.delete(one); continue; }
        const { top, left, bottom } = one.getBoundingClientRect();
        if (bottom < 0 || top > innerHeight) { it.places.delete(one); continue; }
        const before = it.places.get(one);
        const isMoved = before && (Math.abs(top - before.top) > 8 || Math.abs(left - before.left) > 8);
        if (isMoved && now - before.since > 150) it.jumps.push([nameOf(one), Math.round(top - before.top), Math.round(left - before.left), Math.round(now)]);
        if (!before || isMoved) it.places.set(one, { top, left, since: now });
      }
    }
    requestAnimationFrame(look);
  };
  window.watch = () => {
    it = { begun: performance.now(), before: document.body.innerHTML, first: null, empty: new Map(), values: new Map(), overwritten: [], places: new Map(), jumps: [] };
    requestAnimationFrame(look);
  };
  window.watched = () => {
    const text = [...document.querySelectorAll(':is(main, [role=dialog]) [class*=empty_]')].map((one) => one.textContent);
    const report = { first: it.first, flashes: [...it.empty].filter(([one]) => !text.includes(one)), overwritten: it.overwritten, jumps: it.jumps };
    it = null;
    return report;
  };
}"""


def test_walk(signed_in: Any, views: list[str], graph: Graph) -> None:
    ada = signed_in(ADA)
    page = ada.page
    page.add_init_script(test_workbench_dialogs.REFUSE)
    page.add_init_script(WATCH)
    organization = graph.organization
    space = views[0].split("/")[2]
    site = next(view for view in views if "/sites/" in view)
    more = [
        f"/s/{space}", f"/s/{space}/~/changes/1?tab=changes", f"/s/{space}/~/changes/1?tab=conflicts", f"/s/{space}/~/changes/1/chapter",
        f"/s/{space}/~/revisions", f"/s/{space}/~/links", f"/s/{space}/~/import", f"/s/{space}/~/people", f"/s/{space}/~/notifications",
        f"/o/{organization}/~/audit", f"{site}?tab=look", f"{site}?tab=insights", "/~/notifications", f"/s/{space}/new",
    ]
    ada.go("/")
    ada.settle()
    page.evaluate(f"window.delay = {DELAY_MS}")
    for path in [*views, *more]:
        page.evaluate("history.pushState(null, '', '/nowhere')")
        page.wait_for_timeout(300)
        page.evaluate("(path) => { window.watch(); history.pushState(null, '', path); }", path)
        page.wait_for_timeout(1200)
        ada.settle()
        page.wait_for_timeout(400)
        ada.settle()
        print("VIEW", path, page.evaluate("window.watched()"), flush=True)
        if views.index(path) if path in views else True:
            dialogs(ada, path)


def dialogs(ada: Any, path: str) -> None:
    page = ada.page
    tried = set()
    for one in page.evaluate(test_workbench_dialogs.BUTTONS):
        name = one["name"].split(" ")[0] if one["row"] else one["name"]
        if not one["inside"] or name in tried or len(tried) > 12 or one["menu"]:
            continue
        tried.add(name)
        page.evaluate("window.watch()")
        page.evaluate(test_workbench_dialogs.PRESS, one["index"])
        page.wait_for_timeout(1000)
        ada.settle()
        page.wait_for_timeout(300)
        report = page.evaluate("window.watched()")
        if report["flashes"] or report["overwritten"] or report["jumps"] or (report["first"] or 999) > 100:
            print("   PRESS", one["name"], report, flush=True)
        for _ in range(2):
            if page.locator("[role=dialog], [role=alertdialog]").count():
                page.keyboard.press("Escape")
                page.wait_for_timeout(150)
        if page.url != ada.base + path:
            page.evaluate("(path) => history.pushState(null, '', path)", path)
            page.wait_for_timeout(1200)
            ada.settle()
