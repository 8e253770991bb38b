"""Pages: reading one by id or path, lists, the way through them, and what the caller may do."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Annotated, Any

from sqlalchemy import and_, or_

from content.pages.layout_options import whole_layout
from db.enums import EditMode, Role
from db.models.change_requests import ChangeRequest
from db.models.content import Revision
from db.models.spaces import Space
from db.order_enums import PageOrderField
from db.prepared import among
from db.text_order import sort_key
from resolvers.access.policy import ranked
from resolvers.core import inputs
from resolvers.core.arguments import PageId, PagePath, SpaceId
from resolvers.core.context import Context
from resolvers.core.errors import NotFound
from resolvers.core.naming import camel
from resolvers.core.orders import Orders, PageOrder, in_memory, titled
from resolvers.core.pagination import PageArguments, Slice
from resolvers.core.statements import Viewer, Written, statement
from resolvers.core.urls import Urls
from resolvers.lists.batches import reads
from resolvers.lists.memory_pages import memory_slices
from resolvers.revisions.ids import PAGE, asked_for, asked_like, asked_places, stable_id
from resolvers.revisions.objects import find_landing_pages, find_page_by_path
from resolvers.revisions.read_targets import (
    InChangeRequest,
    InRevision,
    WithComputed,
    find_revision,
)
from resolvers.revisions.redirects import find_redirect, pages_led_to
from resolvers.revisions.rows import Page
from resolvers.revisions.tree import PagesOf, all_pages, children_of, find_page, page_paths
from resolvers.revisions.write_targets import EDITABLE


async def get_page(
    ctx: Context,
    space_id: SpaceId,
    id: PageId,
    change_request_id: InChangeRequest = None,
    revision_id: InRevision = None,
    computed: WithComputed = True,
) -> Page:
    """A page by its id: of a space's primary content, of a change request or of a revision."""
    revision = await find_revision(ctx, space_id, change_request_id, revision_id, computed=computed)
    page = await find_page(ctx, revision, await stable_id(ctx, space_id, PAGE, id))
    return asked_for(page, change_request_id, revision_id)


async def get_page_by_path(
    ctx: Context,
    space_id: SpaceId,
    path: PagePath,
    change_request_id: InChangeRequest = None,
    revision_id: InRevision = None,
    computed: WithComputed = True,
) -> Page:
    """A document or group by its path.

    In primary content a path that a page had before it was moved or renamed leads to it still, and
    after that one for which the configuration of the space sets a redirect. In a change request or
    a revision a path without a page means the page that the primary content has or had there, and
    after that a redirect of the very content.
    """
    revision = await find_revision(ctx, space_id, change_request_id, revision_id, computed=computed)
    try:
        page = await find_page_by_path(ctx, revision, path)
    except NotFound:
        if change_request_id is None and revision_id is None:
            return (await find_redirect(ctx, revision, path)).page
        (target,) = await pages_led_to(ctx, [revision], path)
        if target is None:
            raise
        page = target
    return asked_for(page, change_request_id, revision_id)


@dataclass(frozen=True)
class AllPagesArguments(PageArguments):
    """The order of the list of all pages."""

    order_by: Annotated[
        PageOrder | None, inputs.argument("Order; depth first in display order when absent.")
    ] = None


def _segments(page: Page) -> list[str]:
    return [sort_key(segment) for segment in page.path.split("/")]


_UNKNOWN_TIME = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
ORDERS = Orders(
    in_memory("id"),
    {
        PageOrderField.CREATED_AT: in_memory(
            "created_at", lambda page: page.created_at or _UNKNOWN_TIME
        ),
        PageOrderField.UPDATED_AT: in_memory(
            "updated_at", lambda page: page.updated_at or _UNKNOWN_TIME
        ),
        PageOrderField.TITLE: titled("title"),
        PageOrderField.PATH: in_memory("path", _segments),
    },
)


@reads("id", "space_id", "pages_root")
async def pages_of_revisions(
    ctx: Context, rows: Sequence[Revision], arguments: PageArguments
) -> list[Slice[Page]]:
    """All pages of a revision, depth first in display order unless another order is asked for."""
    listed = await all_pages(ctx, rows)
    order = ORDERS.wanted(arguments)
    return memory_slices(ctx, "pages", [row.id for row in rows], listed, arguments, order)


@reads("id", "space_id", "pages_root")
async def top_pages_of_revisions(
    ctx: Context, rows: Sequence[Revision], arguments: PageArguments
) -> list[Slice[Page]]:
    """Pages at the top level of a revision, in display order."""
    listed = [tree.top for tree in await all_pages(ctx, rows)]
    return memory_slices(ctx, "top-pages", [row.id for row in rows], listed, arguments)


async def children_of_pages(
    ctx: Context, rows: Sequence[Page], arguments: PageArguments
) -> list[Slice[Page]]:
    """Pages directly below a page, in display order."""
    keys = [f"{row.revision_id}/{row.id}" for row in rows]
    return memory_slices(ctx, "child-pages", keys, await children_of(ctx, rows), arguments)


async def page_urls(ctx: Context, rows: Sequence[Page], arguments: Any) -> list[Urls]:
    """Where a page is found."""
    base = ctx.settings.public_url
    return [Urls(app=f"{base}/s/{row.space_id}/{row.path}") for row in rows]


@dataclass(frozen=True, slots=True)
class Layout:
    """Which parts of a page are shown."""

    width: str
    cover: bool
    cover_size: str
    title: bool
    description: bool
    table_of_contents: bool
    outline: bool
    pagination: bool
    metadata: bool
    cover_mask: str
    tags: bool
    actions: bool
    anchors: bool


# What a stored layout calls each of them.
_OPTIONS = {part.name: camel(part.name) for part in fields(Layout)}


async def page_layouts(ctx: Context, rows: Sequence[Page], arguments: Any) -> list[Layout]:
    """The layout of each page, defaults filled in."""
    return [layout_of(row.layout) for row in rows]


def layout_of(layout: dict[str, Any]) -> Layout:
    """A stored layout with all of its options."""
    stored = whole_layout(layout)
    return Layout(**{name: stored[option] for name, option in _OPTIONS.items()})


@dataclass(frozen=True, slots=True)
class GitBlob:
    """Where something stands in the repository it came from."""

    oid: str
    path: str


async def git_blobs(ctx: Context, rows: Sequence[Any], arguments: Any) -> list[GitBlob | None]:
    """Where pages, files and reusable contents stand in Git; what came in an archive does not."""
    return [
        GitBlob(row.git["oid"], row.git["path"]) if row.git and "oid" in row.git else None
        for row in rows
    ]


async def link_addresses(ctx: Context, rows: Sequence[Page], arguments: Any) -> list[str | None]:
    """The URL that a link page leads to; None where the target is not there or has no address.

    Pages of the same content have the address they have in the application.
    """
    lookups: dict[str, tuple[PagesOf, set[str]]] = {}
    for row in rows:
        page_id = _page_beside(row)
        if page_id is not None:
            of = PagesOf(row.revision_id, row.space_id, row.pages_root)
            lookups.setdefault(row.revision_id, (of, set()))[1].add(page_id)
    paths_read = await page_paths(ctx, list(lookups.values())) if lookups else []
    paths = dict(zip(lookups, paths_read, strict=True))
    return [_address(ctx, row, paths.get(row.revision_id, {})) for row in rows]


def _page_beside(row: Page) -> str | None:
    """The page of the same content that a link page leads to."""
    target = row.target or {}
    if target.get("kind") not in ("page", "anchor"):
        return None
    return target.get("page") if target.get("space", row.space_id) == row.space_id else None


def _address(ctx: Context, row: Page, paths: dict[str, str]) -> str | None:
    target, base = row.target or {}, f"{ctx.settings.public_url}/s"
    if target.get("kind") == "url":
        return target.get("url")
    if target.get("kind") == "space":
        return f"{base}/{target.get('space')}"
    path = paths.get(_page_beside(row) or "")
    if path is None:
        return None
    anchor = f"#{target['anchor']}" if target.get("kind") == "anchor" else ""
    return f"{base}/{row.space_id}/{path}{anchor}"


@dataclass(frozen=True, slots=True)
class PageRights:
    """The rights of the caller on one page."""

    view: bool = True
    comment: bool = False
    edit: bool = False


VIEWS_ONLY = PageRights()


@statement
def _spaces(viewer: Viewer) -> Written:
    statement, rank = ranked(viewer, Space)
    return statement.where(among(Space.id, "spaces")).with_only_columns(
        Space.id, Space.revision_id, Space.edit_mode, rank.label("rank")
    )


@statement
def _requests(viewer: Viewer) -> Written:
    """Change requests by their ids, and by the newest revisions of those that were edited."""
    statement, rank = ranked(viewer, ChangeRequest)
    own = ChangeRequest.revision_id != ChangeRequest.revision_initial_id
    statement = statement.where(
        or_(
            among(ChangeRequest.id, "ids"), and_(among(ChangeRequest.revision_id, "revisions"), own)
        )
    )
    return statement.with_only_columns(
        ChangeRequest.id,
        ChangeRequest.revision_id,
        ChangeRequest.created_by_id,
        ChangeRequest.status,
        rank.label("rank"),
    )


async def page_permissions(ctx: Context, rows: Sequence[Page], arguments: Any) -> list[PageRights]:
    """What the caller may do with each page: in primary content as the space says, in a change
    request as that does while it is a draft or open, and nothing in older revisions.

    A change request that was not edited yet shares its revision with the space: what was asked for
    in it is changed there all the same.
    """
    if ctx.actor.visitor is not None:
        return [VIEWS_ONLY] * len(rows)
    spaces = await _spaces.rows(ctx, spaces={row.space_id for row in rows})
    active = {space.revision_id: space for space in spaces}
    places = await asked_places(ctx, rows)
    ids = {place for place in places if place is not None}
    others = {row.revision_id for row in rows} - active.keys()
    drafts: dict[str, Any] = {}
    if ids or others:
        for request in await _requests.rows(ctx, ids=ids, revisions=others):
            drafts[request.id] = request
            if request.revision_id in others:
                drafts.setdefault(request.revision_id, request)
    return [
        _of_request(drafts[place], ctx.actor.user_id)
        if place is not None and place in drafts
        else _of_space(active[row.revision_id])
        if row.revision_id in active
        else _of_request(drafts.get(row.revision_id), ctx.actor.user_id)
        for row, place in zip(rows, places, strict=True)
    ]


def _of_space(space: Any) -> PageRights:
    # Whoever reviews may edit where others edit in change requests only.
    needed = Role.EDIT if space.edit_mode is EditMode.LIVE else Role.REVIEW
    return PageRights(comment=space.rank >= Role.COMMENT.rank, edit=space.rank >= needed.rank)


def _of_request(request: Any, caller: str | None) -> PageRights:
    if request is None:
        return VIEWS_ONLY
    return PageRights(
        comment=request.rank >= Role.COMMENT.rank,
        edit=request.status in EDITABLE
        and (request.created_by_id == caller or request.rank >= Role.EDIT.rank),
    )


@reads("id", "space_id", "pages_root", "slugs_root")
async def landing_pages(
    ctx: Context, rows: Sequence[Revision], arguments: Any
) -> list[Page | None]:
    """The first document of each revision, hidden or not; None when there is none."""
    return await find_landing_pages(ctx, rows)


async def pages_before(ctx: Context, rows: Sequence[Page], arguments: Any) -> list[Page | None]:
    """The page before each page; None for the first one, and for hidden pages."""
    return await _beside(ctx, rows, -1)


async def pages_behind(ctx: Context, rows: Sequence[Page], arguments: Any) -> list[Page | None]:
    """The page behind each page; None for the last one, and for hidden pages."""
    return await _beside(ctx, rows, 1)


async def _beside(ctx: Context, rows: Sequence[Page], step: int) -> list[Page | None]:
    revisions = {
        row.revision_id: PagesOf(row.revision_id, row.space_id, row.pages_root) for row in rows
    }
    trees = await all_pages(ctx, list(revisions.values()))
    by_revision = dict(zip(revisions, trees, strict=True))
    neighbours: list[Page | None] = []
    for row in rows:
        tree = by_revision[row.revision_id]
        place, way = tree.places.get(row.id), tree.navigation
        index = -1 if place is None else place + step
        beside = way[index] if 0 <= index < len(way) else None
        neighbours.append(None if beside is None else asked_like(beside, row))
    return neighbours
