"""Which blocks of three lists are the same, and their order in the merged one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from content.merge.alignment import align
from content.merge.matching import match_nodes
from content.merge.nodes import Contents, Node
from content.merge.sequences import merge_order


@dataclass(eq=False, slots=True)
class Element:
    """One block in up to three versions."""

    base: Node | None = None
    ours: Node | None = None
    theirs: Node | None = None


def paired(
    base: Sequence[Node], ours: Sequence[Node], theirs: Sequence[Node], contents: Contents
) -> list[Element]:
    """The blocks that stay, in their merged order, each with its versions."""
    lists = _all(base, ours, theirs, contents)
    return merge_order(*lists, kept=lambda element: _is_kept(element, contents))


def _is_kept(element: Element, contents: Contents) -> bool:
    """Whether a block stays: new, in both, or removed on one side and changed on the other."""
    if element.base is None or (element.ours is not None and element.theirs is not None):
        return True
    rest = element.ours if element.ours is not None else element.theirs
    return rest is not None and not contents.same(element.base, rest)


def _all(
    base: Sequence[Node], ours: Sequence[Node], theirs: Sequence[Node], contents: Contents
) -> tuple[list[Element], list[Element], list[Element]]:
    """The three lists with one element for what is the same block."""
    old = [Element(base=node) for node in base]
    right: list[Element | None] = [None] * len(theirs)
    left: list[Element | None] = [None] * len(ours)
    for i, k in match_nodes(base, theirs, contents).items():
        old[i].theirs, right[k] = theirs[k], old[i]
    for i, j in match_nodes(base, ours, contents).items():
        old[i].ours, left[j] = ours[j], old[i]
    for j, k in _added_by_both(ours, left, theirs, right, contents):
        left[j] = right[k] = Element(ours=ours[j], theirs=theirs[k])
    return (
        old,
        [element or Element(ours=node) for element, node in zip(left, ours, strict=True)],
        [element or Element(theirs=node) for element, node in zip(right, theirs, strict=True)],
    )


def _added_by_both(
    ours: Sequence[Node],
    left: Sequence[Element | None],
    theirs: Sequence[Node],
    right: Sequence[Element | None],
    contents: Contents,
) -> list[tuple[int, int]]:
    """New blocks that are one: those with one key, and equal ones behind the same block."""
    keys = {node.get("key"): k for k, node in enumerate(theirs) if right[k] is None}
    keys.pop(None, None)
    pairs = [
        (j, keys[node.get("key")])
        for j, node in enumerate(ours)
        if left[j] is None and node.get("key") in keys
    ]
    taken = {j for j, _ in pairs}, {k for _, k in pairs}
    runs = _runs(left, taken[0]), _runs(right, taken[1])
    for before, places in runs[0].items():
        others = runs[1].get(before, [])
        if others:
            found = align(
                [contents.digest(ours[j]) for j in places],
                [contents.digest(theirs[k]) for k in others],
            )
            pairs.extend((places[i], others[n]) for i, n in found)
    return pairs


def _runs(side: Sequence[Element | None], taken: set[int]) -> dict[Element | None, list[int]]:
    """Positions of new blocks by the block before them that base has."""
    runs: dict[Element | None, list[int]] = {}
    before: Element | None = None
    for position, element in enumerate(side):
        if element is not None:
            before = element
        elif position not in taken:
            runs.setdefault(before, []).append(position)
    return runs
