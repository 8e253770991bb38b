"""The end of every write of content: a revision, the pointer to it, and what follows from it.

Edits, imports, templates, merges and rollbacks all end here, in the transaction of the write.
"""

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from content.merkle.read import lookup
from db.audit_enums import AuditChangeKind, AuditObjectType
from db.content_enums import RevisionType
from db.models.content import Revision
from db.models.spaces import Space
from resolvers.change_requests.contributors import record_contribution
from resolvers.core.audit_notes import ContentChange, note_contents, notes_of
from resolvers.core.context import Context
from resolvers.revisions.conflict_contents import settle_conflicts
from resolvers.revisions.redirects import follow_redirects, record_redirects
from resolvers.revisions.rows import content_of, file_of
from resolvers.revisions.size import check_variables
from resolvers.revisions.states import Changes, write_revision
from resolvers.revisions.store import walk_all
from resolvers.revisions.write_targets import Target
from resolvers.search.index import index_revision
from resolvers.writing.computed_pages import (
    Source,
    show,
    show_draft,
    show_sources,
    shown_revision,
    sources_between,
    sources_of,
)

# What happens whenever a target points to another revision. The revision before is None for the
# first one of a space.
Follower = Callable[[Context, Target, Revision | None, Revision], Awaitable[None]]
FOLLOWERS: tuple[Follower, ...] = (record_redirects, follow_redirects, settle_conflicts)

# What of a page is its place among the others, and what it says.
_PLACE = "parent_id", "order"
_TEXTS = (
    "type", "title", "slug", "description", "emoji", "icon", "hidden", "no_index",
    "no_robots_index", "layout", "cover", "variables", "condition", "extra", "document_id",
    "target", "computed",
)  # fmt: skip


class Place(NamedTuple):
    """Where content is changed: a space or a change request, and its new revision."""

    space_id: str
    change_request_id: str | None
    revision_id: str


async def commit_revision(
    ctx: Context,
    target: Target,
    changes: Changes,
    *,
    type: RevisionType = RevisionType.EDITS,
    others: Sequence[str] = (),
    merged_from_id: str | None = None,
    git: Mapping[str, Any] | None = None,
    revision_id: str | None = None,
) -> Revision:
    """Make `changes` on top of the target's newest revision; returns the one that is newest now.

    That is the same as before when nothing has changed and there is no commit of `git` to note.
    `others` are ids of further parents and `merged_from_id` the change request of a merge;
    `revision_id` is the new one's, where it is known already.
    """
    if changes.variables is not None:
        check_variables(len(target.revision.variables), len(changes.variables))
    revision = await write_revision(
        ctx,
        target.space_id,
        target.revision,
        changes,
        type=type,
        others=others,
        merged_from_id=merged_from_id,
        git=None if git is None else dict(git),
        revision_id=revision_id,
    )
    if revision.id != target.revision.id:
        await _note_contents(ctx, target, revision, changes)
        await activate_revision(ctx, target, revision, sources_of(changes.pages))
    return revision


async def _note_contents(
    ctx: Context, target: Target, revision: Revision, changes: Changes
) -> None:
    """Note which pages, files and reusable contents a write changes."""
    if notes_of(ctx.session) is None:
        return
    before = target.revision
    request_id = None if target.change_request is None else target.change_request.id
    place = Place(target.space_id, request_id, revision.id)
    files: Mapping[str, Any] = {}
    contents: Mapping[str, Any] = {}
    if changes.files or changes.contents:
        # Nodes that the write has read a moment ago.
        walks = [
            (before.space_id, lookup(before.files_root, changes.files)),
            (before.space_id, lookup(before.contents_root, changes.contents)),
        ]
        files, contents = await walk_all(ctx, walks)
    changed = [
        *_content_changes(place, AuditObjectType.PAGE, "title", changes.before, changes.pages),
        *_content_changes(
            place,
            AuditObjectType.FILE,
            "name",
            {id: file_of(before.space_id, "", id, entry) for id, entry in files.items()},
            changes.files,
        ),
        *_content_changes(
            place,
            AuditObjectType.REUSABLE_CONTENT,
            "title",
            {id: content_of(before.space_id, "", id, entry) for id, entry in contents.items()},
            changes.contents,
        ),
    ]
    note_contents(ctx.session, changed)


def _content_changes(
    place: Place,
    type: AuditObjectType,
    name: str,
    before: Mapping[str, Any],
    after: Mapping[str, Any],
) -> Iterator[ContentChange]:
    """Those that differ, by their names now, or until now."""
    for id, row in after.items():
        old = before.get(id)
        if row == old:
            continue
        kind, moved, edited = AuditChangeKind.CHANGED, False, True
        if row is None:
            kind = AuditChangeKind.REMOVED
        elif old is None:
            kind = AuditChangeKind.ADDED
        elif type is AuditObjectType.PAGE:
            moved = any(getattr(row, name) != getattr(old, name) for name in _PLACE)
            edited = not moved or any(getattr(row, name) != getattr(old, name) for name in _TEXTS)
        yield ContentChange(
            kind=kind,
            type=type,
            id=id,
            name=getattr(old if row is None else row, name),
            space_id=place.space_id,
            change_request_id=place.change_request_id,
            revision_id=place.revision_id,
            moved=moved,
            edited=edited,
        )


async def activate_revision(
    ctx: Context,
    target: Target,
    revision: Revision,
    sources: Mapping[str, Source | None] | None = None,
) -> None:
    """Make a revision of the space the newest one of the target, whose row is locked.

    `sources` are the pages that differ from the one before, with the sources of those that are
    computed, where the caller knows them.
    """
    before, target.revision = target.revision, revision
    if target.change_request is not None:
        target.change_request.revision_id = revision.id
        target.change_request.updated_at = ctx.now()
        if ctx.actor.user_id is not None:
            await record_contribution(ctx, target.change_request)
    await _follow(ctx, target, before, sources)


async def begin_with(ctx: Context, space: Space, revision: Revision) -> None:
    """Make a revision the first one of a new space."""
    await _follow(ctx, Target(space.id, space, None, revision), None, None)


async def _follow(
    ctx: Context,
    target: Target,
    before: Revision | None,
    sources: Mapping[str, Source | None] | None,
) -> None:
    """Do what follows from the target's new revision; `before` is None in a new space."""
    if target.space is None:
        await show_draft(ctx, target.space_id, target.revision, sources or {})
        await _call_followers(ctx, target, before)
        return
    space, written = target.space, target.revision
    seen = None if before is None else await shown_revision(ctx, space, before)
    if sources is None:
        sources = await sources_between(ctx, before, written)
    shown = await show_sources(ctx, space, written, sources)
    show(space, written, shown)
    space.updated_at = ctx.now()
    await _call_followers(ctx, target, before)
    await index_revision(ctx, space.id, seen, shown)


async def _call_followers(ctx: Context, target: Target, before: Revision | None) -> None:
    await ctx.session.flush()
    for follower in FOLLOWERS:
        await follower(ctx, target, before, target.revision)
