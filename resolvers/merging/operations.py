"""Merging a change request, and pulling the space's content into it (docs/change-requests.md)."""

import asyncio
from dataclasses import dataclass

from sqlalchemy import ColumnElement, select

from db.content_enums import ChangeRequestStatus, MergeResult, RevisionType, UpdateResult
from db.enums import Role
from db.ids import new_id
from db.inserts import parts
from db.models.change_requests import ChangeRequest
from db.models.content import Revision
from db.models.spaces import Space, written_revision
from resolvers.access.policy import must
from resolvers.change_requests.conflicts import (
    Row,
    conflict_rows,
    keys_before,
    record_conflicts,
    stage_conflicts,
    undecided_objects,
)
from resolvers.change_requests.operations import (
    addressing,
    is_outdated,
    must_be_active,
    must_change,
    naming_of,
    writable_change_request,
)
from resolvers.core.arguments import ChangeRequestId, Expected, SpaceId
from resolvers.core.context import Context
from resolvers.core.declarations import Transactions, operation
from resolvers.core.errors import Conflict, PreconditionFailed
from resolvers.core.runners import run
from resolvers.core.statements import Viewer, Written, statement
from resolvers.drafts.bounds import check_merged
from resolvers.merging.checks import check_merge_rules
from resolvers.merging.content import ThreeWay, merge_revisions
from resolvers.revisions.bodies_work import BodiesWork, lightly_locked
from resolvers.revisions.extracts import extract_ahead
from resolvers.revisions.states import Changes
from resolvers.revisions.write_targets import Target, expect_revision, limit_wait
from resolvers.writing.commits import commit_revision
from resolvers.writing.received_files import Place

APPLY = "apply"
MERGED = ChangeRequestStatus.MERGED
# Conflicts that are written within the lock, and that one transaction before it stores.
STAGED = 500
# Between two of these: SQLite's writers of other processes stand in no line, they try again.
PAUSE = 0.03


@dataclass(frozen=True, slots=True)
class Merging:
    """The result of a merge; `revision_id` is that of the primary content if it was applied."""

    change_request: ChangeRequest
    revision_id: str
    result: MergeResult

    @property
    def audited(self) -> ChangeRequest:
        """What the audit log names."""
        return self.change_request


@dataclass(frozen=True, slots=True)
class Pulling:
    """The result of pulling; `revision_id` is that of the change request."""

    change_request: ChangeRequest
    revision_id: str
    result: UpdateResult

    @property
    def audited(self) -> ChangeRequest:
        """What the audit log names."""
        return self.change_request


@statement
def _status(viewer: Viewer, naming: ColumnElement[bool]) -> Written:
    return select(ChangeRequest.status).where(addressing(naming))


async def _status_before(
    ctx: Context, space_id: str, id: str, expected_revision: str | None = None
) -> ChangeRequestStatus | None:
    """The status that a change request has before it is waited for; shown to nobody."""
    naming, named = naming_of(id)
    rows = await _status.rows(ctx, naming, space_id=space_id, named=named)
    return rows[0].status if rows else None


@operation(transactions=Transactions.IN_STEPS)
async def merge_change_request(
    ctx: Context, space_id: SpaceId, id: ChangeRequestId, expected_revision: Expected = None
) -> Merging:
    """Merge a change request into the content of its space; needs the role `review`.

    Where both have changed the same thing, nothing is merged: the space's content is pulled into
    the change request, and the conflicts are there to be resolved. PreconditionFailed when the
    content would have no document left, or more than a space holds; Invalid, before anything is
    compared, where both have changed more than 12,000,000 characters of bodies (with those of their
    common base), and where more than 10,000 conflicts would be left. The expected revision is that
    of the change request: what is merged is what the caller has seen.
    """
    before = await _status_before(ctx, space_id, id)
    place, work = Place(space_id, id, expected_revision), _work(ctx)
    return await lightly_locked(
        False,
        lambda: _merge_ahead(ctx, place, work),
        lambda bound: run(ctx, _merge, place, before, work, bound),
    )


def _work(ctx: Context) -> BodiesWork:
    """What is worked out for a merge; the index takes it from there."""
    work = BodiesWork()
    ctx.worked_out = work.results
    return work


async def _merge_ahead(ctx: Context, place: Place, work: BodiesWork) -> None:
    """Work a merge out as it would be now, without a lock; nothing else of it stays."""
    work.bound(None)
    row = await _request(ctx, place, Role.REVIEW, lock=False)
    if row.status is MERGED:
        # Meanwhile: the write says so.
        return
    _must_be_current(row, place)
    space = await must(ctx, Space, row.space_id)
    base, ours, theirs = await _versions(ctx, row, space)
    merge = await merge_revisions(ctx, base, ours, theirs, work=work)
    if merge.merged.conflicts and ctx.settings.merge_on_conflict != APPLY:
        await _check(ctx, ours, await merge.onto_ours(), work)
        await _stage(ctx, row, merge, work)
        return
    changes = await merge.onto_theirs()
    await _check(ctx, theirs, changes, work)
    pages = [page for page in changes.pages.values() if page is not None]
    await extract_ahead(work, space.id, pages, changes.documents)
    await _stage(ctx, row, merge, work)


async def _request(
    ctx: Context, place: Place, role: Role | None = None, *, lock: bool = True
) -> ChangeRequest:
    """The change request to merge, with a role, or to pull into, for those who may edit it."""
    id = place.change_request_id or ""
    row = await writable_change_request(ctx, place.space_id, id, role, lock=lock)
    if role is None:
        await must_change(ctx, row)
    return row


def _must_be_current(row: ChangeRequest, place: Place) -> None:
    must_be_active(row)
    expect_revision(row.revision_id, place.expected_revision)


@operation(takes_turns=True)
async def _merge(
    ctx: Context,
    place: Place,
    before: ChangeRequestStatus | None,
    work: BodiesWork,
    bound: int | None,
) -> Merging:
    """Merge with everything locked."""
    work.bound(bound)
    await limit_wait(ctx)
    row = await _request(ctx, place, Role.REVIEW)
    if row.status is MERGED:
        if before is not MERGED:
            raise Conflict("somebody else has merged the change request at the same time")
        raise PreconditionFailed("the change request is merged already")
    _must_be_current(row, place)
    space = await must(ctx, Space, row.space_id, lock=True)
    await check_merge_rules(ctx, space, row)
    left = await undecided_objects(ctx, row)
    hold = ctx.settings.merge_on_conflict != APPLY
    if left and hold:
        return Merging(row, row.revision_id, MergeResult.CONFLICTS)
    outdated = await is_outdated(ctx, row)
    base, ours, theirs = await _versions(ctx, row, space)
    merge = await merge_revisions(ctx, base, ours, theirs, work=work)
    if merge.merged.conflicts and hold:
        revision = await _pulled(ctx, row, ours, theirs, merge, work)
        return Merging(row, revision.id, MergeResult.CONFLICTS)
    target = Target(space.id, space, None, theirs)
    changes = await merge.onto_theirs()
    await _check(ctx, theirs, changes, work)
    revision = await commit_revision(
        ctx,
        target,
        changes,
        type=RevisionType.MERGE,
        others=[ours.id],
        merged_from_id=row.id,
        revision_id=_staged(merge, work)[0],
    )
    await _record(ctx, row, merge, work, revision.id)
    row.status = MERGED
    row.revision_merged_id = revision.id
    row.outdated_when_closed = outdated
    row.updated_at = ctx.now()
    met = left or merge.merged.conflicts
    return Merging(row, revision.id, MergeResult.CONFLICTS if met else MergeResult.MERGE)


@operation(transactions=Transactions.IN_STEPS)
async def pull_change_request(
    ctx: Context, space_id: SpaceId, id: ChangeRequestId, expected_revision: Expected = None
) -> Pulling:
    """Pull the present content of the space into a change request.

    For its author and for the role `edit`. Where both have changed the same thing, the space's
    version comes first and a conflict is recorded. PreconditionFailed and Invalid as for a merge.
    """
    place, work = Place(space_id, id, expected_revision), _work(ctx)
    return await lightly_locked(
        False,
        lambda: _pull_ahead(ctx, place, work),
        lambda bound: run(ctx, _pull, place, work, bound),
    )


async def _pull_ahead(ctx: Context, place: Place, work: BodiesWork) -> None:
    """Work out what a pull would bring now, without a lock; nothing else of it stays."""
    work.bound(None)
    row = await _request(ctx, place, lock=False)
    _must_be_current(row, place)
    merge, ours, _ = await _merge_of_pull(ctx, row, work)
    await _check(ctx, ours, await merge.onto_ours(), work)
    await _stage(ctx, row, merge, work)


@operation(takes_turns=True)
async def _pull(ctx: Context, place: Place, work: BodiesWork, bound: int | None) -> Pulling:
    """Pull with the change request locked."""
    work.bound(bound)
    await limit_wait(ctx)
    row = await _request(ctx, place)
    _must_be_current(row, place)
    if not await is_outdated(ctx, row):
        return Pulling(row, row.revision_id, UpdateResult.UPDATE)
    merge, ours, theirs = await _merge_of_pull(ctx, row, work)
    revision = await _pulled(ctx, row, ours, theirs, merge, work)
    result = UpdateResult.CONFLICTS if merge.merged.conflicts else UpdateResult.UPDATE
    return Pulling(row, revision.id, result)


async def _merge_of_pull(
    ctx: Context, row: ChangeRequest, work: BodiesWork
) -> tuple[ThreeWay, Revision, Revision]:
    """The merge that a pull makes, and the revisions of the change request and of the space."""
    space = await must(ctx, Space, row.space_id)
    base, ours, theirs = await _versions(ctx, row, space)
    # What the space removes while a conflict about it is open is a matter of its own.
    held = set(await undecided_objects(ctx, row))
    return await merge_revisions(ctx, base, ours, theirs, held - {""}, work), ours, theirs


async def _pulled(
    ctx: Context,
    row: ChangeRequest,
    ours: Revision,
    theirs: Revision,
    merge: ThreeWay,
    work: BodiesWork,
) -> Revision:
    """Give a change request the merged content, and note what has to be resolved."""
    changes = await merge.onto_ours()
    await _check(ctx, ours, changes, work)
    row.revision_merged_ancestor_id = theirs.id
    target = Target(row.space_id, None, row, ours)
    # Conflicts from before follow the new revision; those of this merge are about it.
    revision = await commit_revision(
        ctx, target, changes, type=RevisionType.UPDATE, others=[theirs.id],
        revision_id=_staged(merge, work)[0],
    )  # fmt: skip
    await _record(ctx, row, merge, work, revision.id)
    return revision


async def _record(
    ctx: Context, row: ChangeRequest, merge: ThreeWay, work: BodiesWork, revision_id: str
) -> None:
    """Note the conflicts of a merge, which come with its revision."""
    rows, (staged_with, keys) = _conflict_rows(ctx, row, merge, work), _staged(merge, work)
    staged = keys if staged_with == revision_id else frozenset()
    await record_conflicts(ctx, row, merge.merged.conflicts, rows, revision_id, staged)


def _staged(merge: ThreeWay, work: BodiesWork) -> tuple[str | None, frozenset[str]]:
    """The id of the revision for which conflicts of a merge are stored, and their keys."""
    staged: tuple[str, frozenset[str]] | None = work.known(_staged_key(merge))
    return staged or (None, frozenset())


def _staged_key(merge: ThreeWay) -> tuple[str, int]:
    # Those of `_conflict_rows` stay as long as the work.
    return "staged conflicts", id(merge.merged.conflicts)


async def _stage(ctx: Context, row: ChangeRequest, merge: ThreeWay, work: BodiesWork) -> None:
    """Store conflicts before anything is locked, where they are many (decision 180)."""
    rows, key = _conflict_rows(ctx, row, merge, work), _staged_key(merge)
    if len(rows) <= STAGED or ctx.held is not None or work.known(key) is not None:
        return
    revision_id, space_id = new_id(), row.space_id
    met = await keys_before(ctx, row)
    new, written = [values for values in rows if values["key"] not in met], ctx.written
    for some in parts(new, STAGED):
        await asyncio.sleep(PAUSE)
        await run(ctx, stage_conflicts, space_id, revision_id, some)
        # Nobody sees it: should the merge fail, its caller does not hear that it is written.
        ctx.written = written
    work.keep(key, (revision_id, frozenset(values["key"] for values in new)))


def _conflict_rows(
    ctx: Context, row: ChangeRequest, merge: ThreeWay, work: BodiesWork
) -> list[Row]:
    """What is written of the conflicts of a merge: worked out once."""
    conflicts = merge.merged.conflicts
    key = "conflict rows", row.id, id(conflicts)
    cached: tuple[object, list[Row]] | None = work.known(key)
    if cached is None:
        # With the conflicts, whose identity is the key.
        cached = conflicts, conflict_rows(row.id, row.space_id, conflicts, ctx.now())
        work.keep(key, cached)
    return cached[1]


async def _check(ctx: Context, onto: Revision, changes: Changes, work: BodiesWork) -> None:
    """Check the content that a merge would make of a revision, once for the two of them."""
    key = "checked", onto.id, id(changes)
    if work.known(key) is None:
        await check_merged(ctx, onto, changes)
        work.keep(key, changes)


async def _versions(
    ctx: Context, row: ChangeRequest, space: Space
) -> tuple[Revision, Revision, Revision]:
    """The three revisions of a merge: the common base, the change request's and the space's."""
    ids = (
        row.revision_merged_ancestor_id or row.revision_initial_id,
        row.revision_id,
        written_revision(space),
    )
    statement = select(Revision).where(Revision.space_id == space.id, Revision.id.in_(ids))
    revisions = {
        revision.id: revision for revision in (await ctx.session.execute(statement)).scalars()
    }
    base, ours, theirs = (revisions[id] for id in ids)
    return base, ours, theirs
