"""Rate limits: token buckets in the memory of one process.

Each process counts for itself, so several let through as many times as much; what a bucket holds
is forgotten at a restart. Nothing of it reaches the database, addresses of callers least of all.
"""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import ceil

from resolvers.core.errors import RateLimited

# Callers that one limit knows; of more, those that were quiet longest are forgotten.
CALLERS = 20_000


class RateLimit:
    """At most `per_minute` units for each key; 0 lets nothing through.

    A bucket holds `at_once` units, or as many as come in a minute.
    """

    def __init__(
        self,
        per_minute: int,
        clock: Callable[[], float] = time.monotonic,
        *,
        at_once: int | None = None,
    ) -> None:
        self.per_minute = per_minute
        self._most = per_minute if at_once is None else at_once
        self._clock = clock
        # Key -> (units that are left, when that was so).
        self._buckets: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()
        # Reads may run in a thread beside writes.
        self._lock = threading.Lock()

    def take(self, key: Hashable, units: int = 1) -> float:
        """0 when the units were there and are taken, else the seconds until they may be."""
        with self._lock:
            return self._take(key, units)

    def _take(self, key: Hashable, units: int) -> float:
        now, most = self._clock(), self._most
        left = self._left(key, now)
        # More than there can ever be takes a full bucket.
        taken = min(units, most) if most else units
        missing = taken - left
        self._buckets[key] = (left if missing > 0 else left - taken, now)
        self._buckets.move_to_end(key)
        if len(self._buckets) > CALLERS:
            self._buckets.popitem(last=False)
        if missing <= 0:
            return 0
        return missing * 60 / self.per_minute if most else 60

    def _left(self, key: Hashable, now: float) -> float:
        bucket = self._buckets.get(key)
        if bucket is None:
            return float(self._most)
        left, then = bucket
        # A clock that was set back takes nothing away.
        return min(self._most, left + max(0.0, now - then) * self.per_minute / 60)

    @contextmanager
    def counting_failures(self, key: Hashable, what: str) -> Iterator[None]:
        """Count a block if it fails; it is not entered after too many failures, but RateLimited."""
        self.must(key, 1, what)
        yield
        self._give_back(key)

    def _give_back(self, key: Hashable) -> None:
        with self._lock:
            if key in self._buckets:
                left, then = self._buckets[key]
                self._buckets[key] = (min(self._most, left + 1), then)

    def left(self, key: Hashable) -> float:
        """The units that are there for a key now."""
        with self._lock:
            return self._left(key, self._clock())

    def must(self, key: Hashable, units: int, what: str) -> None:
        """RateLimited with `Retry-After` when the units are not there."""
        seconds = self.take(key, units)
        if seconds:
            many = (
                f"{self.per_minute} a minute"
                if self._most == self.per_minute
                else (f"{self._most} at once")
            )
            error = RateLimited(f"too many {what}: at most {many}")
            error.retry_after = ceil(seconds)
            raise error


@dataclass(frozen=True, slots=True)
class RateLimits:
    """The limits of one process for callers whom nobody knows."""

    # Events of visitors: of one address, and of one site.
    events_of_address: RateLimit = field(default_factory=lambda: RateLimit(600))
    events_of_site: RateLimit = field(default_factory=lambda: RateLimit(12_000))
    # What readers of sites think of pages, and messages of their assistants: of one address.
    feedback: RateLimit = field(default_factory=lambda: RateLimit(20))
    mcp: RateLimit = field(default_factory=lambda: RateLimit(240))
    # What readers do in blocks of integrations: of one address.
    blocks: RateLimit = field(default_factory=lambda: RateLimit(60))
    # Pages that are fetched for embeds: of one site, or of one person.
    embeds: RateLimit = field(default_factory=lambda: RateLimit(60))
    # Of one address: wrong links to sign in and invitations, and links that are asked for.
    wrong_secrets: RateLimit = field(default_factory=lambda: RateLimit(30))
    sign_on_answers: RateLimit = field(default_factory=lambda: RateLimit(60))
    sign_in_links: RateLimit = field(default_factory=lambda: RateLimit(10))


@dataclass(frozen=True, slots=True)
class Quota:
    """What the caller of a request may search and write; what is None is not limited."""

    key: Hashable
    searches: RateLimit | None
    writes: RateLimit | None
    # Spaces for which the write that is running was counted.
    _written: set[str] = field(default_factory=set)

    def search(self, number: int) -> None:
        """Count searches; RateLimited when there were too many."""
        if self.searches is not None:
            self.searches.must(self.key, number, "searches")

    def may_search(self, number: int) -> bool:
        """Count searches if there were not too many."""
        return self.searches is None or not self.searches.take(self.key, number)

    def begin_write(self) -> None:
        """From here on a write is running that was counted for no space."""
        self._written.clear()

    def write_in(self, space_id: str) -> None:
        """Count the running write for a space, once; RateLimited when there were too many.

        People have a limit each, so that nobody can keep others from writing.
        """
        if self.writes is not None and space_id not in self._written:
            self.writes.must((self.key, space_id), 1, "writes in this space")
            self._written.add(space_id)
