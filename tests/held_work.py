"""Work on texts that waits, in its thread, until others have written; and little that is much.

Whether a large text holds others up is not seen by how long it takes, which depends on the machine:
the work on it begins, waits for the others, and goes on when they are done. Where it held a lock,
they would never be.
"""

import asyncio
import threading
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import pytest

from resolvers.drafts import bodies as draft_bodies
from resolvers.merging import conflict_resolution
from resolvers.revisions import bodies_work
from resolvers.writing import operations as content_writes

T = TypeVar("T")
# Characters that a write works on under its lock, instead of 20,000, and texts of much more.
LIGHT = 300
# As long as the others wait for a lock, and longer.
SECONDS = 20


def make_little_much(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small texts count as those that are worked on before the lock is taken."""
    for module in (bodies_work, draft_bodies, conflict_resolution, content_writes):
        assert hasattr(module, "LIGHT")
        monkeypatch.setattr(module, "LIGHT", LIGHT)


class Held:
    """A write whose work has begun and waits."""

    def __init__(self, task: "asyncio.Task[Any]", others_done: threading.Event) -> None:
        self._task, self._others_done = task, others_done

    async def result(self) -> Any:
        """What the write gives, now that the others are done."""
        assert not self._task.done()
        self._others_done.set()
        return await self._task


@contextmanager
def _waiting(
    monkeypatch: pytest.MonkeyPatch, name: str, begun: asyncio.Event, others_done: threading.Event
) -> Iterator[None]:
    loop, work = asyncio.get_running_loop(), getattr(draft_bodies, name)

    def waiting(*values: Any, **named: Any) -> Any:
        loop.call_soon_threadsafe(begun.set)
        assert others_done.wait(SECONDS), "the others wait for this work"
        return work(*values, **named)

    with monkeypatch.context() as patched:
        patched.setattr(draft_bodies, name, waiting)
        yield


async def held(
    monkeypatch: pytest.MonkeyPatch, write: Coroutine[Any, Any, T], name: str = "parse_with_style"
) -> Held:
    """The write when its work `name` on a body has begun; that of others does not wait."""
    begun, others_done = asyncio.Event(), threading.Event()
    with _waiting(monkeypatch, name, begun, others_done):
        task = asyncio.create_task(write)
        waiting = asyncio.create_task(begun.wait())
        await asyncio.wait([task, waiting], return_when=asyncio.FIRST_COMPLETED)
        if not begun.is_set():
            waiting.cancel()
            await task
            pytest.fail(f"the write has not come to {name}")
    return Held(task, others_done)
