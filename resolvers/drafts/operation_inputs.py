"""Operations on content: the inputs of a batch (`applyContentChanges`) and of its short forms."""

import strawberry
from strawberry import Maybe

from db.content_enums import NewPageType
from resolvers.core import inputs
from resolvers.core.scalars import JsonObject, Url
from resolvers.drafts.page_inputs import (
    PageBodyInput,
    PageFieldsInput,
    PagePositionInput,
    anchor_field,
    file_address,
    old_path_field,
    ref_field,
)
from resolvers.revisions import limits as content_limits

PAGE = "Id of the page."


@strawberry.input(description="A new page.")
class CreatePageInput(PageFieldsInput):
    ref: str | None = ref_field()
    type: NewPageType = strawberry.field(
        default=NewPageType.DOCUMENT, description="Kind of page; `document` when absent."
    )
    title: str | None = inputs.text(
        "Title; when absent that of the Markdown, else `Untitled`.",
        min=1,
        max=content_limits.TITLE,
    )
    parent: strawberry.ID | None = inputs.text(
        "Id of the document or group above it; the top level when absent. Groups stand there only."
    )
    position: PagePositionInput | None = inputs.field("Its place; the end when absent.")
    body: PageBodyInput | None = inputs.field("Its body; documents only.")


@strawberry.input(description="Changes to a page; absent fields stay as they are.")
class UpdatePageInput(PageFieldsInput):
    page: strawberry.ID = inputs.text(PAGE, required=True)
    title: Maybe[str] = inputs.text(
        "Title; the slug follows it unless it was set by hand.", min=1, max=content_limits.TITLE
    )
    body: PageBodyInput | None = inputs.field("Its new body, or edits of it; documents only.")


@strawberry.input(description="Another title or slug of a page.")
class RenamePageInput:
    page: strawberry.ID = inputs.text(PAGE, required=True)
    title: Maybe[str] = inputs.text(
        "Title; the slug follows it unless it was set by hand.", min=1, max=content_limits.TITLE
    )
    slug: Maybe[str | None] = inputs.text("Its part of the path; null = made from the title.")


@strawberry.input(description="Another place of a page; what is below it moves along.")
class MovePageInput:
    page: strawberry.ID = inputs.text(PAGE, required=True)
    parent: Maybe[strawberry.ID | None] = inputs.text(
        "Id of the document or group to put it below; null = the top level, absent = as it is."
    )
    position: PagePositionInput | None = inputs.field("Its place there; the end when absent.")


@strawberry.input(description="Delete a page with everything below it.")
class DeletePageInput:
    page: strawberry.ID = inputs.text(PAGE, required=True)


@strawberry.input(description="Take a page, or some of its blocks, back to an earlier revision.")
class RevertPageInput:
    page: strawberry.ID = inputs.text(PAGE, required=True)
    revision: strawberry.ID | None = inputs.text(
        "Id of the revision; in a change request the one it is based on when absent."
    )
    blocks: list[str] | None = inputs.items(
        "Keys of the blocks; the whole page when absent.", max=content_limits.REVERTED_BLOCKS
    )


@strawberry.input(
    description="Make a file of an upload (see `createFileUpload`), or of what is at an address."
)
class CreateFileInput:
    ref: str | None = ref_field()
    upload: strawberry.ID | None = inputs.text("Id of the upload; this or `url`.")
    url: Url | None = file_address()
    name: str | None = inputs.text(
        "Name with its extension; that of the upload, or what the server of the address says, "
        "when absent.",
        min=1,
        max=content_limits.NAME,
    )


@strawberry.input(description="Replace a file's bytes or name; its id and links to it stay.")
class ReplaceFileInput:
    file: strawberry.ID = inputs.text("Id of the file.", required=True)
    upload: strawberry.ID | None = inputs.text("Id of the upload with the new bytes; or `url`.")
    url: Url | None = file_address()
    name: str | None = inputs.text("New name with its extension.", min=1, max=content_limits.NAME)


@strawberry.input(description="Delete a file; links to it stay and are broken.")
class DeleteFileInput:
    file: strawberry.ID = inputs.text("Id of the file.", required=True)


@strawberry.input(description="A new piece of content for pages to include.")
class CreateReusableContentInput:
    ref: str | None = ref_field()
    title: str = inputs.text("Name.", required=True, min=1, max=content_limits.TITLE)
    body: PageBodyInput | None = inputs.field("Its body; empty when absent.")


@strawberry.input(description="Changes to a reusable content; absent fields stay as they are.")
class UpdateReusableContentInput:
    reusable_content: strawberry.ID = inputs.text("Id of the content.", required=True)
    title: Maybe[str] = inputs.text("Name.", min=1, max=content_limits.TITLE)
    body: PageBodyInput | None = inputs.field("Its new body, or edits of it.")


@strawberry.input(description="Delete a reusable content; includes of it stay and are broken.")
class DeleteReusableContentInput:
    reusable_content: strawberry.ID = inputs.text("Id of the content.", required=True)


@strawberry.input(description="Changes to the variables of the space; the others stay.")
class SetVariablesInput:
    set: JsonObject | None = inputs.field(
        "Names to values: text of at most 256 characters, numbers, booleans."
    )
    remove: list[str] | None = inputs.items("Names of variables to remove.")


@strawberry.input(
    description="A redirect from an old path to a page, as `.gitbook.yaml` sets them; one that is "
    "there for this path is replaced."
)
class SetRedirectInput:
    path: str = old_path_field(required=True)
    page: strawberry.ID = inputs.text("Id of the page that it leads to.", required=True)
    anchor: str | None = anchor_field()


@strawberry.input(description="Remove the redirect that an old path has.")
class DeleteRedirectInput:
    path: str = old_path_field(required=True)


@strawberry.input(description="One operation on content: exactly one of these.", one_of=True)
class ContentOperationInput(inputs.OneOf):
    create_page: CreatePageInput | None = inputs.field("Make a page.", one_of=True)
    update_page: UpdatePageInput | None = inputs.field("Change a page.", one_of=True)
    rename_page: RenamePageInput | None = inputs.field(
        "Give a page another title or slug.", one_of=True
    )
    move_page: MovePageInput | None = inputs.field("Put a page somewhere else.", one_of=True)
    delete_page: DeletePageInput | None = inputs.field(
        "Delete a page and what is below it.", one_of=True
    )
    revert_page: RevertPageInput | None = inputs.field(
        "Take a page back to an earlier revision.", one_of=True
    )
    create_file: CreateFileInput | None = inputs.field("Make a file.", one_of=True)
    replace_file: ReplaceFileInput | None = inputs.field("Replace a file.", one_of=True)
    delete_file: DeleteFileInput | None = inputs.field("Delete a file.", one_of=True)
    create_reusable_content: CreateReusableContentInput | None = inputs.field(
        "Make a reusable content.", one_of=True
    )
    update_reusable_content: UpdateReusableContentInput | None = inputs.field(
        "Change a reusable content.", one_of=True
    )
    delete_reusable_content: DeleteReusableContentInput | None = inputs.field(
        "Delete a reusable content.", one_of=True
    )
    set_variables: SetVariablesInput | None = inputs.field(
        "Change variables of the space.", one_of=True
    )
    set_redirect: SetRedirectInput | None = inputs.field(
        "Set a redirect from an old path.", one_of=True
    )
    delete_redirect: DeleteRedirectInput | None = inputs.field(
        "Remove a redirect from an old path.", one_of=True
    )


@strawberry.input(
    description="Where content is written: a space's primary content, or a change request of it."
)
class ContentTargetInput:
    space: strawberry.ID = inputs.text("Id of the space.", required=True)
    change_request: strawberry.ID | None = inputs.text(
        "Id of the change request, or its number in the space; primary content when absent."
    )


@strawberry.input(description="Operations on content: all of them, or none.")
class ApplyContentChangesInput:
    target: ContentTargetInput = inputs.field("Where they are made.", required=True)
    operations: list[ContentOperationInput] = inputs.items(
        "At most 200 operations, made one after the other.",
        required=True,
        min=1,
        max=content_limits.OPERATIONS,
    )
    expected_revision: strawberry.ID | None = inputs.text(
        "Id of the newest revision that the caller knows; another one is refused (409)."
    )
    dry_run: bool = strawberry.field(
        default=False, description="Only tell what would change, and write nothing."
    )
