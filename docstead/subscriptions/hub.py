"""Brings events and jobs to those who follow them: one hub in each process.

For each stream of events that is followed a *feed* reads new ones once, whoever is waiting, and
keeps the newest ones (docstead/subscriptions/event_feeds.py); jobs have feeds of their own
(docstead/subscriptions/job_feeds.py). *Groups* (docstead/subscriptions/groups.py) take from them
what they follow. Nobody is asked in between: a process hears that there is something new
(docstead/subscriptions/wakeups.py), and looks itself after a few seconds.
"""

import asyncio
import logging
from collections.abc import Callable, Collection, Coroutine, Hashable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from db.base import utc_now
from db.models.events import Event
from docstead.server import Server
from docstead.subscriptions.event_feeds import EventFeed
from docstead.subscriptions.groups import EventGroup, Group, stop
from docstead.subscriptions.identities import identity_of
from docstead.subscriptions.job_feeds import RECENT, JobFeed, JobGroup, job_answers_for
from docstead.subscriptions.sharing import SharedAnswers
from docstead.subscriptions.subscribers import Credential, Delivery, Subscriber
from docstead.subscriptions.wakeups import SEPARATOR, Wakeups, name_of_job
from resolvers.core.actors import OPERATOR, Actor
from resolvers.core.context import Context
from resolvers.core.errors import Unavailable
from resolvers.events.fields import position_of
from resolvers.events.follow import Followed
from resolvers.events.streams import PORTION, events_behind, last_positions
from resolvers.jobs.follow import FollowedJobs, Progress, progress_in, progress_of
from schema.engine.engine import Engine
from schema.execution import follow
from schema.operations import Operation

T = TypeVar("T")
log = logging.getLogger("docstead.subscriptions")
# Seconds between two looks for what nobody has announced.
LOOK_SECONDS = {"sqlite": 1.0, "postgresql": 5.0}
# Seconds after which rights are looked at anew where nothing has happened.
CHECK_SECONDS = 15.0
# Executions at the same time; the others wait for a connection to the database anyway.
AT_ONCE = 8
# Subscriptions of one process.
MOST_SUBSCRIBERS = 20_000


class Hub:
    """All subscriptions of a process."""

    def __init__(self, server: Server, engine: Engine) -> None:
        self._server, self._engine = server, engine
        # By the id of a stream, and of an organization.
        self._feeds: dict[str, EventFeed] = {}
        self._job_feeds: dict[str, JobFeed] = {}
        # The groups that others may join, by what their subscribers have in common.
        self._shared: dict[Hashable, Group] = {}
        self._groups: set[Group] = set()
        self._at_once = asyncio.Semaphore(AT_ONCE)
        self._answers = SharedAnswers(engine, self._read_in_turn)
        self._wakeups = Wakeups(server.database.url, self._heard)
        self._tasks: list[asyncio.Task[None]] = []
        self.number = 0
        server.on_events = self.announce
        server.on_job = self.announce_job

    # ------------------------------------------------------------------ that there is something new

    def announce(self, streams: Collection[str]) -> None:
        """This process has committed events of these streams."""
        self._wake(streams)
        if self._tasks:
            self._wakeups.say(streams)

    def announce_job(self, organization_id: str, job_id: str) -> None:
        """This process has committed a change of a job."""
        self.announce([name_of_job(organization_id, job_id)])

    def _heard(self, names: Collection[str]) -> None:
        self._wake(names or tuple(self._feeds))

    def _wake(self, names: Collection[str]) -> None:
        for name in names:
            owner_id, _, job_id = name.partition(SEPARATOR)
            if job_id:
                if (job_feed := self._job_feeds.get(owner_id)) is not None:
                    job_feed.name([job_id])
            elif (feed := self._feeds.get(name)) is not None:
                feed.wake()

    async def _keep_looking(self) -> None:
        """Notice what nobody has told of: of other processes on SQLite, and after a failure."""
        seconds = LOOK_SECONDS[self._server.database.points.dialect]
        while True:
            await asyncio.sleep(seconds)
            try:
                await self._look()
            except Exception:
                log.exception("whether there is something new could not be found out")

    async def _look(self) -> None:
        if self._feeds:
            lasts = await self._last_positions([*self._feeds])
            for stream_id, last in lasts.items():
                feed = self._feeds.get(stream_id)
                if feed is not None and (feed.last is None or feed.last < last):
                    feed.wake()
        if self._job_feeds:
            feeds = dict(self._job_feeds)
            jobs: dict[str, list[Progress]] = {organization_id: [] for organization_id in feeds}
            for job in await self._progress_in(feeds):
                jobs[job.organization_id].append(job)
            for organization_id, job_feed in feeds.items():
                job_feed.compare(jobs[organization_id])

    async def _keep_checking(self) -> None:
        while True:
            await asyncio.sleep(CHECK_SECONDS)
            for group in tuple(self._groups):
                group.wake(check=True)

    # ------------------------------------------------------------------ reading

    async def _read(self, actor: Actor, work: Callable[[Context], Coroutine[Any, Any, T]]) -> T:
        async def in_context() -> T:
            async with self._server.context_of(actor) as ctx:
                return await work(ctx)

        return await self._server.read_in_place(in_context)

    async def events_behind(
        self, stream_id: str, position: int, most: int = PORTION
    ) -> Sequence[Event]:
        """The next events of a stream, for the server itself."""
        async with self._at_once:
            return await self._read(
                OPERATOR, lambda ctx: events_behind(ctx, stream_id, position, most)
            )

    async def last_position(self, stream_id: str) -> int:
        """The number of the last event of a stream; 0 where it has none."""
        return (await self._last_positions([stream_id])).get(stream_id, 0)

    async def _last_positions(self, streams: Collection[str]) -> dict[str, int]:
        return await self._read(OPERATOR, lambda ctx: last_positions(ctx, streams))

    async def _progress_of(self, ids: Collection[str]) -> list[Progress]:
        async with self._at_once:
            return await self._read(OPERATOR, lambda ctx: progress_of(ctx, ids))

    async def _progress_in(self, organizations: Collection[str]) -> list[Progress]:
        since = utc_now() - RECENT
        return await self._read(OPERATOR, lambda ctx: progress_in(ctx, organizations, since))

    async def answers(self, group: Group, ids: Sequence[str]) -> list[Delivery]:
        """What a group gets of events or jobs: those that its actor may read now."""
        if isinstance(group, EventGroup):
            return await self._answers.of(group, ids)
        return await self._read_in_turn(
            group.actor, lambda ctx: job_answers_for(self._engine, group.operation, ctx, ids)
        )

    async def _read_in_turn(
        self, actor: Actor, work: Callable[[Context], Coroutine[Any, Any, T]]
    ) -> T:
        async with self._at_once:
            return await self._read(actor, work)

    async def follow(
        self, actor: Actor, operation: Operation, *, again: bool
    ) -> Followed | FollowedJobs:
        """What a subscription follows; `again` for one that is under way."""
        return await self._read(
            actor, lambda ctx: follow(self._engine, operation, ctx, again=again)
        )

    # ------------------------------------------------------------------ subscriptions

    async def subscribe(
        self, credential: Credential, operation: Operation, after: str | None = None
    ) -> Subscriber:
        """Begin a subscription; the operation's error where the caller may not.

        `after` is the id of an event behind which it begins, unless the operation says it. Jobs
        begin with how they are.
        """
        if self.number >= MOST_SUBSCRIBERS:
            raise Unavailable("too many subscriptions are open; try again later")
        self.begin()
        followed = await self.follow(credential.actor, operation, again=False)
        key = (credential.actor, followed.place, *identity_of(operation))
        if isinstance(followed, FollowedJobs):
            subscriber = await self._to_jobs(credential, operation, followed, key)
        else:
            subscriber = await self._to_events(credential, operation, followed, after, key)
        self.number += 1
        return subscriber

    async def _to_events(
        self,
        credential: Credential,
        operation: Operation,
        followed: Followed,
        after: str | None,
        key: Hashable,
    ) -> Subscriber:
        actor, stream_id, position = credential.actor, followed.stream_id, followed.position
        if after is not None and position is None:
            position = await self._read(
                actor, lambda ctx: position_of(ctx, [stream_id], after, "Last-Event-ID")
            )
        with self._feed_of(stream_id) as feed:
            last = await feed.refresh()
            position = last if position is None else min(position, last)
            subscriber = Subscriber(credential, position)
            group = self._shared.get(key)
            if position < last or group is None:
                # Who is behind joins the others when it knows what they know.
                own, shared_as = (None, key) if position < last else (key, None)
                group = EventGroup(self, feed, actor, operation, followed, position, own, shared_as)
                self._enter(group, feed)
            group.add(subscriber)
            group.wake()
        return subscriber

    async def _to_jobs(
        self, credential: Credential, operation: Operation, followed: FollowedJobs, key: Hashable
    ) -> Subscriber:
        organization_id = followed.organization_id
        with self._feed_of(organization_id) as feed:
            if organization_id not in self._job_feeds:
                # Rights that change are events of the organization.
                await feed.refresh()
                jobs = await self._progress_in([organization_id])
                if organization_id not in self._job_feeds:
                    self._job_feeds[organization_id] = JobFeed(self._progress_of, jobs)
            group = self._shared.get(key)
            if not isinstance(group, JobGroup):
                group = JobGroup(self, credential.actor, operation, followed, key)
                self._enter(group, feed, self._job_feeds[organization_id])
                if followed.job_id is not None:
                    group.note([followed.job_id])
            subscriber = Subscriber(credential, 0)
            # While it is being read how the job is, all get that who are there by then.
            group.add(subscriber)
            if group.newest is not None:
                subscriber.put(group.newest)
        return subscriber

    def unsubscribe(self, subscriber: Subscriber) -> None:
        """End a subscription."""
        subscriber.end()
        subscriber.leave()
        self.number -= 1

    def _enter(self, group: Group, feed: EventFeed, job_feed: JobFeed | None = None) -> None:
        """Have a group woken by its feeds until it ends."""
        self._groups.add(group)
        if group.key is not None:
            self._shared[group.key] = group
        feed.groups.add(group)
        if isinstance(group, JobGroup) and job_feed is not None:
            job_feed.groups.add(group)
        entered = [feed]
        account_id = group.actor.user_id
        if account_id is not None and account_id != feed.stream_id:
            with self._feed_of(account_id) as account:
                account.of_account.add(group)
                account.wake()
            entered.append(account)

        def leave() -> None:
            for entry in entered:
                entry.groups.discard(group)
                entry.of_account.discard(group)
                self._drop_unused(entry)
            if isinstance(group, JobGroup) and job_feed is not None:
                job_feed.groups.discard(group)
                if not job_feed.groups:
                    self._job_feeds.pop(group.followed.organization_id, None)
                    job_feed.close()

        group.leave = leave
        group.begin()

    def join(self, group: EventGroup) -> None:
        """Its subscribers have caught up: they go on with the others, or the group is theirs."""
        key, group.shared_as = group.shared_as, None
        shared = self._shared.get(key)
        if shared is None or not shared.subscribers:
            group.key = key
            self._shared[key] = group
            group.begin()
            return
        for subscriber in group.subscribers:
            shared.add(subscriber)
        group.subscribers.clear()
        shared.wake()

    def forget(self, group: Group) -> None:
        """A group has ended, unless it goes on as the one that others join."""
        if group.subscribers:
            return
        self._groups.discard(group)
        if self._shared.get(group.key) is group:
            del self._shared[group.key]
        group.leave()

    @contextmanager
    def _feed_of(self, stream_id: str) -> Iterator[EventFeed]:
        """The feed of a stream, which stays until the end of the block at least."""
        feed = self._feeds.get(stream_id)
        if feed is None:
            feed = self._feeds[stream_id] = EventFeed(self, stream_id)
        feed.beginning += 1
        try:
            yield feed
        finally:
            feed.beginning -= 1
            self._drop_unused(feed)

    def _drop_unused(self, feed: EventFeed) -> None:
        if not feed.is_used and self._feeds.get(feed.stream_id) is feed:
            del self._feeds[feed.stream_id]
            feed.close()

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
            group.end(Unavailable("the server is shutting down; subscribe anew"))
            stop(group.task)
        for feed in self._feeds.values():
            feed.close()
        for job_feed in self._job_feeds.values():
            job_feed.close()
        tasks, self._tasks = self._tasks, []
        for task in tasks:
            stop(task)
        self._answers.close()
        await self._wakeups.close()
