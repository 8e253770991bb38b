"""Nodes of documents in a merge: compared without their keys, copied, found by key, replaced."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import cached_property
from hashlib import blake2b
from itertools import islice
from typing import Any, Final, TypeAlias, TypeVar

import orjson

from content.documents.nodes import child_lists, walk
from content.hashing import content_id

T = TypeVar("T")
Node: TypeAlias = dict[str, Any]
"""A node of a document; see content-model of documents: object, type, key, data, nodes ..."""

EMPTY_DOCUMENT: Node = {"object": "document", "data": {}, "nodes": []}
_CHILD_LISTS = ("nodes", "fragments")
# What a node is, apart from its key, its children and what is worked out for display.
_OWN = ("object", "type", "fragment", "data", "leaves")
WORD: Final = re.compile(r"\w+")
# So much of a node is looked at to see how alike it is.
WORDS: Final = 400
CHARACTERS: Final = 4000


def canonical(value: object) -> bytes:
    """JSON with sorted keys: equal bytes for equal values, and 1 is not true."""
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)


def digest(node: Node) -> bytes:
    """The same 16 bytes for nodes of equal content, whatever their keys."""
    return Contents().digest(node)


def same(first: Node | None, second: Node | None) -> bool:
    """Whether two nodes or documents have equal content; None is equal to None only.

    Looks no further than to the first difference.
    """
    return Contents().same(first, second)


def _own_bytes(node: Node) -> bytes:
    return canonical([node.get(name) or None for name in _OWN])


def _same_own(first: Node, second: Node) -> bool:
    for name in _OWN:
        left, right = first.get(name) or None, second.get(name) or None
        # In Python 1 equals true.
        if left is not right and (left != right or canonical(left) != canonical(right)):
            return False
    return True


def same_nodes(first: list[Node], second: list[Node]) -> bool:
    """Whether two lists of nodes have equal content."""
    contents = Contents()
    return len(first) == len(second) and all(map(contents.same, first, second))


def children_of(node: Node) -> list[Node]:
    """The child nodes of a node, without its fragments."""
    return node.get("nodes") or []


def words(node: Node) -> list[str]:
    """The words that a node shows, and those in its data: some hundreds at the beginning."""
    words_of: list[str] = []
    for part in islice(walk([node]), WORDS):
        for leaf in part.get("leaves") or []:
            words_of.extend(WORD.findall(leaf.get("text", "")[:CHARACTERS]))
        if part.get("data"):
            words_of.extend(
                WORD.findall(orjson.dumps(part["data"])[:CHARACTERS].decode("utf-8", "ignore"))
            )
        if len(words_of) >= WORDS:
            break
    return words_of


class Contents:
    """Compares nodes of one merge; what was compared once is known then.

    Nodes are known by their identity, so they must live as long as this.
    """

    def __init__(self) -> None:
        self._same: dict[tuple[int, int], bool] = {}
        self._digests: dict[int, bytes] = {}
        self._held: list[list[Node]] = []

    def hold(self, *lists: list[Node]) -> None:
        """Have nodes that were made on the way live as long as this."""
        self._held += lists

    def digest(self, node: Node) -> bytes:
        """Like `digest`, each node once."""
        digest_of = self._digests.get(id(node))
        if digest_of is None:
            # Those of all below come with it: a merge goes down and asks for them next.
            parts = [_own_bytes(node)]
            for name in _CHILD_LISTS:
                children = node.get(name) or []
                parts.append(b"%d;" % len(children))
                for child in children:
                    parts.append(self.digest(child))
            digest_of = self._digests[id(node)] = blake2b(b"".join(parts), digest_size=16).digest()
        return digest_of

    def same(self, first: Node | None, second: Node | None) -> bool:
        """Like `same`, each pair once."""
        if first is None or second is None or first is second:
            return first is second
        pair = id(first), id(second)
        equal = self._same.get(pair)
        if equal is None:
            equal = self._same[pair] = self._compared(first, second)
        return equal

    def _compared(self, first: Node, second: Node) -> bool:
        if not _same_own(first, second):
            return False
        for name in _CHILD_LISTS:
            left, right = first.get(name) or [], second.get(name) or []
            if len(left) != len(right):
                return False
            for child, partner in zip(left, right, strict=True):
                if not self.same(child, partner):
                    return False
        return True


def derived_key(*parts: object) -> str:
    """A key of 20 base-62 characters that follows from these values."""
    return content_id(canonical(list(parts)))


def copy_with_keys(node: Node, seed: str) -> Node:
    """A copy in which every key is another one, which follows from the old one and the seed."""
    copied = dict(node)
    if "key" in node:
        copied["key"] = derived_key("copy", seed, node["key"])
    for name in _CHILD_LISTS:
        if name in node:
            copied[name] = [copy_with_keys(child, seed) for child in node[name]]
    return copied


class UniqueKeys:
    """Gives nodes whose key is missing or taken another one; others stay the objects they are."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._taken: set[str] = set()
        self.changed: dict[int, Node] = {}
        """What stands for a node now, by the identity of the node that was given."""

    def nodes(self, nodes: list[Node]) -> list[Node]:
        """The nodes with keys that occur nowhere else among all that were given so far."""
        return [self._node(node) for node in nodes]

    def _node(self, node: Node) -> Node:
        result = node
        key = node.get("key")
        if not isinstance(key, str) or key in self._taken:
            number = 0
            while (fresh := derived_key("unique", self._seed, key, number)) in self._taken:
                number += 1
            result = {**node, "key": fresh}
            key = fresh
        self._taken.add(key)
        for name in _CHILD_LISTS:
            children = node.get(name)
            if children:
                new_children = self.nodes(children)
                if any(a is not b for a, b in zip(new_children, children, strict=True)):
                    result = {**result, name: new_children} if result is node else result
                    result[name] = new_children
        if result is not node:
            self.changed[id(node)] = result
        return result


class Indexed(Node):
    """A document that nobody changes, in which many things are looked up: each is found once."""

    @cached_property
    def by_key(self) -> dict[str | None, Node]:
        """The first node of each key."""
        nodes: dict[str | None, Node] = {}
        for node in walk(self["nodes"]):
            nodes.setdefault(node.get("key"), node)
        return nodes

    @cached_property
    def parents(self) -> dict[str | None, Node]:
        """The node in whose children the first one of each key stands."""
        parents: dict[str | None, Node] = {}
        for node in walk(self["nodes"]):
            for children in child_lists(node):
                for child in children:
                    parents.setdefault(child.get("key"), node)
        return parents

    @cached_property
    def _cached(self) -> dict[Hashable, Any]:
        return {}

    def once(self, key: Hashable, work: Callable[[], T]) -> T:
        """What `work` finds in the document, worked out once for a key."""
        if key not in self._cached:
            self._cached[key] = work()
        result: T = self._cached[key]
        return result


def find(document: Node, key: str | None) -> Node | None:
    """The node with this key; None when there is none."""
    if key is None:
        return None
    if isinstance(document, Indexed):
        return document.by_key.get(key)
    return next((node for node in walk(document["nodes"]) if node.get("key") == key), None)


def parent_of(document: Node, key: str) -> Node | None:
    """The node in whose children the one with this key stands; None at the top or nowhere."""
    if isinstance(document, Indexed):
        return document.parents.get(key)
    nodes: list[Node] = document["nodes"]
    for node in walk(nodes):
        if any(child.get("key") == key for children in child_lists(node) for child in children):
            return node
    return None


def replaced(document: Node, instead: Mapping[str, Sequence[Node]]) -> Node:
    """The document with these nodes, by key, in place of the ones that have the keys."""
    return {**document, "nodes": _replaced(document["nodes"], instead)}


def _replaced(nodes: list[Node], instead: Mapping[str, Sequence[Node]]) -> list[Node]:
    result: list[Node] = []
    for node in nodes:
        key: Any = node.get("key")
        if key in instead:
            result.extend(instead[key])
            continue
        for name in _CHILD_LISTS:
            children = node.get(name)
            if children:
                new_children = _replaced(children, instead)
                if len(new_children) != len(children) or any(
                    a is not b for a, b in zip(new_children, children, strict=True)
                ):
                    node = {**node, name: new_children}
        result.append(node)
    return result
