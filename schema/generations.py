"""A cache that a flood of what is asked for once does not empty.

What is new takes a fifth of the room at most. What is asked for again while it is there, or comes
again later, gets into the rest; and there what was asked for since its last turn stays.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, Protocol, TypeVar

from schema.bounded_cache import BoundedCache


class Kept(Protocol):
    """A value; whoever uses it sets `asked`."""

    asked: bool


Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value", bound=Kept)
# The part for what is new; how many keys are remembered of what had to go, by that of values.
NEW, REMEMBERED = 5, 4


class Generations(Generic[Key, Value]):
    """At most `count` values of `weight` together. `forgotten` is called with what had to go."""

    def __init__(self, count: int, weight: int, forgotten: Callable[[Value], None]) -> None:
        self._forgotten = forgotten
        few, light = max(1, count // NEW), weight // NEW
        self._new: _Ring[Key, Value] = _Ring(few, light, self._leaves)
        self._proven: _Ring[Key, Value] = _Ring(max(1, count - few), weight - light, self._stays)
        # By their hashes: a false one makes room for a value that is new.
        self._gone: BoundedCache[int, bool] = BoundedCache(REMEMBERED * count, 1)

    def __len__(self) -> int:
        return len(self._new.entries) + len(self._proven.entries)

    def get(self, key: Key) -> Value | None:
        """The value of a key, which then was asked for; None when it is not kept."""
        entry = self._proven.entries.get(key) or self._new.entries.get(key)
        if entry is None:
            return None
        entry[0].asked = True
        return entry[0]

    def put(self, key: Key, value: Value, weight: int) -> bool:
        """Keep a value in the place of the one that the key has; whether there is room for it."""
        for ring in (self._new, self._proven):
            if (earlier := ring.drop(key)) is not None:
                self._forgotten(earlier)
        came_before = self._gone.get(hash(key)) is not None
        if (self._proven if came_before else self._new).put(key, value, weight):
            return True
        self._gone.put(hash(key), True, 0)
        return False

    def _leaves(self, key: Key, value: Value, weight: int) -> bool:
        if value.asked:
            value.asked = False
            if self._proven.put(key, value, weight):
                return False
        self._gone.put(hash(key), True, 0)
        self._forgotten(value)
        return False

    def _stays(self, key: Key, value: Value, weight: int) -> bool:
        if value.asked:
            value.asked = False
            return True
        self._gone.put(hash(key), True, 0)
        self._forgotten(value)
        return False


class _Ring(Generic[Key, Value]):
    """Values in the order in which they came; `stays` says whether one whose turn it is to go has
    another turn."""

    def __init__(self, count: int, weight: int, stays: Callable[[Key, Value, int], bool]) -> None:
        self._count, self._maximum, self._weight = count, weight, 0
        self._stays = stays
        self.entries: OrderedDict[Key, tuple[Value, int]] = OrderedDict()

    def put(self, key: Key, value: Value, weight: int) -> bool:
        """Add a value, unless it alone is too heavy."""
        if weight > self._maximum:
            return False
        # Room is made before: else what comes would go at once where all others have a turn.
        while self.entries and (
            len(self.entries) >= self._count or self._weight + weight > self._maximum
        ):
            its_key, (oldest, its_weight) = self.entries.popitem(last=False)
            self._weight -= its_weight
            if self._stays(its_key, oldest, its_weight):
                self.entries[its_key] = oldest, its_weight
                self._weight += its_weight
        self.entries[key] = value, weight
        self._weight += weight
        return True

    def drop(self, key: Key) -> Value | None:
        """Take a value out; None where there is none."""
        entry = self.entries.pop(key, None)
        if entry is None:
            return None
        self._weight -= entry[1]
        return entry[0]
