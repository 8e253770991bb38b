"""Reads the new events of a stream once, for all groups of the process."""

import asyncio
import logging
from collections import deque
from collections.abc import Sequence
from typing import Protocol

from db.event_enums import EventType
from db.models.events import Event
from docstead.subscriptions.groups import Group, stop
from resolvers.events.streams import PORTION

log = logging.getLogger("docstead.subscriptions")
# Newest events of a stream that are kept for groups which are behind.
MOST_RECENT = 1_000
# What may change the rights of somebody who follows events of an organization. Of an account that
# is everything.
_RIGHTS = (
    "organization_", "member_", "team_", "permission_", "service_account_", "token_", "collection_",
    "space_updated", "space_moved", "space_transferred", "space_deleted", "space_restored",
    "space_purged", "site_updated", "site_unpublished", "site_deleted", "site_structure_",
)  # fmt: skip
CHANGES_RIGHTS = frozenset(type for type in EventType if type.value.startswith(_RIGHTS))
# What those types say of changes after which everybody may see what they saw before.
HARMLESS = frozenset({"title", "description", "emoji", "iconUrl", "icon", "language", "gitInfo",
                      "gitConfiguration", "logoUrl"})  # fmt: skip


def changes_rights(event: Event) -> bool:
    """Whether the rights of those who follow events may be others after this one."""
    return event.type in CHANGES_RIGHTS and not (
        event.changed and HARMLESS.issuperset(event.changed)
    )


class Reader(Protocol):
    """Reads events for the server itself."""

    async def last_position(self, stream_id: str) -> int:
        """The number of the last event of a stream; 0 where it has none."""
        ...

    async def events_behind(
        self, stream_id: str, position: int, most: int = PORTION
    ) -> Sequence[Event]:
        """The next events of a stream."""
        ...


class EventFeed:
    """The events of one stream, read once for all groups of the process."""

    def __init__(self, reader: Reader, stream_id: str) -> None:
        self.stream_id = stream_id
        self._reader = reader
        # Subscriptions that begin, and have no group yet.
        self.beginning = 0
        self.groups: set[Group] = set()
        # Groups whose caller's account this is.
        self.of_account: set[Group] = set()
        # The number of the last event that was read; None before the first look.
        self.last: int | None = None
        self._recent: deque[Event] = deque(maxlen=MOST_RECENT)
        self._reading = asyncio.Lock()
        # How often it was asked to read, and the last of those that were answered.
        self._wanted = self._answered = 0
        self._changed = asyncio.Event()
        self._task = asyncio.get_running_loop().create_task(self._keep_reading())

    @property
    def is_used(self) -> bool:
        """Whether somebody needs it."""
        return bool(self.beginning or self.groups or self.of_account)

    def close(self) -> None:
        """Read no more."""
        stop(self._task)

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
        """Read what is new; the number of the last event.

        Those who ask while one reads share the next one: many may begin at the same moment.
        """
        self._wanted += 1
        mine = self._wanted
        async with self._reading:
            if self.last is not None and self._answered >= mine:
                return self.last
            begun = self._wanted
            last = await self._read()
            self._answered = begun
            return last

    async def _read(self) -> int:
        if self.last is None:
            self.last = await self._reader.last_position(self.stream_id)
            # What has happened to the account since its rights were looked at, is not read.
            for group in self.of_account:
                group.wake(check=True)
            return self.last
        while True:
            events = await self._reader.events_behind(self.stream_id, self.last)
            if events:
                self._recent.extend(events)
                self.last = events[-1].position
                check = any(map(changes_rights, events))
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
        return await self._reader.events_behind(self.stream_id, position, most)
