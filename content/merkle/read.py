"""Reading stored maps: some keys, all with a prefix, the difference of two.

Root None is the empty map. All of these are walks (see content.merkle.walk); a node that is
missing or damaged raises CorruptMapError.
"""

from collections.abc import Iterable
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
    in_order = sorted(set(keys))
    values: dict[str, Value] = {}
    if root is None or not in_order:
        return values
    roots = yield from load_roots([root])
    row: list[tuple[Node, list[str]]] = [(roots[root], in_order)]
    while row:
        below: dict[Ref, list[str]] = {}
        for node, routed in row:
            if isinstance(node, Leaf):
                values.update((key, node.entries[key]) for key in routed if key in node.entries)
                continue
            for key in routed:
                if (position := node.position(key)) >= 0:
                    below.setdefault(node.children[position], []).append(key)
        nodes = yield from load(below)
        row = [(nodes[ref.id], routed) for ref, routed in below.items()]
    return values


def count(root: str | None) -> Walk[int]:
    """The number of entries; reads the root node only."""
    if root is None:
        return 0
    roots = yield from load_roots([root])
    return roots[root].size


def scan(root: str | None, prefix: str = "") -> Walk[list[tuple[str, Value]]]:
    """The entries whose keys begin with `prefix`, in key order."""
    if root is None:
        return []
    row: list[Node] = list((yield from load_roots([root])).values())
    while True:
        opened: list[Ref | Leaf] = []
        for node in row:
            opened.extend([node] if isinstance(node, Leaf) else _children(node, prefix))
        refs = [item for item in opened if isinstance(item, Ref)]
        if not refs:
            break
        nodes = yield from load(refs)
        row = [nodes[item.id] if isinstance(item, Ref) else item for item in opened]
    return [
        (key, value)
        for leaf in opened
        if isinstance(leaf, Leaf)
        for key, value in leaf.entries.items()
        if key.startswith(prefix)
    ]


def _children(node: Branch, prefix: str) -> list[Ref]:
    """Those below which keys with the prefix may be."""
    children = node.children[max(0, node.position(prefix)) :]
    return [child for child in children if child.key <= prefix or child.key.startswith(prefix)]


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
