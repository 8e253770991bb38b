"""What groups of different people get of the same events: asked for together.

An event wakes the groups of all who follow its organization in the same turn of the event loop.
Which of the people may read it is one statement for many of them, and its row is read once. What a
subscription shows is executed once for all, where it is made of the event alone; else for each
group by itself, for then it depends on what its caller may see. Who is no plain person, such as an
integration, is asked about alone.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Hashable, Sequence
from typing import Any, Protocol, TypeVar

from db.inserts import parts
from db.models.events import Event
from docstead.subscriptions.groups import EventGroup, bodies_of
from docstead.subscriptions.subscribers import Delivery
from resolvers.core.actors import OPERATOR, Actor
from resolvers.core.context import Context
from resolvers.core.statements import is_plain_person
from resolvers.events.streams import MOST_PEOPLE, event_rows, seen_by, visible_events
from schema.engine.engine import Engine
from schema.execution import shows_rows_alone

T = TypeVar("T")
Deliveries = list[Delivery]
# Ids of events, by whoever may read them.
Seen = dict[str, set[str]]
Waiting = Sequence[tuple[EventGroup, asyncio.Future[Deliveries]]]


class Read(Protocol):
    """Runs work with a context of an actor, where the database is read."""

    def __call__(
        self, actor: Actor, work: Callable[[Context], Coroutine[Any, Any, T]]
    ) -> Awaitable[T]: ...


class SharedAnswers:
    """Answers groups that ask for the same events at the same time."""

    def __init__(self, engine: Engine, read: Read) -> None:
        self._engine, self._read = engine, read
        self._waiting: dict[
            tuple[str, ...], list[tuple[EventGroup, asyncio.Future[Deliveries]]]
        ] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def of(self, group: EventGroup, ids: Sequence[str]) -> Deliveries:
        """What a group gets of events: those that its actor may read now, with their results."""
        if not is_plain_person(group.actor):
            return await self._alone(group, ids)
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Deliveries] = loop.create_future()
        key = tuple(ids)
        waiting = self._waiting.setdefault(key, [])
        if not waiting:
            loop.call_soon(self._start, key)
        waiting.append((group, future))
        return await future

    def _start(self, key: tuple[str, ...]) -> None:
        task = asyncio.get_running_loop().create_task(self._answer(key, self._waiting.pop(key)))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _answer(self, ids: tuple[str, ...], waiting: Waiting) -> None:
        # Groups may have ended meanwhile.
        waiting = [(group, future) for group, future in waiting if not future.done()]
        some = parts(waiting, MOST_PEOPLE)
        await asyncio.gather(*(self._answer_or_fail(ids, part) for part in some))

    async def _answer_or_fail(self, ids: tuple[str, ...], waiting: Waiting) -> None:
        try:
            await self._answer_some(ids, waiting)
        except Exception as error:
            for _, future in waiting:
                if not future.done():
                    future.set_exception(error)

    async def _answer_some(self, ids: tuple[str, ...], waiting: Waiting) -> None:
        if len(waiting) == 1:
            ((group, future),) = waiting
            _give(future, await self._alone(group, ids))
            return
        groups = [group for group, _ in waiting]
        people = sorted({str(group.actor.user_id) for group in groups})
        shared = {
            group.identity: group
            for group in groups
            if shows_rows_alone(self._engine, group.operation)
        }

        async def look(ctx: Context) -> tuple[Seen, Sequence[Event], dict[Hashable, Deliveries]]:
            seen = await seen_by(ctx, people, ids)
            rows = await event_rows(ctx, sorted(set().union(*seen.values())))
            results: dict[Hashable, Deliveries] = {
                identity: await self._made(group, ctx, rows) for identity, group in shared.items()
            }
            return seen, rows, results

        seen, rows, results = await self._read(OPERATOR, look)
        others = []
        for group, future in waiting:
            mine = seen.get(str(group.actor.user_id), set())
            if mine and group.identity not in results:
                others.append(self._own(group, future, [row for row in rows if row.id in mine]))
            else:
                _give(future, [each for each in results.get(group.identity, ()) if each.id in mine])
        await asyncio.gather(*others)

    async def _own(
        self, group: EventGroup, future: asyncio.Future[Deliveries], rows: Sequence[Event]
    ) -> None:
        """What a group gets of events that its actor may read, as that actor sees it."""
        try:
            _give(future, await self._read(group.actor, lambda ctx: self._made(group, ctx, rows)))
        except Exception as error:
            if not future.done():
                future.set_exception(error)

    async def _made(self, group: EventGroup, ctx: Context, rows: Sequence[Event]) -> Deliveries:
        bodies = await bodies_of(self._engine, group.operation, ctx, rows)
        return [
            Delivery(row.id, row.position, body) for row, body in zip(rows, bodies, strict=True)
        ]

    async def _alone(self, group: EventGroup, ids: Sequence[str]) -> Deliveries:
        async def look(ctx: Context) -> Deliveries:
            return await self._made(group, ctx, await visible_events(ctx, ids))

        return await self._read(group.actor, look)

    def close(self) -> None:
        """Answer nobody any more."""
        for task in self._tasks:
            task.cancel()


def _give(future: asyncio.Future[Deliveries], deliveries: Deliveries) -> None:
    if not future.done():
        future.set_result(deliveries)
