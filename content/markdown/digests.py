"""Hashes of the content of nodes, without their keys."""

from __future__ import annotations

import hashlib

import orjson

from content.markdown.nodes import Node, child_lists

_CONTENT = ("object", "type", "fragment", "data", "leaves")


def node_digests(document: Node) -> dict[int, bytes]:
    """A hash for the document and every node in it, by id() of the node: nodes with equal hashes
    have the same content, whatever their keys are."""
    digests: dict[int, bytes] = {}
    _digest(document, digests)
    return digests


def _digest(node: Node, digests: dict[int, bytes]) -> bytes:
    parts: list[bytes] = []
    shape: list[int] = []
    for children in child_lists(node):
        if not children and children is not node.get("nodes"):
            # No fragments at all are the same as an empty list of them.
            continue
        shape.append(len(children))
        for child in children:
            parts.append(_digest(child, digests))
    own = [node.get(name) for name in _CONTENT]
    content = orjson.dumps([own, shape], option=orjson.OPT_SORT_KEYS)
    found = hashlib.blake2b(b"".join([content, *parts]), digest_size=20).digest()
    digests[id(node)] = found
    return found
