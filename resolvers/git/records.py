"""What the job of a Git operation reads and writes: where the space stands, how it ended.

A job has the rights of whoever has started it; each step asks for them again.
"""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Integer, String, bindparam, delete, select

from db.content_enums import ContributionAction
from db.enums import Role
from db.event_enums import EventType
from db.git_enums import GitDirection, GitOperationState
from db.models.change_requests import Contributor
from db.models.git import GitConfiguration, GitCredential, GitSync
from db.models.jobs import Job
from db.models.organizations import User
from db.models.spaces import Space, written_revision
from db.prepared import KEY
from resolvers.access.policy import must, must_be_operator
from resolvers.core.audit_notes import note_fact
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.errors import PreconditionFailed
from resolvers.core.event_drafts import Draft
from resolvers.core.sealing import UnsealedError
from resolvers.core.statements import Viewer, Written, statement
from resolvers.git.operations import sync_of
from resolvers.revisions.states import find_in_space, get_in_space

Json = dict[str, Any]
# How long credentials wait for the end of their operation.
CREDENTIAL_LIFETIME = dt.timedelta(days=1)
PORTION = 500
# People that a commit names.
MOST_AUTHORS = 50


@dataclass(frozen=True, slots=True)
class Request:
    """What was asked of an operation, from the arguments of its job."""

    url: str
    ref: str
    cache: str | None
    tree_url: str | None
    commit_url: str | None
    directory: str
    timestamp: dt.datetime
    force: bool
    standalone: bool
    message: str
    dry_run: bool = False
    # Whether a configuration of the space has started it, whose credentials are used.
    connected: bool = False

    @classmethod
    def of(cls, arguments: Mapping[str, Any]) -> "Request":
        """From the arguments as resolvers/git/operations.py writes them."""
        return cls(
            arguments["url"],
            arguments["ref"],
            arguments["cache"],
            arguments["treeUrl"],
            arguments["commitUrl"],
            arguments["directory"],
            dt.datetime.fromisoformat(arguments["timestamp"]),
            arguments["force"],
            arguments.get("standalone", False),
            arguments.get("message", ""),
            arguments.get("dryRun", False),
            arguments.get("connected", False),
        )

    def commit_address(self, oid: str) -> str | None:
        """Where a commit is shown."""
        return None if self.commit_url is None else f"{self.commit_url.rstrip('/')}/{oid}"


@dataclass(frozen=True, slots=True)
class Standing:
    """A space at the beginning of an operation: its revision with the commit that it is, and what
    was synchronised last."""

    space_id: str
    organization_id: str
    title: str
    revision_id: str
    revision_git: Mapping[str, Any] | None
    last_timestamp: dt.datetime | None
    last_oid: str | None
    last_repository: str | None
    last_ref: str | None
    last_directory: str | None
    last_revision_id: str | None
    # As they stand in the URL; None without any.
    credentials: str | None

    def synced_commit(self, request: Request) -> str | None:
        """The commit that the space has in common with the branch of an operation."""
        place = self.last_repository, self.last_ref, self.last_directory
        same = place == (request.url, request.ref, request.directory)
        return self.last_oid if same else None


@statement
def _credential(viewer: Viewer) -> Written:
    return select(GitCredential.sealed).where(
        GitCredential.job_id == bindparam("job_id", type_=KEY)
    )


@statement
def _last(viewer: Viewer) -> Written:
    return select(GitSync).where(GitSync.space_id == bindparam("space_id", type_=KEY))


@statement
def _connected(viewer: Viewer) -> Written:
    return select(GitConfiguration.credentials.label("sealed")).where(
        GitConfiguration.space_id == bindparam("space_id", type_=KEY),
        # Never those of another repository.
        GitConfiguration.url == bindparam("url", type_=String()),
    )


async def _sealed(ctx: Context, request: Request, space_id: str, job_id: str) -> str | None:
    if request.connected:
        rows = await _connected.rows(ctx, space_id=space_id, url=request.url)
    else:
        rows = await _credential.rows(ctx, job_id=job_id)
    return rows[0].sealed if rows else None


async def standing_of(ctx: Context, space_id: str, job_id: str, request: Request) -> Standing:
    """Where a space stands for an operation of it, for whoever may synchronise it."""
    space = await must(ctx, Space, space_id, Role.CREATE)
    revision = await get_in_space(ctx, space.id, written_revision(space))
    rows = await _last.rows(ctx, space_id=space_id)
    last = rows[0] if rows else None
    sealed = await _sealed(ctx, request, space.id, job_id)
    lifetime = None if request.connected else CREDENTIAL_LIFETIME
    return Standing(
        space.id,
        space.organization_id,
        space.title,
        revision.id,
        revision.git,
        last and last.last_timestamp,
        last and last.last_oid,
        last and last.last_repository,
        last and last.last_ref,
        last and last.last_directory,
        last and last.last_revision_id,
        None if sealed is None else _opened(ctx, sealed, lifetime),
    )


async def has_revision(ctx: Context, standing: Standing, id: str) -> bool:
    """Whether a space has a revision still."""
    await must(ctx, Space, standing.space_id, Role.CREATE)
    return await find_in_space(ctx, standing.space_id, id) is not None


def _opened(ctx: Context, sealed: str, lifetime: dt.timedelta | None) -> str:
    seconds = None if lifetime is None else int(lifetime.total_seconds())
    try:
        return ctx.git_access.sealer.open(sealed, seconds=seconds)
    except UnsealedError as error:
        raise PreconditionFailed(
            "its credentials cannot be opened any more; start it again"
        ) from error


@statement
def _contributors(viewer: Viewer) -> Written:
    edits = Contributor.action == ContributionAction.EDIT
    return (
        select(User.display_name, User.email)
        .join(Contributor, Contributor.user_id == User.id)
        .where(Contributor.change_request_id == bindparam("request_id", type_=KEY), edits)
        .order_by(Contributor.id)
        .limit(bindparam("most", type_=Integer()))
    )


@statement
def _author(viewer: Viewer) -> Written:
    return select(User.display_name, User.email).where(User.id == bindparam("user_id", type_=KEY))


async def authors_of(ctx: Context, standing: Standing) -> list[tuple[str, str]]:
    """Names and addresses of those who have written the revision: of the merged change request
    whoever has edited it, else who has made the revision."""
    await must(ctx, Space, standing.space_id, Role.CREATE)
    revision = await get_in_space(ctx, standing.space_id, standing.revision_id)
    rows: Sequence[Any] = ()
    if revision.merged_from_id is not None:
        rows = await _contributors.rows(ctx, request_id=revision.merged_from_id, most=MOST_AUTHORS)
    elif revision.author_id is not None:
        rows = await _author.rows(ctx, user_id=revision.author_id)
    return [(row.display_name, row.email) for row in rows]


@operation(audited=False)
async def begin_git_operation(ctx: Context, standing: Standing, commit: str | None) -> None:
    """Say that an operation goes on with a commit: the one to import, or the tip of the branch."""
    await must(ctx, Space, standing.space_id, Role.CREATE)
    _note(ctx, EventType.SPACE_GITSYNC_STARTED, standing, standing.revision_id, commit, {})


@operation(audited=False)
async def end_git_operation(
    ctx: Context,
    job_id: str,
    standing: Standing | None,
    state: GitOperationState,
    commit: str | None,
    result: Json | None = None,
    *,
    done: bool = False,
) -> None:
    """Say that an operation has ended and has changed nothing; its credentials go. Where it is
    `done` the job ends, too; otherwise its result says what is wrong."""
    job = await must(ctx, Job, job_id)
    await forget_credential(ctx, job_id)
    if standing is not None:
        data = {"state": state.value}
        _note(ctx, EventType.SPACE_GITSYNC_COMPLETED, standing, standing.revision_id, commit, data)
    if done and ctx.lease is not None:
        ctx.lease.finish(result)
    elif result is not None:
        job.result = result


async def complete(
    ctx: Context,
    job_id: str,
    request: Request,
    standing: Standing,
    direction: GitDirection,
    *,
    commit: str,
    revision_id: str,
    result: Json,
    synced_revision_id: str | None = None,
) -> None:
    """In the transaction of the last write of an operation: note how far the space is, forget the
    credentials, leave the event, end the job.

    `synced_revision_id` has the content of the commit, where `revision_id` has more.
    """
    if not request.standalone:
        sync = await sync_of(ctx, standing.space_id)
        sync.last_timestamp, sync.last_direction = request.timestamp, direction
        note_synced(sync, request, commit, synced_revision_id or revision_id)
    await forget_credential(ctx, job_id)
    data = {"state": GitOperationState.SUCCESS.value}
    _note(ctx, EventType.SPACE_GITSYNC_COMPLETED, standing, revision_id, commit, data)
    if ctx.lease is not None:
        ctx.lease.finish({"revision": revision_id, "commit": commit, **result})


def note_synced(sync: GitSync, request: Request, commit: str, revision_id: str) -> None:
    """Note what space and branch have in common: a commit, and a revision with its content."""
    sync.last_repository, sync.last_ref = request.url, request.ref
    sync.last_directory = request.directory
    sync.last_oid, sync.last_revision_id = commit, revision_id


def _note(
    ctx: Context,
    type: EventType,
    standing: Standing,
    revision_id: str,
    commit: str | None,
    data: Json,
) -> None:
    note_fact(
        ctx.session,
        Draft(
            type=type,
            object_id=standing.space_id,
            space_id=standing.space_id,
            organization_id=standing.organization_id,
            revision_id=revision_id,
            data={**data, "commitId": commit or ""},
        ),
    )


async def forget_credential(ctx: Context, job_id: str) -> None:
    """Forget the credentials of an operation."""
    await ctx.session.execute(delete(GitCredential).where(GitCredential.job_id == job_id))


@operation(audited=False)
async def forget_credentials(ctx: Context, before: dt.datetime) -> int:
    """Forget a portion of the credentials of operations that have ended, or were begun before a
    time; how many."""
    must_be_operator(ctx)
    over = (
        select(GitCredential.job_id)
        .join(Job, Job.id == GitCredential.job_id)
        .where((GitCredential.created_at < before) | Job.due_at.is_(None))
        .limit(PORTION)
    )
    return await ctx.session.change(delete(GitCredential).where(GitCredential.job_id.in_(over)))
