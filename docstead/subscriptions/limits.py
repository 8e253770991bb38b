"""How many connections and subscriptions a caller may have at the same time, in one process."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from resolvers.core.errors import RateLimited

# How long a client may take to read what is sent, with either protocol.
SEND_SECONDS = 30.0


class Places:
    """Counts what callers hold; 0 is no limit."""

    def __init__(self, most: int, name: str) -> None:
        self._most, self._name = most, name
        self._held: Counter[str] = Counter()

    def take(self, key: str) -> None:
        """Take one; RateLimited where the caller holds as many as it may."""
        if self._most and self._held[key] >= self._most:
            raise RateLimited(
                f"you have {self._most} {self._name} open, which is the limit; close one of them"
            )
        self._held[key] += 1

    def give_back(self, key: str) -> None:
        """Give one back."""
        self._held[key] -= 1
        if self._held[key] <= 0:
            del self._held[key]

    @contextmanager
    def held(self, key: str) -> Iterator[None]:
        """Hold one until the end of the block."""
        self.take(key)
        try:
            yield
        finally:
            self.give_back(key)
