"""Draws blocks of integrations that readers wait for: each once at a time, and not for long."""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from jobs.block_options import ReadNamed, with_read_options
from jobs.waking import OpenContext
from resolvers.core.actors import OPERATOR
from resolvers.core.errors import ApiError, NoCapacity, Unavailable
from resolvers.core.installation import Concerns
from resolvers.core.runners import run
from resolvers.integrations.shown import Result, WantedBlock, record_block, result_of

log = logging.getLogger("docstead.integrations")
# Seconds that a reader waits for blocks which nobody has drawn yet, or not lately.
PATIENCE = 1.0
# Blocks that one process draws at the same time.
MOST_AT_ONCE = 40
# Begins work that the process finishes before it closes its database.
Begin = Callable[[Coroutine[Any, Any, bool]], asyncio.Task[bool]]


class BlockMaker:
    """The blocks that one server process draws; for one event loop."""

    def __init__(self, open_context: OpenContext, begin: Begin, read_named: ReadNamed) -> None:
        self._open_context, self._begin = open_context, begin
        self._read_named = read_named
        self._tasks: dict[tuple[str, str], asyncio.Task[bool]] = {}

    async def draw(self, undrawn: Sequence[WantedBlock]) -> bool:
        """Draw blocks; whether one of them shows something else now.

        What takes too long goes on, and is there for the next reader.
        """
        tasks = [task for block in undrawn if (task := self._task(block)) is not None]
        if not tasks:
            return False
        done, _ = await asyncio.wait(tasks, timeout=PATIENCE)
        return any(not task.cancelled() and task.exception() is None and task.result()
                   for task in done)  # fmt: skip

    def _task(self, block: WantedBlock) -> asyncio.Task[bool] | None:
        key = (block.space_id, block.digest)
        if key not in self._tasks:
            if len(self._tasks) >= MOST_AT_ONCE:
                return None
            try:
                task = self._tasks[key] = self._begin(self._draw(block))
            except Unavailable:
                return None
            task.add_done_callback(lambda _: self._tasks.pop(key, None))
        return self._tasks[key]

    async def _draw(self, block: WantedBlock) -> bool:
        result: Result | None = None
        dark: Result | None = None
        try:
            result, themed = await self._drawn(block, "light")
            # One that has not looked at the theme draws the same for dark surroundings.
            if result is not None and themed:
                with contextlib.suppress(ApiError):
                    dark, _ = await self._drawn(block, "dark")
        except NoCapacity:
            # The next reader has it drawn: nothing has failed.
            return False
        except ApiError:
            # It is not installed any more, or nothing runs scripts here.
            result = None
        except Exception:
            log.exception("block %s of space %s could not be drawn", block.digest, block.space_id)
            result = None
        try:
            return await self._record(block, result, None if dark is None else dark[0])
        except ApiError:
            # Another process has written it down at the same time.
            return False
        except Exception:
            log.exception("block %s of space %s could not be kept", block.digest, block.space_id)
        # Without a note of the failure it would be drawn again for each reader.
        return await self._record(block, None)

    async def _drawn(self, block: WantedBlock, theme: str) -> tuple[Result | None, bool]:
        """What the integration draws, and whether that may follow from the theme."""
        async with self._open_context(OPERATOR) as ctx:
            ask = ctx.ask_integration
        if ask is None:
            return None, False
        event = block.event(theme)
        answer = await ask(block.integration_id, event, Concerns(space_id=block.space_id))
        result = result_of(answer, block)
        if result is not None:
            result = await with_read_options(self._read_named, result[0]), result[1]
        return result, answer.themed

    async def _record(
        self, block: WantedBlock, result: Result | None, dark: dict[str, Any] | None = None
    ) -> bool:
        async with self._open_context(OPERATOR) as ctx:
            return await run(ctx, record_block, block, result, dark)
