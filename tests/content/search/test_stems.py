"""Stems, and how far apart two spellings are."""

import pytest
from hypothesis import example, given, strategies as st

from content.search.excerpts import Finder
from content.search.query import parse_query
from content.search.spelling import distance
from content.search.stems import stem, stem_root, unfinished_stems
from content.search.words import folded, word_texts
from tests.sources import EXAMPLES

# Endings of words in documentation, behind any letters.
ENDINGS = (
    "", "s", "es", "ies", "y", "e", "ed", "ing", "ings", "ll", "lled", "sses", "xes", "ches", "as",
    "ases", "us", "uses", "is", "ee", "ungen", "ung", "ionen", "zioni", "zione", "coes", "cao",
    "eaux", "eau", "ppings", "nned",
)  # fmt: skip
LETTERS = st.text("abcdeimnorstz", min_size=1, max_size=7)
WORDS = st.builds(str.__add__, LETTERS, st.sampled_from(ENDINGS))


@pytest.mark.parametrize(
    "forms",
    [
        "workflow workflows", "query queries", "box boxes", "class classes", "database databases",
        "alias aliases", "status statuses", "api apis", "schema schemas", "index indexes indexed",
        "movie movies", "cookie cookies", "key keys", "release releases released releasing",
        "install installs installed installing", "configure configured configuring configures",
        "type types typed typing", "run runs running", "log logs logged logging", "menu menus",
        "control controls controlled", "create creates creating", "copy copies copied copying",
        "einstellung einstellungen", "conexion conexiones", "configuracao configuracoes",
        "niveau niveaux", "funzione funzioni", "статья статьи статьями", "сервер серверы серверов",
    ],
)  # fmt: skip
def test_forms_of_one_word(forms: str) -> None:
    assert len({stem(folded(form)) for form in forms.split()}) == 1


@pytest.mark.parametrize(
    "words",
    ["file fill", "note not", "mode mod", "role roll", "server service", "string strung",
     "thing think", "date data", "universe university", "ios io", "東京 東"],
)  # fmt: skip
def test_other_words_stay_apart(words: str) -> None:
    one, other = words.split()
    assert stem(one) != stem(other)


@given(WORDS)
@example("nomeacao")
def test_a_word_begins_with_the_root_of_its_stem(word: str) -> None:
    assert len(stem(word)) >= min(len(word), 3)
    assert word.startswith(stem_root(stem(word)))
    assert stem(word)[:2] == word[:2]


def words_of_examples() -> list[str]:
    texts = (path.read_text() for path in sorted(EXAMPLES.rglob("*.md")))
    return sorted({word for text in texts for word in word_texts(text) if word.isalpha()})


def test_a_word_is_found_while_it_is_typed() -> None:
    """From two letters on: by the beginning of its stem, or by a stem that is looked for besides;
    and the same query finds its place in a text."""
    words = words_of_examples()
    assert len(words) > 500
    for word in words:
        for length in range(2, len(word) + 1):
            typed = word[:length]
            assert stem(word).startswith(typed) or stem(word) in unfinished_stems(typed), typed
        for typed in (word[:-1], word):
            assert len(typed) < 2 or Finder(parse_query(typed).terms).find(f"a {word}").places


@given(WORDS)
def test_what_is_not_finished_has_few_stems(word: str) -> None:
    assert len(unfinished_stems(word)) <= 6


def far_apart(word: str, other: str) -> int:
    """The distance by its definition, with the whole table."""
    table = {(row, 0): row for row in range(len(word) + 1)}
    table |= {(0, column): column for column in range(len(other) + 1)}
    for row in range(1, len(word) + 1):
        for column in range(1, len(other) + 1):
            table[row, column] = min(
                table[row - 1, column] + 1,
                table[row, column - 1] + 1,
                table[row - 1, column - 1] + (word[row - 1] != other[column - 1]),
            )
            if word[row - 2 : row] == other[column - 2 : column][::-1] and row > 1 < column:
                table[row, column] = min(table[row, column], table[row - 2, column - 2] + 1)
    return table[len(word), len(other)]


@given(st.text("abc", max_size=9), st.text("abc", max_size=9), st.integers(1, 2))
@example("abcdefgh", "bacdefhg", 2)
def test_distances(word: str, other: str, most: int) -> None:
    assert distance(word, other, most) == min(far_apart(word, other), most + 1)
