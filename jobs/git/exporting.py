"""An export: the branch of a repository gets a commit with the content of a space.

What is written stands on the tip of the branch. Where the tip has commits that the space does not
have yet, what the space changes since the last synchronisation is written on top of them, file by
file; a file that both sides have changed fails the operation, unless it is forced.
"""

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from dulwich.objects import ObjectID

from content.errors import SourceError
from content.git.layout import read_space
from content.git.tree_changes import TreeChanges
from content.git.writer import Tip, write_space
from content.sources.commits import NewCommit, Person, make_commit
from content.sources.differences import changed_paths
from content.sources.git import git_errors
from content.sources.tree import SourceTree
from db.enums import Role
from db.git_enums import GitDirection, GitStage
from db.models.spaces import Space
from jobs.git.cache import Clone, Objects
from jobs.git.importing import blobs_of, open_tree
from jobs.git.operations import NothingToDo, Sync, synchronise
from jobs.git.remote import LostPush, RefusedPush, Repository
from jobs.kinds import Json, Work
from resolvers.access.policy import must
from resolvers.core.context import Context
from resolvers.core.runners import read, run
from resolvers.git.contents import RevisionContent, revision_content
from resolvers.git.records import Request, Standing, authors_of, complete
from resolvers.imports.tree_writes import stored_content
from resolvers.imports.trees import known_in
from resolvers.revisions.git_marks import git_mark, is_synced, synced_digest
from resolvers.revisions.rows import File, Page, ReusableContent
from resolvers.revisions.states import Changes, get_in_space, write_revision
from resolvers.revisions.write_targets import open_target
from resolvers.writing.commits import activate_revision

THERE = "the revision is in Git already"
EMPTY = "the space has no content"
# How often an export begins anew because somebody else was faster.
ATTEMPTS = 4
# Files that an error names.
MOST_NAMED = 50


async def do_export(work: Work) -> Json | None:
    """Carry out an export; the write of its marks ends the job."""
    return await synchronise(work, _export)


async def _export(sync: Sync, clone: Clone) -> None:
    if (sync.standing.revision_git or {}).get("oid") and not sync.request.force:
        raise NothingToDo(THERE)
    for attempt in range(1, ATTEMPTS + 1):
        repository = await sync.remote.look()
        pushing = await sync.remote.look_to_push()
        old = pushing.advertisement.refs.get(sync.request.ref)
        try:
            await _export_onto(sync, clone, repository, pushing, old)
        except RefusedPush:
            moved = (await sync.remote.look()).advertisement.refs.get(sync.request.ref) != old
            if attempt == ATTEMPTS or not moved:
                raise
        else:
            return


@dataclass(frozen=True, slots=True)
class Export:
    """What an export writes: the changes of the tree, the commit (None where nothing differs), and
    the content root."""

    changes: TreeChanges
    commit: NewCommit | None
    root: str
    # Ids of blobs by path, of the tree that the content was compared with.
    blobs: Mapping[str, str]


async def _export_onto(
    sync: Sync, clone: Clone, repository: Repository, pushing: Repository, old: str | None
) -> None:
    """Write on top of a commit of the branch; where there is no branch, of the default one."""
    request, standing = sync.request, sync.standing
    advertisement = repository.advertisement
    tip = old or advertisement.refs.get(advertisement.default_branch or "")
    sync.commit = old
    await sync.begin()
    if tip is not None:
        await sync.remote.fetch(repository, clone, tip)
    authors = [Person(*person) for person in await read(sync.ctx, authors_of, standing)]
    objects = await asyncio.to_thread(clone.open)
    try:
        sync.stage(GitStage.CONFIG_CHECK)
        base = await asyncio.to_thread(_base, objects, request, standing, tip)
        tree = None if base is None else await asyncio.to_thread(_open, objects, base, request)
        blobs = {} if tree is None else {path: tree.blob_oid(path) or "" for path in tree.paths()}
        sync.stage(GitStage.CONTENT_PROCESS)
        content = await read(sync.ctx, _content, standing, frozenset(blobs.values()))
        plan = await asyncio.to_thread(
            _plan, sync, objects, content, tree, blobs, base, tip, authors
        )
    finally:
        await asyncio.to_thread(objects.close)
    sync.stage(GitStage.FINALIZE)
    commit = plan.commit
    if commit is None and tip is None:
        raise NothingToDo(EMPTY)
    if commit is None and old is None:
        assert tip is not None
        # The branch is made where it has nothing of its own.
        commit = NewCommit(tip, (), {})
    if commit is not None:
        await _push(sync, pushing, commit, old)
    sync.commit = tip if commit is None else commit.oid
    await run(sync.ctx, record_git_export, sync.job_id, request, standing, content, plan,
              sync.commit or "")  # fmt: skip


async def _push(sync: Sync, pushing: Repository, commit: NewCommit, old: str | None) -> None:
    """Push; where the answer is lost, what the branch is now says whether it has arrived."""
    try:
        await sync.remote.push(pushing, commit, old, sync.request.ref)
    except LostPush as error:
        now = (await sync.remote.look()).advertisement.refs.get(sync.request.ref)
        if now != commit.oid:
            raise RefusedPush(error.message) from error


def _base(objects: Objects, request: Request, standing: Standing, tip: str | None) -> str | None:
    """The commit that the content is compared with: the one that was synchronised last, or the tip
    where there is none."""
    last = standing.last_oid
    place = standing.last_repository, standing.last_ref, standing.last_directory
    if tip is None or last is None or place != (request.url, request.ref, request.directory):
        return tip
    if ObjectID(last.encode()) not in objects:
        if request.force:
            return tip
        raise SourceError(
            f"the commit {last}, which was synchronised last, is not in the repository any more; "
            "import what is there first, or say `force` to write over it"
        )
    return last


def _open(objects: Objects, commit: str, request: Request) -> SourceTree:
    return open_tree(objects, commit, request.ref)


async def _content(ctx: Context, standing: Standing, blobs: frozenset[str]) -> RevisionContent:
    await must(ctx, Space, standing.space_id, Role.CREATE)
    revision = await get_in_space(ctx, standing.space_id, standing.revision_id)
    return await revision_content(ctx, revision, standing.title, blobs)


def _plan(
    sync: Sync,
    objects: Objects,
    content: RevisionContent,
    tree: SourceTree | None,
    blobs: Mapping[str, str],
    base: str | None,
    tip: str | None,
    authors: list[Person],
) -> Export:
    """What is to be written; takes a while, so it runs in a thread."""
    request, access = sync.request, sync.ctx.git_access
    before, root = None, request.directory
    if tree is not None:
        layout = read_space(tree, directory=request.directory)
        ids = known_in(layout, content.stored, tree.read, blobs_of(objects))
        before, root = Tip(tree, layout, ids), layout.root
    changes = write_space(
        before, content.content, synced=_synced(content), directory=request.directory,
        outside=content.outside,
    )  # fmt: skip
    if changes.problems:
        raise SourceError(_named([f"{bad.path}: {bad.problem}" for bad in changes.problems]))
    files: dict[str, bytes | None] = {path: data.read() for path, data in changes.writes.items()}
    files |= dict.fromkeys(changes.deletes)
    if base is not None and tip is not None and base != tip:
        with git_errors("the repository"):
            theirs = changed_paths(objects.__getitem__, base, tip)
        _refuse_conflicts(files, theirs, objects, forced=request.force)
    with git_errors("the repository"):
        commit = make_commit(
            objects.__getitem__, tip, files, request.message,
            Person(access.author_name, access.author_email), sync.ctx.now(),
            co_authors=authors,
        )  # fmt: skip
    return Export(changes, commit, root, blobs)


def _synced(content: RevisionContent) -> set[str]:
    """The files that a synchronisation has written or read: no others are deleted."""
    stored = content.stored
    rows: list[Page | File | ReusableContent] = [
        *stored.pages.values(), *stored.files.values(), *stored.contents.values(),
    ]  # fmt: skip
    return {str(row.git["path"]) for row in rows if row.git and "path" in row.git}


def _refuse_conflicts(
    ours: Mapping[str, bytes | None],
    theirs: Mapping[str, str | None],
    objects: Objects,
    *,
    forced: bool,
) -> None:
    """SourceError where both sides have changed a file, and not to the same."""
    read_blob = blobs_of(objects)
    conflicts = [
        path
        for path, data in ours.items()
        if path in theirs
        and data != (None if theirs[path] is None else read_blob(str(theirs[path])))
    ]
    if conflicts and not forced:
        raise SourceError(
            f"{_named(sorted(conflicts))}: changed in the repository and in the space since they "
            "were synchronised; import first, or say `force` to write over what is there"
        )


def _named(texts: list[str]) -> str:
    more = len(texts) - MOST_NAMED
    return "; ".join([*texts[:MOST_NAMED], *([f"and {more} more"] if more > 0 else [])])


async def record_git_export(
    ctx: Context,
    job_id: str,
    request: Request,
    standing: Standing,
    content: RevisionContent,
    plan: Export,
    commit: str,
) -> None:
    """Note where pages and files stand in Git, in a revision with the same content, and the commit
    that it is unless somebody has edited meanwhile; the job ends with it."""
    target = await open_target(ctx, standing.space_id)
    newest = content.stored
    if target.revision.id != standing.revision_id:
        newest = await stored_content(ctx, target.revision)
    marked = Changes(
        pages=dict(_marked(newest.pages, content.stored.pages, plan.changes.paths.pages, plan)),
        files=dict(_marked(newest.files, content.stored.files, plan.changes.paths.files, plan)),
        contents=dict(
            _marked(newest.contents, content.stored.contents, plan.changes.paths.contents, plan)
        ),
    )
    git = None
    if target.revision.id == standing.revision_id:
        git = {
            "oid": commit, "message": request.message, "created_by_service": True,
            "url": request.commit_address(commit), "ref": request.ref,
        }  # fmt: skip
        same = (target.revision.git or {}).get("oid") == commit
        if same and not (marked.pages or marked.files or marked.contents):
            git = None
    revision = await write_revision(ctx, standing.space_id, target.revision, marked, git=git)
    if revision.id != target.revision.id:
        await activate_revision(ctx, target, revision)
    await complete(
        ctx, job_id, request, standing, GitDirection.EXPORT, commit=commit,
        revision_id=revision.id, result={"warnings": list(plan.changes.warnings[:200])},
    )  # fmt: skip


Row = TypeVar("Row", Page, File, ReusableContent)


def _marked(
    newest: Mapping[str, Row], exported: Mapping[str, Row], paths: Mapping[str, str], plan: Export
) -> Iterator[tuple[str, Row]]:
    """The rows whose marks of Git are others now; what was exported says whether they are as their
    blobs have them."""
    written = {} if plan.commit is None else plan.commit.blobs
    for id, path in paths.items():
        row, old = newest.get(id), exported[id]
        if row is None:
            continue
        here = old.git is not None and old.git.get("path") == path
        if here and path not in written and (isinstance(old, File) or is_synced(old)):
            continue
        oid = written.get(path) or plan.blobs.get(path)
        if oid is None:
            # A page without a text may have no file.
            continue
        mark = git_mark(oid, path, plan.root)
        if not isinstance(old, File):
            mark["digest"] = synced_digest(old)
        if row.git != mark:
            yield id, replace(row, git=mark)
