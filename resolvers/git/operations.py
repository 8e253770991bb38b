"""Synchronising a space with a Git repository: starting an import or an export, what is known.

The work is a job (jobs/git); here it is checked and enqueued. Credentials are in no row in a form
that the database alone could open, and go with the end of their operation.
"""

import datetime as dt
import posixpath
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any
from urllib.parse import urlsplit

import strawberry
from sqlalchemy import bindparam, or_, select

from content.errors import UnsafePathError
from content.sources.pkt_lines import ref_problem
from content.sources.tree import check_path
from db.enums import Role
from db.git_enums import GitProvider
from db.job_enums import JobKind, JobState
from db.models.git import DIRECTORY_LENGTH, NAME_LENGTH, REF_LENGTH, GitCredential, GitSync
from db.models.jobs import Job
from db.models.spaces import Space
from db.prepared import KEY
from fetching.errors import FetchError
from fetching.git import credentials_of, read_remote
from resolvers.access.policy import must, ranks_of
from resolvers.core import inputs
from resolvers.core.arguments import SpaceId
from resolvers.core.context import Context
from resolvers.core.deletions import Deletion, finding_what_to_delete
from resolvers.core.errors import (
    Conflict,
    Forbidden,
    NotFound,
    NothingToDelete,
    invalid,
    invalid_at,
)
from resolvers.core.inputs import Bounds
from resolvers.core.scalars import URL_LENGTH
from resolvers.core.statements import Viewer, Written, statement
from resolvers.jobs.queue import NewJob, check_room, enqueue

MESSAGE_LENGTH = 10_000
# Operations of one space that wait or run.
MOST_OPEN = 10
# An operation of which nothing was heard for so long has failed.
SILENCE = dt.timedelta(minutes=15)
IS_GIT = or_(Job.kind == JobKind.GIT_IMPORT, Job.kind == JobKind.GIT_EXPORT)
# Uploaded trees are operations as well, and wait for no other one.
IS_OPERATION = or_(IS_GIT, Job.kind == JobKind.TREE_IMPORT)
SILENT = "nothing was heard of it for 15 minutes; start it again"

_URL = (
    "The http or https address that the repository is cloned from. A user with a password or a "
    "token may stand in it; these are used for the operation and are shown nowhere."
)
_CACHE = (
    "Key of the clone that later operations of the organization go on with: the same key fetches "
    "what is new alone. That of the space when absent."
)
_TREE = "What addresses of files outside of the content begin with, such as that of a branch."
_COMMIT = "What addresses of commits begin with; the id of the commit follows it."
_DIRECTORY = "The folder with the configuration; that of the repository when absent."
_TIMESTAMP = (
    "When what has triggered it happened: one that is older than the last completed operation of "
    "the space does nothing. Now when absent, or when it is yet to come."
)
_FORCE = (
    "Whether to do it although the same or a newer state was synchronised already; it waits for "
    "operations that run."
)
_DRY_RUN = (
    "Whether to say only what would change: the operation has a plan and the conflicts then, and "
    "neither side is changed."
)
_INFO = "What is said of the repository from now on."


@strawberry.input(description="What is said of a repository.")
class GitInfoInput:
    provider: GitProvider | None = inputs.field("Where it is hosted.")
    url: str | None = inputs.text("Its page for people.", min=1, max=URL_LENGTH)


@strawberry.input(description="An import from a Git repository.")
class ImportGitRepositoryInput:
    url: str = inputs.text(_URL, required=True, min=1, max=URL_LENGTH)
    ref: str = inputs.text(
        "The full name of the branch, refs/heads/<branch>; of a standalone import any ref.",
        required=True,
        min=1,
        max=REF_LENGTH,
    )
    repo_cache_id: str | None = inputs.field(
        _CACHE, bounds=Bounds(1, NAME_LENGTH), name="repoCacheID"
    )
    repo_tree_url: str | None = inputs.field(
        _TREE, bounds=Bounds(1, URL_LENGTH), name="repoTreeURL"
    )
    repo_commit_url: str | None = inputs.field(
        _COMMIT, bounds=Bounds(1, URL_LENGTH), name="repoCommitURL"
    )
    repo_project_directory: str | None = inputs.text(_DIRECTORY, max=DIRECTORY_LENGTH)
    timestamp: dt.datetime | None = inputs.field(_TIMESTAMP)
    force: bool | None = inputs.field(_FORCE)
    dry_run: bool | None = inputs.field(_DRY_RUN)
    standalone: bool | None = inputs.field(
        "Whether to make a revision that is shown nowhere, such as the preview of a pull request."
    )
    git_info: GitInfoInput | None = inputs.field(_INFO)


@strawberry.input(description="An export to a Git repository.")
class ExportToGitRepositoryInput:
    url: str = inputs.text(_URL, required=True, min=1, max=URL_LENGTH)
    ref: str = inputs.text(
        "The full name of the branch, refs/heads/<branch>.", required=True, min=1, max=REF_LENGTH
    )
    commit_message: str = inputs.text(
        "The message of the commit.", required=True, min=1, max=MESSAGE_LENGTH
    )
    repo_cache_id: str | None = inputs.field(
        _CACHE, bounds=Bounds(1, NAME_LENGTH), name="repoCacheID"
    )
    repo_tree_url: str | None = inputs.field(
        _TREE, bounds=Bounds(1, URL_LENGTH), name="repoTreeURL"
    )
    repo_commit_url: str | None = inputs.field(
        _COMMIT, bounds=Bounds(1, URL_LENGTH), name="repoCommitURL"
    )
    repo_project_directory: str | None = inputs.text(_DIRECTORY, max=DIRECTORY_LENGTH)
    timestamp: dt.datetime | None = inputs.field(_TIMESTAMP)
    force: bool | None = inputs.field(_FORCE)
    dry_run: bool | None = inputs.field(_DRY_RUN)
    git_info: GitInfoInput | None = inputs.field(_INFO)


async def import_git_repository(
    ctx: Context, space_id: SpaceId, input: ImportGitRepositoryInput
) -> Job:
    """Make the content of a space that of a branch, for whoever may synchronise it (the role
    `create`). The work goes on by itself; pages keep their ids, and whatever fails has written
    nothing.

    CONFLICT (409) while another operation of the space runs, unless forced.
    """
    standalone = bool(input.standalone)
    arguments = {"standalone": standalone}
    return await _start(ctx, space_id, JobKind.GIT_IMPORT, input, arguments)


async def export_to_git_repository(
    ctx: Context, space_id: SpaceId, input: ExportToGitRepositoryInput
) -> Job:
    """Bring the content of a space to a branch as one commit, for whoever may synchronise it (the
    role `create`). The work goes on by itself; nothing is pushed by force, and nothing where no
    file would change.

    CONFLICT (409) while another operation of the space runs, unless forced.
    """
    return await _start(ctx, space_id, JobKind.GIT_EXPORT, input, {"message": input.commit_message})


async def _start(
    ctx: Context,
    space_id: str,
    kind: JobKind,
    input: ImportGitRepositoryInput | ExportToGitRepositoryInput,
    own: Mapping[str, Any],
) -> Job:
    space = await must(ctx, Space, space_id, Role.CREATE, lock=True)
    request = _checked(ctx, input, branches_only=not own.get("standalone"))
    await check_room(ctx, space.organization_id)
    await _take_turn(ctx, space.id, forced=bool(input.force))
    if input.git_info is not None and not input.dry_run:
        space.git_info = _info(ctx, input.git_info, request["url"])
    new = NewJob(
        kind=kind,
        organization_id=space.organization_id,
        space_id=space.id,
        arguments={"space": space.id, **request, **own},
        unique_key=None if input.force else f"git:{space.id}",
    )
    id = await enqueue(ctx, new)
    if id is None:
        raise _busy()
    credentials = credentials_of(input.url)
    if credentials is not None:
        sealed = ctx.git_access.sealer.seal(credentials)
        ctx.session.add(GitCredential(job_id=id, sealed=sealed, created_at=ctx.now()))
    return await must(ctx, Job, id)


def _busy() -> Conflict:
    return Conflict(
        "another Git operation of the space runs; wait until it has ended, or say `force`"
    )


async def _take_turn(ctx: Context, space_id: str, *, forced: bool) -> None:
    """Conflict where another operation of the space is open. One of which nothing was heard for
    long has failed."""
    of_space = Job.space_id == space_id, IS_GIT, Job.due_at.is_not(None)
    jobs = (await ctx.session.execute(select(Job).where(*of_space))).scalars().all()
    still_open = 0
    for job in jobs:
        # What runs is due when its lease ends.
        due_at = job.due_at if job.state is JobState.RUNNING else None
        if due_at is not None and due_at < ctx.now() - SILENCE:
            job.state, job.due_at, job.finished_at = JobState.FAILED, None, ctx.now()
            job.error = SILENT
        else:
            still_open += 1
    await ctx.session.flush()
    if still_open and (not forced or still_open >= MOST_OPEN):
        raise _busy()


def _checked(
    ctx: Context,
    input: ImportGitRepositoryInput | ExportToGitRepositoryInput,
    *,
    branches_only: bool,
) -> dict[str, Any]:
    """What the job gets of the input, without credentials; Invalid names what is not allowed."""
    url = check_repository(ctx, input.url)
    problem = ref_problem(input.ref, branches_only=branches_only)
    if problem is not None:
        raise invalid("ref", problem)
    check_address("repoTreeURL", input.repo_tree_url)
    check_address("repoCommitURL", input.repo_commit_url)
    if input.git_info is not None:
        check_address("gitInfo.url", input.git_info.url)
    # A clock that is ahead must not hold back what comes after it.
    timestamp = min(input.timestamp or ctx.now(), ctx.now())
    return {
        "url": url,
        "ref": input.ref,
        "cache": input.repo_cache_id,
        "treeUrl": input.repo_tree_url,
        "commitUrl": input.repo_commit_url,
        "directory": read_directory(input.repo_project_directory or ""),
        "timestamp": timestamp.isoformat(),
        "force": bool(input.force),
        "dryRun": bool(input.dry_run),
    }


def check_repository(ctx: Context, url: str) -> str:
    """The address of a repository without credentials; Invalid for what may not be reached."""
    with invalid_at("url", FetchError):
        remote = read_remote(url)
    if remote.location.scheme == "http" and not ctx.git_access.http:
        raise invalid(
            "url", "must begin with https; the operator of the server may allow http with "
            "DOCSTEAD_GIT_HTTP",
        )  # fmt: skip
    if ctx.git_access.fetcher.refuses(remote.url):
        raise invalid(
            "url",
            "is not on the public internet; the operator of the server may allow it with "
            "DOCSTEAD_FETCH_ALLOW",
        )
    return remote.url


def check_address(field: str, url: str | None) -> None:
    """Invalid for what is no http or https address, or one with credentials: it shows neither."""
    if url is None:
        return
    try:
        parts = urlsplit(url)
        good = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        good = False
    if not good or any(char.isspace() or not char.isprintable() for char in url):
        raise invalid(field, "must be an http or https address")
    if "@" in parts.netloc:
        raise invalid(field, "must hold no credentials")


def read_directory(path: str) -> str:
    """A folder of the repository; Invalid for a path that leaves it."""
    path = path.strip("/")
    if path in ("", "."):
        return ""
    with invalid_at("repoProjectDirectory", UnsafePathError):
        check_path(path)
    return posixpath.normpath(path)


# ------------------------------------------------------------------ what is known of a repository


def _info(ctx: Context, info: GitInfoInput, repository: str) -> dict[str, Any]:
    return {
        "provider": None if info.provider is None else info.provider.value,
        "url": info.url,
        "repoName": repo_name(repository),
        "updatedAt": ctx.now().isoformat(),
    }


async def sync_of(ctx: Context, space_id: str) -> GitSync:
    """The row of a space that is locked, a new one where it has none."""
    sync = await ctx.session.get(GitSync, space_id, populate_existing=True)
    if sync is None:
        sync = GitSync(space_id=space_id)
        ctx.session.add(sync)
    return sync


def repo_name(repository: str) -> str:
    """The last two parts of the path of a repository's address."""
    parts = [part for part in urlsplit(repository).path.split("/") if part]
    return "/".join(parts[-2:]).removesuffix(".git")[:NAME_LENGTH]


OfOperation = Annotated[
    strawberry.ID | None, inputs.argument("Id of one of them; the newest one when absent.")
]


@dataclass(frozen=True, slots=True)
class GitInfo:
    """What is known of the repository of a space; its integration, when one has said it."""

    repo_name: str | None
    installation_provider: GitProvider | None
    integration: str | None
    url: str | None
    updated_at: dt.datetime | None


def info_of(stored: Mapping[str, Any] | None) -> GitInfo | None:
    """What is stored of a repository; None where nobody has said anything."""
    if stored is None:
        return None
    provider = stored["provider"]
    return GitInfo(
        stored["repoName"],
        None if provider is None else GitProvider(provider),
        None,
        stored["url"],
        dt.datetime.fromisoformat(stored["updatedAt"]),
    )


async def get_git_info(ctx: Context, space_id: SpaceId) -> GitInfo:
    """What is known of the repository that a space is synchronised with, for its readers;
    NOT_FOUND where nobody has said anything."""
    space = await must(ctx, Space, space_id)
    if ctx.withholds:
        raise Forbidden("where the content comes from is nothing to visitors of sites")
    info = info_of(space.git_info)
    if info is None:
        raise NotFound("the space has no Git provider")
    return info


async def delete_legacy_git_installation(ctx: Context, space_id: SpaceId) -> Deletion:
    """Forget what is known of the repository of a space, for whoever administers it. Content and
    the order of operations stay."""
    with finding_what_to_delete():
        space = await must(ctx, Space, space_id, Role.CREATE, lock=True)
    if space.git_info is None:
        raise NothingToDelete("the space has no Git provider")
    space.git_info = None
    return Deletion(deleted_id=space.id, space_id=space.id)


# ------------------------------------------------------------------ operations


@statement
def _newest(viewer: Viewer) -> Written:
    running = (Job.state == JobState.RUNNING).desc()
    return (
        select(Job)
        .where(Job.space_id == bindparam("space_id", type_=KEY), IS_GIT)
        .order_by(running, Job.id.desc())
        .limit(1)
    )


@statement
def _named(viewer: Viewer) -> Written:
    in_space = Job.space_id == bindparam("space_id", type_=KEY)
    return select(Job).where(Job.id == bindparam("id", type_=KEY), in_space, IS_OPERATION)


async def get_git_operation(
    ctx: Context, space_id: SpaceId, operation_id: OfOperation = None
) -> Job:
    """The Git operation of a space that runs, or the last one, for whoever may synchronise it;
    NOT_FOUND where there is none. One that is named is for whoever has started it and for
    administrators, too, and may be an import of an upload."""
    if operation_id is not None:
        space = await must(ctx, Space, space_id)
        named = await _named.rows(ctx, space_id=space.id, id=operation_id)
        if not named:
            raise NotFound(f"the space has no operation {operation_id[:64]!r}")
        (rank,) = await ranks_of(ctx, Space, [space])
        if rank < Role.CREATE.rank:
            await must(ctx, Job, operation_id)
        operation: Job = named[0]
        return operation
    await must(ctx, Space, space_id, Role.CREATE)
    rows = await _newest.rows(ctx, space_id=space_id)
    if not rows:
        raise NotFound("the space has had no Git operation in the last 30 days")
    job: Job = rows[0]
    return job
