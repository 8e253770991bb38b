"""Has fonts looked at by a process with bounds, before anything can be made of them."""

import asyncio
import json
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import AsyncIterator

from content.media.font_reader import SECONDS
from jobs.processes import process_of

# Fonts that one server process has looked at at the same time.
_AT_ONCE = asyncio.Semaphore(2)


async def font_problem_of(chunks: AsyncIterator[bytes]) -> str | None:
    """What is wrong with a font; None for one that browsers can show."""
    data = b"".join([chunk async for chunk in chunks])
    async with _AT_ONCE:
        reader = process_of("content.media.font_reader", stdin=PIPE, stdout=PIPE, stderr=DEVNULL)
        try:
            async with reader as process, asyncio.timeout(2 * SECONDS):
                answer, _ = await process.communicate(data)
        except TimeoutError:
            answer = b""
    try:
        problem: str | None = json.loads(answer)["problem"]
    except ValueError:
        return "takes too long or too much memory to read"
    return problem
