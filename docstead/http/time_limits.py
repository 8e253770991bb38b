"""Limits on the time that a part of a request may take, as cheap as a request is short.

A timer and a task that listens for the client's disconnect cost more than a small query does. So
a limit only puts its name on a list; one timer of the thread looks at the list every fifty
milliseconds and starts both for what is still there. A disconnect within these first
milliseconds is noticed when they are over.
"""

import asyncio
import threading

from starlette.types import Receive

GRACE_SECONDS = 0.05


class ClientDisconnected(Exception):
    """The client went away; nobody is left to answer."""


class TimeLimitPassed(Exception):
    """The block below a time limit took too long and was cancelled."""


class _Young(threading.local):
    """The limits of this thread's event loop that nothing has been started for yet."""

    def __init__(self) -> None:
        self.loop: asyncio.AbstractEventLoop | None = None
        self.limits: dict[TimeLimit, None] = {}
        self.sweeping = False

    def add(self, limit: "TimeLimit", loop: asyncio.AbstractEventLoop) -> None:
        if self.loop is not loop:
            self.loop, self.limits, self.sweeping = loop, {}, False
        self.limits[limit] = None
        if not self.sweeping:
            self.sweeping = True
            loop.call_later(GRACE_SECONDS, self.sweep, loop)

    def sweep(self, loop: asyncio.AbstractEventLoop) -> None:
        if self.loop is not loop:
            return
        latest = loop.time() - GRACE_SECONDS
        for limit in [limit for limit in self.limits if limit.began <= latest]:
            del self.limits[limit]
            limit.start()
        self.sweeping = bool(self.limits)
        if self.sweeping:
            loop.call_later(GRACE_SECONDS, self.sweep, loop)


_young = _Young()


class TimeLimit:
    """`with TimeLimit(seconds, receive):` cancels what is in it when the time has passed.

    It raises TimeLimitPassed then; with `receive`, the request's, also ClientDisconnected when
    the client goes away. Like asyncio.timeout, it leaves alone what others cancel.
    """

    __slots__ = (
        "_cancelling",
        "_gone",
        "_listener",
        "_loop",
        "_passed",
        "_receive",
        "_seconds",
        "_task",
        "_timer",
        "began",
    )

    def __init__(self, seconds: float, receive: Receive | None = None) -> None:
        self._seconds = seconds
        self._receive = receive
        self._passed = self._gone = False
        self._timer: asyncio.TimerHandle | None = None
        self._listener: asyncio.Task[None] | None = None

    def __enter__(self) -> None:
        task = asyncio.current_task()
        if task is None:
            raise RuntimeError("a time limit stands in a task")
        self._task = task
        self._cancelling = task.cancelling()
        self._loop = asyncio.get_running_loop()
        self.began = self._loop.time()
        _young.add(self, self._loop)

    def start(self) -> None:
        """Called when what is in it has not been short."""
        self._timer = self._loop.call_at(self.began + self._seconds, self._cancel)
        if self._receive is not None:
            self._listener = self._loop.create_task(self._listen(self._receive))

    async def _listen(self, receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self._gone = True
        self._cancel()

    def _cancel(self) -> None:
        if not self._passed:
            self._passed = True
            self._task.cancel()

    def __exit__(self, type_: type[BaseException] | None, *raised: object) -> None:
        _young.limits.pop(self, None)
        if self._timer is not None:
            self._timer.cancel()
        if self._listener is not None:
            self._listener.cancel()
        if self._passed:
            others = self._task.uncancel() > self._cancelling
            if not others and type_ is asyncio.CancelledError:
                raise (ClientDisconnected if self._gone else TimeLimitPassed) from None
