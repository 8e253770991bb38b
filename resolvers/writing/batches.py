"""Batches of changes in the form of /v1, into a change request or live.

They are translated to the operations of `resolvers/writing/operations.py`, each of which has a form
here, with their own names in errors.
"""

import base64
import binascii
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Annotated, Any

import strawberry

from db.content_enums import ContentBatchChange, NewPageType
from db.models.change_requests import ChangeRequest
from resolvers.core import inputs
from resolvers.core.arguments import ChangeRequestId, SpaceId
from resolvers.core.context import Context
from resolvers.core.declarations import Transactions, operation
from resolvers.core.errors import ApiError, FieldError, invalid
from resolvers.core.runners import run
from resolvers.drafts.contents import checked_name
from resolvers.drafts.draft import FileBytes
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
from resolvers.drafts.page_inputs import PageBodyInput, PagePositionInput
from resolvers.writing.batch_inputs import (
    INLINE_BYTES,
    PAGE_FIELDS,
    ContentChangeInput,
    ContentFileInput,
    FileBytesInput,
    WriteContentInput,
    check_change,
    type_of,
)
from resolvers.writing.operations import ContentWrite, Step, write_ready
from resolvers.writing.received_files import (
    UNKNOWN,
    Place,
    ReceivedFiles,
    check_place,
    fetch_files,
    receiving,
)

Compat = Annotated[bool, inputs.argument("Answer with the change request alone; true when absent.")]
DryRun = Annotated[bool, inputs.argument("Only tell what would change, and write nothing.")]


@operation(transactions=Transactions.IN_STEPS)
async def write_change_request_content(
    ctx: Context,
    space_id: SpaceId,
    change_request_id: ChangeRequestId,
    input: WriteContentInput,
    compat: Compat = True,
    dry_run: DryRun = False,
    expected_revision: str | None = None,
) -> ChangeRequest | ContentWrite:
    """Make changes to the content of a change request: all of them, or none.

    They make one new revision. With `If-Match`, another newest revision is a conflict.
    """
    place = Place(space_id, change_request_id, expected_revision)
    written = await _write(ctx, place, input, dry_run)
    assert written.change_request is not None
    # In the form of the newest published contract, which has no dry runs.
    written.by_operation = not dry_run and any(
        change.operation is not None for change in input.changes
    )
    return written.change_request if compat and not dry_run else written


@operation(transactions=Transactions.IN_STEPS)
async def write_space_content(
    ctx: Context,
    space_id: SpaceId,
    input: WriteContentInput,
    dry_run: DryRun = False,
    expected_revision: str | None = None,
) -> ContentWrite:
    """Make changes to the primary content of a space: all of them, or none.

    Needs `edit` where it is edited live, else `review`. They make one new revision. With
    `If-Match`, another newest revision is a conflict.
    """
    return await _write(ctx, Place(space_id, None, expected_revision), input, dry_run)


async def _write(
    ctx: Context, place: Place, input: WriteContentInput, dry_run: bool
) -> ContentWrite:
    for index, change in enumerate(input.changes):
        check_change(change, f"changes[{index}]")
    files = list(_files(input))
    async with receiving(ctx, place.space_id, dry_run=dry_run) as received:
        bytes_by_place = await _receive(ctx, place, files, received)
        steps: list[Step] = []
        for index, change in enumerate(input.changes):
            where = f"changes[{index}]"
            steps_of_change = _STEPS[type_of(change, where)](change, where)
            steps += [
                replace(step, bytes=bytes_by_place.get(step.where)) for step in steps_of_change
            ]
        try:
            return await write_ready(ctx, place, steps, received, dry_run=dry_run)
        except ApiError as error:
            raise _renamed(error) from error


# ------------------------------------------------------------------ bytes


def _files(input: WriteContentInput) -> Iterator[tuple[FileBytesInput, str]]:
    """The inputs with bytes of files, each with its place; Invalid for two forms in one."""
    for index, change in enumerate(input.changes):
        where = f"changes[{index}]"
        inputs: list[tuple[FileBytesInput, str]] = [
            (file, f"{where}.files[{number}]") for number, file in enumerate(change.files or ())
        ]
        if type_of(change, where) is ContentBatchChange.REPLACE_FILE:
            inputs.append((change, where))
        for file, place in inputs:
            forms = 3 - [file.base64, file.upload, file.url].count(None)
            renamed = file is change and change.name is not None
            if forms > 1 or (forms == 0 and not renamed):
                or_name = " or a `name`" if file is change and forms == 0 else ""
                raise invalid(place, f"must have one of `base64`, `url` and `upload`{or_name}")
            if isinstance(file, ContentFileInput):
                checked_name(file.name, f"{place}.name")
            yield file, place


async def _receive(
    ctx: Context,
    place: Place,
    files: list[tuple[FileBytesInput, str]],
    received: ReceivedFiles,
) -> dict[str, FileBytes]:
    """The bytes that came along or are fetched, by the place of their file."""
    urls: dict[str, str] = {}
    for file, where in files:
        if file.url is not None:
            urls.setdefault(file.url, f"{where}.url")
    bytes_by_place: dict[str, FileBytes] = {}
    inline = [(file, where) for file, where in files if file.base64 is not None]
    if inline:
        await run(ctx, check_place, place)
    for file, where in inline:
        bytes_by_place[where] = await _inline(file, where, received)
    fetched = await fetch_files(ctx, place, urls, received)
    for file, where in files:
        if file.url is not None:
            file_bytes = fetched[file.url]
            if file.content_type is not None and file_bytes.content_type == UNKNOWN:
                file_bytes = replace(file_bytes, content_type=file.content_type)
            bytes_by_place[where] = file_bytes
    return bytes_by_place


async def _inline(file: FileBytesInput, where: str, received: ReceivedFiles) -> FileBytes:
    """Bytes that came within the batch."""
    if file.content_type is None:
        raise invalid(f"{where}.contentType", "is required with `base64`")
    try:
        data = base64.b64decode(file.base64 or "", validate=True)
    except (binascii.Error, ValueError) as error:
        raise invalid(f"{where}.base64", "is not base64") from error
    if len(data) > INLINE_BYTES:
        raise invalid(f"{where}.base64", f"has more than {INLINE_BYTES} bytes; upload it instead")
    return await received.add(data, file.content_type)


# ------------------------------------------------------------------ errors

# What operations call a place, and what it is called here.
_NAMES = {
    "body.markdown": "document.markdown",
    "body.document": "document",
    "body.edits": "edits",
    "body": "document",
    "position.index": "at",
    "position": "before",
    "parent": "into",
    "blocks": "block",
    "type": "kind",
    **{f"position.{name}": name for name in ("before", "after")},
}
_LONGEST_FIRST = "|".join(re.escape(name) for name in sorted(_NAMES, key=len, reverse=True))
_PLACE = re.compile(rf"\b(changes\[\d+\])\.({_LONGEST_FIRST})\b")


def _renamed(error: ApiError) -> ApiError:
    def renamed(text: str) -> str:
        return _PLACE.sub(lambda match: f"{match[1]}.{_NAMES[match[2]]}", text)

    error.message = renamed(error.message)
    error.fields = tuple(FieldError(renamed(field.path), field.message) for field in error.fields)
    return error


# ------------------------------------------------------------------ operations


def _insert_page(change: ContentChangeInput, where: str) -> list[Step]:
    page_input = CreatePageInput(
        ref=change.ref,
        type=change.kind or NewPageType.DOCUMENT,
        title=None if change.title is None else change.title.value,
        parent=None if change.into is None else change.into.value,
        position=_position(change),
        body=_body(change),
        **_page_fields(change),
    )
    return [Step("create_page", page_input, where)]


def _update_page(change: ContentChangeInput, where: str) -> list[Step]:
    page = _given(change.page)
    update = UpdatePageInput(
        page=page, title=change.title, body=_body(change), **_page_fields(change)
    )
    moves = change.into is not None or _position(change) is not None
    return [*(_move_page(change, where) if moves else ()), Step("update_page", update, where)]


def _move_page(change: ContentChangeInput, where: str) -> list[Step]:
    page = _given(change.page)
    moved = MovePageInput(page=page, parent=change.into, position=_position(change))
    return [Step("move_page", moved, where)]


def _insert_files(change: ContentChangeInput, where: str) -> list[Step]:
    return [
        Step("create_file", CreateFileInput(ref=file.ref, upload=file.upload, name=file.name),
             f"{where}.files[{index}]")
        for index, file in enumerate(change.files or ())
    ]  # fmt: skip


def _insert_reusable_content(change: ContentChangeInput, where: str) -> list[Step]:
    assert change.title is not None
    content_input = CreateReusableContentInput(
        ref=change.ref, title=change.title.value, body=_body(change)
    )
    return [Step("create_reusable_content", content_input, where)]


def _update_reusable_content(change: ContentChangeInput, where: str) -> list[Step]:
    content = _given(change.reusable_content)
    update = UpdateReusableContentInput(
        reusable_content=content, title=change.title, body=_body(change)
    )
    return [Step("update_reusable_content", update, where)]


Form = Callable[[ContentChangeInput, str], list[Step]]


def _copied(name: str, kind: type, *members: str, **renamed: str) -> Form:
    """The step `name`, whose input has members of the change: some by the same, some by another
    name there."""
    sources = {member: member for member in members} | renamed

    def steps(change: ContentChangeInput, where: str) -> list[Step]:
        values = {member: getattr(change, source) for member, source in sources.items()}
        return [Step(name, kind(**values), where)]

    return steps


_STEPS: dict[ContentBatchChange, Form] = {
    ContentBatchChange.INSERT_PAGE: _insert_page,
    ContentBatchChange.UPDATE_PAGE: _update_page,
    ContentBatchChange.RENAME_PAGE: _copied(
        "rename_page", RenamePageInput, "page", "title", "slug"
    ),
    ContentBatchChange.MOVE_PAGE: _move_page,
    ContentBatchChange.DELETE_PAGE: _copied("delete_page", DeletePageInput, "page"),
    ContentBatchChange.REVERT_PAGE: _copied(
        "revert_page", RevertPageInput, "page", "revision", blocks="block"
    ),
    ContentBatchChange.INSERT_FILES: _insert_files,
    ContentBatchChange.REPLACE_FILE: _copied(
        "replace_file", ReplaceFileInput, "file", "upload", "name"
    ),
    ContentBatchChange.DELETE_FILE: _copied("delete_file", DeleteFileInput, "file"),
    ContentBatchChange.INSERT_REUSABLE_CONTENT: _insert_reusable_content,
    ContentBatchChange.UPDATE_REUSABLE_CONTENT: _update_reusable_content,
    ContentBatchChange.DELETE_REUSABLE_CONTENT: _copied(
        "delete_reusable_content", DeleteReusableContentInput, "reusable_content"
    ),
    ContentBatchChange.SET_VARIABLES: _copied("set_variables", SetVariablesInput, "set", "remove"),
    ContentBatchChange.SET_REDIRECT: _copied(
        "set_redirect", SetRedirectInput, "path", "page", "anchor"
    ),
    ContentBatchChange.DELETE_REDIRECT: _copied("delete_redirect", DeleteRedirectInput, "path"),
}


def _given(id: strawberry.ID | None) -> strawberry.ID:
    """An id that `check_change` has found to be there."""
    assert id is not None
    return id


def _page_fields(change: ContentChangeInput) -> dict[str, Any]:
    return {name: getattr(change, name) for name in PAGE_FIELDS}


def _position(change: ContentChangeInput) -> PagePositionInput | None:
    if change.at is None and change.before is None and change.after is None:
        return None
    return PagePositionInput(index=change.at, before=change.before, after=change.after)


def _body(change: ContentChangeInput) -> PageBodyInput | None:
    document = change.document
    if change.edits is not None:
        return PageBodyInput(edits=change.edits)
    if document is None:
        return None
    if not document:
        return PageBodyInput(markdown="")
    if isinstance(document.get("document"), dict) and "object" not in document:
        return PageBodyInput(document=document["document"])
    if "nodes" not in document and isinstance(document.get("markdown"), str):
        return PageBodyInput(markdown=document["markdown"])
    return PageBodyInput(document=document)
