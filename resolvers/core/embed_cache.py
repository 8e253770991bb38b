"""A cache of what was fetched for embeds, in the memory of one process.

Each process fetches for itself: an answer is a few hundred bytes and may be fetched again at any
time, so keeping it in the database would cost more than it saves.
"""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

V = TypeVar("V")
ADDRESSES = 5_000
# Seconds that an answer holds, and that of an address which could not be fetched.
LASTS, FAILURE_LASTS = 3600.0, 300.0


class EmbedCache(Generic[V]):
    """Answers by address; of more than `ADDRESSES` the oldest are forgotten. Threads share it."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._known: OrderedDict[str, tuple[float, V]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, url: str) -> V | None:
        """The answer; None when there is none, or it has gone out of date."""
        with self._lock:
            ends, answer = self._known.get(url, (0.0, None))
            return answer if self._clock() < ends else None

    def put(self, url: str, value: V, *, failed: bool) -> None:
        """Keep an answer, for a shorter time when the address could not be fetched."""
        with self._lock:
            self._known[url] = self._clock() + (FAILURE_LASTS if failed else LASTS), value
            self._known.move_to_end(url)
            if len(self._known) > ADDRESSES:
                self._known.popitem(last=False)
