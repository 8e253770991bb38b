"""Nodes that stand in Markdown as JSON, in an element that shows nothing."""

from __future__ import annotations

import orjson

from content.documents.shape import DocumentError, checked_document
from content.markdown.nodes import Node, paragraph


def kept_node(source: str, kind: str) -> Node | None:
    """The node that JSON in Markdown stands for; None when it is no node of that `kind`, `block`
    or `inline`."""
    try:
        value = orjson.loads(source)
    except orjson.JSONDecodeError:
        return None
    if not isinstance(value, dict) or value.get("object") != kind:
        return None
    outer = paragraph([value]) if kind == "inline" else value
    try:
        checked = checked_document({"object": "document", "nodes": [outer]})
    except DocumentError:
        return None
    nodes = checked["nodes"]
    while isinstance(nodes, list) and nodes:
        node = nodes[0]
        if not isinstance(node, dict):
            return None
        if node.get("object") == kind:
            return _without_keys(node)
        nodes = node.get("nodes")
    return None


def _without_keys(node: Node) -> Node:
    """The parser gives keys to all nodes at the end."""
    stack = [node]
    while stack:
        found = stack.pop()
        found.pop("key", None)
        for name in ("nodes", "fragments"):
            children = found.get(name)
            if isinstance(children, list):
                stack.extend(child for child in children if isinstance(child, dict))
    return node
