"""Search on SQLite: an FTS5 table whose rows are indexed pages, ranked by BM25.

The words come folded, one blank apart, so its tokenizer has nothing to do. The column `scope`
holds the space, so that a search in one space does not look at the pages of others, once for each
kind of reader: visitors do not look at what is for people of the organization.
"""

from collections.abc import Iterable, Sequence
from typing import Any

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
_TITLES, _HEADS, _AMONG_TITLES, _AMONG_HEADS = (
    bindparam(name, type_=String()) for name in ("titles", "heads", "among_titles", "among_heads")
)
_MOST, _ENOUGH = bindparam("most", type_=Integer()), bindparam("enough", type_=Integer()) == 1
# The smaller, the better. The space itself does not count.
_WEIGHTS = ", ".join(map(str, (0.0, *WEIGHTS)))
_SCORE: ColumnElement[Any] = literal_column(f"bm25({SEARCH_TEXT}, {_WEIGHTS})")


class SqliteSearch:
    """The engine of search on SQLite."""

    def values(
        self, asks: Asks, terms: Sequence[Term], spaces: Sequence[str], *, every: bool
    ) -> dict[str, Any]:
        """Queries of FTS5. Words hold letters and digits only, and stand in quotes."""
        joined = (" AND " if every else " OR ").join(map(_term, terms))
        some = " OR ".join(map(_term, terms))
        scope = _scoped(asks, spaces)
        words = f"{scope}({joined})"
        titles = f"{scope}title : ({some})"
        heads = f"{scope}{{headings description}} : ({some})"
        # Where one term is enough, a page with it in the title has all that is asked for.
        enough = not every or len(terms) == 1
        return {
            "match": words,
            "titles": _NO_PAGE if enough else titles,
            "heads": _NO_PAGE if enough else heads,
            "among_titles": titles if enough else words,
            "among_heads": heads if enough else words,
            "enough": int(enough),
            "most": most_ranked(terms),
        }

    def best_pages(self, searched: Searched) -> Written:
        """The pages of one space in order.

        All that match are ranked if they are not too many. Else those are that have a term in
        their title; only if these are fewer than can be listed those with one in a heading or the
        description, and only then some of the others.
        """
        ranked = self._candidates(searched, _number_of_matches())
        return (
            select(IndexedPage.space_id, IndexedPage.page_id)
            .join(ranked, ranked.c.id == IndexedPage.id)
            .order_by(ranked.c.part, ranked.c.score, ranked.c.id)
            .limit(LIMIT)
            .offset(OFFSET)
        )

    def best_pages_of_each(self, searched: Searched) -> Written:
        """The first pages of each space, by the same rules."""
        matching = self._all(searched)
        ranked = self._candidates(searched, _number(matching))
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
        """The spaces by their best pages."""
        spaces = self._found(searched, IndexedPage.space_id).distinct().subquery()
        ranked = self._candidates(searched, _number_of_matches())
        # One number for the part and the score in it, which is far from a million.
        best = (
            select(
                IndexedPage.space_id,
                func.min(ranked.c.part * 1_000_000 + ranked.c.score).label("score"),
            )
            .join(ranked, ranked.c.id == IndexedPage.id)
            .group_by(IndexedPage.space_id)
            .subquery()
        )
        return (
            select(spaces.c.space_id, func.count().over().label("found"))
            .outerjoin(best, best.c.space_id == spaces.c.space_id)
            .order_by(best.c.score.asc().nulls_last(), spaces.c.space_id)
            .limit(LIMIT)
            .offset(OFFSET)
        )

    def count_of_spaces(self, searched: Searched) -> Written:
        """How many spaces have pages that match."""
        found = self._found(searched, IndexedPage.space_id).distinct().subquery()
        return select(func.count().label("found")).select_from(found)

    def _all(self, searched: Searched) -> CTE:
        """All rows that match, without their scores."""
        found = self._found(searched, IndexedPage.id, IndexedPage.space_id)
        return found.cte("matching").prefix_with("MATERIALIZED")

    def _candidates(self, searched: Searched, number: ColumnElement[int]) -> Any:
        """The rows that are ranked, with the `part` of the list where they stand and their score.

        BM25 is worked out where the table is matched, and nowhere else; it is what takes time.
        """
        many = number > _MOST
        with_title = _rows(case((many, _TITLES), else_=_NOTHING), "with_title")
        titles = self._some(
            searched,
            case((many, _AMONG_TITLES), else_=_NOTHING),
            "titles",
            _ENOUGH | _among(with_title),
        )
        lacking = many & (_number(titles) < PAGE_LIMIT)
        with_head = _rows(case((lacking, _HEADS), else_=_NOTHING), "with_head")
        heads = self._some(
            searched, case((lacking, _AMONG_HEADS), else_=_NOTHING), "heads",
            _ENOUGH | _among(with_head), not_(_among(titles)),
        )  # fmt: skip
        lacking = many & (_number(titles) + _number(heads) < PAGE_LIMIT)
        rest = self._some(
            searched, case((lacking, MATCH), else_=_NOTHING), "rest",
            not_(_among(titles)), not_(_among(heads)),
        )  # fmt: skip
        chosen = (
            union_all(*(select(part.c.id) for part in (titles, heads, rest)))
            .cte("chosen")
            .prefix_with("MATERIALIZED")
        )
        last = select(func.max(chosen.c.id)).scalar_subquery()
        part = case((_among(titles), 0), (_among(heads), 1), else_=2).label("part")
        scores = (
            select(_WORDS.c.rowid.label("id"), part, _SCORE.label("score"))
            .where(
                _matches(case((many, MATCH), else_=_NOTHING)),
                _WORDS.c.rowid <= last,
                _among(chosen),
            )
            .cte("scores")
            .prefix_with("MATERIALIZED")
        )
        few = case((~many & (number > 0), MATCH), else_=_NOTHING)
        whole = self._found(
            searched, IndexedPage.id, literal_column("0").label("part"), _SCORE.label("score"),
            match=few,
        ).cte("whole").prefix_with("MATERIALIZED")  # fmt: skip
        return union_all(select(*scores.c), select(*whole.c)).subquery()

    def _some(self, searched: Searched, match: ColumnElement[str], name: str, *more: Any) -> CTE:
        """At most so many pages that match."""
        found = self._found(searched, IndexedPage.id, match=match).where(*more)
        return found.limit(_MOST).cte(name).prefix_with("MATERIALIZED")

    def _found(
        self, searched: Searched, *columns: Any, match: ColumnElement[str] = MATCH
    ) -> Written:
        found = (
            select(*columns)
            .select_from(_WORDS.join(IndexedPage, IndexedPage.id == _WORDS.c.rowid))
            .where(
                _matches(match),
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


def _number_of_matches() -> ColumnElement[int]:
    """How many rows match, as far as it matters."""
    matching = select(_WORDS.c.rowid).where(_matches(MATCH)).limit(_MOST + 1).subquery()
    number = select(func.count().label("number")).select_from(matching)
    known = number.cte("known").prefix_with("MATERIALIZED")
    return select(known.c.number).scalar_subquery()


def _number(found: FromClause) -> ColumnElement[int]:
    return select(func.count()).select_from(found).scalar_subquery()
