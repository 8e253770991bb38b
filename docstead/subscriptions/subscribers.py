"""One subscription of a client: what waits for it, how it ends, and by whose right it is there."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from docstead.graphql.errors import ErrorReport
from resolvers.core.actors import Actor
from resolvers.core.errors import ApiError, Unauthenticated

Json = dict[str, Any]
# Events that wait for a client which reads slower than they come.
MOST_WAITING = 500
# Bytes of them.
MOST_BYTES = 4_000_000


class SlowConsumer(ApiError):
    """The client reads slower than events come."""

    code = "SLOW_CONSUMER"
    status = 503


class AccessChanged(ApiError):
    """What the caller may see is not what it was when the subscription began."""

    code = "ACCESS_CHANGED"
    status = 403


@dataclass(frozen=True, slots=True)
class Credential:
    """What a client has proved to be somebody with; `find` looks whether it still holds.

    `key` is the same for the same credential, whichever connection it came over.
    """

    key: str
    actor: Actor
    find: Callable[[], Awaitable[Actor]]

    async def check(self) -> None:
        """Unauthenticated when it holds no longer, AccessChanged when it gives other rights."""
        actor = await self.find()
        if actor.nobody:
            raise Unauthenticated("the credentials are not valid any more")
        if actor != self.actor:
            raise AccessChanged(
                "the rights of the token have changed; subscribe anew, after the last event"
            )


@dataclass(frozen=True, slots=True)
class Delivery:
    """An event or a job as a client gets it: its id and its result, as JSON."""

    id: str
    # The number of an event; 0 of a job.
    position: int
    body: bytes
    # Whether it takes the place of an earlier one with its id that waits still: of jobs.
    newest_alone: bool = False
    # Whether there is nothing to come of the same.
    last: bool = False


class Subscriber:
    """What waits for one subscription; it is read with `async for`, and bounded.

    When it has ended, `error` says why, unless the client has ended it.
    """

    def __init__(self, credential: Credential, position: int) -> None:
        self.credential = credential
        # The number of the last event that was put here, or is not wanted.
        self.position = position
        self.error: Json | None = None
        self.ended = False
        # Takes it out of its group.
        self.leave: Callable[[], None] = lambda: None
        # By a number of their own, or by the id of what only the newest is wanted of.
        self._waiting: OrderedDict[int | str, Delivery] = OrderedDict()
        self._count = 0
        self._bytes = 0
        self._changed = asyncio.Event()
        self._taken = asyncio.Event()

    def put(self, delivery: Delivery) -> None:
        """Have an event wait for the client; too many end the subscription."""
        if self.ended:
            return
        key: int | str
        if delivery.newest_alone:
            key = delivery.id
            if (former := self._waiting.get(key)) is not None:
                self._waiting[key] = delivery
                self._bytes += len(delivery.body) - len(former.body)
                return
        elif delivery.position <= self.position:
            return
        else:
            key, self._count = self._count, self._count + 1
        if len(self._waiting) >= MOST_WAITING or self._bytes > MOST_BYTES:
            self.end(
                SlowConsumer(
                    "events come faster than they are read; read on after the last event that "
                    "arrived"
                )
            )
            return
        self.position = max(self.position, delivery.position)
        self._waiting[key] = delivery
        self._bytes += len(delivery.body)
        self._changed.set()

    def end(self, error: Exception | None = None) -> None:
        """End it; what waits is delivered before the error."""
        if not self.ended:
            self.ended = True
            self.error = None if error is None else ErrorReport().request(error)
            self._changed.set()
            self._taken.set()

    async def has_room(self) -> bool:
        """Wait until the client has read most of what waits; False when it has ended."""
        while not self.ended and len(self._waiting) > MOST_WAITING // 2:
            self._taken.clear()
            await self._taken.wait()
        return not self.ended

    def __aiter__(self) -> "Subscriber":
        return self

    async def __anext__(self) -> Delivery:
        while not self._waiting:
            if self.ended:
                raise StopAsyncIteration
            self._changed.clear()
            await self._changed.wait()
        _, delivery = self._waiting.popitem(last=False)
        self._bytes -= len(delivery.body)
        self._taken.set()
        return delivery
