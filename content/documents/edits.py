"""Editing a document block by block; blocks are named by their keys.

Every function gives a new document and leaves the one it gets alone. Nodes that are not touched
are shared between the two, so nobody may change them in place afterwards.
"""

from __future__ import annotations

import copy
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from content.documents.block_places import MOST_CHILDREN, NEVER_EMPTY, PARAGRAPH_IF_EMPTY, refusal
from content.documents.key_matching import carry_keys
from content.documents.keys import assign_keys, derived_key
from content.documents.nodes import Node, child_lists, paragraph
from content.errors import ContentError


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


# From the top: (parent, name of the list, index in it).
_Way = tuple[tuple[Node, str, int], ...]


@dataclass(frozen=True, slots=True)
class _Found:
    """A node with the way to it."""

    node: Node
    way: _Way

    @property
    def parent(self) -> Node:
        return self.way[-1][0]


@dataclass(frozen=True, slots=True)
class _Rebuild:
    """A node that gets other children: by the name of the list and the index of the old one."""

    node: Node
    way: _Way
    lists: dict[str, dict[int, Sequence[Node]]]


def find_block(document: Node, key: str) -> Node | None:
    """The block or fragment with this key, None when there is none."""
    match = _find(document, key)
    return None if match is None else match.node


def find_blocks(document: Node, keys: Iterable[str]) -> dict[str, Node]:
    """The blocks and fragments with these keys, by key; those that are not there are left out."""
    return {key: match.node for key, match in _find_all(document, keys).items()}


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
    replaced = _block(document, key)
    if not blocks:
        return delete_blocks(document, [key])
    _check_children(
        replaced.parent, blocks, len(_children(replaced.parent, replaced.way[-1][1])) - 1
    )
    new = [copy.deepcopy(block) for block in blocks]
    assign_missing_keys(new)
    before, after = _as_document([replaced.node]), _as_document(new)
    carry_keys(before, after)
    new = _with_free_keys(new, _keys(document) - _keys(replaced.node))
    parent, name, index = replaced.way[-1]
    children = _children(parent, name)
    return _rebuilt(
        replaced.way[:-1], parent, name, [*children[:index], *new, *children[index + 1 :]]
    )


def delete_blocks(document: Node, keys: Sequence[str]) -> Node:
    """The document without these blocks.

    Lists, tabs and the like go with their last item; quotes, list items and the document keep an
    empty paragraph. The time grows with the document and the keys, not with their product.
    """
    if not keys:
        return document
    gone = _blocks(document, keys)
    return _exchanged(document, [(block, ()) for block in gone])


def move_blocks(document: Node, keys: Sequence[str], place: Place) -> Node:
    """The document with these blocks at `place`, in the order of `keys` and with their keys.

    `place.index` counts the children that stay. EditError also when a block is to move into or
    beside itself or one that moves with it. The time grows with the document and the keys.
    """
    if len(set(keys)) != len(keys):
        raise EditError("keys", "names a block twice")
    if not keys:
        return document
    moved = _blocks(document, keys)
    nodes = [block.node for block in moved]
    moving = {id(node) for node in nodes}
    for block in moved:
        if any(id(parent) in moving for parent, _, _ in block.way):
            raise EditError("keys", f"{block.node['key']} moves with a block around it already")
    target = None if place.key is None else _find(document, place.key)
    if place.key is not None and target is None:
        raise EditError("place.key", f"{place.key!r} is the key of no block of the document")
    if target is not None and any(
        id(around) in moving for around in [target.node, *(parent for parent, _, _ in target.way)]
    ):
        raise EditError("place.key", f"{place.key!r} is or stands in a block that moves")
    marked, marker = _with_marker(document, place, target, nodes)
    *gone, stand_in = _blocks(marked, [*keys, marker])
    return _exchanged(marked, [*((block, ()) for block in gone), (stand_in, nodes)])


def assign_missing_keys(blocks: list[Node]) -> None:
    """Give keys to the nodes that have none, in place; given ones stay."""
    own_keys = [(node, node["key"]) for block in blocks for node in _walk(block) if "key" in node]
    assign_keys(blocks, "")
    for node, key in own_keys:
        node["key"] = key


def _with_marker(
    document: Node, place: Place, target: _Found | None, moving: Sequence[Node]
) -> tuple[Node, str]:
    """The document with a stand-in for the blocks that move, and the key of that."""
    marker = derived_key("moved", 0)
    index = place.index
    if place.side == "inside" and index is not None:
        parent = document if target is None else target.node
        leaving = {id(node) for node in moving}
        children = _children(parent, "nodes")
        staying = [at for at, child in enumerate(children) if id(child) not in leaving]
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
    target: _Found | None = None
    if place.key is not None:
        target = _find(document, place.key)
        if target is None:
            raise EditError("place.key", f"{place.key!r} is the key of no block of the document")
    elif place.side != "inside":
        raise EditError("place.key", f"is missing: {place.side} which block?")
    if place.side == "inside":
        parent = document if target is None else target.node
        way = () if target is None else target.way
        name = "nodes"
        children = _children(parent, name)
        index = len(children) if place.index is None else place.index
        if not 0 <= index <= len(children):
            raise EditError("place.index", f"must be 0 to {len(children)}")
    else:
        assert target is not None, "checked above"
        if place.index is not None:
            raise EditError("place.index", "is for a place inside a block only")
        if target.node.get("object") != "block":
            raise EditError("place.key", f"{place.key!r} is a fragment; put blocks inside it")
        parent, name, index = target.way[-1]
        way = target.way[:-1]
        children = _children(parent, name)
        index += place.side == "after"
    _check_children(parent, blocks, len(children))
    return _rebuilt(way, parent, name, [*children[:index], *blocks, *children[index:]])


def _exchanged(document: Node, exchanges: Sequence[tuple[_Found, Sequence[Node]]]) -> Node:
    """The document with other blocks, or none, in the place of each of these.

    Containers that lose their last child go, too, or get an empty paragraph. Every parent is
    rebuilt once, the innermost first; what happens in a block that is exchanged has no effect.
    """
    # By depth, by id() of the parent, which lives as long as the document.
    levels: defaultdict[int, dict[int, _Rebuild]] = defaultdict(dict)

    def exchange(way: _Way, blocks: Sequence[Node]) -> None:
        parent, name, index = way[-1]
        rebuild = levels[len(way)].setdefault(id(parent), _Rebuild(parent, way[:-1], {}))
        rebuild.lists.setdefault(name, {}).setdefault(index, blocks)

    for block, blocks in exchanges:
        exchange(block.way, blocks)
    taken: set[str] | None = None
    for depth in range(max(levels), 0, -1):
        for rebuild in levels[depth].values():
            node, kind = dict(rebuild.node), _type(rebuild.node)
            stays = True
            for name, changes in rebuild.lists.items():
                children = _with_changes(_children(rebuild.node, name), changes)
                if not children and kind in NEVER_EMPTY:
                    stays = False
                elif not children and (kind in PARAGRAPH_IF_EMPTY or kind == "document"):
                    if taken is None:
                        taken = _keys(document)
                    empty = paragraph([])
                    assign_keys([empty], str(node.get("key", "")))
                    children = _with_free_keys([empty], taken)
                node[name] = children  # type: ignore[assignment]
            if not rebuild.way:
                return node
            exchange(rebuild.way, [node] if stays else ())
    raise AssertionError("every way starts at the document")


def _with_changes(children: Sequence[Node], changes: Mapping[int, Sequence[Node]]) -> list[Node]:
    new: list[Node] = []
    for index, child in enumerate(children):
        new.extend(changes.get(index, (child,)))
    return new


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
    return _blocks(document, [key])[0]


def _blocks(document: Node, keys: Sequence[str]) -> list[_Found]:
    """The blocks with these keys; EditError for the first key that is none of a block."""
    places = _find_all(document, keys)
    for key in keys:
        if key not in places:
            raise EditError("key", f"{key!r} is the key of no block of the document")
        if places[key].node.get("object") != "block":
            raise EditError("key", f"{key!r} is a fragment, no block: edit the blocks in it")
    return [places[key] for key in keys]


def _find(document: Node, key: str) -> _Found | None:
    return _find_all(document, [key]).get(key)


def _find_all(document: Node, keys: Iterable[str]) -> dict[str, _Found]:
    """Blocks and fragments by their keys, in one walk; those that are not there are left out.

    Texts and inlines are no places for blocks.
    """
    missing = set(keys)
    places: dict[str, _Found] = {}
    stack: list[_Found] = [_Found(document, ())]
    while stack and missing:
        place = stack.pop()
        for name in ("nodes", "fragments"):
            for index, child in enumerate(_children(place.node, name)):
                match = _Found(child, (*place.way, (place.node, name, index)))
                key = child.get("key")
                if (
                    isinstance(key, str)
                    and key in missing
                    and child.get("object") in ("block", "fragment")
                ):
                    places[key] = match
                    missing.discard(key)
                stack.append(match)
    return places


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
        below = stack.pop()
        yield below
        stack.extend(child for children in child_lists(below) for child in children)


def _keys(document: Node) -> set[str]:
    return {key for node in _walk(document) if isinstance(key := node.get("key"), str)}


def _with_free_keys(blocks: Sequence[Node], taken: set[str]) -> list[Node]:
    """Copies of `blocks` in which every node has a key that is not in `taken` nor used twice.

    Their keys are in `taken` afterwards.
    """
    copies = [copy.deepcopy(block) for block in blocks]
    assign_missing_keys(copies)
    # How many keys were derived from one: all of them are taken.
    turns: defaultdict[str, int] = defaultdict(int)
    for block in copies:
        for node in _walk(block):
            own_key = key = str(node["key"])
            while key in taken:
                key = derived_key(own_key, turns[own_key])
                turns[own_key] += 1
            taken.add(key)
            node["key"] = key
    return copies
