"""A commit comes into a space that was edited since the last synchronisation: both are merged.

The revision that was synchronised last is what both sides come from; the commit becomes a revision
on top of it, which nothing points to, and is merged into the newest one as a change request is.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from content.merge.conflict import Conflict as MergeConflict, ConflictKind
from content.merge.entries import Entry
from content.merge.space import Merged
from db.git_enums import GitChangeKind
from resolvers.core.context import Context
from resolvers.core.declarations import Transactions, operation
from resolvers.core.errors import Invalid, PreconditionFailed
from resolvers.drafts.bounds import check_merged
from resolvers.git.plans import Conflict
from resolvers.imports.app_links import lead_changes
from resolvers.imports.tree_writes import TreeUpdate, changes_of, stored_content
from resolvers.imports.trees import StoredContent
from resolvers.merging.content import ThreeWay, merge_revisions
from resolvers.revisions.rows import Page, ReusableContent
from resolvers.revisions.states import Changes, get_in_space, write_revision
from resolvers.writing.received_files import open_place

CHANGED = "changed in the repository and in the space since they were synchronised"
_REASONS = {
    ConflictKind.PAGE_DELETED_EDITED: "one side has deleted the page, the other one has edited it",
    ConflictKind.PAGE_MOVED_TWICE: "both sides have moved the page",
    ConflictKind.PAGE_CYCLE: "both sides have moved pages, each below the other",
    ConflictKind.FIELD: "both sides have set {field} differently",
    ConflictKind.BLOCK: "both sides have changed the same block",
    ConflictKind.CELL: "both sides have changed the same cell of a table",
    ConflictKind.FILE: "both sides have changed the file",
    ConflictKind.REUSABLE_CONTENT: "both sides have changed the reusable content",
    ConflictKind.VARIABLE: "both sides have set the variable differently",
}


class MergedCommit(NamedTuple):
    """What a merge of a commit changes in the space, and the revision with the commit alone;
    `stored` is what the space has so far."""

    changes: Changes
    commit_revision_id: str
    conflicts: list[Conflict]
    stored: StoredContent


@operation(transactions=Transactions.BEFORE_SLOW_WORK, audited=False)
async def merge_commit(
    ctx: Context, update: TreeUpdate, *, dry_run: bool, space_wins: bool = False
) -> MergedCommit:
    """Merge a commit, which was compared with the revision that was synchronised last, into the
    newest one of the space. The revision of the commit is all that is written.

    With `space_wins` what both have changed stays as the space has it, and there is no conflict.
    """
    target = await open_place(ctx, update.place, lock=False)
    base = await get_in_space(ctx, target.space_id, update.prepared.stored.revision_id)
    changes = changes_of(ctx, update)
    await lead_changes(ctx, changes)
    async with ctx.session.begin_nested() as nested:
        commit = await write_revision(
            ctx, target.space_id, base, changes, git=update.prepared.git
        )  # fmt: skip
        try:
            merge = await merge_revisions(ctx, base, commit, target.revision)
        except Invalid as error:
            raise PreconditionFailed(f"the commit cannot be merged: {error.message}") from error
        conflicts: list[Conflict] = []
        stored = await stored_content(ctx, target.revision)
        if space_wins:
            merge.merged = _with_bodies_of_space(merge, stored)
        else:
            conflicts = list(_conflicts(merge, update, stored))
        onto = await merge.onto_theirs()
        if not conflicts:
            await check_merged(ctx, target.revision, onto)
        if dry_run:
            await nested.rollback()
    return MergedCommit(onto, commit.id, conflicts, stored)


def _with_bodies_of_space(merge: ThreeWay, stored: StoredContent) -> Merged:
    """The merge with the bodies of the space where both sides have changed the same block. Of
    fields and files its merge has those of the space already."""
    merged = merge.merged
    clashing = {
        conflict.page or conflict.content
        for conflict in merged.conflicts
        if conflict.kind in (ConflictKind.BLOCK, ConflictKind.CELL)
    }
    bodies = {id: body for id, body in merged.bodies.items() if id not in clashing}

    def entries(
        there: Mapping[str, Entry | None], rows: Mapping[str, Page | ReusableContent]
    ) -> dict[str, Entry | None]:
        return {
            id: {**entry, "document_id": rows[id].document_id}
            if id in clashing and entry is not None
            else entry
            for id, entry in there.items()
        }

    return replace(
        merged, bodies=bodies, pages=entries(merged.pages, stored.pages),
        contents=entries(merged.contents, stored.contents),
    )  # fmt: skip


def _conflicts(merge: ThreeWay, update: TreeUpdate, stored: StoredContent) -> Iterator[Conflict]:
    """What the merge cannot decide: one for each part of the space and each reason."""
    prepared, seen = update.prepared, set[tuple[str, str]]()
    for conflict in merge.merged.conflicts:
        kind, id = _part(conflict)
        sides: Mapping[GitChangeKind, Sequence[Mapping[str, Any]]] = {
            GitChangeKind.PAGE: (prepared.changes.pages, prepared.stored.pages, stored.pages),
            GitChangeKind.FILE: (prepared.changes.files, prepared.stored.files, stored.files),
            GitChangeKind.REUSABLE_CONTENT: (
                prepared.changes.contents, prepared.stored.contents, stored.contents,
            ),
        }  # fmt: skip
        changed, before, here = sides.get(kind, ({}, {}, {}))
        theirs = changed.get(id) if id in changed else before.get(id)
        row = theirs or here.get(id) or before.get(id)
        mark = {} if row is None or row.git is None else row.git
        path = str(mark.get("path") or getattr(row, "title", None) or getattr(row, "name", id))
        reason = _REASONS[conflict.kind].format(field=conflict.field)
        if (path, reason) in seen:
            continue
        seen.add((path, reason))
        blob = None if theirs is None or theirs.git is None else theirs.git.get("oid")
        yield Conflict(path, reason, kind, id, update.place.expected_revision, blob)


def _part(conflict: MergeConflict) -> tuple[GitChangeKind, str]:
    """Which part of the space a conflict is about, and its id; the name of a variable."""
    if conflict.page is not None:
        return GitChangeKind.PAGE, conflict.page
    if conflict.file is not None:
        return GitChangeKind.FILE, conflict.file
    if conflict.content is not None:
        return GitChangeKind.REUSABLE_CONTENT, conflict.content
    return GitChangeKind.VARIABLES, conflict.field or ""
