"""Editing a document block by block; blocks are named by their keys.

Every function gives a new document and leaves the one it gets alone. Nodes that are not touched
are shared between the two, so nobody may change them in place afterwards.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from content.block_places import MOST_CHILDREN, NEVER_EMPTY, PARAGRAPH_IF_EMPTY, refusal
from content.errors import ContentError
from content.key_matching import carry_keys
from content.markdown.keys import assign_keys, derived_key
from content.markdown.nodes import Node, child_lists, paragraph


class EditError(ContentError):
    """An edit that a document does not allow: the argument that is wrong, and why."""

    def __init__(self, argument: str, problem: str) -> None:
        super().__init__(f"{argument}: {problem}")
        self.argument = argument
        self.problem = problem


@dataclass(frozen=True, slots=True)
class Place:
    """Where blocks go: `before` or `after` the block `key`, or `inside` the block or fragment
    `key` (None: the document) in front of its child number `index` (None: behind the last)."""

    side: Literal["before", "after", "inside"]
    key: str | None = None
    index: int | None = None


@dataclass(frozen=True, slots=True)
class _Found:
    """A node with the way to it: (parent, name of the list, index in it) from the top."""

    node: Node
    way: tuple[tuple[Node, str, int], ...]

    @property
    def parent(self) -> Node:
        return self.way[-1][0]


def find_block(document: Node, key: str) -> Node | None:
    """The block or fragment with this key, None when there is none."""
    found = _find(document, key)
    return None if found is None else found.node


def insert_blocks(document: Node, blocks: Sequence[Node], place: Place) -> Node:
    """The document with `blocks` at `place`.

    Blocks keep their keys unless the document has them already. EditError for an unknown key, a
    parent that holds no blocks of that type, or an index out of range.
    """
    fresh = _with_free_keys(blocks, _keys(document))
    return _insert(document, fresh, place)


def replace_block(document: Node, key: str, blocks: Sequence[Node]) -> Node:
    """The document with `blocks` instead of the block `key`.

    What stays the same in it keeps its keys; a single block of the same type takes the key over.
    No blocks at all is the same as deleting it.
    """
    found = _block(document, key)
    if not blocks:
        return delete_blocks(document, [key])
    _check_children(found.parent, blocks, len(_children(found.parent, found.way[-1][1])) - 1)
    new = [copy.deepcopy(block) for block in blocks]
    assign_missing_keys(new)
    before, after = _as_document([found.node]), _as_document(new)
    carry_keys(before, after)
    new = _with_free_keys(new, _keys(document) - _keys(found.node))
    parent, name, index = found.way[-1]
    children = _children(parent, name)
    return _rebuilt(found.way[:-1], parent, name, [*children[:index], *new, *children[index + 1 :]])


def delete_blocks(document: Node, keys: Sequence[str]) -> Node:
    """The document without these blocks.

    Lists, tabs and the like go with their last item; quotes, list items and the document keep an
    empty paragraph.
    """
    for key in keys:
        _block(document, key)
    for key in keys:
        # It may be gone with a block around it.
        found = _find(document, key)
        if found is not None:
            document = _delete(document, found)
    return document


def move_blocks(document: Node, keys: Sequence[str], place: Place) -> Node:
    """The document with these blocks at `place`, in the order of `keys` and with their keys.

    `place.index` counts the children that stay. EditError also when a block is to move into or
    beside itself or one that moves with it.
    """
    if len(set(keys)) != len(keys):
        raise EditError("keys", "names a block twice")
    if not keys:
        return document
    moved = [_block(document, key) for key in keys]
    nodes = [found.node for found in moved]
    for found in moved:
        if any(parent is node for parent, _, _ in found.way for node in nodes):
            raise EditError("keys", f"{found.node['key']} moves with a block around it already")
    target = None if place.key is None else _find(document, place.key)
    if place.key is not None and target is None:
        raise EditError("place.key", f"{place.key!r} is the key of no block of the document")
    if target is not None and any(
        node is around
        for node in nodes
        for around in [target.node, *(parent for parent, _, _ in target.way)]
    ):
        raise EditError("place.key", f"{place.key!r} is or stands in a block that moves")
    marked, marker = _with_marker(document, place, target, nodes)
    for key in keys:
        marked = _delete(marked, _block(marked, key))
    way = _block(marked, marker).way
    parent, name, index = way[-1]
    children = _children(parent, name)
    return _rebuilt(way[:-1], parent, name, [*children[:index], *nodes, *children[index + 1 :]])


def assign_missing_keys(blocks: list[Node]) -> None:
    """Give keys to the nodes that have none, in place; given ones stay."""
    given = [(node, node["key"]) for block in blocks for node in _walk(block) if "key" in node]
    assign_keys(blocks, "")
    for node, key in given:
        node["key"] = key


def _with_marker(
    document: Node, place: Place, target: _Found | None, moving: Sequence[Node]
) -> tuple[Node, str]:
    """The document with a stand-in for the blocks that move, and the key of that."""
    marker = derived_key("moved", 0)
    index = place.index
    if place.side == "inside" and index is not None:
        parent = document if target is None else target.node
        staying = [
            at
            for at, child in enumerate(_children(parent, "nodes"))
            if not any(child is node for node in moving)
        ]
        if not 0 <= index <= len(staying):
            raise EditError("place.index", f"must be 0 to {len(staying)}")
        index = staying[index] if index < len(staying) else None
    parent = document
    if target is not None:
        parent = target.node if place.side == "inside" else target.parent
    _check_children(parent, moving, 0, "keys")
    stand_in: Node = {"object": "block", "type": _type(moving[0]), "key": marker}
    return _insert(document, [stand_in], Place(place.side, place.key, index)), marker


def _insert(document: Node, blocks: Sequence[Node], place: Place) -> Node:
    found: _Found | None = None
    if place.key is not None:
        found = _find(document, place.key)
        if found is None:
            raise EditError("place.key", f"{place.key!r} is the key of no block of the document")
    elif place.side != "inside":
        raise EditError("place.key", f"is missing: {place.side} which block?")
    if place.side == "inside":
        parent = document if found is None else found.node
        way = () if found is None else found.way
        name = "nodes"
        children = _children(parent, name)
        index = len(children) if place.index is None else place.index
        if not 0 <= index <= len(children):
            raise EditError("place.index", f"must be 0 to {len(children)}")
    else:
        assert found is not None, "checked above"
        if place.index is not None:
            raise EditError("place.index", "is for a place inside a block only")
        if found.node.get("object") != "block":
            raise EditError("place.key", f"{place.key!r} is a fragment; put blocks inside it")
        parent, name, index = found.way[-1]
        way = found.way[:-1]
        children = _children(parent, name)
        index += place.side == "after"
    _check_children(parent, blocks, len(children))
    return _rebuilt(way, parent, name, [*children[:index], *blocks, *children[index:]])


def _delete(document: Node, found: _Found) -> Node:
    """Without one block, and without the containers that it was the last child of."""
    way = found.way
    while True:
        parent, name, index = way[-1]
        children = _children(parent, name)
        rest = [*children[:index], *children[index + 1 :]]
        kind = _type(parent)
        if rest or kind not in NEVER_EMPTY:
            break
        way = way[:-1]
    if not rest and (kind in PARAGRAPH_IF_EMPTY or kind == "document"):
        empty = paragraph([])
        assign_keys([empty], str(parent.get("key", "")))
        rest = _with_free_keys([empty], _keys(document))
    return _rebuilt(way[:-1], parent, name, rest)


def _rebuilt(
    way: Sequence[tuple[Node, str, int]], node: Node, name: str, children: list[Node]
) -> Node:
    """The top of `way` with `children` in the node at its end; all else is shared."""
    node = {**node, name: children}  # type: ignore[dict-item]
    for parent, list_name, index in reversed(way):
        siblings = list(_children(parent, list_name))
        siblings[index] = node
        node = {**parent, list_name: siblings}  # type: ignore[dict-item]
    return node


def _block(document: Node, key: str) -> _Found:
    found = _find(document, key)
    if found is None:
        raise EditError("key", f"{key!r} is the key of no block of the document")
    if found.node.get("object") != "block":
        raise EditError("key", f"{key!r} is a fragment, no block: edit the blocks in it")
    return found


def _find(document: Node, key: str) -> _Found | None:
    """The block or fragment with a key; texts and inlines are no places for blocks."""
    stack: list[_Found] = [_Found(document, ())]
    while stack:
        place = stack.pop()
        for name in ("nodes", "fragments"):
            for index, child in enumerate(_children(place.node, name)):
                found = _Found(child, (*place.way, (place.node, name, index)))
                if child.get("key") == key and child.get("object") in ("block", "fragment"):
                    return found
                stack.append(found)
    return None


def _check_children(
    parent: Node, blocks: Sequence[Node], others: int, argument: str = "blocks"
) -> None:
    """EditError unless `blocks` may stand in `parent` beside that many other children."""
    for number, block in enumerate(blocks):
        problem = refusal(_type(parent), _type(block))
        if problem is not None:
            fragments = [child for child in _children(parent, "fragments") if child.get("key")]
            if fragments:
                listed = ", ".join(f"{part.get('fragment')} ({part['key']})" for part in fragments)
                problem += f"; its fragments do: {listed[:500]}"
            raise EditError(f"{argument}[{number}]", problem)
    limit = MOST_CHILDREN.get(_type(parent))
    if limit is not None and others + len(blocks) > limit:
        raise EditError(argument, f"{_type(parent)} holds {limit} block at most")


def _type(node: Node) -> str:
    return str(node.get("type", "")) if node.get("object") != "document" else "document"


def _children(node: Node, name: str) -> list[Node]:
    children = node.get(name)
    return children if isinstance(children, list) else []  # type: ignore[return-value]


def _as_document(nodes: list[Node]) -> Node:
    return {"object": "document", "data": {}, "nodes": nodes}  # type: ignore[dict-item]


def _walk(node: Node) -> Iterator[Node]:
    stack = [node]
    while stack:
        found = stack.pop()
        yield found
        stack.extend(child for children in child_lists(found) for child in children)


def _keys(document: Node) -> set[str]:
    return {key for node in _walk(document) if isinstance(key := node.get("key"), str)}


def _with_free_keys(blocks: Sequence[Node], taken: set[str]) -> list[Node]:
    """Copies of `blocks` in which every node has a key that is not in `taken` nor used twice."""
    copies = [copy.deepcopy(block) for block in blocks]
    assign_missing_keys(copies)
    used = set(taken)
    for block in copies:
        for node in _walk(block):
            key, turn = str(node["key"]), 0
            while key in used:
                key, turn = derived_key(str(node["key"]), turn), turn + 1
            used.add(key)
            node["key"] = key
    return copies
