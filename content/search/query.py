"""The one query language of search: words, "phrases", and the last word as a beginning.

There are no operators. Whatever a person types is a query; what holds no letter or digit finds
nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from content.search.stems import stem, unfinished_stems
from content.search.words import folded, folded_run, is_dense, runs, word_texts

# What is beyond these is not looked for.
TERM_LIMIT = 16
WORDS_LIMIT = 32
# Shorter beginnings are whole words: nearly every page has a word that begins so.
SHORTEST_BEGINNING = 2
_PARTS = re.compile(r'"([^"]*)"|(\S+)')


@dataclass(frozen=True, slots=True)
class Term:
    """Stems of words that stand next to each other.

    With `prefix` the last is the beginning of a word, letter by letter. `others` are stems that may
    stand in its place: of words that begin so, though their stem does not, and spellings that are
    nearly the same. `typed` is the last word as it was typed, folded. `parts` are the words as
    terms of their own, where nobody has put them in quotes: `max_lines`.
    """

    words: tuple[str, ...]
    prefix: bool = False
    others: tuple[str, ...] = ()
    typed: str = field(default="", compare=False)
    parts: tuple[Term, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """A query as terms; without terms nothing matches. `words` are those of the whole text."""

    terms: tuple[Term, ...]
    words: tuple[str, ...] = ()


def parse_query(text: str) -> SearchQuery:
    """Read a query.

    The last word counts as a beginning while nothing follows it: neither a blank, which says that
    it is complete, nor a closing quote.
    """
    terms: list[Term] = []
    for match in _PARTS.finditer(text):
        phrase = match.group(1)
        unfinished = phrase is None and match.end() == len(text)
        own = _terms(match.group(2) if phrase is None else phrase, unfinished)
        terms.extend(replace(term, parts=()) if phrase is not None else term for term in own)
    words_kept: list[Term] = []
    words = 0
    for term in dict.fromkeys(terms):
        words += len(term.words)
        if len(words_kept) == TERM_LIMIT or words > WORDS_LIMIT:
            break
        words_kept.append(term)
    return SearchQuery(tuple(words_kept), tuple(word_texts(text)))


def _terms(part: str, unfinished: bool) -> list[Term]:
    """The terms of a part without blanks, or of a phrase: neighbours of one kind of script."""
    # Of scripts that put no blanks between words, words stay as they are.
    groups: list[tuple[bool, list[str]]] = []
    for run, _ in runs(part):
        dense = is_dense(run)
        word = folded_run(run) if dense else folded(run)
        if not word:
            continue
        if groups and not dense and not groups[-1][0]:
            groups[-1][1].append(word)
        else:
            groups.append((dense, [word]))
    terms: list[Term] = []
    for index, (dense, words) in enumerate(groups):
        last = unfinished and index == len(groups) - 1
        if dense:
            terms.append(_dense_term(words[0]))
        else:
            terms.append(_term(words, last and len(words[-1]) >= SHORTEST_BEGINNING))
    return terms


def _term(words: list[str], unfinished: bool) -> Term:
    typed = words[-1]
    parts: tuple[Term, ...] = ()
    if len(words) > 1:
        parts = (*(_term([word], False) for word in words[:-1]), _term([typed], unfinished))
    if not unfinished:
        return Term(tuple(map(stem, words)), typed=typed, parts=parts)
    return Term((*map(stem, words[:-1]), typed), True, unfinished_stems(typed), typed, parts)


def _dense_term(run: str) -> Term:
    """Neighbouring pairs; a single character is the beginning of a pair."""
    if len(run) == 1:
        return Term((run,), prefix=True)
    return Term(tuple(run[index : index + 2] for index in range(len(run) - 1)))
