"""Alignment of sequences: longest where that is promised, and fast whatever the input."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable, Sequence
from functools import partial
from random import Random

import pytest
from hypothesis import given, settings, strategies as st

from content import alignment
from content.alignment import align, rising
from content.merge.sequences import merge_order, moves
from tests.content.merge.test_naive_merge import longest_common
from tests.growth import assert_growth

Sides = tuple[Sequence[int], Sequence[int]]
LETTERS = st.text("abcd", max_size=12).map(list)
ORDERS = st.lists(st.integers(0, 12), unique=True, max_size=10)


def assert_rising(
    left: Sequence[object], right: Sequence[object], pairs: list[tuple[int, int]]
) -> None:
    assert all(left[i] == right[j] for i, j in pairs)
    assert all(a[0] < b[0] and a[1] < b[1] for a, b in itertools.pairwise(pairs))


@settings(max_examples=500)
@given(LETTERS, LETTERS)
def test_the_longest_common_subsequence_is_found(left: list[str], right: list[str]) -> None:
    pairs = align(left, right)
    assert_rising(left, right, pairs)
    assert len(pairs) == len(longest_common(left, right))


@given(LETTERS, LETTERS)
def test_without_room_for_a_table_a_common_subsequence_is_found(
    left: list[str], right: list[str]
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(alignment, "TABLE_BITS", 6)
        pairs = align(left, right)
        assert align(left, left) == [(n, n) for n in range(len(left))]
    assert_rising(left, right, pairs)
    assert bool(pairs) == bool({*left} & {*right})


@settings(max_examples=300)
@given(st.permutations(range(14)), st.lists(st.sampled_from("ab"), max_size=6), st.data())
def test_cuts_lose_no_element_that_occurs_once(
    order: list[int], fill: list[str], data: st.DataObject
) -> None:
    """In the longest order that these have, whatever else stands between them."""
    sides: list[list[Hashable]] = []
    for numbers in (range(14), order):
        side: list[Hashable] = [*numbers]
        for letter in fill:
            side.insert(data.draw(st.integers(0, len(side))), letter)
        # Nothing is in common at the edges, so the first cut sees all of them.
        sides.append([f"first {len(sides)}", *side, f"last {len(sides)}"])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(alignment, "TABLE_BITS", 6)
        patch.setattr(alignment, "WINDOW", 4)
        pairs = align(*sides)
    alone = {item for item in sides[0] if sides[0].count(item) == 1}
    common = [sides[0].index(item) for item in sides[1] if item in alone]
    assert sum(sides[0][i] in alone for i, _ in pairs) >= len(rising(common))


@given(st.lists(st.integers(0, 20), max_size=12))
def test_rising_is_the_longest(values: list[int]) -> None:
    found = [values[position] for position in rising(values)]
    assert all(a < b for a, b in itertools.pairwise(found))
    longest: list[int] = []
    for position, value in enumerate(values):
        longest.append(
            1 + max((longest[n] for n in range(position) if values[n] < value), default=0)
        )
    assert len(found) == max(longest, default=0)


@pytest.mark.parametrize(
    ("name", "sides"),
    [
        ("nothing in common", lambda n: (range(n), range(n, 2 * n))),
        ("all the same", lambda n: ([0] * n, [0] * (n * 3 // 4))),
        ("backwards", lambda n: (range(n), range(n, 0, -1))),
        ("two in turn", lambda n: ([0, 1] * (n // 2), [1, 0, 0] * (n // 3))),
        ("few values", lambda n: ([i * i % 97 for i in range(n)], [i * i % 89 for i in range(n)])),
        ("one edge at a time", lambda n: ([*range(100), *[7] * n], [*[7] * n, *range(100)])),
        ("nearly the same", lambda n: (range(n), [i for i in range(n) if i % 3])),
        ("Fibonacci words", lambda n: (fibonacci(n), fibonacci(n)[::-1])),
        ("few letters", lambda n: (letters(n, 4, 1), letters(n, 4, 2))),
        ("blocks moved", lambda n: (range(n), shuffled(n, 100))),
        ("shuffled", lambda n: (range(n), shuffled(n, 1))),
        ("backwards with one between", lambda n: (between(range(n)), between(range(n, 0, -1)))),
    ],
)
def test_time_is_in_proportion_whatever_the_input(name: str, sides: Callable[[int], Sides]) -> None:
    # Twice the input takes 2.3 times as long: eight times the input 2.3 to the third. What is read
    # at random places takes longer where it does not fit into caches, which other tests share.
    at_most = 20 if name == "shuffled" else 2.3**3
    assert_growth(lambda size: partial(align, *sides(size)), 10_000, at_most=at_most)


def fibonacci(size: int) -> list[int]:
    """A word that repeats itself everywhere, at no period."""
    before, word = [0], [0, 1]
    while len(word) < size:
        before, word = word, word + before
    return word[:size]


def letters(size: int, kinds: int, seed: int) -> list[int]:
    random = Random(seed)
    return [random.randrange(kinds) for _ in range(size)]


def shuffled(size: int, block: int) -> list[int]:
    blocks = [range(start, min(start + block, size)) for start in range(0, size, block)]
    Random(1).shuffle(blocks)
    return [item for some in blocks for item in some]


def between(items: Sequence[int]) -> list[int]:
    return [item for number in items for item in (number, -1)]


@pytest.mark.parametrize(
    "sides",
    [
        lambda n: ([0, 1] * (n // 2), [1, 0, 0] * (n // 3)),
        lambda n: (letters(n, 2, 1), letters(n, 2, 2)),
        lambda n: (letters(n, 50, 1), letters(n, 50, 2)),
        lambda n: (fibonacci(n), fibonacci(n)[::-1]),
    ],
)
def test_what_cannot_be_cut_loses_little(sides: Callable[[int], Sides]) -> None:
    left, right = sides(6000)
    longest = len(align(left, right))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(alignment, "TABLE_BITS", 1 << 20)
        patch.setattr(alignment, "WINDOW", 1000)
        pairs = align(left, right)
    assert_rising(left, right, pairs)
    assert len(pairs) > 0.9 * longest


@given(ORDERS, ORDERS, ORDERS)
def test_an_order_holds_each_kept_element_once(
    base: list[int], ours: list[int], theirs: list[int]
) -> None:
    kept = {*ours, *theirs}
    merged = merge_order(base, ours, theirs, lambda item: item in kept)
    assert sorted(merged) == sorted(kept)
    assert merge_order(base, base, theirs, {*theirs}.__contains__) == theirs
    assert merge_order(base, ours, base, {*ours}.__contains__) == ours
    assert merge_order(base, ours, ours, {*ours}.__contains__) == ours


def test_as_few_elements_as_can_be_move() -> None:
    assert moves("abcdef", "bcdefa") == {"a"}
    assert moves("abc", "xaybzc") == set()
    assert moves([1, 2, 3, 4], [3, 4]) == set()
