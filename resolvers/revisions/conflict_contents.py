"""The content that conflicts are about, as a revision has it, and which edits resolve some."""

import asyncio
from collections.abc import Sequence
from itertools import repeat
from typing import Any

from content.merge.conflict import Conflict, ConflictKind, conflict_json, conflict_of
from content.merge.follow import followed, relocated
from content.merge.nodes import Indexed
from content.merge.resolve import is_settled
from content.merkle.read import lookup
from db.content_enums import ConflictResolution, RevisionType
from db.models.content import Revision
from resolvers.change_requests.conflicts import unresolved
from resolvers.core.context import Context
from resolvers.revisions.states import bodies
from resolvers.revisions.store import walk_all
from resolvers.revisions.write_targets import Target

Json = dict[str, Any]
EMPTY: Json = {"object": "document", "data": {}, "nodes": []}
IN_DOCUMENTS = (ConflictKind.BLOCK, ConflictKind.CELL)


async def contents_of(
    ctx: Context, revision: Revision, conflicts: Sequence[Conflict]
) -> list[Json | None]:
    """The content around each conflict: a document, an entry, or all variables; None when gone."""
    pages, files, contents = await walk_all(
        ctx,
        [
            (revision.space_id, lookup(root, [id for id in ids if id is not None]))
            for root, ids in (
                (revision.pages_root, {conflict.page for conflict in conflicts}),
                (revision.files_root, {conflict.file for conflict in conflicts}),
                (revision.contents_root, {conflict.content for conflict in conflicts}),
            )
        ],
    )
    entries: list[Json | None] = []
    for conflict in conflicts:
        if conflict.kind is ConflictKind.VARIABLE:
            entries.append(dict(revision.variables))
        elif conflict.page is not None:
            entries.append(pages.get(conflict.page))
        elif conflict.file is not None:
            entries.append(files.get(conflict.file))
        else:
            entries.append(contents.get(conflict.content or ""))
    inside = [conflict.kind in IN_DOCUMENTS for conflict in conflicts]
    documents = [
        (revision.space_id, entry.get("document_id") if is_inside and entry is not None else None)
        for entry, is_inside in zip(entries, inside, strict=True)
    ]
    bodies_read = await bodies(ctx, documents)
    return [
        (EMPTY if body is None else body.document) if is_inside and entry is not None else entry
        for entry, is_inside, body in zip(entries, inside, bodies_read, strict=True)
    ]


async def settle_conflicts(
    ctx: Context, target: Target, before: Revision | None, after: Revision
) -> None:
    """Note which open conflicts of a change request an edit has decided.

    What a pull brings is nobody's decision: it is what theirs has become.
    """
    if target.change_request is None or before is None:
        return
    rows = await unresolved(ctx, target.change_request)
    if not rows:
        return
    conflicts = [conflict_of(row.data) for row in rows]
    contents = [
        _indexed(await contents_of(ctx, revision, conflicts)) for revision in (before, after)
    ]
    is_pull = after.type is RevisionType.UPDATE
    decided = await asyncio.to_thread(
        lambda: list(map(_after, conflicts, *contents, repeat(is_pull)))
    )
    for row, old, (conflict, is_decided) in zip(rows, conflicts, decided, strict=True):
        if conflict is not old:
            row.data = conflict_json(conflict)
        if is_decided:
            row.resolution = ConflictResolution.CUSTOM
            row.resolved_at = ctx.now()
            row.resolved_by_id = ctx.actor.user_id


def _indexed(contents: Sequence[Json | None]) -> list[Json | None]:
    """The same contents, documents so that many conflicts in one are looked up fast."""
    documents = {
        id(content): Indexed(content)
        for content in contents
        if content is not None and content.get("object") == "document"
    }
    return [documents.get(id(content), content) for content in contents]


def _after(
    conflict: Conflict, before: Json | None, after: Json | None, is_pull: bool
) -> tuple[Conflict, bool]:
    """A conflict after a revision, and whether that has decided it."""
    if is_pull:
        return followed(conflict, before, after), False
    moved = relocated(conflict, before, after)
    return moved, is_settled(moved, after) and not is_settled(conflict, before)
