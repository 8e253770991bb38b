"""A store of map nodes in memory that notes each fetch, and keys of every height."""

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import TypeVar, cast

from content.merkle.node import Branch, Node, Value
from content.merkle.walk import Walk, load, load_roots
from content.merkle.write import height, update

T = TypeVar("T")


def run(walk: Walk[T], fetch: Callable[[frozenset[str]], Mapping[str, bytes]]) -> T:
    """The result of a walk over a store that answers at once; ids it lacks are left out."""
    try:
        wanted = next(walk)
        while True:
            wanted = walk.send(fetch(wanted))
    except StopIteration as stop:
        return cast(T, stop.value)


def build(items: Mapping[str, Value]) -> tuple[str | None, dict[str, bytes]]:
    """The root (None if there are no items) and all nodes of a new map."""
    return run(update(None, items), lambda ids: {})


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


class Store:
    def __init__(self) -> None:
        self.nodes: dict[str, bytes] = {}
        self.fetches: list[frozenset[str]] = []

    @property
    def fetched(self) -> set[str]:
        return set().union(*self.fetches)

    def fetch(self, ids: frozenset[str]) -> Mapping[str, bytes]:
        assert ids, "a walk asked for nothing"
        self.fetches.append(ids)
        return {node_id: self.nodes[node_id] for node_id in ids if node_id in self.nodes}

    def run(self, walk: Walk[T]) -> T:
        """The result of a walk; `fetches` then holds those of this walk alone."""
        self.fetches = []
        return run(walk, self.fetch)

    def build(self, items: Mapping[str, Value]) -> str | None:
        root, nodes = build(items)
        self.nodes |= nodes
        return root

    def update(self, root: str | None, changes: Mapping[str, Value | None]) -> str | None:
        root, nodes = self.run(update(root, changes))
        self.nodes |= nodes
        return root


@cache
def keys_of_height(wanted: int, many: int) -> tuple[str, ...]:
    """Keys of one height (0 to 3), in no particular order."""
    found: list[str] = []
    number = 0
    while len(found) < many:
        key = f"{number * 7919 % 1000003:06d}"
        if height(key) == wanted:
            found.append(key)
        number += 1
    return tuple(found)


def pages(many: int) -> dict[str, Value]:
    """Entries like the pages of a space, each about 300 bytes of JSON."""
    return {
        f"page_{number * 2654435761 % 2**32:010d}": {
            "title": f"How to configure the thing number {number}",
            "slug": f"how-to-configure-the-thing-number-{number}",
            "parent": f"page_{number // 10:010d}",
            "document": f"{number:020d}",
            "kind": "document",
            "sort": f"V{number}",
            "description": "What it is for, when to use it, and what to look out for." * 2,
        }
        for number in range(many)
    }
