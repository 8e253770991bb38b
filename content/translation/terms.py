"""Terms of a glossary in a text, and other pieces that are never translated."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

# Expressions, addresses, and names between braces.
_KEPT = r"\{\{.*?\}\}|https?://[^\s<>\"']+|[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+"
# Terms of one pattern: alternatives are tried one after the other at each word.
MOST_TERMS = 2_000


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a text; `becomes` is what stands in its place in a translation, None for what is
    translated."""

    text: str
    becomes: str | None = None


class Terms:
    """The terms of a glossary from one language into another.

    A term is found as a whole word, whatever its capitals; the longest one counts. What has the
    same form in both languages stays as it is written.
    """

    def __init__(self, terms: Mapping[str, str]) -> None:
        self._by_key = {term.casefold(): (term, target) for term, target in terms.items() if term}
        longest = sorted(terms, key=len, reverse=True)[:MOST_TERMS]
        words = "|".join(re.escape(term) for term in longest if term)
        term_pattern = rf"|(?<!\w)(?:{words})(?!\w)" if words else ""
        self._pattern = re.compile(f"({_KEPT}{term_pattern})", re.IGNORECASE)

    def pieces(self, text: str) -> Iterator[Piece]:
        """A text in pieces, none of which is empty."""
        for index, piece in enumerate(self._pattern.split(text)):
            if not piece:
                continue
            if index % 2 == 0:
                yield Piece(piece)
                continue
            term, target = self._by_key.get(piece.casefold(), (piece, piece))
            yield Piece(piece, piece if term == target else target)

    def used_in(self, text: str) -> dict[str, str]:
        """The terms that stand in a text, with what becomes of them."""
        used: dict[str, str] = {}
        for piece in self._pattern.findall(text):
            pair = self._by_key.get(piece.casefold())
            if pair is not None:
                used[pair[0]] = pair[1]
        return used
