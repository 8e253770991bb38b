"""Which conflicts a new version of a document can be about: it decides none of the others."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

import orjson

from content.documents.nodes import child_lists, walk
from content.merge.nodes import Node, canonical

_AROUND: Final = ("type", "fragment")


def touched(before: Node, after: Node) -> set[Hashable]:
    """The keys of all nodes that differ between two versions of a document: in themselves, in what
    is below them, or in the node around them."""
    keys: set[Hashable] = set()
    stack = [(before, after)]
    while stack:
        old, new = stack.pop()
        old_children, new_children = _children(old), _children(new)
        if old_children is None or new_children is None:
            # Nodes without keys of their own, or two with the same.
            keys.update(node.get("key") for node in walk([*_listed(old), *_listed(new)]))
            continue
        if old_children.keys() != new_children.keys() or any(
            old.get(name) != new.get(name) for name in _AROUND
        ):
            keys.update(old_children, new_children)
        for key, node in (old_children | new_children).items():
            its_old, its_new = old_children.get(key), new_children.get(key)
            if its_old is None or its_new is None:
                keys.update(below.get("key") for below in walk([node]))
            elif not _equal(its_old, its_new):
                keys.add(key)
                stack.append((its_old, its_new))
    return keys


def _equal(left: Node, right: Node) -> bool:
    # Most are, and have their members in the same order.
    return orjson.dumps(left) == orjson.dumps(right) or canonical(left) == canonical(right)


def _listed(node: Node) -> list[Node]:
    return [child for children in child_lists(node) for child in children]


def _children(node: Node) -> dict[Hashable, Node] | None:
    """The children by key; None where not each has one of its own."""
    listed = _listed(node)
    by_key = {child.get("key"): child for child in listed}
    return by_key if len(by_key) == len(listed) and None not in by_key else None
