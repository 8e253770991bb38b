"""The statements of a paged relation, for one parent, for many, and nested in others.

One parent gets a plain statement. Many parents get theirs in one: on PostgreSQL a lateral join
reads each page from an index and stops at its end; on SQLite a correlated subquery does the same
where the rows follow a space or the list is a walk, and a window function numbers the rows
elsewhere.
"""

from collections.abc import Callable
from typing import Any, cast

from sqlalchemy import (
    ColumnElement,
    Integer,
    Select,
    and_,
    bindparam,
    func,
    inspect,
    literal_column,
    select,
    true,
)
from sqlalchemy.orm import aliased, join
from sqlalchemy.sql.expression import UnaryExpression
from sqlalchemy.sql.operators import custom_op
from sqlalchemy.sql.util import find_tables

from db.models.spaces import Space
from db.prepared import ACTOR_RANK, KEY, among, listed
from db.rows import SQLITE
from resolvers.access.policy import ranked, visible, visible_in_space
from resolvers.access.published_rows import listed_rows
from resolvers.core.filters import Filters
from resolvers.core.nesting import Nest, OuterRow, nested_columns, with_prefixed_parameters
from resolvers.core.pagination import Order, Span
from resolvers.core.statements import PERSON, ViewerKind, Written

# Parameters of every listing; filters have other names. `under` is the id of the one parent, or
# the ids of all; `parents` is always the list of them.
UNDER, PARENTS, LIMIT = "under", "parents", "limit"
_LIMIT = bindparam(LIMIT, type_=Integer())


class ListingStatements:
    """Writes the statements of one relation; the parameters are those of `Listing`."""

    def __init__(
        self,
        model: Any,
        parent: Any,
        conditions: tuple[ColumnElement[bool], ...],
        rows: Callable[[Any], Select[Any]] | None,
        follows: Any,
        key: str,
        walks: bool,
    ) -> None:
        self.model, self.follows, self._walks = model, follows, walks
        self._parent, self._conditions, self._rows, self._key = parent, conditions, rows, key
        self._columns = [getattr(model, attribute.key) for attribute in inspect(model).column_attrs]
        self._reads: dict[Any, bool] = {}

    def reads(self, model: Any) -> bool:
        """Whether the policy of the rows joins the very table of `model`.

        Nested under a row of that model, the name of the table would stand for any row of it.
        """
        reads = self._reads.get(model)
        if reads is None:
            # The text of a policy may differ by database; its tables do not.
            sources = self._visible(ViewerKind(PERSON, SQLITE), ()).get_final_froms()
            tables = {
                table for source in sources for table in find_tables(source, include_joins=False)
            }
            reads = self._reads[model] = model.__table__ in tables
        return reads

    def _visible(self, viewer: ViewerKind, filters: Filters) -> Select[Any]:
        statement = visible(viewer, self.model) if self._rows is None else self._rows(viewer)
        return self._filtered(viewer, statement, filters)

    def _filtered(
        self, viewer: ViewerKind, statement: Select[Any], filters: Filters
    ) -> Select[Any]:
        if viewer.actor.visitor is not None:
            statement = listed_rows(statement, self.model, viewer.actor.visitor)
        return statement.where(*self._conditions, *(filter.written(viewer) for filter in filters))

    def _paged(self, statement: Select[Any], order: Order, span: Span) -> Select[Any]:
        statement = statement.where(*order.within(span))
        return statement.order_by(*order.directed(span).clauses()).limit(_LIMIT)

    def one(
        self,
        viewer: ViewerKind,
        order: Order,
        filters: Filters,
        span: Span,
        nests: tuple[Nest, ...],
        with_rank: bool,
    ) -> Select[Any]:
        """A page under one parent; `with_rank` adds the viewer's rank, where it is known here."""
        if self._rows is None and with_rank:
            statement, rank = ranked(viewer, self.model)
            statement = self._filtered(viewer, statement, filters)
            statement = statement.add_columns(rank.label(ACTOR_RANK))
        else:
            statement = self._visible(viewer, filters)
        statement = statement.where(self._parent == bindparam(UNDER, type_=KEY))
        own = OuterRow(self.model, self.model.__table__, self.model)
        statement = statement.add_columns(*nested_columns(viewer, own, nests))
        return self._paged(statement, order, span)

    def count(self, viewer: ViewerKind, filters: Filters) -> Select[Any]:
        statement = self._visible(viewer, filters).where(among(self._parent, UNDER))
        rows = statement.with_only_columns(self._parent.label("listed_under")).subquery()
        return select(rows.c.listed_under, func.count()).group_by(rows.c.listed_under)

    def count_one(self, viewer: ViewerKind, filters: Filters) -> Select[Any]:
        """The number of rows under one parent, which takes half as long without groups."""
        parent = bindparam(UNDER, type_=KEY)
        statement = self._visible(viewer, filters).where(self._parent == parent)
        rows = statement.with_only_columns(self._parent.label("listed_under")).subquery()
        return select(func.count()).select_from(rows)

    def many(
        self,
        viewer: ViewerKind,
        order: Order,
        filters: Filters,
        span: Span,
        nests: tuple[Nest, ...],
    ) -> Select[Any]:
        if self.follows is not None:
            return self._following(viewer, order, filters, span, nests)
        if viewer.dialect == SQLITE:
            written = self._walked if self._walks else self._numbered
            return written(viewer, order, filters, span)
        parents = listed(UNDER, viewer.dialect)
        page = self._visible(viewer, filters).where(self._parent == parents.c.value)
        page = page.with_only_columns(*self._columns, maintain_column_froms=True)
        shown = self._paged(page, order, span).correlate(parents).lateral("shown")
        return select(*shown.c, parents.c.value.label("listed_under")).select_from(
            parents.join(shown, true())
        )

    def _numbered(
        self, viewer: ViewerKind, order: Order, filters: Filters, span: Span
    ) -> Select[Any]:
        clauses = order.directed(span).clauses()
        place = func.row_number().over(partition_by=self._parent, order_by=clauses)
        statement = self._visible(viewer, filters).where(among(self._parent, UNDER))
        statement = statement.where(*order.within(span))
        numbered = statement.with_only_columns(
            *self._columns,
            self._parent.label("listed_under"),
            place.label("place_in_page"),
            maintain_column_froms=True,
        ).subquery("numbered")
        shown = [column for column in numbered.c if column.key != "place_in_page"]
        return (
            select(*shown)
            .where(numbered.c.place_in_page <= _LIMIT)
            .order_by(numbered.c.listed_under, numbered.c.place_in_page)
        )

    def _walked(
        self, viewer: ViewerKind, order: Order, filters: Filters, span: Span
    ) -> Select[Any]:
        """A walk in order for each parent, which ends with its page; the rows are in no order."""
        parents = listed(UNDER, viewer.dialect)
        page = self._visible(viewer, filters).where(self._parent == parents.c.value)
        page = self._paged(page, order, span).correlate(parents)
        numbers: Any = page.with_only_columns(
            literal_column(f"{self.model.__tablename__}.rowid"), maintain_column_froms=True
        )
        shown = aliased(self.model, name="shown")
        number: Any = literal_column("shown.rowid")
        columns = (getattr(shown, column.key) for column in self._columns)
        return select(*columns, parents.c.value.label("listed_under")).select_from(
            join(parents, shown, number.in_(numbers))
        )

    def _following(
        self,
        viewer: ViewerKind,
        order: Order,
        filters: Filters,
        span: Span,
        nests: tuple[Nest, ...],
    ) -> Select[Any]:
        """The parents' spaces with the policy, and joined to each parent its page."""
        if self.follows is Space:
            statement: Written = select(Space).where(among(Space.id, UNDER))
            place = Space.id
        else:
            parent = aliased(self.follows, name="parent_row")
            space_id = parent.space_id
            if viewer.dialect == SQLITE:
                # Or it would begin with all parents in spaces of the organization.
                space_id = _unindexed(space_id)
            statement = select(parent).join(Space, Space.id == space_id)
            statement = statement.where(among(parent.id, UNDER))
            place = parent.id
        statement = visible_in_space(viewer, statement).with_only_columns(
            place.label("parent_id"), Space.id, maintain_column_froms=True
        )
        # Worked out first, and once for each parent: not for each row of its page.
        readable = statement.cte("readable").prefix_with("MATERIALIZED")
        page = self._filtered(viewer, select(self.model), filters)
        page = self._paged(page.where(self._parent == readable.c.parent_id), order, span)
        page = page.correlate(readable)
        under = readable.c.parent_id.label("listed_under")
        if viewer.dialect == SQLITE:
            shown = aliased(self.model, name="shown")
            table = self.model.__tablename__
            # A row is found by its number at once, by its id over an index.
            number: Any = literal_column("shown.rowid")
            numbers: Any = page.with_only_columns(literal_column(f"{table}.rowid"))
            own = OuterRow(self.model, inspect(shown).selectable, shown)
            inner = nested_columns(viewer, own, nests)
            return (
                select(*(getattr(shown, column.key) for column in self._columns), *inner, under)
                # What a row says of its space has to be what the policy has looked at. The signs
                # keep SQLite from reading all rows of the space, or all there are, for that.
                .select_from(
                    join(
                        readable,
                        shown,
                        and_(
                            number.in_(numbers),
                            _unindexed(shown.space_id) == _unindexed(readable.c.id),
                        ),
                    )
                )
                # Putting the few rows of each page in order costs less in Python.
            )
        lateral = page.with_only_columns(*self._columns).lateral("shown")
        inner = nested_columns(viewer, OuterRow(self.model, lateral, lateral.c), nests)
        return select(*lateral.c, *inner, under).select_from(
            readable.join(lateral, lateral.c.space_id == readable.c.id)
        )

    def nested(self, viewer: ViewerKind, outer: OuterRow, nest: Nest, prefix: str) -> Select[Any]:
        """The page under one row, which the policy has let through if this list follows it."""
        order, filters, follows = cast(tuple[Order, Filters, bool], nest.variant)
        if follows:
            page = select(self.model).where(*self._conditions)
            space, own = (
                outer.column("id" if outer.model is Space else "space_id"),
                self.model.space_id,
            )
            # What a row says of its space has to be what the policy has looked at.
            if self._parent is not own:
                sqlite = viewer.dialect == SQLITE
                page = page.where(_unindexed(own) == _unindexed(space) if sqlite else own == space)
        else:
            page = self._visible(viewer, ())
        conditions = (
            with_prefixed_parameters(filter.written(viewer), prefix) for filter in filters
        )
        page = page.where(self._parent == outer.column(self._key), *conditions)
        limit = bindparam(f"n{prefix}{LIMIT}", type_=Integer())
        return page.order_by(*order.clauses()).limit(limit)


def _unindexed(column: Any) -> ColumnElement[Any]:
    """The column, in a form that SQLite looks up in no index."""
    return UnaryExpression(column, operator=custom_op("+"))
