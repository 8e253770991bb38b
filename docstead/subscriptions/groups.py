"""Subscribers who get the same: one execution of the engine serves them all.

A group has one actor, one document and the same variables. It reads new events as that actor,
executes all that have come as one level, and gives the results to its subscribers. One that begins
after an event that is known has a group of its own until it has caught up with the others.
"""

import asyncio
from collections.abc import Hashable, Sequence
from typing import Protocol

import orjson

from db.models.events import Event
from docstead.graphql.errors import ErrorReport
from docstead.subscriptions.subscribers import AccessChanged, Delivery, Subscriber
from resolvers.core.actors import Actor
from resolvers.core.context import Context
from resolvers.core.errors import ApiError
from resolvers.events.follow import Followed
from resolvers.events.streams import visible_events
from schema.engine.engine import Engine
from schema.execution import deliver
from schema.operations import Operation

# Events that are executed at once.
BATCH = 50


class Feed(Protocol):
    """What a group needs of the events of its stream."""

    async def behind(self, position: int, most: int) -> Sequence[Event]:
        """The next events after a number, at most so many; none where there are no new ones."""
        ...


class Hub(Protocol):
    """What a group needs of the process."""

    async def answers(self, group: "Group", ids: Sequence[str]) -> list[Delivery]:
        """What the group gets of events."""
        ...

    async def follow(self, actor: Actor, operation: Operation, *, again: bool) -> Followed:
        """What a subscription follows."""
        ...

    def join(self, group: "Group") -> None:
        """The group has caught up with the others."""
        ...

    def forget(self, group: "Group") -> None:
        """The group has ended."""
        ...


class Group:
    """Subscribers with the same actor, document and variables."""

    def __init__(
        self,
        hub: Hub,
        feed: Feed,
        actor: Actor,
        operation: Operation,
        followed: Followed,
        position: int,
        shared_as: Hashable | None,
    ) -> None:
        self.hub, self.feed = hub, feed
        self.actor, self.operation, self.followed = actor, operation, followed
        # The number of the last event that was looked at.
        self.position = position
        # Whose group it joins when it has caught up; None once it is that group.
        self.shared_as = shared_as
        # What it is known by once others may join it.
        self.key: Hashable | None = None
        self.subscribers: set[Subscriber] = set()
        self._changed = asyncio.Event()
        self._must_check = False
        self.task: asyncio.Task[None] | None = None

    def wake(self, *, check: bool = False) -> None:
        """Look for new events, and with `check` whether everybody may still be here."""
        self._must_check = self._must_check or check
        self._changed.set()

    async def keep_going(self) -> None:
        """Deliver until nobody is left."""
        try:
            while self.subscribers:
                events = await self.feed.behind(self.position, BATCH)
                if events:
                    await self._deliver([event for event in events if self.followed.holds(event)])
                    self.position = events[-1].position
                elif self.shared_as is not None:
                    self.hub.join(self)
                    return
                if self._must_check:
                    self._must_check = False
                    await self._check()
                elif not events:
                    await self._changed.wait()
                self._changed.clear()
        except Exception as error:
            self._end(error)
        finally:
            self.hub.forget(self)

    async def _deliver(self, events: Sequence[Event]) -> None:
        if not events:
            return
        if self.shared_as is not None:
            # What is read from the database for somebody alone waits for them.
            for subscriber in tuple(self.subscribers):
                await subscriber.has_room()
        deliveries = await self.hub.answers(self, [event.id for event in events])
        if not deliveries:
            return
        await self._check_credentials()
        for subscriber in tuple(self.subscribers):
            for delivery in deliveries:
                subscriber.put(delivery)

    async def _check(self) -> None:
        """End what the callers may not follow any more."""
        await self._check_credentials()
        if not self.subscribers:
            return
        try:
            followed = await self.hub.follow(self.actor, self.operation, again=True)
        except ApiError as error:
            self._end(error)
            return
        if (followed.stream_id, followed.types) != (self.followed.stream_id, self.followed.types):
            self._end(AccessChanged("what you follow has changed its place; subscribe anew"))

    async def _check_credentials(self) -> None:
        """End the subscriptions whose credentials hold no longer; each is looked at once."""
        by_key: dict[str, list[Subscriber]] = {}
        for subscriber in self.subscribers:
            by_key.setdefault(subscriber.credential.key, []).append(subscriber)
        checks = [subscribers[0].credential.check() for subscribers in by_key.values()]
        outcomes = await asyncio.gather(*checks, return_exceptions=True)
        for subscribers, outcome in zip(by_key.values(), outcomes, strict=True):
            if isinstance(outcome, Exception):
                for subscriber in subscribers:
                    subscriber.end(outcome)
                    self.subscribers.discard(subscriber)

    def _end(self, error: Exception) -> None:
        for subscriber in self.subscribers:
            subscriber.end(error)
        self.subscribers.clear()


async def answers_for(
    engine: Engine, operation: Operation, ctx: Context, ids: Sequence[str]
) -> list[Delivery]:
    """What the caller of a context gets of events: those that may be read, with their results."""
    rows = await visible_events(ctx, ids)
    results = await deliver(engine, operation, ctx, rows)
    deliveries = []
    for row, result in zip(rows, results, strict=True):
        content: dict[str, object] = {"data": result.data}
        if result.errors:
            content["errors"] = ErrorReport(operation.name).execution(result.errors)
        deliveries.append(Delivery(row.id, row.position, orjson.dumps(content)))
    return deliveries


def stop(task: asyncio.Task[None] | None) -> None:
    """Cancel a task that may have ended."""
    if task is not None:
        task.cancel()
