"""Words, queries and excerpts of search."""

import re
from functools import partial

import pytest
from hypothesis import example, given, settings, strategies as st

from content.search.excerpts import EXCERPT_LENGTH, Finder, excerpt_of
from content.search.query import TERM_LIMIT, WORDS_LIMIT, Term, parse_query
from content.search.words import WORD_LIMIT, word_texts, words_of
from tests.growth import assert_growth

TEXTS = st.text(max_size=200) | st.lists(
    st.sampled_from(
        ["in\u00adstall", "ไทย\u200bลาว", "\u1112\u1161\u11ab",
         "install", "Install", "INSTALLER", "café", "cafe\u0301", "Straße", "東京都", "ｶﾞ", "한국어",
         "สวัสดี", "max_lines", "don’t", "<b>", "&", "\n", "  ", "—", "e", "हिन्दी", "ﬁne", "\u0301"]
    ),
    max_size=40,
).map(" ".join)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Café, CAFE\u0301!", ["cafe", "cafe"]),
        ("Straße Øre Łódź Æther", ["strasse", "ore", "lodz", "aether"]),
        ("İstanbul ılık", ["istanbul", "ilik"]),
        ("max_lines v1.2 don't", ["max", "lines", "v1", "2", "don", "t"]),
        ("東京都", ["東京", "京都", "都"]),
        ("ｶﾀｶﾅ２０２４", ["カタ", "タカ", "カナ", "ナ", "2024"]),
        ("हिन्दी", ["हिन्दी"]),
        ("שָׁלוֹם كِتَاب", ["שלום", "كتاب"]),
        ("ἀλήθεια Ёлка", ["αληθεια", "елка"]),
        ("Donau\u00addampf می\u200cخواهم ක්\u200dෂ", ["donaudampf", "میخواهم", "ක්ෂ"]),
        ("ไทย\u200bลาว", ["ไท", "ทย", "ยล", "ลา", "าว", "ว"]),
        ("\u1112\u1161\u11ab\u1100\u116e\u11a8", ["한국", "국"]),
        ("!? … 😀 \x00 \ud800", []),
        ("x" * 200, ["x" * WORD_LIMIT]),
    ],
)
def test_words(text: str, words: list[str]) -> None:
    assert word_texts(text) == words


@given(TEXTS)
def test_words_are_letters_and_digits_and_know_their_places(text: str) -> None:
    words = list(words_of(text))
    assert [word.text for word in words] == word_texts(text)
    last = 0
    for word in words:
        assert word.text
        assert not re.search(r"[\s\"'&|!<>:*()\\_\x00]", word.text)
        assert last <= word.start < word.end <= len(text)
        last = word.start
    assert word_texts(" ".join(word_texts(text))) is not None


@pytest.mark.parametrize(
    ("query", "terms"),
    [
        ("", []),
        ('"" !!! "', []),
        ("Install", [Term(("install",), True, ("instal",))]),
        ("configurin", [Term(("configurin",), True, ("configur",))]),
        ("installed ", [Term(("instal",))]),
        ('"au lait"', [Term(("au", "lait"))]),
        ('"au lait', [Term(("au",)), Term(("lait",), True)]),
        ("max_lines a", [Term(("max", "line")), Term(("a",))]),
        ("東京都", [Term(("東京", "京都"))]),
        ("東 x2024", [Term(("東",), True), Term(("x2024",), True)]),
        ("東京2024 b", [Term(("東京",)), Term(("2024",)), Term(("b",))]),
        ("same same same ", [Term(("same",))]),
        ("page pages", [Term(("page",)), Term(("pages",), True, ("page",))]),
        ("page pages ", [Term(("page",))]),
        ("NOT a OR b* ", [Term((one,)) for one in ("not", "a", "or", "b")]),
    ],
)
def test_queries(query: str, terms: list[Term]) -> None:
    assert list(parse_query(query).terms) == terms


@given(TEXTS | st.text(alphabet='"a b', max_size=600))
def test_queries_are_bounded(query: str) -> None:
    terms = parse_query(query).terms
    assert len(terms) <= TERM_LIMIT
    assert sum(len(term.words) for term in terms) <= WORDS_LIMIT
    assert all(word for term in terms for word in term.words)


@settings(max_examples=300)
@given(TEXTS, TEXTS)
@example("\U0002ebe1", "\U0002ebe1")
def test_the_short_way_through_a_text_finds_what_the_long_one_does(text: str, query: str) -> None:
    finder = Finder(parse_query(query).terms)
    found, slow = finder.find(text), finder._find_words(text)
    # Of a phrase that begins in the middle of itself the short way leaves out some places.
    for start, end in found.places:
        assert any(first <= start and end <= last for first, last in slow.places)
    assert bool(found.places) == bool(slow.places)
    assert found.terms == slow.terms


@pytest.mark.parametrize("query", ["ab", "ab_ab", "ab_cd", "x_cd", "ab ", "東 ab"])
def test_beginnings_within_a_long_word_take_linear_time(query: str) -> None:
    """Such as a key or data in a text: it took as long as the square of its length."""
    finder = Finder(parse_query(query).terms)
    assert_growth(lambda size: partial(finder.find, f"x{'ab' * size} ab"), 20_000)
    assert len(finder.find(f"x{'ab' * 20_000} ab").places) == ("_" not in query)


@given(TEXTS, TEXTS)
def test_excerpts_are_short_and_safe(text: str, query: str) -> None:
    found = Finder(parse_query(query).terms).find(text)
    excerpt = excerpt_of(text, found.places)
    assert len(excerpt.text) <= EXCERPT_LENGTH
    assert bool(excerpt.marks) == bool(found.places)
    html = excerpt.html
    bare = html.replace("<mark>", "").replace("</mark>", "")
    assert not re.search("[<>\"']", bare)
    assert html.count("<mark>") == html.count("</mark>") == len(excerpt.marks)


def test_an_excerpt_begins_a_little_before_what_was_found() -> None:
    text = "one two " * 50 + "needle " + "three four " * 50
    excerpt = excerpt_of(text, Finder(parse_query("needle").terms).find(text).places)
    assert excerpt.text.startswith("…one two one")
    assert excerpt.text.endswith("…")
    assert [excerpt.text[start:end] for start, end in excerpt.marks] == ["needle"]
