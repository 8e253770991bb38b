"""Links in the spellings of other programs lead to the heading they were written for."""

import re

import pytest
from hypothesis import given, strategies as st

from content.documents.anchor_spellings import (
    SPELLED_HEADINGS,
    all_heading_aliases,
    anchor_spellings,
)
from content.documents.anchors import heading_anchors, with_anchors
from content.html.document import render_document
from content.markdown.parser import parse_document


@pytest.mark.parametrize(
    ("heading", "links"),
    [
        ("Release 2.19.4", ["release-2.19.4", "release-2-19-4", "release-2194"]),
        ("1. Name", ["id-1.-name", "1.-name", "1-name", "id-1-name"]),
        ("Math & TeX", ["math-and-tex", "math-tex", "math--tex"]),
        ("What's new?", ["whats-new", "what-s-new"]),
        ("Setup (optional)", ["setup-optional"]),
        ("Read/write", ["readwrite", "read-write"]),
        ("snake_case", ["snake_case", "snake-case"]),
        ("概要：设置", ["概要设置", "概要-设置"]),
    ],
)
def test_each_spelling_leads_to_the_heading(heading: str, links: list[str]) -> None:
    html = render_document(parse_document(f"## {heading}")).html
    assert set(links) <= set(re.findall(r' id="([^"]+)"', html))


def test_numbers_stand_behind_every_spelling() -> None:
    document = parse_document("## What's new\n\n## What's new")
    anchors = heading_anchors(document)
    aliases = list(all_heading_aliases(document, anchors).values())
    assert "whats-new" in aliases[0]
    assert "whats-new-1" in aliases[1]


def test_the_anchor_of_another_heading_is_no_spelling() -> None:
    document = parse_document("## What's new\n\n## Whats new")
    aliases = all_heading_aliases(document, heading_anchors(document))
    assert "whats-new" not in [name for names in aliases.values() for name in names]


def test_an_anchor_that_was_set_by_hand_has_no_spellings() -> None:
    assert anchor_spellings("What's new", "news") == []


def test_pages_of_very_many_headings_have_a_bounded_number_of_spellings() -> None:
    document = parse_document("## A & B\n" * (SPELLED_HEADINGS + 5))
    aliases = all_heading_aliases(document, heading_anchors(document))
    assert len(aliases) == SPELLED_HEADINGS


TITLES = st.lists(
    st.text(alphabet="aB1 .-_&'/(é概", max_size=8).map(lambda title: f"## x{title}"), max_size=6
)


@given(TITLES)
def test_no_id_stands_twice_on_a_page(titles: list[str]) -> None:
    document = parse_document("\n\n".join(titles))
    ids = re.findall(r' id="([^"]+)"', render_document(document).html)
    assert len(set(ids)) == len(ids)
    anchors = heading_anchors(document)
    shown = with_anchors(document)
    assert list(all_heading_aliases(shown, heading_anchors(shown)).values()) == list(
        all_heading_aliases(document, anchors).values()
    )
