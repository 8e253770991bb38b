"""What was read most recently, up to a weight."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class BoundedCache(Generic[K, V]):
    """Values that never change, by key; the ones that were not asked for longest go first."""

    def __init__(self, limit: int, weight: Callable[[V], int]) -> None:
        self._limit, self._weight = limit, weight
        self._size = 0
        self._known: OrderedDict[K, V] = OrderedDict()
        # Reads may run in a thread beside writes.
        self._lock = threading.Lock()

    def get(self, key: K) -> V | None:
        """The value of a key; None when it is not known."""
        with self._lock:
            found = self._known.get(key)
            if found is not None:
                self._known.move_to_end(key)
            return found

    def put(self, key: K, value: V) -> None:
        """Keep a value, and let go of others when they are too heavy together."""
        with self._lock:
            if key in self._known:
                return
            self._known[key] = value
            self._size += self._weight(value)
            while self._size > self._limit:
                _, dropped = self._known.popitem(last=False)
                self._size -= self._weight(dropped)
