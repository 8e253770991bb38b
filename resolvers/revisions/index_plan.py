"""The part of the index that changes when a space gets another revision.

Only the parts of the maps that differ are read, so an edit of one page costs one page, whatever
the size of the space.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from content.merkle.node import Value
from content.merkle.read import Change, diff, lookup, scan
from db.models.content import Revision
from resolvers.core.context import Context
from resolvers.revisions.rows import Page, ReusableContent, content_of, page_of
from resolvers.revisions.store import walk_all, walk_one
from resolvers.revisions.tree import DEPTH_LIMIT

Entries = dict[str, Value]
# What of a page's entry its sections, words and links come from.
_INDEXED = ("type", "title", "description", "document_id", "cover", "target")
_EXISTS = ("type", "document_id")


@dataclass(slots=True)
class Plan:
    """The objects to index anew and to drop, in a space whose newest revision is `revision`."""

    revision: Revision
    pages: dict[str, Page] = field(default_factory=dict)
    # Pages of `pages` that search must not find.
    unsearchable: set[str] = field(default_factory=set)
    # Pages of `pages` that not every reader sees: hidden ones, those with a condition, and below.
    restricted: set[str] = field(default_factory=set)
    contents: dict[str, ReusableContent] = field(default_factory=dict)
    # Files whose entries are others now, or gone.
    files: set[str] = field(default_factory=set)
    # Pages and reusable contents that are gone.
    removed: set[str] = field(default_factory=set)
    removed_contents: set[str] = field(default_factory=set)
    # Pages, files and contents that came, went or have other anchors: links to them may change.
    targets: set[str] = field(default_factory=set)


async def plan_of(ctx: Context, before: Revision | None, after: Revision) -> Plan:
    """The plan that leads from the index of one revision to that of another."""
    space_id = after.space_id
    pages, files, contents = await walk_all(
        ctx,
        [
            (space_id, diff(before.pages_root if before else None, after.pages_root)),
            (space_id, diff(before.files_root if before else None, after.files_root)),
            (space_id, diff(before.contents_root if before else None, after.contents_root)),
        ],
    )
    plan = Plan(after)
    plan.targets.update(
        change.key for change in (*files, *contents) if None in (change.before, change.after)
    )
    if before is not None:
        plan.files.update(change.key for change in files)
    entries: Entries = {}
    for change in pages:
        if _differs(change, _EXISTS):
            plan.targets.add(change.key)
        if change.after is None:
            plan.removed.add(change.key)
        elif _differs(change, _INDEXED):
            entries[change.key] = change.after
    for change in contents:
        if change.after is None:
            plan.removed_contents.add(change.key)
        elif _differs(change, ("document_id",)):
            plan.contents[change.key] = content_of(space_id, after.id, change.key, change.after)
    changed = {change.key: change.after for change in pages if change.after is not None}
    if before is not None:
        flipped = await _flipped(ctx, before, after, pages, changed)
        entries |= await walk_one(ctx, space_id, lookup(after.pages_root, flipped))
    await add_pages(ctx, plan, entries, changed)
    return plan


async def add_pages(
    ctx: Context, plan: Plan, entries: Mapping[str, Value], entries_read: Mapping[str, Value]
) -> None:
    """Plan to index pages anew; `entries_read` are entries that need not be read."""
    revision = plan.revision
    closed = await _flags(ctx, revision, entries, {**entries_read, **entries})
    for id, entry in entries.items():
        plan.pages[id] = page_of(revision.space_id, revision.id, id, entry)
        if closed[id].unsearchable:
            plan.unsearchable.add(id)
        if closed[id].restricted:
            plan.restricted.add(id)


async def plan_of_pages(ctx: Context, revision: Revision, page_ids: Iterable[str]) -> Plan:
    """The plan that indexes some pages of a revision, for building the index in steps."""
    plan = Plan(revision)
    entries = await walk_one(ctx, revision.space_id, lookup(revision.pages_root, page_ids))
    await add_pages(ctx, plan, entries, {})
    return plan


def _differs(change: Change, names: Sequence[str]) -> bool:
    if change.before is None or change.after is None:
        return True
    return any(change.before.get(name) != change.after.get(name) for name in names)


class Flags(NamedTuple):
    """Whether a page, or one above it, is left out of search or hidden from some readers."""

    unsearchable: bool
    restricted: bool


async def _flags(
    ctx: Context, revision: Revision, ids: Iterable[str], entries_read: Mapping[str, Value]
) -> dict[str, Flags]:
    """The flags of each page, with the pages above it."""
    entries: Entries = dict(entries_read)
    unread = set(ids)
    for _ in range(DEPTH_LIMIT):
        missing = unread - entries.keys()
        if missing:
            entries |= await walk_one(ctx, revision.space_id, lookup(revision.pages_root, missing))
        above = {entries[id].get("parent") for id in unread if id in entries}
        unread = {id for id in above if id is not None}
        if not unread:
            break
    return {id: _flags_of(entries, id) for id in ids}


def _flags_of(entries: Mapping[str, Value], id: str) -> Flags:
    unsearchable = restricted = False
    current: Any = id
    for _ in range(DEPTH_LIMIT):
        entry = entries.get(current)
        if entry is None:
            return Flags(unsearchable, restricted)
        unsearchable = unsearchable or bool(entry.get("no_index"))
        restricted = restricted or bool(entry.get("hidden"))
        # An empty condition is one, too.
        restricted = restricted or entry.get("condition") is not None
        current = entry.get("parent")
    return Flags(unsearchable, True)


async def _flipped(
    ctx: Context,
    before: Revision,
    after: Revision,
    changes: Sequence[Change],
    entries_read: Entries,
) -> set[str]:
    """Pages that search finds now and did not, that all readers see now and did not, or the other
    way round, with those below them."""
    moved = [
        change.key
        for change in changes
        if change.before is not None
        and change.after is not None
        and _differs(change, ("parent", "no_index", "hidden", "condition"))
    ]
    if not moved:
        return set()
    were = await _flags(
        ctx, before, moved, {change.key: change.before for change in changes if change.before}
    )
    are = await _flags(ctx, after, moved, entries_read)
    flipped = {id for id in moved if were[id] != are[id]}
    return flipped | await _below(ctx, after, flipped)


async def _below(ctx: Context, revision: Revision, ids: set[str]) -> set[str]:
    """All pages below these, a level at a time."""
    below: set[str] = set()
    level = ids
    while level:
        walks = [
            (revision.space_id, scan(revision.slugs_root, prefix=f"{id}/")) for id in sorted(level)
        ]
        listed = await walk_all(ctx, walks)
        level = {value["id"] for entries in listed for _, value in entries} - below
        below |= level
    return below
