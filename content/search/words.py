"""Words of a text as search sees them: the same for what is indexed and for what is asked.

Case, accents and compatible forms are folded. Scripts that put no spaces between words are cut
into pairs of neighbouring characters, the last character of a run by itself, so that every
character begins exactly one word: whatever part of a run is asked for is found.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from content.search.stems import stem

# Longer words are cut: they are data, not language.
WORD_LIMIT = 64

# Han, kana, bopomofo, Hangul also in letters; Thai, Lao, Myanmar, Khmer.
_DENSE = (
    "\u1100-\u11ff\u3131-\u318e\ua960-\ua97c\ud7b0-\ud7fb\u0e00-\u0e7f\u0e80-\u0eff\u1000-\u109f\u1780-\u17ff"
    "\u3005-\u3007\u3040-\u30ff\u3100-\u312f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7a3\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)


def _ranges(codes: list[int]) -> str:
    """A character class of these code points, as ranges."""
    pieces: list[str] = []
    start = previous = codes[0]
    for code in [*codes[1:], -1]:
        if code != previous + 1:
            pieces.append(f"{chr(start)}-{chr(previous)}")
            start = code
        previous = code
    return "".join(pieces)


# Signs that belong to the letter before them, which `\w` leaves out.
_MARKS = _ranges([code for code in range(0x300, 0xFFFF) if unicodedata.combining(chr(code))
                  or unicodedata.category(chr(code)) in ("Mn", "Mc")])  # fmt: skip
# Signs within words that say how they are shown or broken, and are not seen.
JOINERS = "\u00ad\u200c\u200d\u2060"
# Scripts without spaces may mark the ends of words by one that has no width.
_UNSEEN = f"{JOINERS}\u200b"
_RUN = re.compile(
    f"[{_DENSE}](?:[{_UNSEEN}]*[{_DENSE}])*"
    f"|[^\\W_{_DENSE}][{_MARKS}]*(?:[{JOINERS}]*[^\\W_{_DENSE}][{_MARKS}]*)*"
)
_WITHOUT_UNSEEN = dict.fromkeys(map(ord, _UNSEEN))
_IS_DENSE = re.compile(f"[{_DENSE}]")
# Accents of European scripts, points of Hebrew and Arabic; signs of other scripts are letters.
_ACCENTS = re.compile("[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670\u1ab0-\u1aff\u1dc0-\u1dff]")
_LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h"}
)


class Word(NamedTuple):
    """A word and where it stands in the text: characters from `start` to before `end`."""

    text: str
    start: int
    end: int


def is_dense(word: str) -> bool:
    """Whether a word is of a script that puts no spaces between words."""
    return _IS_DENSE.match(word) is not None


@lru_cache(maxsize=65_536)
def folded(word: str) -> str:
    """A word without case, accents and typographic forms, at most 64 characters."""
    if word.isascii():
        return word.lower()[:WORD_LIMIT]
    plain = word.translate(_WITHOUT_UNSEEN).casefold()
    plain = unicodedata.normalize("NFKD", plain).casefold()
    plain = unicodedata.normalize("NFC", _ACCENTS.sub("", plain)).translate(_LETTERS)
    # A compatible form may hold what is no letter, such as the dots of an ellipsis.
    return "".join(filter(_is_part, plain))[:WORD_LIMIT]


def _is_part(char: str) -> bool:
    return char.isalnum() or unicodedata.category(char).startswith("M")


def runs(text: str) -> Iterator[tuple[str, int]]:
    """Runs of letters and digits with their places, in order; a run is of one kind of script."""
    for match in _RUN.finditer(text):
        yield match.group(), match.start()


def words_of(text: str) -> Iterator[Word]:
    """The words of a text in order."""
    for run, start in runs(text):
        if not is_dense(run):
            word = folded(run)
            if word:
                yield Word(word, start, start + len(run))
            continue
        yield from _pairs(run, start)


def _pairs(run: str, start: int) -> Iterator[Word]:
    plain = folded_run(run)
    seen = [index for index, char in enumerate(run) if char not in _UNSEEN]
    # Half-width forms may become fewer characters; then the whole run is the place.
    same = len(plain) == len(seen)
    for index in range(len(plain)):
        pair = plain[index : index + 2]
        if same:
            last = seen[min(index + 1, len(seen) - 1)]
            yield Word(pair, start + seen[index], start + last + 1)
        else:
            yield Word(pair, start, start + len(run))


def folded_run(run: str) -> str:
    """A run of a dense script in its usual forms."""
    return unicodedata.normalize("NFKC", run.translate(_WITHOUT_UNSEEN))


def stems_of(words: Iterable[str]) -> list[str]:
    """Words as they are indexed."""
    return [word if is_dense(word) else stem(word) for word in words]


def word_texts(text: str) -> list[str]:
    """The words of a text without their places."""
    texts: list[str] = []
    for run in _RUN.findall(text):
        if is_dense(run):
            plain = folded_run(run)
            texts.extend(plain[index : index + 2] for index in range(len(plain)))
        elif word := folded(run):
            texts.append(word)
    return texts
