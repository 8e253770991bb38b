"""Brings events to those who follow them: one hub in each process.

For each stream that is followed a *feed* reads new events once, whoever is waiting, and keeps the
newest ones. *Groups* (docstead/subscriptions/groups.py) take from it what they follow. Nobody is
asked about events in between: a process hears that there are some (docstead/subscriptions/
wakeups.py), and looks itself after a few seconds.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Collection, Hashable, Sequence
from functools import lru_cache
from typing import Any

import orjson
from graphql import OperationDefinitionNode, VariableNode, visit
from graphql.language import Visitor

from db.event_enums import EventType
from db.models.events import Event
from docstead.server import Server
from docstead.subscriptions.groups import Group, answers_for, stop
from docstead.subscriptions.subscribers import Credential, Delivery, Subscriber
from docstead.subscriptions.wakeups import Wakeups
from resolvers.core.actors import OPERATOR, Actor
from resolvers.core.errors import Unavailable
from resolvers.events.fields import position_of
from resolvers.events.follow import Followed
from resolvers.events.streams import PORTION, events_behind, last_positions
from schema.engine.engine import Engine
from schema.execution import follow
from schema.operations import Operation

log = logging.getLogger("docstead.subscriptions")
# Newest events of a stream that are kept for groups which are behind.
MOST_RECENT = 1_000
# Seconds between two looks for events that nobody has told of.
LOOK_SECONDS = {"sqlite": 1.0, "postgresql": 5.0}
# Seconds after which rights are looked at anew where nothing has happened.
CHECK_SECONDS = 15.0
# Executions at the same time; the others wait for a connection to the database anyway.
AT_ONCE = 8
# Subscriptions of one process.
MOST_SUBSCRIBERS = 20_000
# What may change the rights of somebody who follows events of an organization. Of an account that
# is everything.
_RIGHTS = (
    "organization_", "member_", "team_", "permission_", "service_account_", "token_", "collection_",
    "space_updated", "space_moved", "space_transferred", "space_deleted", "space_restored",
    "space_purged", "site_updated", "site_unpublished", "site_deleted", "site_structure_",
)  # fmt: skip
CHANGES_RIGHTS = frozenset(type for type in EventType if type.value.startswith(_RIGHTS))


class Feed:
    """The events of one stream, read once for all groups of the process."""

    def __init__(self, hub: "Hub", stream_id: str) -> None:
        self.hub, self.stream_id = hub, stream_id
        self.groups: set[Group] = set()
        # Groups whose caller's account this is.
        self.of_account: set[Group] = set()
        # The number of the last event that was read; None before the first look.
        self.last: int | None = None
        self._recent: deque[Event] = deque(maxlen=MOST_RECENT)
        self._reading = asyncio.Lock()
        self._changed = asyncio.Event()
        self.task = asyncio.get_running_loop().create_task(self._keep_reading())

    def wake(self) -> None:
        """There may be new events."""
        self._changed.set()

    async def _keep_reading(self) -> None:
        while True:
            await self._changed.wait()
            self._changed.clear()
            try:
                await self.refresh()
            except Exception:
                log.exception("events could not be read; the next look is soon")

    async def refresh(self) -> int:
        """Read what is new; the number of the last event."""
        async with self._reading:
            if self.last is None:
                lasts = await self.hub.last_positions([self.stream_id])
                self.last = lasts.get(self.stream_id, 0)
                return self.last
            while True:
                events = await self.hub.events_behind(self.stream_id, self.last)
                if events:
                    self._recent.extend(events)
                    self.last = events[-1].position
                    check = any(event.type in CHANGES_RIGHTS for event in events)
                    for group in self.groups:
                        group.wake(check=check)
                    for group in self.of_account:
                        group.wake(check=True)
                if len(events) < PORTION:
                    return self.last

    async def behind(self, position: int, most: int) -> Sequence[Event]:
        """The next events after a number, at most so many; none where there are no new ones."""
        if self.last is not None and position >= self.last:
            return ()
        if self._recent and self._recent[0].position <= position + 1:
            # They are numbered without gaps.
            start = position + 1 - self._recent[0].position
            return [self._recent[i] for i in range(start, min(start + most, len(self._recent)))]
        return await self.hub.events_behind(self.stream_id, position, most)


class Hub:
    """All subscriptions of a process."""

    def __init__(self, server: Server, engine: Engine) -> None:
        self._server, self._engine = server, engine
        self._feeds: dict[str, Feed] = {}
        # The groups that have caught up, by what their subscribers have in common.
        self._shared: dict[Hashable, Group] = {}
        self._groups: set[Group] = set()
        self._at_once = asyncio.Semaphore(AT_ONCE)
        self._wakeups = Wakeups(server.database.url, self._heard)
        self._tasks: list[asyncio.Task[None]] = []
        self.number = 0
        server.on_events = self.announce

    # ------------------------------------------------------------------ that there are events

    def announce(self, streams: Collection[str]) -> None:
        """This process has committed events of these streams."""
        self._wake(streams)
        if self._tasks:
            self._wakeups.say(streams)

    def _heard(self, streams: Collection[str]) -> None:
        self._wake(streams or tuple(self._feeds))

    def _wake(self, streams: Collection[str]) -> None:
        for stream_id in streams:
            if (feed := self._feeds.get(stream_id)) is not None:
                feed.wake()

    async def _keep_looking(self) -> None:
        """Notice what nobody has told of: of other processes on SQLite, and after a failure."""
        seconds = LOOK_SECONDS[self._server.database.points.dialect]
        while True:
            await asyncio.sleep(seconds)
            if not self._feeds:
                continue
            try:
                lasts = await self.last_positions([*self._feeds])
            except Exception:
                log.exception("whether there are new events could not be found out")
                continue
            for stream_id, last in lasts.items():
                feed = self._feeds.get(stream_id)
                if feed is not None and feed.last is not None and feed.last < last:
                    feed.wake()

    async def _keep_checking(self) -> None:
        while True:
            await asyncio.sleep(CHECK_SECONDS)
            for group in tuple(self._groups):
                group.wake(check=True)

    # ------------------------------------------------------------------ reading

    async def events_behind(
        self, stream_id: str, position: int, most: int = PORTION
    ) -> Sequence[Event]:
        """The next events of a stream, for the server itself."""

        async def work() -> Sequence[Event]:
            async with self._server.context_of(OPERATOR) as ctx:
                return await events_behind(ctx, stream_id, position, most)

        async with self._at_once:
            return await self._server.read_in_place(work)

    async def last_positions(self, streams: Collection[str]) -> dict[str, int]:
        """The numbers of the last events of streams, for the server itself."""

        async def work() -> dict[str, int]:
            async with self._server.context_of(OPERATOR) as ctx:
                return await last_positions(ctx, streams)

        return await self._server.read_in_place(work)

    async def answers(self, group: Group, ids: Sequence[str]) -> list[Delivery]:
        """What a group gets of events: those that its actor may read, executed as one level."""

        async def work() -> list[Delivery]:
            async with self._server.context_of(group.actor) as ctx:
                return await answers_for(self._engine, group.operation, ctx, ids)

        async with self._at_once:
            return await self._server.read_in_place(work)

    async def follow(
        self, actor: Actor, operation: Operation, *, again: bool, after: str | None = None
    ) -> Followed:
        """What a subscription follows; `again` for one that is under way."""

        async def work() -> tuple[Followed, int | None]:
            async with self._server.context_of(actor) as ctx:
                followed: Followed = await follow(self._engine, operation, ctx, again=again)
                position = followed.position
                if after is not None and position is None:
                    position = await position_of(ctx, [followed.stream_id], after, "Last-Event-ID")
                return followed, position

        followed, position = await self._server.read_in_place(work)
        return Followed(followed.stream_id, followed.types, followed.where, position)

    # ------------------------------------------------------------------ subscriptions

    async def subscribe(
        self, credential: Credential, operation: Operation, after: str | None = None
    ) -> Subscriber:
        """Begin a subscription; the operation's error where the caller may not.

        `after` is the id of an event behind which it begins, unless the operation says it.
        """
        if self.number >= MOST_SUBSCRIBERS:
            raise Unavailable("too many subscriptions are open; try again later")
        self.begin()
        actor = credential.actor
        followed = await self.follow(actor, operation, again=False, after=after)
        feed = self._feed(followed.stream_id)
        last = await feed.refresh()
        position = last if followed.position is None else min(followed.position, last)
        subscriber = Subscriber(credential, position)
        key: Hashable = (actor, followed.stream_id, *_identity(operation))
        group = self._shared.get(key)
        if position < last:
            # It joins the others when it knows what they know.
            group = self._group(feed, actor, operation, followed, position, key)
        elif group is None:
            group = self._group(feed, actor, operation, followed, position, None)
            self._shared[key] = group
            group.key = key
        group.subscribers.add(subscriber)
        self.number += 1
        if group.task is None:
            group.task = asyncio.get_running_loop().create_task(group.keep_going())
        group.wake()
        return subscriber

    def unsubscribe(self, subscriber: Subscriber) -> None:
        """End a subscription."""
        subscriber.end()
        self.number -= 1
        for group in tuple(self._groups):
            if subscriber in group.subscribers:
                group.subscribers.discard(subscriber)
                group.wake()

    def _group(
        self,
        feed: Feed,
        actor: Actor,
        operation: Operation,
        followed: Followed,
        position: int,
        shared_as: Hashable | None,
    ) -> Group:
        group = Group(self, feed, actor, operation, followed, position, shared_as)
        self._groups.add(group)
        feed.groups.add(group)
        if actor.user_id is not None and actor.user_id != feed.stream_id:
            self._feed(actor.user_id).of_account.add(group)
            self._feed(actor.user_id).wake()
        return group

    def join(self, group: Group) -> None:
        """Its subscribers have caught up: they go on with the others, or the group is theirs."""
        key, group.shared_as = group.shared_as, None
        shared = self._shared.get(key)
        if shared is None or not shared.subscribers:
            self._shared[key] = group
            group.key = key
            task = asyncio.get_running_loop().create_task(group.keep_going())
            group.task = task
            return
        shared.subscribers |= group.subscribers
        group.subscribers.clear()
        shared.wake()

    def forget(self, group: Group) -> None:
        """A group has ended, unless it goes on as the one that others join."""
        if group.subscribers:
            return
        self._groups.discard(group)
        if self._shared.get(group.key) is group:
            del self._shared[group.key]
        for feed in tuple(self._feeds.values()):
            feed.groups.discard(group)
            feed.of_account.discard(group)
            if not feed.groups and not feed.of_account:
                stop(feed.task)
                del self._feeds[feed.stream_id]

    def _feed(self, stream_id: str) -> Feed:
        feed = self._feeds.get(stream_id)
        if feed is None:
            feed = self._feeds[stream_id] = Feed(self, stream_id)
        return feed

    def begin(self) -> None:
        """Say to other processes and hear of them, until it is closed."""
        if not self._tasks:
            self._wakeups.listen()
            loop = asyncio.get_running_loop()
            self._tasks = [
                loop.create_task(self._keep_looking()), loop.create_task(self._keep_checking()),
            ]  # fmt: skip

    async def close(self) -> None:
        """End all subscriptions."""
        for group in tuple(self._groups):
            for subscriber in tuple(group.subscribers):
                subscriber.end(Unavailable("the server is shutting down; subscribe anew"))
            stop(group.task)
        for feed in self._feeds.values():
            stop(feed.task)
        tasks, self._tasks = self._tasks, []
        for task in tasks:
            stop(task)
        await self._wakeups.close()


def _identity(operation: Operation) -> tuple[Any, ...]:
    """What two operations have in common that give the same: all but where they begin."""
    values = dict(operation.variables.coerced)
    for name in _beginnings(operation.prepared.node):
        values.pop(name, None)
    text = operation.document.parsed.text
    return text, operation.name, orjson.dumps(values, option=orjson.OPT_SORT_KEYS, default=str)


class _Variables(Visitor):
    def __init__(self) -> None:
        super().__init__()
        self.uses: list[str] = []

    def enter_variable(self, node: VariableNode, *_: Any) -> None:
        self.uses.append(node.name.value)

    def enter_variable_definition(self, node: Any, *_: Any) -> Any:
        return False


@lru_cache(maxsize=1024)
def _beginnings(node: OperationDefinitionNode) -> tuple[str, ...]:
    """The variables that say behind which event a subscription begins, and nothing else."""
    variables = _Variables()
    visit(node, variables)
    return tuple(
        argument.value.name.value
        for field in node.selection_set.selections
        for argument in getattr(field, "arguments", None) or ()
        if argument.name.value == "after"
        and isinstance(argument.value, VariableNode)
        and variables.uses.count(argument.value.name.value) == 1
    )
