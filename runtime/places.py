"""Shares of what is scarce: so many at once of each of many."""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Places:
    """So many at once of each name; names that nobody uses take no memory."""

    def __init__(self, at_once: int) -> None:
        self._at_once = at_once
        self._semaphores: OrderedDict[str, tuple[asyncio.Semaphore, int]] = OrderedDict()

    def users(self, name: str) -> int:
        """How many have a place of a name or wait for one."""
        _, users = self._semaphores.get(name, (None, 0))
        return users

    @asynccontextmanager
    async def one(self, name: str) -> AsyncIterator[None]:
        """One of the places of a name, when it is free."""
        semaphore, users = self._semaphores.get(name) or (asyncio.Semaphore(self._at_once), 0)
        self._semaphores[name] = semaphore, users + 1
        try:
            async with semaphore:
                yield
        finally:
            semaphore, users = self._semaphores[name]
            if users == 1:
                del self._semaphores[name]
            else:
                self._semaphores[name] = semaphore, users - 1
