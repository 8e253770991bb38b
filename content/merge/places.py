"""Finding and replacing nodes of a document by key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from content.merge.nodes import Node, walk

_CHILD_LISTS = ("nodes", "fragments")


def find(document: Node, key: str | None) -> Node | None:
    """The node with this key; None when there is none."""
    if key is None:
        return None
    return next((node for node in walk(document["nodes"]) if node.get("key") == key), None)


def parent_of(document: Node, key: str) -> Node | None:
    """The node in whose children the one with this key stands; None at the top or nowhere."""
    for node in walk(document["nodes"]):
        for name in _CHILD_LISTS:
            if any(child.get("key") == key for child in node.get(name) or []):
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
                kept = _replaced(children, instead)
                if len(kept) != len(children) or any(
                    a is not b for a, b in zip(kept, children, strict=True)
                ):
                    node = {**node, name: kept}
        result.append(node)
    return result
