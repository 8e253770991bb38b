"""Marks that one side set or took away where the other side wrote other words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from content.merge.nodes import Node
from content.merge.tokens import Edit, OverlapError, Token

# Places at which marked words are looked for in new words; where more begin alike, none is meant.
PLACES: Final = 50


@dataclass(frozen=True, slots=True)
class _Run:
    """The tokens `start` to `end` of base, whose marks a side changed in the same way."""

    start: int
    end: int
    added: dict[str, Node]
    removed: frozenset[str]

    def applied(self, token: Token) -> Token:
        """The token with its marks changed; OverlapError when it has such a mark otherwise."""
        if token.inline is not None:
            return token
        if any(token.marks.get(name, mark) != mark for name, mark in self.added.items()):
            raise OverlapError
        marks = {n: m for n, m in token.marks.items() if n not in self.removed} | self.added
        return replace(token, marks=marks)


def with_marks(
    edits: list[Edit], base: Sequence[Token], remaining: Mapping[int, Token]
) -> list[Edit]:
    """The edits of one side with the marks that the other side changed on what they replace.

    `remaining` are the tokens that the other side has, by position in base. New words within a
    marked passage are marked as well, and marked words that stand in the new ones once.
    OverlapError where marked words are gone: nobody knows what of the new ones should be marked.
    """
    runs = _runs(base, remaining)
    return [_marked(edit, base, runs) for edit in edits] if runs else edits


def _runs(base: Sequence[Token], remaining: Mapping[int, Token]) -> dict[int, _Run]:
    """The runs of changed marks, by each of their positions."""
    runs: dict[int, _Run] = {}
    start = 0
    change: tuple[dict[str, Node], frozenset[str]] | None = None
    for position in range(len(base) + 1):
        now = _change(base[position], remaining.get(position)) if position < len(base) else None
        if now == change:
            continue
        if change is not None:
            run = _Run(start, position, *change)
            runs.update(dict.fromkeys(range(start, position), run))
        start, change = position, now
    return runs


def _change(old: Token, new: Token | None) -> tuple[dict[str, Node], frozenset[str]] | None:
    """The marks that were set, and the names of those taken away; None without a change."""
    if new is None or new.equals(old):
        return None
    added = {name: mark for name, mark in new.marks.items() if old.marks.get(name) != mark}
    return added, frozenset(old.marks.keys() - new.marks.keys())


def _marked(edit: Edit, base: Sequence[Token], runs: Mapping[int, _Run]) -> Edit:
    instead = edit.instead
    position = edit.start
    while position < edit.end:
        run = runs.get(position)
        if run is None:
            position += 1
            continue
        low, high = max(run.start, edit.start), min(run.end, edit.end)
        position = high
        while low < high and base[low].is_blank:
            low += 1
        while low < high and base[high - 1].is_blank:
            high -= 1
        if low == high:
            continue
        whole = run.end - run.start > edit.end - edit.start or _is_all(run, base)
        if run.start <= edit.start and edit.end <= run.end and whole:
            instead = [run.applied(token) for token in instead]
            continue
        at = _only_place([token.value for token in base[low:high]], instead)
        marked = [run.applied(token) for token in instead[at : at + high - low]]
        instead = [*instead[:at], *marked, *instead[at + high - low :]]
    return edit if instead is edit.instead else replace(edit, instead=instead)


def _is_all(run: _Run, base: Sequence[Token]) -> bool:
    """Whether a run is all of the text, so that its marks are of the text and not of words."""
    outside = [*base[: run.start], *base[run.end :]]
    return all(token.is_blank for token in outside)


def _only_place(values: list[str | bytes], tokens: Sequence[Token]) -> int:
    """Where these values stand in the tokens; OverlapError unless it is exactly one place."""
    starts = [i for i, token in enumerate(tokens) if token.value == values[0]]
    if len(starts) <= PLACES:
        places = [
            i for i in starts if [token.value for token in tokens[i : i + len(values)]] == values
        ]
        if len(places) == 1:
            return places[0]
    raise OverlapError
