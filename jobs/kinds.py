"""The kinds of jobs: what does each, how often it is tried, for how long it is held.

Handlers have to be able to run twice: a worker can die between the last write of a job and the
note that it is done. A write that must not be repeated ends its job itself (`Lease.finish`), in
the same transaction.
"""

import datetime as dt
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from resolvers.core.context import Context
from resolvers.core.leases import Lease

Json = dict[str, Any]
MINUTE = dt.timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Work:
    """What a handler gets: a context with the rights of whoever has started the job, its arguments,
    and its lease, by which it says how far it is."""

    ctx: Context
    arguments: Mapping[str, Any]
    lease: Lease


# Does the work; what it returns is the result of the job, unless a write has ended it already.
# An ApiError says why it cannot be done; other failures are for the log.
Handler = Callable[[Work], Awaitable[Json | None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """How jobs of a kind are done."""

    handler: Handler
    # How often it is tried in all.
    attempts: int = 5
    # For how long a job is held by a process that says nothing: then another one takes it.
    lease: dt.timedelta = MINUTE
    # Jobs of this kind that one process does at the same time.
    at_once: int = 1
    # What one attempt may take.
    timeout: dt.timedelta = dt.timedelta(hours=1)
    # A periodic kind has one job, which is due again so long after it was done.
    every: dt.timedelta | None = None
    # Bounds the times for which rows of its own wait, as after a clock was set back; how many did.
    bound_waits: Callable[[Context], Awaitable[int]] | None = None


# Before the second attempt, and twice as long before each further one.
SHORTEST, LONGEST = dt.timedelta(seconds=5), dt.timedelta(hours=1)


def pause_after(attempts: int) -> dt.timedelta:
    """How long to wait before a job is tried again that has been tried so often."""
    doubled: int = 2 ** min(attempts - 1, 20)
    return min(LONGEST, SHORTEST * doubled)


# All that there are, up to the longest.
PAUSES = tuple(pause_after(attempts) for attempts in range(1, 12))
