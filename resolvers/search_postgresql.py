"""Search on PostgreSQL: vectors of folded words under a GIN index.

No text search configuration takes part. The vectors are written here, and so are the queries, so
the same words are found as on SQLite. The words of a page are large and stand apart from its row,
so all matching pages are ranked by their titles, headings and descriptions, and only the best of
them by their whole text.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from string import ascii_letters, digits
from typing import Any
from zlib import crc32

from sqlalchemy import (
    CTE,
    ColumnElement,
    Float,
    Integer,
    String,
    and_,
    bindparam,
    case,
    cast,
    column,
    func,
    literal_column,
    select,
    table,
    text,
)
from sqlalchemy.dialects.postgresql import TSQUERY, TSVECTOR

from content.search_query import Term
from db.base import enum_type
from db.content_enums import SearchAudience
from db.models.content_index import SEARCH_TEXT, IndexedPage
from db.prepared import KEY
from resolvers.context import Context
from resolvers.search_words import (
    FOR_MEMBERS,
    FOR_VISITORS,
    LAST,
    LIMIT,
    MATCH,
    OFFSET,
    PAGE_LIMIT,
    SCOPES,
    WEIGHTS,
    PageWords,
    Searched,
    is_for,
)
from resolvers.statements import Asks, Written

# Pages of a space that are ranked by their whole text.
RANKED = 300
# Mark the word that a space is, for each kind of reader; no word of a page has them.
_MEMBERS, _VISITORS = "\x01", "\x02"
# Marks a word that stands for two neighbours, by one of 262,144 numbers.
_PAIR, _LETTERS = "\x03", ascii_letters + digits + "+-"
_LABELS = "ABCD"
# Places that a vector can hold, and places of one word.
_LAST_PLACE, _PLACES = 16_383, 255
_TABLE = table(
    SEARCH_TEXT,
    column("page", Integer()),
    column("space_id", KEY),
    column("audience", enum_type(SearchAudience)),
    column("heads", TSVECTOR()),
    column("words", TSVECTOR()),
)
# Not known while a statement is planned, so that the planner takes the index: it takes words to be
# in the row, and would read those of all pages for a word that is on most of them.
_ASKED = select(cast(cast(MATCH, String()), TSQUERY)).scalar_subquery()
# Known while it is planned: for an unknown limit the planner would rather read rows in turn.
_LISTED: ColumnElement[Any] = literal_column(str(PAGE_LIMIT))
_RANKED = select(cast(cast(bindparam("ranked"), String()), TSQUERY)).scalar_subquery()
# From the text to the title.
_SHARES = ",".join(str(WEIGHTS[index] / max(WEIGHTS)) for index in (3, 2, 1, 0))
_WEIGHTS: ColumnElement[Any] = literal_column(f"'{{{_SHARES}}}'::float4[]")


class PostgresSearch:
    """The engine of search on PostgreSQL."""

    def values(
        self, asks: Asks, terms: Sequence[Term], spaces: Sequence[str], *, every: bool
    ) -> dict[str, str]:
        """Texts of tsqueries. Words hold letters and digits only, and stand in quotes."""
        joint = " & " if every else " | "
        ranked = joint.join(map(_term, terms))
        words = joint.join(map(_found_term, terms))
        if not 0 < len(spaces) <= SCOPES:
            return {"match": words, "ranked": ranked}
        mark = _VISITORS if asks.actor.visitor is not None else _MEMBERS
        scopes = " | ".join(_quoted(mark + space) for space in spaces)
        return {"match": f"({scopes}) & ({words})", "ranked": ranked}

    def best_pages(self, searched: Searched) -> Written:
        """The pages of one space in order."""
        rank = _rank(_TABLE.c.heads)
        found = (
            select(_TABLE.c.page, rank.label("rank"))
            .where(*_matching(searched))
            .order_by(rank.desc(), _TABLE.c.page)
            .limit(_LISTED)
            .cte("found")
            .prefix_with("MATERIALIZED")
        )
        head_place = func.row_number().over(order_by=_by_heads(found))
        best = select(*found.c, head_place.label("head_place")).subquery()
        score = _score(best)
        shown = (
            select(best.c.page, score.label("score"))
            .select_from(_with_words(best))
            .order_by(score.desc(), best.c.page)
            .limit(LIMIT)
            .offset(OFFSET)
            .subquery()
        )
        return (
            select(IndexedPage.space_id, IndexedPage.page_id)
            .join(shown, shown.c.page == IndexedPage.id)
            .order_by(shown.c.score.desc(), shown.c.page)
        )

    def best_pages_of_each(self, searched: Searched) -> Written:
        """The first pages of each space."""
        found = self._found(searched)
        head_place = func.row_number().over(
            partition_by=found.c.space_id, order_by=_by_heads(found)
        )
        placed = select(*found.c, head_place.label("head_place")).subquery()
        best = select(*placed.c).where(placed.c.head_place <= PAGE_LIMIT).subquery()
        place = func.row_number().over(
            partition_by=best.c.space_id, order_by=(_score(best).desc(), best.c.page)
        )
        shown = (
            select(best.c.space_id, best.c.page, place.label("place"))
            .select_from(_with_words(best))
            .subquery()
        )
        return (
            select(shown.c.space_id, IndexedPage.page_id, shown.c.place)
            .join(IndexedPage, IndexedPage.id == shown.c.page)
            .where(shown.c.place <= LAST)
            .order_by(shown.c.space_id, shown.c.place)
        )

    def counts(self, searched: Searched) -> Written:
        """How many pages of each space match."""
        number = func.least(func.count(), PAGE_LIMIT, type_=Integer())
        return (
            select(_TABLE.c.space_id, cast(number, Integer).label("found"))
            .where(*_matching(searched))
            .group_by(_TABLE.c.space_id)
        )

    def count_of_one(self, searched: Searched) -> Written:
        """How many pages of one space match."""
        found = select(_TABLE.c.page).where(*_matching(searched)).limit(_LISTED).subquery()
        return select(func.count().label("found")).select_from(found)

    def best_spaces(self, searched: Searched) -> Written:
        """The spaces by their best titles and headings, then by their number of pages."""
        found = self._found(searched)
        return (
            select(found.c.space_id)
            .group_by(found.c.space_id)
            .order_by(func.max(found.c.rank).desc(), func.count().desc(), found.c.space_id)
            .limit(LIMIT)
            .offset(OFFSET)
        )

    def _found(self, searched: Searched) -> CTE:
        return (
            select(_TABLE.c.page, _TABLE.c.space_id, _rank(_TABLE.c.heads).label("rank"))
            .where(*_matching(searched))
            .cte("found")
            .prefix_with("MATERIALIZED")
        )

    async def put(self, ctx: Context, pages: Sequence[PageWords]) -> None:
        """Store the words of pages."""
        rows = [
            {"page": one.page, "space_id": one.space_id, "audience": one.audience.value,
             "heads": _vector(one.fields[:3]),
             "words": _vector(one.fields, {*_scopes(one), *_pairs_of(one)})}
            for one in pages
        ]  # fmt: skip
        if rows:
            await ctx.session.execute(_PUT, rows)

    async def remove(self, ctx: Context, pages: Iterable[int]) -> None:
        """Forget the words of pages."""
        rows = [{"page": page} for page in pages]
        if rows:
            await ctx.session.execute(_REMOVE, rows)


_PUT = text(
    "INSERT INTO search_text (page, space_id, audience, heads, words) "
    "VALUES (:page, :space_id, :audience, "
    "CAST(CAST(:heads AS text) AS tsvector), CAST(CAST(:words AS text) AS tsvector))"
)
_REMOVE = text("DELETE FROM search_text WHERE page = :page")


def _matching(searched: Searched) -> tuple[Any, ...]:
    found = (
        _TABLE.c.words.op("@@")(_ASKED),
        # Looked up for each row, however few rows the planner believes there are.
        _TABLE.c.space_id.in_(select(searched.spaces.c.id)).is_(True),
        is_for(searched.asks, _TABLE.c.audience),
    )
    if searched.without is None:
        return found
    return (*found, _TABLE.c.page.not_in(searched.without))


def _rank(words: Any) -> ColumnElement[Any]:
    return func.ts_rank(_WEIGHTS, words, _RANKED, type_=Float())


def _by_heads(found: Any) -> tuple[Any, ...]:
    return (found.c.rank.desc(), found.c.page)


def _with_words(best: Any) -> Any:
    """The best pages with the words of those that are ranked by them."""
    ranked = and_(_TABLE.c.page == best.c.page, best.c.head_place <= RANKED)
    return best.outerjoin(_TABLE, ranked)


def _score(best: Any) -> Any:
    return case((best.c.head_place <= RANKED, _rank(_TABLE.c.words) + 1), else_=best.c.rank)


def _scopes(page: PageWords) -> list[str]:
    """The words that tell the space of a page, for each kind of reader who finds it."""
    marks = [_MEMBERS] if page.audience in FOR_MEMBERS else []
    if page.audience in FOR_VISITORS:
        marks.append(_VISITORS)
    return [mark + page.space_id for mark in marks]


def _pairs_of(page: PageWords) -> set[str]:
    return {pair for words in page.fields for pair in _pairs(words)}


def _pairs(words: Sequence[str]) -> Iterator[str]:
    """A word for each two neighbours, which other neighbours may have as well.

    The index knows which pages have a word, not where. A phrase of frequent words would make it
    read the words of most pages; with these it reads those of some more pages than have it.
    """
    for first, second in pairwise(words):
        number = crc32(f"{first} {second}".encode())
        yield _PAIR + "".join(_LETTERS[number >> shift & 63] for shift in (0, 6, 12))


def _vector(fields: Sequence[Sequence[str]], others: Iterable[str] = ()) -> str:
    """The text of a tsvector: each word with its places and the label of its field.

    `others` are words without places.
    """
    places: dict[str, list[str]] = {}
    place = 0
    for words, label in zip(fields, _LABELS, strict=False):
        for word in words:
            place += 1
            known = places.setdefault(word, [])
            if len(known) < _PLACES:
                known.append(f"{min(place, _LAST_PLACE)}{label}")
        # Words of two fields are no neighbours.
        place += 1
    places.update((other, []) for other in others)
    return " ".join(
        f"{_quoted(word)}:{','.join(found)}" if found else _quoted(word)
        for word, found in places.items()
    )


def _quoted(word: str) -> str:
    escaped = word.replace("\\", "\\\\").replace("'", "''")
    return f"'{escaped}'"


def _term(term: Term) -> str:
    words = " <-> ".join(map(_quoted, term.words)) + (":*" if term.prefix else "")
    return f"({words})"


def _found_term(term: Term) -> str:
    """The term as it is looked up in the index, which is quick for what stands in pairs."""
    whole = term.words[:-1] if term.prefix else term.words
    return f"({' & '.join([*map(_quoted, _pairs(whole)), _term(term)])})"
