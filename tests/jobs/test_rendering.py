"""Heavy documents are rendered in processes with bounds; failures are remembered."""

import asyncio
import contextlib
import os
from typing import Any

import pytest

from content.documents.nodes import paragraph, text
from content.html.document import render_document
from content.html.rendering import Target
from content.markdown.parser import parse_document
from jobs import rendering
from jobs.rendering import LIGHT, Renderer, RenderingError, RenderLimits, Subject

CONTENT = parse_document("Inserted *text*.\n")


def resolve(reference: Any) -> Target:
    return Target(href=f"/to/{reference.get('page') or reference.get('url')}", title="A title")


def subject(document: Any, site: str = "site") -> Subject:
    return Subject(site, "space", document, {"r": CONTENT}, resolve)


def of_length(paragraphs: int) -> Any:
    """A document; some 20 microseconds for each paragraph."""
    return {"object": "document", "data": {}, "nodes": [paragraph([text("word")])] * paragraphs}


LONG = of_length(10_000)
REFERRING = parse_document("## A heading\n\n[a](b.md)\n\n<div><a href='c.md'>c</a></div>\n")


async def test_light_and_heavy_documents_are_rendered_alike() -> None:
    renderer = Renderer()
    light = subject(REFERRING)
    assert await renderer.render(light) == render_document(light.document, light.options())
    assert renderer.begun == 0
    large = subject({**LONG, "nodes": [*REFERRING["nodes"], *LONG["nodes"]]})  # type: ignore[misc]
    assert large.weight() > LIGHT
    rendered = await renderer.render(large)
    assert renderer.begun == 1
    assert rendered == render_document(large.document, large.options())
    # References of the document, and those that only show when foreign HTML is read.
    assert 'href="/to/b.md"' in rendered.html
    assert 'href="/to/c.md"' in rendered.html


@pytest.mark.parametrize(
    "limits", [RenderLimits(seconds=1), RenderLimits(megabytes=90)], ids=["time", "memory"]
)
async def test_what_is_too_much_is_tried_once(
    limits: RenderLimits, caplog: pytest.LogCaptureFixture
) -> None:
    renderer = Renderer(limits)
    longer = of_length(120_000)
    for site in ("site", "site", "other"):
        with pytest.raises(RenderingError):
            await renderer.render(subject(longer, site))
    assert renderer.begun == 1
    assert "its readers get its plain text" in caplog.text
    # Other content is another question.
    light = subject(parse_document("text\n"))
    assert (await renderer.render(light)).html == "<p>text</p>"


async def test_what_the_machine_had_no_time_for_is_tried_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    renderer = Renderer(RenderLimits(seconds=0))
    for _ in range(2):
        with pytest.raises(RenderingError) as refused:
            await renderer.render(subject(LONG))
        assert refused.value.for_now
    assert renderer.begun == 1
    monkeypatch.setattr(rendering, "TRIED_AGAIN_AFTER", -1)
    for begun in (2, 3):
        longer = of_length(10_001)
        with pytest.raises(RenderingError):
            await renderer.render(subject(longer))
        assert renderer.begun == begun


async def test_a_rendering_ends_with_whoever_waits_for_it() -> None:
    renderer = Renderer()
    tasks = [asyncio.create_task(renderer.render(subject(of_length(50_000)))) for _ in range(3)]
    while not _children():  # noqa: ASYNC110 (nobody tells that a process was begun)
        await asyncio.sleep(0.01)
    for task in tasks:
        task.cancel()
    for task in tasks:
        with contextlib.suppress(asyncio.CancelledError):
            await task
    assert not _children()
    assert renderer.begun == 1


async def test_one_site_leaves_room_for_the_others() -> None:
    renderer = Renderer()
    crowd = [asyncio.create_task(renderer.render(subject(LONG))) for _ in range(20)]
    await asyncio.sleep(0)
    # Beside twenty of one site, another one's is begun before the second of these.
    await renderer.render(subject(LONG, "other"))
    assert sum(task.done() for task in crowd) <= 2
    await renderer.render(subject(CONTENT, "third"))
    for task in crowd:
        task.cancel()
    await asyncio.gather(*crowd, return_exceptions=True)


def _children() -> list[int]:
    """The processes that this one has begun and that are at work."""
    children = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError), open(f"/proc/{name}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
            if int(fields[1]) == os.getpid() and fields[0] != "Z":
                with open(f"/proc/{name}/cmdline") as command:
                    if "content.html.worker" in command.read():
                        children.append(int(name))
    return children
