"""One order of elements out of three."""

from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

from content.alignment import rising

T = TypeVar("T", bound=Hashable)


def merge_order(
    base: Sequence[T], ours: Sequence[T], theirs: Sequence[T], keeps: Callable[[T], bool]
) -> list[T]:
    """The kept elements: in the order of theirs, then what ours placed after its left neighbour.

    An element is the same wherever it is equal, and occurs once in each sequence. Those that are
    new in ours, or stand elsewhere than in base in ours only, go behind their left neighbour of
    ours and behind what theirs added right there.
    """
    in_ours, in_theirs, in_base = set(ours), set(theirs), set(base)
    moved = moves(base, ours) - moves(base, theirs)
    order = [item for item in theirs if keeps(item) and not (item in moved and item in in_ours)]
    placed = set(order)
    following: dict[T | None, T | None] = {}
    left: T | None = None
    for item in order:
        following[left] = item
        left = item
    following[left] = None
    left = None
    for item in ours:
        if not keeps(item):
            continue
        if item not in placed:
            after = left
            while (following_item := following[after]) is not None and (
                following_item in in_theirs
                and following_item not in in_ours
                and following_item not in in_base
            ):
                after = following_item
            following[item] = following[after]
            following[after] = item
            placed.add(item)
        left = item
    result: list[T] = []
    at = following[None]
    while at is not None:
        result.append(at)
        at = following[at]
    return result


def moves(base: Sequence[T], side: Sequence[T]) -> set[T]:
    """Elements of both that must move to get from the one order to the other: as few as can be."""
    places = {item: position for position, item in enumerate(base)}
    common = [item for item in side if item in places]
    staying = rising([places[item] for item in common])
    return set(common) - {common[position] for position in staying}
