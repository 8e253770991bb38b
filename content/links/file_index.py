"""Paths of files in a stored map, without reading all of it again.

Nodes of maps never change, so what was made of one is kept: after an edit only the nodes are read
that it has changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from content.links.meaning import FilePaths, Place
from content.merkle.node import Leaf, parse_node
from content.merkle.walk import Walk
from content.recent_cache import RecentCache


@dataclass(slots=True)
class IndexedNode:
    """The paths that a node of a map has, and the nodes below it."""

    paths: FilePaths = field(default_factory=FilePaths)
    below: tuple[str, ...] = ()

    @property
    def weight(self) -> int:
        """The number of paths and references to nodes in it."""
        return 1 + len(self.below) + len(self.paths.places)


Cache = RecentCache[tuple[str, str], IndexedNode]


def indexed_files(roots: Mapping[str, str | None], cache: Cache) -> Walk[list[FilePaths]]:
    """The paths of all things that came from Git, in pieces; `roots` are those of maps by kind."""
    parts: list[FilePaths] = []
    row = [(kind, root) for kind, root in roots.items() if root is not None]
    while row:
        nodes = {key: node for key in row if (node := cache.get(key)) is not None}
        missing = [key for key in row if key not in nodes]
        if missing:
            fetched = yield frozenset(id for _, id in missing)
            for kind, id in missing:
                nodes[kind, id] = _indexed(kind, id, fetched.get(id))
                cache.put((kind, id), nodes[kind, id])
        parts += [nodes[key].paths for key in row if nodes[key].paths.places]
        row = [(key[0], below) for key in row for below in nodes[key].below]
    return parts


def _indexed(kind: str, id: str, data: bytes | None) -> IndexedNode:
    node = parse_node(id, data)
    if not isinstance(node, Leaf):
        return IndexedNode(below=tuple(child.id for child in node.children))
    indexed = IndexedNode()
    for key, entry in node.entries.items():
        git = entry.get("git")
        if isinstance(git, dict):
            indexed.paths.add(kind, str(git.get("path")), key)
    return indexed


def places_at(parts: Sequence[FilePaths], keys: Iterable[str]) -> dict[str, list[Place]]:
    """The places at each path, best rank first; paths without any are left out."""
    places_of: dict[str, list[Place]] = {}
    paths = set(keys)
    for part in parts:
        # Of few keys and many paths the few are gone through, and the other way round.
        for key in part.places.keys() & paths:
            places_of.setdefault(key, []).append(part.places[key])
    return {key: sorted(places) for key, places in places_of.items()}
