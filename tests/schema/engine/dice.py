"""Random decisions that depend on names alone, not on the order in which they are asked."""

from collections.abc import Sequence
from hashlib import blake2b
from typing import TypeVar

T = TypeVar("T")


class Dice:
    """A small generator of random numbers, seeded with any printable parts."""

    __slots__ = ("state",)

    def __init__(self, *parts: object) -> None:
        text = "|".join(map(str, parts)).encode()
        self.state = int.from_bytes(blake2b(text, digest_size=8).digest(), "big")

    def below(self, limit: int) -> int:
        """A number from 0 to `limit` - 1."""
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % limit

    def chance(self, share: float) -> bool:
        """True in `share` of all cases, 0 to 1."""
        return self.below(100_000) < share * 100_000

    def pick(self, choices: Sequence[T]) -> T:
        return choices[self.below(len(choices))]
