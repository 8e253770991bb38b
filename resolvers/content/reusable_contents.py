"""Reusable contents: named pieces of content that pages include (docs/content-model.md)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import strawberry

from content.merkle.read import lookup, scan
from db.models.content import Revision
from db.order_enums import ReusableContentOrderField
from resolvers.core.arguments import ReusableContentId, SpaceId
from resolvers.core.context import Context
from resolvers.core.errors import NotFound
from resolvers.core.orders import Orders, ReusableContentOrder, in_memory, titled
from resolvers.core.pagination import PageArguments, Slice
from resolvers.lists.batches import reads
from resolvers.lists.memory_pages import memory_slices
from resolvers.revisions.ids import REUSABLE_CONTENT, asked_for, stable_id
from resolvers.revisions.read_targets import InChangeRequest, InRevision, find_revision
from resolvers.revisions.rows import ReusableContent, content_of
from resolvers.revisions.store import walk_all, walk_one


async def get_reusable_content(
    ctx: Context,
    space_id: SpaceId,
    id: ReusableContentId,
    change_request_id: InChangeRequest = None,
    revision_id: InRevision = None,
) -> ReusableContent:
    """A reusable content: of a space's primary content, of a change request or of a revision."""
    revision = await find_revision(ctx, space_id, change_request_id, revision_id)
    stable = await stable_id(ctx, space_id, REUSABLE_CONTENT, id)
    entries = await walk_one(ctx, revision.space_id, lookup(revision.contents_root, [stable]))
    if stable not in entries:
        raise NotFound(f"reusable content {id!r} does not exist in this content")
    content = content_of(revision.space_id, revision.id, stable, entries[stable])
    return asked_for(content, change_request_id, revision_id)


async def all_reusable_contents(
    ctx: Context, rows: Sequence[Revision], arguments: Any
) -> list[list[ReusableContent]]:
    """Every reusable content of each revision, by id."""
    walks = [(row.space_id, scan(row.contents_root)) for row in rows]
    return [
        [content_of(row.space_id, row.id, id, entry) for id, entry in entries]
        for row, entries in zip(rows, await walk_all(ctx, walks), strict=True)
    ]


@dataclass(frozen=True)
class ReusableContentArguments(PageArguments):
    """The order of a list of reusable contents."""

    order_by: Annotated[
        ReusableContentOrder | None,
        strawberry.argument(description="Order; oldest first when absent."),
    ] = None


ORDERS = Orders(in_memory("id"), {ReusableContentOrderField.TITLE: titled("title")})


@reads("id", "space_id", "contents_root")
async def reusable_contents_of_revisions(
    ctx: Context, rows: Sequence[Revision], arguments: PageArguments
) -> list[Slice[ReusableContent]]:
    """Reusable contents of a revision, oldest first."""
    listed = await all_reusable_contents(ctx, rows, None)
    ids, order = [row.id for row in rows], ORDERS.wanted(arguments)
    return memory_slices(ctx, "reusable-contents", ids, listed, arguments, order)
