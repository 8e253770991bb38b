"""llms-full.txt: the Markdown of many pages, sent while it is written.

A few pages are read and written at a time, each time as a read of its own: memory depends neither
on the size of the site nor on the number of its pages, and whoever reads something else comes in
between. What the client does not read is not written, and nothing is when it has hung up.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass

from starlette.responses import Response, StreamingResponse

from published.look import Look
from published.server import Server
from published.texts import published_markdown
from resolvers.core.actors import NOBODY
from resolvers.core.runners import read
from resolvers.published.lists import PageKey, texts_of_pages
from resolvers.published.visitors import as_bearer

MEDIA_TYPE = "text/markdown; charset=utf-8"
# Characters that are written at a time, unless a single page has more, and pages.
CHARACTERS, PAGES = 200_000, 20
# Of all that are being sent, so many are written at the same time; the others wait their turn, and
# hold what they have sent last.
AT_ONCE = 2


@dataclass(frozen=True, slots=True)
class WholeText:
    """What is to be sent: pages in their order, and what stands behind the last one."""

    look: Look
    pages: Sequence[PageKey]
    end: str = ""


class WholeTexts:
    """The texts that one server process sends."""

    def __init__(self, live: Server, seconds: float) -> None:
        """`seconds` is how long a few pages may take."""
        self._live = live
        self._seconds = seconds
        self._turns = asyncio.Semaphore(AT_ONCE)

    def response(self, method: str, text: WholeText) -> Response:
        """The answer; of HEAD nothing is written."""
        if method == "HEAD":
            response = Response(media_type=MEDIA_TYPE)
            # It is not known before all is written.
            del response.headers["content-length"]
            return response
        return StreamingResponse(self._pieces(text), media_type=MEDIA_TYPE)

    async def _pieces(self, text: WholeText) -> AsyncIterator[bytes]:
        position, together, between = 0, 1, ""
        while position < len(text.pages):
            some = text.pages[position : position + together]
            position += len(some)
            async with self._turns, asyncio.timeout(self._seconds):
                written = await self._live.read_in_place(lambda: self._write(text.look, some))  # noqa: B023
            if written:
                yield (between + "\n".join(written)).encode()
                between = "\n"
            each = sum(map(len, written)) // len(some) + 1
            # Large pages come one by one. Twice as many as before at most: the next may be larger.
            together = max(1, min(2 * together, PAGES, CHARACTERS // each))
        if text.end:
            yield text.end.encode()

    async def _write(self, look: Look, pages: Sequence[PageKey]) -> list[str]:
        async with self._live.context_of(NOBODY) as ctx:
            # Who reads slowly may not be let in any more.
            visitor = await as_bearer(ctx, look.content.api_token)
            texts = await read(visitor, texts_of_pages, look.content, pages)
        addresses = look.addresses.outside()
        # One by one: others get the interpreter in between.
        return [await asyncio.to_thread(published_markdown, text, addresses) for text in texts]
