"""Nodes that the dialect has no form for: JSON in an element that shows nothing."""

from __future__ import annotations

import orjson

from content.json_types import Json
from content.markdown.nodes import Node


def kept_node(node: Node) -> str:
    """An empty element that holds the node without keys: `<div>` for a block, else `<span>`."""
    tag = "div" if node.get("object") == "block" else "span"
    # Everything but `'`, `&` and `<` can stand in the attribute as it is.
    text = orjson.dumps(_without_keys(node), option=orjson.OPT_SORT_KEYS).decode()
    value = text.replace("&", "&#x26;").replace("'", "&#x27;").replace("<", "&#x3C;")
    return f"<{tag} data-node='{value}'></{tag}>"


def _without_keys(value: Json) -> Json:
    if isinstance(value, list):
        return [_without_keys(item) for item in value]
    if isinstance(value, dict):
        is_node = isinstance(value.get("object"), str)
        return {
            name: _without_keys(item) if name != "data" else item
            for name, item in value.items()
            if not (is_node and name in ("key", "meta"))
        }
    return value
