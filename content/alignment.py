"""Which elements of two sequences belong together, in bounded time whatever the input.

The longest common subsequence is found bit-parallel: one row of the table is one integer. What
is too large for that is cut at elements that occur once in both. What cannot be cut is paired
occurrence by occurrence, or window by window, whichever pairs more.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Final, TypeVar

Pair = tuple[int, int]
C = TypeVar("C", int, str)

# Bits of a table that is worked out exactly (8 MB), and how often a larger one is cut. A cut that
# leaves more than half of both sides in one piece counts for several: it has taken little.
TABLE_BITS: Final = 1 << 26
CUTS: Final = 12
POOR_CUT: Final = 4
# Elements of a window of what cannot be cut.
WINDOW: Final = 4096


def align(left: Sequence[Hashable], right: Sequence[Hashable]) -> list[Pair]:
    """Positions (in `left`, in `right`) of equal elements, both rising.

    The longest such list for up to 8,000 elements on each side that differ; beyond that a long
    one, with as many as can be of the elements that occur once in both. Time grows with n log n,
    plus n * m / 64 within the bound.
    """
    aligned: list[Pair] = []
    stack = [(0, len(left), 0, len(right), CUTS)]
    while stack:
        low, high, start, end, cuts = stack.pop()
        while low < high and start < end and left[low] == right[start]:
            aligned.append((low, start))
            low, start = low + 1, start + 1
        while low < high and start < end and left[high - 1] == right[end - 1]:
            high, end = high - 1, end - 1
            aligned.append((high, end))
        if low == high or start == end:
            continue
        if (high - low) * (end - start) <= TABLE_BITS:
            pairs = _longest(left[low:high], right[start:end])
            aligned.extend((low + i, start + j) for i, j in pairs)
            continue
        lists = left[low:high], right[start:end]
        anchors = _anchors(*lists, unique=True) if cuts > 0 else []
        if not anchors:
            pairs = max(_anchors(*lists, unique=False), _windows(*lists), key=len)
            aligned.extend((low + i, start + j) for i, j in pairs)
            continue
        half = (high - low) // 2, (end - start) // 2
        for i, j in [*((low + i, start + j) for i, j in anchors), (high, end)]:
            is_poor = i - low > half[0] and j - start > half[1]
            stack.append((low, i, start, j, cuts - (POOR_CUT if is_poor else 1)))
            if i < high:
                aligned.append((i, j))
            low, start = i + 1, j + 1
    return sorted(aligned)


def rising(values: Sequence[C]) -> list[int]:
    """Positions of a longest strictly rising subsequence."""
    tails: list[C] = []
    ends: list[int] = []
    before: list[int] = []
    for position, value in enumerate(values):
        length = bisect_left(tails, value)
        before.append(ends[length - 1] if length else -1)
        if length == len(tails):
            tails.append(value)
            ends.append(position)
        else:
            tails[length], ends[length] = value, position
    chain: list[int] = []
    at = ends[-1] if ends else -1
    while at >= 0:
        chain.append(at)
        at = before[at]
    return chain[::-1]


def _anchors(left: Sequence[Hashable], right: Sequence[Hashable], *, unique: bool) -> list[Pair]:
    """Equal elements in rising order: those that occur once, or the n-th with the n-th."""
    if unique:
        many_left, many_right = Counter(left), Counter(right)
        places = {item: j for j, item in enumerate(right) if many_right[item] == 1}
        pairs = [
            (i, places[item])
            for i, item in enumerate(left)
            if many_left[item] == 1 and item in places
        ]
    else:
        queues: dict[Hashable, list[int]] = {}
        for j in range(len(right) - 1, -1, -1):
            queues.setdefault(right[j], []).append(j)
        pairs = [(i, queues[item].pop()) for i, item in enumerate(left) if queues.get(item)]
    return [pairs[position] for position in rising([j for _, j in pairs])]


def _windows(left: Sequence[Hashable], right: Sequence[Hashable]) -> list[Pair]:
    """Equal elements in rising order: a longest list of each pair of windows at the same part."""
    count = max(len(left), len(right)) // WINDOW + 1
    pairs: list[Pair] = []
    for number in range(count):
        low, high = (len(left) * n // count for n in (number, number + 1))
        start, end = (len(right) * n // count for n in (number, number + 1))
        window = _longest(left[low:high], right[start:end])
        pairs.extend((low + i, start + j) for i, j in window)
    return pairs


def _longest(left: Sequence[Hashable], right: Sequence[Hashable]) -> list[Pair]:
    """A longest common subsequence, by rows of bits.

    Bit i of row j is 0 where the length for left[: i + 1] and right[: j + 1] exceeds that for
    left[:i]; a whole row follows from the one before with an addition.
    """
    # A number has as many bits as its place: none is made for what is on one side only.
    common = {*right}
    places: dict[Hashable, int] = {}
    for i, item in enumerate(left):
        if item in common:
            places[item] = places.get(item, 0) | (1 << i)
    everything = (1 << len(left)) - 1
    row = everything
    rows: list[int] = []
    for item in right:
        matching = row & places.get(item, 0)
        row = ((row + matching) | (row - matching)) & everything
        rows.append(row)
    pairs: list[Pair] = []
    i, j = len(left), len(right)
    # Each turn takes a row, and looks at all of its bits at once.
    while j and (i := (~rows[j - 1] & ((1 << i) - 1)).bit_length()):
        j -= 1
        if j and not rows[j - 1] >> (i - 1) & 1:
            continue
        i -= 1
        pairs.append((i, j))
    return pairs[::-1]


def shared_words(left: Counter[str], right: Counter[str], *, empty: float) -> float:
    """The share of words that two bags have in common, 0 to 1; `empty` where neither has any."""
    total = left.total() + right.total()
    return 2 * (left & right).total() / total if total else empty
