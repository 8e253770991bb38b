"""Merges of stored spaces: what is read is what changed."""

from __future__ import annotations

import pytest

from content.merge.maps import Read, Snapshot, merge_snapshots
from content.merge.nodes import Node
from content.merge.space import Merged
from content.merkle.node import CorruptMapError
from content.page_keys import child_key
from tests.content.merge.notation import Space, World
from tests.content.merge.space_cases import CASES, Case
from tests.content.merkle_store import Store


class Stored:
    """Spaces in maps, and what a merge reads of them."""

    def __init__(self, documents: dict[str, Node]) -> None:
        self.store, self.documents = Store(), documents
        self.nodes_read: list[frozenset[str]] = []
        self.documents_read: list[frozenset[str]] = []

    def snapshot(self, space: Space) -> Snapshot:
        slugs = {
            child_key(page.get("parent"), page["slug"], id): {"id": id}
            for id, page in space.pages.items()
        }
        return Snapshot(
            pages_root=self.store.build(space.pages),
            slugs_root=self.store.build(slugs),
            files_root=self.store.build(space.files),
            contents_root=self.store.build(space.contents),
            variables=space.variables,
        )

    def merge(self, base: Snapshot, ours: Snapshot, theirs: Snapshot) -> Merged:
        merging = merge_snapshots(base, ours, theirs)
        try:
            wanted = next(merging)
            while True:
                assert bool(wanted.nodes) != bool(wanted.documents)
                if wanted.nodes:
                    self.nodes_read.append(wanted.nodes)
                else:
                    self.documents_read.append(wanted.documents)
                nodes = self.store.nodes
                wanted = merging.send(
                    Read(
                        nodes={id: nodes[id] for id in wanted.nodes if id in nodes},
                        documents={id: self.documents[id] for id in wanted.documents},
                    )
                )
        except StopIteration as stop:
            result: Merged = stop.value
            return result


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_maps_give_what_dictionaries_give(case: Case) -> None:
    world = World()
    base = world.space(case.base)
    sides = [world.space(text, base) for text in (case.ours, case.theirs)]
    stored = Stored(world.documents)
    merged = stored.merge(*map(stored.snapshot, (base, *sides)))
    assert merged == world.merge(base, *sides)
    assert world.text(world.applied(sides[1], merged)) == case.expected


def large(many: int) -> str:
    lines = []
    for number in range(many):
        lines.append("  " * (number % 50 > 0) + f"p{number:04d}; body=Text of page {number}.")
    return "\n".join(lines)


def test_a_change_of_20_pages_reads_little_of_5000() -> None:
    world, text = World(), large(5000)
    base = world.space(text)
    ours = theirs = text
    for number in range(20):
        ours = ours.replace(f"Text of page {number * 211}.", f"Ours of page {number * 211}.")
        theirs = theirs.replace(f"Text of page {number * 97}.", f"Theirs of page {number * 97}.")
    stored = Stored(world.documents)
    snapshots = [
        stored.snapshot(space)
        for space in (base, world.space(ours, base), world.space(theirs, base))
    ]
    merged = stored.merge(*snapshots)
    # Page 0 is the only one that both sides edited.
    assert len(merged.pages) == 20
    assert [len(ids) for ids in stored.documents_read] == [3]
    # All roots, the branches below them, then leaves: one read a level.
    assert len(stored.nodes_read) <= 3
    assert sum(map(len, stored.nodes_read)) < 130
    assert len(stored.store.nodes) > 350


def test_a_node_that_is_missing_is_named() -> None:
    world = World()
    base = world.space("a")
    stored = Stored(world.documents)
    snapshots = [stored.snapshot(s) for s in (base, world.space("a; title=A", base), base)]
    root = snapshots[1].pages_root
    assert root is not None
    del stored.store.nodes[root]
    with pytest.raises(CorruptMapError, match=root):
        stored.merge(*snapshots)
