"""An export: the branch of a repository gets a commit with the content of a space.

What is written stands on the tip of the branch. Where the tip has commits that the space does not
have yet, these are merged into the space first; what both sides have changed fails the operation,
unless it is forced.
"""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from dulwich.objects import ObjectID

from content.errors import SourceError
from content.git.layout import read_space
from content.git.space_import import SpaceImport
from content.git.tree_changes import TreeChanges
from content.git.writer import Tip, write_space
from content.sources.commits import NewCommit, Person, make_commit
from content.sources.git import git_errors
from content.sources.tree import SourceTree
from db.enums import Role
from db.git_enums import GitDirection, GitStage
from db.models.spaces import Space
from jobs.git.cache import Clone, Objects
from jobs.git.importing import (
    Incoming,
    base_of,
    blobs_of,
    named,
    open_tree,
    pages_of,
    read_commit,
    store_merged,
    texts_of,
)
from jobs.git.large_files import give_large_files
from jobs.git.large_texts import LargeTexts
from jobs.git.operations import NothingToDo, Planned, Sync, bounded_warnings, synchronise
from jobs.git.remote import LostPush, RefusedPush, Repository
from jobs.kinds import Json, Work
from resolvers.access.policy import must
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.runners import read, run
from resolvers.git.contents import RevisionContent, revision_content
from resolvers.git.operations import sync_of
from resolvers.git.plans import Conflict, plan_of_export
from resolvers.git.records import (
    Request,
    Standing,
    authors_of,
    complete,
    note_synced,
    standing_of,
)
from resolvers.imports.tree_writes import keep_new_files, store_update, stored_content
from resolvers.imports.trees import known_in
from resolvers.revisions.git_marks import git_mark, is_synced, synced_digest, tree_url_of
from resolvers.revisions.rows import File, Page, ReusableContent
from resolvers.revisions.states import Changes, get_in_space, write_revision
from resolvers.revisions.write_targets import open_target
from resolvers.writing.commits import activate_revision

THERE = "the revision is in Git already"
EMPTY = "the space has no content"
# How often an export begins anew because somebody else was faster.
ATTEMPTS = 4


async def do_export(work: Work) -> Json | None:
    """Carry out an export; the write of its marks ends the job."""
    return await synchronise(work, _export)


async def _export(sync: Sync, clone: Clone) -> None:
    request = sync.request
    if (sync.standing.revision_git or {}).get("oid") and not (request.force or request.dry_run):
        raise NothingToDo(THERE)
    for attempt in range(1, ATTEMPTS + 1):
        repository = await sync.remote.look()
        pushing = await sync.remote.look_to_push()
        old = pushing.advertisement.refs.get(request.ref)
        try:
            await _export_onto(sync, clone, repository, pushing, old)
        except RefusedPush:
            moved = (await sync.remote.look()).advertisement.refs.get(request.ref) != old
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
    # What addresses of files outside of the content begin with.
    tree_url: str


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
    conflicts: Sequence[Conflict] = ()
    layout: SpaceImport | None = None
    large = clone.aside()
    texts = texts_of(sync, large.name)
    try:
        base = await asyncio.to_thread(_base, objects, request, standing, tip)
        if base is not None and tip is not None and base != tip:
            incoming = await _take_in(sync, objects, tip, texts)
            if incoming.merged is not None:
                conflicts = incoming.merged.conflicts if request.dry_run else ()
            standing = sync.standing
            # The commit that is compared with was read just now.
            layout = None if request.dry_run else incoming.update.source
            base = base if request.dry_run else tip
        sync.stage(GitStage.CONFIG_CHECK)
        tree = None if base is None else await asyncio.to_thread(_open, objects, base, request)
        blobs = {} if tree is None else {path: tree.blob_oid(path) or "" for path in tree.paths()}
        sync.stage(GitStage.CONTENT_PROCESS)
        content = await read(sync.ctx, _content, standing, frozenset(blobs.values()))
        tree_url = tree_url_of(content.stored.pages.values())
        if tree is not None:
            tree, layout = await _layout(request, standing, content, tree, layout, tree_url, texts)
        plan = await asyncio.to_thread(
            _plan, request, objects, content, tree, layout, blobs, tree_url
        )
        if request.dry_run:
            planned = plan_of_export(plan.changes, tree)
            raise Planned(replace(planned, conflicts=[*planned.conflicts, *conflicts]))
        pointers = await give_large_files(plan.changes, tree, sync.remote.large_objects())
        plan = await asyncio.to_thread(_with_commit, sync, objects, plan, pointers, tip, authors)
    finally:
        await asyncio.to_thread(objects.close)
        await asyncio.to_thread(large.cleanup)
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


async def _take_in(sync: Sync, objects: Objects, tip: str, texts: LargeTexts) -> Incoming:
    """Merge the commits of the branch that the space does not have into it, so that none of them is
    lost by the export. Conflicting where both sides have changed the same, unless forced; a plan
    gets the conflicts."""
    request, standing = sync.request, sync.standing
    base = await base_of(sync)
    incoming = await read_commit(sync, objects, tip, base, texts, space_wins=request.force)
    if request.dry_run:
        return incoming
    incoming.must_be_clean()
    await keep_new_files(sync.ctx, incoming.update)
    await run(sync.ctx, take_in_commit, request, standing, incoming, tip)
    sync.standing = await read(sync.ctx, standing_of, standing.space_id, sync.job_id, request)
    return incoming


@operation(takes_turns=True, action="import_git_commit")
async def take_in_commit(
    ctx: Context, request: Request, standing: Standing, incoming: Incoming, tip: str
) -> None:
    """Write a commit of the branch into the space, before the space is exported on top of it."""
    if incoming.merged is None:
        synced = (await store_update(ctx, incoming.update)).revision.id
    else:
        await store_merged(ctx, incoming.update, incoming.merged)
        synced = incoming.merged.commit_revision_id
    note_synced(await sync_of(ctx, standing.space_id), request, tip, synced)


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
    last = standing.synced_commit(request)
    if tip is None or last is None:
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


async def _layout(
    request: Request,
    standing: Standing,
    content: RevisionContent,
    tree: SourceTree,
    layout: SpaceImport | None,
    tree_url: str,
    texts: LargeTexts,
) -> tuple[SourceTree, SpaceImport]:
    """A tree with the texts that Git LFS keeps, and its layout, where that was not read already."""
    if layout is not None and layout.tree_url == tree_url:
        return texts.over(tree), layout
    facts = content.stored.facts()
    return await texts.read(
        tree,
        lambda tree, noting: read_space(
            tree, directory=request.directory, tree_url=tree_url, facts=facts,
            read_file=noting(pages_of(standing)), behind_pointers=True,
        ),
    )  # fmt: skip


def _plan(
    request: Request,
    objects: Objects,
    content: RevisionContent,
    tree: SourceTree | None,
    layout: SpaceImport | None,
    blobs: Mapping[str, str],
    tree_url: str,
) -> Export:
    """What is to be written, without a commit; takes a while, so it runs in a thread."""
    before, root = None, request.directory
    if tree is not None and layout is not None:
        ids = known_in(layout, content.stored, tree.read, blobs_of(objects))
        before, root = Tip(tree, layout, ids), layout.root
    changes = write_space(
        before, content.content, synced=_synced(content), directory=request.directory,
        outside=content.outside,
    )  # fmt: skip
    if changes.problems and not request.dry_run:
        raise SourceError(named([f"{bad.path}: {bad.problem}" for bad in changes.problems]))
    return Export(changes, None, root, blobs, tree_url)


def _with_commit(
    sync: Sync,
    objects: Objects,
    plan: Export,
    large: Mapping[str, bytes],
    tip: str | None,
    authors: list[Person],
) -> Export:
    """The plan with its commit; `large` are pointers in place of files."""
    request, access = sync.request, sync.ctx.git_access
    files: dict[str, bytes | None] = dict.fromkeys(plan.changes.deletes)
    for path, written in plan.changes.writes.items():
        files[path] = large[path] if path in large else written.read()
    with git_errors("the repository"):
        commit = make_commit(
            objects.__getitem__, tip, files, request.message,
            Person(access.author_name, access.author_email), sync.ctx.now(),
            co_authors=authors,
        )  # fmt: skip
    return replace(plan, commit=commit)


def _synced(content: RevisionContent) -> set[str]:
    """The files that a synchronisation has written or read: no others are deleted."""
    stored = content.stored
    rows: list[Page | File | ReusableContent] = [
        *stored.pages.values(), *stored.files.values(), *stored.contents.values(),
    ]  # fmt: skip
    return {str(row.git["path"]) for row in rows if row.git and "path" in row.git}


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
    git, edited = None, None
    if target.revision.id != standing.revision_id:
        edited = standing.revision_id
    else:
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
        revision_id=revision.id, result={"warnings": bounded_warnings(plan.changes.warnings)},
        # Who has edited meanwhile has made a revision that is more than the commit.
        synced_revision_id=revision.id if edited is None else edited,
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
        if here and path not in written and is_synced(old):
            continue
        oid = written.get(path) or plan.blobs.get(path)
        if oid is None:
            # A page without a text may have no file.
            continue
        mark = git_mark(oid, path, plan.root, plan.tree_url)
        mark["digest"] = synced_digest(old)
        if row.git != mark:
            yield id, replace(row, git=mark)
