"""Algorithms that ask for nodes as generators, and who answers them: no I/O in them.

A walk is a generator: it yields the ids it needs next, all of one level at once, and is sent a
mapping from id to bytes. Whoever drives it decides where the bytes come from, so a level costs
one SQL statement and tests run over a dict.
"""

from collections.abc import Generator, Iterable, Mapping
from typing import TypeAlias, TypeVar

from content.merkle.node import Branch, CorruptMapError, Node, Ref, parse_node
from content.recent_cache import RecentCache

T = TypeVar("T")

# The branches that were read most recently, by the number of their references.
BRANCHES: RecentCache[tuple[str, bytes], Branch] = RecentCache(
    20_000, lambda branch: len(branch.children)
)

Walk: TypeAlias = Generator[frozenset[str], Mapping[str, bytes], T]


def load_roots(ids: Iterable[str]) -> Walk[dict[str, Node]]:
    """The nodes of these ids, of which nothing but the id is known."""
    root_ids = frozenset(ids)
    if not root_ids:
        return {}
    nodes = yield root_ids
    return {node_id: _parsed(node_id, nodes.get(node_id)) for node_id in root_ids}


def _parsed(node_id: str, data: bytes | None) -> Node:
    """The node of these bytes. Branches are large, and near the root they are those of everybody:
    they are kept parsed. Leaves are not, for their values are plain JSON that readers may take."""
    if data is None:
        return parse_node(node_id, data)
    branch = BRANCHES.get((node_id, data))
    if branch is not None:
        return branch
    node = parse_node(node_id, data)
    if isinstance(node, Branch):
        BRANCHES.put((node_id, data), node)
    return node


def load(refs: Iterable[Ref]) -> Walk[dict[str, Node]]:
    """The nodes of these references by id, each checked against what its parent says of it."""
    expected = {ref.id: ref for ref in refs}
    nodes = yield from load_roots(expected)
    for node_id, node in nodes.items():
        ref = expected[node_id]
        if (node.first_key, node.size, node.level) != (ref.key, ref.size, ref.level):
            raise CorruptMapError(
                node_id, "its first key, size or level is not what its parent says"
            )
    return nodes
