"""Alignment of sequences: longest where that is promised, and fast whatever the input."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from functools import partial

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


def assert_rising(left: list[str], right: list[str], pairs: list[tuple[int, int]]) -> None:
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
    ],
)
def test_time_is_in_proportion_whatever_the_input(name: str, sides: Callable[[int], Sides]) -> None:
    assert_growth(lambda size: partial(align, *sides(size)), 40_000)


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
