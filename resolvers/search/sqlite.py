"""Search on SQLite: an FTS5 table whose rows are indexed pages, ranked by BM25.

The words come folded, one blank apart, so its tokenizer has nothing to do. The column `scope`
holds the space, so that a search in one space does not look at the pages of others, once for each
kind of reader: visitors do not look at what is for people of the organization.

SQLite reads the text of a common table expression again wherever it is named, also in those that
name it: to plan a statement takes time that doubles with each one that is named twice. So each is
named as seldom as can be; planning was longer than all the rest.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import (
    CTE,
    ColumnElement,
    FromClause,
    Integer,
    String,
    bindparam,
    case,
    column,
    func,
    literal,
    literal_column,
    not_,
    null,
    select,
    table,
    text,
    union_all,
)

from content.search.query import SearchQuery, Term
from db.models.content_index import SEARCH_TEXT, IndexedPage
from db.prepared import listed
from db.rows import SQLITE
from resolvers.core.context import Context
from resolvers.core.statements import Viewer, Written
from resolvers.search.words import (
    LAST,
    LIMIT,
    MATCH,
    OFFSET,
    PAGE_LIMIT,
    WEIGHTS,
    Marks,
    PageWords,
    Searched,
    Within,
    asked_titles,
    is_for,
    most_ranked,
)

# Begin the words that a space and an organization are, with a sign that no word of a page or of a
# query has: columns of words are not named in queries, which would take half as long again.
_MARKS = Marks(members=("\xa6s", "\xa6o"), visitors=("\xa6v", "\xa6w"))
# Likewise for the titles of a page, by its words and by their stems.
_TITLE, _SIMILAR = "\xa6t", "\xa6u"


def _scope(mark: str, id: str) -> str:
    """An id as a word: capitals are letters of their own in ids, but not in words."""
    return mark + id.encode().hex()


def scopes_of(page: PageWords) -> str:
    """The words for the space of a page, its organization and its title."""
    exact, similar = page.titles
    titles = [(_TITLE, exact), (_SIMILAR, similar)] if exact else []
    return " ".join(_scope(mark, id) for mark, id in [*_MARKS.of_page(page), *titles])


def term_text(term: Term) -> str:
    """A word or a phrase in a query, with what may stand for its last word."""
    *before, last = term.words
    phrases = [f'"{" ".join((*before, word))}"' for word in (last, *term.others)]
    if term.prefix:
        phrases[0] += " *"
    return phrases[0] if len(phrases) == 1 else f"({' OR '.join(phrases)})"


def scope_text(viewer: Viewer, within: Within) -> str:
    """The beginning of a query that looks at pages of some spaces or organizations only."""
    words = [f'"{_scope(mark, id)}"' for mark, id in _MARKS.of_query(viewer, within)]
    return f"scope : ({' OR '.join(words)}) AND " if words else ""


_WORDS = table(SEARCH_TEXT, column("rowid", Integer()))
# The empty phrase, which nothing has: then no row is looked at.
_NOTHING = literal('""', String())
_TITLES, _HEADS, _EXACT, _ALIKE = (
    bindparam(name, type_=String()) for name in ("titles", "heads", "exact", "similar")
)
_MOST, _ENOUGH = bindparam("most", type_=Integer()), bindparam("enough", type_=Integer()) == 1
# The smaller, the better. The space itself does not count.
_WEIGHTS = ", ".join(map(str, (0.0, *WEIGHTS)))
_SCORE: ColumnElement[Any] = literal_column(f"bm25({SEARCH_TEXT}, {_WEIGHTS})")


class _Ranked(NamedTuple):
    """Parts of a statement: the pages that are ranked."""

    pages: Any
    # How many match, and whether these are more than are ranked.
    number: ColumnElement[int]
    many: ColumnElement[bool]


class SqliteSearch:
    """The engine of search on SQLite."""

    def values(
        self, viewer: Viewer, query: SearchQuery, within: Within, *, every: bool
    ) -> dict[str, Any]:
        """Queries of FTS5. Words hold letters and digits only, and stand in quotes."""
        terms = query.terms
        joined = (" AND " if every else " OR ").join(map(term_text, terms))
        some = " OR ".join(map(term_text, terms))
        scope = scope_text(viewer, within)
        exact, similar = asked_titles(query)
        alike = " OR ".join(f'"{_scope(_SIMILAR, title)}"' for title in similar)
        return {
            "exact": f'{scope}scope : "{_scope(_TITLE, exact)}"',
            "similar": f"{scope}scope : ({alike})",
            "match": f"{scope}({joined})",
            "titles": f"{scope}title : ({some})",
            "heads": f"{scope}{{headings description}} : ({some})",
            # Where one term is enough, a page with it in the title has all that is asked for.
            "enough": int(not every or len(terms) == 1),
            "most": most_ranked(terms),
        }

    def words_text(self, viewer: Viewer, terms: Sequence[Term], within: Within) -> list[str]:
        """Queries of FTS5 with one term each."""
        scope = scope_text(viewer, within)
        return [f"{scope}({term_text(term)})" for term in terms]

    def present(self, searched: Searched) -> Written:
        """Those queries that some page matches."""
        queries = listed("asked", SQLITE)
        match: Any = queries.c.value
        return select(queries.c.value).where(
            self._found(searched, literal_column("1"), match=match).correlate(queries).exists()
        )

    def best_pages(self, searched: Searched) -> Written:
        """The pages of one space in order.

        All that match are ranked if they are not too many. Else those are that have a term in
        their title; only if these are fewer than can be listed those with one in a heading or the
        description, and only then some of the others.
        """
        ranked = self._ranked(searched).pages
        return (
            select(IndexedPage.space_id, IndexedPage.page_id)
            .join(ranked, ranked.c.id == IndexedPage.id)
            .order_by(_part(ranked), ranked.c.score, ranked.c.id)
            .limit(LIMIT)
            .offset(OFFSET)
        )

    def best_pages_of_each(self, searched: Searched) -> Written:
        """The first pages of each space, by the same rules."""
        few = _are_few(searched)
        matching = self._all(searched, few)
        ranked = self._ranked(searched, matching, few).pages
        others = select(
            matching.c.space_id, matching.c.id, literal_column("3"), literal_column("0")
        ).where(matching.c.id.not_in(select(ranked.c.id)))
        listed = union_all(
            select(IndexedPage.space_id, *_placed(ranked)).join(
                ranked, ranked.c.id == IndexedPage.id
            ),
            others,
        ).subquery()
        place = func.row_number().over(
            partition_by=listed.c.space_id, order_by=(listed.c.part, listed.c.score, listed.c.id)
        )
        placed = select(listed.c.space_id, listed.c.id, place.label("place")).subquery()
        return (
            select(placed.c.space_id, IndexedPage.page_id, placed.c.place)
            .join(IndexedPage, IndexedPage.id == placed.c.id)
            .where(placed.c.place <= LAST)
            .order_by(placed.c.space_id, placed.c.place)
        )

    def counts(self, searched: Searched) -> Written:
        """How many pages of each space match."""
        number = func.min(func.count(), PAGE_LIMIT, type_=Integer())
        return self._found(searched, IndexedPage.space_id, number.label("found")).group_by(
            IndexedPage.space_id
        )

    def count_of_one(self, searched: Searched) -> Written:
        """How many pages of one space match."""
        matches = self._found(searched, IndexedPage.id).limit(PAGE_LIMIT).subquery()
        return select(func.count().label("found")).select_from(matches)

    def best_spaces(self, searched: Searched) -> Written:
        """The spaces by their best pages, with these where they are known."""
        few = _are_few(searched)
        matching = self._all(searched, few)
        ranked_pages = self._ranked(searched, matching, few)
        ranked = (
            select(IndexedPage.space_id, *_placed(ranked_pages.pages))
            .join(ranked_pages.pages, ranked_pages.pages.c.id == IndexedPage.id)
            .cte("ranked")
            .prefix_with("MATERIALIZED")
        )
        # Of few pages, all that match are ranked, and else they are in the other list. One number
        # for the part and the score in it, which is far from a million.
        scored = union_all(
            select(matching.c.space_id, null().label("score")).distinct(),
            select(ranked.c.space_id, ranked.c.part * 1_000_000 + ranked.c.score),
        ).subquery()
        score = func.min(scored.c.score).label("score")
        shown = (
            select(scored.c.space_id, score, func.count().over().label("found"))
            .group_by(scored.c.space_id)
            .order_by(score.asc().nulls_last(), scored.c.space_id)
            .limit(LIMIT)
            .offset(OFFSET)
            .cte("shown")
            .prefix_with("MATERIALIZED")
        )
        place = func.row_number().over(
            partition_by=ranked.c.space_id, order_by=(ranked.c.part, ranked.c.score, ranked.c.id)
        )
        placed = select(
            ranked.c.space_id,
            ranked.c.id,
            place.label("place"),
            func.count().over(partition_by=ranked.c.space_id).label("number"),
        ).subquery()
        pages = (
            select(*placed.c["space_id", "place", "number"], IndexedPage.page_id)
            .join(IndexedPage, IndexedPage.id == placed.c.id)
            .where(placed.c.place <= LAST)
            .subquery()
        )
        # Of several spaces with more pages than are ranked, fewer spaces may have theirs ranked
        # otherwise.
        alone = shown.c.found == 1
        number = case((alone, ranked_pages.number), else_=pages.c.number)
        is_known = (pages.c.space_id == shown.c.space_id) & (~ranked_pages.many | alone)
        return (
            select(shown.c.space_id, shown.c.found, pages.c.page_id, number.label("number"))
            .outerjoin(pages, is_known)
            .order_by(shown.c.score.asc().nulls_last(), shown.c.space_id, pages.c.place)
        )

    def count_of_spaces(self, searched: Searched) -> Written:
        """How many spaces have pages that match."""
        matches = self._found(searched, IndexedPage.space_id).distinct().subquery()
        return select(func.count().label("found")).select_from(matches)

    def _all(self, searched: Searched, few: ColumnElement[bool]) -> CTE:
        """All rows that match, without their scores; none where all that could are ranked."""
        statement = self._found(
            searched, IndexedPage.id, IndexedPage.space_id, match=_if(~few, MATCH)
        )
        return statement.cte("matching").prefix_with("MATERIALIZED")

    def _ranked(
        self,
        searched: Searched,
        matching: CTE | None = None,
        few: ColumnElement[bool] | None = None,
    ) -> _Ranked:
        """The rows that are ranked, with the `part` of the list where they stand and their score.

        They are taken from all that match where these are known, which spares another search for
        the words; but of `few` pages all are ranked that match. BM25 is worked out where the table
        is matched, and nowhere else; it is what takes time.
        """
        number = self._number_of_matches(searched) if matching is None else _known_number(matching)
        many = number > _MOST
        titles = self._some(searched, matching, many, _TITLES, "titles")
        lacking = many & (_number(titles) < PAGE_LIMIT)
        heads = self._some(searched, matching, lacking, _HEADS, "heads", titles)
        lacking = many & (_number(titles) + _number(heads) < PAGE_LIMIT)
        rest = self._rest(searched, matching, lacking, titles, heads)
        alike = _rows(_if(many, _ALIKE), "alike")
        parts = [select(part.c.id) for part in (alike, titles, heads, rest)]
        when: ColumnElement[bool] = many
        at_once: Any = ~many & (number > 0)
        if matching is not None:
            parts.append(select(_some_if(~many, select(matching.c.id), "all").c.id))
            when, at_once = number > 0, few
        chosen = union_all(*parts).cte("chosen").prefix_with("MATERIALIZED")
        last = select(func.max(chosen.c.id)).scalar_subquery()
        part = case((~many, 0), (_among(titles), 0), (_among(heads), 1), else_=2).label("part")
        scores = (
            select(_WORDS.c.rowid.label("id"), part, _SCORE.label("score"))
            .where(_matches(_if(when, MATCH)), _WORDS.c.rowid <= last, _among(chosen))
            .cte("scores")
            .prefix_with("MATERIALIZED")
        )
        whole = self._found(
            searched, IndexedPage.id, literal_column("0").label("part"), _SCORE.label("score"),
            match=_if(at_once, MATCH),
        ).cte("whole").prefix_with("MATERIALIZED")  # fmt: skip
        ranked = union_all(select(*scores.c), select(*whole.c)).subquery()
        return _Ranked(ranked, number + _number(whole), many)

    def _some(
        self,
        searched: Searched,
        matching: CTE | None,
        when: ColumnElement[bool],
        in_field: ColumnElement[str],
        name: str,
        *but: CTE,
    ) -> CTE:
        """At most so many pages that match and have a term in some field."""
        having = _rows(_if(when & ~_ENOUGH, in_field), f"with_{name}")
        if matching is None:
            match = case((when & _ENOUGH, in_field), (when, MATCH), else_=_NOTHING)
            matches = self._found(searched, IndexedPage.id, match=match).where(
                _ENOUGH | _among(having), *(not_(_among(table)) for table in but)
            )
            return _some(matches, name)
        matches = self._found(searched, IndexedPage.id, match=_if(when & _ENOUGH, in_field)).where(
            *(not_(_among(table)) for table in but)
        )
        listed = select(matching.c.id).where(
            _is_in(matching, having), *(not_(_is_in(matching, table)) for table in but)
        )
        both = (
            _some(matches, f"enough_{name}"),
            _some_if(when & ~_ENOUGH, listed, f"listed_{name}"),
        )
        some = union_all(*(select(part.c.id) for part in both))
        return some.cte(name).prefix_with("MATERIALIZED")

    def _rest(
        self, searched: Searched, matching: CTE | None, when: ColumnElement[bool], *but: CTE
    ) -> CTE:
        """At most so many others that match."""
        if matching is None:
            matches = self._found(searched, IndexedPage.id, match=_if(when, MATCH)).where(
                *(not_(_among(table)) for table in but)
            )
            return _some(matches, "rest")
        others = select(matching.c.id).where(*(not_(_is_in(matching, table)) for table in but))
        return _some_if(when, others, "rest")

    def _found(
        self, searched: Searched, *columns: Any, match: ColumnElement[str] = MATCH
    ) -> Written:
        statement = (
            select(*columns)
            .select_from(_WORDS.join(IndexedPage, IndexedPage.id == _WORDS.c.rowid))
            .where(
                _matches(match),
                IndexedPage.space_id.in_(select(searched.spaces.c.id)),
                is_for(searched.viewer, IndexedPage.audience),
            )
        )
        if searched.without is not None:
            statement = statement.where(IndexedPage.id.not_in(searched.without))
        return statement

    def _number_of_matches(self, searched: Searched) -> ColumnElement[int]:
        """The number of matches.

        Without hidden pages, as in other lists: they say whether all are ranked, and so the order.
        """
        statement: Written = select(_WORDS.c.rowid).where(_matches(MATCH))
        if searched.without is not None:
            statement = self._found(searched, IndexedPage.id)
        return _known_number(statement.limit(_MOST + 1).subquery())

    async def put(self, ctx: Context, pages: Sequence[PageWords]) -> None:
        """Store the words of pages."""
        rows = [
            {"page": page.page, "scope": scopes_of(page),
             **{f"f{index}": " ".join(words) for index, words in enumerate(page.fields)}}
            for page in pages
        ]  # fmt: skip
        if rows:
            await ctx.session.execute(_PUT, rows)


_PUT = text(
    "INSERT INTO search_text (rowid, scope, title, headings, description, body) "
    "VALUES (:page, :scope, :f0, :f1, :f2, :f3)"
)


def _matches(match: ColumnElement[str]) -> ColumnElement[Any]:
    return literal_column(SEARCH_TEXT).op("MATCH")(match)


def _rows(match: ColumnElement[str], name: str) -> CTE:
    matches = select(_WORDS.c.rowid.label("id")).where(_matches(match))
    return matches.cte(name).prefix_with("MATERIALIZED")


def _part(ranked: FromClause) -> ColumnElement[int]:
    """The part of the list where a page stands; before all others those whose title is asked for.

    Pages of other spaces may have the title as well, but are not among the ranked.
    """
    return case(
        *(
            (ranked.c.id.in_(select(_WORDS.c.rowid).where(_matches(title))), place)
            for title, place in ((_EXACT, -2), (_ALIKE, -1))
        ),
        else_=ranked.c.part,
    )


def _placed(ranked: FromClause) -> list[ColumnElement[Any]]:
    return [ranked.c.id, _part(ranked).label("part"), ranked.c.score]


def _among(rows: FromClause) -> ColumnElement[bool]:
    """A condition that a row is one of these; it is checked on each row that matches.

    As a constraint of the table it would be matched once for each of these.
    """
    return literal_column(f"+{SEARCH_TEXT}.rowid").in_(select(rows.c.id))


def _some(matches: Written, name: str) -> CTE:
    """At most so many rows."""
    return matches.limit(_MOST).cte(name).prefix_with("MATERIALIZED")


def _some_if(condition: ColumnElement[bool], matches: Written, name: str) -> CTE:
    """At most so many rows, on a condition; else none is looked at."""
    some = matches.limit(case((condition, _MOST), else_=0))
    return some.cte(name).prefix_with("MATERIALIZED")


def _if(condition: Any, match: ColumnElement[str]) -> ColumnElement[str]:
    """A query that is asked on a condition; else nothing is looked at."""
    return case((condition, match), else_=_NOTHING)


def _is_in(matching: CTE, rows: CTE) -> ColumnElement[bool]:
    return matching.c.id.in_(select(rows.c.id))


def _are_few(searched: Searched) -> ColumnElement[bool]:
    """Whether the spaces have no more pages than are ranked, matching or not."""
    pages = (
        select(IndexedPage.id)
        .where(IndexedPage.space_id.in_(select(searched.spaces.c.id)))
        .limit(_MOST + 1)
        .subquery()
    )
    number = select(func.count().label("number")).select_from(pages)
    most = number.cte("pages").prefix_with("MATERIALIZED")
    return select(most.c.number).scalar_subquery() <= _MOST


def _known_number(rows: FromClause) -> ColumnElement[int]:
    """The number of rows, counted once in a statement that uses it several times."""
    number = select(func.count().label("number")).select_from(rows)
    counted = number.cte("known").prefix_with("MATERIALIZED")
    return select(counted.c.number).scalar_subquery()


def _number(rows: FromClause) -> ColumnElement[int]:
    return select(func.count()).select_from(rows).scalar_subquery()
