"""Draws blocks of integrations that readers wait for: each once at a time, and not for long."""

import asyncio
import contextlib
import logging
from collections.abc import Sequence

from jobs.waking import OpenContext
from resolvers.core.actors import OPERATOR
from resolvers.core.errors import ApiError, NoCapacity
from resolvers.core.installation import Concerns
from resolvers.core.runners import run
from resolvers.integrations.shown import WantedBlock, record_block, result_of
from runtime.calls import Answer

log = logging.getLogger("docstead.integrations")
# Seconds that a reader waits for blocks which nobody has drawn yet, or not lately.
PATIENCE = 1.0
# Blocks that one process draws at the same time.
MOST_AT_ONCE = 40


class BlockMaker:
    """The blocks that one server process draws; for one event loop."""

    def __init__(self, open_context: OpenContext) -> None:
        self._open_context = open_context
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
            task = asyncio.create_task(self._draw(block))
            self._tasks[key] = task
            task.add_done_callback(lambda _: self._tasks.pop(key, None))
        return self._tasks[key]

    async def _draw(self, block: WantedBlock) -> bool:
        dark = None
        try:
            answer = await self._answer(block, "light")
            if answer is not None and result_of(answer) is not None:
                with contextlib.suppress(ApiError):
                    dark = await self._answer(block, "dark")
        except NoCapacity:
            # The next reader has it drawn: nothing has failed.
            return False
        except ApiError:
            # It is not installed any more, or nothing runs scripts here.
            answer = None
        except Exception:
            log.exception("block %s of space %s could not be drawn", block.digest, block.space_id)
            answer = None
        try:
            return await self._record(block, answer, dark)
        except ApiError:
            # Another process has written it down at the same time.
            return False
        except Exception:
            log.exception("block %s of space %s could not be kept", block.digest, block.space_id)
        # Without a note of the failure it would be drawn again for each reader.
        return await self._record(block, None)

    async def _answer(self, block: WantedBlock, theme: str) -> Answer | None:
        async with self._open_context(OPERATOR) as ctx:
            ask = ctx.ask_integration
        if ask is None:
            return None
        event = block.event(theme)
        return await ask(block.integration_id, event, Concerns(space_id=block.space_id))

    async def _record(
        self, block: WantedBlock, answer: Answer | None, dark: Answer | None = None
    ) -> bool:
        async with self._open_context(OPERATOR) as ctx:
            return await run(ctx, record_block, block, answer, dark)
