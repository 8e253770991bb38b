"""The positions of a query's terms in a text, and an excerpt around them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from string import ascii_lowercase, digits

from content.search.query import Term
from content.search.stems import stem, stem_root
from content.search.words import JOINERS, WORD_LIMIT, folded, is_dense, stems_of, words_of

EXCERPT_LENGTH = 200
_BEFORE = 60
_CUT = "…"


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A piece of plain text, at most 200 characters, and the places in it that were found.

    `marks` are pairs of start and end, in order and apart from each other.
    """

    text: str
    marks: tuple[tuple[int, int], ...]

    def pieces(self) -> Iterator[tuple[str, bool]]:
        """The text in pieces that are not empty, and whether each was looked for."""
        position = 0
        for start, end in self.marks:
            if position < start:
                yield self.text[position:start], False
            yield self.text[start:end], True
            position = end
        if position < len(self.text):
            yield self.text[position:], False

    @property
    def html(self) -> str:
        """The text for HTML: what was found is in `mark` elements, all else is escaped."""
        return "".join(
            f"<mark>{escape(piece)}</mark>" if is_match else escape(piece)
            for piece, is_match in self.pieces()
        )


@dataclass(frozen=True, slots=True)
class Found:
    """The places of terms in a text, in order, and which of the terms were found."""

    places: tuple[tuple[int, int], ...]
    terms: frozenset[int]


class Finder:
    """Finds the terms of one query in texts, by the rules by which texts are indexed."""

    def __init__(self, terms: Sequence[Term]) -> None:
        self._terms = terms
        plain = [
            (number, term)
            for number, term in enumerate(terms)
            if all(word.isascii() for word in (*term.words, *term.others))
        ]
        self._plain = [
            (number, term, letters, re.compile(expression))
            for number, term in plain
            for letters, expression in _expressions(term)
        ]
        # Signs of scripts without blanks only stand between words for terms of ASCII.
        self._hard = _HARD if len(plain) == len(terms) else f"{_HARD}{_BETWEEN}"

    def find(self, text: str) -> Found:
        """The positions of the terms in the text."""
        simple = text.lower() if text.isascii() else text.translate(_SIMPLE)
        if _HARD in simple or (len(self._hard) > 1 and _BETWEEN in simple):
            return self._find_words(text)
        places: list[tuple[int, int]] = []
        seen: set[int] = set()
        for number, term, letters, plain in self._plain:
            position = simple.find(letters)
            while position >= 0:
                # In the middle of a word no term begins: asked first, for what follows a long word
                # is looked for from each place that is tried.
                inside = position > 0 and simple[position - 1] in _PARTS
                match = None if inside else plain.match(simple, position)
                if match is None or not _is_meant(term, match.groups()):
                    position = simple.find(letters, _behind_word(simple, position))
                    continue
                start, end = match.span()
                places.append((start, end))
                seen.add(number)
                position = simple.find(letters, end)
        return Found(tuple(_merged(places)), frozenset(seen))

    def _find_words(self, text: str) -> Found:
        words = list(words_of(text))
        stems = stems_of(word.text for word in words)
        starts: dict[str, list[int]] = {}
        for index, word in enumerate(stems):
            starts.setdefault(word, []).append(index)
        places: list[tuple[int, int]] = []
        seen: set[int] = set()
        for number, term in enumerate(self._terms):
            for index in _starts(term, starts):
                last = index + len(term.words) - 1
                if last < len(words) and _matches(term, stems[index : last + 1]):
                    places.append((words[index].start, words[last].end))
                    seen.add(number)
        return Found(tuple(_merged(places)), frozenset(seen))


# Stand for a character that the short way through a text cannot judge, and for one of a script
# that puts no spaces between words.
_HARD, _BETWEEN = "\uffff", "\ufffe"
# Of words, in texts for the short way.
_PARTS = frozenset(ascii_lowercase + digits)
_REST_OF_WORD = re.compile("[a-z0-9]*")


class _Simple(dict[int, str]):
    """Characters as one ASCII letter or digit, or a blank where they are part of no word."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        plain = folded(char)
        if len(plain) == 1 and plain.isascii():
            simple = plain
        elif is_dense(char):
            simple = _BETWEEN
        elif (
            char.isalnum() or char in JOINERS or unicodedata.category(char).startswith("M") or plain
        ):
            simple = _HARD
        else:
            simple = " "
        self[code] = simple
        return simple


_SIMPLE = _Simple()


def _behind_word(text: str, position: int) -> int:
    """The end of the word that a place is in."""
    match = _REST_OF_WORD.match(text, position)
    return position if match is None else match.end()


def _expressions(term: Term) -> list[tuple[str, str]]:
    """Letters with which places of the term begin, and the term in a text of ASCII letters, digits
    and other characters, each word a group; one pair for each beginning.

    What is before the letters, and whether the words are those that are meant, is looked at
    afterwards.
    """
    *before, last = term.words
    roots = [last if term.prefix else stem_root(last), *map(stem_root, term.others)]
    # Without those that begin with another one.
    roots = [root for root in dict.fromkeys(roots)
             if not any(root != other and root.startswith(other) for other in roots)]  # fmt: skip
    if not before:
        return [(root, f"({root}[a-z0-9]*)") for root in roots]
    words = [*map(stem_root, before), f"(?:{'|'.join(roots)})"]
    between = f"[^a-z0-9{_BETWEEN}]+"
    return [(words[0], between.join(f"({word}[a-z0-9]*)" for word in words))]


def _is_meant(term: Term, words: Sequence[str]) -> bool:
    return _matches(term, [stem(word[:WORD_LIMIT]) for word in words])


def _starts(term: Term, starts: dict[str, list[int]]) -> list[int]:
    """The numbers of the words at which the term may begin."""
    first = term.words[0]
    if len(term.words) > 1:
        return starts.get(first, [])
    return [index for word, indices in starts.items() if _ends(term, word) for index in indices]


def _matches(term: Term, stems: Sequence[str]) -> bool:
    return tuple(stems[:-1]) == term.words[:-1] and _ends(term, stems[-1])


def _ends(term: Term, last: str) -> bool:
    """Whether a word is the last of a term."""
    if last in term.others:
        return True
    return last.startswith(term.words[-1]) if term.prefix else last == term.words[-1]


def _merged(places: list[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(places):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def excerpt_of(text: str, places: Sequence[tuple[int, int]]) -> Excerpt:
    """The piece of the text with the first of the places; its beginning when there are none."""
    start = 0
    if places and len(text) > EXCERPT_LENGTH:
        start = max(0, places[0][0] - _BEFORE)
        if start:
            # At the beginning of a word, if one begins before the place.
            blank = text.find(" ", start, places[0][0])
            start = blank + 1 if blank >= 0 else start
    head = _CUT if start else ""
    room = EXCERPT_LENGTH - len(head)
    end, tail = len(text), ""
    if end - start > room:
        end, tail = start + room - len(_CUT), _CUT
        blank = text.rfind(" ", start, end)
        if blank > start + room // 2:
            end = blank
    shift = len(head) - start
    marks = tuple(
        (max(begin, start) + shift, min(stop, end) + shift)
        for begin, stop in places
        if begin < end and stop > start
    )
    return Excerpt(head + text[start:end].replace("\n", " ") + tail, marks)
