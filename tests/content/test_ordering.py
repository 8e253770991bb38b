"""There is always a key between two others, and keys stay short where pages are added."""

from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from content.hashing import DIGITS
from content.ordering import between, spread

keys = st.one_of(
    st.text(DIGITS, min_size=1, max_size=12),
    # The ends of the digits are where the carries are.
    st.text("01yz", min_size=1, max_size=8),
).filter(lambda key: key[-1] != "0")


def is_key(key: str) -> bool:
    return bool(key) and set(key) <= set(DIGITS) and key[-1] != "0"


def number(key: str) -> int:
    return sum(DIGITS.index(digit) * 62**place for place, digit in enumerate(reversed(key)))


def test_digits_sort_as_strings_do() -> None:
    assert list(DIGITS) == sorted(set(DIGITS))
    assert len(DIGITS) == 62


@given(keys, keys)
def test_there_is_a_key_between_any_two(one: str, other: str) -> None:
    if one == other:
        with pytest.raises(ValueError, match="must sort below after"):
            between(one, other)
        return
    before, after = sorted([one, other])
    key = between(before, after)
    assert before < key < after
    assert is_key(key)
    assert len(key) <= max(len(before), len(after)) + 1


@given(keys)
def test_there_is_a_key_above_and_below_any(key: str) -> None:
    below, above = between(None, key), between(key, None)
    assert below < key < above
    assert is_key(below)
    assert is_key(above)
    assert max(len(below), len(above)) <= 2 * len(key) + 1


@given(st.lists(st.integers(0, 1000), max_size=80), st.integers(0, 70))
def test_moves_keep_all_keys_distinct_and_in_order(places: list[int], first: int) -> None:
    order: list[str] = spread(first)
    for place in places:
        at = place % (len(order) + 1)
        before = order[at - 1] if at else None
        after = order[at] if at < len(order) else None
        order.insert(at, between(before, after))
    assert order == sorted(set(order))
    assert all(map(is_key, order))


def test_the_only_key_is_in_the_middle() -> None:
    assert between(None, None) == "V"
    assert spread(1) == ["V"]


@pytest.mark.parametrize(
    ("before", "after", "key"),
    [
        ("y", None, "z01"),
        ("z", None, "z01"),
        ("z0z", None, "z11"),
        ("zyz", None, "zz001"),
        ("V", None, "W"),
        ("2", None, "3"),
        (None, "V", "U"),
        (None, "1", "0zz"),
        (None, "011", "00zzz"),
        (None, "001", "000zzzz"),
        ("V", "X", "W"),
        ("V", "W", "VV"),
        ("V", "V1", "V0V"),
        ("Vz", "W", "VzV"),
        ("V", "W5", "W"),
    ],
)
def test_keys_by_example(before: str | None, after: str | None, key: str) -> None:
    assert between(before, after) == key


@pytest.mark.parametrize("upwards", [True, False])
@pytest.mark.parametrize("start", [None, "V", "yzz", "1"])
def test_keys_stay_short_at_the_ends(start: str | None, upwards: bool) -> None:
    key = start
    longest = 0
    for _ in range(10_000):
        following = between(key, None) if upwards else between(None, key)
        assert key is None or (following > key if upwards else following < key)
        key = following
        longest = max(longest, len(key))
    assert longest <= 5


@pytest.mark.parametrize("below", [True, False])
def test_keys_grow_by_a_digit_for_six_at_one_place(below: bool) -> None:
    low, high = "V", "W"
    for _ in range(600):
        key = between(low, high)
        assert low < key < high
        if below:
            high = key
        else:
            low = key
    assert len(key) <= 600 / 5 + 2


@pytest.mark.parametrize("n", [0, 1, 2, 59, 60, 61, 500, 3719, 3720, 10_000])
def test_spread_is_even_and_short(n: int) -> None:
    order = spread(n)
    assert len(order) == n
    assert order == sorted(set(order))
    assert all(map(is_key, order))
    width = max(map(len, order), default=0)
    assert width <= (0 if n == 0 else 1 if n < 60 else 2 if n < 3720 else 3)
    places = [number(key.ljust(width, "0")) for key in order]
    gaps = {above - below for below, above in pairwise(places)}
    assert max(gaps, default=0) - min(gaps, default=0) <= 1


@given(st.integers(1, 4000))
def test_spread_leaves_room_at_both_ends(n: int) -> None:
    order = spread(n)
    assert len(between(None, order[0])) <= 3
    assert len(between(order[-1], None)) <= 3


@pytest.mark.parametrize("key", ["", "0", "V0", "V-", "é", " ", "V\n", "_"])
def test_what_is_no_key_is_refused(key: str) -> None:
    with pytest.raises(ValueError, match=r"before: .* is not a sort key"):
        between(key, None)
    with pytest.raises(ValueError, match=r"after: .* is not a sort key"):
        between("1", key)


def test_neighbours_out_of_order_are_refused() -> None:
    with pytest.raises(ValueError, match="before: 'W' must sort below after, which is 'V'"):
        between("W", "V")


def test_a_negative_number_of_keys_is_refused() -> None:
    with pytest.raises(ValueError, match="n: -1 is negative"):
        spread(-1)
