"""`python -m benchmarks.workbench`: what the Workbench costs a browser, on a space of 5,000 pages.

The server and a headless Chromium are on this machine. Times of first loads are what the browser
says of the page; times of actions go from the event of a key or a button to the frame in which the
outcome can be seen. An outcome that does not come ends the benchmark, with its name.
"""

import argparse
import gzip
import json
import statistics
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from benchmarks.progress import progress
from docstead.workbench import ENTRY, STATIC, first_chunks
from tests.browser.conftest import FLAGS, chromium_path
from tests.docstead.test_serve import run, serving

EMAIL = "ada@bench.example"
SIZE = {"width": 1280, "height": 860}
SPACE, CHANGE = "src/space/routes.tsx", "src/review/change.tsx"
ENTRIES = {
    "my work": (ENTRY,),
    "a page of a space": (ENTRY, SPACE),
    "a change request": (ENTRY, SPACE, CHANGE),
    "the editor, beside a page": (ENTRY, SPACE, "src/editor/start.tsx", "src/editor/edit-page.tsx"),
}
WORDS = "Paragraph {} of a long page, with as many words as people write in one before the next."
TREE = "[role=treegrid] [role=row]"
SHOWN = f"[...document.querySelectorAll('{TREE}')].some((one) => one.textContent.includes('WORDS'))"
LONGEST_MS = 30_000
# From the event to the frame after the one that shows it; null where that does not come.
WATCH = """([event, longest]) => {
  window.answer = new Promise((done) => {
    setTimeout(done, longest, null);
    addEventListener(event, ({ timeStamp }) => {
      const end = () => done(performance.now() - timeStamp);
      const look = () => requestAnimationFrame((UNTIL) ? end : look);
      requestAnimationFrame(look);
    }, { capture: true, once: true });
  });
}"""
# After it nothing that was done before is still drawn.
STILL_MS = 500
# Until a key that moves the caret has moved it, which browsers tell in a later frame.
TWO_FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
PAINTS = """(longest) => new Promise((done) => {
  setTimeout(done, longest, null);
  const look = () => {
    const rows = document.querySelectorAll('[role=treegrid] [role=row]').length;
    const isThere = document.querySelector('main h1') && (rows > 0 || location.pathname === '/');
    const paint = performance.getEntriesByName('first-contentful-paint')[0];
    if (!isThere || !paint) return requestAnimationFrame(look);
    done([paint.startTime, performance.now(), rows]);
  };
  look();
})"""


def sizes() -> dict[str, float]:
    """Scripts and styles of each first load in kB, gzip -9."""
    manifest = json.loads((STATIC / "manifest.json").read_text("utf-8"))

    def compressed(entries: tuple[str, ...]) -> float:
        chunks = [chunk for entry in entries for chunk in first_chunks(manifest, entry)]
        names = {str(name) for one in chunks for name in (one["file"], *one.get("css", ()))}
        return sum(len(gzip.compress((STATIC / name).read_bytes(), 9)) for name in names) / 1000

    found = {name: compressed(entries) for name, entries in ENTRIES.items()}
    editor = "the editor, beside a page"
    found[editor] -= compressed(ENTRIES[editor][:3])
    return found


def branch_of(pages: int) -> int:
    """Pages in each branch of the tree, which begins at the top."""
    return min(50, pages // 4)


def fill(base: str, token: str, organization: str, pages: int, words: str = "") -> str:
    """A space with so many pages, in branches; its id."""
    branch = max(1, branch_of(pages))
    headers = {"Authorization": f"Bearer {token}"}
    with httpx2.Client(base_url=base, headers=headers, timeout=300) as client:
        body = {"title": "Large", "editMode": "live"}
        space = client.post(f"/v1/orgs/{organization}/spaces", json=body).json()["id"]
        write = "mutation ($input: ApplyContentChangesInput!) { applyContentChanges(input: $input) { changed } }"  # noqa: E501
        operations: list[Any] = []
        for number in range(pages):
            above = f"ref:p{number - number % branch}" if number % branch else None
            text = words or f"## Part\n\nText of page {number}.\n\n" + "Words to read. " * 30
            operations.append({"createPage": {
                "type": "DOCUMENT", "title": f"Page {number:04}", "ref": f"p{number}",
                "body": {"markdown": text}, **({"parent": above} if above else {}),
            }})  # fmt: skip
            if len(operations) == 100 or number == pages - 1:
                given = {"target": {"space": space}, "operations": operations}
                answer = client.post(
                    "/graphql", json={"query": write, "variables": {"input": given}}
                ).json()
                assert "errors" not in answer, answer
                operations = []
    return str(space)


class Times:
    """How long each action took, by its name, in one tab."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.taken: dict[str, list[float]] = {}

    def note(self, name: str, event: str, act: Callable[[], Any], until: str) -> None:
        self.page.evaluate(WATCH.replace("UNTIL", until), [event, LONGEST_MS])
        act()
        took = self.page.evaluate("window.answer")
        if took is None:
            raise SystemExit(missing(f"{name!r}: {until}"))
        self.taken.setdefault(name, []).append(took)


def missing(what: str) -> str:
    return f"Given up: what was waited for did not come within {LONGEST_MS // 1000} s, in {what}"


def first_loads(browser: Browser, state: Any, base: str, paths: dict[str, str], rounds: int) -> Any:
    """First paint and the time until title and tree are there, with nothing kept and with the
    scripts of the visit before."""
    found: dict[str, list[list[float]]] = {}
    for _ in range(rounds):
        for name, path in paths.items():
            context = browser.new_context(viewport=SIZE, locale="en-US", storage_state=state)
            page = context.new_page()
            for visit in ("first", "again"):
                page.goto(base + path, wait_until="commit")
                painted = page.evaluate(PAINTS, LONGEST_MS)
                if painted is None:
                    raise SystemExit(missing(f"the {visit} load of {path}"))
                found.setdefault(f"{name}, {visit}", []).append(painted)
            context.close()
    return {
        name: [statistics.median(one) for one in zip(*rows, strict=True)]
        for name, rows in found.items()
    }


def actions(
    context: BrowserContext, base: str, space: str, pages: int, rounds: int
) -> dict[str, list[float]]:
    """Common actions, one after the other in one tab."""
    page = context.new_page()
    times = Times(page)
    note, keyboard = times.note, page.keyboard
    branch = branch_of(pages)
    first, second, third, last = (
        f"Page {number:04}"
        for number in (branch, 2 * branch, 3 * branch, (pages - 1) // branch * branch)
    )
    page.goto(f"{base}/s/{space}/page-0000")
    page.get_by_role("button", name=f"Drag {first}", exact=True).wait_for(state="attached")
    row = page.get_by_role("row", name=first)
    title = "document.querySelector('main h1')?.textContent === {}"
    for number in range(rounds):
        progress(f"  round {number + 1} of {rounds}")
        here, there = (second, third) if number % 2 else (first, second)
        below = SHOWN.replace("WORDS", f"Page {int(here.removeprefix('Page ')) + 1:04}")
        note(
            "open a page of the tree",
            "pointerdown",
            page.get_by_role("row", name=there).click,
            title.format(json.dumps(there)),
        )
        page.get_by_role("row", name=here).focus()
        note(
            "open a branch",
            "keydown",
            lambda: keyboard.press("ArrowRight"),
            below,
        )
        note(
            "close a branch",
            "keydown",
            lambda: keyboard.press("ArrowLeft"),
            f"!{below}",
        )
        note(
            "go to the end of the tree",
            "keydown",
            lambda: keyboard.press("End"),
            f"document.activeElement?.textContent.includes('{last}')",
        )
        note(
            "go to its beginning",
            "keydown",
            lambda: keyboard.press("Home"),
            f"!document.querySelector('{TREE}:focus')?.textContent.includes('{last}')"
            f" && document.activeElement?.matches('{TREE}')",
        )
        # What the key before has still to draw is no part of what comes next.
        page.wait_for_timeout(STILL_MS)
        note(
            "open the search",
            "keydown",
            lambda: keyboard.press("Control+k"),
            "document.querySelector('[role=dialog] input') !== null",
        )
        note(
            "a letter in the search",
            "keydown",
            lambda: keyboard.press("P"),
            "document.activeElement.value === 'P'",
        )
        keyboard.press("Escape")
        page.get_by_role("dialog").wait_for(state="detached")
        note(
            "open the history",
            "pointerdown",
            page.get_by_role("link", name="History").click,
            title.format("'History'") + " && document.querySelector('main ol li') !== null",
        )
        page.go_back()
        row.wait_for()
    row.click()
    page.get_by_role("button", name="Edit", exact=True).click()
    page.get_by_role("menuitem", name="Edit in a new change request").click()
    text = page.get_by_role("textbox", name="Text of the page")
    text.focus()
    keyboard.press("Control+End")
    length = "document.querySelector('[role=textbox][contenteditable]').textContent.length"
    for _ in range(rounds):
        now = page.evaluate(length)
        note("a letter in the editor", "keydown", lambda: keyboard.press("x"), f"{length} > {now}")
    page.get_by_role("button", name="Done").click()
    page.get_by_role("button", name=f"Drag {second}", exact=True).wait_for(state="attached")
    where = f"[...document.querySelectorAll('{TREE}')].findIndex((one) => one.textContent.includes('{second}'))"  # noqa: E501
    for number in range(rounds):
        page.get_by_role("row", name=second).focus()
        now, key = page.evaluate(where), "ArrowUp" if number % 2 else "ArrowDown"
        note(
            "move a page",
            "keydown",
            lambda key=key: keyboard.press(f"Alt+{key}"),
            f"{where} !== {now}",
        )
        page.get_by_text(f"{second} was moved.").first.wait_for()
        page.wait_for_timeout(2_500)
    for number in range(rounds):
        dragged = page.get_by_role("row", name=second)
        # Just before the one beside it, to and fro.
        target = page.get_by_role("row", name=third if number % 2 else first)
        dragged.hover()
        now = page.evaluate(where)
        note(
            "drop a page that is dragged",
            "drop",
            partial(dragged.drag_to, target, target_position={"x": 200, "y": 3}),
            f"{where} !== {now}",
        )
        page.wait_for_timeout(2_500)
    page.close()
    return times.taken


def paste_of(paragraphs: int) -> str:
    """A paste event with so many paragraphs of HTML."""
    return f"""() => {{
      const data = new DataTransfer();
      const one = (_, index) => `<p>Pasted paragraph ${{index}} with <b>some</b> words.</p>`;
      data.setData('text/html', Array.from({{ length: {paragraphs} }}, one).join(''));
      document.querySelector('.ProseMirror').dispatchEvent(
        new ClipboardEvent('paste', {{ clipboardData: data, bubbles: true, cancelable: true }}));
    }}"""


def writing(
    context: BrowserContext, base: str, token: str, organization: str, blocks: int, rounds: int
) -> dict[str, list[float]]:
    """What somebody does who writes in a long page."""
    space = fill(base, token, organization, 1, "\n\n".join(WORDS.format(n) for n in range(blocks)))
    page = context.new_page()
    times = Times(page)
    note, keyboard = times.note, page.keyboard
    page.goto(f"{base}/s/{space}/page-0000")
    page.get_by_role("button", name="Edit", exact=True).click()
    page.get_by_role("menuitem", name="Edit in a new change request").click()
    text = page.get_by_role("textbox", name="Text of the page")
    text.get_by_text(WORDS.format(blocks // 2), exact=True).click()
    keyboard.press("End")
    is_typed, is_saved = (
        f"document.querySelector('[data-state={one}]')" for one in ("typed", "saved")
    )
    children = "document.querySelector('.ProseMirror').childElementCount"
    length = "getSelection().anchorNode.textContent.length"
    for _ in range(rounds):
        now = page.evaluate(length)
        note("a letter", "keydown", lambda: keyboard.press("x"), f"{length} > {now}")
    for _ in range(rounds):
        now = page.evaluate(children)
        note("a new paragraph", "keydown", lambda: keyboard.press("Enter"), f"{children} > {now}")
        keyboard.type("/")
        page.get_by_role("listbox").wait_for()
        keyboard.type("hin")
        hints = "document.querySelectorAll('.ProseMirror [data-block=hint]').length"
        now = page.evaluate(hints)
        note("a block by /", "keydown", lambda: keyboard.press("Enter"), f"{hints} > {now}")
        keyboard.press("ArrowDown")
        page.evaluate(TWO_FRAMES)
    for number in range(rounds):
        progress(f"  round {number + 1} of {rounds}")
        page.get_by_text("Saved", exact=True).wait_for()
        now = page.evaluate(children)
        note(
            "paste 500 paragraphs",
            "paste",
            lambda: page.evaluate(paste_of(500)),
            f"{children} > {now} + 490",
        )
        note("undo it", "keydown", lambda: keyboard.press("Control+z"), f"{children} < {now} + 9")
        note(
            "do it again", "keydown", lambda: keyboard.press("Control+y"), f"{children} > {now}+490"
        )
        note(
            "save: it says so",
            "keydown",
            lambda: keyboard.press("Control+s"),
            f"{is_typed} === null",
        )
        page.get_by_text("Saved", exact=True).wait_for()
        keyboard.type("y")
        note(
            "save: it is saved",
            "keydown",
            lambda: keyboard.press("Control+s"),
            f"{is_saved} !== null",
        )
        keyboard.press("Control+z")
        keyboard.press("Control+z")
    page.close()
    return times.taken


def measure(pages: int, rounds: int, blocks: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        data_dir = Path(folder) / "data"
        settings = {"DOCSTEAD_WRITES_PER_SPACE": "0", "DOCSTEAD_REQUESTS_PER_TOKEN": "0"}
        with (
            serving(data_dir, settings=settings) as (base, _),
            sync_playwright() as playwright,
            playwright.chromium.launch(
                executable_path=chromium_path(whole=True), args=FLAGS
            ) as browser,
        ):
            made = run(
                "init",
                "--email",
                EMAIL,
                "--name",
                "Ada",
                "--organization",
                "Bench",
                "--data-dir",
                str(data_dir),
            )
            progress(f"filling a space with {pages} pages")
            space = fill(base, made["token"], made["organization"]["id"], pages)
            url = run("user", "sign-in-link", EMAIL, "--data-dir", str(data_dir))["url"]
            context = browser.new_context(viewport=SIZE, locale="en-US")
            page = context.new_page()
            page.goto(f"{base}{urlsplit(url).path}?next=/")
            page.get_by_role("button", name="Sign in").click()
            page.get_by_role("heading", level=1, name="My work").wait_for()
            page.close()
            progress("first loads")
            paths = {
                "my work": "/",
                "a page of the space": f"/s/{space}/page-{2 * branch_of(pages):04}",
            }
            loads = first_loads(browser, context.storage_state(), base, paths, rounds)
            progress("actions")
            done = actions(context, base, space, pages, rounds)
            progress(f"writing in a page of {blocks} blocks")
            organization = made["organization"]["id"]
            written = writing(context, base, made["token"], organization, blocks, rounds)
            context.close()
    return {"sizes": sizes(), "loads": loads, "actions": done, "writing": written}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.workbench")
    parser.add_argument("--pages", type=int, default=5_000)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--blocks", type=int, default=2_000)
    options = parser.parse_args()
    if options.pages < 8 or options.rounds < 1 or options.blocks < 2:
        parser.error("--pages is at least 8, --rounds at least 1, --blocks at least 2")
    found = measure(options.pages, options.rounds, options.blocks)
    lines = ["First load of | kB"]
    lines += [f"{name} | {size:.0f}" for name, size in found["sizes"].items()]
    lines.append("\nLoad of | first paint, ms | title and tree, ms | rows in the page")
    lines += [
        f"{name} | {a:.0f} | {b:.0f} | {rows:.0f}" for name, (a, b, rows) in found["loads"].items()
    ]
    lines.append("\nAction | median, ms | longest, ms")
    lines += [
        f"{name} | {statistics.median(times):.0f} | {max(times):.0f}"
        for name, times in found["actions"].items()
    ]
    lines.append(f"\nIn a page of {options.blocks} blocks | median, ms | longest, ms")
    lines += [
        f"{name} | {statistics.median(times):.0f} | {max(times):.0f}"
        for name, times in found["writing"].items()
    ]
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
