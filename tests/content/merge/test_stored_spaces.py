"""Merges of stored spaces: what is read is what changed."""

from __future__ import annotations

import pytest

from tests.content.merge.document_cases import Case
from tests.content.merge.notation import Space, World
from tests.content.merge.space_cases import CASES
from tests.content.merge.stored_spaces import Snapshot, Stored


def snapshot(stored: Stored, space: Space) -> Snapshot:
    return stored.snapshot(space.pages, space.files, space.contents, space.variables)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_maps_give_what_dictionaries_give(case: Case) -> None:
    world = World()
    base = world.space(case.base)
    sides = [world.space(text, base) for text in (case.ours, case.theirs)]
    stored = Stored(world.documents)
    merged = stored.merge(*(snapshot(stored, space) for space in (base, *sides)))
    assert merged == world.merge(base, *sides)
    assert world.text(world.applied(sides[1], merged)) == case.expected


def test_a_change_of_20_pages_reads_little_of_5000() -> None:
    world, lines = World(), []
    for number in range(5000):
        lines.append("  " * (number % 50 > 0) + f"p{number:04d}; body=Text of page {number}.")
    text = ours = theirs = "\n".join(lines)
    for number in range(20):
        ours = ours.replace(f"Text of page {number * 211}.", f"Ours of page {number * 211}.")
        theirs = theirs.replace(f"Text of page {number * 97}.", f"Theirs of page {number * 97}.")
    base = world.space(text)
    stored = Stored(world.documents)
    merged = stored.merge(
        *(snapshot(stored, s) for s in (base, world.space(ours, base), world.space(theirs, base)))
    )
    # Page 0 is the only one that both sides edited.
    assert len(merged.pages) == 20
    assert len(stored.documents_read) == 3
    # For each page that one side changed two leaves, and the branches above them.
    assert len(stored.nodes_read) < 2 * 40 + 30
    assert len(stored.nodes) > 350
