"""Single operations on content: short forms of `apply_content_changes`."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Protocol, TypeVar

import strawberry

from content.links.redirect_paths import old_path_key
from resolvers.core import inputs
from resolvers.core.arguments import Expected, SpaceId
from resolvers.core.context import Context
from resolvers.core.declarations import Transactions, operation
from resolvers.drafts.operation_inputs import (
    CreateFileInput,
    CreatePageInput,
    CreateReusableContentInput,
    DeleteFileInput,
    DeletePageInput,
    DeleteRedirectInput,
    DeleteReusableContentInput,
    MovePageInput,
    RenamePageInput,
    ReplaceFileInput,
    RevertPageInput,
    SetRedirectInput,
    SetVariablesInput,
    UpdatePageInput,
    UpdateReusableContentInput,
)
from resolvers.revisions.ids import FILE, PAGE, REUSABLE_CONTENT, PlacedId, primary_ids, stable_part
from resolvers.writing.operations import ContentWrite, Step, write_steps
from resolvers.writing.received_files import Place

Input = TypeVar("Input", contravariant=True)
Result = TypeVar("Result", covariant=True)
REDIRECT = "redirect"
InChangeRequest = Annotated[
    strawberry.ID | None,
    inputs.argument("Id of the change request, or its number; primary content when absent."),
]


class ContentEdit(Protocol[Input, Result]):
    """One operation on primary content or on the content of a change request."""

    async def __call__(
        self,
        ctx: Context,
        space_id: SpaceId,
        input: Input,
        change_request_id: InChangeRequest = None,
        expected_revision: Expected = None,
    ) -> Result: ...


def _alone(
    name: str,
    kind: type[Input],
    summary: str,
    write: Callable[[Context, Place, Any], Awaitable[Result]],
    result: type[Result],
) -> ContentEdit[Input, Result]:
    """One step of `apply_content_changes` as an operation with the name `name`."""

    async def edit(
        ctx: Context,
        space_id: SpaceId,
        input: Any,
        change_request_id: InChangeRequest = None,
        expected_revision: Expected = None,
    ) -> Any:
        return await write(ctx, Place(space_id, change_request_id, expected_revision), input)

    # What both interfaces print and read the arguments from.
    edit.__name__ = edit.__qualname__ = name
    edit.__doc__ = summary
    edit.__annotations__ |= {"input": kind, "return": result}
    return operation(transactions=Transactions.IN_STEPS)(edit)


def _edit(
    name: str, kind: type[Input], summary: str, *, called: str = ""
) -> ContentEdit[Input, ContentWrite]:
    """The step `name`, alone and under the name `called`."""

    async def write(ctx: Context, place: Place, input: Any) -> ContentWrite:
        return await write_steps(ctx, place, [Step(name, input, "input")])

    return _alone(called or name, kind, summary, write, ContentWrite)


create_page = _edit(
    "create_page", CreatePageInput, "Make a page in primary content or in a change request."
)
update_page = _edit("update_page", UpdatePageInput, "Change the fields or the body of a page.")
rename_page = _edit(
    "rename_page",
    RenamePageInput,
    "Give a page another title or slug; its old path leads to it from then on.",
)
move_page = _edit(
    "move_page", MovePageInput, "Put a page somewhere else, with everything below it."
)
revert_page = _edit(
    "revert_page",
    RevertPageInput,
    "Take a page, or some of its blocks, back to an earlier revision.",
)
create_file = _edit(
    "create_file", CreateFileInput, "Make a file of an upload, or of what is at an address."
)
replace_file = _edit(
    "replace_file", ReplaceFileInput, "Replace the bytes or the name of a file; its id stays."
)
create_reusable_content = _edit(
    "create_reusable_content", CreateReusableContentInput, "Make a reusable content."
)
update_reusable_content = _edit(
    "update_reusable_content",
    UpdateReusableContentInput,
    "Change the name or the body of a reusable content.",
)
set_space_variables = _edit(
    "set_variables",
    SetVariablesInput,
    "Set and remove variables of a space; the others stay.",
    called="set_space_variables",
)
set_redirect = _edit(
    "set_redirect",
    SetRedirectInput,
    "Set a redirect of content from an old path to a page; a page at the path comes before it.",
)


@dataclass(slots=True, kw_only=True)
class ContentDeletion(ContentWrite):
    """A write that deleted one thing: its kind, and its stable id, or the path of a redirect."""

    kind: str
    deleted: str
    space_id: str


def _deletion(
    name: str, kind: type[Input], summary: str, what: str, member: str
) -> ContentEdit[Input, ContentDeletion]:
    """The step `name`, which deletes the thing of the kind `what` that `member` of its input names.

    Things are named by their stable ids, or by ids that name a place.
    """

    async def write(ctx: Context, place: Place, input: Any) -> ContentDeletion:
        written = await write_steps(ctx, place, [Step(name, input, "input")])
        named = str(getattr(input, member))
        return ContentDeletion(
            revision=written.revision,
            changed=written.changed,
            change_request=written.change_request,
            before=written.before,
            kind=what,
            deleted=old_path_key(named) if what == REDIRECT else stable_part(what, named),
            space_id=place.space_id,
        )

    return _alone(name, kind, summary, write, ContentDeletion)


delete_page = _deletion(
    "delete_page", DeletePageInput, "Delete a page with everything below it.", PAGE, "page"
)
delete_file = _deletion(
    "delete_file", DeleteFileInput, "Delete a file; links to it stay and are broken.", FILE, "file"
)
delete_reusable_content = _deletion(
    "delete_reusable_content",
    DeleteReusableContentInput,
    "Delete a reusable content; includes of it stay and are broken.",
    REUSABLE_CONTENT,
    "reusable_content",
)
delete_redirect = _deletion(
    "delete_redirect",
    DeleteRedirectInput,
    "Remove the redirect of content from an old path.",
    REDIRECT,
    "path",
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
