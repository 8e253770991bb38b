"""The common part of both search engines: the stored words of a page, and how pages rank."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from sqlalchemy import CTE, ColumnElement, Integer, Select, String, bindparam, or_

from content.hashing import content_id
from content.search.query import SearchQuery, Term
from content.search.words import is_dense, stems_of, word_texts
from db.content_enums import SearchAudience
from resolvers.core.context import Context
from resolvers.core.statements import Viewer, Written

# How much a word counts: in the title, in headings, in the description, in the text.
WEIGHTS = (8.0, 4.0, 3.0, 1.0)
# Bytes of words of a page that are indexed; PostgreSQL holds up to a megabyte with their places.
PAGE_BYTES = 400_000
# Pages of a space that one search can list.
PAGE_LIMIT = 1000
# So many pages that match are ranked by one word, fewer by several: it takes as long.
RANKED = 4000
# Words that a mistyped one may be compared with; others are data, not language.
SPELLED = range(4, 33)
# Such words of one page, and titles that one query can mean.
SPELLINGS, TITLES = 5000, 32
# So many spaces are named in the query of an engine; for more the organization is.
SCOPES = 50
# Named parameters of the engines' statements.
MATCH = bindparam("match", type_=String())
LIMIT, OFFSET, LAST = (bindparam(name, type_=Integer()) for name in ("limit", "offset", "last"))


@dataclass(frozen=True, slots=True)
class PageWords:
    """The stems of the words of one indexed page, field by field.

    The body is all that the page shows, in the order of reading, so that phrases are found across
    the ends of blocks and sections. `spellings` are words as they are written, and `titles` are two
    digests of the title: by its words, and by their stems; empty for a title without words.
    """

    page: int
    space_id: str
    organization_id: str
    audience: SearchAudience
    title: tuple[str, ...]
    headings: tuple[str, ...]
    description: tuple[str, ...]
    body: tuple[str, ...]
    titles: tuple[str, str] = ("", "")
    spellings: frozenset[str] = frozenset()

    @property
    def fields(self) -> tuple[tuple[str, ...], ...]:
        """The fields in the order of `WEIGHTS`."""
        return (self.title, self.headings, self.description, self.body)


def page_words(
    page: int,
    space_id: str,
    organization_id: str,
    audience: SearchAudience,
    title: str,
    headings: Sequence[str],
    description: str,
    body: str,
) -> PageWords:
    """Cut a page into words; what is beyond the bound of a page is left out, from its end."""
    left = PAGE_BYTES
    fields: list[tuple[str, ...]] = []
    spellings: set[str] = set()
    for text in (title, "\n".join(headings), description, body):
        written = word_texts(text)
        words = stems_of(written)
        # Most pages are far below the bound, and need no counting.
        if sum(map(len, words)) * 4 + len(words) * 4 > left:
            words = words[: _fitting(words, left)]
        left -= sum(len(word.encode()) + 4 for word in words)
        fields.append(tuple(words))
        spellings.update(word for word in written[: len(words)] if is_spelled(word))
    title_words, heading_words, description_words, body_words = fields
    titles = _title_digest(word_texts(title)), _title_digest(title_words)
    return PageWords(
        page, space_id, organization_id, audience,
        title_words, heading_words, description_words, body_words,
        titles, frozenset(sorted(spellings)[:SPELLINGS]),
    )  # fmt: skip


def is_spelled(word: str) -> bool:
    """Whether a word is one of a language, that may be mistyped."""
    return len(word) in SPELLED and word.isalpha() and not is_dense(word)


def _title_digest(words: Sequence[str]) -> str:
    return content_id(" ".join(words).encode()) if words else ""


def asked_titles(query: SearchQuery) -> tuple[str, list[str]]:
    """Digests of the title that a query may be: by its words, and by their stems and what may
    stand for them."""
    others = {term.typed: term.others for term in query.terms if len(term.words) == 1}
    titles: list[tuple[str, ...]] = [()]
    for word, own in zip(query.words, stems_of(query.words), strict=True):
        choices = dict.fromkeys((own, *others.get(word, ())))
        titles = [(*title, choice) for title in titles for choice in choices][:TITLES]
    exact = _title_digest(query.words)
    return exact, [_title_digest(title) for title in titles if title]


def _fitting(words: Sequence[str], room: int) -> int:
    for count, word in enumerate(words):
        room -= len(word.encode()) + 4
        if room < 0:
            return count
    return len(words)


def most_ranked(terms: Sequence[Term]) -> int:
    """The most matches that are ranked one by one; no fewer than can be listed."""
    return max(PAGE_LIMIT, RANKED // max(1, sum(len(term.words) for term in terms)))


# Rows of the index that a search finds: of a visitor of a site, and of everybody else.
FOR_VISITORS = (SearchAudience.EVERYONE, SearchAudience.VISITORS)
FOR_MEMBERS = (SearchAudience.EVERYONE, SearchAudience.MEMBERS)


def is_for(viewer: Viewer, audience: Any) -> ColumnElement[bool]:
    """Whether a row with this column of audiences is for the viewer."""
    own, other = FOR_VISITORS if viewer.actor.visitor is not None else FOR_MEMBERS
    return or_(audience == own, audience == other)


@dataclass(frozen=True, slots=True)
class Within:
    """Spaces and organizations that a search is limited to, only to make it faster.

    `spaces` are the ids of all spaces that are searched, or none. `organizations` are the ids of
    those under which their pages may be indexed (resolvers/search/homes.py), or none.
    """

    spaces: Sequence[str] = ()
    organizations: Sequence[str] = ()

    @property
    def names_spaces(self) -> bool:
        """Whether the spaces are few enough to be named in a query; else organizations are."""
        return 0 < len(self.spaces) <= SCOPES


@dataclass(frozen=True, slots=True)
class Marks:
    """Prefixes of the ids of a space and of its organization, as words of a page: for
    people of the organization, and for visitors of sites, who find other rows."""

    members: tuple[str, str]
    visitors: tuple[str, str]

    def of_page(self, page: PageWords) -> list[tuple[str, str]]:
        """(mark, id) of a page, for each kind of reader who finds it."""
        readers = [self.members] if page.audience in FOR_MEMBERS else []
        if page.audience in FOR_VISITORS:
            readers.append(self.visitors)
        return [
            pair
            for space, organization in readers
            for pair in ((space, page.space_id), (organization, page.organization_id))
        ]

    def of_query(self, viewer: Viewer, within: Within) -> list[tuple[str, str]]:
        """(mark, id) of the spaces, or else of the organizations, that are looked at; none where
        they are too many."""
        space, organization = self.members if viewer.actor.visitor is None else self.visitors
        if within.names_spaces:
            return [(space, id) for id in within.spaces]
        if len(within.organizations) > SCOPES:
            return []
        return [(organization, id) for id in within.organizations]


@dataclass(frozen=True, slots=True)
class Searched:
    """The spaces and pages that are searched, as parts of a statement.

    `spaces` is a common table with the `id` of the spaces, written with the policy in it;
    `without` selects the numbers of indexed pages that are not found. `viewer` is who searches:
    rows for others are not found.
    """

    viewer: Viewer
    spaces: CTE
    without: Select[Any] | None = None


class SearchEngine(Protocol):
    """Words of pages in one kind of database, and statements that find pages by them.

    The statements take what is searched, and the parameters that `values` gives.
    """

    def values(
        self, viewer: Viewer, query: SearchQuery, within: Within, *, every: bool
    ) -> dict[str, Any]:
        """The values of the statements' parameters: pages with every term, or with any."""
        ...

    def words_text(self, viewer: Viewer, terms: Sequence[Term], within: Within) -> list[str]:
        """What `present` is asked for, for each term."""
        ...

    def present(self, searched: Searched) -> Written:
        """`value` of those of the list parameter `asked` that some page has."""
        ...

    def best_pages(self, searched: Searched) -> Written:
        """`space_id` and `page_id` of the pages of one space in order, `limit` from `offset`."""
        ...

    def best_pages_of_each(self, searched: Searched) -> Written:
        """`space_id`, `page_id` and `place` of the pages of each space at the places 1 to `last`,
        in order within each space."""
        ...

    def counts(self, searched: Searched) -> Written:
        """`space_id` and `found`, the number of pages of each space that has some."""
        ...

    def count_of_one(self, searched: Searched) -> Written:
        """`found`, the number of pages of one space."""
        ...

    def best_spaces(self, searched: Searched) -> Written:
        """`space_id` of the spaces with pages, best first, `limit` from `offset`.

        `found` of each row is how many they all are. There is a row for each of the first pages of
        a space up to the place `last`, with its `page_id` and the `number` of pages of the space,
        if they are known; else one row without. `number` may be unknown by itself.
        """
        ...

    def count_of_spaces(self, searched: Searched) -> Written:
        """`found`, the number of spaces with pages."""
        ...

    async def put(self, ctx: Context, pages: Sequence[PageWords]) -> None:
        """Store the words of pages that have none."""
        ...
