"""The table of merges of documents, with keys of every origin."""

from __future__ import annotations

from typing import Any

import pytest

from content.merge.conflict import Cell, Conflict
from content.merge.documents import merge_documents
from content.merge.nodes import Node, walk
from tests.content.merge.document_cases import CASES, Case
from tests.content.merge.notation import KEYS, document, plain, shown


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
    texts = [text.replace(" / ", "\n\n") for text in (case.base, case.ours, case.theirs)]
    base, ours, theirs = KEYS[keys](*texts)
    merged = merge_documents(base, ours, theirs, page="page")
    expected = document(case.expected.replace(" / ", "\n\n"))
    assert plain(merged.document["nodes"]) == plain(expected["nodes"])
    assert tuple(told(conflict) for conflict in merged.conflicts) == case.conflicts
    found = keys_of(merged.document["nodes"])
    assert len(found) == len(set(found))
    assert {conflict.page for conflict in merged.conflicts} <= {"page"}
    assert all(conflict.block in found for conflict in merged.conflicts)
