"""Texts that one side split or joined while the other edited them: merged as one text.

Each group of neighbouring texts becomes one text for the merge, in which an inline stands before
each block and says what block it is. To split or to join is then an edit of those inlines.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final

from content.merge.matching import match_nodes
from content.merge.nodes import WORD, Contents, Node, children_of
from content.merge.texts import merge_texts
from content.merge.tokens import OverlapError

# Share of the words of a part that must come from the whole, and of the whole that the parts
# must have, to take them for a split text.
FROM_WHOLE: Final = 0.6
START: Final = "\0start"
TEXT_KINDS: Final = frozenset({"paragraph", "heading-1", "heading-2", "heading-3"})


@dataclass(slots=True)
class Regrouped:
    """The three lists, in which one placeholder stands for each merged group of texts."""

    base: list[Node]
    ours: list[Node]
    theirs: list[Node]
    merged: dict[str, list[Node]] = field(default_factory=dict)
    """The merged blocks by the key of their placeholder."""

    def filled(self, nodes: list[Node]) -> list[Node]:
        """The nodes with the merged blocks in place of the placeholders."""
        if not self.merged:
            return nodes
        filled: list[Node] = []
        for node in nodes:
            filled += self.merged.get(str(node.get("key")), [node])
        return filled


def regrouped(
    base: list[Node], ours: list[Node], theirs: list[Node], contents: Contents
) -> Regrouped:
    """The lists with what one side split or joined, and both changed, merged where it can be."""
    lists = Regrouped(base, ours, theirs)
    if not any(map(_text_of, base)) or not any(map(_text_of, ours)):
        return lists
    bags = _Bags()
    sides = [_Side(base, side, contents, bags) for side in (ours, theirs)]
    if not (sides[0].groups or sides[1].groups):
        return lists
    replaced: list[tuple[_Range, _Range, _Range]] = []
    for low, high in _united([*sides[0].groups, *sides[1].groups]):
        ranges = [side.range_of(low, high) for side in sides]
        if ranges[0] is None or ranges[1] is None:
            continue
        parts = base[low:high], ours[slice(*ranges[0])], theirs[slice(*ranges[1])]
        if any(_same_lists(parts[0], part, contents) for part in parts[1:]):
            continue
        if (blocks := _merged(*parts)) is not None:
            key = f"\0group{len(replaced)}"
            lists.merged[key] = blocks
            replaced.append(((low, high), ranges[0], ranges[1]))
    places = [{"object": "block", "type": START, "key": key, "data": {}} for key in lists.merged]
    contents.hold(places)
    lists.base = _with_placeholders(base, [r[0] for r in replaced], places)
    lists.ours = _with_placeholders(ours, [r[1] for r in replaced], places)
    lists.theirs = _with_placeholders(theirs, [r[2] for r in replaced], places)
    return lists


_Range = tuple[int, int]


def _with_placeholders(
    nodes: list[Node], ranges: list[_Range], placeholders: list[Node]
) -> list[Node]:
    if not ranges:
        return nodes
    result: list[Node] = []
    at = 0
    for (low, high), number in sorted(zip(ranges, range(len(ranges)), strict=True)):
        result += [*nodes[at:low], placeholders[number]]
        at = high
    return result + nodes[at:]


def _same_lists(left: list[Node], right: list[Node], contents: Contents) -> bool:
    return len(left) == len(right) and all(map(contents.same, left, right))


def _text_of(node: Node) -> Node | None:
    """The block whose text a node is: a paragraph or heading, or the only one of an item."""
    if node.get("type") == "list-item":
        inner = children_of(node)
        return _text_of(inner[0]) if len(inner) == 1 and _is_plain(inner[0]) else None
    return node if _is_plain(node) else None


def _is_plain(node: Node) -> bool:
    return node.get("type") in TEXT_KINDS and not node.get("fragments")


class _Bags:
    """The words of texts, each counted once."""

    def __init__(self) -> None:
        self._bags: dict[int, Counter[str]] = {}

    def of(self, node: Node) -> Counter[str]:
        bag = self._bags.get(id(node))
        if bag is None:
            text = _text_of(node)
            bag = Counter() if text is None else Counter(_words(text))
            self._bags[id(node)] = bag
        return bag


def _words(node: Node) -> Iterator[str]:
    for child in children_of(node):
        for leaf in child.get("leaves") or []:
            yield from WORD.findall(leaf.get("text", ""))
        yield from _words(child)


def _shared(left: Counter[str], right: Counter[str]) -> int:
    small, large = (left, right) if len(left) <= len(right) else (right, left)
    return sum(min(count, large[word]) for word, count in small.items() if word in large)


def _take(rest: Counter[str], part: Counter[str]) -> None:
    """Take the words of a part out of what is left of the whole; in time of the part."""
    for word, count in part.items():
        if (left := rest.get(word)) is not None:
            if left > count:
                rest[word] = left - count
            else:
                del rest[word]


class _Side:
    """How the texts of one side come from those of base."""

    def __init__(self, base: list[Node], side: list[Node], contents: Contents, bags: _Bags) -> None:
        self._matched = match_nodes(base, side, contents)
        self._inverse = {j: i for i, j in self._matched.items()}
        self.groups: list[_Range] = []
        """Ranges of base that a split or a join is about."""
        self._parts: dict[int, set[int]] = {}
        if len(self._matched) == len(base) == len(side):
            return
        for i, low, high in _splits(base, side, self._matched, self._inverse, bags):
            self.groups.append((i, i + 1))
            self._parts.setdefault(i, set()).update(range(low, high))
        for j, low, high in _splits(side, base, self._inverse, self._matched, bags):
            self.groups.append((low, high))
            for i in range(low, high):
                self._parts.setdefault(i, set()).add(j)

    def range_of(self, low: int, high: int) -> _Range | None:
        """What the blocks `low` to `high` of base are in the side, when they stand together."""
        positions: list[list[int]] = []
        for i in range(low, high):
            parts = self._parts.get(i)
            if parts is None:
                if i not in self._matched:
                    return None
                parts = {self._matched[i]}
            positions.append(sorted(parts))
        together = sorted({j for parts in positions for j in parts})
        rising = all(previous[-1] <= following[0] for previous, following in pairwise(positions))
        if not rising or together[-1] - together[0] + 1 != len(together):
            return None
        return together[0], together[-1] + 1


def _splits(
    wholes: Sequence[Node],
    parts: Sequence[Node],
    matched: Mapping[int, int],
    inverse: Mapping[int, int],
    bags: _Bags,
) -> Iterator[tuple[int, int, int]]:
    """Positions of texts of `wholes`, each with the range of `parts` that it was cut into."""
    taken = 0
    start = 0
    for i, whole in enumerate(wholes):
        j = matched.get(i)
        if j is not None:
            start = j + 1
        bag = bags.of(whole)
        if not bag:
            continue
        low = high = max(start, taken) if j is None else j
        rest = bag.copy()
        if j is not None:
            _take(rest, bags.of(parts[j]))
            high = j + 1
            while low > taken and _is_part(low - 1, parts, inverse, rest, bags):
                low -= 1
                _take(rest, bags.of(parts[low]))
        while high < len(parts) and _is_part(high, parts, inverse, rest, bags):
            _take(rest, bags.of(parts[high]))
            high += 1
        if high - low > 1 and rest.total() <= (1 - FROM_WHOLE) * bag.total():
            yield i, low, high
            taken = high


def _is_part(
    position: int,
    parts: Sequence[Node],
    inverse: Mapping[int, int],
    rest: Counter[str],
    bags: _Bags,
) -> bool:
    bag = bags.of(parts[position])
    return position not in inverse and bool(bag) and _shared(bag, rest) >= FROM_WHOLE * bag.total()


def _united(ranges: list[_Range]) -> list[_Range]:
    """The ranges, those that overlap as one."""
    united: list[_Range] = []
    for low, high in sorted(ranges):
        if united and low < united[-1][1]:
            united[-1] = united[-1][0], max(united[-1][1], high)
        else:
            united.append((low, high))
    return united


def _merged(base: list[Node], ours: list[Node], theirs: list[Node]) -> list[Node] | None:
    """The blocks of a group with the edits of both; None where they meet."""
    if any(_text_of(node) is None for node in (*base, *ours, *theirs)):
        return None
    texts = [_as_one(nodes) for nodes in (base, ours, theirs)]
    try:
        merged = merge_texts(*texts, seed=f"group/{base[0].get('key')}")
    except OverlapError:
        return None
    blocks: list[Node] = []
    shell, children = None, []
    for node in [*merged, _start({})]:
        if node.get("type") != START:
            children.append(node)
            continue
        if shell is None and children:
            # What stood before the first block: its start was replaced.
            return None
        if shell is not None and any(map(_is_content, children)):
            blocks.append(_filled(shell, children))
        shell, children = node["shell"], []
    return blocks or None


def _as_one(nodes: list[Node]) -> list[Node]:
    children: list[Node] = []
    for node in nodes:
        children.append(_start(node))
        children += children_of(_text_of(node) or {})
    return children


def _start(shell: Node) -> Node:
    """The inline that begins a block; what it compares by is in its data."""
    text = (_text_of(shell) or {}) if shell else {}
    data: dict[str, Any] = {
        "type": shell.get("type"),
        "data": shell.get("data") or {},
        "text": [text.get("type"), text.get("data") or {}],
    }
    return {"object": "inline", "type": START, "data": data, "shell": shell}


def _is_content(node: Node) -> bool:
    return node.get("object") != "text" or any(leaf["text"].strip() for leaf in node["leaves"])


def _filled(shell: Node, children: list[Node]) -> Node:
    if shell.get("type") == "list-item":
        (inner,) = children_of(shell)
        return {**shell, "nodes": [{**inner, "nodes": children}]}
    return {**shell, "nodes": children}
