"""Pages of specifications: whatever the tags say of each other, each operation is on one page."""

from typing import Any

import pytest
from hypothesis import given, strategies as st

from content.openapi.outline import MOST_LEVELS, MOST_PAGES, Outline, TagPage, outline_of


def specification(parents: dict[int, int], count: int) -> dict[str, Any]:
    """As many tags, each with an operation, below the tags that `parents` say."""
    tags = [
        {"name": f"t{number}"} | ({"parent": f"t{parents[number]}"} if number in parents else {})
        for number in range(count)
    ]
    paths = {
        f"/p{number}": {"get": {"tags": [f"t{number}"], "responses": {}}} for number in range(count)
    }
    return {"info": {"title": "API"}, "tags": tags, "paths": paths}


def listed(outline: Outline) -> list[tuple[int, TagPage]]:
    """All pages with their levels."""
    pages, waiting = [], [(1, page) for page in outline.top]
    while waiting:
        level, page = waiting.pop()
        pages.append((level, page))
        waiting.extend((level + 1, child) for child in page.children)
    return pages


def check(outline: Outline, count: int) -> None:
    pages = listed(outline)
    assert len({page.name for _, page in pages}) == len(pages) <= MOST_PAGES + 1
    assert max(level for level, _ in pages) <= MOST_LEVELS
    entries = sorted(entry.name for _, page in pages for entry in page.entries)
    assert entries == sorted(f"/p{number}" for number in range(count))


@given(st.dictionaries(st.integers(0, 39), st.integers(0, 44)))
def test_any_parents(parents: dict[int, int]) -> None:
    check(outline_of(specification(parents, 40)), 40)


@pytest.mark.parametrize("step", [1, -1])
@pytest.mark.parametrize("count", [MOST_LEVELS + 1, 3 * MOST_PAGES])
def test_long_chains(count: int, step: int) -> None:
    parents = {number: (number + step) % count for number in range(count)}
    check(outline_of(specification(parents, count)), count)
