"""Pagination of lists that are read whole from an immutable revision.

Such a list never changes, so a cursor is a position in it.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from resolvers.core.context import Context
from resolvers.core.installation import Settings
from resolvers.core.pagination import Order, PageArguments, Slice, fingerprint, places_of


@dataclass(frozen=True, slots=True)
class WholeList(PageArguments):
    """All rows of a list that is bounded by what one revision may hold."""

    def size(self, settings: Settings) -> int:
        return sys.maxsize


class ListCounter:
    """Knows the lengths of lists that were read already."""

    def __init__(self, lengths: dict[str, int]) -> None:
        self._lengths = lengths

    async def counts(self, ctx: Context, parents: Sequence[str]) -> list[int]:
        return [self._lengths[parent] for parent in parents]


def memory_slices(
    ctx: Context,
    name: str,
    parents: Sequence[str],
    lists: Sequence[list[Any]],
    page: PageArguments,
    order: Order | None = None,
) -> list[Slice[Any]]:
    """One page of each list; `parents` are the ids of what the lists belong to.

    The lists are in their own order, and are shown in `order` where one is given.
    """
    counter = ListCounter({key: len(rows) for key, rows in zip(parents, lists, strict=True)})
    if order is None:
        marks = [fingerprint(name, parent) for parent in parents]
    else:
        # Others have the lists, too.
        lists = [order.sorted(rows) for rows in lists]
        marks = [fingerprint(name, parent, order.mark) for parent in parents]
    return [
        _slice(ctx, mark, parent, rows, page, counter)
        for mark, parent, rows in zip(marks, parents, lists, strict=True)
    ]


def _slice(
    ctx: Context,
    mark: str,
    parent: str,
    rows: list[Any],
    page: PageArguments,
    counter: ListCounter,
) -> Slice[Any]:
    places = places_of(page, mark, ctx.settings)
    begin, count = places.range(len(rows))
    return places.part(rows[begin : begin + count], begin, counter, parent, mark)
