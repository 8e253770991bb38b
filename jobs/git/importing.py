"""An import: the content of a space becomes that of a commit."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from dulwich.objects import Blob, ObjectID

from content.errors import SourceError
from content.git.layout import read_space
from content.git.lfs import POINTER_BYTES
from content.git.page_files import KnownPageFiles, PageFileReader
from content.git.space_import import FileFacts, SpaceImport
from content.sources.git import git_errors, open_commit
from content.sources.tree import SourceTree
from db.enums import Role
from db.git_enums import GitDirection, GitStage
from db.models.spaces import Space
from jobs.git.cache import Clone, Objects
from jobs.git.large_files import Budget, with_large_files
from jobs.git.large_texts import LargeTexts
from jobs.git.merging import CHANGED, MergedCommit, merge_commit
from jobs.git.operations import (
    WARNING_LENGTH,
    Conflicting,
    NothingToDo,
    Planned,
    Sync,
    bounded_warnings,
    synchronise,
)
from jobs.git.remote import LIMITS
from jobs.kinds import Json, Work
from resolvers.access.policy import must
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.runners import read, run
from resolvers.git.plans import Plan, plan_of_changes, plan_of_import
from resolvers.git.records import Request, Standing, complete, has_revision
from resolvers.imports.app_links import lead_changes
from resolvers.imports.tree_writes import (
    TreeUpdate,
    changes_of,
    keep_new_files,
    note_import,
    prepare_update,
    store_update,
    stored_content,
)
from resolvers.imports.trees import StoredContent
from resolvers.revisions.states import get_in_space, write_revision
from resolvers.writing.commits import commit_revision
from resolvers.writing.received_files import Place, open_place

SAME = "the space has the content of this commit already"
# What this process knows of pages of clones, whose objects have the ids of their bytes: at most so
# many bytes of all organizations together, and of one page.
PAGES = KnownPageFiles(100_000_000, 2_000_000)
# Files that an error names.
MOST_NAMED = 50


async def do_import(work: Work) -> Json | None:
    """Carry out an import; the write of its revision ends the job."""
    return await synchronise(work, _import)


async def _import(sync: Sync, clone: Clone) -> None:
    request, standing = sync.request, sync.standing
    repository = await sync.remote.look()
    sync.commit = commit = repository.commit_of(request.ref)
    there = (standing.revision_git or {}).get("oid"), standing.synced_commit(request)
    if commit in there and not request.force and not request.standalone:
        raise NothingToDo(SAME)
    await sync.begin()
    await sync.remote.fetch(repository, clone, commit)
    objects = await asyncio.to_thread(clone.open)
    large = clone.aside()
    texts = texts_of(sync, large.name)
    try:
        base = None if request.force or request.standalone else await base_of(sync)
        incoming = await read_commit(sync, objects, commit, base, texts)
        if request.dry_run:
            raise Planned(incoming.plan())
        incoming.must_be_clean()
        sync.stage(GitStage.FINALIZE)
        await keep_new_files(sync.ctx, incoming.update)
    finally:
        await asyncio.to_thread(objects.close)
        await asyncio.to_thread(large.cleanup)
    warnings = bounded_warnings(incoming.update.source.warnings)
    if incoming.merged is None:
        await run(
            sync.ctx, import_git_commit, sync.job_id, request, standing, incoming.update, commit,
            warnings,
        )  # fmt: skip
    else:
        await run(
            sync.ctx, import_merged_commit, sync.job_id, request, standing, incoming.update,
            incoming.merged, commit, warnings,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Incoming:
    """A commit that comes into a space: compared with what is there, or, where the space was edited
    since the last synchronisation, merged with it."""

    update: TreeUpdate
    merged: MergedCommit | None

    def plan(self) -> Plan:
        """What would change in the space."""
        if self.merged is None:
            return plan_of_import(self.update)
        changes, _, conflicts, stored = self.merged
        return plan_of_changes(changes, stored, self.update.source.warnings, conflicts)

    def must_be_clean(self) -> None:
        """Conflicting where both sides have changed the same."""
        conflicts = () if self.merged is None else self.merged.conflicts
        if not conflicts:
            return
        paths = sorted({conflict.path for conflict in conflicts})
        raise Conflicting(
            f"{named(paths)}: {CHANGED}, and not in a way that can be merged; undo one of the "
            "changes, or say `force` to let the side that is read win",
            conflicts,
        )


async def base_of(sync: Sync) -> str | None:
    """The revision that was synchronised last with the branch, where the space was edited since."""
    standing = sync.standing
    base = standing.last_revision_id
    if standing.synced_commit(sync.request) is None or base in (None, standing.revision_id):
        return None
    return base if await read(sync.ctx, has_revision, standing, str(base)) else None


def texts_of(sync: Sync, folder: str) -> LargeTexts:
    """The texts of an operation that Git LFS keeps, with a folder for them and for files."""
    budget = Budget(sync.ctx.git_access.megabytes)
    return LargeTexts(sync.remote.large_objects(), Path(folder), budget)


async def read_commit(
    sync: Sync,
    objects: Objects,
    commit: str,
    base: str | None,
    texts: LargeTexts,
    *,
    space_wins: bool = False,
) -> Incoming:
    """Read a commit, and compare it with the space; with `base` it is merged. What is behind
    pointers of Git LFS comes into the folder of the texts."""
    request, standing = sync.request, sync.standing
    sync.stage(GitStage.CONFIG_CHECK)
    source = await asyncio.to_thread(open_tree, objects, commit, request.ref)
    stored = await read(sync.ctx, _stored, standing)
    facts = stored.facts()
    source, content = await texts.read(
        source,
        lambda tree, noting: _read(tree, request, facts, noting(pages_of(standing))),
    )
    content = await with_large_files(
        content, stored, texts.objects, texts.folder, budget=texts.budget,
        dry_run=request.dry_run,
    )  # fmt: skip
    sync.stage(GitStage.CONTENT_PROCESS)
    update = await prepare_update(
        sync.ctx, Place(standing.space_id), content, source.commit,
        read_new=lambda path: source.read(path) if path in source else None,
        read_old=blobs_of(objects), progress=sync.progress, base=base,
    )  # fmt: skip
    git = {**(update.prepared.git or {}), "url": request.commit_address(commit)}
    update = replace(update, prepared=replace(update.prepared, git=git))
    merged = None
    if base is not None:
        merged = await run(
            sync.ctx, merge_commit, update, dry_run=request.dry_run, space_wins=space_wins
        )
    return Incoming(update, merged)


def named(texts: Sequence[str]) -> str:
    """The first texts, and how many more there are."""
    more = len(texts) - MOST_NAMED
    return "; ".join([*texts[:MOST_NAMED], *([f"and {more} more"] if more > 0 else [])])


def open_tree(objects: Objects, commit: str, ref: str) -> SourceTree:
    """The tree of a commit; SourceError for what is beyond the limits, or has unsafe paths."""
    with git_errors(f"the commit {commit}"):
        return open_commit(
            "repository", objects.__getitem__, ObjectID(commit.encode()), ref, LIMITS,
            lambda: None, place=f"the commit {commit}", size_of=objects.size,
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


async def _stored(ctx: Context, standing: Standing) -> StoredContent:
    """What the space has, with what it knows of blobs of files, which are then not read again."""
    await must(ctx, Space, standing.space_id, Role.CREATE)
    revision = await get_in_space(ctx, standing.space_id, standing.revision_id)
    return await stored_content(ctx, revision)


def pages_of(standing: Standing) -> PageFileReader:
    """Reads pages of an organization."""
    return PAGES.reader(standing.organization_id)


def _read(
    source: SourceTree, request: Request, facts: Mapping[str, FileFacts], read_file: PageFileReader
) -> SpaceImport:
    """The content of a tree; SourceError where there is none, unless that is forced."""
    if request.force:
        # What was stored as a pointer once is looked at again.
        facts = {oid: fact for oid, fact in facts.items() if fact.size >= POINTER_BYTES}
    content = read_space(
        source, directory=request.directory, tree_url=request.tree_url or "", facts=facts,
        read_file=read_file, behind_pointers=True,
    )  # fmt: skip
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


@operation(takes_turns=True, action="import_git_commit")
async def import_merged_commit(
    ctx: Context,
    job_id: str,
    request: Request,
    standing: Standing,
    update: TreeUpdate,
    merged: MergedCommit,
    commit: str,
    warnings: list[str],
) -> None:
    """Write the content of a commit, merged with what the space has, as its newest revision; its
    job ends with it.

    StaleRevision when the content has moved on since it was merged: the job is tried again.
    """
    revision_id = await store_merged(ctx, update, merged)
    await complete(
        ctx, job_id, request, standing, GitDirection.IMPORT, commit=commit,
        revision_id=revision_id, result={"warnings": warnings},
        synced_revision_id=merged.commit_revision_id,
    )  # fmt: skip


async def store_merged(ctx: Context, update: TreeUpdate, merged: MergedCommit) -> str:
    """The part of a transaction that writes a merged commit; the id of the newest revision."""
    target = await open_place(ctx, update.place)
    before = target.revision.id
    revision = await commit_revision(ctx, target, merged.changes)
    if revision.id != before:
        note_import(ctx, target, revision.id)
    return revision.id
