"""An import: the content of a space becomes that of a commit."""

import asyncio

from dulwich.objects import ObjectID

from content.errors import SourceError
from content.git.layout import read_space
from content.git.space_import import SpaceImport
from content.sources.git import git_errors, open_commit
from content.sources.tree import SourceTree
from db.git_enums import GitDirection, GitStage
from jobs.git.cache import Clone, Objects
from jobs.git.operations import NothingToDo, Sync, synchronise
from jobs.git.remote import LIMITS
from jobs.import_docs import Prepared, keep_files, prepare
from jobs.kinds import Json, Work
from resolvers.core.context import Context
from resolvers.core.runners import run
from resolvers.git.records import Request, Standing, complete
from resolvers.imports.app_links import lead_changes
from resolvers.revisions.states import write_revision
from resolvers.revisions.write_targets import expect_revision, open_target
from resolvers.writing.commits import activate_revision

SAME = "the space has the content of this commit already"
# Warnings of a result, and characters of one.
WARNINGS, WARNING_LENGTH = 200, 1000


async def do_import(work: Work) -> Json | None:
    """Carry out an import; the write of its revision ends the job."""
    return await synchronise(work, _import)


async def _import(sync: Sync, clone: Clone) -> None:
    request, standing = sync.request, sync.standing
    repository = await sync.remote.look()
    sync.commit = commit = repository.commit_of(request.ref)
    same = (standing.revision_git or {}).get("oid") == commit
    if same and not request.force and not request.standalone:
        raise NothingToDo(SAME)
    await sync.begin()
    await sync.remote.fetch(repository, clone, commit)
    objects = await asyncio.to_thread(clone.open)
    try:
        sync.stage(GitStage.CONFIG_CHECK)
        source = await asyncio.to_thread(_open, objects, request, commit)
        content = await asyncio.to_thread(_read, source, request)
        sync.stage(GitStage.CONTENT_PROCESS)
        prepared = await asyncio.to_thread(prepare, content, source.commit, sync.progress)
        sync.stage(GitStage.FINALIZE)
        await keep_files(sync.ctx, standing.space_id, prepared)
    finally:
        await asyncio.to_thread(objects.close)
    await run(
        sync.ctx, import_git_commit, sync.job_id, request, standing, prepared, commit,
        [warning[:WARNING_LENGTH] for warning in content.warnings[:WARNINGS]],
    )  # fmt: skip


def _open(objects: Objects, request: Request, commit: str) -> SourceTree:
    """The tree of a commit; SourceError for what is beyond the limits, or has unsafe paths."""
    with git_errors(f"the commit {commit}"):
        return open_commit(
            "repository", objects.__getitem__, ObjectID(commit.encode()), request.ref, LIMITS,
            lambda: None, place=f"the commit {commit}",
        )  # fmt: skip


def _read(source: SourceTree, request: Request) -> SpaceImport:
    """The content of a tree; SourceError where there is none, unless that is forced."""
    content = read_space(source, directory=request.directory)
    if not content.pages and not request.force:
        raise SourceError(
            "there is no page in the folder, so the import would empty the space; say `force` to "
            f"do that: {' '.join(content.warnings)[:WARNING_LENGTH]}"
        )
    return content


async def import_git_commit(
    ctx: Context,
    job_id: str,
    request: Request,
    standing: Standing,
    prepared: Prepared,
    commit: str,
    warnings: list[str],
) -> None:
    """Write the content of a commit as a revision, which is the newest one of the space unless the
    import is standalone; its job ends with it."""
    target = await open_target(ctx, standing.space_id)
    # What was written meanwhile is looked at first: the job is tried again.
    expect_revision(target.revision.id, standing.revision_id)
    await lead_changes(ctx, prepared.changes)
    git = {**(prepared.git or {}), "url": request.commit_address(commit)}
    revision = await write_revision(ctx, standing.space_id, None, prepared.changes, git=git)
    revision.parents = [target.revision.id]
    if not request.standalone:
        await activate_revision(ctx, target, revision)
    await complete(
        ctx, job_id, request, standing, GitDirection.IMPORT, commit=commit,
        revision_id=revision.id, result={"warnings": warnings},
    )  # fmt: skip
