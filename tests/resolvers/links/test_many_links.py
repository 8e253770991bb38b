"""Long texts, or those made of links, do not hold up what else the process does."""

import asyncio
import gc
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

import pytest

from content.markdown.spelling import parse_with_style
from content.search.excerpts import Finder
from content.search.query import parse_query
from db.enums import EditMode
from db.session import Session
from resolvers.core.runners import run
from resolvers.drafts.operation_inputs import (
    ApplyContentChangesInput,
    ContentOperationInput,
    ContentTargetInput,
    UpdatePageInput,
)
from resolvers.drafts.page_inputs import PageBodyInput
from resolvers.revisions.states import write_revision
from resolvers.writing.operations import apply_content_changes
from tests import factories
from tests.conftest import Api, World, context, settle
from tests.growth import ATTEMPTS, seconds
from tests.resolvers.search.test_search import Writer
from tests.resolvers.writing.test_write_statements import large

URLS = {
    "relative": "gone/{}",
    "from the root": "/guide/{}.md",
    "addresses": "http://127.0.0.1:8000/s/gone{}/a",
}


def text_of(url: str, count: int) -> str:
    return "".join(
        f"[l]({url.format(number)}){'' if number % 50 else chr(10) * 2} " for number in range(count)
    )


@contextmanager
def steps_timed(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[float]]:
    """The processor time of each step of the event loop, without that of collections: how long
    these take depends on all that the tests before have left."""
    steps: list[float] = []
    ran, collecting = asyncio.events.Handle._run, [0.0, 0.0]

    def collected(phase: str, info: object) -> None:
        if phase == "start":
            collecting[0] = time.thread_time()
        else:
            collecting[1] += time.thread_time() - collecting[0]

    def timed(handle: asyncio.events.Handle) -> None:
        collecting[1], start = 0.0, time.thread_time()
        ran(handle)
        steps.append(time.thread_time() - start - collecting[1])

    gc.callbacks.append(collected)
    with monkeypatch.context() as patched:
        patched.setattr(asyncio.events.Handle, "_run", timed)
        yield steps
    gc.callbacks.remove(collected)


@pytest.mark.parametrize("name", URLS)
async def test_very_many_links_let_others_go_first(
    session: Session, world: World, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    made = await factories.make_space(session, world.organization, edit_mode=EditMode.LIVE)
    changes = large(made.id, in_git=True)
    made.revision_id = (await write_revision(context(session), made.id, None, changes)).id
    await settle(session)

    async def write(text: str) -> tuple[float, float]:
        body = PageBodyInput(markdown=text)
        batch = ApplyContentChangesInput(
            target=ContentTargetInput(space=made.id),  # type: ignore[arg-type]
            operations=[
                ContentOperationInput(update_page=UpdatePageInput(page="p2525", body=body))  # type: ignore[arg-type]
            ],
        )
        start = time.process_time()
        with steps_timed(monkeypatch) as steps:
            await run(context(session, world.editor), apply_content_changes, batch)
        return max(steps), time.process_time() - start

    # What is read once in a process is not measured.
    await write("[l](first)")
    text = text_of(URLS[name], 5_000)
    for more in ("", "More."):
        for attempt in range(ATTEMPTS):
            longest, whole = await write(f"{text}{more} {attempt}")
            # It was two thirds when each link was looked up by itself.
            if longest < 0.08 * whole:
                break
        else:
            pytest.fail(f"one step of {longest:.2f} s, of {whole:.2f} s")


def test_a_document_is_freed_without_a_collection() -> None:
    gc.collect()
    gc.disable()
    try:
        text = text_of("gone/{}", 2000) + "A note[^1].\n\n[^1]: Said.\n"
        document = parse_with_style(text)
        nodes = document["nodes"]
        assert isinstance(nodes, list)
        assert len(nodes) > 10
        del nodes
        del document
        assert gc.collect() < 200
    finally:
        gc.enable()


async def test_excerpts_of_long_texts_are_found_beside_the_event_loop(
    api: Api, world: World, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Scripts that are not Latin take longest."""
    space = await factories.make_space(session, world.organization)
    await session.commit()
    writer = Writer(session, space)
    text = "हिन्दी भाषा में लिखा गया पाठ और " * 12_000
    await writer.write(writer.page("long", f"{text}\n"), writer.page("short", "हिन्दी\n"))
    path = f"/spaces/{space.id}/search"
    finder = Finder(parse_query("हिन्दी").terms)
    # What a process keeps of statements is made by the first.
    for _ in range(1 + ATTEMPTS):
        with steps_timed(monkeypatch) as steps:
            answer = await api.rest("GET", path, world.reader, params={"query": "हिन्दी"})
        assert {one["id"] for one in answer.json()["items"]} == {"short", "long"}
        assert all(one["sections"] for one in answer.json()["items"])
        whole = seconds(partial(finder.find, text))
        if max(steps) < whole / 8:
            break
    else:
        pytest.fail(f"one step of {max(steps):.2f} s, of {whole:.2f} s")
