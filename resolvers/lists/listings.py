"""Paged relations: `Listing` declares one, and is its batch function."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any

from sqlalchemy import ColumnElement, Select

from db.enums import TokenScope
from db.prepared import ACTOR_RANK
from db.rows import SQLITE, values_of
from resolvers.access.model_scopes import scope_of_rows
from resolvers.core.batch_functions import ALL, BatchCall, Projection
from resolvers.core.context import Context
from resolvers.core.errors import ApiError
from resolvers.core.filters import Filters
from resolvers.core.installation import Settings
from resolvers.core.nesting import (
    NOTHING,
    Nest,
    OuterRow,
    Part,
    Relation,
    nesting_for,
    store_prefetched,
)
from resolvers.core.pagination import (
    Order,
    PageArguments,
    Slice,
    Span,
    cursor_type,
    decode_cursor,
    encode_cursor,
    fingerprint,
)
from resolvers.core.scopes import must_hold
from resolvers.core.statements import Statement, ViewerKind
from resolvers.lists.listing_statements import LIMIT, PARENTS, UNDER, ListingStatements

# The attribute of a page for which one more row is read.
PAGE_INFO = "page_info"


class Listing(Relation):
    """The rows of `model` whose column `parent` is the id of each given row, a page for each.

    `order` is the order, or chooses it by the arguments. `conditions` always hold, `filters` when
    their arguments are given. `rows` writes the statement of all rows the viewer may see, if that
    is not simply `visible`. `key` is the attribute of the parents that holds the id.
    `follows` is the model of the parents where everything under one of them is in one space: a
    space, or something with a `space_id`. There the policy looks at each parent's space once.
    `by_itself` is for statements that need the list of all parents (`PARENTS`): they are never
    nested in another one. `walks` is for lists that read many rows for one that is shown, in the
    order of an index: SQLite stops at the end of each page then. `scope` is what a token needs for
    it, if that is not the scope of the model.
    """

    looks_ahead = many = True

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
        by_itself: bool = False,
        walks: bool = False,
        scope: TokenScope | None = None,
    ) -> None:
        super().__init__(model, key, by_itself=by_itself)
        self.scope = scope or scope_of_rows(model)
        self.__doc__ = about
        self.__name__ = name
        self._order, self._filters, self._follows = order, filters, follows
        self._unordered_on_sqlite = walks or follows is not None
        self._statements = statements = ListingStatements(
            model, parent, conditions, rows, follows, key, walks
        )
        self._of_one = Statement(statements.one)
        self._of_many = Statement(statements.many, model)
        self._counts = Statement(statements.count), Statement(statements.count_one)

    async def __call__(
        self,
        ctx: Context,
        rows: Sequence[Any],
        arguments: PageArguments,
        projection: Projection = ALL,
    ) -> list[Slice[Any]]:
        """One page for each row, in one statement that selects only the columns needed."""
        if self.scope is not None:
            must_hold(ctx.actor, self.scope)
        size = arguments.size(ctx.settings)
        order, filters, values = self._choices(arguments)
        marks = _Marks(self.__name__, values, order)
        counter = _Counter(*self._counts, filters, values)
        for name, cursor in (("after", arguments.after), ("before", arguments.before)):
            if cursor is not None:
                types = [cursor_type(part.column) for part in order.columns]
                for index, value in enumerate(decode_cursor(marks.mark(), cursor, types)):
                    values[f"{name}_{index}"] = value
        ahead = _is_ahead(projection)
        values[LIMIT] = size + ahead
        span = arguments.span
        parents = values_of(rows, self.key)
        unique = list(dict.fromkeys(parents))
        rows_by_parent = self.prefetched(ctx, arguments, projection, set(unique))
        if rows_by_parent is None:
            choices = (order, filters, span)
            rows_by_parent = await self._read(ctx, unique, choices, projection, values)
        slices = []
        for parent in parents:
            page = rows_by_parent.get(parent, [])
            more = len(page) > size if ahead else None
            if more:
                page = page[:size]
            following: bool | None = more
            preceding: bool | None = span.after
            if span.backward:
                page, following, preceding = page[::-1], span.before, more
            slices.append(Slice(page, following, preceding, marks.cursor_of, counter, parent))
        return slices

    def _choices(self, arguments: Any) -> tuple[Order, Filters, dict[str, Any]]:
        """The order and the filters that the arguments choose, and the values of the filters."""
        order = self._order if isinstance(self._order, Order) else self._order(arguments)
        chosen = [
            (filter, value)
            for filter in self._filters
            if (value := filter.value(arguments)) is not None
        ]
        filters = tuple(filter for filter, _ in chosen)
        return order, filters, {filter.name: value for filter, value in chosen}

    async def _read(
        self,
        ctx: Context,
        parents: list[str],
        choices: tuple[Order, Filters, Span],
        projection: Projection,
        values: dict[str, Any],
    ) -> dict[str, list[Any]]:
        """The rows under each parent, in one statement; a backward page is read from the end."""
        order, _, span = choices
        plan = NOTHING
        if len(parents) == 1 or self._follows is not None:
            plan = nesting_for(ctx, self.model, projection, len(parents) * values[LIMIT])
        values = {**values, **plan.values, PARENTS: parents}
        options: dict[str, Any] = {
            "columns": projection.columns_with(*order.reads), "cache": plan.statements,
        }  # fmt: skip
        rows: list[Any] = []
        rows_by_parent: dict[str, list[Any]] = {}
        if len(parents) == 1:
            values[UNDER] = parents[0]
            ranked = projection.columns is not None and ACTOR_RANK in projection.columns
            rows = await self._of_one.rows(ctx, *choices, plan.nests, ranked, **options, **values)
            rows_by_parent[parents[0]] = rows
        elif parents:
            values[UNDER] = parents
            rows = await self._of_many.rows(ctx, *choices, plan.nests, **options, **values)
            # Its own column is the last one.
            for parent, page in groupby(rows, itemgetter(-1)):
                rows_by_parent.setdefault(parent, []).extend(page)
            if ctx.reader.dialect == SQLITE and self._unordered_on_sqlite:
                for page_rows in rows_by_parent.values():
                    order.directed(span).sort(page_rows)
        store_prefetched(ctx, plan, rows)
        return rows_by_parent

    # -------------------------------------------------------- under rows of others

    def plan_prefetch(
        self, settings: Settings, model: Any, call: BatchCall, *, single: bool
    ) -> Part | None:
        """The first or last page, under rows it follows, or under a single row with the policy."""
        follows = self._follows is model
        arguments, columns = call.arguments, call.projection.columns
        span: Span = arguments.span
        if columns is None or model is self.model or span.after or span.before:
            return None
        if not (follows or (single and self.key == "id")):
            return None
        if not follows and self._statements.reads(model):
            return None
        try:
            size = arguments.size(settings) + _is_ahead(call.projection)
        except ApiError:
            # The call of the list will raise it.
            return None
        order, filters, values = self._choices(arguments)
        return Part(
            (order.directed(span), filters, follows),
            size,
            {**values, LIMIT: size},
            columns | order.reads,
        )

    def nested(self, viewer: ViewerKind, outer: OuterRow, nest: Nest, prefix: str) -> Select[Any]:
        """The page under one row."""
        return self._statements.nested(viewer, outer, nest, prefix)


def _is_ahead(projection: Projection) -> bool:
    """Whether one row more is read for `page_info`, which tells whether more follow."""
    wrapper_columns = projection.wrapper_columns
    return wrapper_columns is None or PAGE_INFO in wrapper_columns


class _Marks:
    """The cursors of one list, computed when they are selected."""

    def __init__(self, name: str, values: dict[str, Any], order: Order) -> None:
        self._name, self._values, self._order = name, dict(values), order
        self._mark: str | None = None

    def mark(self) -> str:
        """The fingerprint of the list's name, filters and order."""
        if self._mark is None:
            order = self._order.mark
            self._mark = fingerprint(self._name, sorted(self._values.items()), list(order))
        return self._mark

    def cursor_of(self, row: Any) -> str:
        """The cursor of a row."""
        return encode_cursor(self.mark(), self._order.values(row))


@dataclass(frozen=True, slots=True)
class _Counter:
    of_many: Statement
    of_one: Statement
    filters: Filters
    values: dict[str, Any]

    async def counts(self, ctx: Context, parents: Sequence[str]) -> list[int]:
        ids = list(dict.fromkeys(parents))
        values = {**self.values, PARENTS: ids}
        if len(ids) == 1:
            values[UNDER] = ids[0]
            ((count,),) = await self.of_one.rows(ctx, self.filters, **values)
            return [count] * len(parents)
        values[UNDER] = ids
        counts = dict(await self.of_many.rows(ctx, self.filters, **values))
        return [counts.get(parent, 0) for parent in parents]
