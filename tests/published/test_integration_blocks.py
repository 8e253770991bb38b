"""Blocks of integrations on published pages: drawn once, kept, and in the way of nobody."""

import asyncio
import json
from collections.abc import AsyncIterator
from html import unescape
from typing import Any

import orjson
import pytest
from sqlalchemy import select, update

from db.base import utc_now
from db.models.integrations import IntegrationBlock
from db.session import Session
from jobs import integration_blocks
from jobs.integrations import Asking
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.errors import NoCapacity
from resolvers.integrations.shown import Result, WantedBlock, record_block
from runtime.calls import Answer
from tests.conftest import Api, World
from tests.published.integrated import Integrated, integrate
from tests.runtime.scripts import bundle

PAGE = 'Before.\n\n{% @echo/box content="<b>Hello</b>" %}\n\nBehind.\n'
SCRIPT = bundle(
    """
    const { configuration } = environment.spaceInstallation;
    if (configuration.fail) throw new Error("as configured");
    if (configuration.slow) await new Promise((go) => setTimeout(go, 3000));
    return Response.json({ element: { type: "block", children: [
      { type: "text", style: "bold", children: [configuration.word ?? "drawn"] },
      { type: "markdown", content: event.props.content },
      { type: "text", children: [event.context.type, " ", String(event.context.editable)] },
    ] }, state: {}, props: event.props }, { headers: { "Cache-Control": "max-age=600" } });
    """
)
BLOCKS = [{"id": "box", "title": "Box"}]


@pytest.fixture
async def box(api: Api, world: World, session: Session) -> AsyncIterator[Integrated]:
    yield await integrate(api, world, session, PAGE, SCRIPT, blocks=BLOCKS)
    await api.server.runner.close()


async def shows(box: Integrated, part: str) -> str:
    """The page once it has a part: on a busy machine its first readers do not wait long enough."""
    for _ in range(600):
        page = await box.get()
        assert page.status_code == 200
        if part in page.text:
            return str(page.text)
        await asyncio.sleep(0.1)
    raise AssertionError(f"{part} is never shown")


async def rows(box: Integrated) -> list[Any]:
    async with box.api.server.database.session() as session:
        return list((await session.execute(select(IntegrationBlock))).scalars())


async def settled(box: Integrated, failures: int) -> Any:
    """The one result, once it has failed so often."""
    for _ in range(600):
        found = await rows(box)
        if found and found[0].failures == failures:
            return found[0]
        await asyncio.sleep(0.1)
    raise AssertionError("it never failed")


async def test_a_page_has_what_an_integration_draws(box: Integrated) -> None:
    page = await shows(box, "<strong>drawn</strong>")
    assert "document false" in page
    # Markdown of a script is read as that of an author is: without elements of its own.
    assert "<b>" not in page.partition('class="integration-block"')[2].partition("Behind")[0]
    # Everything that reads pages has it: as text, as a whole site, on paper.
    for path in ("/start.md", "/llms-full.txt"):
        text = (await box.get(path)).text
        assert "**drawn**" in text, path
        assert "{% @" not in text, path
    # It was drawn once.
    (row,) = await rows(box)
    assert row.failures == 0


async def test_a_kept_page_follows_configuration_and_publication(box: Integrated) -> None:
    await shows(box, "<strong>drawn</strong>")
    await box.configure({"word": "configured"})
    await shows(box, "<strong>configured</strong>")
    await box.publish(SCRIPT.replace('configuration.word ?? "drawn"', '"second"'))
    await shows(box, "<strong>second</strong>")


async def test_the_last_good_result_stays(box: Integrated) -> None:
    await shows(box, "<strong>drawn</strong>")
    await box.configure({"fail": True})
    page = await box.get()
    assert page.status_code == 200
    assert "<strong>drawn</strong>" in page.text
    await settled(box, 1)
    # It is not asked again by each reader.
    await box.get()
    (row,) = await rows(box)
    assert row.failures == 1
    # When it is time, once more.
    async with box.api.server.database.session() as session:
        await session.begin_write()
        await session.execute(update(IntegrationBlock).values(due_at=utc_now()))
        await session.commit()
    await box.configure({"word": "mended"})
    await shows(box, "<strong>mended</strong>")


async def test_nobody_waits_for_a_slow_script(
    box: Integrated, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(integration_blocks, "PATIENCE", 0.05)
    await box.configure({"slow": True})
    pages = await asyncio.gather(*(box.get() for _ in range(5)))
    assert all(page.status_code == 200 for page in pages)
    # A reader of the first page sees what the author has written, escaped.
    assert all("&lt;b&gt;Hello&lt;/b&gt;" in page.text for page in pages)
    assert all("<strong>drawn</strong>" not in page.text for page in pages)
    await shows(box, "<strong>drawn</strong>")


async def test_without_an_installation_there_is_the_source(box: Integrated) -> None:
    await shows(box, "<strong>drawn</strong>")
    await box.call("DELETE", f"/integrations/echo/installations/{box.installation}")
    page = await box.get()
    assert page.status_code == 200
    assert "<strong>drawn</strong>" not in page.text
    assert "&lt;b&gt;Hello&lt;/b&gt;" in page.text


async def test_a_block_that_stands_for_code_is_code_for_machines(box: Integrated) -> None:
    blocks = [{**BLOCKS[0], "markdown": {"codeblock": "boxes", "body": "content"}}]
    await box.publish(SCRIPT, blocks=blocks)
    text = (await box.get("/start.md")).text
    assert "```boxes\n<b>Hello</b>\n```" in text
    # On the page it is drawn.
    await shows(box, "<strong>drawn</strong>")


@pytest.mark.parametrize(
    "answer",
    [
        "new Response('no JSON')",
        "Response.json([1])",
        "Response.json({ element: { type: 'modal', children: ['secret'] } })",
        "Response.json({ element: { type: 'block', children: ['x'.repeat(200000)] } })",
        "Response.json({ element: { type: 'block', children: "
        "[Array.from({ length: 90 }).reduce((inner) => ({ a: inner }), {})] } })",
        "new Response('no', { status: 404 })",
    ],
)
async def test_what_is_no_block_is_not_shown(box: Integrated, answer: str) -> None:
    await box.publish(bundle(f"return {answer};"))
    page = await box.get()
    assert page.status_code == 200
    assert "integration-block" not in page.text
    assert "Behind." in page.text
    row = await settled(box, 1)
    assert row.shown is None


@operation(audited=False)
async def keep_no_answer(
    ctx: Context, undrawn: WantedBlock, result: Result | None, dark: dict[str, Any] | None
) -> bool:
    if result is not None:
        raise RuntimeError("the database cannot hold this")
    return await record_block(ctx, undrawn, result)


async def never(*_: Any) -> Answer:
    raise RuntimeError("nobody has thought of this")


async def test_a_fault_is_no_reason_to_draw_a_block_for_each_reader(
    box: Integrated, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(integration_blocks, "record_block", keep_no_answer)
        assert (await box.get()).status_code == 200
        await settled(box, failures=1)
    async with box.api.server.database.session() as session:
        await session.execute(update(IntegrationBlock).values(due_at=utc_now()))
        await session.commit()
    with monkeypatch.context() as patched:
        patched.setattr(Asking, "__call__", never)
        assert (await box.get()).status_code == 200
        assert (await settled(box, failures=2)).due_at > utc_now()


# ------------------------------------------------------------------ what readers do

COUNTER = bundle(
    """
    if (event.type !== "ui_render") return new Response("OK");
    if (event.action?.action === "fail") throw new Error("as pressed");
    const count = (event.state?.count ?? 0) + (event.action?.by ?? 0);
    if (event.action?.action === "end") return Response.json({ type: "complete" });
    return Response.json({ element: { type: "block", children: [
      { type: "text", children: [`Hello ${count} ${event.context.theme}`,
        event.auth ? "with somebody" : "with nobody", ` ${event.context.editable}`] },
      { type: "button", label: "More", onPress: { action: "add", by: 2 } },
      { type: "button", label: "Edit", onPress: { action: "@editor.node.updateProps",
        props: {} } },
      { type: "webframe", source: { url: event.action ? "https://new.example/" :
        "https://frames.example/" }, data: { count: { $state: "text" } } },
    ] }, state: { count, text: String(count) }, props: event.props });
    """
)


@pytest.fixture
async def counter(api: Api, world: World, session: Session) -> AsyncIterator[Integrated]:
    yield await integrate(api, world, session, PAGE, COUNTER, blocks=BLOCKS)
    await api.server.runner.close()


def attribute(html: str, name: str) -> str:
    """The first attribute of a name in HTML."""
    return unescape(html.partition(f' {name}="')[2].partition('"')[0])


async def act(site: Integrated, address: str, **body: Any) -> Any:
    return await site.api.client.post(address, json=body)


async def test_a_reader_acts_in_a_block(counter: Integrated) -> None:
    html = await shows(counter, "Hello 0 light")
    # Of dark surroundings it has what was drawn for them.
    assert "Hello 0 dark" in html
    assert 'class="integration-block for-dark"' in html
    assert "blocks.js" in html
    address, key = attribute(html, "data-to"), attribute(html, "data-block")
    state = json.loads(attribute(html, "data-state"))
    # What belongs to editors stays out of use.
    assert html.count("data-action=") == 2
    assert json.loads(attribute(html, "data-message")) == {"count": {"$state": "text"}}
    action = json.loads(attribute(html, "data-action"))
    for count in (2, 4):
        answer = await act(counter, address, block=key, theme="dark", action=action, state=state)
        assert answer.status_code == 200, answer.text
        assert answer.headers["cache-control"] == "no-store"
        html = answer.json()["html"]
        assert f"Hello {count} darkwith nobody false" in html
        # The policy of the page names no other frames.
        assert "<iframe" not in html
        assert 'href="https://new.example/"' in html
        state = json.loads(attribute(html, "data-state"))
        assert state["count"] == count
    # The page itself is everybody's, and stays as it is.
    assert "Hello 0 light" in (await counter.get()).text
    # An integration that is done leaves the block as it is; one that fails says so.
    answer = await act(counter, address, block=key, action={"action": "end"}, state={})
    assert answer.json() == {"html": None}
    answer = await act(counter, address, block=key, action={"action": "fail"}, state={})
    assert answer.status_code == 503


async def test_nobody_acts_in_what_they_do_not_see(counter: Integrated) -> None:
    html = await shows(counter, "Hello 0 light")
    address, key = attribute(html, "data-to"), attribute(html, "data-block")
    good = {"block": key, "theme": "light", "action": {"action": "add"}, "state": {}}
    wrong: list[tuple[dict[str, Any], int, str]] = [
        ({"block": "0" * 40}, 404, "no such block"),
        ({"block": None}, 422, "block"),
        ({"theme": "pink"}, 422, "theme"),
        ({"state": []}, 422, "state"),
        ({"action": {}}, 422, "action"),
        ({"action": {"action": "@editor.node.updateProps"}}, 422, "editor"),
    ]
    for change, status, said in wrong:
        answer = await act(counter, address, **{**good, **change})
        assert (answer.status_code, said in answer.json()["message"]) == (status, True), answer.text
    assert (await act(counter, address.replace("page=", "page=none"), **good)).status_code == 404
    client = counter.api.client
    for body in (b"no JSON", b"[1]", orjson.dumps({**good, "state": {"a": "x" * 60_000}})):
        answer = await client.post(
            address, content=body, headers={"Content-Type": "application/json"}
        )
        assert 400 <= answer.status_code < 500, answer.text
    # Pages of other sites send nothing in a reader's name.
    other = await client.post(address, json=good, headers={"Origin": "https://other.example"})
    assert other.status_code == 403
    await counter.call("DELETE", f"/integrations/echo/installations/{counter.installation}")
    assert (await act(counter, address, **good)).status_code == 404


async def test_no_room_is_no_failure_of_a_block(
    counter: Integrated, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def busy(*_: Any) -> Answer:
        raise NoCapacity("other events of integrations run")

    with monkeypatch.context() as patched:
        patched.setattr(Asking, "__call__", busy)
        assert (await counter.get()).status_code == 200
        assert await rows(counter) == []
    await shows(counter, "Hello 0 light")
