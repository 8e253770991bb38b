"""Renders documents of sites: ordinary ones in a thread, heavy ones in processes with bounds.

A process is killed when its time is over, when it wants too much memory, or when nobody waits for
it any more. What could not be rendered is remembered by its content, so that it is not tried again
by each reader. A site has so many renderings at once that it leaves room for the others.
"""

import asyncio
import hashlib
import logging
import math
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import orjson

from content.documents.nodes import text_of
from content.html.document import Rendered, render_document
from content.html.rendering import Options, Resolve
from content.html.words import document_words
from content.html.worker import LENGTH, MOST_HTML, frame_of, rendered_from
from content.json_types import JsonObject, values_in
from content.recent_cache import RecentCache
from jobs.processes import process_of
from resolvers.specifications.shown import BLOCKS
from runtime.places import Places

log = logging.getLogger("docstead.rendering")
# Microseconds, roughly, that a document may take in the server process: what takes longer is worth
# a process, whose start takes about as long.
LIGHT = 150_000
# So many of one site at once, and of all sites in processes.
AT_ONCE_OF_SITE, PROCESSES_OF_SITE, PROCESSES = 4, 1, 2
# Failures that are remembered, and for how many seconds those for which the machine had no time.
FAILURES = 10_000
TRIED_AGAIN_AFTER = 60
# What one block, one character of its text, and one formula take.
NODE, CHARACTER, FORMULA = 20, 0.05, 300
# Highlighting may take as long as the square of the characters.
CODE = 0.01
# What a byte takes that a block shows of a specification.
SHOWN = 2.0


@dataclass(frozen=True, slots=True)
class RenderLimits:
    """The bounds of one process: seconds of computing, megabytes of memory."""

    seconds: int = 10
    megabytes: int = 768


class RenderingError(Exception):
    """A document that cannot be rendered within the bounds: its text is what there is to show.

    `for_now` where the machine had no time for it, which says little about the document.
    """

    def __init__(self, for_now: bool = False) -> None:
        super().__init__()
        self.for_now = for_now


@dataclass(frozen=True, slots=True)
class Subject:
    """What is rendered: a document of a site, and what its references lead to."""

    site_id: str
    space_id: str
    document: JsonObject
    # Reusable contents of the space, by id.
    contents: Mapping[str, JsonObject]
    resolve: Resolve
    # Of the words that no author has written.
    language: str = "en"
    # As in `Options`.
    requests: str = ""
    blocks: str = ""

    def options(self) -> Options:
        """The options of a rendering in this process."""
        words = document_words(self.language)
        return Options(
            resolve=self.resolve, reusable=self._reusable, words=words, requests=self.requests,
            blocks=self.blocks,
        )  # fmt: skip

    def _reusable(self, reference: JsonObject) -> JsonObject | None:
        if text_of(reference, "space") not in ("", self.space_id):
            return None
        return self.contents.get(text_of(reference, "reusableContent"))

    def weight(self) -> float:
        """About how many microseconds a rendering may take; counted until it is too many."""
        total = 0.0
        for cost in _costs([self.document, *self.contents.values()]):
            total += cost
            if total > LIGHT:
                break
        return total

    def digest(self) -> str:
        """Equal for equal content, whatever the references lead to."""
        data = orjson.dumps([self.document, dict(self.contents)], option=orjson.OPT_NON_STR_KEYS)
        return hashlib.sha256(data).hexdigest()


def _costs(roots: list[Any]) -> Iterator[float]:
    for value in values_in(roots):
        if isinstance(value, dict):
            yield NODE
            kind = value.get("type")
            if kind == "code":
                # The text of each line is small; that of the block is what is highlighted.
                length = sum(len(text) for text in values_in([value]) if isinstance(text, str))
                yield CODE * length * length
            elif kind in ("math", "inline-math"):
                yield FORMULA
            elif isinstance(kind, str) and kind in BLOCKS:
                # What it shows: descriptions are Markdown, and schemas are shown in several places.
                yield SHOWN * len(orjson.dumps(value))
            elif kind == "reusable-content":
                # Any of them may be the largest, many times.
                yield NODE * 50
        elif isinstance(value, str):
            yield CHARACTER * len(value)


class Renderer:
    """The renderings of one server process; for one event loop."""

    def __init__(self, limits: RenderLimits | None = None) -> None:
        self._limits = limits or RenderLimits()
        self._of_site = Places(AT_ONCE_OF_SITE)
        self._processes_of_site = Places(PROCESSES_OF_SITE)
        self._processes = asyncio.Semaphore(PROCESSES)
        # By digest, until when they count; infinity where only other content helps.
        self._failed: RecentCache[str, float] = RecentCache(FAILURES, lambda failure: 1)
        # Processes that were begun, and how many run or are waited for.
        self.begun = self.running = 0

    async def render(self, subject: Subject) -> Rendered:
        """The HTML of a document; RenderingError where there is none within the bounds."""
        async with self._of_site.one(subject.site_id):
            rendered = await asyncio.to_thread(_light, subject)
            return await self._heavy(subject) if rendered is None else rendered

    async def _heavy(self, subject: Subject) -> Rendered:
        digest = await asyncio.to_thread(subject.digest)
        self._refuse_failed(digest)
        async with self._counted(), self._processes_of_site.one(subject.site_id), self._processes:
            # Somebody else may have tried it meanwhile.
            self._refuse_failed(digest)
            self.begun += 1
            try:
                return await self._in_process(subject)
            except (EOFError, ConnectionError, asyncio.IncompleteReadError, TimeoutError) as error:
                # A process that has used up its bounds ends itself, sooner than by this time-out.
                for_now = isinstance(error, TimeoutError)
                until = time.monotonic() + TRIED_AGAIN_AFTER if for_now else math.inf
                self._failed.put(digest, until)
                log.warning(
                    "a page of space %s on site %s takes more than %s seconds or %s MB to "
                    "render; its readers get its plain text",
                    subject.space_id, subject.site_id, self._limits.seconds,
                    self._limits.megabytes,
                )  # fmt: skip
                raise RenderingError(for_now) from None

    @asynccontextmanager
    async def _counted(self) -> AsyncIterator[None]:
        self.running += 1
        try:
            yield
        finally:
            self.running -= 1

    def _refuse_failed(self, digest: str) -> None:
        until = self._failed.get(digest)
        if until is not None and time.monotonic() < until:
            raise RenderingError(for_now=until < math.inf)

    async def _in_process(self, subject: Subject) -> Rendered:
        limits = self._limits
        pipe = asyncio.subprocess.PIPE
        process_run = process_of(
            "content.html.worker", str(limits.seconds), str(limits.megabytes),
            stdin=pipe, stdout=pipe, stderr=asyncio.subprocess.DEVNULL,
        )  # fmt: skip
        # Its computing time is bounded by itself; this is for one that waits, on a busy machine.
        async with process_run as process, asyncio.timeout(3 * limits.seconds):
            frames, answers = process.stdin, process.stdout
            assert frames is not None
            assert answers is not None
            job = {"document": subject.document, "contents": dict(subject.contents),
                   "space": subject.space_id, "language": subject.language,
                   "requests": subject.requests, "blocks": subject.blocks}  # fmt: skip
            data = await asyncio.to_thread(frame_of, job)
            while True:
                frames.write(data)
                await frames.drain()
                answer = await _answer(answers)
                references = answer.get("references")
                if references is None:
                    return rendered_from(answer)
                data = await asyncio.to_thread(_targets, subject.resolve, references)


def _light(subject: Subject) -> Rendered | None:
    """The HTML of a document that is no work for a process of its own."""
    if subject.weight() > LIGHT:
        return None
    return render_document(subject.document, subject.options())


async def _answer(answers: asyncio.StreamReader) -> Any:
    (size,) = LENGTH.unpack(await answers.readexactly(LENGTH.size))
    if size > MOST_HTML:
        raise EOFError
    data = await answers.readexactly(size)
    return await asyncio.to_thread(orjson.loads, data)


def _targets(resolve: Callable[[JsonObject], Any], references: list[JsonObject]) -> bytes:
    return frame_of({"targets": [resolve(reference) for reference in references]})
