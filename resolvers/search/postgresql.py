"""Search on PostgreSQL: vectors of folded words under a GIN index.

No text search configuration takes part. The vectors are written here, and so are the queries, so
the same words are found as on SQLite. The words of a page are large and stand apart from its row,
so all matching pages are ranked by their titles, headings and descriptions, and only the best of
them by their whole text.
"""

from collections.abc import Sequence
from typing import Any

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

from content.search.query import SearchQuery, Term
from db.base import enum_type
from db.content_enums import SearchAudience
from db.models.content_index import SEARCH_TEXT, IndexedPage
from db.prepared import KEY, POSTGRESQL, listed
from resolvers.core.context import Context
from resolvers.core.statements import Viewer, Written
from resolvers.search.vectors import (
    EXACT,
    HEAD,
    SIMILAR,
    TITLE,
    found_term,
    marked_term,
    marks_of,
    pairs_of,
    quoted,
    scope_text,
    scopes_of,
    term_text,
    titles_of,
    vector,
)
from resolvers.search.words import (
    LAST,
    LIMIT,
    OFFSET,
    PAGE_LIMIT,
    WEIGHTS,
    PageWords,
    Searched,
    Within,
    asked_titles,
    is_for,
    most_ranked,
)

# At most so many pages of a part of the list are ranked by their heads, and so many of a space by
# their whole text.
RANKED, WHOLE = 2000, 100
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


_ASKED, _TITLES, _HEADS, _RANKED, _EXACT, _SIMILAR, _ALIKE = map(
    _tsquery, ("match", "titles", "heads", "ranked", "exact", "similar", "alike")
)
# The index knows which pages have the words of a phrase, and the words for its pairs; whether they
# have the phrase is in their words, which stand apart.
_PHRASE_TEXT = cast(bindparam("phrases"), String())
_WITHOUT_PHRASES = _PHRASE_TEXT == ""
_PHRASES = select(cast(func.nullif(_PHRASE_TEXT, ""), TSQUERY)).scalar_subquery()
_IS_EXACT = case((_WITHOUT_PHRASES, true()), else_=_TABLE.c.words.op("@@")(_PHRASES))
_MOST: ColumnElement[int] = bindparam("most", type_=Integer())
# Of pages whose title is neither that nor alike.
_OTHER: ColumnElement[Any] = literal_column("2")
# Limits are known while it is planned: for an unknown one the planner would rather read rows in
# turn.
_LISTED: ColumnElement[Any] = literal_column(str(PAGE_LIMIT))
# From the text to the title.
_SHARES = ",".join(str(WEIGHTS[index] / max(WEIGHTS)) for index in (3, 2, 1, 0))
_WEIGHTS: ColumnElement[Any] = literal_column(f"'{{{_SHARES}}}'::float4[]")


class PostgresSearch:
    """The engine of search on PostgreSQL."""

    def values(
        self, viewer: Viewer, query: SearchQuery, within: Within, *, every: bool
    ) -> dict[str, Any]:
        """Texts of tsqueries. Words hold letters and digits only, and stand in quotes."""
        terms = query.terms
        exact, titles = asked_titles(query)
        similar = " | ".join(quoted(SIMILAR + title) for title in titles)
        joint = " & " if every else " | "
        words = f"{scope_text(viewer, within)}({joint.join(map(found_term, terms))})"
        phrases = [term for term in terms if len(term.words) > 1]
        return {
            "match": words,
            "exact": quoted(EXACT + exact),
            "similar": similar,
            # As it is looked up in the index.
            "alike": f"{words} & ({similar})",
            "titles": f"{words} & ({' | '.join(marked_term(TITLE, term) for term in terms)})",
            "heads": f"{words} & ({' | '.join(marked_term(HEAD, term) for term in terms)})",
            "ranked": joint.join(map(term_text, terms)),
            "most": min(RANKED, most_ranked(terms)),
            "phrases": joint.join(map(term_text, phrases if every else terms)) if phrases else "",
        }

    def words_text(self, viewer: Viewer, terms: Sequence[Term], within: Within) -> list[str]:
        """Texts of tsqueries with one term each."""
        scope = scope_text(viewer, within)
        return [f"{scope}({found_term(term)})" for term in terms]

    def present(self, searched: Searched) -> Written:
        """Those tsqueries that some page matches."""
        queries = listed("asked", POSTGRESQL)
        query = cast(cast(queries.c.value, String()), TSQUERY)
        some = select(_TABLE.c.page).where(*_matching(searched, query)).correlate(queries)
        return select(queries.c.value).where(some.exists())

    def best_pages(self, searched: Searched) -> Written:
        """The pages of one space in order.

        All that match are ranked by their heads if they are not too many. Else those are that have
        a term in their title; only if these are fewer than can be listed those with one in a
        heading or the description, and only then some of the others.
        """
        candidates = _candidates(searched, _number_of_matches(searched))
        head_place = func.row_number().over(order_by=_by_heads(candidates))
        best = (
            select(*candidates.c["page", "title"], head_place.label("head_place"))
            .order_by(*_by_heads(candidates))
            .limit(_LISTED)
            .subquery()
        )
        score = _score(best)
        shown = (
            select(best.c.page, best.c.title, score.label("score"))
            .select_from(_with_words(best))
            .order_by(best.c.title, score.desc(), best.c.page)
            .limit(LIMIT)
            .offset(OFFSET)
            .subquery()
        )
        return (
            select(IndexedPage.space_id, IndexedPage.page_id)
            .join(shown, shown.c.page == IndexedPage.id)
            .order_by(shown.c.title, shown.c.score.desc(), shown.c.page)
        )

    def best_pages_of_each(self, searched: Searched) -> Written:
        """The first pages of each space, by the same rules."""
        matching = _all_matching(searched, _IS_EXACT)
        ranked = _candidates(searched, _number(matching))
        head_place = func.row_number().over(
            partition_by=matching.c.space_id,
            order_by=(*_by_heads(ranked)[:-1], matching.c.page),
        )
        placed = (
            select(
                *matching.c,
                func.coalesce(ranked.c.title, _OTHER).label("title"),
                head_place.label("head_place"),
            )
            .outerjoin(ranked, ranked.c.page == matching.c.page)
            .subquery()
        )
        best = select(*placed.c).where(placed.c.head_place <= PAGE_LIMIT).subquery()
        shown = _by_words(best)
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
        candidates = (
            select(_TABLE.c.page).where(*_matching(searched), _IS_EXACT).limit(_LISTED).subquery()
        )
        return select(func.count().label("found")).select_from(candidates)

    def best_spaces(self, searched: Searched) -> Written:
        """The spaces by their best titles and headings, then by their number of pages; with their
        pages where they are known."""
        matching = _all_matching(searched)
        spaces = _by_space(matching)
        total = _number(matching)
        ranked = _candidates(searched, total)
        best = (
            select(
                ranked.c.space_id,
                # A part is as much as all ranks, a title as all parts.
                func.max(ranked.c.rank - ranked.c.part - 3 * ranked.c.title).label("rank"),
            )
            .group_by(ranked.c.space_id)
            .subquery()
        )
        number_of_spaces = func.count().over()
        order = func.row_number().over(
            order_by=(best.c.rank.desc().nulls_last(), spaces.c.number.desc(), spaces.c.space_id)
        )
        shown = (
            select(
                *spaces.c["space_id", "number"],
                number_of_spaces.label("found"),
                order.label("place"),
            )
            .outerjoin(best, best.c.space_id == spaces.c.space_id)
            .where(or_(best.c.space_id.is_not(None), _has_exact(spaces)))
            .order_by(order)
            .limit(LIMIT)
            .offset(OFFSET)
            .cte("shown")
            .prefix_with("MATERIALIZED")
        )
        # Of several spaces with more pages than are ranked, fewer spaces may have theirs ranked
        # otherwise.
        alone = select(func.max(shown.c.found)).scalar_subquery() == 1
        few = total <= _MOST
        pages = _first_pages(ranked, shown, or_(few, alone))
        number = case((few, pages.c.number), (_WITHOUT_PHRASES, shown.c.number))
        return (
            select(shown.c.space_id, shown.c.found, pages.c.page_id, number.label("number"))
            .outerjoin(pages, pages.c.space_id == shown.c.space_id)
            .order_by(shown.c.place, pages.c.place)
        )

    def count_of_spaces(self, searched: Searched) -> Written:
        """How many spaces have pages that match."""
        spaces = _by_space(_all_matching(searched))
        return select(func.count().label("found")).select_from(spaces).where(_has_exact(spaces))

    async def put(self, ctx: Context, pages: Sequence[PageWords]) -> None:
        """Store the words of pages."""
        rows = [
            {"page": page.page, "space_id": page.space_id, "audience": page.audience.value,
             "heads": vector(page.fields[:3], titles_of(page)),
             "words": vector(
                 page.fields,
                 {*scopes_of(page), *titles_of(page), *marks_of(page), *pairs_of(page)})}
            for page in pages
        ]  # fmt: skip
        if rows:
            await ctx.session.execute(_PUT, rows)


_PUT = text(
    "INSERT INTO search_text (page, space_id, audience, heads, words) "
    "VALUES (:page, :space_id, :audience, "
    "CAST(CAST(:heads AS text) AS tsvector), CAST(CAST(:words AS text) AS tsvector))"
)


def _matching(searched: Searched, query: Any = None) -> tuple[Any, ...]:
    """Conditions of a match; pages with all words of a phrase may lack the phrase (`_IS_EXACT`)."""
    conditions = (
        _TABLE.c.words.op("@@")(_ASKED if query is None else query),
        # Looked up for each row, however few rows the planner believes there are.
        _TABLE.c.space_id.in_(select(searched.spaces.c.id)).is_(True),
        is_for(searched.viewer, _TABLE.c.audience),
    )
    if searched.without is None:
        return conditions
    return (*conditions, _TABLE.c.page.not_in(searched.without))


def _rank(words: Any) -> ColumnElement[Any]:
    return func.ts_rank(_WEIGHTS, words, _RANKED, type_=Float())


def _all_matching(searched: Searched, *more: Any) -> CTE:
    """All rows that match, without their ranks."""
    statement = select(_TABLE.c.page, _TABLE.c.space_id).where(*_matching(searched), *more)
    return statement.cte("matching").prefix_with("MATERIALIZED")


def _number(rows: Any) -> Any:
    return select(func.count()).select_from(rows).scalar_subquery()


def _number_of_matches(searched: Searched) -> Any:
    """The number of matches, counted up to one more than are ranked."""
    some = select(_TABLE.c.page).where(*_matching(searched)).limit(literal_column(str(RANKED + 1)))
    counted = select(func.count().label("number")).select_from(some.subquery()).cte("known")
    return select(counted.prefix_with("MATERIALIZED").c.number).scalar_subquery()


def _candidates(searched: Searched, number: Any) -> Any:
    """The rows that are ranked, with the `part` of the list where they stand and their `rank`."""
    many = number > _MOST
    alike = _ranked(searched, _ALIKE, 0, many, name="alike")
    titles = _ranked(searched, _TITLES, 0, many, _TABLE.c.page.not_in(_pages(alike)))
    lacking = _number(titles) < PAGE_LIMIT
    but = [_TABLE.c.page.not_in(_pages(part)) for part in (alike, titles)]
    heads = _ranked(searched, _HEADS, 1, many, lacking, *but)
    lacking = _number(titles) + _number(heads) < PAGE_LIMIT
    rest = _ranked(
        searched, _ASKED, 2, or_(not_(many), lacking),
        *but, _TABLE.c.page.not_in(_pages(heads)),
    )  # fmt: skip
    return union_all(*(select(*part.c) for part in (alike, titles, heads, rest))).subquery()


def _pages(rows: Any) -> Any:
    return select(rows.c.page)


def _ranked(searched: Searched, query: Any, part: int, *when: Any, name: str = "part") -> CTE:
    """Some rows that match, ranked by their heads; `when` is worked out once, before all rows.

    `title` is 0 for pages with the title that is asked for, 1 for those with one that is alike,
    and 2 for others.
    """
    title = case(
        (_TABLE.c.heads.op("@@")(_EXACT), 0), (_TABLE.c.heads.op("@@")(_SIMILAR), 1), else_=_OTHER
    )
    return (
        select(
            _TABLE.c.page,
            _TABLE.c.space_id,
            literal_column(str(part)).label("part"),
            title.label("title"),
            _rank(_TABLE.c.heads).label("rank"),
        )
        .where(*when, *_matching(searched, query), _IS_EXACT)
        .limit(literal_column(str(RANKED)))
        .cte(f"{name}{part}")
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
    """Whether one of the pages has the phrases word by word; checked until one does."""
    page = func.unnest(spaces.c.pages).table_valued("page").render_derived(name="one")
    exact = (
        select(literal_column("1"))
        .select_from(page.join(_TABLE, _TABLE.c.page == page.c.page))
        .where(_TABLE.c.words.op("@@")(_PHRASES))
        .exists()
    )
    return case((_WITHOUT_PHRASES, true()), else_=exact)


def _first_pages(ranked: Any, shown: CTE, condition: Any) -> Any:
    """The first pages of the spaces that are shown, and how many there are, if these are known."""
    head_place = func.row_number().over(partition_by=ranked.c.space_id, order_by=_by_heads(ranked))
    number = func.count().over(partition_by=ranked.c.space_id)
    placed = (
        select(
            *ranked.c["space_id", "page", "title"],
            head_place.label("head_place"),
            number.label("number"),
        )
        .where(condition, ranked.c.space_id.in_(select(shown.c.space_id)))
        .subquery()
    )
    best = select(*placed.c).where(placed.c.head_place <= PAGE_LIMIT).subquery()
    first = _by_words(best, best.c.number)
    return (
        select(first.c.space_id, IndexedPage.page_id, first.c.place, first.c.number)
        .join(IndexedPage, IndexedPage.id == first.c.page)
        .where(first.c.place <= LAST)
        .subquery()
    )


def _by_words(best: Any, *columns: Any) -> Any:
    """The places of the best pages in their spaces, for which the words of some are read."""
    place = func.row_number().over(
        partition_by=best.c.space_id, order_by=(best.c.title, _score(best).desc(), best.c.page)
    )
    return (
        select(best.c.space_id, best.c.page, place.label("place"), *columns)
        .select_from(_with_words(best))
        .subquery()
    )


def _by_heads(candidates: Any) -> tuple[Any, ...]:
    return (
        candidates.c.title.asc(),
        candidates.c.part.asc(),
        candidates.c.rank.desc(),
        candidates.c.page,
    )


def _with_words(best: Any) -> Any:
    """The best pages with the words of those that are ranked by them."""
    ranked = and_(_TABLE.c.page == best.c.page, best.c.head_place <= WHOLE)
    return best.outerjoin(_TABLE, ranked)


def _score(best: Any) -> Any:
    return case((best.c.head_place <= WHOLE, _rank(_TABLE.c.words)), else_=-best.c.head_place)
