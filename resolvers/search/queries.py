"""Words of pages and of queries as FTS5 reads them."""

from content.search.query import Term
from resolvers.core.statements import Viewer
from resolvers.search.words import Marks, PageWords, Within

# Begin the words that a space and an organization are, with a sign that no word of a page or of a
# query has: columns of words are not named in queries, which would take half as long again.
_MARKS = Marks(members=("\xa6s", "\xa6o"), visitors=("\xa6v", "\xa6w"))


def _scope(mark: str, id: str) -> str:
    """An id as a word: capitals are letters of their own in ids, but not in words."""
    return mark + id.encode().hex()


def scopes_of(page: PageWords) -> str:
    """The words for the space of a page and its organization."""
    return " ".join(_scope(mark, id) for mark, id in _MARKS.of_page(page))


def term_text(term: Term) -> str:
    """A word or a phrase in a query."""
    return f'"{" ".join(term.words)}"' + (" *" if term.prefix else "")


def scope_text(viewer: Viewer, within: Within) -> str:
    """The beginning of a query that looks at pages of some spaces or organizations only."""
    words = [f'"{_scope(mark, id)}"' for mark, id in _MARKS.of_query(viewer, within)]
    return f"scope : ({' OR '.join(words)}) AND " if words else ""
