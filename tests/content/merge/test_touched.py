"""Conflicts that a new version of a document cannot be about stay as they are."""

from __future__ import annotations

import copy
from random import Random
from typing import Any

from hypothesis import event, given, strategies as st

from content.documents.nodes import child_lists, walk
from content.merge import touched as module
from content.merge.conflict import Conflict
from content.merge.documents import merge_documents
from content.merge.follow import followed, relocated
from content.merge.nodes import Indexed, Node
from content.merge.resolve import is_settled
from content.merge.touched import touched
from tests.content.merge.test_document_properties import Versions, versions


def _moved_on(document: Node, random: Random, edits: int) -> Node:
    """A document after some edits: words, blocks that go, come twice, move, or get another type."""
    document = copy.deepcopy(dict(document))
    for number in range(edits):
        lists = [
            children
            for parent in [document, *walk(document["nodes"])]
            for children in child_lists(parent)
            if children
        ]
        if not lists:
            break
        children, target = random.choice(lists), random.choice(lists)
        at = random.randrange(len(children))
        match random.randrange(5):
            case 0:
                del children[at]
            case 1:
                children.append({**copy.deepcopy(children[at]), "key": f"twin-{number}"})
            case 2:
                node = children.pop(at)
                # Not into itself.
                if any(below is target for one in walk([node]) for below in child_lists(one)):
                    children.insert(at, node)
                else:
                    target.insert(random.randrange(len(target) + 1), node)
            case 3:
                leaves = [leaf for node in walk([children[at]]) for leaf in node.get("leaves", [])]
                for leaf in leaves[:1]:
                    leaf["text"] += " more"
            case _:
                children[at]["type"] = random.choice(["quote", "tabs-item", "code-line"])
    return document


def _keys(conflict: Conflict) -> set[Any]:
    """As they are read of what is stored (resolvers/change_requests/conflicts.py)."""
    versions_of = [conflict.ours, conflict.theirs]
    keys = [one["key"] for one in versions_of if isinstance(one, dict) and "key" in one]
    return {conflict.block, *keys}


@given(versions(), st.integers(0, 2**32), st.integers(0, 4))
def test_conflicts_elsewhere_stay_as_they_are(found: Versions, seed: int, edits: int) -> None:
    merged = merge_documents(*found)
    before = Indexed(merged.document)
    after = Indexed(_moved_on(merged.document, Random(seed), edits))
    keys = touched(before, after)
    for conflict in merged.conflicts:
        if keys.isdisjoint(_keys(conflict)):
            event("elsewhere")
            assert relocated(conflict, before, after) is conflict
            assert followed(conflict, before, after) is conflict
            assert is_settled(conflict, before) == is_settled(conflict, after)
        else:
            event("looked at")


def test_what_is_compared_is_linear_and_what_is_touched_is_what_was_edited(
    monkeypatch: Any,
) -> None:
    compared = 0
    real = module._equal

    def counting(one: Node, other: Node) -> bool:
        nonlocal compared
        compared += 1
        return real(one, other)

    monkeypatch.setattr(module, "_equal", counting)
    counts = []
    for size in (100, 200):
        before = {
            "nodes": [
                {"object": "block", "type": "paragraph", "key": f"b{n}", "nodes": [
                    {"object": "text", "key": f"t{n}", "leaves": [{"text": str(n)}]}]}
                for n in range(size)
            ]
        }  # fmt: skip
        after = copy.deepcopy(before)
        after["nodes"][7]["nodes"][0]["leaves"][0]["text"] = "edited"  # type: ignore[index]
        compared = 0
        assert touched(before, after) == {"b7", "t7"}
        counts.append(compared)
        assert touched(before, before) == set()
    assert counts == [101, 201]
