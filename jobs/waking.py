"""Wakes what follows the outbox, behind the writes of this process: endpoints of webhooks, and the
notifications of people. Whatever it misses is found by a job that looks every minute."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection
from contextlib import AbstractAsyncContextManager

from resolvers.core.actors import OPERATOR, Actor
from resolvers.core.context import Context

log = logging.getLogger("docstead.waking")

OpenContext = Callable[[Actor], AbstractAsyncContextManager[Context]]
# Wakes what the new events of some streams are for; returns those to be called for again.
Wake = Callable[[Context, Collection[str]], Awaitable[Collection[str]]]


class Waker:
    """Collects the streams that have new events, and wakes what they are for after a moment."""

    def __init__(self, open_context: OpenContext, wake: Wake, gathering: float) -> None:
        """`gathering`: seconds in which events come together before anything is woken."""
        self._open_context, self._wake, self._gathering = open_context, wake, gathering
        self._streams: set[str] = set()
        self._heard = asyncio.Event()

    def heard(self, streams: Collection[str]) -> None:
        """Events of these streams were committed; it neither waits nor fails."""
        self._streams |= set(streams)
        self._heard.set()

    async def keep_waking(self) -> None:
        """Wake until cancelled."""
        while True:
            await self._heard.wait()
            await asyncio.sleep(self._gathering)
            try:
                await self.wake()
            except Exception:
                log.exception("what follows events could not be woken; it looks by itself")

    async def wake(self) -> None:
        """Wake what the streams that were heard of are for."""
        streams, self._streams = self._streams, set()
        self._heard.clear()
        if not streams:
            return
        async with self._open_context(OPERATOR) as ctx:
            if again := await self._wake(ctx, streams):
                self.heard(again)
