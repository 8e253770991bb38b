"""Batch functions for the common relations: one by key, counts by parent.

A batch function declares which attributes of its parents it reads (`reads`), and whether it reads
anything else (`computed_from`).
"""

import inspect
from collections.abc import Awaitable, Callable, Sequence
from functools import update_wrapper
from typing import Any, Generic, ParamSpec, TypeVar

from sqlalchemy import ColumnElement, Select, func, select

from db.enums import Role, TokenScope
from db.prepared import among
from db.rows import values_of
from resolvers.access.model_scopes import scope_of_rows
from resolvers.access.policy import refusals, visible
from resolvers.access.published_rows import listed_rows
from resolvers.core.batch_functions import ALL, BatchCall, BatchFunction, Projection
from resolvers.core.context import Context
from resolvers.core.errors import ApiError, Forbidden
from resolvers.core.installation import Settings
from resolvers.core.nesting import Nest, OuterRow, Part, Relation
from resolvers.core.scopes import must_hold
from resolvers.core.statements import Statement, Viewer, ViewerKind

P = ParamSpec("P")
T = TypeVar("T")
Function = Callable[P, Awaitable[T]]
ID = frozenset({"id"})


class DeclaredFunction(BatchFunction, Generic[P, T]):
    """A function with what it declares as a batch function; it is called as it was written."""

    def __init__(
        self,
        function: Function[P, T],
        reads: Sequence[str] | None,
        *,
        computes: bool,
        scope: TokenScope | None = None,
    ) -> None:
        update_wrapper(self, function)
        self.scope = scope
        self._function = function
        self.reads = None if reads is None else frozenset(reads)
        self.computes = computes
        self.takes_projection = "projection" in inspect.signature(function).parameters

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> Awaitable[T]:
        """Call the function."""
        if self.scope is not None:
            # The context comes first.
            must_hold(args[0].actor, self.scope)  # type: ignore[attr-defined]
        return self._function(*args, **kwargs)


def reads(
    *attributes: str, scope: TokenScope | None = None
) -> Callable[[Function[P, T]], DeclaredFunction[P, T]]:
    """Declare which attributes of its parents a batch function reads: `@reads("id", "title")`.

    One with the parameter `projection` fetches no more of its rows than that says. A `scope` is
    what a token needs for its values, where they are no part of the parents.
    """
    return lambda function: DeclaredFunction(function, attributes, computes=False, scope=scope)


def needs(scope: TokenScope) -> Callable[[Function[P, T]], DeclaredFunction[P, T]]:
    """Declare what a token needs for the values of a batch function, and nothing else of it."""
    return lambda function: DeclaredFunction(function, None, computes=False, scope=scope)


def computed_from(
    *attributes: str, scope: TokenScope | None = None
) -> Callable[[Function[P, T]], DeclaredFunction[P, T]]:
    """Declare a batch function whose values are computed from these attributes of its parents.

    Only exceptionally does it run a statement, as for a text that names other things. So it does
    not keep a query from being one statement. `scope` is that of `reads`.
    """
    return lambda function: DeclaredFunction(function, attributes, computes=True, scope=scope)


class ByKey(Relation):
    """The row of `model` whose id each parent holds in its attribute `key`; None without one."""

    many = False

    def __init__(
        self,
        model: Any,
        key: str,
        rows: Callable[[Viewer], Select[Any]],
        *conditions: ColumnElement[bool],
        by_itself: bool,
        required: bool = False,
        stand_in: Callable[[], Any] | None = None,
    ) -> None:
        """Rows for which the conditions do not hold count as absent. With `by_itself` a rule of the
        policy applies, so that rows are never prefetched. With `required` people always see the
        row; visitors get Forbidden where they do not, or the result of `stand_in`.
        """
        super().__init__(model, key, by_itself=by_itself)
        self.__name__ = f"{model.__name__}_by_{key}"
        self.scope = scope_of_rows(model)
        self._required = required
        self._stand_in = stand_in

        def write(viewer: Viewer) -> Select[Any]:
            # To visitors of a site a row is not visible because a related one is.
            select = rows(viewer) if viewer.actor.visitor is None else visible(viewer, model)
            return select.where(among(model.id, "ids"), *conditions)

        self._statement = Statement(write)

    async def __call__(
        self, ctx: Context, rows: Sequence[Any], arguments: Any, projection: Projection = ALL
    ) -> list[Any]:
        """One row or None for each parent, in one statement."""
        if self.scope is not None:
            must_hold(ctx.actor, self.scope)
        keys = values_of(rows, self.key)
        ids = set(keys)
        ids.discard(None)
        if not ids:
            return [None] * len(keys)
        row_by_id = self.prefetched(ctx, arguments, projection, ids)
        if row_by_id is not None:
            return list(map(row_by_id.get, keys))
        columns = projection.columns_with("id")
        visible_rows = await self._statement.rows(ctx, columns=columns, ids=ids)
        row_by_id = dict(zip(values_of(visible_rows, "id"), visible_rows, strict=True))
        if self._required and ctx.actor.visitor is not None:
            hidden: Any = Forbidden("visitors of a site may not see this")
            if self._stand_in is not None:
                hidden = self._stand_in()
            return [row_by_id.get(key, hidden) for key in keys]
        return list(map(row_by_id.get, keys))

    def plan_prefetch(
        self, settings: Settings, model: Any, call: BatchCall, *, single: bool
    ) -> Part | None:
        """One row or none, found by its key, unless it is of the parent's own table."""
        columns = call.projection.columns
        if columns is None or model is self.model:
            return None
        return Part((), 1, {}, columns | ID)

    def nested(self, viewer: ViewerKind, outer: OuterRow, nest: Nest, prefix: str) -> Select[Any]:
        """The row that the parent's key names."""
        return select(self.model).where(self.model.id == outer.column(self.key))


def by_key(
    model: Any, key: str, *, required: bool = False, stand_in: Callable[[], Any] | None = None
) -> ByKey:
    """For things that are visible with their parent (an author, an owner), so no rule applies."""
    return ByKey(
        model, key, lambda viewer: select(model), by_itself=False, required=required,
        stand_in=stand_in,
    )  # fmt: skip


def visible_by_key(model: Any, key: str, *conditions: ColumnElement[bool]) -> ByKey:
    """For things with access of their own: None where the caller may not see it."""
    return ByKey(model, key, lambda viewer: visible(viewer, model), *conditions, by_itself=True)


def visible_in(column: Any, name: str, *conditions: ColumnElement[bool]) -> Statement:
    """Reads the rows that the actor may read whose `column` is in the list parameter `name`."""
    return Statement(
        lambda viewer: visible(viewer, column.class_).where(among(column, name), *conditions)
    )


def _counted(viewer: Viewer, parent: Any, *columns: Any) -> Select[Any]:
    """What is counted: all rows, but for visitors of a site those that stand in their lists."""
    visitor, model = viewer.actor.visitor, parent.class_
    if visitor is None:
        return select(*columns)
    return listed_rows(visible(viewer, model), model, visitor).with_only_columns(*columns)


class CountBy:
    """Numbers of rows with each parent's id in the column `parent`, by their value of `by`.

    One statement serves all counts of a level: `whole` and `only` make batch functions of it.
    """

    def __init__(self, parent: Any, by: Any) -> None:
        self._parent = parent

        def write(viewer: Viewer) -> Select[Any]:
            under, value = parent.label("counted_under"), by.label("value")
            return (
                _counted(viewer, parent, under, value, func.count().label("rows"))
                .where(among(parent, "ids"))
                .group_by(parent, by)
            )

        self._statement = Statement(write)

    def whole(self, about: str) -> Callable[..., Any]:
        """The number of all rows, whatever their value."""
        return self._batch(about, lambda counts: counts.whole, "count")

    def only(self, value: Any, about: str) -> Callable[..., Any]:
        """The number of rows with this value."""
        none: dict[str, int] = {}
        name = f"count_{value.value}"
        return self._batch(about, lambda counts: counts.by_value.get(value, none), name)

    def _batch(
        self, about: str, chosen: Callable[["_Counts"], dict[str, int]], name: str
    ) -> Callable[..., Any]:
        @reads("id")
        async def count(ctx: Context, rows: Sequence[Any], arguments: Any) -> list[int]:
            ids = values_of(rows, "id")
            counts = chosen(await self._statement.once(ctx, _Counts, ids=ids))
            return [counts.get(id, 0) for id in ids]

        count.__doc__, count.__name__ = about, f"{name}_by_{self._parent.key}"
        return count


class _Counts:
    """The numbers of rows by parent: of all of them, and of those with each value."""

    def __init__(self, rows: Sequence[Any]) -> None:
        self.whole: dict[str, int] = {}
        self.by_value: dict[Any, dict[str, int]] = {}
        # Each value of the driver is converted to Python once.
        by_raw: dict[Any, dict[str, int]] = {}
        for row in rows:
            parent, raw, number = row
            self.whole[parent] = self.whole.get(parent, 0) + number
            under = by_raw.get(raw)
            if under is None:
                under = by_raw[raw] = self.by_value[row.value] = {}
            under[parent] = number


class Count(BatchFunction):
    """The number of rows with each parent's id in the column `parent` that meet the conditions."""

    reads = ID

    def __init__(self, about: str, parent: Any, *conditions: ColumnElement[bool]) -> None:
        self.__doc__ = about
        self.__name__ = f"count_by_{parent.key}"

        def write(viewer: Viewer) -> Select[Any]:
            return (
                _counted(viewer, parent, parent, func.count())
                .where(among(parent, "ids"), *conditions)
                .group_by(parent)
            )

        self._statement = Statement(write)

    async def __call__(self, ctx: Context, rows: Sequence[Any], arguments: Any) -> list[int]:
        """The numbers, in one statement."""
        ids = values_of(rows, "id")
        counts = dict(await self._statement.rows(ctx, ids=set(ids)))
        return [counts.get(id, 0) for id in ids]


async def for_role(
    ctx: Context,
    model: type[Any],
    rows: Sequence[Any],
    role: Role,
    answers: Callable[[Sequence[Any]], Awaitable[Sequence[T]]],
) -> list[T | ApiError]:
    """What `answers` gives for the rows where the caller has a role; refusals of the others."""
    errors = await refusals(ctx, model, rows, role)
    allowed = [row for row, error in zip(rows, errors, strict=True) if error is None]
    answered = iter(await answers(allowed) if allowed else ())
    return [error or next(answered) for error in errors]
