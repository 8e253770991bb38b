"""The cache of documents: what is asked for once takes a part of it, and empties nothing."""

from dataclasses import dataclass

import pytest
from hypothesis import given, strategies as st

from schema.generations import NEW, Generations


@dataclass(eq=False)
class Thing:
    """A value."""

    key: int
    weight: int = 1
    asked: bool = False


def _cache(count: int, weight: int, gone: list[Thing]) -> Generations[int, Thing]:
    return Generations(count, weight, gone.append)


def _ask(cache: Generations[int, Thing], key: int, weight: int = 1) -> bool:
    """Whether it was there; it is put otherwise."""
    if cache.get(key) is not None:
        return True
    cache.put(key, Thing(key, weight), weight)
    return False


def test_a_flood_takes_a_part_and_leaves_what_is_used() -> None:
    cache = _cache(100, 1000, [])
    used = range(40)
    for _ in range(3):
        for key in used:
            _ask(cache, key)
    for key in range(1000, 5000):
        _ask(cache, key)
        if key % 50 == 0:
            assert all(_ask(cache, own) for own in used)
    assert len(cache) <= 40 + 100 // NEW


def test_what_comes_in_turn_is_kept_from_the_second_time_on() -> None:
    cache = _cache(100, 1000, [])
    found = [[_ask(cache, key) for key in range(80)] for _ in range(3)]
    assert not any(found[0])
    assert all(found[2])


@pytest.mark.parametrize("heavy", [21, 80])
def test_what_is_too_heavy_to_be_new_is_kept_the_second_time(heavy: int) -> None:
    cache = _cache(10, 100, [])
    assert [_ask(cache, 1, heavy) for _ in range(3)] == [False, False, True]
    assert [_ask(cache, 2, 81) for _ in range(3)] == [False, False, False]


@given(
    st.lists(st.tuples(st.integers(0, 12), st.integers(1, 30), st.booleans()), max_size=80),
    st.integers(1, 8),
    st.integers(1, 60),
)
def test_it_keeps_its_bounds_and_tells_of_all_that_went(
    steps: list[tuple[int, int, bool]], count: int, weight: int
) -> None:
    gone: list[Thing] = []
    cache, kept = _cache(count, weight, gone), dict[int, Thing]()
    for key, its_weight, again in steps:
        thing = Thing(key, its_weight)
        if again or (found := cache.get(key)) is None:
            if cache.put(key, thing, its_weight):
                kept[id(thing)] = thing
                # Where it says that it keeps something, that is there.
                assert cache.get(key) is thing
        else:
            assert found.key == key
        for one in gone:
            kept.pop(id(one))
        gone.clear()
        assert len(cache) == len(kept) <= max(2, count)
        assert sum(one.weight for one in kept.values()) <= weight
        assert all(cache.get(one.key) is one for one in kept.values())


def test_what_comes_again_does_not_go_at_once_where_all_others_were_asked_for() -> None:
    gone: list[Thing] = []
    cache = _cache(10, 1000, gone)
    for keys in (range(8), range(100, 110), range(8)):
        for key in keys:
            cache.put(key, Thing(key), 1)
    for key in range(8):
        cache.get(key)
    again = Thing(100)
    assert cache.put(100, again, 1)
    assert cache.get(100) is again
    assert again not in gone
