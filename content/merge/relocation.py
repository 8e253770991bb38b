"""Blocks that one side moved into another container while the other side edited them in place.

Such as a paragraph that is in a hint now, the items of a list that was cut in two, the blocks of
a container that was taken away. Their edits are carried to where the blocks stand now, and taken
back where they stood: what is left is an ordinary merge.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from operator import itemgetter
from typing import Final, Protocol

from content.alignment import shared_words
from content.merge.matching import ALIKE, COMPARED_PAIRS, match_nodes
from content.merge.nodes import Contents, Node, children_of, derived_key, digest, words

# Their children are merged by other means, or are texts.
_ATOMS: Final = frozenset(
    {"code", "code-line", "table", "paragraph", "heading-1", "heading-2", "heading-3"}
)
# A paragraph more has no place there.
_SINGLE: Final = frozenset({"expandable-title"})
# Containers of both sides around the same blocks that can become one.
_WRAPPERS: Final = frozenset({"hint", "blockquote"})


class Lists(Protocol):
    """What merges lists of blocks."""

    contents: Contents

    def lists(
        self, base: list[Node], ours: list[Node], theirs: list[Node], *, fill: bool = True
    ) -> list[Node]: ...


@dataclass(slots=True)
class Versions:
    """The blocks of the three versions of a document."""

    base: list[Node]
    ours: list[Node]
    theirs: list[Node]
    changed: bool = False


def relocated(merge: Lists, base: list[Node], ours: list[Node], theirs: list[Node]) -> Versions:
    """The versions with edits carried to where the other side has moved the blocks.

    `changed` says whether there were any. Conflicts at the new place are noted in `merge`; their
    blocks are in the version of the side that moved them.
    """
    versions = Versions(base, ours, theirs)
    # In an order that follows from what the sides hold, so that both ways conflict alike.
    digests = [digest({"object": "document", "nodes": side}) for side in (ours, theirs)]
    first = digests[0] > digests[1]
    _carry(merge, versions, swapped=first)
    _carry(merge, versions, swapped=not first)
    _unite_wrappers(versions, merge.contents)
    return versions


@dataclass(slots=True)
class _Spot:
    """Where a block stands: in which list, where there, and in which node that list is."""

    node: Node
    siblings: list[Node]
    position: int
    owner: Node | None = None


@dataclass(slots=True)
class _Side:
    """What of base is in place in a side, what is gone from its place, and what is new."""

    matches: dict[int, tuple[list[Node], dict[int, int]]] = field(default_factory=dict)
    """By the identity of a list of base: the list of the side, and positions in it."""
    gone: list[_Spot] = field(default_factory=list)
    new: list[_Spot] = field(default_factory=list)


def _side(base: list[Node], side: list[Node], contents: Contents) -> _Side:
    result = _Side()
    stack = [(base, side)]
    while stack:
        old, now = stack.pop()
        matched = match_nodes(old, now, contents)
        result.matches[id(old)] = now, matched
        taken = set(matched.values())
        result.gone += [_Spot(node, old, i) for i, node in enumerate(old) if i not in matched]
        result.new += [_Spot(node, now, j) for j, node in enumerate(now) if j not in taken]
        for i, j in matched.items():
            if not contents.same(old[i], now[j]) and old[i].get("type") not in _ATOMS:
                stack += _paired_lists(old[i], now[j])
    return result


def _paired_lists(left: Node, right: Node) -> Iterator[tuple[list[Node], list[Node]]]:
    if children_of(left) and children_of(right):
        yield children_of(left), children_of(right)
    parts = {part.get("fragment"): part for part in right.get("fragments") or []}
    for part in left.get("fragments") or []:
        partner = parts.get(part.get("fragment"))
        if partner is not None and children_of(part) and children_of(partner):
            yield children_of(part), children_of(partner)


def _inner_lists(node: Node) -> Iterator[tuple[Node, list[Node]]]:
    """The lists of blocks in a node, each with the node or fragment that holds it."""
    if node.get("object") == "block" and node.get("type") not in _ATOMS and children_of(node):
        yield node, children_of(node)
    if node.get("object") == "block" and node.get("type") != "table":
        for part in node.get("fragments") or []:
            if children_of(part):
                yield part, children_of(part)


def _spots(roots: Sequence[_Spot]) -> Iterator[_Spot]:
    """The blocks and all below them, in the order of the document."""
    stack = list(reversed(roots))
    while stack:
        spot = stack.pop()
        yield spot
        stack += reversed(_below(spot))


def _below(spot: _Spot) -> list[_Spot]:
    return [
        _Spot(child, siblings, position, owner)
        for owner, siblings in _inner_lists(spot.node)
        for position, child in enumerate(siblings)
    ]


_Move = tuple[_Spot, _Spot]


def _moves(side: _Side, contents: Contents) -> list[_Move]:
    """Blocks that are gone from their place, and where they are new: the largest ones."""
    if not side.gone or not side.new:
        return []
    new = list(_spots(side.new))
    by_key = {spot.node.get("key"): spot for spot in new}
    by_key.pop(None, None)
    gone = list(_spots(side.gone))
    digests = [contents.digest(spot.node) for spot in new]
    lone_new, lone_gone = Counter(digests), Counter(contents.digest(s.node) for s in gone)
    by_content = {d: s for d, s in zip(digests, new, strict=True) if lone_new[d] == 1}
    moves: list[_Move] = []
    rest: list[_Spot] = []
    taken: set[int] = set()
    stack = list(reversed(side.gone))
    while stack:
        spot = stack.pop()
        there = by_key.get(spot.node.get("key"))
        if there is None or there.node.get("type") != spot.node.get("type"):
            digest = contents.digest(spot.node)
            there = by_content.get(digest) if lone_gone[digest] == 1 else None
        if there is not None and id(there.node) not in taken:
            moves.append((spot, there))
            taken.update(id(below.node) for below in _spots([there]))
            continue
        below = _below(spot)
        stack += reversed(below)
        if not below:
            rest.append(spot)
    left = [spot for spot in new if id(spot.node) not in taken and not _below(spot)]
    return moves + _alike(rest, left)


def _alike(gone: list[_Spot], new: list[_Spot]) -> list[_Move]:
    """Texts that were moved and edited at once, the most alike first."""
    if len(gone) * len(new) > COMPARED_PAIRS:
        return []
    bags = [[Counter(words(spot.node)) for spot in spots] for spots in (gone, new)]
    likeness = [
        (-share, i, j)
        for i, bag in enumerate(bags[0])
        for j, other in enumerate(bags[1])
        if bag
        and gone[i].node.get("type") == new[j].node.get("type")
        and (share := shared_words(bag, other, empty=1)) >= ALIKE
    ]
    moves: list[_Move] = []
    taken: tuple[set[int], set[int]] = (set(), set())
    for _, i, j in sorted(likeness):
        if i not in taken[0] and j not in taken[1]:
            taken[0].add(i)
            taken[1].add(j)
            moves.append((gone[i], new[j]))
    return moves


def _carry(merge: Lists, versions: Versions, *, swapped: bool) -> None:
    """Carry edits of one side to where the other one (ours, or theirs if swapped) moved blocks."""
    base = versions.base
    mover, editor = versions.ours, versions.theirs
    if swapped:
        mover, editor = editor, mover
    moved = _side(base, mover, merge.contents)
    moves = _moves(moved, merge.contents)
    if not moves:
        return
    edited = _side(base, editor, merge.contents)
    there, here = _Edits(), _Edits()
    for group in _groups(moves, edited):
        old = [spot.node for spot, _ in group]
        siblings, matched = edited.matches[id(group[0][0].siblings)]
        positions = [matched[spot.position] for spot, _ in group if spot.position in matched]
        low, high = positions[0], positions[-1] + 1
        edits = siblings[low:high]
        if len(edits) == len(old) and all(map(merge.contents.same, old, edits)):
            continue
        owner = group[0][1].owner
        now = group[0][1].siblings
        start, end = group[0][1].position, group[-1][1].position + 1
        if owner is not None and _SINGLE & {owner.get("type"), owner.get("fragment")}:
            continue
        if not here.is_free(siblings, low, high) or not there.is_free(now, start, end):
            continue
        sides = (edits, now[start:end]) if swapped else (now[start:end], edits)
        merged = merge.lists(old, *sides, fill=False)
        if merged:
            there.put(now, start, end, merged)
            here.put(siblings, low, high, old)
    if not there.lists:
        return
    mover, editor = there.applied(mover), here.applied(editor)
    versions.ours, versions.theirs = (editor, mover) if swapped else (mover, editor)
    versions.changed = True
    merge.contents.hold(mover, editor)


def _groups(moves: list[_Move], edited: _Side) -> Iterator[list[_Move]]:
    """Moves of neighbours to neighbours, of blocks that the other side has in place.

    What the other side put between them belongs to them; where it put there what is of another
    place, each block goes alone.
    """
    ordered = sorted(
        (m for m in moves if id(m[0].siblings) in edited.matches),
        key=lambda m: (id(m[0].siblings), id(m[1].siblings), m[0].position),
    )
    group: list[_Move] = []
    for move in ordered:
        if group and not _follows(group[-1], move):
            yield from _valid(group, edited)
            group = []
        group.append(move)
    if group:
        yield from _valid(group, edited)


def _follows(first: _Move, second: _Move) -> bool:
    return (
        first[0].siblings is second[0].siblings
        and first[1].siblings is second[1].siblings
        and first[0].position + 1 == second[0].position
        and first[1].position < second[1].position
    )


def _valid(group: list[_Move], edited: _Side) -> Iterator[list[_Move]]:
    _, matched = edited.matches[id(group[0][0].siblings)]
    own = [matched[spot.position] for spot, _ in group if spot.position in matched]
    if not own:
        return
    foreign = set(matched.values()) - set(own) if len(own) > 1 else set()
    rising = all(low < high for low, high in pairwise(own))
    if rising and not any(position in foreign for position in range(own[0], own[-1])):
        yield group
        return
    for move in group:
        if move[0].position in matched:
            yield [move]


@dataclass(slots=True)
class _Edits:
    """Parts of lists that become other blocks; a list is known by its identity."""

    lists: dict[int, list[tuple[int, int, list[Node]]]] = field(default_factory=dict)

    def is_free(self, siblings: list[Node], low: int, high: int) -> bool:
        """Whether no other edit is in this part, which holds something."""
        edits = self.lists.get(id(siblings), [])
        # Edits are disjoint, so the last one that begins before the end is the only one to look at.
        before = bisect_left(edits, high, key=itemgetter(0))
        return before == 0 or edits[before - 1][1] <= low

    def put(self, siblings: list[Node], low: int, high: int, nodes: list[Node]) -> None:
        """Have these nodes stand there."""
        edits = self.lists.setdefault(id(siblings), [])
        insort(edits, (low, high, nodes), key=itemgetter(0))

    def applied(self, nodes: list[Node]) -> list[Node]:
        """The blocks with all edits; what has none stays the object it is."""
        result: list[Node] = []
        at = 0
        for low, high, instead in self.lists.get(id(nodes), []):
            result += [*nodes[at:low], *instead]
            at = high
        result += nodes[at:]
        result = [self._node(node) for node in result]
        unchanged = len(result) == len(nodes) and all(
            a is b for a, b in zip(result, nodes, strict=True)
        )
        return nodes if unchanged else result

    def _node(self, node: Node) -> Node:
        if node.get("object") not in ("block", "fragment"):
            return node
        for name in ("nodes", "fragments"):
            children = node.get(name)
            if children and (new := self.applied(children)) is not children:
                node = {**node, name: new}
        return node


def _unite_wrappers(versions: Versions, contents: Contents) -> None:
    """Make one of the containers that both sides put around the same blocks.

    Of one kind they are one container that both have; of two kinds they are two versions of a
    new block, which is a conflict.
    """
    sides = [_side(versions.base, side, contents) for side in (versions.ours, versions.theirs)]
    homes: list[dict[int, _Move]] = []
    for side in sides:
        roots_of = {id(s.node): root for root in side.new for s in _spots(_below(root))}
        homes.append(
            {
                id(spot.node): (spot, roots_of[id(there.node)])
                for spot, there in _moves(side, contents)
                if id(there.node) in roots_of
            }
        )
    pairs: dict[tuple[int, int], list[_Spot]] = {}
    roots: dict[int, Node] = {}
    for id_of, (spot, root) in homes[0].items():
        if id_of in homes[1]:
            other = homes[1][id_of][1]
            pairs.setdefault((id(root.node), id(other.node)), []).append(spot)
            roots[id(root.node)], roots[id(other.node)] = root.node, other.node
    keys: dict[int, str] = {}
    in_base = _Edits()
    for (left, right), spots in pairs.items():
        if left not in keys and right not in keys:
            versions_of = roots[left], roots[right]
            names = [node.get("key") for node in (spots[0].node, *versions_of)]
            keys[left] = keys[right] = derived_key("wrapper", *names)
            _note_wrapper(in_base, *versions_of, keys[left], spots)
    if keys:
        versions.base = in_base.applied(versions.base)
        versions.ours = _rekeyed(versions.ours, keys)
        versions.theirs = _rekeyed(versions.theirs, keys)
        versions.changed = True
        contents.hold(versions.base, versions.ours, versions.theirs)


def _note_wrapper(
    in_base: _Edits, ours: Node, theirs: Node, key: str, spots: Sequence[_Spot]
) -> None:
    """Have base hold a container that both sides have put around blocks, when it can be one."""
    if ours.get("type") == theirs.get("type") and ours.get("type") in _WRAPPERS:
        nodes = [spot.node for spot in sorted(spots, key=lambda spot: spot.position)]
        first = spots[0]
        wrapper = {**theirs, "key": key, "data": {}, "nodes": nodes}
        in_base.put(first.siblings, first.position, first.position, [wrapper])


def _rekeyed(nodes: list[Node], keys: Mapping[int, str]) -> list[Node]:
    """The nodes with other keys, by the identity of the node; others stay the objects they are."""
    result = []
    for child in nodes:
        if (key := keys.get(id(child))) is not None:
            child = {**child, "key": key}
        elif child.get("object") != "text":
            for name in ("nodes", "fragments"):
                if child.get(name):
                    below = _rekeyed(child[name], keys)
                    if any(a is not b for a, b in zip(below, child[name], strict=True)):
                        child = {**child, name: below}
        result.append(child)
    return result
