"""Words of pages and of queries as FTS5 reads them."""

from collections.abc import Sequence

from content.search_query import Term
from resolvers.search_words import FOR_MEMBERS, FOR_VISITORS, SCOPES, PageWords
from resolvers.statements import Asks

# Begin the word that a space is, with a sign that no word of a page or of a query has: columns of
# words are not named in queries, which would take half as long again.
_MEMBERS, _VISITORS = "\xa6s", "\xa6v"


def _scope(letter: str, space_id: str) -> str:
    """A space as a word: capitals are letters of their own in ids, but not in words."""
    return letter + space_id.encode().hex()


def scopes_of(page: PageWords) -> str:
    """The words for the space of a page, one for each kind of reader."""
    letters = [_VISITORS] if page.audience in FOR_VISITORS else []
    if page.audience in FOR_MEMBERS:
        letters.append(_MEMBERS)
    return " ".join(_scope(letter, page.space_id) for letter in letters)


def term_text(term: Term) -> str:
    """A word or a phrase in a query."""
    return f'"{" ".join(term.words)}"' + (" *" if term.prefix else "")


def scope_text(asks: Asks, spaces: Sequence[str]) -> str:
    """The beginning of a query that looks at pages of these spaces only, if they are few."""
    if not 0 < len(spaces) <= SCOPES:
        return ""
    letter = _VISITORS if asks.actor.visitor is not None else _MEMBERS
    scopes = " OR ".join(f'"{_scope(letter, space)}"' for space in spaces)
    return f"scope : ({scopes}) AND "
