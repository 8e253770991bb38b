"""Git operations and repositories as they are read."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from db.git_enums import (
    GitChange,
    GitChangeKind,
    GitDirection,
    GitOperationState,
    GitStage,
)
from db.job_enums import JobKind, JobState
from db.models.git import GitConfiguration
from db.models.jobs import Job
from db.models.spaces import Space
from db.rows import values_of
from resolvers.core.context import Context
from resolvers.core.pagination import by_id
from resolvers.git.operations import IS_OPERATION, GitInfo, info_of
from resolvers.lists.batches import computed_from
from resolvers.lists.listings import Listing

# How long a job of Git is held by a process that says nothing.
LEASE = dt.timedelta(minutes=1)
_STATES = {
    JobState.SUCCEEDED: GitOperationState.SUCCESS,
    JobState.FAILED: GitOperationState.FAILURE,
    JobState.CANCELLED: GitOperationState.FAILURE,
}
CANCELLED = "it was cancelled"

operations_of_spaces = Listing(
    "git_operations_of_spaces",
    Job,
    Job.space_id,
    by_id(Job).reversed,
    IS_OPERATION,
    about="Git operations of spaces, newest first: those that you have started, for administrators "
    "all.",
)


@computed_from("git_info")
async def git_infos(ctx: Context, rows: Sequence[Space], arguments: Any) -> list[GitInfo | None]:
    """What is known of the repositories of spaces; nothing for visitors of sites."""
    if ctx.withholds:
        return [None] * len(rows)
    return [info_of(stored) for stored in values_of(rows, "git_info")]


@computed_from("kind")
async def directions(ctx: Context, rows: Sequence[Job], arguments: Any) -> list[GitDirection]:
    """Which side operations write."""
    return [
        GitDirection.EXPORT if row.kind is JobKind.GIT_EXPORT else GitDirection.IMPORT
        for row in rows
    ]


@computed_from("state")
async def states(ctx: Context, rows: Sequence[Job], arguments: Any) -> list[GitOperationState]:
    """How operations stand."""
    return [_STATES.get(row.state, GitOperationState.RUNNING) for row in rows]


@computed_from("stage")
async def stages(ctx: Context, rows: Sequence[Job], arguments: Any) -> list[GitStage]:
    """What operations are doing, or have done last."""
    return [GitStage(row.stage or GitStage.REPO_FETCH.value) for row in rows]


@computed_from("done", "total")
async def task_counts(ctx: Context, rows: Sequence[Job], arguments: Any) -> list[int]:
    """How much there is to do in the stage, as far as that is known."""
    return [row.done if row.total is None else row.total for row in rows]


@computed_from("started_at", "created_at")
async def beginnings(ctx: Context, rows: Sequence[Job], arguments: Any) -> list[dt.datetime]:
    """When operations were begun; when they were asked for while they wait."""
    return [row.started_at or row.created_at for row in rows]


@computed_from("state", "due_at", "started_at", "created_at", "finished_at")
async def last_changes(ctx: Context, rows: Sequence[Job], arguments: Any) -> list[dt.datetime]:
    """When something was last heard of operations."""
    return [_last_change(row) for row in rows]


def _last_change(row: Job) -> dt.datetime:
    if row.finished_at is not None:
        return row.finished_at
    begun = row.started_at or row.created_at
    if row.state is JobState.RUNNING and row.due_at is not None:
        # Whoever does it says so by making its lease longer.
        return max(begun, row.due_at - LEASE)
    return begun


@computed_from("state", "error")
async def errors(ctx: Context, rows: Sequence[Job], arguments: Any) -> list[str | None]:
    """Why operations have failed."""
    return [CANCELLED if row.state is JobState.CANCELLED else row.error for row in rows]


def _of_result(name: str) -> Any:
    @computed_from("result")
    async def values(ctx: Context, rows: Sequence[Job], arguments: Any) -> list[str | None]:
        """What operations say of what they have done."""
        return [(row.result or {}).get(name) for row in rows]

    return values


revisions = _of_result("revision")
commits = _of_result("commit")
reasons = _of_result("nothing")


@computed_from("result")
async def operation_warnings(ctx: Context, rows: Sequence[Job], arguments: Any) -> list[list[str]]:
    """What operations have left out or changed on the way."""
    return [list((row.result or {}).get("warnings", ())) for row in rows]


@computed_from("arguments")
async def refs(ctx: Context, rows: Sequence[Job], arguments: Any) -> list[str]:
    """The refs that operations are about."""
    return [str(row.arguments.get("ref", "")) for row in rows]


@computed_from("arguments")
async def dry_runs(ctx: Context, rows: Sequence[Job], arguments: Any) -> list[bool]:
    """Whether operations only say what they would change."""
    return [bool(row.arguments.get("dryRun")) for row in rows]


@dataclass(frozen=True, slots=True)
class ChangeCount:
    """How many changes of a kind there are."""

    kind: GitChangeKind
    change: GitChange
    count: int


@dataclass(frozen=True, slots=True)
class StoredPlan:
    """A plan as the result of an operation has it."""

    counts: Sequence[ChangeCount]


@computed_from("result")
async def plans(ctx: Context, rows: Sequence[Job], arguments: Any) -> list[StoredPlan | None]:
    """What operations would change that have only said so."""
    return [_plan((row.result or {}).get("plan")) for row in rows]


def _plan(stored: Mapping[str, Any] | None) -> StoredPlan | None:
    if stored is None:
        return None
    counts = []
    for name, count in stored["counts"].items():
        kind, _, change = name.partition(" ")
        counts.append(ChangeCount(GitChangeKind(kind), GitChange(change), count))
    return StoredPlan(counts)


@computed_from("credentials")
async def have_credentials(
    ctx: Context, rows: Sequence[GitConfiguration], arguments: Any
) -> list[bool]:
    """Whether configurations have credentials."""
    return [row.credentials is not None for row in rows]


@computed_from("hook_id")
async def hook_urls(ctx: Context, rows: Sequence[GitConfiguration], arguments: Any) -> list[str]:
    """Where forges send that a branch has moved."""
    return [f"{ctx.settings.public_url}/git/hooks/{row.hook_id}" for row in rows]
