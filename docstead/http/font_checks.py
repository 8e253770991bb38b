"""Has fonts looked at by a process with bounds, before anything can be made of them."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator

from content.media.font_reader import SECONDS
from fetching.programs import end

# Fonts that one server process has looked at at the same time.
_AT_ONCE = asyncio.Semaphore(2)


async def font_problem_of(chunks: AsyncIterator[bytes]) -> str | None:
    """What is wrong with a font; None for one that browsers can show."""
    data = b"".join([chunk async for chunk in chunks])
    async with _AT_ONCE:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "content.media.font_reader",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )  # fmt: skip
        try:
            async with asyncio.timeout(2 * SECONDS):
                answer, _ = await process.communicate(data)
        except TimeoutError:
            answer = b""
        finally:
            if process.returncode is None:
                await end(process)
    try:
        problem: str | None = json.loads(answer)["problem"]
    except ValueError:
        return "takes too long or too much memory to read"
    return problem
