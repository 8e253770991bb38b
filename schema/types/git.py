"""Git operations, and what is known of repositories."""

import datetime as dt

import strawberry

from db.git_enums import GitDirection, GitOperationState, GitProvider, GitStage
from db.models import jobs as models, spaces as space_models
from resolvers.core.scalars import Url
from resolvers.git import fields as git
from schema.types.above import Job, Space
from schema.wiring import batch, column, itself, source_rows, visible_related


@strawberry.type(description="What is known of the repository that a space is synchronised with.")
class GitInfo:
    repo_name: str | None = column("The end of its path, such as `owner/name`.")
    installation_provider: GitProvider | None = column("Where it is hosted.")
    integration: str | None = column("The integration that has said so; null for other callers.")
    url: Url | None = column("Its page for people.")
    updated_at: dt.datetime | None = column("When it was said.")


@strawberry.type(description="An import from a Git repository, or an export to one.")
class GitOperation:
    is_type_of = source_rows(models.Job)
    operation_id: strawberry.ID = column("Its id; its job has the same.", attribute="id")
    job: Job = itself("Its job: its cancellation, its attempts, who has started it.")
    direction: GitDirection = batch(git.directions, "Which side it writes.")
    state: GitOperationState = batch(git.states, "How it stands.")
    stage: GitStage = batch(git.stages, "What it is doing, or has done last.")
    ref: str = batch(git.refs, "The branch.")
    dispatched_tasks: int = batch(
        git.task_counts, "How much there is to do in the stage, as far as that is known."
    )
    completed_tasks: int = column("How much of the stage is done.", attribute="done")
    started_at: dt.datetime = batch(
        git.beginnings, "When it was begun; when it was asked for while it waits."
    )
    updated_at: dt.datetime = batch(git.last_changes, "When something was last heard of it.")
    completed_at: dt.datetime | None = column("When it ended.", attribute="finished_at")
    error: str | None = batch(git.errors, "Why it has failed.")
    nothing_done: str | None = batch(
        git.reasons, "Why a successful one had nothing to do; null where it has done something."
    )
    revision_id: strawberry.ID | None = batch(
        git.revisions, "Id of the revision that it has made or brought to the repository."
    )
    commit_id: str | None = batch(git.commits, "Id of the commit that it has read or made.")
    warnings: list[str] = batch(
        git.operation_warnings, "What was left out or changed on the way, and why."
    )
    space: Space | None = visible_related(space_models.Space, "space_id", "The space.")
