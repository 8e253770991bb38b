"""Writing maps: all of one, or the few nodes in which a changed one differs.

Equal content has the same root whatever the order of the changes that led to it. ValueError for
a key or value that cannot be stored.

A sequence of keys is cut into nodes by a function of the keys alone. Every key has a height drawn
from its SHA-256. A key of height h starts a new node on each of the levels 0 to h - 1, so neither a
value nor the order of earlier edits can move a cut. One key in 32 has height 1 or more, and each
further level keeps one in 64 of those.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Final, TypeVar

import orjson

from content.hashing import content_id
from content.merkle.node import (
    Branch,
    CorruptMapError,
    Leaf,
    Node,
    Ref,
    Value,
    canonical,
    parse_node,
)
from content.merkle.walk import Walk, load, load_roots

LEAF_BITS: Final = 5
BRANCH_BITS: Final = 6
RUN_LIMIT: Final = 256


def height(key: str) -> int:
    """The number of levels on which this key starts a node: 0 for most keys, at most 10."""
    number = int.from_bytes(sha256(key.encode()).digest()[-8:])
    zeros = (number & -number).bit_length() - 1 if number else 64
    return 0 if zeros < LEAF_BITS else 1 + (zeros - LEAF_BITS) // BRANCH_BITS


def runs(level: int, keys: Iterable[str]) -> list[list[str]]:
    """The sorted keys of one level, cut before each key that is higher than the level."""
    runs_of_keys: list[list[str]] = []
    for key in keys:
        if not runs_of_keys or height(key) > level:
            runs_of_keys.append([])
        runs_of_keys[-1].append(key)
    return runs_of_keys


def pieces(run: Sequence[str]) -> list[Sequence[str]]:
    """A run as pieces of at most 256 keys, at least 64 each when there are several.

    Chosen keys could make a run of any length. A long one is cut at the key with the lowest
    hash of its middle half, then each side again: the set of keys alone decides, sizes have
    bounds whatever the keys are, and ordinary edits leave most cuts where they were.
    """
    if len(run) <= RUN_LIMIT:
        return [run]
    hashes = [sha256(key.encode()).digest() for key in run]

    def cut(start: int, end: int) -> list[Sequence[str]]:
        size = end - start
        if size <= RUN_LIMIT:
            return [run[start:end]]
        middle = range(start + size // 4, end - size // 4)
        at = min(middle, key=hashes.__getitem__)
        return cut(start, at) + cut(at, end)

    return cut(0, len(run))


P = TypeVar("P")


def update(
    root: str | None, changes: Mapping[str, Value | None]
) -> Walk[tuple[str | None, dict[str, bytes]]]:
    """The root of a map with these values set (None deletes), and the nodes the old one lacks."""
    _check(changes)
    if root is None:
        return _built(_applied({}, changes))
    if not changes:
        return root, {}
    old = yield from _affected(root, changes)
    nodes: dict[str, bytes] = {}
    chunks = _chunks(0, _applied(old.entries, changes), Leaf, nodes)
    for level in range(1, old.level + 1):
        # A chunk is an entry of the level above, under its first key: gone, changed or new.
        edits = {**dict.fromkeys(old.chunks[level - 1]), **chunks}
        chunks = _chunks(level, _applied(old.children[level], edits), _branch(level), nodes)
    new_root = _grow(old.level, chunks, nodes)
    if new_root is not None and new_root != root:
        new_root = yield from _shrink(new_root, nodes)
    return new_root, {node_id: data for node_id, data in nodes.items() if node_id not in old.ids}


def _built(items: Mapping[str, Value]) -> tuple[str | None, dict[str, bytes]]:
    nodes: dict[str, bytes] = {}
    return _grow(0, _chunks(0, items, Leaf, nodes), nodes), nodes


def _check(changes: Mapping[str, Value | None]) -> None:
    for key, value in changes.items():
        try:
            key.encode()
        except UnicodeEncodeError as error:
            raise ValueError(
                f"key {key!r}: not valid Unicode; lone surrogates are refused"
            ) from error
        if value is None:
            continue
        try:
            # In two lists, because a node nests its values that much deeper.
            same = isinstance(value, dict) and orjson.loads(canonical([[value]])) == [[value]]
        except TypeError as error:
            raise ValueError(f"value of key {key!r}: cannot be stored as JSON: {error}") from error
        if not same:
            raise ValueError(
                f"value of key {key!r}: must be a JSON object of strings, finite numbers, "
                "booleans, nulls, lists and objects"
            )


@dataclass(slots=True)
class _Affected:
    """All that some changes can alter in a map, level by level."""

    level: int
    ids: set[str]
    entries: dict[str, Value] = field(default_factory=dict)
    children: dict[int, dict[str, Ref]] = field(default_factory=dict)
    chunks: dict[int, list[str]] = field(default_factory=dict)
    """First keys of the affected chunks of each level."""


def _affected(root: str, changes: Mapping[str, Value | None]) -> Walk[_Affected]:
    """The chunks on the way to each key, and to the one before a key that starts chunks and goes.

    What stays of a chunk that loses its first key joins the chunk on its left, so this is
    everything the changes can reach, on every level.
    """
    keys = sorted(changes)
    joining = [key for key in keys if changes[key] is None and height(key)]
    top = (yield from load_roots([root]))[root]
    affected = _Affected(top.level, {root})
    row: list[Node] = [top]
    for level in range(top.level, -1, -1):
        affected.chunks[level] = [node.first_key for node in row]
        below: list[Ref] = []
        for node in (yield from _unsplit(row, affected.ids)):
            if isinstance(node, Leaf):
                affected.entries.update(node.entries)
            else:
                below.extend(node.children)
        if level == 0:
            break
        affected.children[level] = {child.key: child for child in below}
        starts = [child.key for child in below]
        routes = {max(0, bisect_right(starts, key) - 1) for key in keys}
        routes.update(bisect_left(starts, key) - 1 for key in joining)
        refs = [below[position] for position in sorted(routes) if position >= 0]
        nodes = yield from load(refs)
        affected.ids.update(nodes)
        row = [nodes[ref.id] for ref in refs]
    return affected


def _unsplit(row: list[Node], ids: set[str]) -> Walk[list[Node]]:
    """The row with its pieces in place of each node that is in pieces; adds their ids to `ids`."""
    opened = yield from load(
        piece
        for node in row
        if isinstance(node, Branch) and node.in_pieces
        for piece in node.children
    )
    ids.update(opened)
    whole: list[Node] = []
    for node in row:
        if isinstance(node, Branch) and node.in_pieces:
            whole.extend(opened[piece.id] for piece in node.children)
        else:
            whole.append(node)
    for piece_id, piece in opened.items():
        if isinstance(piece, Branch) and piece.in_pieces:
            raise CorruptMapError(piece_id, "it is a piece that is in pieces itself")
    return whole


def _applied(items: Mapping[str, P], edits: Mapping[str, P | None]) -> dict[str, P]:
    return {key: item for key, item in {**items, **edits}.items() if item is not None}


def _branch(level: int) -> Callable[[dict[str, Ref]], Branch]:
    return lambda children: Branch(level, list(children.values()))


def _chunks(
    level: int,
    items: Mapping[str, P],
    make: Callable[[dict[str, P]], Node],
    nodes: dict[str, bytes],
) -> dict[str, Ref]:
    """The items of a level as chunks by first key; their bytes are added to `nodes`."""
    chunks = {}
    for run in runs(level, sorted(items)):
        refs = [_put(make({key: items[key] for key in piece}), nodes) for piece in pieces(run)]
        chunks[run[0]] = refs[0] if len(refs) == 1 else _put(Branch(level, refs, True), nodes)
    return chunks


def _put(node: Node, nodes: dict[str, bytes]) -> Ref:
    data = node.encode()
    node_id = content_id(data)
    nodes[node_id] = data
    return Ref(node.first_key, node_id, node.size, node.level)


def _grow(level: int, chunks: dict[str, Ref], nodes: dict[str, bytes]) -> str | None:
    """The root over all chunks of a level; as many levels are added as it takes."""
    while len(chunks) > 1:
        level += 1
        chunks = _chunks(level, chunks, _branch(level), nodes)
    return next((ref.id for ref in chunks.values()), None)


def _shrink(root: str, nodes: dict[str, bytes]) -> Walk[str]:
    """The lowest node that holds everything: a root with a single child is not needed."""
    while True:
        if root in nodes:
            node = parse_node(root, nodes[root])
        else:
            node = (yield from load_roots([root]))[root]
        if isinstance(node, Leaf) or node.in_pieces or len(node.children) > 1:
            return root
        nodes.pop(root, None)
        root = node.children[0].id
