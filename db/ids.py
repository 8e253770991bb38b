"""Identifiers: opaque, sortable by creation time, the same in both interfaces.

An id is 20 base-62 characters: 8 that hold the time in milliseconds since 1970 and 12 random
ones (71 bits). Characters are in ASCII order, so a bytewise sort of ids is a sort by time. Ids
that one process makes in the same millisecond count up from a random start, so they sort in the
order they were made in, too.
"""

import os
import secrets
import threading
import time

ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
LENGTH = 20
_TIME_LENGTH = 8
_RANDOM_LENGTH = LENGTH - _TIME_LENGTH
# The upper half is left free for counting up.
_RANDOM_START = 62**_RANDOM_LENGTH // 2
# Half the divisions: a merge with thousands of conflicts makes as many ids.
_PAIRS = [first + second for first in ALPHABET for second in ALPHABET]


def _encode(number: int, length: int) -> str:
    """A number in base 62; the length is even."""
    pairs = []
    for _ in range(length // 2):
        number, pair = divmod(number, 3844)
        pairs.append(_PAIRS[pair])
    return "".join(reversed(pairs))


def random_text(length: int) -> str:
    """`length` base-62 characters from the operating system's random source, without bias."""
    characters: list[str] = []
    while len(characters) < length:
        # 248 is the largest multiple of 62 in a byte: larger values would favour some letters.
        characters += [ALPHABET[byte % 62] for byte in os.urandom(2 * length) if byte < 248]
    return "".join(characters[:length])


class _Sequence:
    """The time and the number of the last id of this process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._milliseconds = 0
        self._number = 0

    def next(self) -> tuple[int, int]:
        with self._lock:
            now = time.time_ns() // 1_000_000
            if now > self._milliseconds:
                self._milliseconds = now
                self._number = secrets.randbelow(_RANDOM_START)
            else:
                # The same millisecond, or a clock that was set back.
                self._number += 1
            return self._milliseconds, self._number


_sequence = _Sequence()


def new_id(prefix: str = "") -> str:
    """A new id; `prefix` (such as "site_") goes in front of the 20 characters."""
    milliseconds, number = _sequence.next()
    return prefix + _encode(milliseconds, _TIME_LENGTH) + _encode(number, _RANDOM_LENGTH)
