"""Three-way merge of text with marks: edits of both sides in disjoint ranges of words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeVar

from content.alignment import Pair, align
from content.merge.marks import with_marks
from content.merge.nodes import Node, canonical, children_of, same_nodes
from content.merge.tokens import Edit, OverlapError, Token, nodes_of, tokens_of

# Two texts that share less than this part of their characters were not edited but replaced:
# the few words they share would only be mixed up.
REPLACED_BELOW: Final = 0.25


def merge_texts(base: list[Node], ours: list[Node], theirs: list[Node], *, seed: str) -> list[Node]:
    """The children of a text block with the edits of both sides; OverlapError if they meet.

    `seed` is what new keys of text nodes follow from.
    """
    if same_nodes(base, ours) or same_nodes(ours, theirs):
        return theirs
    if same_nodes(base, theirs):
        return ours
    old, left, right = tokens_of(base), tokens_of(ours), tokens_of(theirs)
    our_edits, our_kept = _edits(old, left)
    their_edits, their_kept = _edits(old, right)
    our_edits, their_edits = (
        with_marks(our_edits, old, their_kept),
        with_marks(their_edits, old, our_kept),
    )
    merged: list[Token] = []
    at = 0
    for edit in _combined(our_edits, their_edits, old, seed):
        merged.extend(_kept(old, our_kept, their_kept, at, edit.start))
        merged.extend(edit.instead)
        at = edit.end
    merged.extend(_kept(old, our_kept, their_kept, at, len(old)))
    return nodes_of(merged, seed)


def _edits(base: Sequence[Token], side: list[Token]) -> tuple[list[Edit], dict[int, Token]]:
    """The replacements of a side, and the tokens it kept by their position in base."""
    pairs = _pairs(base, side)
    shared = sum(base[i].size for i, _ in pairs)
    largest = max(sum(t.size for t in base), sum(t.size for t in side))
    if shared < REPLACED_BELOW * largest:
        pairs = []
    edits: list[Edit] = []
    low = start = 0
    for i, j in [*pairs, (len(base), len(side))]:
        if low < i or start < j:
            edits.append(Edit(low, i, side[start:j]))
        low, start = i + 1, j + 1
    return edits, {i: side[j] for i, j in pairs}


def _pairs(base: Sequence[Token], side: Sequence[Token]) -> list[Pair]:
    """Tokens that stayed. Blanks stay beside words that do: alone they mean nothing."""
    left = [i for i, token in enumerate(base) if not token.is_blank]
    right = [j for j, token in enumerate(side) if not token.is_blank]
    words = align([base[i].value for i in left], [side[j].value for j in right])
    pairs: list[Pair] = []
    last = -1, -1
    for i, j in [*((left[n], right[m]) for n, m in words), (len(base), len(side))]:
        low, high = last[0] + 1, last[1] + 1
        if low < i and high < j and _same_blank(base[low], side[high]):
            pairs.append((low, high))
            low, high = low + 1, high + 1
        if low < i and high < j and _same_blank(base[i - 1], side[j - 1]):
            pairs.append((i - 1, j - 1))
        if i < len(base) and j < len(side):
            pairs.append((i, j))
        last = i, j
    return pairs


def _same_blank(left: Token, right: Token) -> bool:
    return left.is_blank and left.value == right.value


def _combined(ours: list[Edit], theirs: list[Edit], base: list[Token], seed: str) -> list[Edit]:
    """The edits of both in order; those that are the same once. OverlapError if others meet."""
    combined: list[Edit] = []
    left, right = list(reversed(ours)), list(reversed(theirs))
    while left and right:
        our_edit, their_edit = left[-1], right[-1]
        if our_edit.meets(their_edit):
            combined.append(_one_edit(our_edit, their_edit, base, seed))
            left.pop()
            right.pop()
        elif (our_edit.start, our_edit.end) < (their_edit.start, their_edit.end):
            combined.append(left.pop())
        else:
            combined.append(right.pop())
    return [*combined, *reversed(left), *reversed(right)]


def _one_edit(ours: Edit, theirs: Edit, base: list[Token], seed: str) -> Edit:
    if (ours.start, ours.end) != (theirs.start, theirs.end):
        raise OverlapError
    if len(ours.instead) == len(theirs.instead) and all(
        a.equals(b) for a, b in zip(ours.instead, theirs.instead, strict=True)
    ):
        return theirs
    if ours.end == ours.start + 1 and len(ours.instead) == len(theirs.instead) == 1:
        parts = base[ours.start].inline, ours.instead[0].inline, theirs.instead[0].inline
        if parts[0] is not None and parts[1] is not None and parts[2] is not None:
            merged = _merge_inlines(parts[0], parts[1], parts[2], seed)
            return Edit(ours.start, ours.end, [Token(b"", inline=merged)])
    raise OverlapError


def _merge_inlines(base: Node, ours: Node, theirs: Node, seed: str) -> Node:
    """A link or another inline that both changed: its data by name, its text as text."""
    fixed = ("object", "type", "isVoid", "fragments")
    if any(canonical(base.get(n)) != canonical(ours.get(n)) for n in fixed) or any(
        canonical(base.get(n)) != canonical(theirs.get(n)) for n in fixed
    ):
        raise OverlapError
    data, clashing = merge_values(base.get("data"), ours.get("data"), theirs.get("data"))
    if clashing:
        raise OverlapError
    merged = {**theirs, "data": data}
    if "nodes" in base or "nodes" in ours:
        merged["nodes"] = merge_texts(
            children_of(base),
            children_of(ours),
            children_of(theirs),
            seed=f"{seed}/{theirs.get('key')}",
        )
    return merged


def _kept(
    base: list[Token], ours: dict[int, Token], theirs: dict[int, Token], start: int, end: int
) -> list[Token]:
    """Tokens that both sides kept, each with the marks of both."""
    tokens: list[Token] = []
    for position in range(start, end):
        old, left, right = base[position], ours[position], theirs[position]
        if right.inline is not None or left.equals(right) or left.equals(old):
            tokens.append(right)
        elif right.equals(old):
            tokens.append(left)
        else:
            marks, clashing = merge_values(old.marks, left.marks, right.marks)
            if clashing:
                raise OverlapError
            tokens.append(Token(right.value, marks, key=right.key))
    return tokens


V = TypeVar("V")


def merge_values(
    base: dict[str, V] | None, ours: dict[str, V] | None, theirs: dict[str, V] | None
) -> tuple[dict[str, V], list[str]]:
    """JSON values merged by name, and the names on which both differ; there theirs is taken.

    Names are in the order of theirs, then ours.
    """
    b, o, t = base or {}, ours or {}, theirs or {}
    merged: dict[str, V] = {}
    clashing: list[str] = []
    for name in dict.fromkeys((*t, *o)):
        old, left, right = (
            canonical([values[name]]) if name in values else None for values in (b, o, t)
        )
        source = o if right == old else t
        if left not in (old, right) and right != old:
            clashing.append(name)
        if name in source:
            merged[name] = source[name]
    return merged, clashing
