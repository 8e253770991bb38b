"""Redirects that the configuration of a space sets, as lists (docs/importing.md, "Redirects").

Changes of them are listed beside the other changes, not among them: the kinds of those are fixed
by the contract of /v1, and a client that knows them all need not survive another one.
"""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

from content.merkle.node import Value
from content.merkle.read import Change, scan
from db.content_enums import RedirectChangeType
from db.models.content import Revision
from resolvers.core.context import Context
from resolvers.core.installation import Settings
from resolvers.core.pagination import PageArguments, Slice
from resolvers.lists.batches import reads
from resolvers.lists.memory_pages import memory_slices
from resolvers.revisions.objects import each_object, find_pages
from resolvers.revisions.rows import Page
from resolvers.revisions.store import walk_all
from resolvers.revisions.tree import hidden_from


@dataclass(frozen=True, slots=True)
class ListedRedirect:
    """A redirect that the content of a revision has."""

    revision: Revision
    path: str
    page_id: str
    anchor: str | None


@reads("id", "space_id", "pages_root", "slugs_root", "redirects_root")
async def redirects_of_revisions(
    ctx: Context, rows: Sequence[Revision], arguments: PageArguments
) -> list[Slice[ListedRedirect]]:
    """Redirects of a revision, by old path; without those to pages hidden from the viewer."""
    walks = [(row.space_id, scan(row.redirects_root)) for row in rows]
    hidden = await hidden_from(ctx, [row for row in rows if row.redirects_root is not None])
    listed = [
        [
            ListedRedirect(row, path, entry["page"], entry.get("anchor"))
            for path, entry in entries
            if entry["page"] not in hidden.get(row.id, ())
        ]
        for row, entries in zip(rows, await walk_all(ctx, walks), strict=True)
    ]
    return memory_slices(ctx, "redirects", [row.id for row in rows], listed, arguments)


async def pages_of_redirects(
    ctx: Context, rows: Sequence[ListedRedirect], arguments: Any
) -> list[Page | None]:
    """The pages that redirects lead to; None where there is none any more."""
    return await each_object(ctx, find_pages, ((row.revision, row.page_id) for row in rows))


# ------------------------------------------------------------------ changes


@dataclass(slots=True)
class RedirectEnd:
    """Where a redirect leads in a revision."""

    revision: Revision
    page_id: str
    anchor: str | None
    # The page, where it was read already; of a dry run it cannot be read afterwards.
    page: Page | None = None
    is_read: bool = False


@dataclass(frozen=True, slots=True)
class RedirectChange:
    """A redirect that was set, changed or removed."""

    type: RedirectChangeType
    path: str
    before: RedirectEnd | None
    after: RedirectEnd | None


@dataclass(slots=True)
class RedirectChanges:
    """All redirects that changed; `limit` is how many are listed without `first`."""

    id: str
    rows: list[RedirectChange]
    total: int
    limit: int

    @property
    def more(self) -> int | None:
        """The number of changes beyond the first `limit`; None for no more."""
        return max(0, self.total - self.limit) or None


def redirect_changes(
    before: Revision | None,
    after: Revision,
    changes: Sequence[Change],
    hidden: Mapping[str, Set[str]],
    limit: int,
) -> RedirectChanges | None:
    """The changes of redirects, by old path; None when there are none.

    Redirects to pages that are `hidden` from the viewer, by revision, are not there.
    """
    rows: list[RedirectChange] = []
    for change in changes:
        ends = [
            _end(revision, entry, hidden)
            for revision, entry in ((before or after, change.before), (after, change.after))
        ]
        old, new = ends
        if old is None and new is None:
            continue
        kind = RedirectChangeType.REDIRECT_EDITED
        if old is None:
            kind = RedirectChangeType.REDIRECT_CREATED
        elif new is None:
            kind = RedirectChangeType.REDIRECT_DELETED
        rows.append(RedirectChange(kind, change.key, old, new))
    if not rows:
        return None
    first = "" if before is None else before.id
    return RedirectChanges(f"{first}:{after.id}", rows, len(rows), limit)


def _end(
    revision: Revision, entry: Value | None, hidden: Mapping[str, Set[str]]
) -> RedirectEnd | None:
    if entry is None or entry["page"] in hidden.get(revision.id, ()):
        return None
    return RedirectEnd(revision, entry["page"], entry.get("anchor"))


async def keep_pages(ctx: Context, changes: RedirectChanges | None) -> list[Page]:
    """Read the pages of the first redirects while their revision is there, and forget the others.

    That revision is one of a dry run, which is taken back.
    """
    if changes is None:
        return []
    changes.rows = changes.rows[: changes.limit]
    ends = [end for row in changes.rows for end in (row.before, row.after) if end is not None]
    pages = await pages_of_ends(ctx, ends, None)
    for end, page in zip(ends, pages, strict=True):
        end.page, end.is_read = page, True
    return [page for page in pages if page is not None]


@dataclass(frozen=True, slots=True)
class _First(PageArguments):
    """As many rows as the parent says."""

    limit: int = field(default=0, kw_only=True)

    def size(self, settings: Settings) -> int:
        return self.limit


async def changes_of_redirects(
    ctx: Context, rows: Sequence[RedirectChanges], arguments: PageArguments
) -> list[Slice[RedirectChange]]:
    """The changes, by old path; as many as `limit` of the whole says when `first` is absent."""
    slices: list[Slice[RedirectChange]] = []
    for row in rows:
        page = arguments
        if arguments.first is None and arguments.last is None:
            page = _First(None, arguments.after, None, arguments.before, limit=row.limit)
        slices += memory_slices(ctx, "redirect-changes", [row.id], [row.rows], page)
    return slices


async def pages_of_ends(
    ctx: Context, rows: Sequence[RedirectEnd], arguments: Any
) -> list[Page | None]:
    """The pages that redirects led or lead to; None where there is none any more."""
    pairs = ((None if row.is_read else row.revision, row.page_id) for row in rows)
    pages = await each_object(ctx, find_pages, pairs)
    return [row.page if row.is_read else page for row, page in zip(rows, pages, strict=True)]
