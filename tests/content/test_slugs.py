from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from content.documents.anchors import HeadingAnchors, heading_anchors, is_valid_anchor
from content.errors import SlugError
from content.markdown.parser import parse_document
from content.slugs import (
    MAX_SLUG_LENGTH,
    RESERVED_FIRST_SEGMENTS,
    check_slug,
    is_valid_slug,
    normalize_path,
    slug_from_title,
    slug_key,
    unique_slug,
)


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("Getting Started", "getting-started"),
        ("  Ça va?  Été! ", "ca-va-ete"),
        ("C++ & C#", "c-c"),
        ("ﬁne ①", "fine-1"),
        ("日本語 ガイド", "日本語-ガイド"),
        ("हिन्दी पाठ", "हिन्दी-पाठ"),
        ("Привет, мир", "привет-мир"),
        ("...", "page"),
        ("", "page"),
        ("a" * 150, "a" * 100),
        ("a" * 99 + " b", "a" * 99),
    ],
)
def test_slug_from_title(title: str, slug: str) -> None:
    assert slug_from_title(title) == slug


@given(st.text(max_size=300))
def test_slug_of_a_slug_is_itself(title: str) -> None:
    slug = slug_from_title(title)
    assert slug_from_title(slug) == slug
    assert is_valid_slug(slug)


@given(st.lists(st.sampled_from(["a", "A", "a-1", "llms.txt", "é", "é", "x" * 100]), max_size=12))
def test_unique_slugs_are_unique_valid_and_not_reserved(wished: list[str]) -> None:
    taken: set[str] = set()
    for slug in wished:
        chosen = unique_slug(slug, taken, at_root=True)
        assert slug_key(chosen) not in taken
        assert slug_key(chosen) not in RESERVED_FIRST_SEGMENTS
        assert len(chosen) <= MAX_SLUG_LENGTH
        taken.add(slug_key(chosen))


def test_collisions_count_up() -> None:
    assert unique_slug("a", {"a", "a-1"}) == "a-2"
    assert unique_slug("robots.txt", set(), at_root=True) == "robots.txt-1"
    assert unique_slug("robots.txt", set()) == "robots.txt"


@pytest.mark.parametrize("slug", ["a", "A_b.c~d-1", "日本語", "x" * 100])
def test_allowed_explicit_slugs(slug: str) -> None:
    check_slug(slug)


@pytest.mark.parametrize("slug", ["", "a/b", "a b", "..", ".", "x" * 101, "a\x00", "a+b", "%20"])
def test_refused_explicit_slugs_name_the_field(slug: str) -> None:
    with pytest.raises(SlugError, match=r"^slug: "):
        check_slug(slug)


def test_reserved_slugs_are_refused_at_the_root_only() -> None:
    with pytest.raises(SlugError):
        check_slug("LLMS.txt", at_root=True)
    assert is_valid_slug("llms.txt")


@pytest.mark.parametrize(
    ("path", "normal"),
    [
        ("/Guide//Start/", "guide/start"),
        ("", ""),
        ("///", ""),
        ("a%20b", "a b"),
        ("a%2520b", "a b"),
        ("a%252520b", "a%20b"),
        ("%E6%97%A5", "日"),
        ("e%CC%81", "é"),
    ],
)
def test_path_normalisation(path: str, normal: str) -> None:
    assert normalize_path(path) == normal


@pytest.mark.parametrize("path", ["a" * 2049, "a%00b", "a\nb", "\ud800"])
def test_refused_paths(path: str) -> None:
    with pytest.raises(SlugError, match=r"^path: "):
        normalize_path(path)


@given(st.text(max_size=60))
def test_normalisation_answers_or_refuses_any_text(path: str) -> None:
    try:
        normal = normalize_path(path)
    except SlugError:
        return
    assert not normal.startswith("/")
    assert not normal.endswith("/")
    assert "//" not in normal


def test_heading_anchors_are_unique_and_keep_explicit_ids() -> None:
    anchors = HeadingAnchors(frozenset({"intro"}))
    assert anchors.assign("Setup") == "setup"
    assert anchors.assign("Setup!") == "setup-1"
    assert anchors.assign("Intro") == "intro-1"
    assert anchors.assign("Other", explicit="intro") == "intro"
    assert anchors.assign("Setup") == "setup-2"
    assert anchors.assign("Bad id", explicit="Not Valid") == "bad-id"


def test_anchor_pattern() -> None:
    assert is_valid_anchor("a-b.c+d_1")
    assert not is_valid_anchor("A")
    assert not is_valid_anchor("")


def test_headings_of_a_document_have_anchors_of_their_own() -> None:
    document = parse_document(
        '## One\n\n## One\n\n## *Two* <a href="#one-1" id="one-1"></a>\n\n> ## One\n\n'
        '## X <a href="#one-1" id="one-1"></a>'
    )
    assert list(heading_anchors(document).values()) == ["one", "one-2", "one-1", "one-3", "x"]
