"""Words of pages and of queries as FTS5 reads them."""

from content.search_query import Term
from resolvers.search_words import FOR_MEMBERS, FOR_VISITORS, PageWords, Within
from resolvers.statements import Asks

# Begin the words that a space and an organization are, with a sign that no word of a page or of a
# query has: columns of words are not named in queries, which would take half as long again.
_MEMBERS, _VISITORS = ("\xa6s", "\xa6o"), ("\xa6v", "\xa6w")


def _scope(letter: str, id: str) -> str:
    """An id as a word: capitals are letters of their own in ids, but not in words."""
    return letter + id.encode().hex()


def scopes_of(page: PageWords) -> str:
    """The words for the space of a page and its organization, for each kind of reader."""
    letters = [_VISITORS] if page.audience in FOR_VISITORS else []
    if page.audience in FOR_MEMBERS:
        letters.append(_MEMBERS)
    ids = (page.space_id, page.organization_id)
    return " ".join(
        _scope(letter, id) for both in letters for letter, id in zip(both, ids, strict=True)
    )


def term_text(term: Term) -> str:
    """A word or a phrase in a query."""
    return f'"{" ".join(term.words)}"' + (" *" if term.prefix else "")


def scope_text(asks: Asks, within: Within) -> str:
    """The beginning of a query that looks at pages of some spaces or organizations only."""
    letters = _VISITORS if asks.actor.visitor is not None else _MEMBERS
    words = [
        f'"{_scope(letter, id)}"'
        for letter, ids in zip(letters, within.scopes(), strict=True)
        for id in ids
    ]
    return f"scope : ({' OR '.join(words)}) AND " if words else ""
