"""Batches of changes in the form of /v1: pages as Markdown, into a change request or live.

They are translated to the operations of `resolvers/content_writes.py`, with their own names in
errors.
"""

import base64
import binascii
from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated

import strawberry
from strawberry import Maybe

from db.content_enums import ContentBatchChange
from db.models.discussions import ChangeRequest
from resolvers import content_limits, inputs
from resolvers.arguments import ChangeRequestId, SpaceId
from resolvers.content_operations import (
    CreateFileInput,
    CreatePageInput,
    DeletePageInput,
    MovePageInput,
    RevertPageInput,
    UpdatePageInput,
)
from resolvers.content_writes import ContentWrite, Step, apply_steps
from resolvers.context import Context, in_steps, run, takes_turns
from resolvers.draft_files import checked_name
from resolvers.emoji import ALLOWED, EMOJI
from resolvers.emoji import LENGTH as EMOJI_LENGTH
from resolvers.errors import ApiError, FieldError, invalid
from resolvers.file_fetches import (
    UNKNOWN,
    KeptBytes,
    Place,
    fetch_files,
    keep_bytes,
    open_place,
    upload_of,
)
from resolvers.page_inputs import PageBodyInput, PagePositionInput, file_address, ref_field
from resolvers.scalars import JsonObject, Url

CHANGES = 50
FILES = 20
INLINE_BYTES = 1024 * 1024


@strawberry.input(description="A file to add: the bytes as `base64`, at a `url`, or an `upload`.")
class ContentFileInput:
    name: str = inputs.text(
        "Name with its extension.", required=True, min=1, max=content_limits.NAME
    )
    base64: str | None = inputs.text(
        "The bytes in base64, at most 1 MiB of them.", max=INLINE_BYTES * 4 // 3 + 4
    )
    content_type: str | None = inputs.text(
        "Media type; required with `base64`; with `url` for what has no other.",
        max=255,
        pattern=r"[\w.+-]+/[\w.+-]+(;.*)?",
        allowed="a media type such as image/png",
    )
    url: Url | None = file_address()
    upload: strawberry.ID | None = inputs.text("Id of an upload whose bytes have arrived.")
    ref: str | None = ref_field()


@strawberry.input(description="One change; `type` tells which of the fields it takes.")
class ContentChangeInput:
    type: ContentBatchChange = inputs.field("What is done.", required=True)
    page: strawberry.ID | None = inputs.text("Id of the page, or `ref:NAME` of this batch.")
    ref: str | None = ref_field()
    title: Maybe[str] = inputs.text("Title.", min=1, max=content_limits.TITLE)
    slug: Maybe[str | None] = inputs.text("Its part of the path; null = made from the title.")
    emoji: Maybe[str | None] = inputs.text(
        "Emoji, or its code points in hexadecimal; null removes it.",
        max=EMOJI_LENGTH,
        pattern=EMOJI,
        allowed=ALLOWED,
    )
    icon: Maybe[str | None] = inputs.text("Name of the icon; null removes it.", max=100)
    description: Maybe[str | None] = inputs.text(
        "A sentence about the page; null removes it.", max=content_limits.DESCRIPTION
    )
    hidden: Maybe[bool] = inputs.field("Whether the navigation leaves it out.")
    no_index: Maybe[bool] = inputs.field("Whether search leaves it out.")
    no_robots_index: Maybe[bool] = inputs.field("Whether it is closed to crawlers.")
    condition: Maybe[str | None] = inputs.text(
        "Expression that decides who sees it; null removes it.", max=content_limits.CONDITION
    )
    into: Maybe[strawberry.ID | None] = inputs.text("Id of the page above it; null = the top.")
    at: int | None = inputs.field("Number of siblings before it; the end when absent.")
    document: JsonObject | None = inputs.field(
        'The body: `{"markdown": "..."}`, or a JSON document with its `nodes`.'
    )
    revision: strawberry.ID | None = inputs.text("Revision to take the page back to.")
    block: list[str] | None = inputs.items(
        "Keys of the blocks to take back; else the whole page.", max=content_limits.REVERTED_BLOCKS
    )
    files: list[ContentFileInput] | None = inputs.items("Files to add.", min=1, max=FILES)


@strawberry.input(description="Changes of content: all of them, or none.")
class WriteContentInput:
    changes: list[ContentChangeInput] = inputs.items(
        "At most 50 changes, made one after the other.", required=True, min=1, max=CHANGES
    )


Compat = Annotated[
    bool,
    strawberry.argument(description="Answer with the change request alone; true when absent."),
]
DryRun = Annotated[
    bool, strawberry.argument(description="Only tell what would change, and write nothing.")
]


@in_steps
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
    found = await fetch_files(ctx, place, _addresses(input))
    written = await run(ctx, _write, place, input, found, dry_run)
    assert written.change_request is not None
    return written.change_request if compat and not dry_run else written


@in_steps
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
    place = Place(space_id, None, expected_revision)
    found = await fetch_files(ctx, place, _addresses(input))
    return await run(ctx, _write, place, input, found, dry_run)


def _addresses(input: WriteContentInput) -> dict[str, str]:
    """The addresses of files, each with the field that has it; Invalid for a wrong batch."""
    wanted: dict[str, str] = {}
    for index, change in enumerate(input.changes):
        _check(change, f"changes[{index}]")
        for number, file in enumerate(change.files or ()):
            where = f"changes[{index}].files[{number}]"
            if [file.base64, file.upload, file.url].count(None) != 2:
                raise invalid(where, "must have one of `base64`, `url` and `upload`")
            if file.url is not None:
                checked_name(file.name, f"{where}.name")
                wanted.setdefault(file.url, f"{where}.url")
    return wanted


@takes_turns
async def _write(
    ctx: Context,
    place: Place,
    input: WriteContentInput,
    found: Mapping[str, KeptBytes],
    dry_run: bool,
) -> ContentWrite:
    target = await open_place(ctx, place)
    steps: list[Step] = []
    for index, change in enumerate(input.changes):
        steps += await _steps(ctx, place.space_id, change, found, f"changes[{index}]")
    try:
        return await apply_steps(ctx, target, steps, dry_run=dry_run)
    except ApiError as error:
        raise _renamed(error) from error


# What operations call a place, and what it is called here.
_NAMES = (
    (".body.markdown", ".document.markdown"),
    (".body.document", ".document"),
    (".position.index", ".at"),
    (".parent", ".into"),
    (".blocks[", ".block["),
)


def _renamed(error: ApiError) -> ApiError:
    for ours, theirs in _NAMES:
        error.message = error.message.replace(f"]{ours}", f"]{theirs}")
        error.fields = tuple(
            FieldError(one.path.replace(f"]{ours}", f"]{theirs}"), one.message)
            for one in error.fields
        )
    return error


_PAGE_FIELDS = (
    "slug", "emoji", "icon", "description", "hidden", "no_index", "no_robots_index", "condition",
)  # fmt: skip
_ALLOWED = {
    ContentBatchChange.INSERT_PAGE: ("ref", "title", *_PAGE_FIELDS, "into", "at", "document"),
    ContentBatchChange.UPDATE_PAGE: ("page", "title", *_PAGE_FIELDS, "into", "at", "document"),
    ContentBatchChange.DELETE_PAGE: ("page",),
    ContentBatchChange.REVERT_PAGE: ("page", "revision", "block"),
    ContentBatchChange.INSERT_FILES: ("files",),
}
_REQUIRED = {
    ContentBatchChange.INSERT_PAGE: "document",
    ContentBatchChange.INSERT_FILES: "files",
}


async def _steps(
    ctx: Context,
    space_id: str,
    change: ContentChangeInput,
    found: Mapping[str, KeptBytes],
    where: str,
) -> list[Step]:
    """The operations that a change stands for."""
    if change.type is ContentBatchChange.INSERT_FILES:
        return [
            await _file(ctx, space_id, file, found, f"{where}.files[{index}]")
            for index, file in enumerate(change.files or ())
        ]
    fields = {name: getattr(change, name) for name in _PAGE_FIELDS}
    position = None if change.at is None else PagePositionInput(index=change.at)
    if change.type is ContentBatchChange.INSERT_PAGE:
        title = None if change.title is None else change.title.value
        parent = None if change.into is None else change.into.value
        made = CreatePageInput(
            ref=change.ref, title=title, parent=parent, position=position,
            body=_body(change.document), **fields,
        )  # fmt: skip
        return [Step("create_page", made, where)]
    page = change.page
    assert page is not None
    if change.type is ContentBatchChange.DELETE_PAGE:
        return [Step("delete_page", DeletePageInput(page=page), where)]
    if change.type is ContentBatchChange.REVERT_PAGE:
        revert = RevertPageInput(page=page, revision=change.revision, blocks=change.block)
        return [Step("revert_page", revert, where)]
    body = _body(change.document)
    update = UpdatePageInput(page=page, title=change.title, body=body, **fields)
    steps = [Step("update_page", update, where)]
    if change.into is not None or position is not None:
        moved = MovePageInput(page=page, parent=change.into, position=position)
        steps.insert(0, Step("move_page", moved, where))
    return steps


def _check(change: ContentChangeInput, where: str) -> None:
    """Invalid when a field is missing, or given that this type of change does not take."""
    allowed = _ALLOWED[change.type]
    names = {*_ALLOWED[ContentBatchChange.INSERT_PAGE], "page", "revision", "block", "files"}
    for name in sorted(names - set(allowed)):
        if getattr(change, name) is not None:
            public = {"no_index": "noIndex", "no_robots_index": "noRobotsIndex"}.get(name, name)
            raise invalid(f"{where}.{public}", f"is not taken by {change.type.value}")
    required = _REQUIRED.get(change.type, "page")
    if getattr(change, required) is None:
        raise invalid(f"{where}.{required}", f"is required by {change.type.value}")


def _body(document: JsonObject | None) -> PageBodyInput | None:
    if document is None:
        return None
    if "nodes" not in document and isinstance(document.get("markdown"), str):
        return PageBodyInput(markdown=document["markdown"])
    return PageBodyInput(document=document)


async def _file(
    ctx: Context,
    space_id: str,
    file: ContentFileInput,
    found: Mapping[str, KeptBytes],
    where: str,
) -> Step:
    upload = file.upload
    if file.url is not None:
        kept = found[file.url]
        if file.content_type is not None and kept.content_type == UNKNOWN:
            kept = replace(kept, content_type=file.content_type)
        upload = await upload_of(ctx, space_id, file.name, kept)
    elif file.base64 is not None:
        kept = await _inline(ctx, space_id, file, file.base64, where)
        upload = await upload_of(ctx, space_id, file.name, kept)
    made = CreateFileInput(ref=file.ref, upload=upload, name=file.name)
    return Step("create_file", made, where)


async def _inline(
    ctx: Context, space_id: str, file: ContentFileInput, text: str, where: str
) -> KeptBytes:
    """Keep bytes that came within the batch."""
    if file.content_type is None:
        raise invalid(f"{where}.contentType", "is required with `base64`")
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise invalid(f"{where}.base64", "is not base64") from error
    if len(data) > INLINE_BYTES:
        raise invalid(f"{where}.base64", f"has more than {INLINE_BYTES} bytes; upload it instead")
    checked_name(file.name, f"{where}.name")
    return await keep_bytes(ctx, space_id, data, file.content_type)
