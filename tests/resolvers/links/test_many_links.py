"""Long texts, or those made of links, do not hold up what else the process does."""

import asyncio
import gc
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

import pytest

from content.markdown.spelling import parse_with_style
from content.search.excerpts import Finder
from content.search.query import parse_query
from db.session import Session
from resolvers.core.runners import run
from resolvers.drafts.operation_inputs import (
    ApplyContentChangesInput,
    ContentOperationInput,
    ContentTargetInput,
    UpdatePageInput,
)
from resolvers.drafts.page_inputs import PageBodyInput
from resolvers.writing.operations import apply_content_changes
from tests import factories
from tests.conftest import Api, World, context
from tests.growth import ATTEMPTS, seconds
from tests.large_spaces import LargeSpace
from tests.resolvers.search.test_search import Writer

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


@contextmanager
def steps_counted(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """How many functions each step of the event loop calls, which is the same each time."""
    steps: list[int] = []
    ran, calls = asyncio.events.Handle._run, 0

    def called(frame: object, event: str, argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    def counted(handle: asyncio.events.Handle) -> None:
        nonlocal calls
        calls = 0
        sys.setprofile(called)
        ran(handle)
        sys.setprofile(None)
        steps.append(calls)

    with monkeypatch.context() as patched:
        patched.setattr(asyncio.events.Handle, "_run", counted)
        yield steps


@pytest.mark.divided("name", list(URLS))
async def test_very_many_links_let_others_go_first(
    large_git_space: LargeSpace, session: Session, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    world, space = large_git_space.world, large_git_space.space
    await session.commit()

    async def longest(text: str) -> int:
        body = PageBodyInput(markdown=text)
        batch = ApplyContentChangesInput(
            target=ContentTargetInput(space=space.id),  # type: ignore[arg-type]
            operations=[
                ContentOperationInput(update_page=UpdatePageInput(page="p2525", body=body))  # type: ignore[arg-type]
            ],
        )
        with steps_counted(monkeypatch) as steps:
            await run(context(session, world.editor), apply_content_changes, batch)
        return max(steps)

    # What is read once in a process is not measured.
    await longest("[l](first)")
    # Of few links more is done at a time.
    few, many = 400, 1_000
    for more in ("", "More."):
        some, all = [await longest(text_of(URLS[name], count) + more) for count in (few, many)]
        # It was two thirds of all when each link was looked up by itself: some five hundred.
        assert (all - some) / (many - few) < 24, (some, all)


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
