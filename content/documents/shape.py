"""Checks documents that come from outside before anything else works with them.

Only what all code relies on is checked: kinds of nodes, text where text belongs, keys, depth and
size. Unknown types of blocks and their data are kept as they are.
"""

from __future__ import annotations

import copy
import math
import re
from collections.abc import Iterator

from content.documents.heading_aliases import ALIASES_LIMIT, alias_problem
from content.documents.keys import assign_keys
from content.documents.limits import BYTES, LEVELS, NODES
from content.errors import ContentError
from content.json_types import Json, JsonObject
from content.script_addresses import ALLOWED, script_members

_KEY = re.compile(r"[A-Za-z0-9_-]{1,64}")
_TYPE = re.compile(r"[A-Za-z0-9@/:._-]{1,100}")
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_CHILD_KINDS = ("block", "inline", "text", "fragment")
# What stands for nothing in JSON or is not the same number in every reader.
_LARGEST_NUMBER = 2**53


class DocumentError(ContentError):
    """A document of the wrong shape: where it is wrong (`nodes[0].type`) and what is allowed."""

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(f"{path}: {problem}" if path else problem)
        self.path = path
        self.problem = problem


def checked_document(value: Json, *, sized: bool = True) -> JsonObject:
    """A copy of the document in which every node has a key; DocumentError for a wrong shape.

    Keys that are given stay; those that are missing follow from the content, so that equal
    documents get equal keys. Without `sized` it may have any number of nodes and characters: a
    document that is stored already, with something new in it, has its bound as Markdown.
    """
    if not isinstance(value, dict) or value.get("object") != "document":
        raise DocumentError("object", "must be 'document'")
    if unknown := sorted(value.keys() - {"object", "data", "nodes"}):
        raise DocumentError(unknown[0], "is unknown; allowed are data, nodes, object")
    _check_data("data", value.get("data", {}), sized)
    path_of_key: dict[str, str] = {}
    size = 0
    stack = list(_children("", value, ("block",), 1))
    for count, (path, node, depth) in enumerate(_visited(stack), start=1):
        if sized and count > NODES:
            raise DocumentError("nodes", f"has more than {NODES:,} nodes")
        if depth > LEVELS:
            raise DocumentError(path, f"is nested deeper than {LEVELS} levels")
        _check_node(path, node)
        size += _check_data(f"{path}.data", node.get("data", {}), sized)
        size += _check_data(f"{path}.style", node.get("style", {}), sized)
        size += sum(len(text) for text in _texts(path, node))
        if sized and size > BYTES:
            raise DocumentError("nodes", f"has more than {BYTES:,} characters")
        key = node.get("key")
        if isinstance(key, str):
            if key in path_of_key:
                raise DocumentError(
                    f"{path}.key", f"{key!r} is the key of {path_of_key[key]} as well"
                )
            path_of_key[key] = path
        stack.extend(_children(path, node, _CHILD_KINDS, depth + 1))
    return _with_keys(value)


def _visited(
    stack: list[tuple[str, JsonObject, int]],
) -> Iterator[tuple[str, JsonObject, int]]:
    while stack:
        yield stack.pop()


def _children(
    path: str, node: JsonObject, kinds: tuple[str, ...], depth: int
) -> Iterator[tuple[str, JsonObject, int]]:
    """The child nodes of a node with their paths; DocumentError when one is no node."""
    for name in ("nodes", "fragments"):
        children = node.get(name, [] if path else None)
        if path == "" and name == "fragments":
            continue
        where = f"{path}.{name}" if path else name
        if not isinstance(children, list):
            raise DocumentError(where, "must be an array of nodes")
        for index, child in enumerate(children):
            place = f"{where}[{index}]"
            if not isinstance(child, dict):
                raise DocumentError(place, "must be a node: an object with `object` and `type`")
            allowed = ("fragment",) if name == "fragments" else kinds
            if child.get("object") not in allowed:
                raise DocumentError(f"{place}.object", f"must be one of {', '.join(allowed)}")
            yield place, child, depth


def _check_node(path: str, node: JsonObject) -> None:
    kind, type_ = node.get("object"), node.get("type")
    if kind in ("block", "inline"):
        if not isinstance(type_, str) or not _TYPE.fullmatch(type_):
            raise DocumentError(f"{path}.type", "must name the type of the node")
    elif type_ is not None and not (isinstance(type_, str) and _TYPE.fullmatch(type_)):
        raise DocumentError(f"{path}.type", "must be a name")
    key = node.get("key")
    if key is not None and not (isinstance(key, str) and _KEY.fullmatch(key)):
        raise DocumentError(
            f"{path}.key", "must have 1 to 64 letters, digits, hyphens and underscores"
        )
    if not isinstance(node.get("isVoid", False), bool):
        raise DocumentError(f"{path}.isVoid", "must be true or false")
    name = node.get("fragment")
    if name is not None and not (isinstance(name, str) and len(name) <= 100):
        raise DocumentError(f"{path}.fragment", "must be a name of at most 100 characters")
    if "aliases" in node:
        _check_aliases(f"{path}.aliases", node["aliases"])
    allowed = {
        "object", "type", "key", "isVoid", "data", "meta", "nodes", "fragments", "fragment",
        "style",
    }  # fmt: skip
    if kind == "block":
        # Any block may have been a heading.
        allowed.add("aliases")
    if kind == "text":
        allowed = {"object", "key", "leaves"}
    if unknown := sorted(node.keys() - allowed):
        raise DocumentError(f"{path}.{unknown[0]}", f"is unknown; allowed are {sorted(allowed)}")


def _check_aliases(path: str, aliases: Json) -> None:
    """DocumentError unless these are anchors that a heading may have had."""
    if not isinstance(aliases, list) or len(aliases) > ALIASES_LIMIT:
        raise DocumentError(path, f"must be an array of at most {ALIASES_LIMIT} anchors")
    for index, alias in enumerate(aliases):
        problem = alias_problem(alias)
        if problem is not None:
            raise DocumentError(f"{path}[{index}]", problem)


def _texts(path: str, node: JsonObject) -> Iterator[str]:
    """The text of each leaf of a text node; DocumentError when a leaf is wrong."""
    if node.get("object") != "text":
        return
    leaves = node.get("leaves")
    if not isinstance(leaves, list):
        raise DocumentError(f"{path}.leaves", "must be an array of leaves")
    for index, leaf in enumerate(leaves):
        place = f"{path}.leaves[{index}]"
        if not isinstance(leaf, dict) or leaf.get("object", "leaf") != "leaf":
            raise DocumentError(place, "must be a leaf")
        content, marks = leaf.get("text"), leaf.get("marks", [])
        if not isinstance(content, str) or _UNSTORABLE.search(content):
            raise DocumentError(f"{place}.text", "must be text without NUL characters")
        if unknown := sorted(leaf.keys() - {"object", "text", "marks"}):
            raise DocumentError(f"{place}.{unknown[0]}", "is unknown")
        if not isinstance(marks, list) or len(marks) > 20:
            raise DocumentError(f"{place}.marks", "must be an array of at most 20 marks")
        for position, mark in enumerate(marks):
            where = f"{place}.marks[{position}]"
            if not isinstance(mark, dict) or not isinstance(mark.get("type"), str):
                raise DocumentError(where, "must be a mark: an object with a `type`")
            _check_data(f"{where}.data", mark.get("data", {}))
        yield content


def _check_data(path: str, value: Json, sized: bool = True) -> int:
    """Check free JSON data; its number of characters."""
    if not isinstance(value, dict):
        raise DocumentError(path, "must be an object")
    for place in script_members(value, path) if sized else ():
        raise DocumentError(place, ALLOWED)
    size = 0
    stack: list[tuple[Json, int]] = [(value, 0)]
    while stack:
        item, depth = stack.pop()
        if depth > LEVELS:
            raise DocumentError(path, f"is nested deeper than {LEVELS} levels")
        if isinstance(item, str):
            if _UNSTORABLE.search(item):
                raise DocumentError(path, "has a NUL character or a lone surrogate")
            size += len(item)
        elif isinstance(item, dict):
            stack.extend((part, depth + 1) for pair in item.items() for part in pair)
        elif isinstance(item, list):
            stack.extend((part, depth + 1) for part in item)
        elif isinstance(item, int | float) and not _is_plain_number(item):
            raise DocumentError(path, f"has a number beyond ±{_LARGEST_NUMBER}")
        size += 1
        if sized and size > BYTES:
            raise DocumentError(path, f"has more than {BYTES:,} characters")
    return size


def _is_plain_number(number: float) -> bool:
    return math.isfinite(number) and abs(number) <= _LARGEST_NUMBER


def _with_keys(value: JsonObject) -> JsonObject:
    document = copy.deepcopy(value)
    document.setdefault("data", {})
    keyed: list[tuple[JsonObject, str]] = []
    stack: list[JsonObject] = [document]
    while stack:
        node = stack.pop()
        # `meta` is worked out when a document is shown; nobody sets it.
        node.pop("meta", None)
        key = node.get("key")
        if isinstance(key, str):
            keyed.append((node, key))
        leaves = node.get("leaves")
        if isinstance(leaves, list):
            for leaf in leaves:
                if isinstance(leaf, dict):
                    leaf["object"] = "leaf"
                    leaf.setdefault("marks", [])
        for name in ("nodes", "fragments"):
            children = node.get(name, [])
            if isinstance(children, list):
                stack.extend(child for child in children if isinstance(child, dict))
    nodes = document["nodes"]
    assert isinstance(nodes, list)
    assign_keys([node for node in nodes if isinstance(node, dict)], "")
    for node, key in keyed:
        node["key"] = key
    return document
