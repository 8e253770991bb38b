"""The part of the index that changes when a space gets another revision.

Only the parts of the maps that differ are read, so an edit of one page costs one page, whatever
the size of the space.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from content.merkle.read import Change, diff, scan
from db.models.content import Revision
from resolvers.core.context import Context
from resolvers.revisions.ids import MAPS
from resolvers.revisions.rows import Page, ReusableContent, content_of
from resolvers.revisions.store import walk_all
from resolvers.revisions.tree import with_those_above

# What of a page's entry its sections, words and links come from.
_INDEXED = ("type", "title", "description", "document_id", "cover", "target")
# What of it says where links to it lead: its title is a place of it.
_LINKED = ("type", "title", "document_id")


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
    walks = [
        (space_id, diff(getattr(before, root, None), getattr(after, root)))
        for root in MAPS.values()
    ]
    pages, files, contents = await walk_all(ctx, walks)
    plan = Plan(after)
    plan.targets.update(
        change.key for change in (*files, *contents) if None in (change.before, change.after)
    )
    if before is not None:
        plan.files.update(change.key for change in files)
    # In the order of the changes.
    anew: list[str] = []
    for change in pages:
        if _differs(change, _LINKED):
            plan.targets.add(change.key)
        if change.after is None:
            plan.removed.add(change.key)
        elif _differs(change, _INDEXED):
            anew.append(change.key)
    for change in contents:
        if change.after is None:
            plan.removed_contents.add(change.key)
        elif _differs(change, ("document_id",)):
            plan.contents[change.key] = content_of(space_id, after.id, change.key, change.after)
    if before is not None:
        anew += sorted(await _flipped(ctx, before, after, pages))
    await add_pages(ctx, plan, anew)
    return plan


async def add_pages(ctx: Context, plan: Plan, page_ids: Collection[str]) -> None:
    """Plan to index pages of the revision anew; one below a page that is not there is dropped."""
    (pages,) = await with_those_above(ctx, [(plan.revision, page_ids)])
    plan.removed.update(set(page_ids) - pages.keys())
    for page in (pages[id] for id in page_ids if id in pages):
        plan.pages[page.id] = page
        if page.out_of_search:
            plan.unsearchable.add(page.id)
        if _is_restricted(page, pages):
            plan.restricted.add(page.id)


async def plan_of_pages(ctx: Context, revision: Revision, page_ids: Collection[str]) -> Plan:
    """The plan that indexes some pages of a revision, for building the index in steps."""
    plan = Plan(revision)
    await add_pages(ctx, plan, page_ids)
    return plan


def _differs(change: Change, names: Sequence[str]) -> bool:
    if change.before is None or change.after is None:
        return True
    return any(change.before.get(name) != change.after.get(name) for name in names)


def _is_restricted(page: Page, pages: Mapping[str, Page]) -> bool:
    """Whether a page, or one of those above it, is hidden from some readers."""
    at: Page | None = page
    while at is not None:
        # An empty condition is one, too.
        if at.hidden or at.condition is not None:
            return True
        at = pages.get(at.parent_id or "")
    return False


async def _flipped(
    ctx: Context, before: Revision, after: Revision, changes: Sequence[Change]
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
    were, are = Plan(before), Plan(after)
    for plan in (were, are):
        await add_pages(ctx, plan, moved)
    flipped = (were.unsearchable ^ are.unsearchable) | (were.restricted ^ are.restricted)
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
