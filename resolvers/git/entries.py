"""What operations of Git would change, and what they could not merge, one by one.

An operation has as many as its tree has files; each is a row, so that a list reads a page of them
(decision 167). They are stored before their operation ends, and go with its job.
"""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Annotated

from sqlalchemy import delete, insert, select

from db.git_enums import GitChange, GitChangeKind
from db.ids import new_id
from db.models.git import GitEntry
from db.models.jobs import Job
from resolvers.access.policy import must, must_be_operator
from resolvers.core import inputs
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.filters import equal_to
from resolvers.core.pagination import PageArguments, by_id
from resolvers.git.plans import Conflict, PlannedChange
from resolvers.lists.listings import Listing

# What one transaction writes or removes.
PORTION = 1_000


@dataclass(frozen=True)
class PlanArguments(PageArguments):
    """Filters of the changes of a plan; all have to hold."""

    kind: Annotated[GitChangeKind | None, inputs.argument("Only of this kind.")] = None
    change: Annotated[GitChange | None, inputs.argument("Only those that do this.")] = None


changes_of_plans = Listing(
    "changes_of_plans",
    GitEntry,
    GitEntry.job_id,
    by_id(GitEntry),
    GitEntry.is_conflict.is_(False),
    about="What operations would change, in the order in which they do.",
    filters=(equal_to("kind", GitEntry.kind), equal_to("change", GitEntry.change)),
)
conflicts_of_operations = Listing(
    "conflicts_of_operations",
    GitEntry,
    GitEntry.job_id,
    by_id(GitEntry),
    GitEntry.is_conflict.is_(True),
    about="What operations could not merge.",
)
_SAME = ("kind", "path")
_COLUMNS = {
    PlannedChange: {name: name for name in (*_SAME, "name", "change", "before")}
    | {"object_id": "id"},
    Conflict: {name: name for name in (*_SAME, "reason", "revision_id", "blob_id")}
    | {"object_id": "id", "name": "path"},
}


@operation(audited=False)
async def keep_entries(
    ctx: Context, job_id: str, entries: Sequence[PlannedChange | Conflict]
) -> None:
    """Store a portion of what an operation lists, behind those that it has."""
    await must(ctx, Job, job_id)
    nothing = dict.fromkeys(column.key for column in GitEntry.__table__.columns)
    rows = []
    for entry in entries:
        read = {name: attrgetter(of)(entry) for name, of in _COLUMNS[type(entry)].items()}
        own = {"id": new_id(), "job_id": job_id, "is_conflict": isinstance(entry, Conflict)}
        rows.append({**nothing, **read, **own})
    await ctx.session.execute(insert(GitEntry), rows)


@operation(audited=False)
async def forget_entries(ctx: Context, job_id: str) -> int:
    """Remove a portion of what an earlier attempt of an operation has listed; how many."""
    await must(ctx, Job, job_id)
    some = select(GitEntry.id).where(GitEntry.job_id == job_id).limit(PORTION)
    return await ctx.session.change(delete(GitEntry).where(GitEntry.id.in_(some)))


@operation(audited=False)
async def purge_entries(ctx: Context, before: dt.datetime) -> int:
    """Remove a portion of what operations list that ended before a time; how many. Their jobs are
    forgotten without them, for each may have many."""
    must_be_operator(ctx)
    some = select(GitEntry.id).join(Job).where(Job.finished_at < before).limit(PORTION)
    return await ctx.session.change(delete(GitEntry).where(GitEntry.id.in_(some)))
