"""Redirects that the configuration of a space sets (docs/importing.md, "Redirects").

They are part of its content: a revision has a map of them, by old path, and what changes it goes
through change requests like anything else. The primary content's are rows, too, beside the
automatic ones, so that looking for both takes one statement.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from sqlalchemy import delete

from content.merkle.read import diff, scan
from content.slugs import normalize_path
from db.models.content import ContentRedirect as RedirectRow, Revision
from resolvers.core.context import Context
from resolvers.core.errors import NotFound
from resolvers.core.pagination import PageArguments, Slice
from resolvers.lists.batches import reads
from resolvers.lists.memory_pages import memory_slices
from resolvers.revisions.automatic_redirects import path_id, put_redirects
from resolvers.revisions.moved_pages import (
    OldPath,
    Place,
    Revisions,
    find_moved,
    find_old_paths,
    find_set,
)
from resolvers.revisions.pages_by_id import find_pages
from resolvers.revisions.rows import Page
from resolvers.revisions.store import walk_all, walk_one
from resolvers.revisions.tree import hidden_from
from resolvers.revisions.write_targets import Target

KEYS_AT_ONCE = 500


async def follow_redirects(
    ctx: Context, target: Target, before: Revision | None, after: Revision
) -> None:
    """Bring the rows of a space's redirects to its new revision."""
    if target.space is None:
        return
    root = None if before is None else before.redirects_root
    changes = await walk_one(ctx, after.space_id, diff(root, after.redirects_root))
    gone = [path_id(change.key) for change in changes if change.after is None]
    for start in range(0, len(gone), KEYS_AT_ONCE):
        await ctx.session.execute(
            delete(RedirectRow).where(
                RedirectRow.space_id == after.space_id,
                RedirectRow.key.in_(gone[start : start + KEYS_AT_ONCE]),
            )
        )
    rows = [
        {
            "space_id": after.space_id,
            "key": path_id(change.key),
            "page_id": change.after["page"],
            "anchor": change.after.get("anchor"),
        }
        for change in changes
        if change.after is not None
    ]
    await put_redirects(ctx, RedirectRow, rows, ("page_id", "anchor"))


async def find_set_redirect(ctx: Context, revision: Revision, path: str) -> OldPath:
    """Where the redirect leads that is set for a path of primary content; NotFound without one,
    and where its page is gone or not there for the viewer.
    """
    return await _only(find_set, ctx, revision, path)


async def find_moved_page(ctx: Context, revision: Revision, path: str) -> Page:
    """The page that was at a path of primary content before it moved; NotFound without one.

    The caller has found no live page at this path.
    """
    return (await _only(find_moved, ctx, revision, path)).page


async def find_redirect(ctx: Context, revision: Revision, path: str) -> Page:
    """The page that an old path leads to in primary content; NotFound when there is none.

    One that moved comes before one that is set. The caller has found no live page at this path.
    """
    return (await _only(find_old_paths, ctx, revision, path)).page


class _Search(Protocol):
    async def __call__(
        self, ctx: Context, revisions: Revisions, places: list[Place]
    ) -> dict[Place, OldPath]: ...


async def _only(search: _Search, ctx: Context, revision: Revision, path: str) -> OldPath:
    """The result of a search for one path of one space; NotFound without one."""
    place = revision.space_id, normalize_path(path)
    redirect = (await search(ctx, {revision.space_id: revision}, [place])).get(place)
    if redirect is None:
        raise NotFound(f"there is no page at {path!r} in this content")
    return redirect


# ------------------------------------------------------------------ lists


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
    lookups: dict[str, tuple[Revision, set[str]]] = {}
    for row in rows:
        lookups.setdefault(row.revision.id, (row.revision, set()))[1].add(row.page_id)
    pages = dict(zip(lookups, await find_pages(ctx, list(lookups.values())), strict=True))
    return [pages[row.revision.id].get(row.page_id) for row in rows]
