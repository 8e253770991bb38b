"""Targets of comments: pages and nodes of revisions (docs/comments.md)."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from content.documents.plain_text import text_preview
from content.merkle.read import lookup
from db.models.change_requests import ChangeRequest
from db.models.comments import Comment
from db.models.spaces import Space
from resolvers.change_requests.operations import newest_revisions
from resolvers.content.client_markdown import Standpoint, client_documents
from resolvers.core.context import Context
from resolvers.core.errors import NotFound
from resolvers.lists.batches import computed_from, reads
from resolvers.revisions.objects import each_object
from resolvers.revisions.read_targets import stored_revisions
from resolvers.revisions.rows import Page, page_of
from resolvers.revisions.states import bodies
from resolvers.revisions.store import walk_one
from resolvers.revisions.tree import with_those_above

PREVIEW_LENGTH = 100


async def check_target(
    ctx: Context, revision_id: str, page_id: str, node_id: str | None
) -> str | None:
    """The text of the node a comment is put on, at most 100 characters; None without a node.

    NotFound when the revision lacks the page, or the page's document the node.
    """
    revision = (await stored_revisions(ctx, [revision_id]))[revision_id]
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


@computed_from("node_id", "node_preview")
async def target_nodes(
    ctx: Context, rows: Sequence[Comment], arguments: Any
) -> list[TargetNode | None]:
    """The node of each comment that stands on one."""
    return [TargetNode(row.node_id, row.node_preview) if row.node_id else None for row in rows]


@computed_from("table_record", "table_definition")
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
    revisions = await stored_revisions(ctx, ids)
    pairs = [(revisions.get(present[row.id]), row.page_id) for row in on_page]
    now = await each_object(ctx, with_those_above, pairs)
    lost = [
        (None if page is not None else revisions.get(row.revision_id), row.page_id)
        for row, page in zip(on_page, now, strict=True)
    ]
    before = await each_object(ctx, with_those_above, lost)
    shown = {
        row.id: _shown(shown_page, outdated=page is None)
        for row, page, old in zip(on_page, now, before, strict=True)
        if (shown_page := page or old) is not None
    }
    return [shown.get(row.id) for row in rows]


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


async def _present_revisions(ctx: Context, rows: Sequence[Comment]) -> dict[str, str]:
    """Comment id -> the revision that its space or change request is at now."""
    requests = {row.change_request_id for row in rows if row.change_request_id is not None}
    spaces = {row.space_id for row in rows if row.change_request_id is None}
    revisions = await newest_revisions(ctx, Space, spaces)
    revisions |= await newest_revisions(ctx, ChangeRequest, requests)
    return {row.id: revisions[row.change_request_id or row.space_id] for row in rows}
