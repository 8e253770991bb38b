"""Matching the nodes of two versions: by key, then by content, then by position."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from content.alignment import Pair, align, rising, shared_words
from content.merge.nodes import Contents, Node, children_of, words

# Of two texts, the share of words that must be the same to take one for an edit of the other:
# wherever they stand, and between two neighbours that stayed.
ALIKE: Final = 0.75
ALIKE_IN_PLACE: Final = 0.4
# Pairs of a gap that are all compared; in larger gaps only near ones are.
COMPARED_PAIRS: Final = 900
WINDOW: Final = 12
LISTS: Final = frozenset({"list-ordered", "list-unordered", "list-tasks"})


def match_nodes(base: Sequence[Node], side: Sequence[Node], contents: Contents) -> dict[int, int]:
    """For nodes of `base`, the position of the same node in `side`; each is taken once at most.

    Keys decide where both have them. The rest is compared by content, which finds nodes that
    got new keys, also where they moved. What is left between two that stayed is paired by
    position when it is of one kind and alike, or when nothing else stands there; the rest,
    where it is little, by how alike it is.
    """
    matched = _by_key(base, side)
    if len(matched) < min(len(base), len(side)):
        _by_content(base, side, matched, contents)
    if len(matched) < min(len(base), len(side)):
        for gap in _gaps(len(base), len(side), matched):
            matched.update(_by_position(base, side, gap))
        _moved_and_edited(base, side, matched)
    return matched


def _by_key(base: Sequence[Node], side: Sequence[Node]) -> dict[int, int]:
    places = {node.get("key"): j for j, node in enumerate(side)}
    places.pop(None, None)
    matched: dict[int, int] = {}
    for i, node in enumerate(base):
        j = places.pop(node.get("key"), None)
        if j is not None:
            matched[i] = j
    return matched


def _by_content(
    base: Sequence[Node], side: Sequence[Node], matched: dict[int, int], contents: Contents
) -> None:
    """Adds nodes of equal content: first in place, then those that there is one of in each."""
    taken = set(matched.values())
    left = {i: contents.digest(node) for i, node in enumerate(base) if i not in matched}
    right = {j: contents.digest(node) for j, node in enumerate(side) if j not in taken}
    for gap in _gaps(len(base), len(side), matched):
        pairs = align([left[i] for i in gap.base], [right[j] for j in gap.side])
        matched.update((gap.base[i], gap.side[j]) for i, j in pairs)
    taken = set(matched.values())
    lone = Counter(value for i, value in left.items() if i not in matched)
    lone_right = Counter(value for j, value in right.items() if j not in taken)
    places = {value: j for j, value in right.items() if j not in taken and lone_right[value] == 1}
    for i, value in left.items():
        if i not in matched and lone[value] == 1 and value in places:
            matched[i] = places[value]


@dataclass(frozen=True, slots=True)
class _Gap:
    """Positions without a match between two nodes that stayed in order."""

    base: list[int] = field(default_factory=list)
    side: list[int] = field(default_factory=list)


def _gaps(base_size: int, side_size: int, matched: dict[int, int]) -> Iterator[_Gap]:
    ordered = sorted(matched.items())
    staying = [ordered[position] for position in rising([j for _, j in ordered])]
    taken = set(matched.values())
    low = start = 0
    for i, j in [*staying, (base_size, side_size)]:
        gap = _Gap(
            [n for n in range(low, i) if n not in matched],
            [n for n in range(start, j) if n not in taken],
        )
        if gap.base and gap.side:
            yield gap
        low, start = i + 1, j + 1


def _by_position(base: Sequence[Node], side: Sequence[Node], gap: _Gap) -> list[Pair]:
    left, right = [base[i] for i in gap.base], [side[j] for j in gap.side]
    alike = _best(left, right) if len(left) * len(right) <= COMPARED_PAIRS else _near(left, right)
    pairs: list[Pair] = []
    low = start = 0
    # Between two that are alike: the same number of nodes of the same kinds was written anew.
    for i, j in [*alike, (len(left), len(right))]:
        between, instead = left[low:i], right[start:j]
        if [_kind(node) for node in between] == [_kind(node) for node in instead]:
            pairs.extend((low + n, start + n) for n in range(i - low))
        if i < len(left):
            pairs.append((i, j))
        low, start = i + 1, j + 1
    return [(gap.base[i], gap.side[j]) for i, j in pairs]


def _kind(node: Node) -> tuple[str | None, str | None]:
    return node.get("type"), node.get("fragment")


def _best(left: Sequence[Node], right: Sequence[Node]) -> list[Pair]:
    """Pairs in rising order whose likeness is the greatest in sum."""
    if len(left) == len(right) == 1:
        return [(0, 0)] if _may_be_one(left[0], right[0]) else []
    bags, others = [Counter(words(node)) for node in left], [Counter(words(n)) for n in right]
    score = [[0.0] * (len(right) + 1) for _ in range(len(left) + 1)]
    likeness: dict[Pair, float] = {}
    for i in range(len(left) - 1, -1, -1):
        for j in range(len(right) - 1, -1, -1):
            best = max(score[i + 1][j], score[i][j + 1])
            if _may_be_one(left[i], right[j]):
                alike = shared_words(bags[i], others[j], empty=1)
                if alike >= ALIKE_IN_PLACE:
                    likeness[i, j] = alike
                    best = max(best, alike + score[i + 1][j + 1])
            score[i][j] = best
    pairs: list[Pair] = []
    i = j = 0
    while i < len(left) and j < len(right):
        if (i, j) in likeness and score[i][j] == likeness[i, j] + score[i + 1][j + 1]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif score[i][j] == score[i + 1][j]:
            i += 1
        else:
            j += 1
    return pairs


def _moved_and_edited(base: Sequence[Node], side: Sequence[Node], matched: dict[int, int]) -> None:
    """Adds pairs of nodes that are alike wherever they stand, the most alike first."""
    taken = set(matched.values())
    left = {i: Counter(words(node)) for i, node in enumerate(base) if i not in matched}
    right = {j: Counter(words(node)) for j, node in enumerate(side) if j not in taken}
    if len(left) * len(right) > COMPARED_PAIRS:
        return
    alike = [
        (-shared_words(bag, other, empty=1), i, j)
        for i, bag in left.items()
        for j, other in right.items()
        if bag and _may_be_one(base[i], side[j])
    ]
    for negative, i, j in sorted(alike):
        if -negative >= ALIKE and i not in matched and j not in taken:
            matched[i] = j
            taken.add(j)


def _near(left: Sequence[Node], right: Sequence[Node]) -> list[Pair]:
    """Pairs in rising order, each with the first that is alike among the next few."""
    others = [Counter(words(node)) for node in right]
    pairs: list[Pair] = []
    start = 0
    for i, node in enumerate(left):
        bag = Counter(words(node))
        for j in range(start, min(start + WINDOW, len(right))):
            if (
                _may_be_one(node, right[j])
                and shared_words(bag, others[j], empty=1) >= ALIKE_IN_PLACE
            ):
                pairs.append((i, j))
                start = j + 1
                break
    return pairs


def _may_be_one(left: Node, right: Node) -> bool:
    """Whether one node may be an edited version of the other."""
    if _kind(left) == _kind(right):
        return True
    # A paragraph becomes a heading, one kind of list another.
    if left.get("type") in LISTS and right.get("type") in LISTS:
        return True
    return _holds_text(left) and _holds_text(right)


def _holds_text(node: Node) -> bool:
    children = children_of(node)
    return bool(children) and all(child.get("object") in ("text", "inline") for child in children)
