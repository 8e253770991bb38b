"""What conflicts are about, as a revision has it now, and which of them are settled by edits."""

import asyncio
from collections.abc import Sequence
from typing import Any

from content.merge.conflict import Conflict, ConflictKind, conflict_of
from content.merge.resolve import is_settled
from content.merkle.read import lookup
from db.content_enums import ConflictResolution, RevisionType
from db.models.content import Revision
from resolvers.conflicts import unresolved
from resolvers.content_store import walk_all
from resolvers.content_targets import Target
from resolvers.context import Context
from resolvers.revisions import bodies

Json = dict[str, Any]
EMPTY: Json = {"object": "document", "data": {}, "nodes": []}
IN_DOCUMENTS = (ConflictKind.BLOCK, ConflictKind.CELL)


async def contents_of(
    ctx: Context, revision: Revision, conflicts: Sequence[Conflict]
) -> list[Json | None]:
    """What holds each conflict: a document, an entry, or all variables; None where it is gone."""
    pages, files, contents = await walk_all(
        ctx,
        [
            (revision.space_id, lookup(root, [id for id in ids if id is not None]))
            for root, ids in (
                (revision.pages_root, {one.page for one in conflicts}),
                (revision.files_root, {one.file for one in conflicts}),
                (revision.contents_root, {one.content for one in conflicts}),
            )
        ],
    )
    entries: list[Json | None] = []
    for one in conflicts:
        if one.kind is ConflictKind.VARIABLE:
            entries.append(dict(revision.variables))
        elif one.page is not None:
            entries.append(pages.get(one.page))
        elif one.file is not None:
            entries.append(files.get(one.file))
        else:
            entries.append(contents.get(one.content or ""))
    inside = [one.kind in IN_DOCUMENTS for one in conflicts]
    wanted = [
        (revision.space_id, entry.get("document_id") if is_inside and entry is not None else None)
        for entry, is_inside in zip(entries, inside, strict=True)
    ]
    found = await bodies(ctx, wanted)
    return [
        (EMPTY if body is None else body.document) if is_inside and entry is not None else entry
        for entry, is_inside, body in zip(entries, inside, found, strict=True)
    ]


async def settle_conflicts(
    ctx: Context, target: Target, before: Revision | None, after: Revision
) -> None:
    """Note which conflicts of a change request an edit has decided.

    What a pull brings is nobody's decision.
    """
    if target.change_request is None or after.type is RevisionType.UPDATE:
        return
    rows = await unresolved(ctx, target.change_request)
    if not rows:
        return
    conflicts = [conflict_of(row.data) for row in rows]
    contents = await contents_of(ctx, after, conflicts)
    settled = await asyncio.to_thread(lambda: list(map(is_settled, conflicts, contents)))
    for row, is_decided in zip(rows, settled, strict=True):
        if is_decided:
            row.resolution = ConflictResolution.CUSTOM
            row.resolved_at = ctx.now()
            row.resolved_by_id = ctx.actor.user_id
