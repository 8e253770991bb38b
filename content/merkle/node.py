"""The nodes of a stored map, and their bytes.

    {"entries": {key: value, ...}}                              a leaf, level 0
    {"children": {first key: [id, size], ...}, "level": n}     a branch over nodes of level n - 1
    {"level": n, "pieces": {first key: [id, size], ...}}       a node of level n too long for one

JSON with sorted keys and no spaces, so that equal content has equal bytes and therefore equal ids.
"""

from bisect import bisect_right
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, ClassVar, NamedTuple, TypeAlias

import orjson

from content.hashing import content_id

Value: TypeAlias = dict[str, Any]
"""A small JSON object."""


class CorruptMapError(Exception):
    """A node of a map is missing, or is not what its id or its parent says."""

    def __init__(self, node_id: str, problem: str) -> None:
        super().__init__(f"map node {node_id}: {problem}")
        self.node_id = node_id


class Ref(NamedTuple):
    """A reference to a child node: first key, id, size (number of entries), level."""

    key: str
    id: str
    size: int
    level: int


@dataclass(frozen=True, slots=True)
class Leaf:
    """Up to 256 entries, in key order."""

    entries: dict[str, Value]
    level: ClassVar[int] = 0

    @property
    def first_key(self) -> str:
        return next(iter(self.entries))

    @property
    def size(self) -> int:
        return len(self.entries)

    def encode(self) -> bytes:
        return canonical({"entries": self.entries})


@dataclass(frozen=True, slots=True)
class Branch:
    """References to nodes in key order: of the level below, or to the pieces of this one."""

    level: int
    children: list[Ref]
    in_pieces: bool = False

    @property
    def first_key(self) -> str:
        return self.children[0].key

    @property
    def size(self) -> int:
        return sum(child.size for child in self.children)

    def position(self, key: str) -> int:
        """Index of the only child that may hold this key; -1 if it is below all of them."""
        return bisect_right(self.children, key, key=attrgetter("key")) - 1

    def encode(self) -> bytes:
        children = {child.key: [child.id, child.size] for child in self.children}
        return canonical(
            {"pieces" if self.in_pieces else "children": children, "level": self.level}
        )


Node: TypeAlias = Leaf | Branch


def canonical(value: object) -> bytes:
    """The one JSON form of a value; TypeError if it has none."""
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)


def parse_node(node_id: str, data: bytes | None) -> Node:
    """The node of these bytes; CorruptMapError if they are absent, altered or not a node."""
    if data is None:
        raise CorruptMapError(node_id, "it is missing from the store")
    if content_id(data) != node_id:
        raise CorruptMapError(node_id, "its bytes do not match its id")
    try:
        form = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise CorruptMapError(node_id, f"it is not JSON ({error})") from error
    match form:
        case {"entries": dict(items)} if items and all(type(v) is dict for v in items.values()):
            node: Node = Leaf(items)
        case {"children": dict(items), "level": int(level)} if items and level >= 1:
            node = Branch(level, _children(node_id, items, level - 1))
        case {"pieces": dict(items), "level": int(level)} if len(items) > 1 and level >= 0:
            node = Branch(level, _children(node_id, items, level), in_pieces=True)
        case _:
            raise CorruptMapError(node_id, "it is not a node of a map")
    keys = list(items)
    if keys != sorted(keys):
        raise CorruptMapError(node_id, "its keys are not in order")
    return node


def _children(node_id: str, items: dict[str, Any], level: int) -> list[Ref]:
    children = []
    for key, pair in items.items():
        match pair:
            case [str(child_id), int(size)] if size > 0:
                children.append(Ref(key, child_id, size, level))
            case _:
                raise CorruptMapError(node_id, f"its reference at key {key!r} is not [id, size]")
    return children
