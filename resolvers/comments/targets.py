"""What comments stand on: pages and nodes of revisions (docs/comments.md)."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select

from content.markdown.plain_text import text_preview
from content.merkle.read import lookup
from db.models.change_requests import ChangeRequest
from db.models.comments import Comment
from db.models.content import Revision
from db.models.spaces import Space
from db.prepared import among
from resolvers.content.client_markdown import Standpoint, client_documents
from resolvers.core.context import Context
from resolvers.core.errors import NotFound
from resolvers.core.statements import Viewer, Written, statement
from resolvers.lists.batches import reads
from resolvers.revisions.rows import Page, page_of
from resolvers.revisions.states import bodies
from resolvers.revisions.store import walk_all, walk_one
from resolvers.revisions.tree import DEPTH_LIMIT, join_path

PREVIEW_LENGTH = 100


# What the pages of a revision are found with.
WITH_PAGES = frozenset({"id", "space_id", "pages_root"})


@statement
def _revisions(viewer: Viewer) -> Written:
    return select(Revision).where(among(Revision.id, "ids"))


async def check_target(
    ctx: Context, revision_id: str, page_id: str, node_id: str | None
) -> str | None:
    """The text of the node a comment is put on, at most 100 characters; None without a node.

    NotFound when the revision lacks the page, or the page's document the node.
    """
    (revision,) = await _revisions.rows(ctx, columns=WITH_PAGES, ids=[revision_id])
    entries = await walk_one(ctx, revision.space_id, lookup(revision.pages_root, [page_id]))
    if page_id not in entries:
        raise NotFound(f"page: page {page_id!r} does not exist in this content")
    if node_id is None:
        return None
    document_id = page_of(revision.space_id, revision.id, page_id, entries[page_id]).document_id
    (body,) = await bodies(ctx, [(revision.space_id, document_id)])
    preview = None
    if body is not None:
        standpoint = Standpoint(revision.id, page_id)
        (document,) = await client_documents(ctx, [standpoint], [body.document])
        preview = text_preview(document, node_id, PREVIEW_LENGTH)
    if preview is None:
        raise NotFound(f"node: node {node_id!r} does not exist on page {page_id!r}")
    return preview


@dataclass(frozen=True, slots=True)
class TargetNode:
    """A node as it was when the comment was put on it."""

    id: str
    preview: str | None


@dataclass(frozen=True, slots=True)
class TargetCell:
    """A cell of a table."""

    record: str
    definition: str


@dataclass(frozen=True, slots=True)
class TargetPage:
    """A page that a comment is about; `outdated` when the present content lacks it."""

    id: str
    title: str
    emoji: str | None
    icon: str | None
    created_at: dt.datetime | None
    updated_at: dt.datetime | None
    path: str
    outdated: bool


@reads("node_id", "node_preview")
async def target_nodes(
    ctx: Context, rows: Sequence[Comment], arguments: Any
) -> list[TargetNode | None]:
    """The node of each comment that stands on one."""
    return [TargetNode(row.node_id, row.node_preview) if row.node_id else None for row in rows]


@reads("table_record", "table_definition")
async def target_cells(
    ctx: Context, rows: Sequence[Comment], arguments: Any
) -> list[TargetCell | None]:
    """The cell of each comment that stands on one."""
    return [
        TargetCell(row.table_record, row.table_definition)
        if row.table_record is not None and row.table_definition is not None
        else None
        for row in rows
    ]


@reads("id", "space_id", "change_request_id", "page_id", "revision_id")
async def target_pages(
    ctx: Context, rows: Sequence[Comment], arguments: Any
) -> list[TargetPage | None]:
    """The page of each comment that stands on one.

    It is shown as the present content of the space or change request has it, and as it was when
    the comment was posted where it is no longer there.
    """
    on_page = [row for row in rows if row.page_id is not None]
    if not on_page:
        return [None for _ in rows]
    present = await _present_revisions(ctx, on_page)
    ids = {present[row.id] for row in on_page} | {row.revision_id for row in on_page}
    revisions = {row.id: row for row in await _revisions.rows(ctx, columns=WITH_PAGES, ids=ids)}
    now = await _pages(ctx, revisions, [(present[row.id], row.page_id or "") for row in on_page])
    lost = [
        (row.revision_id, row.page_id or "")
        for row in on_page
        if (present[row.id], row.page_id) not in now
    ]
    before = await _pages(ctx, revisions, lost)
    result: list[TargetPage | None] = []
    for row in rows:
        page_id = row.page_id or ""
        page = now.get((present.get(row.id, ""), page_id))
        outdated = page is None
        page = page or before.get((row.revision_id, page_id))
        result.append(None if page is None else _shown(page, outdated))
    return result


def _shown(page: Page, outdated: bool) -> TargetPage:
    return TargetPage(
        id=page.id,
        title=page.title,
        emoji=page.emoji,
        icon=page.icon,
        created_at=page.created_at,
        updated_at=page.updated_at,
        path=page.path,
        outdated=outdated,
    )


@statement
def _present(viewer: Viewer, model: Any) -> Written:
    return select(model.id, model.revision_id).where(among(model.id, "ids"))


async def _present_revisions(ctx: Context, rows: Sequence[Comment]) -> dict[str, str]:
    """Comment id -> the revision that its space or change request is at now."""
    requests = {row.change_request_id for row in rows} - {None}
    spaces = {row.space_id for row in rows if row.change_request_id is None}
    revisions: dict[str, str] = {}
    for model, ids in ((Space, spaces), (ChangeRequest, requests)):
        if ids:
            revisions.update(dict(await _present.rows(ctx, model, ids=ids)))
    return {row.id: revisions[row.change_request_id or row.space_id] for row in rows}


Wanted = tuple[str, str]


async def _pages(
    ctx: Context, revisions: Mapping[str, Revision], places: Sequence[Wanted]
) -> dict[Wanted, Page]:
    """Pages with their paths, by revision and page id; without those that do not exist.

    Ancestors are read a level of the tree at a time, for all revisions at once.
    """
    pages: dict[Wanted, Page] = {}
    missing = {pair for pair in places if pair[0] in revisions}
    for _ in range(DEPTH_LIMIT):
        by_revision: dict[str, set[str]] = {}
        for revision_id, page_id in missing:
            by_revision.setdefault(revision_id, set()).add(page_id)
        chosen = [(revisions[id], ids) for id, ids in by_revision.items()]
        walked = await walk_all(
            ctx, [(revision.space_id, lookup(revision.pages_root, ids)) for revision, ids in chosen]
        )
        level = [
            page_of(revision.space_id, revision.id, id, entry)
            for (revision, _), entries in zip(chosen, walked, strict=True)
            for id, entry in entries.items()
        ]
        pages.update(((page.revision_id, page.id), page) for page in level)
        parents = {(page.revision_id, page.parent_id) for page in level if page.parent_id}
        missing = parents - pages.keys()
        if not missing:
            break
    for pair in places:
        if pair in pages:
            pages[pair].path = _path(pages, pages[pair])
    return pages


def _path(pages: Mapping[Wanted, Page], page: Page) -> str:
    slugs = [page.slug]
    while page.parent_id is not None and (page.revision_id, page.parent_id) in pages:
        page = pages[page.revision_id, page.parent_id]
        slugs.append(page.slug)
    path = ""
    for slug in reversed(slugs):
        path = join_path(path, slug)
    return path
