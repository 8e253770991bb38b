"""Single operations on content: short forms of `apply_content_changes`."""

from typing import Annotated, Any

import strawberry

from resolvers.arguments import SpaceId
from resolvers.content_operations import (
    CreateFileInput,
    CreatePageInput,
    CreateReusableContentInput,
    DeleteFileInput,
    DeletePageInput,
    DeleteReusableContentInput,
    MovePageInput,
    RenamePageInput,
    ReplaceFileInput,
    RevertPageInput,
    SetVariablesInput,
    UpdatePageInput,
    UpdateReusableContentInput,
)
from resolvers.content_targets import open_target
from resolvers.content_writes import ContentWrite, Step, apply_steps
from resolvers.context import Context

InChangeRequest = Annotated[
    strawberry.ID | None,
    strawberry.argument(
        description="Id of the change request, or its number; primary content when absent."
    ),
]
Expected = Annotated[
    strawberry.ID | None,
    strawberry.argument(description="Id of the newest revision; another one is refused (409)."),
]


async def _apply(
    ctx: Context, space_id: str, request: str | None, expected: str | None, name: str, input: Any
) -> ContentWrite:
    target = await open_target(ctx, space_id, request, expected_revision=expected)
    return await apply_steps(ctx, target, [Step(name, input, "input")])


async def create_page(
    ctx: Context,
    space_id: SpaceId,
    input: CreatePageInput,
    change_request_id: InChangeRequest = None,
    expected_revision: Expected = None,
) -> ContentWrite:
    """Make a page in primary content or in a change request."""
    return await _apply(ctx, space_id, change_request_id, expected_revision, "create_page", input)


async def update_page(
    ctx: Context,
    space_id: SpaceId,
    input: UpdatePageInput,
    change_request_id: InChangeRequest = None,
    expected_revision: Expected = None,
) -> ContentWrite:
    """Change the fields or the body of a page."""
    return await _apply(ctx, space_id, change_request_id, expected_revision, "update_page", input)


async def rename_page(
    ctx: Context,
    space_id: SpaceId,
    input: RenamePageInput,
    change_request_id: InChangeRequest = None,
    expected_revision: Expected = None,
) -> ContentWrite:
    """Give a page another title or slug; its old path leads to it from then on."""
    return await _apply(ctx, space_id, change_request_id, expected_revision, "rename_page", input)


async def move_page(
    ctx: Context,
    space_id: SpaceId,
    input: MovePageInput,
    change_request_id: InChangeRequest = None,
    expected_revision: Expected = None,
) -> ContentWrite:
    """Put a page somewhere else, with everything below it."""
    return await _apply(ctx, space_id, change_request_id, expected_revision, "move_page", input)


async def delete_page(
    ctx: Context,
    space_id: SpaceId,
    input: DeletePageInput,
    change_request_id: InChangeRequest = None,
    expected_revision: Expected = None,
) -> ContentWrite:
    """Delete a page with everything below it."""
    return await _apply(ctx, space_id, change_request_id, expected_revision, "delete_page", input)


async def revert_page(
    ctx: Context,
    space_id: SpaceId,
    input: RevertPageInput,
    change_request_id: InChangeRequest = None,
    expected_revision: Expected = None,
) -> ContentWrite:
    """Take a page, or some of its blocks, back to an earlier revision."""
    return await _apply(ctx, space_id, change_request_id, expected_revision, "revert_page", input)


async def create_file(
    ctx: Context,
    space_id: SpaceId,
    input: CreateFileInput,
    change_request_id: InChangeRequest = None,
    expected_revision: Expected = None,
) -> ContentWrite:
    """Make a file of an upload."""
    return await _apply(ctx, space_id, change_request_id, expected_revision, "create_file", input)


async def replace_file(
    ctx: Context,
    space_id: SpaceId,
    input: ReplaceFileInput,
    change_request_id: InChangeRequest = None,
    expected_revision: Expected = None,
) -> ContentWrite:
    """Replace the bytes or the name of a file; its id stays."""
    return await _apply(ctx, space_id, change_request_id, expected_revision, "replace_file", input)


async def delete_file(
    ctx: Context,
    space_id: SpaceId,
    input: DeleteFileInput,
    change_request_id: InChangeRequest = None,
    expected_revision: Expected = None,
) -> ContentWrite:
    """Delete a file; links to it stay and are broken."""
    return await _apply(ctx, space_id, change_request_id, expected_revision, "delete_file", input)


async def create_reusable_content(
    ctx: Context,
    space_id: SpaceId,
    input: CreateReusableContentInput,
    change_request_id: InChangeRequest = None,
    expected_revision: Expected = None,
) -> ContentWrite:
    """Make a reusable content."""
    return await _apply(
        ctx, space_id, change_request_id, expected_revision, "create_reusable_content", input
    )


async def update_reusable_content(
    ctx: Context,
    space_id: SpaceId,
    input: UpdateReusableContentInput,
    change_request_id: InChangeRequest = None,
    expected_revision: Expected = None,
) -> ContentWrite:
    """Change the name or the body of a reusable content."""
    return await _apply(
        ctx, space_id, change_request_id, expected_revision, "update_reusable_content", input
    )


async def delete_reusable_content(
    ctx: Context,
    space_id: SpaceId,
    input: DeleteReusableContentInput,
    change_request_id: InChangeRequest = None,
    expected_revision: Expected = None,
) -> ContentWrite:
    """Delete a reusable content; includes of it stay and are broken."""
    return await _apply(
        ctx, space_id, change_request_id, expected_revision, "delete_reusable_content", input
    )


async def set_space_variables(
    ctx: Context,
    space_id: SpaceId,
    input: SetVariablesInput,
    change_request_id: InChangeRequest = None,
    expected_revision: Expected = None,
) -> ContentWrite:
    """Set and remove variables of a space; the others stay."""
    return await _apply(ctx, space_id, change_request_id, expected_revision, "set_variables", input)
