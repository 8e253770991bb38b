"""The history of a space: the revisions that were its primary content, the newest first."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any

from sqlalchemy import Integer, bindparam, func, literal, select
from sqlalchemy.orm import aliased

from db.models.content import Revision
from db.models.spaces import Space, written_revision
from db.prepared import among
from resolvers.core.batch_functions import ALL, Projection
from resolvers.core.context import Context
from resolvers.core.errors import invalid
from resolvers.core.pagination import (
    PageArguments,
    Slice,
    decode_cursor,
    encode_cursor,
    fingerprint,
)
from resolvers.core.statements import Viewer, Written, statement
from resolvers.lists.batches import reads, visible_in

# Revisions of one history that are walked over, to count them or to read it from its end.
MOST_WALKED = 10_000
_MARK = fingerprint("revisions_of_spaces")


def _line() -> Any:
    """Revisions from some down their first parents, which are the primary content before them."""
    begun = select(
        Revision.id, Revision.space_id, Revision.parents[0].as_string().label("parent"),
        literal(0, Integer()).label("depth"),
    ).where(among(Revision.id, "starts"), among(Revision.space_id, "spaces"))  # fmt: skip
    first = begun.cte(recursive=True)
    earlier = aliased(Revision)
    return first.union_all(
        select(earlier.id, first.c.space_id, earlier.parents[0].as_string(), first.c.depth + 1)
        .join(first, earlier.id == first.c.parent)
        .where(first.c.depth < bindparam("most", type_=Integer()))
    )


@statement
def lines(viewer: Viewer) -> Written:
    """Id, space and first parent of the `starts` and of as many as `most` behind each of them."""
    line = _line()
    return select(line.c.id, line.c.space_id, line.c.parent).order_by(line.c.space_id, line.c.depth)


@statement
def _lengths(viewer: Viewer) -> Written:
    line = _line()
    return select(line.c.space_id, func.count().label("length")).group_by(line.c.space_id)


class _Counter:
    """Counts the histories of spaces, by the ids of their newest revisions; of longer ones the
    first `MOST_WALKED`."""

    def __init__(self, newest: Mapping[str, str]) -> None:
        self._newest = newest

    async def counts(self, ctx: Context, parents: Sequence[str]) -> list[int]:
        if ctx.actor.visitor is not None:
            return [1 for _ in parents]
        starts = {self._newest[parent] for parent in parents}
        rows = await _lengths.rows(ctx, starts=starts, spaces=set(parents), most=MOST_WALKED)
        lengths = {row.space_id: min(row.length, MOST_WALKED) for row in rows}
        return [lengths.get(parent, 0) for parent in parents]


_by_id = visible_in(Revision.id, "ids")


def _cursor_of(row: Revision) -> str:
    return encode_cursor(_MARK, [row.id])


def _named(cursor: str | None) -> str | None:
    return None if cursor is None else decode_cursor(_MARK, cursor, [str])[0]


@reads("id", "revision_id", "written_id")
async def revisions_of_spaces(
    ctx: Context,
    rows: Sequence[Space],
    arguments: PageArguments,
    projection: Projection = ALL,
) -> list[Slice[Revision]]:
    """Revisions that were the primary content of spaces, as they were written, the newest first.

    Visitors of sites have the one that they read. Reading on is as long as the page; reading from
    the end walks over the whole history, and is Invalid where that is too long.
    """
    size, span = arguments.size(ctx.settings), arguments.span
    after, before = _named(arguments.after), _named(arguments.before)
    newest = {row.id: written_revision(row) for row in rows}
    forward = not span.backward and before is None
    # With the row of the cursor, and one more that tells whether others follow.
    most = size + (after is not None) if forward else MOST_WALKED
    starts = set(newest.values()) if after is None or not forward else {after}
    lines_by_space: dict[str, list[str]] = {}
    if ctx.actor.visitor is not None:
        lines_by_space = {row.id: [row.revision_id] for row in rows}
    else:
        line = await lines.rows(ctx, starts=starts, spaces=set(newest), most=most)
        for space, part in groupby(line, attrgetter("space_id")):
            lines_by_space[space] = [row.id for row in part]
    if not forward:
        for ids in lines_by_space.values():
            _check_end(ids, arguments, before)
    pages = {
        space: _page(ids, size, arguments, after, before) for space, ids in lines_by_space.items()
    }
    shown = {id for ids, *_ in pages.values() for id in ids}
    columns = projection.columns_with("id")
    by_id: dict[str, Any] = {}
    if shown:
        by_id = {row.id: row for row in await _by_id.rows(ctx, columns=columns, ids=shown)}
    counter = _Counter(newest)
    slices = []
    for row in rows:
        ids, following, preceding = pages.get(row.id, ([], False, False))
        there = [by_id[id] for id in ids if id in by_id]
        slices.append(Slice(there, following, preceding, _cursor_of, counter, row.id))
    return slices


def _check_end(ids: list[str], arguments: PageArguments, before: str | None) -> None:
    """Refuse a page that follows from an end to which nobody has walked."""
    if len(ids) > MOST_WALKED and before not in ids:
        name = "before" if arguments.last is None else "last"
        raise invalid(
            name,
            f"is not allowed: the history has more than {MOST_WALKED:,} revisions, and this place "
            "is behind these; read it with `first` and `after`",
        )


def _page(
    ids: list[str], size: int, arguments: PageArguments, after: str | None, before: str | None
) -> tuple[list[str], bool, bool]:
    """The ids of a page, and whether there are some behind and before it.

    What a cursor names that is not in this history is nowhere: behind it is nothing, and before it
    everything.
    """
    begin = 0 if after is None else (ids.index(after) + 1 if after in ids else len(ids))
    end = ids.index(before) if before is not None and before in ids else len(ids)
    part = ids[begin:end]
    if arguments.span.backward:
        return part[-size:], before is not None, len(part) > size
    return part[:size], len(part) > size, after is not None
