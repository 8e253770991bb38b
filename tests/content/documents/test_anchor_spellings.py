"""Links in the spellings of other programs lead to the heading they were written for."""

import re

import pytest
from hypothesis import given, strategies as st

from content.documents.anchor_spellings import (
    SPELLED_HEADINGS,
    all_heading_aliases,
    anchor_spellings,
    title_names,
)
from content.documents.anchors import heading_anchors, with_anchors
from content.html.document import Rendered, render_document
from content.html.rendering import Options
from content.json_types import Json
from content.markdown.parser import parse_document


@pytest.mark.parametrize(
    ("heading", "links"),
    [
        ("Release 2.19.4", ["release-2.19.4", "release-2-19-4", "release-2194"]),
        ("1. Name", ["id-1.-name", "1.-name", "1-name", "id-1-name"]),
        ("Math & TeX", ["math-and-tex", "math-tex", "math--tex"]),
        ("What's new?", ["whats-new", "what-s-new"]),
        ("Scores > X", ["scores-x", "scores--x", "scores-greater-than-x"]),
        ("Rank <X", ["rank-x", "rank-less-than-x"]),
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


def page(source: str, title: str, *linked: str) -> Rendered:
    """A page with a title, to which such links lead."""
    meta: dict[str, Json] = {"title": title, "linked": list(linked)}
    return render_document({**parse_document(source), "meta": meta})


@pytest.mark.parametrize(
    ("title", "links"),
    [
        ("My page title", ["my-page-title"]),
        ("Release 2.19.4", ["release-2.19.4", "release-2-19-4", "release-2194"]),
        ("What's new?", ["whats-new", "what-s-new"]),
        ("\U0001f680 Start & end", ["start-end", "-start--end", "start-and-end"]),
        ("概要：设置", ["概要设置", "概要-设置"]),
    ],
)
def test_the_title_of_a_page_is_a_place_of_it(title: str, links: list[str]) -> None:
    assert set(links) <= set(page("Text.", title).title_ids)
    # Spelled as only a link does it.
    odd = links[0].replace("-", "_") + "_"
    assert odd not in page("Text.", title).title_ids
    assert page("Text.", title, odd).title_ids.count(odd) == 1


@pytest.mark.parametrize(
    "place",
    [
        "## Set up",
        "### Something {#set-up}",
        '<a id="set-up"></a>',
        "<details>\n<summary>Set up</summary>\n\nText\n\n</details>",
    ],
)
def test_what_the_body_has_comes_before_the_title(place: str) -> None:
    rendered = page(f"Text.\n\n{place}", "Set up", "Set_Up")
    assert rendered.title_ids == ()
    ids = re.findall(r' id="([^"]+)"', rendered.html)
    assert (ids.count("set-up"), ids.count("Set_Up")) == (1, 1)


def test_a_heading_of_a_reusable_content_comes_before_the_title() -> None:
    document = parse_document('## Other\n\n{% include "note.md" %}\n')
    reusable = Options(reusable=lambda reference: parse_document("## Set up"))
    without = render_document(document, reusable)
    rendered = render_document({**document, "meta": {"title": "Set up"}}, reusable)
    assert (rendered.title_ids, rendered.html) == ((), without.html)
    assert 'id="set-up"' in rendered.html


def test_no_title_is_no_place() -> None:
    assert title_names(" ", ()) == list(page("Text.", "").title_ids) == []


@given(
    TITLES, st.text(alphabet="aB1 .-_&'/(é概x", max_size=9), st.lists(st.text("aB1-x", max_size=4))
)
def test_ids_of_the_title_stand_nowhere_else(
    headings: list[str], title: str, linked: list[str]
) -> None:
    rendered = page("\n\n".join(headings), title, *linked)
    ids = re.findall(r' id="([^"]+)"', rendered.html)
    assert len({*ids, *rendered.title_ids}) == len(ids) + len(rendered.title_ids)
    # The body is as it is without the title, but for the number behind a heading of its words.
    taken = set(ids)
    assert [name for name in title_names(title, taken) if name not in rendered.title_ids] == []
