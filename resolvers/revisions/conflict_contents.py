"""The content that conflicts are about, as a revision has it, and which edits resolve some."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from content.merge.conflict import Conflict, ConflictKind, conflict_json, conflict_of
from content.merge.follow import followed, relocated
from content.merge.nodes import Indexed
from content.merge.resolve import is_settled
from content.merge.touched import touched
from content.merkle.read import lookup
from db.content_enums import ConflictKind as StoredKind, ConflictResolution, RevisionType
from db.models.change_requests import ChangeRequest
from db.models.content import Revision
from db.models.merging import MergeConflict
from resolvers.change_requests.conflicts import (
    OpenPlace,
    Subject,
    changed_at,
    open_places,
    open_subjects,
    with_ids,
)
from resolvers.core.context import Context
from resolvers.revisions.bodies_work import BodiesWork
from resolvers.revisions.states import Body, Changes, bodies
from resolvers.revisions.store import walk_all
from resolvers.revisions.write_targets import Target

Json = dict[str, Any]
# A version before, and the one after it; None where it is gone.
Pair = tuple[Json | None, Json | None]
EMPTY: Json = {"object": "document", "data": {}, "nodes": []}
IN_DOCUMENTS = (ConflictKind.BLOCK, ConflictKind.CELL)
STORED_INSIDE = [StoredKind(kind.value) for kind in IN_DOCUMENTS]


async def contents_of(
    ctx: Context, revision: Revision, conflicts: Sequence[Conflict]
) -> list[Json | None]:
    """The content around each conflict: a document, an entry, or all variables; None when gone."""
    subjects = [(conflict.page, conflict.file, conflict.content) for conflict in conflicts]
    entries = await _entries(ctx, revision, subjects)
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


async def _entries(
    ctx: Context, revision: Revision, subjects: Sequence[Subject]
) -> list[Json | None]:
    """The entry of each subject, or all variables; None when it is gone."""
    of_pages, of_files, of_contents = (
        {ids[at] for ids in subjects if ids[at] is not None} for at in range(3)
    )
    pages, files, contents = await walk_all(
        ctx,
        [
            (revision.space_id, lookup(root, [id for id in ids if id is not None]))
            for root, ids in (
                (revision.pages_root, of_pages),
                (revision.files_root, of_files),
                (revision.contents_root, of_contents),
            )
        ],
    )
    entries: list[Json | None] = []
    for page, file, content in subjects:
        if page is not None:
            entries.append(pages.get(page))
        elif file is not None:
            entries.append(files.get(file))
        elif content is not None:
            entries.append(contents.get(content))
        else:
            entries.append(dict(revision.variables))
    return entries


# Ids of the documents of a subject before and after an edit.
Differing = dict[Subject, tuple[str | None, str | None]]
ReadBodies = Callable[[Context, Sequence[tuple[str, str | None]]], Awaitable[list[Body | None]]]


@dataclass(frozen=True, slots=True)
class _Inside:
    """The open conflicts of an edit in whose documents something differs: both versions of these,
    and the ids of those conflicts that it can be about."""

    differing: Differing
    documents: Mapping[Subject, Pair]
    ids: Sequence[str]


@dataclass(frozen=True, slots=True)
class _Ahead:
    """What an edit has looked up of the open conflicts before it took its lock."""

    subjects: list[Subject]
    inside: _Inside


async def look_at_conflicts_ahead(
    ctx: Context, work: BodiesWork, target: Target, changes: Changes
) -> None:
    """Look at the open conflicts that changes may decide, before the write takes its lock: the
    documents may be long, and the conflicts in them many."""
    request, space_id = target.change_request, target.space_id
    if request is None or (ctx.held is not None and ctx.held.open):
        return
    # First, so that what is read later belongs to it or is no longer valid under the lock.
    state = await changed_at(ctx, request.id)
    if state is None or state[0] != target.revision.id:
        return
    # No conflict comes with a revision that is yet to be written.
    subjects = await open_subjects(ctx, request, "")
    differing: Differing = {}
    entries = await _entries(ctx, target.revision, subjects)
    for subject, old in zip(subjects, entries, strict=True):
        page, _, content = subject
        rows: Mapping[str, Any] = changes.contents if page is None else changes.pages
        row = rows.get(page or content or "")
        if row is not None and (pair := (_document(old), row.document_id))[0] != pair[1]:
            differing[subject] = pair

    async def read(ctx: Context, ids: Sequence[tuple[str, str | None]]) -> list[Body | None]:
        stored = await bodies(ctx, ids)
        return [
            changes.body(id) if body is None and id in changes.documents else body
            for (_, id), body in zip(ids, stored, strict=True)
        ]

    inside = await _look_inside(ctx, request, "", space_id, differing, read)
    work.keep(("conflicts", request.id, *state), _Ahead(subjects, inside))


async def _look_inside(
    ctx: Context,
    request: ChangeRequest,
    revision_id: str,
    space_id: str,
    differing: Differing,
    read: ReadBodies,
) -> _Inside:
    places = await open_places(ctx, request, revision_id, [*differing])
    subjects = [*{place.subject for place in places if place.kind.value in IN_DOCUMENTS}]
    ids = [id for subject in subjects for id in differing[subject]]
    texts = await read(ctx, [(space_id, id) for id in ids])
    documents = [
        None if id is None else Indexed(EMPTY if body is None else body.document)
        for id, body in zip(ids, texts, strict=True)
    ]
    pairs = zip(documents[::2], documents[1::2], strict=True)
    by_subject = dict(zip(subjects, pairs, strict=True))

    def look() -> list[str]:
        concerned = _concerned(places, by_subject)
        for document in documents if concerned else ():
            # In which all of them are looked for later.
            _ = document and document.by_key
        return concerned

    return _Inside(differing, by_subject, await asyncio.to_thread(look))


async def settle_conflicts(
    ctx: Context, target: Target, before: Revision | None, after: Revision
) -> None:
    """Note which open conflicts of a change request an edit has decided.

    What a pull brings is nobody's decision: it is what theirs has become. Others wait for the lock
    meanwhile: what is looked at follows what the edit has changed, not how many are open, and was
    looked up before if the documents are long.
    """
    request = target.change_request
    if request is None or before is None:
        return
    key = "conflicts", request.id, before.id, target.changed_at
    ahead: _Ahead | None = ctx.worked_out.get(key)
    if ahead is not None:
        subjects = ahead.subjects
    else:
        subjects = await open_subjects(ctx, request, after.id)
    versions = [await _entries(ctx, revision, subjects) for revision in (before, after)]
    entries = {
        subject: (old, new)
        for subject, old, new in zip(subjects, *versions, strict=True)
        if old != new
    }
    if not entries:
        return
    differing = {
        subject: (old, new)
        for subject, pair in entries.items()
        for old, new in [map(_document, pair)]
        if old != new
    }
    if ahead is not None and ahead.inside.differing == differing:
        inside = ahead.inside
    else:
        inside = await _look_inside(ctx, request, after.id, before.space_id, differing, bodies)
    others = [*entries.keys() - differing.keys()]
    beside = await open_places(ctx, request, after.id, others, STORED_INSIDE)
    rows = await with_ids(ctx, [*inside.ids, *(place.id for place in beside)])
    documents = inside.documents
    is_pull = after.type is RevisionType.UPDATE

    def decide() -> Iterator[tuple[MergeConflict, Conflict, bool]]:
        for row in rows:
            conflict = conflict_of(row.data)
            subject = conflict.page, conflict.file, conflict.content
            old, new = (documents if conflict.kind in IN_DOCUMENTS else entries)[subject]
            moved, is_decided = _after(conflict, old, new, is_pull)
            if is_decided or moved is not conflict:
                yield row, moved, is_decided

    for row, conflict, is_decided in await asyncio.to_thread(lambda: [*decide()]):
        row.data = conflict_json(conflict)
        if is_decided:
            row.resolution = ConflictResolution.CUSTOM
            row.resolved_at = ctx.now()
            row.resolved_by_id = ctx.actor.user_id


def _document(entry: Json | None) -> str | None:
    return None if entry is None else entry.get("document_id")


def _concerned(places: Sequence[OpenPlace], documents: Mapping[Subject, Pair]) -> list[str]:
    """The ids of the conflicts that what differs may decide."""
    differing = {
        subject: None if old is None or new is None else touched(old, new)
        for subject, (old, new) in documents.items()
    }
    return [
        place.id
        for place in places
        if place.kind.value not in IN_DOCUMENTS
        or (keys := differing[place.subject]) is None
        or not keys.isdisjoint(place.keys)
    ]


def _after(
    conflict: Conflict, before: Json | None, after: Json | None, is_pull: bool
) -> tuple[Conflict, bool]:
    """A conflict after a revision, and whether that has decided it."""
    if is_pull:
        return followed(conflict, before, after), False
    moved = relocated(conflict, before, after)
    return moved, is_settled(moved, after) and not is_settled(conflict, before)
