"""Git operations as jobs: what both directions have in common.

An operation ends with its last write, in which the space gets its new revision. Whatever fails
before has written nothing here, and is said in words; what another server refuses is not tried
again by itself.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from dulwich.errors import ChecksumMismatch, FileFormatException

from content.errors import ContentError, SourceError
from db.git_enums import GitOperationState, GitStage
from db.inserts import parts
from jobs.git.cache import Clone, CloneCache
from jobs.git.remote import RemoteGit
from jobs.kinds import Json, Work
from resolvers.core.context import Context
from resolvers.core.errors import ApiError, PreconditionFailed
from resolvers.core.runners import read, run
from resolvers.git import entries
from resolvers.git.plans import Conflict, Plan, PlannedChange
from resolvers.git.records import (
    Request,
    Standing,
    begin_git_operation,
    end_git_operation,
    standing_of,
)

log = logging.getLogger("docstead.git")
# Warnings of a result, and characters of one.
WARNINGS, WARNING_LENGTH = 200, 1000
OLDER = "an operation with a newer timestamp was completed already"


class NothingToDo(Exception):
    """An operation has nothing to do, and why."""


class Planned(Exception):
    """An operation that was only to say what it would change has done so."""

    def __init__(self, plan: Plan) -> None:
        super().__init__("the plan is made")
        self.plan = plan


class Conflicting(PreconditionFailed):
    """Both sides have changed the same; nothing is written."""

    def __init__(self, message: str, conflicts: Sequence[Conflict]) -> None:
        super().__init__(message)
        self.conflicts = conflicts


@dataclass(slots=True)
class Sync:
    """One operation on its way."""

    ctx: Context
    work: Work
    job_id: str
    request: Request
    standing: Standing
    remote: RemoteGit
    # The commit that it is about, once that is known.
    commit: str | None = None

    def stage(self, stage: GitStage) -> None:
        """Say what is being done."""
        self.work.lease.report(stage.value)

    async def begin(self) -> None:
        """Say that the operation goes on with its commit; a plan is no event."""
        if self.request.dry_run:
            return
        await run(self.ctx, begin_git_operation, self.standing, self.commit)

    def progress(self, done: int, total: int) -> None:
        """Say how much of it is done; also from threads."""
        self.work.lease.report(done=done, total=total)


async def synchronise(work: Work, do: Callable[[Sync, Clone], Awaitable[None]]) -> Json | None:
    """Do an operation with the clone of its repository; what ends it is stored by its last write,
    or here where it changes nothing."""
    ctx, lease = work.ctx, work.lease
    request = Request.of(work.arguments)
    lease.report(GitStage.REPO_FETCH.value)
    sync: Sync | None = None
    try:
        standing = await read(ctx, standing_of, space_of(work), lease.job_id, request)
        if lease.claims > 1:
            await _forget_entries(ctx, lease.job_id)
        remote = RemoteGit(ctx.git_access, request, standing.credentials)
        sync = Sync(ctx, work, lease.job_id, request, standing, remote)
        _check_order(sync)
        await _with_clone(sync, do)
        return None
    except NothingToDo as reason:
        assert sync is not None
        result: Json = {"nothing": str(reason), "commit": sync.commit,
                  "revision": sync.standing.revision_id}  # fmt: skip
        await _end(ctx, lease.job_id, sync, GitOperationState.SUCCESS, result)
        return None
    except Planned as planned:
        assert sync is not None
        plan = await keep_plan(ctx, lease.job_id, planned.plan)
        result = {"commit": sync.commit, "revision": sync.standing.revision_id, **plan}
        await _end(ctx, lease.job_id, sync, GitOperationState.SUCCESS, result)
        return None
    except ContentError as error:
        await _end(ctx, lease.job_id, sync, GitOperationState.FAILURE)
        raise PreconditionFailed(str(error)) from error
    except Conflicting as error:
        await keep_entries(ctx, lease.job_id, error.conflicts)
        await _end(ctx, lease.job_id, sync, GitOperationState.FAILURE)
        raise
    except PreconditionFailed:
        await _end(ctx, lease.job_id, sync, GitOperationState.FAILURE)
        raise


async def keep_plan(ctx: Context, job_id: str, plan: Plan) -> Json:
    """Store a plan with all that it lists; what of it is in the result of its operation."""
    await keep_entries(ctx, job_id, [*plan.conflicts, *plan.changes])
    counts = dict(sorted(plan.counts.items()))
    return {"plan": {"counts": counts}, "warnings": bounded_warnings(plan.warnings)}


async def keep_entries(
    ctx: Context, job_id: str, listed: Sequence[PlannedChange | Conflict]
) -> None:
    """Store what an operation lists, a portion in a transaction, so that others write meanwhile."""
    await _forget_entries(ctx, job_id)
    for some in parts(listed, entries.PORTION):
        await run(ctx, entries.keep_entries, job_id, some)


async def _forget_entries(ctx: Context, job_id: str) -> None:
    while await run(ctx, entries.forget_entries, job_id) == entries.PORTION:
        pass


def bounded_warnings(warnings: Sequence[str]) -> list[str]:
    """The first warnings, as results have them."""
    return [warning[:WARNING_LENGTH] for warning in warnings[:WARNINGS]]


def space_of(work: Work) -> str:
    """The space of a job of Git."""
    id: str = work.arguments["space"]
    return id


def _check_order(sync: Sync) -> None:
    last = sync.standing.last_timestamp
    if sync.request.dry_run:
        return
    # One that is yet to come says that a clock was ahead, and nothing of the order.
    if last is None or last > sync.ctx.now():
        return
    if not sync.request.force and sync.request.timestamp < last:
        raise NothingToDo(OLDER)


async def _with_clone(sync: Sync, do: Callable[[Sync, Clone], Awaitable[None]]) -> None:
    """Let an operation work with the clone; a damaged one is made anew once."""
    access = sync.ctx.git_access
    cache = CloneCache(access.folder, access.cache_megabytes)
    key = sync.request.cache
    key = f"space:{sync.standing.space_id}" if key is None else f"key:{key}"
    async with cache.clone(sync.standing.organization_id, key, sync.request.url) as clone:
        had = bool(await asyncio.to_thread(clone.tips))
        try:
            await do(sync, clone)
        except (ChecksumMismatch, FileFormatException, KeyError, SourceError) as error:
            # What is wrong with the content itself has no other cause.
            if not had or (isinstance(error, SourceError) and error.__cause__ is None):
                raise
            log.warning("a clone is made anew: %s", type(error).__name__)
            await asyncio.to_thread(clone.clear)
            await do(sync, clone)


async def _end(
    ctx: Context,
    job_id: str,
    sync: Sync | None,
    state: GitOperationState,
    result: Json | None = None,
) -> None:
    """Note how an operation has ended that has changed nothing; a plan leaves no event."""
    planned = sync is not None and sync.request.dry_run
    standing = None if sync is None or planned else sync.standing
    commit = None if sync is None else sync.commit
    done = state is GitOperationState.SUCCESS
    try:
        await run(ctx, end_git_operation, job_id, standing, state, commit, result, done=done)
    except ApiError:
        # Who has started it may not synchronise the space any more: nobody is to hear of it.
        if done:
            raise
