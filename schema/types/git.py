"""Git operations, and what is known of repositories."""

import datetime as dt

import strawberry

from db.git_enums import (
    GitChange,
    GitChangeKind,
    GitConfigurationDirection,
    GitDirection,
    GitOperationState,
    GitProvider,
    GitStage,
)
from db.models import (
    git as git_models,
    jobs as models,
    organizations as organization_models,
    spaces as space_models,
)
from resolvers.core.pagination import PageArguments
from resolvers.core.scalars import Url
from resolvers.git import entries, fields as git
from schema.types.above import Job, Space, User
from schema.wiring import Connection, batch, column, itself, source_rows, visible_related


@strawberry.type(description="What is known of the repository that a space is synchronised with.")
class GitInfo:
    repo_name: str | None = column("The end of its path, such as `owner/name`.")
    installation_provider: GitProvider | None = column("Where it is hosted.")
    integration: str | None = column("The integration that has said so; null for other callers.")
    url: Url | None = column("Its page for people.")
    updated_at: dt.datetime | None = column("When it was said.")


@strawberry.type(description="How many changes of a kind a plan has.")
class GitChangeCount:
    kind: GitChangeKind = column("What is changed.")
    change: GitChange = column("What is done with it.")
    count: int = column("How many.")


@strawberry.type(
    description="One change of a plan: of a part of the space (an import), or of a path of the "
    "repository (an export)."
)
class GitPlannedChange:
    is_type_of = source_rows(git_models.GitEntry)
    kind: GitChangeKind = column("What is changed.")
    change: GitChange = column("What is done with it.")
    name: str = column("Its title, name or path.")
    object_id: strawberry.ID | None = column("Id of the part of the space.")
    path: str | None = column("The path in the repository.")
    before: str | None = column("The path so far, where that is another one.")


@strawberry.type(description="What an operation would change.")
class GitPlan:
    counts: list[GitChangeCount] = column("All changes, counted.")


@strawberry.type(
    description="Something that the space and the repository have both changed since they were "
    "synchronised, and that cannot be merged."
)
class GitConflict:
    is_type_of = source_rows(git_models.GitEntry)
    path: str = column("The path in the repository; the title where there is none.")
    kind: GitChangeKind = column("What it is.")
    object_id: strawberry.ID | None = column("Id of the part of the space.")
    reason: str = column("Why it cannot be merged.")
    revision_id: strawberry.ID | None = column("Id of the revision with the space's version.")
    blob_id: str | None = column(
        "Id of the blob with the repository's version; null where that has deleted it."
    )


@strawberry.type(description="An import from a Git repository, or an export to one.")
class GitOperation:
    is_type_of = source_rows(models.Job)
    operation_id: strawberry.ID = column("Its id; its job has the same.", attribute="id")
    job: Job = itself("Its job: its cancellation, its attempts, who has started it.")
    direction: GitDirection = batch(git.directions, "Which side it writes.")
    state: GitOperationState = batch(git.states, "How it stands.")
    stage: GitStage = batch(git.stages, "What it is doing, or has done last.")
    ref: str = batch(git.refs, "The branch; empty for an upload.")
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
    dry_run: bool = batch(git.dry_runs, "Whether it only says what it would change.")
    plan: GitPlan | None = batch(git.plans, "What it would change, where it only says so.")
    changes: Connection[GitPlannedChange] = batch(
        entries.changes_of_plans, "All changes of its plan.", arguments=entries.PlanArguments
    )
    conflicts: Connection[GitConflict] = batch(
        entries.conflicts_of_operations,
        "What cannot be merged; nothing was written then.",
        arguments=PageArguments,
    )
    space: Space | None = visible_related(space_models.Space, "space_id", "The space.")


@strawberry.type(description="A branch that a space is synchronised with by itself.")
class GitConfiguration:
    is_type_of = source_rows(git_models.GitConfiguration)
    url: str = column("The address of the repository, without credentials.")
    ref: str = column("The full name of the branch.")
    directory: str = column("The folder with the configuration; empty for the whole repository.")
    direction: GitConfigurationDirection = column("Which sides are written.")
    interval_minutes: int | None = column(
        "How often the branch is looked at; null where only webhooks say so."
    )
    enabled: bool = column("Whether it is synchronised.")
    commit_message: str = column("The message of commits.")
    commit_url: str | None = column("What addresses of commits begin with.")
    tree_url: str | None = column("What addresses of files begin with.")
    has_credentials: bool = batch(git.have_credentials, "Whether it has credentials.")
    hook_url: str = batch(git.hook_urls, "The address for push webhooks of the forge.")
    next_at: dt.datetime | None = column("When the branch is looked at the next time.")
    created_at: dt.datetime = column("When it was made.")
    updated_at: dt.datetime = column("When it was set for the last time.")
    space: Space | None = visible_related(space_models.Space, "space_id", "The space.")
    owner: User | None = visible_related(
        organization_models.User, "owner_id", "Whose rights it has; null for the operator's."
    )


@strawberry.type(description="A configuration, and its secret where it is new.")
class GitConfigurationSecretPayload:
    configuration: GitConfiguration = column("The configuration.")
    secret: str | None = column(
        "What webhooks are signed with, where it is new; keep it, it is not shown again."
    )
