"""Runs events of integrations: bounded in number, each in a process of its own."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fetching.client import Fetcher
from runtime.calls import Answer, BusyError, Call, Outcome, Response
from runtime.executions import Execution
from runtime.limits import Limits
from runtime.places import Places
from runtime.preparers import Preparers, ScriptError


class Sandbox:
    """The scripts of one server process; for one event loop."""

    def __init__(self, fetcher: Fetcher, limits: Limits | None = None) -> None:
        """`fetcher` sends what scripts fetch."""
        self.limits = limits or Limits()
        self._fetcher = fetcher
        self._preparers = Preparers(self.limits)
        self._of_installation = Places(self.limits.events_of_installation)
        self._at_once = asyncio.Semaphore(self.limits.events_at_once)
        self._running: set[asyncio.Task[Answer]] = set()
        # Events that wait for their turn, and processes that were started, for figures.
        self.waiting = 0

    @property
    def started(self) -> int:
        """How many preparers were started."""
        return self._preparers.started

    async def check(self, script: str) -> None:
        """ScriptError unless a script can be loaded and has an entry; nothing of it stays."""
        preparers = Preparers(self.limits)
        try:
            preparers.give_back(await preparers.lend("", script))
        finally:
            await preparers.close()

    async def run(self, call: Call) -> Answer:
        """What came of an event, with all that it has postponed; BusyError when there is no room.

        UnavailableError where scripts cannot run on this server.
        """
        response: asyncio.Future[Response] = asyncio.get_running_loop().create_future()
        return await self._run(call, response)

    async def respond(self, call: Call) -> tuple[Response | None, "asyncio.Task[Answer]"]:
        """The script's response as soon as there is one, and the rest of the event.

        The rest goes on when nobody waits for it.
        """
        response: asyncio.Future[Response] = asyncio.get_running_loop().create_future()
        task = asyncio.create_task(self._run(call, response))
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        try:
            waiting: list[asyncio.Future[Any]] = [task, response]
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            task.cancel()
            raise
        if task.done():
            task.result()
        return (response.result() if response.done() else None), task

    async def _run(self, call: Call, response: "asyncio.Future[Response]") -> Answer:
        async with self._turn(call.installation):
            for attempt in (1, 2):
                try:
                    preparer = await self._preparers.lend(call.version, call.script)
                except ScriptError as error:
                    return Answer(Outcome.UNUSABLE, error=str(error))
                execution = Execution(call, self.limits, self._fetcher, response)
                try:
                    return await execution.run(preparer)
                except ConnectionError:
                    # The preparer was killed since it was used: by the kernel for want of memory.
                    if attempt == 2:
                        return Answer(Outcome.CRASHED, error="its process was killed")
                finally:
                    self._preparers.give_back(preparer)
        raise AssertionError

    @asynccontextmanager
    async def _turn(self, installation: str) -> AsyncIterator[None]:
        """A place of the installation and one of the server; BusyError when that takes too long."""
        limits, users = self.limits, self._of_installation.users(installation)
        if self.waiting >= limits.events_waiting:
            raise BusyError("too many events of integrations wait already")
        if users >= limits.events_of_installation + limits.events_of_installation_waiting:
            raise BusyError("too many events of this installation wait already")
        self.waiting += 1
        async with contextlib.AsyncExitStack() as places:
            try:
                async with asyncio.timeout(self.limits.waiting_seconds):
                    await places.enter_async_context(self._of_installation.one(installation))
                    await places.enter_async_context(self._at_once)
            except TimeoutError:
                raise BusyError("other events of integrations run") from None
            finally:
                self.waiting -= 1
            yield

    async def close(self) -> None:
        """End all events and processes."""
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)
        await self._preparers.close()
