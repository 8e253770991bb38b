"""Pages as fields of what holds them: a space, a change request, a revision."""

from collections.abc import Sequence
from dataclasses import dataclass

from content.slugs import normalize_path
from db.models.change_requests import ChangeRequest
from db.models.content import Revision
from db.models.spaces import Space
from resolvers.core.arguments import PageId, PagePath
from resolvers.core.context import Context
from resolvers.lists.batches import reads
from resolvers.revisions.ids import PAGE, asked_for, stable_id_by_space
from resolvers.revisions.objects import active_revisions, each_object, find_pages, pages_at_path
from resolvers.revisions.read_targets import revisions_by_id
from resolvers.revisions.redirects import PrimaryContent, match, pages_led_to
from resolvers.revisions.rows import Page


@dataclass(frozen=True, slots=True)
class PageKey:
    """Which page is wanted."""

    id: PageId


@dataclass(frozen=True, slots=True)
class PathKey:
    """At which path a page is wanted."""

    path: PagePath


# ------------------------------------------------------------------ pages by id

Revisions = Sequence[Revision | None]


async def _of_spaces(ctx: Context, rows: Sequence[Space]) -> Revisions:
    active = await active_revisions(ctx, [row.id for row in rows])
    return [active.get(row.id) for row in rows]


async def _of_requests(ctx: Context, rows: Sequence[ChangeRequest]) -> Revisions:
    by_id = await revisions_by_id(ctx, {row.revision_id for row in rows})
    return [by_id.get(row.revision_id) for row in rows]


def _asked_in(rows: Sequence[ChangeRequest], pages: Sequence[Page | None]) -> list[Page | None]:
    """The pages as they were asked for: in change requests, edited or not (decision 0049)."""
    return [
        None if page is None else asked_for(page, row.id, None)
        for row, page in zip(rows, pages, strict=True)
    ]


async def _with_id(ctx: Context, revisions: Revisions, id: str) -> list[Page | None]:
    """The page that an id means in each revision."""
    spaces = {revision.space_id for revision in revisions if revision is not None}
    stable_ids = await stable_id_by_space(ctx, spaces, PAGE, id)
    ids = [
        None if revision is None else stable_ids.get(revision.space_id) for revision in revisions
    ]
    return await each_object(ctx, find_pages, zip(revisions, ids, strict=True))


@reads("id")
async def page_of_spaces(
    ctx: Context, rows: Sequence[Space], arguments: PageKey
) -> list[Page | None]:
    """The page with an id in the primary content of each space; None where there is none."""
    return await _with_id(ctx, await _of_spaces(ctx, rows), arguments.id)


@reads("id", "revision_id")
async def page_of_change_requests(
    ctx: Context, rows: Sequence[ChangeRequest], arguments: PageKey
) -> list[Page | None]:
    """The page with an id in the content of each change request; None where there is none."""
    pages = await _with_id(ctx, await _of_requests(ctx, rows), arguments.id)
    return _asked_in(rows, pages)


@reads("id", "space_id", "pages_root", "slugs_root")
async def page_of_revisions(
    ctx: Context, rows: Sequence[Revision], arguments: PageKey
) -> list[Page | None]:
    """The page with an id in each revision; None where there is none."""
    return await _with_id(ctx, rows, arguments.id)


# ------------------------------------------------------------------ pages by path


@reads("id")
async def page_by_path_of_spaces(
    ctx: Context, rows: Sequence[Space], arguments: PathKey
) -> list[Page | None]:
    """The page at a path in the primary content of each space, or to which the path leads still."""
    revisions = await _of_spaces(ctx, rows)
    pages = await pages_at_path(ctx, revisions, arguments.path)
    missing = {
        revision.space_id: revision
        for revision, page in zip(revisions, pages, strict=True)
        if revision is not None and page is None
    }
    path = normalize_path(arguments.path)
    places = [(space, path) for space in missing]
    leading = await match(PrimaryContent(ctx, missing), places) if places else {}
    ends = {space: end.page for (space, _), end in leading.items()}
    return [page or ends.get(row.id) for row, page in zip(rows, pages, strict=True)]


@reads("id", "revision_id")
async def page_by_path_of_change_requests(
    ctx: Context, rows: Sequence[ChangeRequest], arguments: PathKey
) -> list[Page | None]:
    """The page at a path in the content of each change request, or to which the path leads there;
    None where there is none.
    """
    return _asked_in(rows, await _led_on(ctx, await _of_requests(ctx, rows), arguments.path))


@reads("id", "space_id", "pages_root", "slugs_root", "redirects_root")
async def page_by_path_of_revisions(
    ctx: Context, rows: Sequence[Revision], arguments: PathKey
) -> list[Page | None]:
    """The page at a path in each revision, or to which the path leads there; None where there is
    none.
    """
    return await _led_on(ctx, rows, arguments.path)


async def _led_on(ctx: Context, revisions: Revisions, path: str) -> list[Page | None]:
    pages = await pages_at_path(ctx, revisions, path)
    missing = [
        revision
        for revision, page in zip(revisions, pages, strict=True)
        if revision and page is None
    ]
    pages_found = iter(await pages_led_to(ctx, missing, path))
    return [
        next(pages_found) if page is None and revision is not None else page
        for revision, page in zip(revisions, pages, strict=True)
    ]
