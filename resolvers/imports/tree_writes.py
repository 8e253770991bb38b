"""A tree of files becomes the content of a space that is there, or of a change request.

The tree is read and compared before anything is locked; the write is one transaction, on the
revision that was compared with.
"""

import asyncio
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from typing import Any

from content.git.import_links import Known
from content.git.lfs import read_pointer
from content.git.space_import import SpaceImport
from content.merkle.read import scan
from content.sources.tree import CommitInfo
from db.event_enums import EventType
from db.inserts import parts
from db.models.content import Revision
from resolvers.core.audit_notes import note_fact
from resolvers.core.context import Context
from resolvers.core.declarations import Transactions, operation
from resolvers.core.event_drafts import Draft as EventDraft
from resolvers.core.runners import run
from resolvers.drafts.bounds import check_merged
from resolvers.imports.app_links import lead_changes
from resolvers.imports.trees import (
    Prepared,
    Progress,
    StoredContent,
    bodies_needed,
    check_bounds,
    known_in,
    prepare,
)
from resolvers.revisions.rows import Page, ReusableContent, content_of, file_of, redirect_of
from resolvers.revisions.states import Body, Changes, bodies, get_in_space
from resolvers.revisions.store import walk_all
from resolvers.revisions.tree import all_pages
from resolvers.revisions.write_targets import Target
from resolvers.writing.commits import commit_revision
from resolvers.writing.operations import ContentWrite, rehearse
from resolvers.writing.received_files import Place, open_place

Json = dict[str, Any]
BODIES_AT_ONCE = 200
# The bytes at a path of a source, and those of a blob that it has no longer.
ReadNew = Callable[[str], bytes | None]


@dataclass(frozen=True, slots=True)
class TreeUpdate:
    """A source, ready to be written on top of the revision that it was compared with."""

    place: Place
    prepared: Prepared
    source: SpaceImport

    @property
    def is_change(self) -> bool:
        """Whether the content differs from what is there."""
        changes, stored = self.prepared.changes, self.prepared.stored
        rows = (changes.pages, changes.files, changes.contents, changes.redirects)
        return any(rows) or changes.variables != stored.variables


async def stored_content(ctx: Context, revision: Revision) -> StoredContent:
    """All that a revision holds but for bodies and bytes; pages have their paths."""
    roots = (revision.files_root, revision.contents_root, revision.redirects_root)
    space = revision.space_id
    files, contents, redirects = await walk_all(ctx, [(space, scan(root)) for root in roots])
    (tree,) = await all_pages(ctx, [revision])
    pages: dict[str, Page] = {
        # Trees are shared, and rows of a write are changed.
        page.id: replace(page, revision_id="", children=None)
        for page in tree
    }
    return StoredContent(
        revision.id,
        pages,
        _rows(file_of, space, files),
        _rows(content_of, space, contents),
        _rows(redirect_of, space, redirects),
        dict(revision.variables),
    )


def _rows(make: Callable[[str, str, str, Any], Any], space_id: str, entries: Any) -> dict[str, Any]:
    return {id: make(space_id, "", id, entry) for id, entry in entries}


async def prepare_update(
    ctx: Context,
    place: Place,
    source: SpaceImport,
    commit: CommitInfo | None,
    *,
    read_new: ReadNew,
    read_old: ReadNew = lambda oid: None,
    progress: Progress = lambda done, total: None,
    base: str | None = None,
) -> TreeUpdate:
    """Compare a source with the content of a space or change request, or with that of an earlier
    revision of the space (`base`), and parse what is new.

    What was moved is found by its blob of before; where `read_old` does not have that, by the text
    that the space has of it. Checks first whether the content may be written. Takes a while for a
    large source; nothing is locked meanwhile.
    """
    check_bounds(source)
    revision, stored = await run(ctx, _look, place, base)
    texts: dict[str, bytes] = {}
    unread: set[str] = set()

    def read_text(oid: str) -> bytes | None:
        data = texts.get(oid) or read_old(oid)
        if data is None or read_pointer(data) is not None:
            unread.add(oid)
            return None
        return data

    def identify() -> tuple[Known, list[str]]:
        ids = known_in(source, stored, read_new, read_text)
        return ids, bodies_needed(source, ids, stored)

    ids, needed = await asyncio.to_thread(identify)
    if unread:
        texts |= await _stored_texts(ctx, place, stored, unread)
    if texts:
        ids, needed = await asyncio.to_thread(identify)
    there = await run(ctx, _bodies, place, needed)
    prepared = await asyncio.to_thread(
        lambda: prepare(source, commit, progress, ids=ids, stored=stored, bodies=there)
    )
    return TreeUpdate(replace(place, expected_revision=revision), prepared, source)


async def _stored_texts(
    ctx: Context, place: Place, stored: StoredContent, blobs: Collection[str]
) -> dict[str, bytes]:
    """What the space has of pages and reusable contents that were read from blobs, by the blobs."""
    rows: dict[str, tuple[str, str]] = {}
    there: list[Page | ReusableContent] = [*stored.pages.values(), *stored.contents.values()]
    for row in there:
        oid = (row.git or {}).get("oid")
        if oid in blobs and row.document_id:
            rows[str(oid)] = row.title, row.document_id
    documents = await run(ctx, _bodies, place, [document for _, document in rows.values()])
    return {
        oid: f"# {title}\n\n{documents[document].markdown}".encode()
        for oid, (title, document) in rows.items()
        if document in documents
    }


@operation(transactions=Transactions.BEFORE_SLOW_WORK, audited=False)
async def _look(ctx: Context, place: Place, base: str | None) -> tuple[str, StoredContent]:
    target = await open_place(ctx, place, lock=False)
    compared = target.revision
    if base is not None:
        compared = await get_in_space(ctx, place.space_id, base)
    return target.revision.id, await stored_content(ctx, compared)


@operation(transactions=Transactions.BEFORE_SLOW_WORK, audited=False)
async def _bodies(ctx: Context, place: Place, ids: list[str]) -> dict[str, Body]:
    await open_place(ctx, place, lock=False)
    there: dict[str, Body] = {}
    for some in parts(ids, BODIES_AT_ONCE):
        read = await bodies(ctx, [(place.space_id, id) for id in some])
        there |= {id: body for id, body in zip(some, read, strict=True) if body is not None}
    return there


async def write_update(ctx: Context, update: TreeUpdate, *, dry_run: bool = False) -> ContentWrite:
    """Write a prepared source as one revision; StaleRevision when the content has moved on.

    Nothing is written where the content and the commit are those that are there. The bytes of
    files are stored before the transaction.
    """
    if not dry_run:
        await keep_new_files(ctx, update)
    return await run(ctx, store_update, update, dry_run)


async def keep_new_files(ctx: Context, update: TreeUpdate) -> None:
    """Store the bytes of files, before a transaction that would hold locks meanwhile."""
    for _, file in update.prepared.files:
        data = await asyncio.to_thread(file.read)
        await ctx.blobs.put(update.place.space_id, data)


@operation(takes_turns=True, action="import_content")
async def store_update(ctx: Context, update: TreeUpdate, dry_run: bool = False) -> ContentWrite:
    """The transaction of `write_update`, for whoever has more to do in it."""
    target = await open_place(ctx, update.place)
    before, prepared = target.revision, update.prepared
    if not update.is_change and (
        prepared.git is None or (before.git or {}).get("oid") == prepared.git["oid"]
    ):
        return ContentWrite(before, False, dry_run, target.change_request, before)
    changes = changes_of(ctx, update)
    await lead_changes(ctx, changes)
    await check_merged(ctx, before, changes)
    if dry_run:
        return await rehearse(ctx, target, changes)
    revision = await commit_revision(ctx, target, changes, git=prepared.git)
    if revision.id != before.id:
        note_import(ctx, target, revision.id)
    return ContentWrite(revision, revision.id != before.id, False, target.change_request, before)


def note_import(ctx: Context, target: Target, revision_id: str) -> None:
    """Leave the event of an import that has made a revision."""
    request = target.change_request
    completed = EventDraft(
        type=EventType.IMPORT_COMPLETED,
        object_id=target.space_id,
        space_id=target.space_id,
        change_request_id=None if request is None else request.id,
        revision_id=revision_id,
    )
    note_fact(ctx.session, completed)


def changes_of(ctx: Context, update: TreeUpdate) -> Changes:
    """The changes with times, as copies: a transaction may be repeated."""
    prepared, now = update.prepared, ctx.now()
    changes = Changes(
        before=dict(prepared.changes.before),
        files=dict(prepared.changes.files),
        contents=dict(prepared.changes.contents),
        redirects=dict(prepared.changes.redirects),
        documents=dict(prepared.changes.documents),
        variables=prepared.changes.variables,
    )
    for id, page in prepared.changes.pages.items():
        changes.pages[id] = (
            None if page is None else _timed(page, prepared.stored.pages.get(id), now)
        )
    return changes


def _timed(page: Page, old: Page | None, now: Any) -> Page:
    """A page with the time of its source; what is edited gets no older."""
    changed = min(page.updated_at or now, now)
    if old is None:
        return replace(page, created_at=changed, updated_at=changed)
    if page.document_id == old.document_id and page.title == old.title:
        changed = old.updated_at or changed
    elif old.updated_at is not None and changed <= old.updated_at:
        changed = now
    return replace(page, updated_at=changed)
