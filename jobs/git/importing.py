"""An import: the content of a space becomes that of a commit."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

from dulwich.objects import Blob, ObjectID

from content.errors import SourceError
from content.git.layout import read_space
from content.git.space_import import SpaceImport
from content.sources.git import git_errors, open_commit
from content.sources.tree import SourceTree
from db.git_enums import GitDirection, GitStage
from jobs.git.cache import Clone, Objects
from jobs.git.operations import NothingToDo, Sync, synchronise
from jobs.git.remote import LIMITS
from jobs.kinds import Json, Work
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.runners import run
from resolvers.git.records import Request, Standing, complete
from resolvers.imports.app_links import lead_changes
from resolvers.imports.tree_writes import (
    TreeUpdate,
    changes_of,
    keep_new_files,
    prepare_update,
    store_update,
)
from resolvers.revisions.states import write_revision
from resolvers.writing.received_files import Place, open_place

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
        source = await asyncio.to_thread(open_tree, objects, commit, request.ref)
        content = await asyncio.to_thread(_read, source, request)
        sync.stage(GitStage.CONTENT_PROCESS)
        update = await prepare_update(
            sync.ctx, Place(standing.space_id), content, source.commit,
            read_new=lambda path: source.read(path) if path in source else None,
            read_old=blobs_of(objects), progress=sync.progress,
        )  # fmt: skip
        sync.stage(GitStage.FINALIZE)
        await keep_new_files(sync.ctx, update)
    finally:
        await asyncio.to_thread(objects.close)
    git = {**(update.prepared.git or {}), "url": request.commit_address(commit)}
    update = replace(update, prepared=replace(update.prepared, git=git))
    warnings = [warning[:WARNING_LENGTH] for warning in content.warnings[:WARNINGS]]
    await run(sync.ctx, import_git_commit, sync.job_id, request, standing, update, commit, warnings)


def open_tree(objects: Objects, commit: str, ref: str) -> SourceTree:
    """The tree of a commit; SourceError for what is beyond the limits, or has unsafe paths."""
    with git_errors(f"the commit {commit}"):
        return open_commit(
            "repository", objects.__getitem__, ObjectID(commit.encode()), ref, LIMITS,
            lambda: None, place=f"the commit {commit}",
        )  # fmt: skip


def blobs_of(objects: Objects) -> Callable[[str], bytes | None]:
    """Reads blobs by their ids; None for those that are not here."""

    def read(oid: str) -> bytes | None:
        try:
            blob = objects[ObjectID(oid.encode())]
        except KeyError:
            return None
        return blob.as_raw_string() if isinstance(blob, Blob) else None

    return read


def _read(source: SourceTree, request: Request) -> SpaceImport:
    """The content of a tree; SourceError where there is none, unless that is forced."""
    content = read_space(source, directory=request.directory)
    if not content.pages and not request.force:
        raise SourceError(
            "there is no page in the folder, so the import would empty the space; say `force` to "
            f"do that: {' '.join(content.warnings)[:WARNING_LENGTH]}"
        )
    return content


@operation(takes_turns=True)
async def import_git_commit(
    ctx: Context,
    job_id: str,
    request: Request,
    standing: Standing,
    update: TreeUpdate,
    commit: str,
    warnings: list[str],
) -> None:
    """Write the content of a commit as a revision, which is the newest one of the space unless the
    import is standalone; its job ends with it.

    StaleRevision when the content has moved on since it was compared: the job is tried again.
    """
    if request.standalone:
        target = await open_place(ctx, update.place)
        changes = changes_of(ctx, update)
        await lead_changes(ctx, changes)
        git = update.prepared.git
        written = await write_revision(ctx, target.space_id, target.revision, changes, git=git)
        revision_id = written.id
    else:
        revision_id = (await store_update(ctx, update)).revision.id
    await complete(
        ctx, job_id, request, standing, GitDirection.IMPORT, commit=commit,
        revision_id=revision_id, result={"warnings": warnings},
    )  # fmt: skip
