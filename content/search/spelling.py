"""How far apart two spellings of a word are."""

from __future__ import annotations

# From so many letters on, two mistakes are one word.
_LONG = 8


def tolerance(word: str) -> int:
    """How many mistakes a word may have and still be meant."""
    return 2 if len(word) >= _LONG else 1


def distance(word: str, other: str, most: int) -> int:
    """Letters that are left out, too many or others, and neighbours in the wrong order.

    At most `most + 1`, which means more than `most`. Words have a bounded length.
    """
    shorter = min(len(word), len(other))
    start = 0
    while start < shorter and word[start] == other[start]:
        start += 1
    end = 0
    while end < shorter - start and word[-1 - end] == other[-1 - end]:
        end += 1
    word, other = word[start : len(word) - end], other[start : len(other) - end]
    far = most + 1
    if not word or not other:
        return min(len(word) + len(other), far)
    if most == 1:
        swapped = len(word) == 2 and word == other[::-1]
        return 1 if swapped or len(word) == len(other) == 1 else far
    if abs(len(word) - len(other)) > most:
        return far
    before: list[int] = []
    last = [min(column, far) for column in range(len(other) + 1)]
    for row, letter in enumerate(word, start=1):
        start, end = max(1, row - most), min(len(other), row + most)
        current = [far] * (len(other) + 1)
        if start == 1:
            current[0] = min(row, far)
        for column in range(start, end + 1):
            same = letter == other[column - 1]
            best = min(last[column - 1] + (not same), last[column] + 1, current[column - 1] + 1)
            if (
                row > 1
                and column > 1
                and letter == other[column - 2]
                and word[row - 2] == other[column - 1]
            ):
                best = min(best, before[column - 2] + 1)
            current[column] = min(best, far)
        if min(current[start - 1 : end + 1]) >= far:
            return far
        before, last = last, current
    return last[len(other)]
