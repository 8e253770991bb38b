"""Several fetches at a time, but not all at once."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import TypeVar

S = TypeVar("S")
T = TypeVar("T")
AT_ONCE = 4


async def some_at_once(work: Callable[[S], Awaitable[T]], items: Iterable[S]) -> list[T]:
    """The results of `work` for all items, in their order, four running at a time."""
    turn = asyncio.Semaphore(AT_ONCE)

    async def in_turn(item: S) -> T:
        async with turn:
            return await work(item)

    # The first error ends the others; it is raised as it is.
    tasks = [asyncio.ensure_future(in_turn(item)) for item in items]
    try:
        return list(await asyncio.gather(*tasks))
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
