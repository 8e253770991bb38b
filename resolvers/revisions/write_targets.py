"""The target of a write of content: the primary content of a space, or a change request.

A write locks the row that points to the newest revision: the space's, or the change request's.
Writers of one of them take turns; writers of different change requests do not meet. Whoever
needs both rows (a merge) locks the change request first, then the space.
"""

import datetime as dt
from dataclasses import dataclass, field

from sqlalchemy import text

from db.content_enums import ChangeRequestStatus
from db.enums import EditMode, Role
from db.models.change_requests import ChangeRequest
from db.models.content import Revision
from db.models.spaces import Space, written_revision
from resolvers.access.computed_spaces import must_be_written_by_hand
from resolvers.access.policy import must, ranks
from resolvers.change_requests.operations import writable_change_request
from resolvers.core.context import Context
from resolvers.core.errors import Forbidden, PreconditionFailed, StaleRevision
from resolvers.revisions.states import get_in_space

EDITABLE = (ChangeRequestStatus.DRAFT, ChangeRequestStatus.OPEN)
LOCK_SECONDS = 10


@dataclass(slots=True)
class Target:
    """Where content is written; its row is locked until the end of the transaction.

    `space` is set for primary content, `change_request` for a change request. `revision` is the
    newest one there, on top of which the next will stand.
    """

    space_id: str
    space: Space | None
    change_request: ChangeRequest | None
    revision: Revision
    # When the change request was changed before this write; its conflicts change with it.
    changed_at: dt.datetime | None = field(init=False)

    def __post_init__(self) -> None:
        self.changed_at = None if self.change_request is None else self.change_request.updated_at


async def open_target(
    ctx: Context,
    space_id: str,
    change_request_id: str | None = None,
    *,
    expected_revision: str | None = None,
    lock: bool = True,
) -> Target:
    """The primary content of a space, or a change request (by id or number), locked to edit it.

    NotFound when it may not be seen or the space is in the bin, Forbidden without the right to
    edit it, PreconditionFailed for a closed change request, Conflict when it stays locked for
    ten seconds or (StaleRevision) when the newest revision is not the expected one. Without
    `lock` it is for a look before the write.
    """
    if lock:
        await limit_wait(ctx)
    if change_request_id is None:
        space = await must(ctx, Space, space_id, Role.EDIT, lock=lock)
        must_be_written_by_hand(space)
        await _may_edit_live(ctx, space)
        newest = await get_in_space(ctx, space_id, written_revision(space))
        target = Target(space_id, space, None, newest)
        expected_revision = written_of(space, newest, expected_revision)
    else:
        request = await writable_change_request(ctx, space_id, change_request_id, lock=lock)
        await _may_edit(ctx, request)
        revision = await get_in_space(ctx, space_id, request.revision_id)
        target = Target(space_id, None, request, revision)
    expect_revision(target.revision.id, expected_revision)
    return target


async def limit_wait(ctx: Context) -> None:
    """Give up waiting for locks after ten seconds; SQLite has one limit for all writers."""
    if ctx.session.get_bind().dialect.name == "postgresql":
        await ctx.session.execute(text(f"SET LOCAL lock_timeout = '{LOCK_SECONDS}s'"))


def written_of(space: Space, newest: Revision, expected: str | None) -> str | None:
    """The revision that a caller expects of a space, as it was written: whoever has read the space
    has the id of the one that readers see."""
    return newest.id if expected == space.revision_id else expected


def expect_revision(current: str, expected: str | None) -> None:
    """StaleRevision unless `expected` is None or the current revision."""
    if expected is not None and expected != current:
        raise StaleRevision(
            f"expectedRevision: the content has moved on from {expected!r}; "
            f"its revision is {current!r} now",
            current,
        )


async def _may_edit_live(ctx: Context, space: Space) -> None:
    if space.edit_mode is EditMode.LIVE:
        return
    rank = await ranks(ctx, Space, [space.id])
    if rank.get(space.id, 0) < Role.REVIEW.rank:
        raise Forbidden(
            "the space is locked: editing its primary content needs the role 'review'; "
            "edit it in a change request"
        )


async def _may_edit(ctx: Context, request: ChangeRequest) -> None:
    if request.created_by_id != ctx.actor.user_id:
        rank = await ranks(ctx, ChangeRequest, [request.id])
        if rank.get(request.id, 0) < Role.EDIT.rank:
            raise Forbidden("only its author or the role 'edit' may edit a change request")
    if request.status not in EDITABLE:
        allowed = " or ".join(repr(status.value) for status in EDITABLE)
        raise PreconditionFailed(
            f"the change request is {request.status.value!r}; this needs {allowed}"
        )
