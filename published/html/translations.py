"""Which words a site has in a language, and what else follows from a language."""

from __future__ import annotations

from collections.abc import Mapping

from published.html.languages import (
    de,
    en,
    es,
    fr,
    it,
    ja,
    ko,
    nl,
    no,
    pl,
    pt,
    ru,
    zh,
)
from published.html.words import Words

TABLES: Mapping[str, Words] = {
    table.WORDS.language: table.WORDS
    for table in (en, de, fr, es, it, pt, nl, pl, ru, zh, ja, ko, no)
}
ENGLISH = en.WORDS
# Languages that are read by those who read another one.
_NEAR = {"yue": "zh"}
_FROM_RIGHT_TO_LEFT = frozenset({"ar", "he"})


def words_for(*languages: str | None) -> Words:
    """The words in the first of these languages that there are any in; English without one."""
    for language in languages:
        main = (language or "").partition("-")[0].lower()
        table = TABLES.get(_NEAR.get(main, main))
        if table is not None:
            return table
    return ENGLISH


def direction(language: str) -> str | None:
    """`rtl` for languages that are written from right to left; None for others."""
    return "rtl" if language.partition("-")[0].lower() in _FROM_RIGHT_TO_LEFT else None
