"""The table of merges of documents, with keys of every origin."""

from __future__ import annotations

import inspect
import sys
from typing import Any

import pytest

from content.documents.block_places import PARTS
from content.documents.keys import assign_keys
from content.documents.limits import LEVELS
from content.documents.nodes import block, paragraph, text
from content.merge.conflict import Cell, Conflict
from content.merge.documents import merge_documents
from content.merge.nodes import Node, walk
from tests.content.merge.document_cases import CASES, Case
from tests.content.merge.notation import KEYS, document, plain, shown
from tests.growth import soon


def told(conflict: Conflict) -> str:
    """A conflict as the table writes it."""
    cell = conflict.cell or Cell()
    head = [conflict.kind.value, conflict.field, cell.record, cell.definition]
    versions = [_told(value) for value in (conflict.base, conflict.ours, conflict.theirs)]
    return " ".join(part for part in head if part) + ": " + " | ".join(versions)


def _told(value: Any) -> str:
    if isinstance(value, dict) and "object" not in value:
        return "set" if "title" in value else " ".join(shown(v) for v in value.values())
    return shown(value)


def keys_of(nodes: list[Node]) -> list[str]:
    return [node["key"] for node in walk(nodes)]


def test_table_has_enough_cases_with_names_of_their_own() -> None:
    assert len({case.name for case in CASES}) == len(CASES) >= 70


@pytest.mark.parametrize("keys", KEYS)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case(case: Case, keys: str) -> None:
    texts = [t.replace(" / ", "\n\n") for t in (case.base, case.ours, case.theirs)]
    base, ours, theirs = KEYS[keys](*texts)
    merged = merge_documents(base, ours, theirs, page="page")
    expected = document(case.expected.replace(" / ", "\n\n"))
    assert plain(merged.document["nodes"]) == plain(expected["nodes"])
    assert tuple(told(conflict) for conflict in merged.conflicts) == case.conflicts
    found = keys_of(merged.document["nodes"])
    assert len(found) == len(set(found))
    assert {conflict.page for conflict in merged.conflicts} <= {"page"}
    assert all(conflict.block in found for conflict in merged.conflicts)


def test_as_deep_as_documents_may_be() -> None:
    def deep(first: str, second: str) -> Node:
        nodes = [paragraph([text(first)]), paragraph([text(second)])]
        for _ in range(LEVELS - 2):
            nodes = [block("blockquote", nodes)]
        return {"object": "document", "data": {}, "nodes": nodes}

    versions = deep("one two", "x"), deep("uno two", "x"), deep("one due", "y")
    limit = sys.getrecursionlimit()
    # Half of what there is, because whoever calls has a stack already.
    sys.setrecursionlimit(len(inspect.stack()) + limit // 2)
    try:
        merged = merge_documents(*versions, page="page")
    finally:
        sys.setrecursionlimit(limit)
    assert merged.conflicts == ()
    assert plain(merged.document["nodes"]) == plain(deep("uno due", "y")["nodes"])


def test_what_both_empty_holds_an_empty_paragraph() -> None:
    hint = [block("hint", [paragraph([text(t)]) for t in texts], {"style": "info"})
            for texts in (("one", "two"), ("one",), ("two",))]  # fmt: skip
    documents = [{"object": "document", "data": {}, "nodes": [node]} for node in hint]
    merged = merge_documents(*documents, page="page")
    (node,) = merged.document["nodes"]
    assert [child["type"] for child in node["nodes"]] == ["paragraph"]
    assert shown(node) == ""


@pytest.mark.parametrize("kind", sorted(PARTS))
def test_a_container_that_both_emptied_goes(kind: str) -> None:
    def holding(*texts: str) -> Node:
        inner = [node if kind == "code" else paragraph([node]) for node in map(text, texts)]
        parts = [block(PARTS[kind], [node]) for node in inner]
        return {"object": "document", "data": {}, "nodes": [block(kind, parts)]}

    merged = merge_documents(holding("one", "two"), holding("one"), holding("two"), page="page")
    # The document itself is never empty.
    assert plain(merged.document["nodes"]) == plain([paragraph([])])


def test_time_does_not_grow_with_depth_times_size() -> None:
    def deep(word: str, seed: str) -> Node:
        nodes = [paragraph([text(f"{word if n == 4000 else n} words")]) for n in range(4001)]
        for level in range(LEVELS - 2):
            nodes = [paragraph([text(f"{level}")]), block("blockquote", nodes)]
        assign_keys(nodes, seed)
        return {"object": "document", "data": {}, "nodes": nodes}

    versions = deep("old", "a"), deep("mine", "b"), deep("yours", "c")
    with soon():
        merged = merge_documents(*versions, page="page")
    assert len(merged.conflicts) == 1


def test_a_key_that_both_sides_kept_at_different_places_is_given_once() -> None:
    def versions(*nodes: Node) -> Node:
        return {"object": "document", "data": {}, "nodes": list(nodes)}

    def moved(words: str) -> Node:
        return {**paragraph([{**text(words), "key": "text"}]), "key": "moved"}

    other = {**paragraph([{**text("other"), "key": "b"}]), "key": "a"}
    hint = {**block("hint", [moved("one four")], {"style": "info"}), "key": "hint"}
    found = merge_documents(
        versions(moved("one two"), other),
        versions(other, hint),
        versions(moved("one three"), other),
    )
    keys = keys_of(found.document["nodes"])
    assert len(keys) == len(set(keys)) == 7
    (place,) = (node for node in found.document["nodes"] if node["type"] == "hint")
    assert [shown(node) for node in place["nodes"]] == ["one three", "one four"]
    (conflict,) = found.conflicts
    assert (conflict.block, conflict.theirs["key"]) == ("moved", "moved")
