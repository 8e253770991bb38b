"""Reading stored maps: some keys, a range, the difference of two, all node ids.

Root None is the empty map. All of these are walks (see content.merkle.walk); a node that is
missing or damaged raises CorruptMapError.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from content.merkle.node import Branch, Leaf, Node, Ref, Value, canonical
from content.merkle.walk import Walk, load, load_roots


class Change(NamedTuple):
    """One key on which two maps differ; None where it is absent."""

    key: str
    before: Value | None
    after: Value | None


def lookup(root: str | None, keys: Iterable[str]) -> Walk[dict[str, Value]]:
    """The values of these keys, without those that are absent; one fetch per level for all."""
    wanted = sorted(set(keys))
    found: dict[str, Value] = {}
    if root is None or not wanted:
        return found
    roots = yield from load_roots([root])
    row: list[tuple[Node, list[str]]] = [(roots[root], wanted)]
    while row:
        below: dict[Ref, list[str]] = {}
        for node, routed in row:
            if isinstance(node, Leaf):
                found.update((key, node.entries[key]) for key in routed if key in node.entries)
                continue
            for key in routed:
                if (position := node.position(key)) >= 0:
                    below.setdefault(node.children[position], []).append(key)
        nodes = yield from load(below)
        row = [(nodes[ref.id], routed) for ref, routed in below.items()]
    return found


def count(root: str | None) -> Walk[int]:
    """The number of entries; reads the root node only."""
    if root is None:
        return 0
    roots = yield from load_roots([root])
    return roots[root].size


@dataclass(frozen=True, slots=True)
class _Range:
    """Keys from `low` on (or right after it) that start with `prefix`."""

    low: str
    open: bool
    prefix: str

    def above_low(self, key: str) -> bool:
        return key > self.low if self.open else key >= self.low

    def not_past(self, key: str) -> bool:
        return key <= self.prefix or key.startswith(self.prefix)

    def children(self, node: Branch) -> list[Ref]:
        start = max(0, node.position(self.low))
        return [child for child in node.children[start:] if self.not_past(child.key)]

    def entries(self, leaf: Leaf) -> list[tuple[str, Value]]:
        return [
            (key, value)
            for key, value in leaf.entries.items()
            if self.above_low(key) and key.startswith(self.prefix)
        ]

    def first(self, row: Sequence[Ref | Leaf], limit: int | None) -> list[Ref | Leaf]:
        """As much of the row as may be needed for `limit` entries."""
        if limit is None:
            return list(row)
        kept: list[Ref | Leaf] = []
        for item in row:
            if limit <= 0:
                break
            kept.append(item)
            if isinstance(item, Leaf):
                limit -= len(self.entries(item))
            elif self.above_low(item.key):
                # All of its entries are in range, unless the range ends in it: then it is the last.
                limit -= item.size
        return kept


def scan(
    root: str | None,
    start: str | None = None,
    prefix: str | None = None,
    after: str | None = None,
    limit: int | None = None,
) -> Walk[list[tuple[str, Value]]]:
    """Entries in key order: from `start`, behind `after`, with `prefix`, at most `limit`.

    All bounds given must hold. The next page is `after` the last key of this one. ValueError
    for a negative limit.
    """
    if limit is not None and limit < 0:
        raise ValueError(f"limit: {limit} is negative; it must be 0 or more, or None for all")
    if root is None or limit == 0:
        return []
    low = max(start or "", prefix or "", after or "")
    bounds = _Range(low, after is not None and after == low, prefix or "")
    row: list[Node] = list((yield from load_roots([root])).values())
    while True:
        opened: list[Ref | Leaf] = []
        for node in row:
            opened.extend([node] if isinstance(node, Leaf) else bounds.children(node))
        opened = bounds.first(opened, limit)
        refs = [item for item in opened if isinstance(item, Ref)]
        if not refs:
            break
        nodes = yield from load(refs)
        row = [nodes[item.id] if isinstance(item, Ref) else item for item in opened]
    leaves = [item for item in opened if isinstance(item, Leaf)]
    return [entry for leaf in leaves for entry in bounds.entries(leaf)][:limit]


@dataclass(slots=True)
class _Side:
    """One of two maps under comparison: nodes yet to open, and entries of opened leaves."""

    refs: dict[str, Ref] = field(default_factory=dict)
    entries: dict[str, Value] = field(default_factory=dict)

    def add(self, node: Node) -> None:
        if isinstance(node, Leaf):
            self.entries.update(node.entries)
        else:
            self.refs.update((child.id, child) for child in node.children)


def diff(a: str | None, b: str | None) -> Walk[list[Change]]:
    """What changes from map `a` to map `b`, in key order; opens only nodes that are not in both."""
    if a == b:
        return []
    left, right = _Side(), _Side()
    roots = yield from load_roots(root for root in (a, b) if root is not None)
    if a is not None:
        left.add(roots[a])
    if b is not None:
        right.add(roots[b])
    while True:
        # A node has the same id in both only if it holds the same entries.
        for shared in left.refs.keys() & right.refs.keys():
            del left.refs[shared], right.refs[shared]
        refs = [*left.refs.values(), *right.refs.values()]
        if not refs:
            break
        # The highest level first: maps of unlike height meet on the level that both have.
        top = max(ref.level for ref in refs)
        nodes = yield from load(ref for ref in refs if ref.level == top)
        for node_id, node in nodes.items():
            side = left if node_id in left.refs else right
            del side.refs[node_id]
            side.add(node)
    changes = []
    for key in sorted(left.entries.keys() | right.entries.keys()):
        before, after = left.entries.get(key), right.entries.get(key)
        # Compared as stored: in Python 1 equals true.
        if canonical(before) != canonical(after):
            changes.append(Change(key, before, after))
    return changes


def reachable(root: str | None) -> Walk[frozenset[str]]:
    """The ids of all nodes of a map; reads, and thereby verifies, every one of them."""
    if root is None:
        return frozenset()
    found = {root}
    row: Iterable[Node] = (yield from load_roots([root])).values()
    while refs := [child for node in row if isinstance(node, Branch) for child in node.children]:
        found.update(ref.id for ref in refs)
        row = (yield from load(refs)).values()
    return frozenset(found)
