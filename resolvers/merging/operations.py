"""Merging a change request, and pulling the space's content into it (docs/change-requests.md)."""

from dataclasses import dataclass

from sqlalchemy import ColumnElement, select

from db.content_enums import ChangeRequestStatus, MergeResult, RevisionType, UpdateResult
from db.enums import Role
from db.models.change_requests import ChangeRequest
from db.models.content import Revision
from db.models.spaces import Space
from resolvers.access.policy import must
from resolvers.change_requests.conflicts import record_conflicts, undecided_objects
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
from resolvers.core.declarations import operation
from resolvers.core.errors import Conflict, PreconditionFailed
from resolvers.core.statements import Viewer, Written, statement
from resolvers.drafts.bounds import check_merged
from resolvers.merging.checks import check_merge_rules
from resolvers.merging.content import ThreeWay, merge_revisions
from resolvers.revisions.write_targets import Target, expect_revision, limit_wait
from resolvers.writing.commits import commit_revision

APPLY = "apply"
MERGED = ChangeRequestStatus.MERGED


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


@operation(reads_first=_status_before, takes_turns=True)
async def merge_change_request(
    ctx: Context, space_id: SpaceId, id: ChangeRequestId, expected_revision: Expected = None
) -> Merging:
    """Merge a change request into the content of its space; needs the role `review`.

    Where both have changed the same thing, nothing is merged: the space's content is pulled into
    the change request, and the conflicts are there to be resolved. PreconditionFailed when the
    content would have no document left, or more than a space holds. The expected revision is that
    of the change request: what is merged is what the caller has seen.
    """
    await limit_wait(ctx)
    row = await writable_change_request(ctx, space_id, id, Role.REVIEW)
    if row.status is MERGED:
        if ctx.seen is not MERGED:
            raise Conflict("somebody else has merged the change request at the same time")
        raise PreconditionFailed("the change request is merged already")
    must_be_active(row)
    expect_revision(row.revision_id, expected_revision)
    space = await must(ctx, Space, row.space_id, lock=True)
    await check_merge_rules(ctx, space, row)
    left = await undecided_objects(ctx, row)
    hold = ctx.settings.merge_on_conflict != APPLY
    if left and hold:
        return Merging(row, row.revision_id, MergeResult.CONFLICTS)
    outdated = await is_outdated(ctx, row)
    base, ours, theirs = await _versions(ctx, row, space)
    merge = await merge_revisions(ctx, base, ours, theirs)
    if merge.merged.conflicts and hold:
        revision = await _pull(ctx, row, ours, theirs, merge)
        return Merging(row, revision.id, MergeResult.CONFLICTS)
    target = Target(space.id, space, None, theirs)
    changes = await merge.onto_theirs()
    await check_merged(ctx, theirs, changes)
    revision = await commit_revision(
        ctx,
        target,
        changes,
        type=RevisionType.MERGE,
        others=[ours.id],
        merged_from_id=row.id,
    )
    await record_conflicts(ctx, row, merge.merged.conflicts)
    row.status = MERGED
    row.revision_merged_id = revision.id
    row.outdated_when_closed = outdated
    row.updated_at = ctx.now()
    met = left or merge.merged.conflicts
    return Merging(row, revision.id, MergeResult.CONFLICTS if met else MergeResult.MERGE)


@operation(takes_turns=True)
async def pull_change_request(
    ctx: Context, space_id: SpaceId, id: ChangeRequestId, expected_revision: Expected = None
) -> Pulling:
    """Pull the present content of the space into a change request.

    For its author and for the role `edit`. Where both have changed the same thing, the space's
    version comes first and a conflict is recorded. PreconditionFailed as for a merge.
    """
    await limit_wait(ctx)
    row = await writable_change_request(ctx, space_id, id)
    await must_change(ctx, row)
    must_be_active(row)
    expect_revision(row.revision_id, expected_revision)
    if not await is_outdated(ctx, row):
        return Pulling(row, row.revision_id, UpdateResult.UPDATE)
    space = await must(ctx, Space, row.space_id)
    base, ours, theirs = await _versions(ctx, row, space)
    # What the space removes while a conflict about it is open is a matter of its own.
    held = set(await undecided_objects(ctx, row))
    merge = await merge_revisions(ctx, base, ours, theirs, held - {""})
    revision = await _pull(ctx, row, ours, theirs, merge)
    result = UpdateResult.CONFLICTS if merge.merged.conflicts else UpdateResult.UPDATE
    return Pulling(row, revision.id, result)


async def _pull(
    ctx: Context, row: ChangeRequest, ours: Revision, theirs: Revision, merge: ThreeWay
) -> Revision:
    """Give a change request the merged content, and note what has to be resolved."""
    changes = await merge.onto_ours()
    await check_merged(ctx, ours, changes)
    row.revision_merged_ancestor_id = theirs.id
    await record_conflicts(ctx, row, merge.merged.conflicts)
    target = Target(row.space_id, None, row, ours)
    return await commit_revision(ctx, target, changes, type=RevisionType.UPDATE, others=[theirs.id])


async def _versions(
    ctx: Context, row: ChangeRequest, space: Space
) -> tuple[Revision, Revision, Revision]:
    """The three revisions of a merge: the common base, the change request's and the space's."""
    ids = (
        row.revision_merged_ancestor_id or row.revision_initial_id,
        row.revision_id,
        space.revision_id,
    )
    statement = select(Revision).where(Revision.space_id == space.id, Revision.id.in_(ids))
    revisions = {
        revision.id: revision for revision in (await ctx.session.execute(statement)).scalars()
    }
    base, ours, theirs = (revisions[id] for id in ids)
    return base, ours, theirs
