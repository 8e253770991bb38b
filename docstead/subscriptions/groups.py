"""Subscribers who get the same: one execution of the engine serves them all.

A group has one actor, one document and the same variables. Groups of events read new ones as that
actor, execute all that have come as one level, and give the results to their subscribers. One that
begins after an event that is known has a group of its own until it has caught up with the others.
Groups of jobs are in docstead/subscriptions/job_feeds.py.
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Sequence
from typing import Protocol

import orjson

from db.models.events import Event
from docstead.graphql.errors import ErrorReport
from docstead.subscriptions.identities import identity_of
from docstead.subscriptions.subscribers import AccessChanged, Delivery, Subscriber
from resolvers.core.actors import Actor
from resolvers.core.context import Context
from resolvers.core.errors import ApiError
from resolvers.events.follow import Followed
from resolvers.jobs.follow import FollowedJobs
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
        """What the group gets of events or jobs."""
        ...

    async def follow(
        self, actor: Actor, operation: Operation, *, again: bool
    ) -> Followed | FollowedJobs:
        """What a subscription follows."""
        ...

    def join(self, group: "EventGroup") -> None:
        """The group has caught up with the others."""
        ...

    def forget(self, group: "Group") -> None:
        """The group has ended."""
        ...


class Group(ABC):
    """Subscribers with the same actor, document and variables."""

    def __init__(
        self, hub: Hub, actor: Actor, operation: Operation, place: Hashable, key: Hashable | None
    ) -> None:
        self.hub = hub
        self.actor, self.operation = actor, operation
        # Of what it follows: what must not change.
        self.place = place
        # What it is known by while others may join it.
        self.key = key
        self.subscribers: set[Subscriber] = set()
        # Takes it out of what wakes it.
        self.leave: Callable[[], None] = lambda: None
        self.task: asyncio.Task[None] | None = None
        self._changed = asyncio.Event()
        self._must_check = False

    def begin(self) -> None:
        """Deliver from now on."""
        self.task = asyncio.get_running_loop().create_task(self.keep_going())

    @abstractmethod
    async def keep_going(self) -> None:
        """Deliver until nobody is left."""

    def add(self, subscriber: Subscriber) -> None:
        """Deliver to one more."""
        self.subscribers.add(subscriber)
        subscriber.leave = self._leaver(subscriber)

    def _leaver(self, subscriber: Subscriber) -> Callable[[], None]:
        def leave() -> None:
            self.subscribers.discard(subscriber)
            self.wake()

        return leave

    def wake(self, *, check: bool = False) -> None:
        """Look for what is new, and with `check` whether everybody may still be here."""
        self._must_check = self._must_check or check
        self._changed.set()

    def give(self, deliveries: Sequence[Delivery]) -> None:
        """Have results wait for all subscribers; those who are too slow are not among them then."""
        for subscriber in tuple(self.subscribers):
            for delivery in deliveries:
                subscriber.put(delivery)
            if subscriber.ended:
                self.subscribers.discard(subscriber)

    async def check(self) -> None:
        """End what the callers may not follow any more."""
        self._must_check = False
        await self.check_credentials()
        if not self.subscribers:
            return
        try:
            followed = await self.hub.follow(self.actor, self.operation, again=True)
        except ApiError as error:
            self.end(error)
            return
        if followed.place != self.place:
            self.end(AccessChanged("what you follow has changed its place; subscribe anew"))

    async def check_credentials(self) -> None:
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

    def end(self, error: Exception | None = None) -> None:
        """End the subscriptions of all."""
        for subscriber in self.subscribers:
            subscriber.end(error)
        self.subscribers.clear()


class EventGroup(Group):
    """Subscribers of the same events."""

    def __init__(
        self,
        hub: Hub,
        feed: Feed,
        actor: Actor,
        operation: Operation,
        followed: Followed,
        position: int,
        key: Hashable | None,
        shared_as: Hashable | None,
    ) -> None:
        super().__init__(hub, actor, operation, followed.place, key)
        self.feed, self.followed = feed, followed
        # Groups of other people with the same show the same of an event.
        self.identity = identity_of(operation)
        # The number of the last event that was looked at.
        self.position = position
        # Whose group it joins when it has caught up; None once it is that group.
        self.shared_as = shared_as

    async def keep_going(self) -> None:
        """Deliver until nobody is left."""
        try:
            while self.subscribers:
                self._changed.clear()
                events = await self.feed.behind(self.position, BATCH)
                if events:
                    await self._deliver([event for event in events if self.followed.holds(event)])
                    self.position = events[-1].position
                elif self.shared_as is not None:
                    self.hub.join(self)
                    return
                if self._must_check:
                    await self.check()
                elif not events:
                    await self._changed.wait()
        except Exception as error:
            self.end(error)
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
        if deliveries:
            await self.check_credentials()
            self.give(deliveries)


async def bodies_of(
    engine: Engine, operation: Operation, ctx: Context, rows: Sequence[object]
) -> list[bytes]:
    """The results of a subscription for rows that the caller may read, as JSON."""
    bodies = []
    for result in await deliver(engine, operation, ctx, rows):
        content: dict[str, object] = {"data": result.data}
        if result.errors:
            content["errors"] = ErrorReport(operation.name).execution(result.errors)
        bodies.append(orjson.dumps(content))
    return bodies


def stop(task: asyncio.Task[None] | None) -> None:
    """Cancel a task that may have ended."""
    if task is not None:
        task.cancel()
