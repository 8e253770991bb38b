"""Configurations: a space is synchronised with a branch by itself, on a schedule, when a forge says
that the branch has moved, and when the space is edited.

What a configuration has to do is found by one job (jobs/git/configurations.py), with one statement
over all of them; the operations are jobs with the rights of whoever has set the configuration.
"""

import datetime as dt
import secrets
from dataclasses import dataclass
from typing import Any

import strawberry
from sqlalchemy import bindparam, exists, func, literal, or_, select

from content.sources.pkt_lines import ref_problem
from db.base import Base
from db.enums import Role
from db.git_enums import GitConfigurationDirection as Direction
from db.job_enums import JobKind
from db.models.git import DIRECTORY_LENGTH, REF_LENGTH, GitConfiguration, GitSync
from db.models.jobs import Job
from db.models.spaces import Space, written_revision_of
from db.prepared import KEY
from fetching.git import credentials_of
from resolvers.access.policy import must, must_be_operator
from resolvers.core import inputs
from resolvers.core.arguments import SpaceId
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.deletions import Deletion, finding_what_to_delete
from resolvers.core.errors import NotFound, NothingToDelete, PreconditionFailed, invalid
from resolvers.core.inputs import Bounds
from resolvers.core.scalars import URL_LENGTH
from resolvers.core.sealing import UnsealedError
from resolvers.core.statements import Viewer, Written, statement
from resolvers.git.hooks import Hook, read_hook, read_push
from resolvers.git.operations import (
    MESSAGE_LENGTH,
    check_address,
    check_repository,
    read_directory,
)
from resolvers.jobs.claims import hasten
from resolvers.jobs.queue import NewJob, enqueue_of_server

__all__ = ["read_hook"]

SHORTEST, LONGEST = 5, 7 * 24 * 60
MESSAGE = "Update of the documentation"
# Configurations that one transaction starts.
PORTION = 500
MISSING = "the space has no Git configuration"
NO_HOOK = "there is no such webhook, or it is not signed with its secret"
# Signatures are compared with it where there is no configuration, so that this takes as long.
_NOBODY = secrets.token_urlsafe(32)


@strawberry.input(description="A branch that a space is synchronised with by itself.")
class SetGitConfigurationInput:
    url: str = inputs.text(
        "The http or https address that the repository is cloned from. A user with a password or "
        "a token may stand in it; these are sealed, and shown nowhere. Without them those of the "
        "configuration stay as long as the rest of the address is the same.",
        required=True,
        min=1,
        max=URL_LENGTH,
    )
    ref: str = inputs.text(
        "The full name of the branch, refs/heads/<branch>.", required=True, min=1, max=REF_LENGTH
    )
    direction: Direction = inputs.field("Which sides are written.", required=True)
    repo_project_directory: str | None = inputs.text(
        "The folder with the configuration; that of the repository when absent.",
        max=DIRECTORY_LENGTH,
    )
    interval_minutes: int | None = inputs.number(
        "How often the branch is looked at, in minutes; when absent only when a webhook says so.",
        min=SHORTEST,
        max=LONGEST,
    )
    enabled: bool | None = inputs.field("Whether it is synchronised; true when absent.")
    commit_message: str | None = inputs.text("The message of commits.", min=1, max=MESSAGE_LENGTH)
    repo_commit_url: str | None = inputs.field(
        "What addresses of commits begin with; the id of the commit follows it.",
        bounds=Bounds(1, URL_LENGTH),
        name="repoCommitURL",
    )
    repo_tree_url: str | None = inputs.field(
        "What addresses of files begin with, such as that of the branch.",
        bounds=Bounds(1, URL_LENGTH),
        name="repoTreeURL",
    )
    forget_credentials: bool | None = inputs.field(
        "Whether credentials that it has had are forgotten, where the address has none."
    )
    new_secret: bool | None = inputs.field(
        "Whether webhooks get a new secret; the one before is void at once."
    )


@dataclass(frozen=True, slots=True)
class GitConfigurationSecret:
    """A configuration, and its secret where it is new: it is never shown again."""

    configuration: GitConfiguration
    secret: str | None

    @property
    def audited(self) -> Base:
        """What the audit log names."""
        return self.configuration


async def _configuration(ctx: Context, space_id: str) -> GitConfiguration | None:
    return await ctx.session.get(GitConfiguration, space_id, populate_existing=True)


@statement
def _of_space(viewer: Viewer) -> Written:
    return select(GitConfiguration).where(
        GitConfiguration.space_id == bindparam("space_id", type_=KEY)
    )


async def get_git_configuration(ctx: Context, space_id: SpaceId) -> GitConfiguration:
    """The branch that a space is synchronised with by itself, for whoever may synchronise it (the
    role `create`); NOT_FOUND where there is none."""
    await must(ctx, Space, space_id, Role.CREATE)
    rows = await _of_space.rows(ctx, space_id=space_id)
    if not rows:
        raise NotFound(MISSING)
    row: GitConfiguration = rows[0]
    return row


async def set_git_configuration(
    ctx: Context, space_id: SpaceId, input: SetGitConfigurationInput
) -> GitConfigurationSecret:
    """Synchronise a space with a branch by itself from now on, in place of the configuration that
    it has; for whoever may synchronise it (the role `create`), whose rights it has.

    New commits come when a push webhook says so or the interval has passed, and what is edited in
    the space goes to the branch. The answer has the secret of webhooks when it is new.
    """
    space = await must(ctx, Space, space_id, Role.CREATE, lock=True)
    url = check_repository(ctx, input.url)
    problem = ref_problem(input.ref, branches_only=True)
    if problem is not None:
        raise invalid("ref", problem)
    check_address("repoCommitURL", input.repo_commit_url)
    check_address("repoTreeURL", input.repo_tree_url)
    sealer, secret = ctx.git_access.sealer, None
    row = await _configuration(ctx, space.id)
    if row is None:
        row = GitConfiguration(
            space_id=space.id, hook_id=secrets.token_urlsafe(24), created_at=ctx.now()
        )
        ctx.session.add(row)
    if row.hook_secret is None or input.new_secret:
        secret = secrets.token_urlsafe(32)
        row.hook_secret = sealer.seal(secret)
    credentials = credentials_of(input.url)
    if credentials is not None:
        row.credentials = sealer.seal(credentials)
    elif row.url != url or input.forget_credentials:
        row.credentials = None
    row.owner_id = None if ctx.actor.operator else ctx.user_id
    row.url, row.ref, row.direction = url, input.ref, input.direction
    row.directory = read_directory(input.repo_project_directory or "")
    row.interval_minutes = input.interval_minutes
    row.enabled = input.enabled is not False
    row.commit_message = input.commit_message or MESSAGE
    row.commit_url, row.tree_url = input.repo_commit_url, input.repo_tree_url
    row.next_at, row.tried_revision_id = ctx.now(), None
    row.updated_at = ctx.now()
    await ctx.session.flush()
    await _wake(ctx)
    return GitConfigurationSecret(row, secret)


async def delete_git_configuration(ctx: Context, space_id: SpaceId) -> Deletion:
    """End the configuration of a space with its branch, and forget its credentials; for whoever may
    synchronise it. Content stays, and so does the repository."""
    with finding_what_to_delete():
        space = await must(ctx, Space, space_id, Role.CREATE, lock=True)
    row = await _configuration(ctx, space.id)
    if row is None:
        raise NothingToDelete(MISSING)
    await ctx.session.delete(row)
    return Deletion(deleted_id=space.id, space_id=space.id)


async def run_git_configuration(ctx: Context, space_id: SpaceId) -> GitConfiguration:
    """Have the configuration of a space look at its branch now, for whoever may synchronise it;
    PRECONDITION_FAILED (412) while it is not enabled."""
    space = await must(ctx, Space, space_id, Role.CREATE, lock=True)
    row = await _configuration(ctx, space.id)
    if row is None:
        raise NotFound(MISSING)
    if not row.enabled:
        raise PreconditionFailed("the configuration is not enabled")
    row.next_at = ctx.now()
    await ctx.session.flush()
    await _wake(ctx)
    return row


async def _wake(ctx: Context) -> None:
    """Have configurations looked at soon, not within a minute only."""
    await hasten(ctx, JobKind.GIT_SWEEP)


# ------------------------------------------------------------------ webhooks of forges


@dataclass(frozen=True, slots=True)
class HookAnswer:
    """What came of a webhook: whether an import was started, otherwise why not."""

    started: bool
    reason: str | None = None


@operation(audited=False)
async def receive_git_hook(ctx: Context, hook_id: str, hook: Hook) -> HookAnswer:
    """Take a webhook of a forge. NotFound says the same of an unknown one and a wrong signature.

    It only says that the branch is to be looked at: one that is sent again, or that is older than
    what is there, changes nothing.
    """
    must_be_operator(ctx)
    statement = (
        select(GitConfiguration)
        .join(Space, Space.id == GitConfiguration.space_id)
        .where(GitConfiguration.hook_id == hook_id, Space.deleted_at.is_(None))
    )
    row: GitConfiguration | None = (await ctx.session.execute(statement)).scalars().first()
    try:
        secret = _NOBODY if row is None else ctx.git_access.sealer.open(row.hook_secret)
    except UnsealedError:
        row, secret = None, _NOBODY
    signed = hook.is_signed(secret)
    if row is None or not signed:
        raise NotFound(NO_HOOK)
    if not hook.is_push:
        return HookAnswer(False, f"{hook.event[:100]!r} is no push")
    push = read_push(hook)
    if push.ref != row.ref:
        return HookAnswer(False, f"the configuration is with {row.ref}, not with {push.ref[:255]}")
    if push.commit is None:
        return HookAnswer(False, "the branch was deleted")
    if not row.enabled or row.direction is Direction.EXPORT:
        return HookAnswer(False, "the configuration takes no commits")
    last = await ctx.session.get(GitSync, row.space_id)
    same = last is not None and (last.last_oid, last.last_repository) == (push.commit, row.url)
    if same:
        return HookAnswer(False, "the space has this commit already")
    row.next_at = ctx.now()
    await ctx.session.flush()
    await _wake(ctx)
    return HookAnswer(True)


# ------------------------------------------------------------------ what is due


@operation(audited=False)
async def start_due_configurations(ctx: Context) -> int:
    """Enqueue the operations of a portion of the configurations that are due; how many.

    A space with an open operation has its turn when that has ended. An export that has failed is
    tried again when the space is edited, or the branch is looked at the next time.
    """
    must_be_operator(ctx)
    now = ctx.now()
    busy = exists().where(
        Job.unique_key == literal("git:") + GitConfiguration.space_id, Job.due_at.is_not(None)
    )
    written = written_revision_of(Space)
    edited = (
        (written != func.coalesce(GitSync.last_revision_id, ""))
        & (written != func.coalesce(GitConfiguration.tried_revision_id, ""))
        & or_(
            GitConfiguration.direction == Direction.EXPORT,
            # The first synchronisation of both sides is an import.
            (GitConfiguration.direction == Direction.BOTH) & GitSync.space_id.is_not(None),
        )
    )
    due = (
        select(GitConfiguration, Space.organization_id, written)
        .join(Space, Space.id == GitConfiguration.space_id)
        .outerjoin(GitSync, GitSync.space_id == GitConfiguration.space_id)
        .where(
            GitConfiguration.enabled,
            Space.deleted_at.is_(None),
            or_(GitConfiguration.next_at <= now, edited),
            ~busy,
        )
        .order_by(GitConfiguration.next_at, GitConfiguration.space_id)
        .limit(PORTION)
    )
    rows = (await ctx.session.execute(due)).all()
    jobs = []
    for row, organization_id, revision_id in rows:
        looks = row.next_at is not None and row.next_at <= now
        exports = row.direction is Direction.EXPORT or not looks
        jobs.append(_job(row, organization_id, now, exports=exports))
        if looks:
            pause = row.interval_minutes
            row.next_at = None if pause is None else now + dt.timedelta(minutes=pause)
        row.tried_revision_id = revision_id if exports else None
    await ctx.session.flush()
    await enqueue_of_server(ctx, jobs)
    return len(jobs)


def _job(row: GitConfiguration, organization_id: str, now: dt.datetime, *, exports: bool) -> NewJob:
    arguments: dict[str, Any] = {
        "space": row.space_id, "url": row.url, "ref": row.ref, "cache": None,
        "treeUrl": row.tree_url, "commitUrl": row.commit_url, "directory": row.directory,
        "timestamp": now.isoformat(), "force": False, "connected": True, "owner": row.owner_id,
    }  # fmt: skip
    if exports:
        arguments["message"] = row.commit_message
    return NewJob(
        kind=JobKind.GIT_EXPORT if exports else JobKind.GIT_IMPORT,
        organization_id=organization_id,
        space_id=row.space_id,
        arguments=arguments,
        unique_key=f"git:{row.space_id}",
        owner_id=row.owner_id,
    )
