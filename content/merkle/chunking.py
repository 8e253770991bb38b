"""Where a sequence of keys is cut into nodes: a function of the keys alone.

Every key has a height drawn from its SHA-256. A key of height h starts a new node on each of the
levels 0 to h - 1, so neither a value nor the order of earlier edits can move a cut. One key in 32
has height 1 or more, and each further level keeps one in 64 of those.
"""

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Final

LEAF_BITS: Final = 5
BRANCH_BITS: Final = 6
RUN_LIMIT: Final = 256


def height(key: str) -> int:
    """The number of levels on which this key starts a node: 0 for most keys, at most 10."""
    number = int.from_bytes(sha256(key.encode()).digest()[-8:])
    zeros = (number & -number).bit_length() - 1 if number else 64
    return 0 if zeros < LEAF_BITS else 1 + (zeros - LEAF_BITS) // BRANCH_BITS


def runs(level: int, keys: Iterable[str]) -> list[list[str]]:
    """The sorted keys of one level, cut before each key that is higher than the level."""
    found: list[list[str]] = []
    for key in keys:
        if not found or height(key) > level:
            found.append([])
        found[-1].append(key)
    return found


def pieces(run: Sequence[str]) -> list[Sequence[str]]:
    """A run as pieces of at most 256 keys, at least 64 each when there are several.

    Chosen keys could make a run of any length. A long one is cut at the key with the lowest
    hash of its middle half, then each side again: the set of keys alone decides, sizes have
    bounds whatever the keys are, and ordinary edits leave most cuts where they were.
    """
    if len(run) <= RUN_LIMIT:
        return [run]
    hashes = [sha256(key.encode()).digest() for key in run]

    def cut(start: int, end: int) -> list[Sequence[str]]:
        size = end - start
        if size <= RUN_LIMIT:
            return [run[start:end]]
        middle = range(start + size // 4, end - size // 4)
        at = min(middle, key=hashes.__getitem__)
        return cut(start, at) + cut(at, end)

    return cut(0, len(run))
