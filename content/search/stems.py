"""Words without their endings, so that singular and plural, and forms of a verb, are one word.

The rules are light, the same for text and query, and need no dictionary and no knowledge of the
language: a query may look in spaces of several. Latin letters have the plurals of English and of
the languages whose plurals end in s, besides a few endings that no other language has; Cyrillic
letters have the endings of Russian nouns and adjectives. Other words stay as they are. A stem is no
word: `configure`, `configured` and `configuring` are `configur`.
"""

from __future__ import annotations

import re
from functools import lru_cache

# Shorter stems would be those of many words.
_SHORTEST = 3
_LATIN = re.compile("[a-z]+")
_CYRILLIC = re.compile("[\u0430-\u045f]+")
_VOWEL = re.compile("[aeiouy]")
# What is left of `typing` and `named`.
_CUT_SHORT = re.compile("[^aeiou][aeiouy][^aeiouwxy]")
_VOWELS = frozenset("aeiou")
# Of German and Italian: each with how many of its letters stay.
_PLURALS = (
    ("ungen", 3), ("heiten", 4), ("keiten", 4), ("schaften", 6), ("ionen", 3), ("zioni", 4),
)  # fmt: skip
# The longest first.
_CYRILLIC_ENDINGS = (
    "иями", "ами", "ями", "иев", "иях", "иям", "ием", "ого", "его", "ому", "ему", "ыми", "ими",
    "ов", "ев", "ей", "ах", "ях", "ам", "ям", "ом", "ем", "ой", "ый", "ий", "ая", "яя", "ое", "ее",
    "ые", "ие", "ых", "их", "ым", "им", "ую", "юю", "ия", "ию", "ии",
    "а", "я", "о", "е", "ы", "и", "у", "ю", "ь", "й",
)  # fmt: skip


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """The stem of a folded word."""
    if len(word) <= _SHORTEST:
        return word
    if _LATIN.fullmatch(word):
        return _latin(word)
    if _CYRILLIC.fullmatch(word):
        for ending in _CYRILLIC_ENDINGS:
            if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST:
                return word[: -len(ending)]
    return word


def stem_root(stem_of_words: str) -> str:
    """Letters with which all words of a stem begin."""
    return stem_of_words if len(stem_of_words) <= _SHORTEST else stem_of_words[:-1]


def _latin(word: str) -> str:
    for ending, stays in _PLURALS:
        if word.endswith(ending) and len(word) > len(ending) + 1:
            word = word[: len(word) - len(ending) + stays]
            break
    word = _without_plural(word)
    word = _without_verb_ending(word)
    # Not of short words: `file` is not `fill`, nor `note` not.
    if len(word) > _SHORTEST + 1 and word.endswith(("e", "ll")):
        word = word[:-1]
    if len(word) > _SHORTEST and word.endswith("y") and word[-2] not in _VOWELS:
        word = word[:-1] + "i"
    # `alias` has lost its s like a plural, `aliases` loses it here.
    if len(word) > _SHORTEST + 1 and word.endswith("s") and word[-2] in _VOWELS:
        word = word[:-1]
    return word


def _without_plural(word: str) -> str:
    if word.endswith("cao") and len(word) > _SHORTEST + 2:
        return word[:-2] + "o"
    if word.endswith("coes") and len(word) > _SHORTEST + 2:
        return word[:-2]
    if word.endswith("ies") and len(word) > _SHORTEST + 1:
        return word[:-2]
    if word.endswith(("xes", "ches", "shes", "sses")) and len(word) > _SHORTEST + 1:
        return word[:-2]
    if word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    if word.endswith(("eux", "aux", "oux")) and len(word) > _SHORTEST + 1:
        return word[:-1]
    return word


def _without_verb_ending(word: str) -> str:
    for ending in ("ing", "ed"):
        rest = word[: -len(ending)]
        if not word.endswith(ending) or len(rest) < _SHORTEST or not _VOWEL.search(rest):
            continue
        if rest[-1] == rest[-2] and rest[-1] not in "aeiouylsz" and len(rest) > _SHORTEST:
            return rest[:-1]
        return rest + "e" if _CUT_SHORT.fullmatch(rest) else rest
    return word


def unfinished_stems(letters: str) -> tuple[str, ...]:
    """Stems of words that begin with these letters, but whose stem does not.

    Stems that begin with the letters are not listed: a search for beginnings finds them.
    """
    ends = ["", "s", "e"]
    if letters.endswith("ca"):
        ends.append("o")
    if letters.endswith("i"):
        ends += ["ng", "es"]
    if letters.endswith("in"):
        ends.append("g")
    if letters.endswith("ie"):
        ends.append("s")
    if letters.endswith("e"):
        ends.append("d")
    if letters[-2:-1] == letters[-1:]:
        ends.append("ing")
    candidates = dict.fromkeys(stem(letters + end) for end in ends)
    return tuple(candidate for candidate in candidates if not candidate.startswith(letters))
