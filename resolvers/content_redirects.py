"""Redirects that the configuration of a space sets (docs/importing.md, "Redirects").

They are part of its content: a revision has a map of them, by old path, and what changes it goes
through change requests like anything else. The primary content's are kept as rows, too, beside the
automatic ones, so that looking for both takes one statement.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import bindparam, delete, select

from content.merkle.read import diff, scan
from content.slugs import normalize_path
from db.models.content import ContentRedirect as RedirectRow
from db.models.content import Revision
from db.prepared import KEY, among
from resolvers.batches import reads
from resolvers.content_store import walk_all, walk_one
from resolvers.content_targets import Target
from resolvers.context import Context
from resolvers.errors import NotFound
from resolvers.found_pages import find_pages
from resolvers.memory_pages import memory_slices
from resolvers.page_rows import Page
from resolvers.page_tree import find_page, hidden_from
from resolvers.pagination import PageArguments, Slice
from resolvers.redirects import find_moved, old_paths_of_spaces, path_id, put_redirects
from resolvers.statements import Asks, Written, statement

KEYS_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class OldPath:
    """Where an old path of a space leads: a page, and a place on it."""

    page: Page
    anchor: str | None = None


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


@statement
def _at(asks: Asks) -> Written:
    return select(RedirectRow.page_id, RedirectRow.anchor).where(
        RedirectRow.space_id == bindparam("space_id", type_=KEY),
        RedirectRow.key == bindparam("key", type_=KEY),
    )


async def find_set_redirect(ctx: Context, revision: Revision, path: str) -> OldPath:
    """Where the redirect leads that is set for a path of primary content; NotFound without one,
    and where its page is gone or not there for who asks.
    """
    rows = await _at.rows(ctx, space_id=revision.space_id, key=path_id(normalize_path(path)))
    if not rows:
        raise NotFound(f"there is no page at {path!r} in this content")
    return OldPath(await find_page(ctx, revision, rows[0].page_id), rows[0].anchor)


async def find_redirect(ctx: Context, revision: Revision, path: str) -> Page:
    """The page that an old path leads to in primary content; NotFound when there is none.

    One that moved comes before one that is set. The caller has found no live page at this path.
    """
    try:
        return await find_moved(ctx, revision, path)
    except NotFound:
        return (await find_set_redirect(ctx, revision, path)).page


@statement
def _at_of_several(asks: Asks) -> Written:
    return select(RedirectRow.space_id).where(
        among(RedirectRow.space_id, "spaces"),
        RedirectRow.key == bindparam("key", type_=KEY),
    )


async def spaces_leading_on(ctx: Context, spaces: Iterable[str], path: str) -> set[str]:
    """Those of the spaces whose primary content may lead on from a path, by `find_redirect`."""
    wanted, normal = set(spaces), normalize_path(path)
    if not wanted or not normal:
        return set()
    moved = await old_paths_of_spaces(ctx, dict.fromkeys(wanted, (normal,)))
    rows = await _at_of_several.rows(ctx, spaces=wanted, key=path_id(normal))
    return {space for space, _ in moved} | {row.space_id for row in rows}


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
    """Redirects of a revision, by old path; without those to pages hidden from who asks."""
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
    wanted: dict[str, tuple[Revision, set[str]]] = {}
    for row in rows:
        wanted.setdefault(row.revision.id, (row.revision, set()))[1].add(row.page_id)
    found = dict(zip(wanted, await find_pages(ctx, list(wanted.values())), strict=True))
    return [found[row.revision.id].get(row.page_id) for row in rows]
