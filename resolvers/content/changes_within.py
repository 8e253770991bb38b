"""Changes as fields of what changes content: a space, a change request, a revision.

As many statements for one of them as for fifty: their revisions are read at once, those before
them, and what differs.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from db.models.change_requests import ChangeRequest
from db.models.content import Revision
from db.models.spaces import Space
from resolvers.content.change_rows import ChangesRow
from resolvers.content.changes import (
    COLUMNS,
    LIMIT,
    Compared,
    Limit,
    Since,
    check_limit,
    compare,
    hidden_before,
)
from resolvers.core.context import Context
from resolvers.core.errors import ApiError, NotFound
from resolvers.lists.batches import reads
from resolvers.revisions.read_targets import revisions_by_id


@dataclass(frozen=True, slots=True)
class RequestChangesArguments:
    """The number of changes."""

    limit: Limit = LIMIT


@dataclass(frozen=True, slots=True)
class ChangesArguments:
    """The revision to compare with, and the number of changes."""

    since: Since = None
    limit: Limit = LIMIT


@dataclass(frozen=True, slots=True)
class _Comparison:
    """A revision and the one that it is compared with; None = its parent."""

    space_id: str
    revision_id: str
    before_id: str | None
    # What is compared, for messages, where the caller has not named the revision before.
    about: str | None
    # Changes of a change request are its own, whatever its revision was merged from.
    of_request: bool = False


@reads("id", "revision_id")
async def changes_of_spaces(
    ctx: Context, rows: Sequence[Space], arguments: ChangesArguments
) -> list[ChangesRow | ApiError]:
    """What the active revision of each space changed of its first parent, or of another one."""
    since = arguments.since
    comparisons = [_revision(row.id, row.revision_id, since) for row in rows]
    return await _changes(ctx, comparisons, arguments.limit)


@reads("id", "space_id")
async def changes_of_revisions(
    ctx: Context, rows: Sequence[Revision], arguments: ChangesArguments
) -> list[ChangesRow | ApiError]:
    """What each revision changed of its first parent, or of another one."""
    comparisons = [_revision(row.space_id, row.id, arguments.since) for row in rows]
    return await _changes(ctx, comparisons, arguments.limit)


def _revision(space_id: str, id: str, since: str | None) -> _Comparison:
    return _Comparison(space_id, id, since, f"revision {id!r}" if since is None else None)


@reads("id", "space_id", "revision_id", "revision_initial_id", "revision_merged_ancestor_id")
async def changes_of_change_requests(
    ctx: Context, rows: Sequence[ChangeRequest], arguments: RequestChangesArguments
) -> list[ChangesRow | ApiError]:
    """What each change request changes of the content that it began with or pulled last."""
    comparisons = [
        _Comparison(
            row.space_id,
            row.revision_id,
            row.revision_merged_ancestor_id or row.revision_initial_id,
            f"change request {row.id!r}",
            of_request=True,
        )
        for row in rows
    ]
    return await _changes(ctx, comparisons, arguments.limit)


async def _changes(
    ctx: Context, comparisons: Sequence[_Comparison], limit: int
) -> list[ChangesRow | ApiError]:
    """The changes of each comparison, or the error that keeps them from the viewer."""
    check_limit(limit)
    afters = await revisions_by_id(
        ctx, {comparison.revision_id for comparison in comparisons}, COLUMNS
    )
    named = {
        comparison.before_id or _parent(afters.get(comparison.revision_id))
        for comparison in comparisons
    } - {None}
    befores = await revisions_by_id(ctx, {id for id in named if id is not None}, COLUMNS)
    pairs = [_pair(comparison, afters, befores) for comparison in comparisons]
    rows = iter(await compare(ctx, [pair for pair in pairs if isinstance(pair, Compared)], limit))
    return [next(rows) if isinstance(pair, Compared) else pair for pair in pairs]


def _parent(revision: Revision | None) -> str | None:
    return None if revision is None else next(iter(revision.parents), None)


def _pair(
    comparison: _Comparison, afters: Mapping[str, Revision], befores: Mapping[str, Revision]
) -> Compared | ApiError:
    after = afters.get(comparison.revision_id)
    if after is None:
        return NotFound(f"revision {comparison.revision_id!r} does not exist in the space")
    before_id = comparison.before_id or _parent(after)
    merged = None if comparison.of_request else after.merged_from_id
    if before_id is None:
        return Compared(None, after, merged)
    before = befores.get(before_id)
    if before is not None and before.space_id == comparison.space_id:
        return Compared(before, after, merged)
    if comparison.about is not None:
        return hidden_before(comparison.about)
    return NotFound(f"revision {before_id!r} does not exist in the space")
