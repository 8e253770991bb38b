"""A cache bounded by the number and by the weight of its entries; the longest unused go first."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class BoundedCache(Generic[Key, Value]):
    """For one event loop, it holds no lock. `forgotten` is called with what had to go."""

    def __init__(
        self, count: int, weight: int, forgotten: Callable[[Value], None] | None = None
    ) -> None:
        self._count = count
        self._maximum = weight
        self._weight = 0
        self._entries: OrderedDict[Key, tuple[Value, int]] = OrderedDict()
        self._forgotten = forgotten

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, key: Key) -> bool:
        return key in self._entries

    def get(self, key: Key) -> Value | None:
        """The value of a key, which then counts as used; None when it is not kept."""
        entry = self._entries.get(key)
        if entry is None:
            return None
        self._entries.move_to_end(key)
        return entry[0]

    def put(self, key: Key, value: Value, weight: int) -> bool:
        """Keep a value, unless it alone is too heavy; whether it is kept."""
        if weight > self._maximum:
            return False
        self.drop(key)
        self._entries[key] = (value, weight)
        self._weight += weight
        while len(self._entries) > self._count or self._weight > self._maximum:
            _, (oldest, its_weight) = self._entries.popitem(last=False)
            self._weight -= its_weight
            if self._forgotten is not None:
                self._forgotten(oldest)
        return True

    def drop(self, key: Key) -> None:
        """Let go of a key, if it is kept."""
        entry = self._entries.pop(key, None)
        if entry is not None:
            self._weight -= entry[1]
            if self._forgotten is not None:
                self._forgotten(entry[0])
