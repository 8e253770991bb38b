"""Paged relations: `Listing` declares one, and is its batch function."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any

from sqlalchemy import ColumnElement, Select

from db.prepared import ACTOR_RANK
from db.rows import SQLITE, values_of
from resolvers.core.context import Context
from resolvers.core.errors import ApiError
from resolvers.core.filters import Filters
from resolvers.core.installation import Settings
from resolvers.core.nesting import Nest, Nesting, Part, nesting_for, prefetched, store_prefetched
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
from resolvers.core.statements import Columns, Statement
from resolvers.lists.listing_statements import LIMIT, PARENTS, UNDER, ListingStatements

# The attribute of a page for which one more row is read.
PAGE_INFO = "page_info"


class Listing:
    """The rows of `model` whose column `parent` is the id of each given row, a page for each.

    `order` is the order, or chooses it by the arguments. `conditions` always hold, `filters` when
    their arguments are given. `rows` writes the statement of all rows the viewer may see, if that
    is not simply `visible`. `key` is the attribute of the parents that holds the id.
    `follows` is the model of the parents where everything under one of them is in one space: a
    space, or something with a `space_id`. There the policy looks at each parent's space once.
    `by_itself` is for statements that need the list of all parents (`PARENTS`): they are never
    nested in another one.
    """

    takes_columns = looks_ahead = True

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
    ) -> None:
        self.__doc__ = about
        self.__name__ = name
        self.model, self._order, self._filters = model, order, filters
        self._follows, self._key = follows, key
        self.prefetchable = not by_itself
        self.reads = frozenset({key})
        self._statements = statements = ListingStatements(
            model, parent, conditions, rows, follows, key
        )
        self._of_one = Statement(statements.one)
        self._of_many = Statement(statements.many, model)
        self._counts = Statement(statements.count), Statement(statements.count_one)
        self.nested = statements.nested

    async def __call__(
        self,
        ctx: Context,
        rows: Sequence[Any],
        arguments: PageArguments,
        columns: Columns = None,
    ) -> list[Slice[Any]]:
        """One page for each row, in one statement that selects only `columns`."""
        size = arguments.size(ctx.settings)
        order, filters, values = self._choices(arguments)
        marks = _Marks(self.__name__, values, order)
        counter = _Counter(*self._counts, filters, values)
        for name, cursor in (("after", arguments.after), ("before", arguments.before)):
            if cursor is not None:
                types = [cursor_type(part.column) for part in order.columns]
                for index, value in enumerate(decode_cursor(marks.mark(), cursor, types)):
                    values[f"{name}_{index}"] = value
        ahead = _is_ahead(columns)
        values[LIMIT] = size + ahead
        span = arguments.span
        parents = values_of(rows, self._key)
        unique = list(dict.fromkeys(parents))
        rows_by_parent = prefetched(ctx, self, arguments, columns, set(unique))
        if rows_by_parent is None:
            choices = (order, filters, span)
            rows_by_parent = await self._read(ctx, unique, choices, columns, values)
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
        given = [
            (filter, value)
            for filter in self._filters
            if (value := filter.value(arguments)) is not None
        ]
        filters = tuple(filter for filter, _ in given)
        return order, filters, {filter.name: value for filter, value in given}

    async def _read(
        self,
        ctx: Context,
        parents: list[str],
        choices: tuple[Order, Filters, Span],
        columns: Columns,
        values: dict[str, Any],
    ) -> dict[str, list[Any]]:
        """The rows under each parent, in one statement; a backward page is read from the end."""
        order, _, span = choices
        selected = None if columns is None else frozenset(columns | order.reads)
        nested = self._nesting(ctx, len(parents), columns, values[LIMIT])
        nests: tuple[Nest, ...] = ()
        options: dict[str, Any] = {"columns": selected}
        if nested is not None:
            nests, values = nested.nests, values | nested.values
            options["cache"] = nested.shape.statements
        values[PARENTS] = parents
        rows_by_parent: dict[str, list[Any]] = {}
        if len(parents) == 1:
            values[UNDER] = parents[0]
            ranked = columns is not None and ACTOR_RANK in columns
            rows = await self._of_one.rows(ctx, *choices, nests, ranked, **options, **values)
            rows_by_parent[parents[0]] = rows
        elif parents:
            values[UNDER] = parents
            rows = await self._of_many.rows(ctx, *choices, nests, **options, **values)
            # Its own column is the last one.
            for parent, page in groupby(rows, itemgetter(-1)):
                rows_by_parent.setdefault(parent, []).extend(page)
            if ctx.reader.dialect == SQLITE and self._follows is not None:
                for page_rows in rows_by_parent.values():
                    order.directed(span).sort(page_rows)
        else:
            rows = []
        store_prefetched(ctx, nested, rows)
        return rows_by_parent

    def _nesting(self, ctx: Context, parents: int, columns: Columns, limit: int) -> Nesting | None:
        if not (parents == 1 or self._follows is not None):
            return None
        return nesting_for(ctx, self.model, columns, parents * limit)

    # -------------------------------------------------------- under rows of others

    def plan_prefetch(
        self,
        settings: Settings,
        model: Any,
        arguments: PageArguments,
        columns: Columns,
        *,
        single: bool,
    ) -> Part | None:
        """The first or last page, under rows it follows, or under a single row with the policy."""
        follows = self._follows is model
        span = arguments.span
        if columns is None or model is self.model or span.after or span.before:
            return None
        if not (follows or (single and self._key == "id")):
            return None
        if not follows and self._statements.reads(model):
            return None
        try:
            size = arguments.size(settings) + _is_ahead(columns)
        except ApiError:
            # The call of the list will raise it.
            return None
        order, filters, values = self._choices(arguments)
        return Part(
            (order.directed(span), filters, follows),
            size,
            {**values, LIMIT: size},
            frozenset(columns | order.reads),
        )

    def parent(self, row: Any) -> str:
        """The id in a parent."""
        key: str = getattr(row, self._key)
        return key


def _is_ahead(columns: Columns) -> bool:
    """Whether one row more is read, which tells whether more follow: only for `page_info`."""
    wrapper_columns = getattr(columns, "wrapper_columns", None)
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
