"""Changes as fields of what changes content: a space, a change request, a revision.

As many statements for one of them as for fifty: their revisions are read together, those before
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
    """How many changes are wanted."""

    limit: Limit = LIMIT


@dataclass(frozen=True, slots=True)
class ChangesArguments:
    """What a revision is compared with, and how many changes are wanted."""

    since: Since = None
    limit: Limit = LIMIT


@dataclass(frozen=True, slots=True)
class _Wanted:
    """The revision whose changes are wanted, and the one to compare with; None = its parent."""

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
    wanted = [_revision(row.id, row.revision_id, since) for row in rows]
    return await _changes(ctx, wanted, arguments.limit)


@reads("id", "space_id")
async def changes_of_revisions(
    ctx: Context, rows: Sequence[Revision], arguments: ChangesArguments
) -> list[ChangesRow | ApiError]:
    """What each revision changed of its first parent, or of another one."""
    wanted = [_revision(row.space_id, row.id, arguments.since) for row in rows]
    return await _changes(ctx, wanted, arguments.limit)


def _revision(space_id: str, id: str, since: str | None) -> _Wanted:
    return _Wanted(space_id, id, since, f"revision {id!r}" if since is None else None)


@reads("id", "space_id", "revision_id", "revision_initial_id", "revision_merged_ancestor_id")
async def changes_of_change_requests(
    ctx: Context, rows: Sequence[ChangeRequest], arguments: RequestChangesArguments
) -> list[ChangesRow | ApiError]:
    """What each change request changes of the content that it began with or pulled last."""
    wanted = [
        _Wanted(
            row.space_id,
            row.revision_id,
            row.revision_merged_ancestor_id or row.revision_initial_id,
            f"change request {row.id!r}",
            of_request=True,
        )
        for row in rows
    ]
    return await _changes(ctx, wanted, arguments.limit)


async def _changes(
    ctx: Context, wanted: Sequence[_Wanted], limit: int
) -> list[ChangesRow | ApiError]:
    """The changes of each, or why they are not for the viewer."""
    check_limit(limit)
    afters = await revisions_by_id(ctx, {one.revision_id for one in wanted}, COLUMNS)
    named = {one.before_id or _parent(afters.get(one.revision_id)) for one in wanted} - {None}
    befores = await revisions_by_id(ctx, {id for id in named if id is not None}, COLUMNS)
    pairs = [_pair(one, afters, befores) for one in wanted]
    found = iter(await compare(ctx, [one for one in pairs if isinstance(one, Compared)], limit))
    return [next(found) if isinstance(one, Compared) else one for one in pairs]


def _parent(revision: Revision | None) -> str | None:
    return None if revision is None else next(iter(revision.parents), None)


def _pair(
    wanted: _Wanted, afters: Mapping[str, Revision], befores: Mapping[str, Revision]
) -> Compared | ApiError:
    after = afters.get(wanted.revision_id)
    if after is None:
        return NotFound(f"revision {wanted.revision_id!r} does not exist in the space")
    before_id = wanted.before_id or _parent(after)
    merged = None if wanted.of_request else after.merged_from_id
    if before_id is None:
        return Compared(None, after, merged)
    before = befores.get(before_id)
    if before is not None and before.space_id == wanted.space_id:
        return Compared(before, after, merged)
    if wanted.about is not None:
        return hidden_before(wanted.about)
    return NotFound(f"revision {before_id!r} does not exist in the space")
