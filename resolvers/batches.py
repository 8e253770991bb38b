"""Makers of batch functions for the common relations: one by key, counts by parent."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Select, func, select

from resolvers.context import Batch, Context
from resolvers.policy import visible


def by_key(model: Any, key: str) -> Batch:
    """The row of `model` whose id each parent holds in its attribute `key`; None without one.

    For things that are visible with their parent (an author, an owner), so no rule applies.
    """

    async def one_by_key(ctx: Context, rows: Sequence[Any], arguments: Any) -> list[Any]:
        ids = {getattr(row, key) for row in rows} - {None}
        found = {}
        if ids:
            result = await ctx.session.execute(select(model).where(model.id.in_(ids)))
            found = {row.id: row for row in result.scalars()}
        return [found.get(getattr(row, key)) for row in rows]

    return one_by_key


def visible_by_key(model: Any, key: str) -> Batch:
    """Like `by_key` for things with access of their own: None where the caller may not see it."""

    async def visible_one_by_key(
        ctx: Context, rows: Sequence[Any], arguments: Any
    ) -> list[Any | None]:
        ids = {getattr(row, key) for row in rows} - {None}
        found = {}
        if ids:
            result = await ctx.session.execute(visible(ctx, model).where(model.id.in_(ids)))
            found = {row.id: row for row in result.scalars()}
        return [found.get(getattr(row, key)) for row in rows]

    return visible_one_by_key


async def counts(
    ctx: Context, parent: Any, statement: Select[Any], parents: Sequence[str]
) -> list[int]:
    """How many rows of `statement` each parent has."""
    grouped = (
        statement.with_only_columns(parent, func.count())
        .where(parent.in_(set(parents)))
        .group_by(parent)
    )
    found = dict((await ctx.session.execute(grouped)).all())
    return [found.get(id, 0) for id in parents]
