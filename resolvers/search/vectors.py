"""Words of pages and of queries as PostgreSQL reads them: texts of tsvectors and tsqueries."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from string import ascii_letters, digits
from zlib import crc32

from content.search.query import SHORTEST_BEGINNING, Term
from content.search.words import is_dense
from resolvers.core.statements import Viewer
from resolvers.search.words import Marks, PageWords, Within

# Mark the words that a space and an organization are, for each kind of reader; no word of a page
# has them.
_MARKS = Marks(members=("\x01", "\x06"), visitors=("\x02", "\x07"))
# Marks a word that stands for two neighbours, by one of 262,144 numbers, or by one of 1,024 for the
# first and the beginning of the second.
_PAIR, _LETTERS = "\x03", ascii_letters + digits + "+-"
# Mark the titles of a page, by its words and by their stems.
EXACT, SIMILAR = "\x08", "\x0e"
# Mark words of the title, and those of headings and the description.
TITLE, HEAD = "\x04", "\x05"
# A vector holds a megabyte, and more words of heads are none.
_MARKED = 1000
_LABELS = "ABCD"
# Places that a vector can hold, and places of one word.
_LAST_PLACE, _PLACES = 16_383, 255


def scopes_of(page: PageWords) -> list[str]:
    """The words that tell the space and the organization of a page."""
    return [mark + id for mark, id in _MARKS.of_page(page)]


def scope_text(viewer: Viewer, within: Within) -> str:
    """The beginning of a query that looks at pages of some spaces or organizations only."""
    words = [quoted(mark + id) for mark, id in _MARKS.of_query(viewer, within)]
    return f"({' | '.join(words)}) & " if words else ""


def marks_of(page: PageWords) -> Iterator[str]:
    """Words that say where a page has its first words, which the index does not know."""
    heads = (*page.headings, *page.description)
    yield from (TITLE + word for word in page.title[:_MARKED])
    yield from (HEAD + word for word in heads[:_MARKED])


def titles_of(page: PageWords) -> list[str]:
    """The words that are the title of a page."""
    exact, similar = page.titles
    return [EXACT + exact, SIMILAR + similar] if exact else []


def pairs_of(page: PageWords) -> set[str]:
    return {pair for words in page.fields for pair in _pairs(words)}


def _pairs(words: Sequence[str]) -> Iterator[str]:
    """A word for each two neighbours, which other neighbours may have as well.

    The index knows which pages have a word, not where. A phrase of frequent words would make it
    read the words of most pages; with these it reads those of some more pages than have it. The
    beginning of the second word is part of it, as it is all that is known of an unfinished one.
    """
    for first, second in pairwise(words):
        if is_dense(second):
            number = crc32(f"{first} {second}".encode())
            yield _PAIR + "".join(_LETTERS[number >> shift & 63] for shift in (0, 6, 12))
        else:
            number = crc32(first.encode())
            start = second[:SHORTEST_BEGINNING]
            yield f"{_PAIR}{_LETTERS[number & 63]}{_LETTERS[number >> 6 & 15]}{start}"


def vector(fields: Sequence[Sequence[str]], others: Iterable[str] = ()) -> str:
    """The text of a tsvector: each word with its places and the label of its field.

    `others` are words without places.
    """
    places: dict[str, list[str]] = {}
    place = 0
    for words, label in zip(fields, _LABELS, strict=False):
        for word in words:
            place += 1
            positions = places.setdefault(word, [])
            if len(positions) < _PLACES:
                positions.append(f"{min(place, _LAST_PLACE)}{label}")
        # Words of two fields are no neighbours.
        place += 1
    places.update((other, []) for other in others)
    return " ".join(
        f"{quoted(word)}:{','.join(positions)}" if positions else quoted(word)
        for word, positions in places.items()
    )


def quoted(word: str) -> str:
    escaped = word.replace("\\", "\\\\").replace("'", "''")
    return f"'{escaped}'"


def _last(mark: str, term: Term) -> str:
    """The last word of a term, or what may stand in its place."""
    last = quoted(mark + term.words[-1]) + (":*" if term.prefix else "")
    others = [quoted(mark + other) for other in term.others]
    return f"({' | '.join([last, *others])})" if others else last


def term_text(term: Term) -> str:
    words = " <-> ".join([*map(quoted, term.words[:-1]), _last("", term)])
    return f"({words})"


def marked_term(mark: str, term: Term) -> str:
    """The words of a term with a mark; where they stand is not asked."""
    words = [*(quoted(mark + word) for word in term.words[:-1]), _last(mark, term)]
    return f"({' & '.join(words)})"


def found_term(term: Term) -> str:
    """The term as it is looked up in the index: its words, and words for its pairs."""
    pairs = [quoted(pair) for pair in _pairs(term.words)]
    return f"({' & '.join([*pairs, *map(quoted, term.words[:-1]), _last('', term)])})"
