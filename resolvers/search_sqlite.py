"""Search on SQLite: an FTS5 table whose rows are indexed pages, ranked by BM25.

The words come folded, one blank apart, so its tokenizer has nothing to do. The column `scope`
holds the space, so that a search in one space does not look at the pages of others, once for each
kind of reader: visitors do not look at what is for people of the organization.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from sqlalchemy import (
    CTE,
    ColumnElement,
    FromClause,
    Integer,
    String,
    and_,
    bindparam,
    case,
    column,
    func,
    literal,
    literal_column,
    select,
    table,
    text,
    union_all,
)

from content.search_query import Term
from db.models.content_index import SEARCH_TEXT, IndexedPage
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
    most_ranked,
)
from resolvers.statements import Asks, Written

# Begin the word that a space is, with a sign that no word of a page or of a query has: columns of
# words are not named in queries, which would take half as long again.
_MEMBERS, _VISITORS = "\xa6s", "\xa6v"
_WORDS = table(SEARCH_TEXT, column("rowid", Integer()))
# The empty phrase, which nothing has: then no row is looked at.
_NO_PAGE = '""'
_NOTHING = literal(_NO_PAGE, String())
_TITLES, _HEADS = (bindparam(name, type_=String()) for name in ("titles", "heads"))
_MOST = bindparam("most", type_=Integer())
# The smaller, the better. The space itself does not count.
_WEIGHTS = ", ".join(map(str, (0.0, *WEIGHTS)))
_SCORE: ColumnElement[Any] = literal_column(f"bm25({SEARCH_TEXT}, {_WEIGHTS})")


class _Ranked(NamedTuple):
    """Parts of a statement: what was found, and the order of those that are ranked."""

    matching: CTE
    pages: CTE
    # How many match, and whether these are more than are ranked.
    number: ColumnElement[int]
    many: ColumnElement[bool]


class SqliteSearch:
    """The engine of search on SQLite."""

    def values(
        self, asks: Asks, terms: Sequence[Term], spaces: Sequence[str], *, every: bool
    ) -> dict[str, Any]:
        """Queries of FTS5. Words hold letters and digits only, and stand in quotes."""
        joined = (" AND " if every else " OR ").join(map(_term, terms))
        some = " OR ".join(map(_term, terms))
        scope = _scoped(asks, spaces)
        return {
            "match": f"{scope}({joined})",
            "titles": f"{scope}title : ({some})",
            "heads": f"{scope}{{headings description}} : ({some})",
            "most": most_ranked(terms),
        }

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
            .order_by(ranked.c.part, ranked.c.score, ranked.c.id)
            .limit(LIMIT)
            .offset(OFFSET)
        )

    def best_pages_of_each(self, searched: Searched) -> Written:
        """The first pages of each space, by the same rules."""
        found = self._ranked(searched)
        matching, ranked = found.matching, found.pages
        others = select(
            matching.c.space_id, matching.c.id, literal_column("3"), literal_column("0")
        ).where(matching.c.id.not_in(select(ranked.c.id)))
        listed = union_all(
            select(IndexedPage.space_id, *ranked.c).join(ranked, ranked.c.id == IndexedPage.id),
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
        found = self._found(searched, IndexedPage.id).limit(PAGE_LIMIT).subquery()
        return select(func.count().label("found")).select_from(found)

    def best_spaces(self, searched: Searched) -> Written:
        """The spaces by their best pages, with these where they are known."""
        found = self._ranked(searched)
        spaces = select(found.matching.c.space_id).distinct().subquery()
        ranked = (
            select(IndexedPage.space_id, IndexedPage.page_id, *found.pages.c)
            .join(found.pages, found.pages.c.id == IndexedPage.id)
            .cte("ranked")
            .prefix_with("MATERIALIZED")
        )
        # One number for the part and the score in it, which is far from a million.
        best = (
            select(
                ranked.c.space_id,
                func.min(ranked.c.part * 1_000_000 + ranked.c.score).label("score"),
            )
            .group_by(ranked.c.space_id)
            .subquery()
        )
        shown = (
            select(
                spaces.c.space_id,
                best.c.score,
                func.count().over().label("found"),
            )
            .outerjoin(best, best.c.space_id == spaces.c.space_id)
            .order_by(best.c.score.asc().nulls_last(), spaces.c.space_id)
            .limit(LIMIT)
            .offset(OFFSET)
            .cte("shown")
            .prefix_with("MATERIALIZED")
        )
        # Of several spaces with more pages than are ranked, fewer spaces may have theirs ranked
        # otherwise.
        alone = select(func.max(shown.c.found)).scalar_subquery() == 1
        place = func.row_number().over(
            partition_by=ranked.c.space_id, order_by=(ranked.c.part, ranked.c.score, ranked.c.id)
        )
        number = case((alone, found.number), else_=func.count().over(
            partition_by=ranked.c.space_id
        ))  # fmt: skip
        pages = (
            select(
                ranked.c.space_id, ranked.c.page_id, place.label("place"), number.label("number")
            )
            .where(
                ~found.many | alone,
                ranked.c.space_id.in_(select(shown.c.space_id)),
            )
            .subquery()
        )
        listed = and_(pages.c.space_id == shown.c.space_id, pages.c.place <= LAST)
        return (
            select(shown.c.space_id, shown.c.found, pages.c.page_id, pages.c.number)
            .outerjoin(pages, listed)
            .order_by(shown.c.score.asc().nulls_last(), shown.c.space_id, pages.c.place)
        )

    def count_of_spaces(self, searched: Searched) -> Written:
        """How many spaces have pages that match."""
        found = self._found(searched, IndexedPage.space_id).distinct().subquery()
        return select(func.count().label("found")).select_from(found)

    def _ranked(self, searched: Searched) -> _Ranked:
        """All rows that match, and those of them that are ranked with the `part` of the list where
        they stand and their score.

        BM25 is worked out where the table is matched, and nowhere else; it is what takes time. The
        words are looked up once for all that match, and again for those that are ranked.
        """
        found = self._found(searched, IndexedPage.id, IndexedPage.space_id)
        matching = found.cte("matching").prefix_with("MATERIALIZED")
        number = _number(matching)
        many = number > _MOST
        titles = _some(matching, _rows(_if(many, _TITLES), "with_title"), "titles")
        lacking = many & (_number(titles) < PAGE_LIMIT)
        with_head = _rows(_if(lacking, _HEADS), "with_head")
        heads = _some(matching, with_head, "heads", matching.c.id.not_in(select(titles.c.id)))
        lacking = many & (_number(titles) + _number(heads) < PAGE_LIMIT)
        rest = (
            select(matching.c.id)
            .where(
                lacking,
                matching.c.id.not_in(select(titles.c.id)),
                matching.c.id.not_in(select(heads.c.id)),
            )
            .limit(_MOST)
            .cte("rest")
            .prefix_with("MATERIALIZED")
        )
        chosen = (
            union_all(
                *(select(part.c.id) for part in (titles, heads, rest)),
                select(matching.c.id).where(~many),
            )
            .cte("chosen")
            .prefix_with("MATERIALIZED")
        )
        last = select(func.max(chosen.c.id)).scalar_subquery()
        part = case((~many, 0), (_among(titles), 0), (_among(heads), 1), else_=2).label("part")
        scores = (
            select(_WORDS.c.rowid.label("id"), part, _SCORE.label("score"))
            .where(
                _matches(_if(number > 0, MATCH)),
                _WORDS.c.rowid <= last,
                _among(chosen),
            )
            .cte("scores")
            .prefix_with("MATERIALIZED")
        )
        return _Ranked(matching, scores, number, many)

    def _found(self, searched: Searched, *columns: Any) -> Written:
        found = (
            select(*columns)
            .select_from(_WORDS.join(IndexedPage, IndexedPage.id == _WORDS.c.rowid))
            .where(
                _matches(MATCH),
                IndexedPage.space_id.in_(select(searched.spaces.c.id)),
                is_for(searched.asks, IndexedPage.audience),
            )
        )
        if searched.without is not None:
            found = found.where(IndexedPage.id.not_in(searched.without))
        return found

    async def put(self, ctx: Context, pages: Sequence[PageWords]) -> None:
        """Store the words of pages."""
        rows = [
            {"page": one.page, "scope": _scopes(one),
             **{f"f{index}": " ".join(words) for index, words in enumerate(one.fields)}}
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
    "INSERT INTO search_text (rowid, scope, title, headings, description, body) "
    "VALUES (:page, :scope, :f0, :f1, :f2, :f3)"
)
_REMOVE = text("DELETE FROM search_text WHERE rowid = :page")


def _scope(letter: str, space_id: str) -> str:
    """A space as a word: capitals are letters of their own in ids, but not in words."""
    return letter + space_id.encode().hex()


def _scopes(page: PageWords) -> str:
    letters = [_VISITORS] if page.audience in FOR_VISITORS else []
    if page.audience in FOR_MEMBERS:
        letters.append(_MEMBERS)
    return " ".join(_scope(letter, page.space_id) for letter in letters)


def _term(term: Term) -> str:
    return f'"{" ".join(term.words)}"' + (" *" if term.prefix else "")


def _scoped(asks: Asks, spaces: Sequence[str]) -> str:
    """The beginning of a query that looks at pages of these spaces only, if they are few."""
    if not 0 < len(spaces) <= SCOPES:
        return ""
    letter = _VISITORS if asks.actor.visitor is not None else _MEMBERS
    scopes = " OR ".join(f'"{_scope(letter, space)}"' for space in spaces)
    return f"scope : ({scopes}) AND "


def _matches(match: ColumnElement[str]) -> ColumnElement[Any]:
    return literal_column(SEARCH_TEXT).op("MATCH")(match)


def _rows(match: ColumnElement[str], name: str) -> CTE:
    found = select(_WORDS.c.rowid.label("id")).where(_matches(match))
    return found.cte(name).prefix_with("MATERIALIZED")


def _among(found: FromClause) -> ColumnElement[bool]:
    """Whether a row is one of these, which is asked of each row that matches.

    As a constraint of the table it would be matched once for each of these.
    """
    return literal_column(f"+{SEARCH_TEXT}.rowid").in_(select(found.c.id))


def _some(matching: CTE, wanted: CTE, name: str, *more: Any) -> CTE:
    """At most so many of the pages that match, of those that are wanted."""
    found = select(matching.c.id).where(matching.c.id.in_(select(wanted.c.id)), *more)
    return found.limit(_MOST).cte(name).prefix_with("MATERIALIZED")


def _if(condition: ColumnElement[bool], match: ColumnElement[str]) -> ColumnElement[str]:
    """A query that is asked on a condition; else nothing is looked at."""
    return case((condition, match), else_=_NOTHING)


def _number(found: FromClause) -> ColumnElement[int]:
    return select(func.count()).select_from(found).scalar_subquery()
