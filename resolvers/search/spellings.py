"""Words that a mistyped one may stand for (docs/search.md).

Words that pages of a space have are kept by their letters, each also from its end: a word with one
mistake has its beginning or its end right, so the few that share one are compared with it. Which
of them count is asked of the index, by a statement that holds the policy as all searches do: what
only pages have that the caller may not read, changes nothing.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import bindparam, select

from content.search.query import SearchQuery, Term
from content.search.spelling import distance, tolerance
from content.search.stems import stem
from db.inserts import insert_missing
from db.models.content_index import Spelling
from db.models.spaces import Space
from db.prepared import KEY, among, listed
from resolvers.access.policy import visible
from resolvers.core.context import Context
from resolvers.core.statements import ViewerKind, Written, statement
from resolvers.search.words import is_spelled

Present = Callable[[Sequence[Term]], Awaitable[set[Term]]]
# Terms of a query that are compared, spellings of each that are looked for in the index, and those
# that are added to the term.
COMPARED, LOOKED_FOR, ADDED = 6, 24, 6
# Words that are read for one query, and spaces whose words are.
READ, SPACES = 6000, 200
# To compare more words takes too long for an event loop.
MANY = 200
# Marks a word from its end.
_BACKWARDS = ">"
# Behind all letters.
_LAST = "\U0010ffff"


async def put_spellings(ctx: Context, space_id: str, words: Collection[str]) -> None:
    """Remember words of pages of a space."""
    letters = [form for word in sorted(words) for form in (word, _BACKWARDS + word[::-1])]
    rows = [{"space_id": space_id, "letters": form} for form in letters]
    await insert_missing(ctx.session, Spelling, rows)


def shared_letters(word: str) -> tuple[str, str]:
    """The beginning and the end of which a word with one mistake has one right."""
    size = min(3, (len(word) - 1) // 2)
    end = min(3, len(word) - 1 - size)
    return word[:size], _BACKWARDS + word[: -end - 1 : -1]


@statement
def _with_letters(viewer: ViewerKind, everywhere: bool) -> Written:
    """`letters` that begin with one of the list parameter `beginnings`, of readable spaces: those
    of the list parameter `spaces`, or of the parameter `organization`."""
    beginnings = listed("beginnings", viewer.dialect)
    owned = Space.organization_id == bindparam("organization", type_=KEY)
    spaces = (
        visible(viewer, Space)
        .where(owned if everywhere else among(Space.id, "spaces"))
        .with_only_columns(Space.id)
        .order_by(Space.id)
        .limit(SPACES)
    )
    beginning: Any = beginnings.c.value
    return (
        select(Spelling.letters)
        .distinct()
        .join(
            beginnings,
            (Spelling.letters >= beginning) & (Spelling.letters < beginning.concat(_LAST)),
        )
        .where(Spelling.space_id.in_(spaces))
        .limit(READ)
    )


async def _words_like(
    ctx: Context,
    words: Sequence[str],
    spaces: Sequence[str],
    organization: str | None,
    lasting: bool,
) -> list[str]:
    """Words of the spaces that share a beginning or an end with one of these."""
    beginnings = sorted({part for word in words for part in shared_letters(word)})
    rows = await _with_letters.rows(
        ctx,
        organization is not None,
        lasting=lasting,
        beginnings=beginnings,
        spaces=list(spaces),
        organization=organization,
    )
    letters = (row.letters for row in rows)
    return sorted({form[:0:-1] if form[0] == _BACKWARDS else form for form in letters})


def _near(term: Term, words: Sequence[str], most: int) -> list[str]:
    """The words that are what was typed but for so many mistakes, the nearest first."""
    typed = term.typed
    lengths = range(len(typed) - most, len(typed) + most + 1)
    near: list[tuple[int, bool, str]] = []
    for word in words:
        if len(word) < lengths[0] or (len(word) > lengths[-1] and not term.prefix):
            continue
        if term.prefix and len(word) > len(typed):
            apart = min(distance(typed, word[:length], most) for length in lengths)
        else:
            apart = distance(typed, word, most)
        if apart <= most:
            near.append((apart, word[0] != typed[0], word))
    return [word for _, _, word in sorted(near)]


def _alternatives(term: Term, words: Sequence[str]) -> Iterator[Term]:
    """Terms of one word each that a mistyped one may stand for."""
    own = {*term.words, *term.others}
    # Those that were read for another term are not compared with this one.
    beginning, end = shared_letters(term.typed)
    end = end[:0:-1]
    words = [word for word in words if word.startswith(beginning) or word.endswith(end)]
    near = _near(term, words, 1)
    if not near and tolerance(term.typed) > 1:
        near = _near(term, words, tolerance(term.typed))
    stems = dict.fromkeys(map(stem, near))
    for other in [other for other in stems if other not in own][:LOOKED_FOR]:
        yield Term((other,))


@dataclass(frozen=True, slots=True)
class Respelled:
    """A query with other spellings of some of its words.

    `missing` says that these words are on no page; else all are, but on none together.
    """

    query: SearchQuery
    missing: bool


async def respelled(
    ctx: Context,
    query: SearchQuery,
    spaces: Sequence[str],
    present: Present,
    organization: str | None = None,
    *,
    lasting: bool = False,
) -> Respelled | None:
    """The query with other spellings of those words that no page has, or, where pages have each
    word but none has all, of all; None where nothing is spelled nearly so.

    Words are those of the spaces, or else of the organization. `present` gives those of some terms
    that pages have which the caller may read. Words that are neighbours by a sign between them, and
    nowhere are, are looked for one by one. `lasting` is as in statements.
    """
    single = [part for term in query.terms for part in term.parts or (term,)]
    terms = [term for term in single if len(term.words) == 1 and is_spelled(term.typed)]
    terms = list(dict.fromkeys(terms))[:COMPARED]
    if not terms or not (spaces or organization):
        return None
    words = await _words_like(ctx, [term.typed for term in terms], spaces, organization, lasting)

    def compare() -> dict[Term, list[Term]]:
        return {term: list(_alternatives(term, words)) for term in terms}

    alternatives = await asyncio.to_thread(compare) if len(words) > MANY else compare()
    if not any(alternatives.values()):
        return None
    candidates = [
        *query.terms,
        *single,
        *(other for others in alternatives.values() for other in others),
    ]
    on_pages = await present(list(dict.fromkeys(candidates)))
    missing = not on_pages.issuperset(query.terms)
    own = [
        part
        for term in query.terms
        for part in (term.parts if term.parts and term not in on_pages else (term,))
    ]
    others = {
        term: tuple(other.words[0] for other in alternatives[term] if other in on_pages)[:ADDED]
        for term in terms
        if not missing or term not in on_pages
    }
    if not any(others.values()):
        return None
    changed = [replace(term, others=(*term.others, *others.get(term, ()))) for term in own]
    return Respelled(replace(query, terms=tuple(changed)), missing)
