"""A cache of values that never change (nodes, trees, texts), bounded by their weight."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class RecentCache(Generic[K, V]):
    """Values by key; the ones that were not asked for longest go first. Threads may share it.

    Together they weigh at most `limit`; one that alone weighs more than `largest` is not kept.
    """

    def __init__(self, limit: int, weight: Callable[[V], int], largest: int | None = None) -> None:
        self._limit, self._weight = limit, weight
        self._largest = limit if largest is None else largest
        self._size = 0
        # Lookups that have and have not been answered.
        self.hits = self.misses = 0
        self._known: OrderedDict[K, V] = OrderedDict()
        # Reads may run in a thread beside writes.
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._known)

    @property
    def fill(self) -> float:
        """What all values weigh together, as a part of the limit."""
        return self._size / self._limit if self._limit else 1.0

    def get(self, key: K) -> V | None:
        """The value of a key; None when it is not known."""
        with self._lock:
            entry = self._known.get(key)
            if entry is None:
                self.misses += 1
            else:
                self.hits += 1
                self._known.move_to_end(key)
            return entry

    def put(self, key: K, value: V) -> None:
        """Keep a value, and let go of others when they are too heavy together."""
        weight = self._weight(value)
        with self._lock:
            if key in self._known or weight > self._largest:
                return
            self._known[key] = value
            self._size += weight
            while self._size > self._limit:
                _, dropped = self._known.popitem(last=False)
                self._size -= self._weight(dropped)

    def discard(self, key: K) -> None:
        """Let go of one value."""
        with self._lock:
            dropped = self._known.pop(key, None)
            if dropped is not None:
                self._size -= self._weight(dropped)

    def clear(self) -> None:
        """Let go of everything."""
        with self._lock:
            self._known.clear()
            self._size = 0
