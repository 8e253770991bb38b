"""Deleting one page, file, reusable content or redirect: operations of a batch by themselves."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from content.links.redirect_paths import old_path_key
from resolvers.core.arguments import Expected, SpaceId
from resolvers.core.context import Context, in_steps
from resolvers.drafts.operation_inputs import (
    DeleteFileInput,
    DeletePageInput,
    DeleteRedirectInput,
    DeleteReusableContentInput,
)
from resolvers.revisions.ids import FILE, PAGE, REUSABLE_CONTENT, PlacedId, placed_id, primary_ids
from resolvers.writing.file_fetches import Place
from resolvers.writing.operations import ContentWrite, Step, write_steps
from resolvers.writing.page_edits import InChangeRequest


@dataclass(slots=True, kw_only=True)
class ContentDeletion(ContentWrite):
    """A write that deleted one thing: its kind, and its stable id, or the path of a redirect."""

    kind: str
    deleted: str
    space_id: str


@in_steps
async def delete_page(
    ctx: Context,
    space_id: SpaceId,
    input: DeletePageInput,
    change_request_id: InChangeRequest = None,
    expected_revision: Expected = None,
) -> ContentDeletion:
    """Delete a page with everything below it."""
    place = Place(space_id, change_request_id, expected_revision)
    return await _delete(ctx, place, Step("delete_page", input, "input"), PAGE, input.page)


@in_steps
async def delete_file(
    ctx: Context,
    space_id: SpaceId,
    input: DeleteFileInput,
    change_request_id: InChangeRequest = None,
    expected_revision: Expected = None,
) -> ContentDeletion:
    """Delete a file; links to it stay and are broken."""
    place = Place(space_id, change_request_id, expected_revision)
    return await _delete(ctx, place, Step("delete_file", input, "input"), FILE, input.file)


@in_steps
async def delete_reusable_content(
    ctx: Context,
    space_id: SpaceId,
    input: DeleteReusableContentInput,
    change_request_id: InChangeRequest = None,
    expected_revision: Expected = None,
) -> ContentDeletion:
    """Delete a reusable content; includes of it stay and are broken."""
    place = Place(space_id, change_request_id, expected_revision)
    step = Step("delete_reusable_content", input, "input")
    return await _delete(ctx, place, step, REUSABLE_CONTENT, input.reusable_content)


@in_steps
async def delete_redirect(
    ctx: Context,
    space_id: SpaceId,
    input: DeleteRedirectInput,
    change_request_id: InChangeRequest = None,
    expected_revision: Expected = None,
) -> ContentDeletion:
    """Remove the redirect of content from an old path."""
    place = Place(space_id, change_request_id, expected_revision)
    deletion = await _delete(ctx, place, Step("delete_redirect", input, "input"), "redirect", "")
    deletion.deleted = old_path_key(input.path)
    return deletion


async def _delete(ctx: Context, place: Place, step: Step, kind: str, id: str) -> ContentDeletion:
    """Make the operation; `id` is the stable one, or one that names a place."""
    written = await write_steps(ctx, place, [step])
    placed = placed_id(id)
    return ContentDeletion(
        revision=written.revision,
        changed=written.changed,
        change_request=written.change_request,
        before=written.before,
        kind=kind,
        deleted=id if placed is None else placed.id,
        space_id=place.space_id,
    )


async def deleted_ids(ctx: Context, rows: Sequence[ContentDeletion], arguments: Any) -> list[str]:
    """The ids in GraphQL that pages, files and reusable contents had where they were deleted."""
    primary = await primary_ids(
        ctx, [PlacedId(row.kind, row.space_id, row.deleted) for row in rows]
    )
    return [
        id
        if row.change_request is None
        else str(PlacedId(row.kind, row.change_request.id, row.deleted))
        for row, id in zip(rows, primary, strict=True)
    ]
