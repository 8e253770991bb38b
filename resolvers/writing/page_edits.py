"""Single operations on content: short forms of `apply_content_changes`."""

from typing import Annotated, Any, Protocol, TypeVar

import strawberry

from resolvers.core.arguments import Expected, SpaceId
from resolvers.core.context import Context, in_steps
from resolvers.drafts.operation_inputs import (
    CreateFileInput,
    CreatePageInput,
    CreateReusableContentInput,
    MovePageInput,
    RenamePageInput,
    ReplaceFileInput,
    RevertPageInput,
    SetRedirectInput,
    SetVariablesInput,
    UpdatePageInput,
    UpdateReusableContentInput,
)
from resolvers.writing.file_fetches import Place
from resolvers.writing.operations import ContentWrite, Step, write_steps

Input = TypeVar("Input", contravariant=True)
InChangeRequest = Annotated[
    strawberry.ID | None,
    strawberry.argument(
        description="Id of the change request, or its number; primary content when absent."
    ),
]


class ContentEdit(Protocol[Input]):
    """One operation on primary content or on the content of a change request."""

    async def __call__(
        self,
        ctx: Context,
        space_id: SpaceId,
        input: Input,
        change_request_id: InChangeRequest = None,
        expected_revision: Expected = None,
    ) -> ContentWrite: ...


def _edit(name: str, kind: type[Input], summary: str, *, called: str = "") -> ContentEdit[Input]:
    """The step `name` of `apply_content_changes`, alone and under the name `called`."""

    async def edit(
        ctx: Context,
        space_id: SpaceId,
        input: Any,
        change_request_id: InChangeRequest = None,
        expected_revision: Expected = None,
    ) -> ContentWrite:
        place = Place(space_id, change_request_id, expected_revision)
        return await write_steps(ctx, place, [Step(name, input, "input")])

    # What both interfaces print and read the arguments from.
    edit.__name__ = edit.__qualname__ = called or name
    edit.__doc__ = summary
    edit.__annotations__["input"] = kind
    return in_steps(edit)


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
