"""Numbers of rows of lists that may have millions of them: they are counted up to a bound."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Integer, Select, bindparam, func, select

from db.prepared import among
from resolvers.core.context import Context
from resolvers.core.filters import Filters
from resolvers.core.statements import Statement, ViewerKind, Written
from resolvers.lists.listing_statements import PARENTS

# A list of millions is not counted to its end.
MOST_COUNTED = 10_000
_MOST = "most_counted"


class BoundedCount:
    """Counts the rows of each parent, at most MOST_COUNTED, in one statement.

    `parent` is a column of a table that has a row for each parent; `rows` selects the rows of the
    parent that this column names in an outer query.
    """

    def __init__(self, parent: Any, rows: Callable[[ViewerKind], Select[Any]]) -> None:
        def count(viewer: ViewerKind, filters: Filters) -> Written:
            some = (
                rows(viewer)
                .where(*(filter.written(viewer) for filter in filters))
                .limit(bindparam(_MOST, type_=Integer()))
                .correlate(parent.class_)
                .subquery()
            )
            counted = (
                select(func.count()).select_from(some).correlate(parent.class_).scalar_subquery()
            )
            return select(parent, counted).where(among(parent, PARENTS))

        self._statement = Statement(count)

    def counter(self, filters: Filters, arguments: Any) -> "_Counter":
        """What `Slice.counter` is for rows that were chosen by these arguments."""
        used = tuple(filter for filter in filters if filter.value(arguments) is not None)
        values = {filter.name: filter.value(arguments) for filter in used}
        return _Counter(self._statement, used, values)


@dataclass(frozen=True, slots=True)
class _Counter:
    statement: Statement
    filters: Filters
    values: dict[str, Any]

    async def counts(self, ctx: Context, parents: Sequence[str]) -> list[int]:
        values = {**self.values, _MOST: MOST_COUNTED, PARENTS: list(dict.fromkeys(parents))}
        counts = dict(await self.statement.rows(ctx, self.filters, **values))
        return [counts.get(parent, 0) for parent in parents]
