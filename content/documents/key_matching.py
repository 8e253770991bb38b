"""Carrying the keys of a document over to its next version.

Comments stand on keys, block-addressed edits and merges name blocks by them. Keys of a parsed
document follow from its content alone, so that an edited block would get a new one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain

from content.alignment import rising, shared_words
from content.collector import collector_paused
from content.documents.anchors import HEADINGS
from content.documents.keys import derived_key, node_digests
from content.documents.nodes import Node, child_lists, walk
from content.documents.plain_text import plain_text

# How many blocks ahead an edited block is looked for, what share of its words must be left, and
# how many of its characters are compared. They bound the work to so much for each block.
_WINDOW = 12
_SIMILAR = 0.5
_COMPARED = 4_000


def carry_keys(old: Node, new: Node, *, authored: bool = False) -> None:
    """Give the nodes of `new` the keys of the nodes of `old` that they come from, in place.

    Equal nodes come first: those that both documents have once wherever they stand, the others in
    order. Then edited ones: a node of the same type between the same neighbours that shares half
    of its words, or that stands alone where one alone stood; headings of any level are of one
    type. A heading that is left is the one above the same text. All others keep the key they
    have, unless it is taken. `authored` tells that the author of `new` set keys: then equal keys
    are pairs before anything else. Afterwards all keys of `new` differ. The time grows about
    linearly with the documents.
    """
    with collector_paused():
        matching = _Matching(old, new)
        if authored:
            matching.pair_equal_keys()
        matching.pair_single()
        matching.pair_children(old, new)
        matching.pair_leftovers()
        _apply(matching.pairs, new)


class _Matching:
    """Pairs nodes of two documents; a node is in one pair at most."""

    def __init__(self, old: Node, new: Node) -> None:
        self.old, self.new = list(_walk(old)), list(_walk(new))
        self.digests = {**node_digests(old), **node_digests(new)}
        # By id() of the node: nodes live as long as this object.
        self.pairs: dict[int, Node] = {}
        self.taken: set[int] = set()
        # How often each content is left in the old document and in the new one.
        self.left = Counter(self.digests[id(node)] for node in self.old)
        self.wanted = Counter(self.digests[id(node)] for node in self.new)

    def pair(self, old: Node, new: Node) -> None:
        if id(new) not in self.pairs and id(old) not in self.taken:
            self.pairs[id(new)] = old
            self.taken.add(id(old))
            self.left[self.digests[id(old)]] -= 1
            self.wanted[self.digests[id(new)]] -= 1

    def pair_whole(self, old: Node, new: Node) -> None:
        """Pair two equal nodes and everything below them."""
        stack = [(old, new)]
        while stack:
            old_node, new_node = stack.pop()
            self.pair(old_node, new_node)
            for mine, theirs in zip(child_lists(old_node), child_lists(new_node), strict=False):
                stack.extend(zip(mine, theirs, strict=False))

    def pair_equal_keys(self) -> None:
        by_key = {node["key"]: node for node in self.old if isinstance(node.get("key"), str)}
        for node in self.new:
            partner = by_key.get(node.get("key"))
            if partner is not None and _kind(partner) == _kind(node):
                self.pair(partner, node)

    def pair_single(self) -> None:
        """Pair blocks whose content stands once in each document, wherever that is."""
        single = _once(self.old, self.digests)
        for digest, node in _once(self.new, self.digests).items():
            if digest in single and id(node) not in self.pairs:
                self.pair_whole(single[digest], node)

    def pair_children(self, old: Node, new: Node) -> None:
        """Pair the children of two nodes that are a pair, and what is below them."""
        stack = [(old, new)]
        while stack:
            old_node, new_node = stack.pop()
            for mine, theirs in zip(child_lists(old_node), child_lists(new_node), strict=False):
                self._pair_siblings(mine, theirs)
                for child in theirs:
                    partner = self.pairs.get(id(child))
                    if partner is not None and not self._equal(partner, child):
                        stack.append((partner, child))

    def pair_leftovers(self) -> None:
        """Pair equal nodes that are left, in document order."""
        left: dict[bytes, list[Node]] = {}
        for node in reversed(self.old):
            if id(node) not in self.taken:
                left.setdefault(self.digests[id(node)], []).append(node)
        for node in self.new:
            if id(node) in self.pairs:
                continue
            candidates = left.get(self.digests[id(node)], [])
            while candidates and id(candidates[-1]) in self.taken:
                candidates.pop()
            if candidates:
                self.pair_whole(candidates.pop(), node)

    def _equal(self, old: Node, new: Node) -> bool:
        return self.digests[id(old)] == self.digests[id(new)]

    def _pair_siblings(self, old: Sequence[Node], new: Sequence[Node]) -> None:
        places = {id(node): index for index, node in enumerate(old)}
        # Equal headings, such as "Parameters", go with what stands below them.
        self._pair_headings(old, new, places, equal=True)
        pairs = [
            (places[id(partner)], index)
            for index, node in enumerate(new)
            if (partner := self.pairs.get(id(node))) is not None and id(partner) in places
        ]
        before = (-1, -1)
        staying = [pairs[position] for position in rising([place for place, _ in pairs])]
        for anchor in [*staying, (len(old), len(new))]:
            self._pair_gap(
                [n for n in old[before[0] + 1 : anchor[0]] if id(n) not in self.taken],
                [n for n in new[before[1] + 1 : anchor[1]] if id(n) not in self.pairs],
            )
            before = anchor
        self._pair_headings(old, new, places, equal=False)

    def _pair_gap(self, old: list[Node], new: list[Node]) -> None:
        """Pair what stands between two neighbours that are pairs already."""
        waiting: dict[bytes, list[int]] = {}
        for index in range(len(old) - 1, -1, -1):
            waiting.setdefault(self.digests[id(old[index])], []).append(index)
        last = -1
        for node in new:
            indices = waiting.get(self.digests[id(node)], [])
            while indices and indices[-1] <= last:
                indices.pop()
            if indices:
                last = indices.pop()
                self.pair_whole(old[last], node)
        # What has an equal elsewhere in the other document has moved and was not edited.
        left = [
            node
            for node in old
            if id(node) not in self.taken and not self.wanted[self.digests[id(node)]]
        ]
        edited = [
            node
            for node in new
            if id(node) not in self.pairs and not self.left[self.digests[id(node)]]
        ]
        if len(left) == len(edited) == 1:
            if _kind(left[0]) == _kind(edited[0]):
                self.pair(left[0], edited[0])
            return
        self._pair_similar(left, edited)

    def _pair_headings(
        self, old: Sequence[Node], new: Sequence[Node], places: dict[int, int], *, equal: bool
    ) -> None:
        """Pair headings that are left by what stands below them: equal ones, or edited ones."""
        left = [
            index
            for index, node in enumerate(new)
            if id(node) not in self.pairs and node.get("type") in HEADINGS
        ]
        if not left:
            return
        above: list[int] = []
        for index, node in enumerate(old):
            last = above[-1] if above else -1
            above.append(index if node.get("type") in HEADINGS else last)
        for index in left:
            for below in range(index + 1, len(new)):
                if new[below].get("type") in HEADINGS:
                    break
                partner = self.pairs.get(id(new[below]))
                if partner is not None and id(partner) in places:
                    self._pair_heading(old, above[places[id(partner)]], new[index], equal)
                    break
        # One above another: from below.
        for index in reversed(left):
            partner = self.pairs.get(id(new[index + 1])) if index + 1 < len(new) else None
            at = places.get(id(partner), 0) - 1
            if at >= 0 and above[at + 1] == at + 1 and above[at] == at:
                self._pair_heading(old, at, new[index], equal)

    def _pair_heading(self, old: Sequence[Node], at: int, new: Node, equal: bool) -> None:
        """Pair two headings that are equal, or both of which have no equal elsewhere."""
        if at < 0 or id(new) in self.pairs or id(old[at]) in self.taken:
            return
        if equal:
            if self._equal(old[at], new):
                self.pair_whole(old[at], new)
        elif not self.wanted[self.digests[id(old[at])]] and not self.left[self.digests[id(new)]]:
            self.pair(old[at], new)

    def _pair_similar(self, old: list[Node], new: list[Node]) -> None:
        words: dict[int, Counter[str]] = {}
        start = 0
        for node in new:
            best, at = _SIMILAR, -1
            for index in range(start, min(start + _WINDOW, len(old))):
                if _kind(old[index]) == _kind(node):
                    score = shared_words(_words(old[index], words), _words(node, words), empty=0)
                    if score >= best and (at < 0 or score > best):
                        best, at = score, index
            if at >= 0:
                self.pair(old[at], node)
                start = at + 1


def _once(nodes: Sequence[Node], digests: dict[int, bytes]) -> dict[bytes, Node]:
    """The blocks whose content no other node of the document has, by digest."""
    counts = Counter(digests[id(node)] for node in nodes)
    return {
        digest: node
        for node in nodes
        if node.get("object") == "block" and counts[digest := digests[id(node)]] == 1
    }


def _kind(node: Node) -> tuple[object, object, object]:
    kind = node.get("type")
    return node.get("object"), "heading" if kind in HEADINGS else kind, node.get("fragment")


def _words(node: Node, cache: dict[int, Counter[str]]) -> Counter[str]:
    words = cache.get(id(node))
    if words is None:
        words = cache[id(node)] = Counter(plain_text(node)[:_COMPARED].split())
    return words


def _walk(document: Node) -> Iterator[Node]:
    """All nodes below `document` in document order."""
    return walk(chain.from_iterable(child_lists(document)))


def _apply(pairs: dict[int, Node], new: Node) -> None:
    nodes = list(_walk(new))
    used: set[str] = set()
    fresh: list[Node] = []
    for node in nodes:
        partner = pairs.get(id(node))
        key = None if partner is None else partner.get("key")
        if isinstance(key, str) and key not in used:
            used.add(key)
            node["key"] = key
        else:
            fresh.append(node)
    for node in fresh:
        key = node.get("key")
        new_key = key if isinstance(key, str) else ""
        turn = 0
        while not new_key or new_key in used:
            new_key = derived_key(f"{key or ''}", turn)
            turn += 1
        used.add(new_key)
        node["key"] = new_key
