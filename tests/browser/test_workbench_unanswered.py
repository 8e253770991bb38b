"""What becomes of words, and of whoever has written them, where answers fail or never come."""

from typing import Any

import pytest
from playwright.sync_api import Page, Route, WebSocketRoute, expect

from tests.browser.conftest import eventually, held
from tests.browser.test_workbench_ahead import Failing
from tests.browser.test_workbench_editor import (
    edited,
    kinds,
    paste,
    read,
    said,
    saved,
    text_of,
)  # fmt: skip
from tests.browser.workbench import ADA, Graph, graph, sessions, signed_in

# Fixtures of the other stories.
__all__ = ["graph", "sessions", "signed_in"]

FEW, MANY = 3, 250


def written(signed_in: Any, graph: Graph, title: str) -> tuple[Any, Any]:
    """A page with one paragraph in its editor, and how it is read as it is stored."""
    ada, space, change, _ = edited(signed_in, graph, title, "Begin")
    text_of(ada.page).get_by_text("Begin").click()
    ada.page.keyboard.press("End")

    def now() -> Any:
        return read(graph, space, title.lower(), change["id"])["document"]

    return ada, now


def pasted(page: Page, count: int) -> list[str]:
    words = [f"word{number:03}end" for number in range(count)]
    paste(
        page, "text/plain", f"# Head\n\n* item\n* another {words[0]}\n\n" + "\n\n".join(words[1:])
    )
    return words


@pytest.mark.parametrize("count", [FEW, MANY])
def test_what_was_pasted_stands_once_where_its_page_is_not_read(
    signed_in: Any, graph: Graph, count: int
) -> None:
    """Somebody goes on typing in Markdown that the server has read already."""
    ada, now = written(signed_in, graph, f"Pasted{count}")
    page = ada.page
    failing = Failing(page, "EditedPage")
    words = pasted(page, count)
    page.wait_for_timeout(2_500)
    page.keyboard.type(" typed")
    page.wait_for_timeout(500)
    failing.is_on = False
    saved(page)
    page.keyboard.type(" behind")
    saved(page)
    eventually(page, lambda: "heading-1" in kinds(now()), True)
    saved(page)
    text = said(now())
    assert [word for word in ["Begin", *words, "typed", "behind"] if text.count(word) != 1] == []
    expect(text_of(page)).to_contain_text("typed behind")
    ada.fine()


@pytest.mark.parametrize("count", [FEW, MANY])
def test_markdown_is_read_with_what_is_typed_meanwhile(
    signed_in: Any, graph: Graph, count: int
) -> None:
    ada, now = written(signed_in, graph, f"Meanwhile{count}")
    page = ada.page
    with held(page, " RehearseEdit(") as asked:
        words = pasted(page, count)
        asked.wait()
        page.keyboard.type(" and more")
        saved(page)
    eventually(page, lambda: "heading-1" in kinds(now()), True)
    # The caret goes on behind it.
    page.keyboard.type(" behind")
    saved(page)
    text = said(now())
    assert [word for word in ["Begin", *words, "more", "behind"] if text.count(word) != 1] == []
    expect(text_of(page)).to_contain_text("and more behind")
    ada.fine()


SILENCE = "No answer has come"
RESENT = "It is not known whether this was stored. It is sent again"
READ_MS, WRITE_MS = 20_000, 30_000
# Where a clock is moved, what it moves is due a moment later.
MARGIN_MS = 1_000


class Silent:
    """The first so many requests of an operation get no answer; `is_done`: they are carried out."""

    def __init__(self, page: Page, operation: str, count: int, *, is_done: bool = False) -> None:
        self.page, self.operation, self.count, self.is_done = page, operation, count, is_done
        self.routes: list[Route] = []
        page.route("**/graphql", self._hold)

    def _hold(self, route: Route) -> None:
        if f" {self.operation}(" not in (route.request.post_data or ""):
            return route.fallback()
        self.routes.append(route)
        if len(self.routes) > self.count:
            return route.fallback()
        if self.is_done:
            route.fetch()
        return None

    def wait(self, count: int) -> None:
        eventually(self.page, lambda: len(self.routes), count)

    @property
    def keys(self) -> list[str]:
        return [route.request.headers["idempotency-key"] for route in self.routes]


def test_a_read_without_an_answer_ends(signed_in: Any, graph: Graph) -> None:
    ada = signed_in(ADA)
    page = ada.page
    page.clock.install()
    silent = Silent(page, "AuditLog", 1)
    ada.go(f"/o/{graph.organization}/~/audit")
    main = page.get_by_role("main")
    silent.wait(1)
    page.clock.fast_forward(READ_MS - 5 * MARGIN_MS)
    expect(main.get_by_role("status", name="Loading").first).to_be_visible()
    expect(main.get_by_role("alert")).to_have_count(0)
    page.clock.fast_forward(6 * MARGIN_MS)
    alert = main.get_by_role("alert")
    expect(alert).to_contain_text(SILENCE)
    expect(alert).to_contain_text("Try again.")
    alert.get_by_role("button", name="Try again").click()
    expect(main.locator("tbody").get_by_role("row").first).to_be_visible()
    expect(alert).to_have_count(0)
    ada.fine()


@pytest.mark.parametrize("is_done", [False, True])
def test_a_write_of_the_editor_without_an_answer_is_sent_again(
    signed_in: Any, graph: Graph, is_done: bool
) -> None:
    """With its key: whether it was carried out or not, its words stand once."""
    ada, now = written(signed_in, graph, f"Silent{is_done}")
    page = ada.page
    page.clock.install()
    silent = Silent(page, "EditContent", 1, is_done=is_done)
    page.keyboard.type(" typed")
    page.keyboard.press("Enter")
    page.keyboard.type("anew")
    silent.wait(1)
    page.clock.fast_forward(WRITE_MS + MARGIN_MS)
    alert = page.get_by_role("alert").filter(has_text=SILENCE)
    expect(alert).to_contain_text(RESENT)
    page.keyboard.type(" behind")
    page.clock.fast_forward(6 * MARGIN_MS)
    silent.wait(3)
    saved(page)
    expect(alert).to_have_count(0)
    assert silent.keys[0] == silent.keys[1] != silent.keys[2]
    assert [said(block) for block in now()["nodes"]] == ["Begin typed", "anew behind"]
    ada.fine()


def sites_of(graph: Graph) -> list[str]:
    query = """query ($id: ID!) {
      organization(id: $id) { sites(first: 50) { nodes { title } } } }"""
    nodes = graph(query, id=graph.organization)["organization"]["sites"]["nodes"]
    return [node["title"] for node in nodes]


@pytest.mark.parametrize("count", [1, 3])
def test_a_dialog_without_an_answer_is_sent_again(signed_in: Any, graph: Graph, count: int) -> None:
    """By itself; and when that has got no answer either, whoever sends it once more makes nothing
    twice."""
    title = f"Silent {count}"
    ada = signed_in(ADA)
    page = ada.page
    ada.go(f"/o/{graph.organization}/~/sites")
    page.clock.install()
    silent = Silent(page, "CreateSite", count, is_done=True)
    page.get_by_role("button", name="New site").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Title").fill(title)
    # What the dialog itself reads would be without an answer, too, when the clock goes on.
    ada.settle()
    former = sites_of(graph).count(title)
    send = dialog.get_by_role("button", name="Create")
    send.click()
    for sent in range(count):
        silent.wait(sent + 1)
        assert sent == 0 or RESENT in dialog.get_by_role("alert").inner_text()
        expect(dialog.locator("form[aria-busy=true]")).to_be_visible()
        page.clock.fast_forward(WRITE_MS + MARGIN_MS)
        if sent + 1 < count:
            expect(dialog.get_by_role("alert")).to_contain_text(RESENT)
            page.clock.fast_forward(3 * MARGIN_MS)
    if count == 3:
        expect(dialog.locator("form[aria-busy=false]")).to_be_visible()
        expect(dialog.get_by_role("alert")).to_contain_text("Try again: it is carried out once.")
        expect(dialog.get_by_label("Title")).to_have_value(title)
        send.click()
    else:
        expect(dialog.get_by_role("alert")).to_contain_text(RESENT)
        page.clock.fast_forward(3 * MARGIN_MS)
    expect(page.get_by_role("heading", level=1, name=title)).to_be_visible()
    assert len(set(silent.keys)) == 1
    assert sites_of(graph).count(title) == former + 1
    ada.fine()


def test_a_socket_that_is_silent_is_given_up(signed_in: Any, graph: Graph) -> None:
    """What others do comes again over another one."""
    ada, _ = written(signed_in, graph, "Socket")
    page = ada.page
    sockets: list[WebSocketRoute] = []
    is_silent = False

    def connect(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        sockets.append(socket)
        server.on_message(lambda text: None if is_silent else socket.send(text))

    page.route_web_socket("**/graphql", connect)
    page.reload()
    expect(text_of(page)).to_contain_text("Begin")
    eventually(page, lambda: len(sockets) > 0, True)
    page.clock.install()
    page.evaluate("dispatchEvent(new Event('offline'))")
    eventually(page, lambda: len(sockets) > 1, True)
    page.wait_for_timeout(500)
    before, is_silent = len(sockets), True
    page.clock.fast_forward(12_000)
    page.wait_for_timeout(200)
    assert len(sockets) == before
    page.clock.fast_forward(9_000)
    is_silent = False
    page.clock.fast_forward(2_000)
    eventually(page, lambda: len(sockets) > before, True)
    ada.fine()
