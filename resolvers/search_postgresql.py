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
    not_,
    or_,
    select,
    table,
    text,
    true,
    union_all,
)
from sqlalchemy.dialects.postgresql import ARRAY, TSQUERY, TSVECTOR

from content.search_query import SHORTEST_BEGINNING, Term
from content.search_words import is_dense
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
    OFFSET,
    PAGE_LIMIT,
    SCOPES,
    WEIGHTS,
    PageWords,
    Searched,
    is_for,
    most_ranked,
)
from resolvers.statements import Asks, Written

# Pages of a space that are ranked by their whole text.
WHOLE = 100
# Mark the word that a space is, for each kind of reader; no word of a page has them.
_MEMBERS, _VISITORS = "\x01", "\x02"
# Marks a word that stands for two neighbours, by one of 262,144 numbers, or by one of 1,024 for the
# first and the beginning of the second.
_PAIR, _LETTERS = "\x03", ascii_letters + digits + "+-"
# Mark words of the title, and those of headings and the description.
_TITLE, _HEAD = "\x04", "\x05"
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


def _tsquery(name: str) -> Any:
    # Not known while a statement is planned, so that the planner takes the index: it takes words to
    # be in the row, and would read those of all pages for a word that is on most of them.
    return select(cast(cast(bindparam(name), String()), TSQUERY)).scalar_subquery()


_ASKED, _TITLES, _HEADS, _RANKED = map(_tsquery, ("match", "titles", "heads", "ranked"))
# The index knows which pages have the words of a phrase, and the words for its pairs; whether they
# have the phrase is in their words, which stand apart.
_PHRASE_TEXT = cast(bindparam("phrases"), String())
_WITHOUT_PHRASES = _PHRASE_TEXT == ""
_PHRASES = select(cast(func.nullif(_PHRASE_TEXT, ""), TSQUERY)).scalar_subquery()
_IS_EXACT = case((_WITHOUT_PHRASES, true()), else_=_TABLE.c.words.op("@@")(_PHRASES))
_MOST: ColumnElement[int] = bindparam("most", type_=Integer())
# Known while it is planned: for an unknown limit the planner would rather read rows in turn.
_LISTED: ColumnElement[Any] = literal_column(str(PAGE_LIMIT))
# From the text to the title.
_SHARES = ",".join(str(WEIGHTS[index] / max(WEIGHTS)) for index in (3, 2, 1, 0))
_WEIGHTS: ColumnElement[Any] = literal_column(f"'{{{_SHARES}}}'::float4[]")


class PostgresSearch:
    """The engine of search on PostgreSQL."""

    def values(
        self, asks: Asks, terms: Sequence[Term], spaces: Sequence[str], *, every: bool
    ) -> dict[str, Any]:
        """Texts of tsqueries. Words hold letters and digits only, and stand in quotes."""
        joint = " & " if every else " | "
        words = f"({joint.join(map(_found_term, terms))})"
        if 0 < len(spaces) <= SCOPES:
            mark = _VISITORS if asks.actor.visitor is not None else _MEMBERS
            words = f"({' | '.join(_quoted(mark + space) for space in spaces)}) & {words}"
        phrases = [term for term in terms if len(term.words) > 1]
        return {
            "match": words,
            "titles": f"{words} & ({' | '.join(_marked_term(_TITLE, term) for term in terms)})",
            "heads": f"{words} & ({' | '.join(_marked_term(_HEAD, term) for term in terms)})",
            "ranked": joint.join(map(_term, terms)),
            "most": most_ranked(terms),
            "phrases": joint.join(map(_term, phrases if every else terms)) if phrases else "",
        }

    def best_pages(self, searched: Searched) -> Written:
        """The pages of one space in order.

        All that match are ranked by their heads if they are not too many. Else those are that have
        a term in their title; only if these are fewer than can be listed those with one in a
        heading or the description, and only then some of the others.
        """
        found = _candidates(searched, _number_of_matches(searched))
        head_place = func.row_number().over(order_by=_by_heads(found))
        best = (
            select(found.c.page, head_place.label("head_place"))
            .order_by(*_by_heads(found))
            .limit(_LISTED)
            .subquery()
        )
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
        """The first pages of each space, by the same rules."""
        matching = _all_matching(searched, _IS_EXACT)
        ranked = _candidates(searched, _number(matching))
        head_place = func.row_number().over(
            partition_by=matching.c.space_id,
            order_by=(*_by_heads(ranked)[:2], matching.c.page),
        )
        placed = (
            select(*matching.c, head_place.label("head_place"))
            .outerjoin(ranked, ranked.c.page == matching.c.page)
            .subquery()
        )
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
            .where(*_matching(searched), _IS_EXACT)
            .group_by(_TABLE.c.space_id)
        )

    def count_of_one(self, searched: Searched) -> Written:
        """How many pages of one space match."""
        found = (
            select(_TABLE.c.page).where(*_matching(searched), _IS_EXACT).limit(_LISTED).subquery()
        )
        return select(func.count().label("found")).select_from(found)

    def best_spaces(self, searched: Searched) -> Written:
        """The spaces by their best titles and headings, then by their number of pages."""
        matching = _all_matching(searched)
        spaces = _by_space(matching)
        ranked = _candidates(searched, _number(matching))
        best = (
            select(ranked.c.space_id, func.max(ranked.c.rank - ranked.c.part).label("rank"))
            .group_by(ranked.c.space_id)
            .subquery()
        )
        return (
            select(spaces.c.space_id, func.count().over().label("found"))
            .outerjoin(best, best.c.space_id == spaces.c.space_id)
            .where(or_(best.c.space_id.is_not(None), _has_exact(spaces)))
            .order_by(best.c.rank.desc().nulls_last(), spaces.c.number.desc(), spaces.c.space_id)
            .limit(LIMIT)
            .offset(OFFSET)
        )

    def count_of_spaces(self, searched: Searched) -> Written:
        """How many spaces have pages that match."""
        spaces = _by_space(_all_matching(searched))
        return select(func.count().label("found")).select_from(spaces).where(_has_exact(spaces))

    async def put(self, ctx: Context, pages: Sequence[PageWords]) -> None:
        """Store the words of pages."""
        rows = [
            {"page": one.page, "space_id": one.space_id, "audience": one.audience.value,
             "heads": _vector(one.fields[:3]),
             "words": _vector(one.fields, {*_scopes(one), *_marks(one), *_pairs_of(one)})}
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


def _matching(searched: Searched, asked: Any = None) -> tuple[Any, ...]:
    """What rows have to be; pages with all words of a phrase may lack the phrase (`_IS_EXACT`)."""
    found = (
        _TABLE.c.words.op("@@")(_ASKED if asked is None else asked),
        # Looked up for each row, however few rows the planner believes there are.
        _TABLE.c.space_id.in_(select(searched.spaces.c.id)).is_(True),
        is_for(searched.asks, _TABLE.c.audience),
    )
    if searched.without is None:
        return found
    return (*found, _TABLE.c.page.not_in(searched.without))


def _rank(words: Any) -> ColumnElement[Any]:
    return func.ts_rank(_WEIGHTS, words, _RANKED, type_=Float())


def _all_matching(searched: Searched, *more: Any) -> CTE:
    """All rows that match, without their ranks."""
    found = select(_TABLE.c.page, _TABLE.c.space_id).where(*_matching(searched), *more)
    return found.cte("matching").prefix_with("MATERIALIZED")


def _number(found: Any) -> Any:
    return select(func.count()).select_from(found).scalar_subquery()


def _number_of_matches(searched: Searched) -> Any:
    """How many rows match, as far as it matters."""
    some = select(_TABLE.c.page).where(*_matching(searched)).limit(_MOST + 1)
    known = select(func.count().label("number")).select_from(some.subquery()).cte("known")
    return select(known.prefix_with("MATERIALIZED").c.number).scalar_subquery()


def _candidates(searched: Searched, number: Any) -> Any:
    """The rows that are ranked, with the `part` of the list where they stand and their `rank`."""
    many = number > _MOST
    titles = _ranked(searched, _TITLES, 0, many)
    lacking = _number(titles) < PAGE_LIMIT
    heads = _ranked(searched, _HEADS, 1, many, lacking, _TABLE.c.page.not_in(_pages(titles)))
    lacking = _number(titles) + _number(heads) < PAGE_LIMIT
    rest = _ranked(
        searched, _ASKED, 2, or_(not_(many), lacking),
        _TABLE.c.page.not_in(_pages(titles)), _TABLE.c.page.not_in(_pages(heads)),
    )  # fmt: skip
    return union_all(*(select(*part.c) for part in (titles, heads, rest))).subquery()


def _pages(found: Any) -> Any:
    return select(found.c.page)


def _ranked(searched: Searched, asked: Any, part: int, *when: Any) -> CTE:
    """Some rows that match, ranked by their heads; `when` is worked out once, before all rows."""
    return (
        select(
            _TABLE.c.page,
            _TABLE.c.space_id,
            literal_column(str(part)).label("part"),
            _rank(_TABLE.c.heads).label("rank"),
        )
        .where(*when, *_matching(searched, asked), _IS_EXACT)
        .limit(_MOST)
        .cte(f"part{part}")
        .prefix_with("MATERIALIZED")
    )


def _by_space(matching: CTE) -> Any:
    """The spaces with the numbers of their pages that match."""
    return (
        select(
            matching.c.space_id,
            func.count().label("number"),
            func.array_agg(matching.c.page, type_=ARRAY(Integer())).label("pages"),
        )
        .group_by(matching.c.space_id)
        .subquery()
    )


def _has_exact(spaces: Any) -> Any:
    """Whether one of the pages really has the phrases; they are looked at until one does."""
    page = func.unnest(spaces.c.pages).table_valued("page").render_derived(name="one")
    exact = (
        select(literal_column("1"))
        .select_from(page.join(_TABLE, _TABLE.c.page == page.c.page))
        .where(_TABLE.c.words.op("@@")(_PHRASES))
        .exists()
    )
    return case((_WITHOUT_PHRASES, true()), else_=exact)


def _by_heads(found: Any) -> tuple[Any, ...]:
    return (found.c.part.asc(), found.c.rank.desc(), found.c.page)


def _with_words(best: Any) -> Any:
    """The best pages with the words of those that are ranked by them."""
    ranked = and_(_TABLE.c.page == best.c.page, best.c.head_place <= WHOLE)
    return best.outerjoin(_TABLE, ranked)


def _score(best: Any) -> Any:
    return case((best.c.head_place <= WHOLE, _rank(_TABLE.c.words)), else_=-best.c.head_place)


def _scopes(page: PageWords) -> list[str]:
    """The words that tell the space of a page, for each kind of reader who finds it."""
    marks = [_MEMBERS] if page.audience in FOR_MEMBERS else []
    if page.audience in FOR_VISITORS:
        marks.append(_VISITORS)
    return [mark + page.space_id for mark in marks]


def _marks(page: PageWords) -> Iterator[str]:
    """Words that say where a page has its words, which the index does not know."""
    for word in page.title:
        yield _TITLE + word
    for word in (*page.headings, *page.description):
        yield _HEAD + word


def _pairs_of(page: PageWords) -> set[str]:
    return {pair for words in page.fields for pair in _pairs(words)}


def _pairs(words: Sequence[str]) -> Iterator[str]:
    """A word for each two neighbours, which other neighbours may have as well.

    The index knows which pages have a word, not where. A phrase of frequent words would make it
    read the words of most pages; with these it reads those of some more pages than have it. The
    beginning of the second word is part of it, as it is all that is known of an unfinished one.
    """
    for first, second in pairwise(words):
        if is_dense(second):
            number = crc32(f"{first} {second}".encode())
            yield _PAIR + "".join(_LETTERS[number >> shift & 63] for shift in (0, 6, 12))
        else:
            number = crc32(first.encode())
            start = second[:SHORTEST_BEGINNING]
            yield f"{_PAIR}{_LETTERS[number & 63]}{_LETTERS[number >> 6 & 15]}{start}"


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


def _marked_term(mark: str, term: Term) -> str:
    """The words of a term with a mark; where they stand is not asked."""
    words = " & ".join(_quoted(mark + word) for word in term.words)
    return f"({words}{':*' if term.prefix else ''})"


def _found_term(term: Term) -> str:
    """The term as it is looked up in the index: its words, and words for its pairs."""
    words = " & ".join([*map(_quoted, _pairs(term.words)), *map(_quoted, term.words)])
    return f"({words}{':*' if term.prefix else ''})"
