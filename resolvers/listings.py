"""Paged relations: `Listing` declares one, and is its batch function.

One parent gets a plain statement. Many parents get theirs in one: on PostgreSQL a lateral join
reads each page from an index and stops at its end; on SQLite a correlated subquery does the same
where the rows follow a space, and a window function numbers the rows elsewhere.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Integer,
    Select,
    String,
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

from db.models.spaces import Space
from db.prepared import KEY, among, listed
from db.rows import SQLITE
from resolvers.context import Context
from resolvers.pagination import (
    Order,
    PageArguments,
    Slice,
    cursor_type,
    decode_cursor,
    encode_cursor,
    fingerprint,
)
from resolvers.policy import visible, visible_in_space
from resolvers.statements import Asker, Columns, Statement, Written

# Parameters of every listing; filters have other names. `under` is the id of the one parent, or
# the ids of all; `parents` is always the list of them.
UNDER, PARENTS, LIMIT = "under", "parents", "limit"
# The attribute of a page that tells whether more rows follow.
PAGE_INFO = "page_info"
_LIMIT = bindparam(LIMIT, type_=Integer())


@dataclass(frozen=True, slots=True, eq=False)
class Filter:
    """A condition with one parameter, `name`, that holds when `value` of the arguments is given."""

    name: str
    # None = the list is not filtered by this.
    value: Callable[[Any], Hashable]
    # Written for whoever asks, where the policy is part of it.
    condition: ColumnElement[bool] | Callable[[Asker], ColumnElement[bool]]

    def written(self, asks: Asker) -> ColumnElement[bool]:
        """The condition for whoever asks."""
        condition = self.condition
        return condition if isinstance(condition, ColumnElement) else condition(asks)


def containing(column: Any, name: str) -> ColumnElement[bool]:
    """Texts with the part that the parameter `name` holds (see `part_of`), whatever capitals."""
    return func.lower(column).like(bindparam(name, type_=String()), escape="/")


def part_of(text: str | None) -> str | None:
    """The value for `containing`; None for an empty or absent text."""
    if not text:
        return None
    escaped = text.lower().replace("/", "//").replace("%", "/%").replace("_", "/_")
    return f"%{escaped}%"


Filters = tuple[Filter, ...]


class Listing:
    """The rows of `model` whose column `parent` is the id of each given row, a page for each.

    `order` is the order, or chooses it by the arguments. `conditions` always hold, `filters` when
    they are asked for. `rows` writes the statement of all rows the caller may see, if that is not
    simply `visible`. `key` is the attribute of the parents that holds the id.
    `follows` is the model of the parents where everything under one of them is in one space: a
    space, or something with a `space_id`. There the policy looks at each parent's space once.
    """

    narrows = True

    def __init__(
        self,
        name: str,
        model: Any,
        parent: Any,
        order: Order | Callable[[Any], Order],
        *conditions: ColumnElement[bool],
        about: str,
        filters: Filters = (),
        rows: Callable[[Any], Select[Any]] | None = None,
        follows: Any = None,
        key: str = "id",
    ) -> None:
        self.__doc__ = about
        self.__name__ = name
        self._model, self._parent, self._order = model, parent, order
        self._conditions, self._filters = conditions, filters
        self._rows, self._follows, self._key = rows, follows, key
        self._columns = [getattr(model, one.key) for one in inspect(model).column_attrs]
        self.reads = frozenset({key})
        self._of_one = Statement(self._write_one)
        self._of_many = Statement(self._write_many, model)
        self._count = Statement(self._write_count)

    async def __call__(
        self,
        ctx: Context,
        rows: Sequence[Any],
        arguments: PageArguments,
        columns: Columns = None,
    ) -> list[Slice[Any]]:
        """One page for each row, in one statement; of the rows in them only `columns`."""
        size = arguments.size(ctx)
        order = self._order if isinstance(self._order, Order) else self._order(arguments)
        given = [
            (one, value) for one in self._filters if (value := one.value(arguments)) is not None
        ]
        filters = tuple(one for one, _ in given)
        values: dict[str, Any] = {one.name: value for one, value in given}
        marks = _Marks(self.__name__, values, order)
        counter = _Counter(self._count, filters, values)
        if arguments.after is not None:
            types = [cursor_type(part.column) for part in order.columns]
            for index, value in enumerate(decode_cursor(marks.mark(), arguments.after, types)):
                values[f"after_{index}"] = value
        # One row more tells whether there is one, if anybody asks for that.
        beside = getattr(columns, "beside", None)
        ahead = beside is None or PAGE_INFO in beside
        values[LIMIT] = size + ahead
        after = arguments.after is not None
        parents = [getattr(row, self._key) for row in rows]
        unique = list(dict.fromkeys(parents))
        values[PARENTS] = unique
        found: dict[str, list[Any]] = {}
        wanted = None if columns is None else columns | order.reads
        if len(unique) == 1:
            values[UNDER] = unique[0]
            found[unique[0]] = await self._of_one.rows(
                ctx, order, filters, after, columns=wanted, **values
            )
        elif unique:
            values[UNDER] = unique
            some = await self._of_many.rows(ctx, order, filters, after, columns=wanted, **values)
            # Its own column is the last one.
            for parent, page in groupby(some, itemgetter(-1)):
                found.setdefault(parent, []).extend(page)
            if ctx.reader.dialect == SQLITE and self._follows is not None:
                for under in found.values():
                    order.sort(under)
        slices = []
        for parent in parents:
            under = found.get(parent, [])
            more = len(under) > size if ahead else None
            shown = under[:size] if more else under
            slices.append(Slice(shown, more, after, marks.cursor_of, counter, parent))
        return slices

    # -------------------------------------------------------------- statements

    def _visible(self, asks: Asker, filters: Filters) -> Select[Any]:
        statement = visible(asks, self._model) if self._rows is None else self._rows(asks)
        return self._filtered(asks, statement, filters)

    def _filtered(self, asks: Asker, statement: Select[Any], filters: Filters) -> Select[Any]:
        return statement.where(*self._conditions, *(one.written(asks) for one in filters))

    def _paged(self, statement: Select[Any], order: Order, after: bool) -> Select[Any]:
        if after:
            statement = statement.where(order.after_parameters())
        return statement.order_by(*order.clauses()).limit(_LIMIT)

    def _write_one(self, asks: Asker, order: Order, filters: Filters, after: bool) -> Select[Any]:
        statement = self._visible(asks, filters)
        statement = statement.where(self._parent == bindparam(UNDER, type_=KEY))
        return self._paged(statement, order, after)

    def _write_count(self, asks: Asker, filters: Filters) -> Select[Any]:
        statement = self._visible(asks, filters).where(among(self._parent, UNDER))
        rows = statement.with_only_columns(self._parent.label("listed_under")).subquery()
        return select(rows.c.listed_under, func.count()).group_by(rows.c.listed_under)

    def _write_many(self, asks: Asker, order: Order, filters: Filters, after: bool) -> Select[Any]:
        if self._follows is not None:
            return self._write_following(asks, order, filters, after)
        if asks.dialect == SQLITE:
            return self._write_numbered(asks, order, filters, after)
        parents = listed(UNDER, asks.dialect)
        page = self._visible(asks, filters).where(self._parent == parents.c.value)
        page = page.with_only_columns(*self._columns, maintain_column_froms=True)
        shown = self._paged(page, order, after).correlate(parents).lateral("shown")
        return select(*shown.c, parents.c.value.label("listed_under")).select_from(
            parents.join(shown, true())
        )

    def _write_numbered(
        self, asks: Asker, order: Order, filters: Filters, after: bool
    ) -> Select[Any]:
        place = func.row_number().over(partition_by=self._parent, order_by=order.clauses())
        statement = self._visible(asks, filters).where(among(self._parent, UNDER))
        if after:
            statement = statement.where(order.after_parameters())
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

    def _write_following(
        self, asks: Asker, order: Order, filters: Filters, after: bool
    ) -> Select[Any]:
        """The parents' spaces with the policy, and joined to each parent its page."""
        if self._follows is Space:
            statement: Written = select(Space).where(among(Space.id, UNDER))
            place = Space.id
        else:
            parent = aliased(self._follows, name="parent_row")
            space_id = parent.space_id
            if asks.dialect == SQLITE:
                # Or it would begin with all parents in spaces of the organization.
                space_id = _unindexed(space_id)
            statement = select(parent).join(Space, Space.id == space_id)
            statement = statement.where(among(parent.id, UNDER))
            place = parent.id
        statement = visible_in_space(asks, statement).with_only_columns(
            place.label("parent_id"), Space.id, maintain_column_froms=True
        )
        # Worked out first, and once for each parent: not for each row of its page.
        readable = statement.cte("readable").prefix_with("MATERIALIZED")
        page = self._filtered(asks, select(self._model), filters)
        page = self._paged(page.where(self._parent == readable.c.parent_id), order, after)
        page = page.correlate(readable)
        under = readable.c.parent_id.label("listed_under")
        if asks.dialect == SQLITE:
            shown = aliased(self._model, name="shown")
            table = self._model.__tablename__
            # A row is found by its number at once, by its id over an index.
            number: Any = literal_column("shown.rowid")
            numbers: Any = page.with_only_columns(literal_column(f"{table}.rowid"))
            return (
                select(*(getattr(shown, column.key) for column in self._columns), under)
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
        return select(*lateral.c, under).select_from(
            readable.join(lateral, lateral.c.space_id == readable.c.id)
        )


def _unindexed(column: Any) -> ColumnElement[Any]:
    """The column, in a form that SQLite looks up in no index."""
    return UnaryExpression(column, operator=custom_op("+"))


class _Marks:
    """The cursors of one list: made when somebody asks."""

    def __init__(self, name: str, values: dict[str, Any], order: Order) -> None:
        self._name, self._values, self._order = name, dict(values), order
        self._mark: str | None = None

    def mark(self) -> str:
        """The fingerprint of the list's name, filters and order."""
        if self._mark is None:
            order = [(str(part.column), part.descending) for part in self._order.columns]
            self._mark = fingerprint(self._name, sorted(self._values.items()), order)
        return self._mark

    def cursor_of(self, row: Any) -> str:
        """The cursor of a row."""
        return encode_cursor(self.mark(), self._order.values(row))


@dataclass(frozen=True, slots=True)
class _Counter:
    statement: Statement
    filters: Filters
    values: dict[str, Any]

    async def counts(self, ctx: Context, parents: Sequence[str]) -> list[int]:
        ids = list(dict.fromkeys(parents))
        values = {**self.values, UNDER: ids, PARENTS: ids}
        found = dict(await self.statement.rows(ctx, self.filters, **values))
        return [found.get(parent, 0) for parent in parents]
