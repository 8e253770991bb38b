"""The table of merges of spaces, and how little a merge asks for."""

from __future__ import annotations

import pytest

from content.merge.nodes import canonical
from content.merge.versions import Needs
from tests.content.merge.document_cases import Case
from tests.content.merge.notation import World
from tests.content.merge.space_cases import CASES


def test_table_has_cases_with_names_of_their_own() -> None:
    assert len({case.name for case in CASES}) == len(CASES) >= 70


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case(case: Case) -> None:
    world = World()
    base = world.space(case.base)
    ours, theirs = world.space(case.ours, base), world.space(case.theirs, base)
    merged = world.merge(base, ours, theirs)
    result = world.applied(theirs, merged)
    assert world.text(result) == case.expected
    assert tuple(world.told(conflict) for conflict in merged.conflicts) == case.conflicts
    assert dict(merged.before) == {
        id: theirs.pages[id] for id in merged.pages if id in theirs.pages
    }
    for id, entry in merged.pages.items():
        assert id in merged.bodies or canonical(entry) != canonical(theirs.pages.get(id))


def asked(base: str, ours: str, theirs: str) -> list[Needs]:
    world = World()
    old = world.space(base)
    world.merge(old, world.space(ours, old), world.space(theirs, old))
    return world.asked


def test_edits_of_other_pages_ask_for_nothing() -> None:
    base = "a; body=one\nb; body=two\nc"
    assert asked(base, base.replace("one", "uno"), base.replace("two", "due")) == []


def test_a_page_that_both_edit_asks_for_its_three_documents_only() -> None:
    (needs,) = asked("a; body=1\nb; body=x", "a; body=2\nb; body=x", "a; body=3\nb; body=y")
    assert len(needs.documents) == 3
    assert needs == Needs(documents=needs.documents)


def test_siblings_are_asked_for_only_where_both_placed_pages() -> None:
    base = "a\n  a1\nb\n  b1\nc\n  c1"
    needs = asked(base, base + "\n  new", base.replace("  b1", "  b1\n  other"))
    assert [need.children for need in needs if need.children] == []
    needs = asked(base, base + "\n  new", base + "\n  other")
    assert [need.children for need in needs if need.children] == [{"c"}]
