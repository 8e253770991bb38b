"""Two people in one draft at random, over a line that fails at random: each word that one of them
typed and did not take away is in the page once, both see the same, and nothing fails unseen.

Where a round fails, its steps are printed; `DOCSTEAD_TEST_ROUNDS=400:440` plays these rounds.
"""

import os
import random
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Error, Route, WebSocketRoute, expect

from tests.browser.conftest import eventually
from tests.browser.test_workbench_ahead import BUSY
from tests.browser.test_workbench_editor import drafted, editing, paste, read, said, text_of
from tests.browser.workbench import (
    ADA,
    CHIDI,
    Graph,
    Person,
    graph,
    page_of,
    sessions,
    signed_in,
)

# Fixtures of the other stories.
__all__ = ["graph", "sessions", "signed_in"]

STEPS = 36
WORD = re.compile(r"[ac]\d{3}z")
START = (
    "Ebb\n\nFlow\n\n* one\n* two\n* three\n\n| Name |\n| --- |\n| mast |\n| keel |\n\n> said\n\nEnd"
)
REFUSED = {"data": None, "errors": [{"message": "no", "extensions": {"code": "UNAUTHENTICATED"}}]}
CONFLICT = {"data": None, "errors": [{"message": "no", "extensions": {"code": "CONFLICT"}}]}
# How an answer fails, and whether the server has carried out what was asked all the same. A status
# of a failure would be written into the console, as what is really wrong is.
FAULTS: tuple[tuple[dict[str, Any], bool], ...] = (
    ({"json": BUSY}, False),
    ({"json": BUSY}, True),
    ({"json": REFUSED}, False),
    ({"json": CONFLICT}, False),
    ({"json": {"data": None}}, True),
    ({"body": '{"data": {', "content_type": "application/json"}, True),
)
# The words of each block at the top.
BLOCKS = """() => [...document.querySelectorAll('.ProseMirror > *')]
  .filter((one) => !one.matches('.ProseMirror-gapcursor')).map((one) => one.textContent)"""
OFFERED = "Text was typed here and not saved."


class Writer:
    """Somebody who does something at random."""

    def __init__(self, person: Person, name: str, chance: random.Random, address: str) -> None:
        self.person, self.name, self.chance, self.address = person, name, chance, address
        self.is_failing = False
        self.count = 0
        self.typed: set[str] = set()
        self.late: list[Route] = []
        self.sockets: list[WebSocketRoute] = []
        person.page.route("**/graphql", self._answer)
        person.page.route_web_socket("**/graphql", self._connect)
        person.go(address)
        expect(text_of(person.page)).to_contain_text("Ebb")
        self.is_failing = True

    def _answer(self, route: Route) -> None:
        is_of_page = re.search("EditContent|EditedPage|Tree", route.request.post_data or "")
        if not (self.is_failing and is_of_page and self.chance.random() < 0.3):
            return route.fallback()
        if self.chance.random() < 0.3:
            return self.late.append(route)
        answer, is_done = self.chance.choice(FAULTS)
        if is_done:
            route.fetch()
        return route.fulfill(**answer)

    def _connect(self, socket: WebSocketRoute) -> None:
        socket.connect_to_server()
        self.sockets.append(socket)

    def words(self) -> set[str]:
        return set(WORD.findall("".join(self.person.page.evaluate(BLOCKS))))

    def word(self) -> str:
        self.count += 1
        word = f"{self.name}{self.count:03}z"
        self.typed.add(word)
        return word

    def place(self) -> None:
        """The caret at the beginning or the end of some line."""
        lines = text_of(self.person.page).locator("p")
        line = lines.nth(self.chance.randrange(lines.count()))
        line.evaluate("(line) => { line.scrollIntoView(); getSelection().collapse(line, 0); }")
        text_of(self.person.page).focus()
        self.person.page.keyboard.press(self.chance.choice(["Home", "End"]))

    def keys(self, *keys: str) -> None:
        for key in keys:
            self.person.page.keyboard.press(key)

    def write(self) -> None:
        self.place()
        self.person.page.keyboard.type(f" {self.word()} ")

    def split(self) -> None:
        self.place()
        self.keys("Enter")

    def join(self) -> None:
        self.place()
        self.keys("Home", "Backspace")

    def indent(self) -> None:
        self.place()
        self.keys(self.chance.choice(["Tab", "Shift+Tab"]))

    def move(self) -> None:
        self.place()
        self.keys(self.chance.choice(["Alt+ArrowUp", "Alt+ArrowDown"]))

    def paste(self) -> None:
        self.place()
        words = [self.word() for _ in range(3)]
        html = "".join(f"<p>Pasted <b>{word}</b></p>" for word in words)
        markdown = f"# Pasted {words[0]}\n\n* {words[1]}\n* more\n\n{words[2]}"
        kind = self.chance.choice(["text/html", "text/plain"])
        paste(self.person.page, kind, html if kind == "text/html" else markdown)

    def undo(self) -> None:
        before = self.words()
        text_of(self.person.page).focus()
        self.keys("Control+z")
        gone = before - self.words()
        assert gone <= self.typed, f"undoing took away {gone}"
        self.typed -= gone

    def tree(self) -> None:
        rows = self.person.page.get_by_role("treegrid", name="Pages").get_by_role("row")
        rows.nth(self.chance.randrange(rows.count())).focus()
        self.keys(self.chance.choice(["Alt+ArrowUp", "Alt+ArrowDown", "Alt+ArrowRight"]))

    def cut(self) -> None:
        for socket in self.sockets:
            socket.close(code=1011)
        self.sockets.clear()

    def offline(self) -> None:
        self.person.context.set_offline(True)
        self.write()
        self.person.page.wait_for_timeout(self.chance.choice([100, 1_500]))
        self.person.context.set_offline(False)

    def reload(self) -> None:
        # A page that is not opened is another story.
        before, self.is_failing = self.is_failing, False
        self.person.page.reload()
        expect(text_of(self.person.page)).to_be_visible()
        self.is_failing = before

    def arrive(self) -> None:
        """What was late comes."""
        for route in self.late:
            route.fallback()
        self.late.clear()

    def end(self) -> None:
        """All that was left is taken in, and saved."""
        page = self.person.page
        self.is_failing = False
        self.arrive()
        self.reload()
        while True:
            page.wait_for_timeout(400)
            try:
                page.get_by_role("button", name="Take it in").click(timeout=1_000)
            except Error:
                break
        self.saved()

    def saved(self) -> None:
        page = self.person.page
        expect(page.get_by_text("Saved", exact=True)).to_be_visible()
        expect(page.get_by_text(OFFERED, exact=False)).to_have_count(0)


WEIGHTS = {
    "write": 9, "split": 3, "join": 3, "indent": 2, "move": 2, "paste": 2, "undo": 2, "tree": 2,
    "cut": 1, "offline": 1, "reload": 2,
}  # fmt: skip


def rounds() -> list[int]:
    first, _, last = os.environ.get("DOCSTEAD_TEST_ROUNDS", "1:3").partition(":")
    return list(range(int(first), int(last)))


PAGE = """query ($space: ID!, $page: ID!, $change: ID) {
  page(spaceId: $space, id: $page, changeRequestId: $change) {
    ... on DocumentPage { document } } }"""


def page_now(graph: Graph, space: str, change: Any, page: Any) -> Any:
    data = graph(PAGE, space=space, page=page["pageId"], change=change["id"])
    return data["page"]["document"]


@pytest.mark.parametrize("number", rounds())
def test_two_people_at_random(signed_in: Any, graph: Graph, number: int) -> None:
    chance = random.Random(number)
    title = f"Round {number}"
    space = graph.space(title)
    graph.apply(space, page_of("Tides", START), page_of("Quay", "x"), page_of("Weir", "x"))
    change = drafted(graph, space, title)
    there = read(graph, space, "tides")
    address = editing(space, change["number"], there)
    writers = [
        Writer(signed_in(email), name, chance, address)
        for email, name in ((ADA, "a"), (CHIDI, "c"))
    ]
    steps: list[str] = []
    try:
        play(writers, chance, steps)
        compared(writers, lambda: said(page_now(graph, space, change, there)))
    except BaseException as error:
        error.add_note("\n".join(steps))
        raise


def play(writers: list[Writer], chance: random.Random, steps: list[str]) -> None:
    for _ in range(STEPS):
        writer = chance.choice(writers)
        (what,) = chance.choices(list(WEIGHTS), list(WEIGHTS.values()))
        steps.append(f"{writer.name} {what}")
        for one in writers:
            one.arrive()
        getattr(writer, what)()
        writer.person.page.wait_for_timeout(chance.choice([0, 0, 100, 1_000]))


def compared(writers: list[Writer], text: Callable[[], str]) -> None:
    for writer in (*writers, *writers):
        writer.end()
    first, second = (writer.person.page for writer in writers)
    eventually(second, lambda: second.evaluate(BLOCKS), first.evaluate(BLOCKS))
    document = text()
    typed = sorted(word for writer in writers for word in writer.typed)
    assert {word: document.count(word) for word in typed} == dict.fromkeys(typed, 1)
    for writer in writers:
        writer.saved()
        writer.person.fine()
