"""Long bodies are edited and read in threads: the event loop goes on meanwhile."""

import asyncio
import time
from collections.abc import Callable, Coroutine
from typing import Any

from content.document_edits import Place, move_blocks, replace_block
from content.markdown.parser import parse_document
from db.content_enums import ConflictResolution
from db.session import Session
from tests.conftest import Api, World
from tests.merging import BODY, filled_space
from tests.resolvers.test_conflicts import conflicting, decide, markdown, stored

Node = dict[str, Any]

PARAGRAPHS = 4_000
UPDATE = """mutation($i: UpdatePageInput!, $s: ID!) {
    updatePage(spaceId: $s, input: $i) { changed }
}"""


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


async def longest_pause(work: Coroutine[Any, Any, object]) -> float:
    """Seconds for which the event loop did not get its turn while this ran, at most."""
    worst, last = 0.0, time.perf_counter()
    task = asyncio.ensure_future(work)
    while not task.done():
        await asyncio.sleep(0.005)
        now = time.perf_counter()
        worst, last = max(worst, now - last), now
    await task
    return worst


async def written(api: Api, world: World, space_id: str, body: str) -> tuple[Node, str]:
    """The document of the page `p0` with this body, and the revision that it is in."""
    address = f"/spaces/{space_id}/content"
    change = {"type": "update_page", "page": "p0", "document": {"markdown": body}}
    done = await api.rest("POST", address, world.editor, {"changes": [change]})
    page = await api.rest("GET", f"{address}/page/p0?format=document", world.editor)
    return page.json()["document"], done.json()["revision"]["id"]


def paragraphs(word: str) -> str:
    return "\n\n".join(f"{word} {number}" for number in range(PARAGRAPHS))


async def test_edits_of_blocks(api: Api, world: World, session: Session) -> None:
    space = await filled_space(session, world, 1)
    document, _ = await written(api, world, space.id, paragraphs("a"))
    keys = [node["key"] for node in document["nodes"]]
    moves = [(keys[-1_000:], keys[number]) for number in range(40)]
    alone = seconds(lambda: [move_blocks(document, m, Place("before", to)) for m, to in moves])
    edits = [{"move": {"keys": m, "place": {"before": to}}} for m, to in moves]
    answers = []

    async def work() -> None:
        i = {"page": "p0", "body": {"edits": edits}}
        answers.append(await api.graphql(UPDATE, world.editor, s=space.id, i=i))

    assert await longest_pause(work()) < alone / 2
    assert answers[0]["data"] == {"updatePage": {"changed": True}}


async def test_blocks_taken_back(api: Api, world: World, session: Session) -> None:
    space = await filled_space(session, world, 1)
    document, revision = await written(api, world, space.id, paragraphs("a"))
    now, _ = await written(api, world, space.id, paragraphs("a b"))
    keys = [node["key"] for node in document["nodes"]]
    assert keys == [node["key"] for node in now["nodes"]]
    blocks = document["nodes"][-20:]
    alone = seconds(lambda: [replace_block(now, block["key"], [block]) for block in blocks])
    change = {"type": "revert_page", "page": "p0", "revision": revision, "block": keys[-20:]}
    answers = []

    async def work() -> None:
        address = f"/spaces/{space.id}/content"
        answers.append(await api.rest("POST", address, world.editor, {"changes": [change]}))

    assert await longest_pause(work()) < alone / 2
    assert answers[0].status_code == 200
    change["block"] = [*keys[:3], "none"]
    address = f"/spaces/{space.id}/content"
    refused = await api.rest("POST", address, world.editor, {"changes": [change]})
    assert refused.status_code == 404
    assert "block[3]" in refused.text
    change["block"] = keys[:101]
    refused = await api.rest("POST", address, world.editor, {"changes": [change]})
    assert refused.status_code in (400, 422)
    assert "100" in refused.text


async def test_a_block_that_is_taken_back_stands_behind_one_that_is_still_there(
    api: Api, world: World, session: Session
) -> None:
    space = await filled_space(session, world, 1)
    document, revision = await written(api, world, space.id, "a\n\nb\n\nc\n\nd")
    await written(api, world, space.id, "a\n\nd")
    change = {
        "type": "revert_page",
        "page": "p0",
        "revision": revision,
        "block": [document["nodes"][2]["key"], document["nodes"][1]["key"]],
    }
    address = f"/spaces/{space.id}/content"
    await api.rest("POST", address, world.editor, {"changes": [change]})
    page = await api.rest("GET", f"{address}/page/p0?format=document", world.editor)
    assert page.json()["document"] == document


async def test_conflicts_settled_with_markdown(session: Session, world: World) -> None:
    _, row = await conflicting(
        session,
        world,
        {"p0": {"body": BODY.replace("First", "Ours")}},
        {"p0": {"body": BODY.replace("First", "Theirs")}},
    )
    (conflict,) = await stored(session, row)
    text = "a \\* &amp; " * 30_000
    alone = seconds(lambda: parse_document(text))
    settled = decide(session, world.editor, row, conflict, ConflictResolution.CUSTOM, markdown=text)
    assert await longest_pause(settled) < alone / 2
    assert len(await markdown(session, row, "p0")) > 100_000
