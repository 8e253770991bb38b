"""Alignment of sequences: longest where that is promised, and fast whatever the input."""

from __future__ import annotations

import itertools
import time

import pytest
from hypothesis import given, settings, strategies as st

from content.merge import alignment
from content.merge.alignment import align, rising
from content.merge.sequences import merge_order, moves
from tests.content.merge.test_naive_merge import longest_common

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
    ("name", "left", "right"),
    [
        ("nothing in common", range(20_000), range(20_000, 40_000)),
        ("all the same", [0] * 20_000, [0] * 15_000),
        ("backwards", range(20_000), range(20_000, 0, -1)),
        ("two in turn", [0, 1] * 10_000, [1, 0, 0] * 7_000),
        ("few values", [n * n % 97 for n in range(20_000)], [n * n % 89 for n in range(20_000)]),
        ("one edge at a time", [*range(100), *[7] * 19_000], [*[7] * 19_000, *range(100)]),
        ("nearly the same", range(20_000), [n for n in range(20_000) if n % 3]),
    ],
)
def test_time_has_a_bound_whatever_the_input(name: str, left: range, right: range) -> None:
    started = time.process_time()
    align(left, right)
    assert time.process_time() - started < 2.0


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
